"""Every text that people read, by key and language.

The texts are Project Fluent files in `bot/locales/`, one per language: plurals and word order are the translator's
business. English is complete (a test says so) and stands in for what another language lacks.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax import ast

LOCALES = Path(__file__).parent / "locales"
DEFAULT = "en"

CACHED = 2048
"""Texts of a language that are kept at hand, filled in; some 200 bytes each."""


class Texts(Protocol):
    """Texts in one language: `texts("board-waiting", name="Alice")`."""

    def __call__(self, key: str, **values: str | int | float) -> str: ...


class MissingText(KeyError):
    """No language has a text of that key: a mistake in the program."""


_Parts = tuple[tuple[bool, str], ...]
"""Pieces of a text: words as they are (False), or the name of a value (True)."""


def _plain(pattern: object) -> _Parts | None:
    """The pieces of a pattern of words and values alone, None for one that chooses. Most are so plain, and to put them
    together here costs a sixth of what it costs the library, which reads the pattern each time: of a click, a
    twentieth."""
    parts: list[tuple[bool, str]] = []
    # The library leaves out the pattern around a single element, and the braces around what stands in them.
    elements: list[object] = list(pattern.elements) if isinstance(pattern, ast.Pattern) else [pattern]
    for element in elements:
        inner = element.expression if isinstance(element, ast.Placeable) else element
        if isinstance(inner, ast.TextElement):
            parts.append((False, inner.value))
        elif isinstance(inner, ast.VariableReference):
            parts.append((True, inner.id.name))
        elif isinstance(inner, ast.StringLiteral):
            parts.append((False, str(inner.parse()["value"])))
        else:
            return None
    return tuple(parts)


def _joined(parts: _Parts, values: Mapping[str, str | int | float]) -> str | None:
    """The text, None where a value is missing or is a number, which each language writes in its own way."""
    pieces: list[str] = []
    for is_value, piece in parts:
        found = values.get(piece) if is_value else piece
        if not isinstance(found, str):
            return None
        pieces.append(found)
    return "".join(pieces)


class _Language:
    def __init__(self, bundle: FluentBundle, fallback: _Language | None) -> None:
        self._bundle = bundle
        self._fallback = fallback
        # A board has some thirty texts, most of them the same as on the board before: without this they were a quarter
        # of what a click costs.
        self._cached = lru_cache(maxsize=CACHED)(self._text)
        self._plain: dict[str, _Parts | None] = {}

    def __call__(self, key: str, **values: str | int | float) -> str:
        return self._cached(key, **values)

    def _text(self, key: str, **values: str | int | float) -> str:
        if not self._bundle.has_message(key):
            if self._fallback is None:
                raise MissingText(key)
            return self._fallback(key, **values)
        pattern = self._bundle.get_message(key).value
        if pattern is None:
            raise MissingText(key)
        if key not in self._plain:
            self._plain[key] = _plain(pattern)
        if (parts := self._plain[key]) is not None and (text := _joined(parts, values)) is not None:
            return text
        text, errors = self._bundle.format_pattern(pattern, values)
        if errors:
            if self._fallback is not None:
                return self._fallback(key, **values)
            raise MissingText(f"{key}: {errors[0]}")
        return str(text)


class Catalogue:
    """All languages of a folder of `<locale>.ftl` files."""

    def __init__(self, languages: Mapping[str, _Language]) -> None:
        self._languages = languages

    @classmethod
    def load(cls, folder: Path = LOCALES) -> Catalogue:
        """Read the folder. Raises `ValueError` for a file that is not Fluent."""
        fallback = _read(folder / f"{DEFAULT}.ftl", None)
        languages = {DEFAULT: fallback}
        for path in sorted(folder.glob("*.ftl")):
            if path.stem != DEFAULT:
                languages[path.stem] = _read(path, fallback)
        return cls(languages)

    def texts(self, locale: str | None) -> Texts:
        """The texts for a locale of Discord such as "en-GB": that language, its base, else English."""
        if locale is None:
            return self._languages[DEFAULT]
        base = locale.partition("-")[0]
        return self._languages.get(locale) or self._languages.get(base) or self._languages[DEFAULT]


def _read(path: Path, fallback: _Language | None) -> _Language:
    # Isolating marks around values would show as boxes in some clients; names are cleaned of bidi controls anyway.
    bundle = FluentBundle([path.stem], use_isolating=False)
    resource = FluentResource(path.read_text(encoding="utf-8"))
    for entry in resource.body:
        if isinstance(entry, ast.Junk):
            raise ValueError(f"{path.name} has an entry that is not Fluent: {entry.content!r}")
    bundle.add_resource(resource)
    return _Language(bundle, fallback)
