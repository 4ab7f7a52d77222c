"""Texts: English is complete, every key is used, and every text gets the values it names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax import FluentParser
from fluent.syntax import ast as fluent
from fluent.syntax.visitor import Visitor

from bot.i18n import LOCALES, Catalogue, MissingText
from bot.refusals import ChannelBusy, OldBoard, PlayerBusy, StaleTurn
from engine.rules import PRESETS, Rules

ROOT = Path(__file__).parents[2]
SOURCES = sorted([*(ROOT / "bot").rglob("*.py"), *(ROOT / "cogs").rglob("*.py")])


class _Names(Visitor):
    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_VariableReference(self, node: fluent.VariableReference) -> None:
        self.names.add(node.id.name)


def read(path: Path) -> dict[str, set[str]]:
    """key -> the values that its text names."""
    found: dict[str, set[str]] = {}
    for entry in FluentParser().parse(path.read_text(encoding="utf-8")).body:
        if isinstance(entry, fluent.Message):
            assert entry.id.name not in found, f"{entry.id.name} is there twice"
            names = _Names()
            names.visit(entry)
            found[entry.id.name] = names.names
    return found


ENGLISH = read(LOCALES / "en.ftl")


def used() -> tuple[set[str], set[str]]:
    """Whole keys and beginnings of keys (of f-strings, up to what is filled in) that the sources name."""
    whole: set[str] = set()
    beginnings: set[str] = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                whole.add(node.value)
            elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                beginnings.add(node.values[0].value)
    return whole, {beginning for beginning in beginnings if beginning.endswith("-")}


def calls() -> Iterator[tuple[str, str, set[str] | None, str]]:
    """Each `texts("key", ...)` in the sources: where, key, the values given (None where some are in `**values`)."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Constant):
                continue
            name = ast.unparse(node.func)
            if not (name in ("texts", "here", "Refusal") or "texts_" in name):
                continue
            given = {keyword.arg for keyword in node.keywords if keyword.arg}
            spread = any(keyword.arg is None for keyword in node.keywords)
            where = f"{path.relative_to(ROOT)}:{node.lineno}"
            yield where, str(node.args[0].value), None if spread else given, name


CALLS = list(calls())


def test_the_sources_were_read() -> None:
    assert len(CALLS) > 80
    assert len(ENGLISH) > 100


@pytest.mark.parametrize(("where", "key", "given", "name"), CALLS, ids=[f"{call[0]} {call[1]}" for call in CALLS])
def test_every_text_that_is_asked_for_exists_and_gets_its_values(
    where: str, key: str, given: set[str] | None, name: str
) -> None:
    assert key in ENGLISH, f"{where} asks for a text that is not there"
    if given is not None:
        assert given == ENGLISH[key], f"{where} gives {given}, the text names {ENGLISH[key]}"


def test_every_text_is_used() -> None:
    whole, beginnings = used()
    # An ending of a key may be added to one that stands whole: "refuse-you-are-busy" + "-nolink".
    unused = {
        key
        for key in ENGLISH
        if key not in whole
        and not any(key.startswith(beginning) for beginning in beginnings)
        and not (key.endswith("-nolink") and key.removesuffix("-nolink") in whole | set(ENGLISH))
    }
    assert unused == set()


def test_every_key_that_is_put_together_exists() -> None:
    from bot.client import PERMISSIONS

    assert {f"preset-{name}" for name in [*PRESETS, "custom"]} <= ENGLISH.keys()
    assert {f"challenge-{how}" for how in ("declined", "cancelled", "expired")} <= ENGLISH.keys()
    assert {f"table-{how}" for how in ("cancelled", "expired")} <= ENGLISH.keys()
    assert {f"told-dropped-{reason}" for reason in ("no-cards", "short")} <= ENGLISH.keys()
    assert {f"permission-{name}" for name, needed in PERMISSIONS if needed} <= ENGLISH.keys()
    for kind in (ChannelBusy, OldBoard, PlayerBusy, StaleTurn):
        assert kind.__name__  # their keys are literals, read by `used`


def test_every_choice_of_the_rules_has_its_words() -> None:
    texts = Catalogue.load().texts(None)
    assert texts("preset-classic") == "Classic"
    assert {texts(f"preset-{name}") for name in PRESETS} == {name.capitalize() for name in PRESETS}
    assert Rules() == PRESETS["classic"]


def test_every_other_language_names_only_keys_and_values_of_english() -> None:
    for path in LOCALES.glob("*.ftl"):
        for key, names in read(path).items():
            assert key in ENGLISH, f"{path.name}: {key}"
            assert names <= ENGLISH[key], f"{path.name}: {key}"


# ---- the catalogue ----------------------------------------------------------------------------------------


def write(folder: Path, **languages: str) -> Catalogue:
    for name, text in languages.items():
        (folder / f"{name.replace('_', '-')}.ftl").write_text(text, encoding="utf-8")
    return Catalogue.load(folder)


def test_a_locale_is_itself_or_its_base_or_english(tmp_path: Path) -> None:
    catalogue = write(tmp_path, en="hi = Hello", de="hi = Hallo", pt_BR="hi = Oi")
    for locale, said in [
        (None, "Hello"),
        ("en-GB", "Hello"),
        ("de", "Hallo"),
        ("pt-BR", "Oi"),
        ("pt-PT", "Hello"),
        ("xx", "Hello"),
        ("", "Hello"),
    ]:
        assert catalogue.texts(locale)("hi") == said


def test_english_stands_in_for_what_a_language_lacks_or_gets_wrong(tmp_path: Path) -> None:
    catalogue = write(tmp_path, en="a = A { $n }\nb = B", de="a = Ä { $m }")
    assert catalogue.texts("de")("a", n=1) == "A 1"
    assert catalogue.texts("de")("b") == "B"


def test_a_key_that_nobody_has_or_a_value_that_is_missing_is_a_mistake_of_ours(tmp_path: Path) -> None:
    texts = write(tmp_path, en="a = A { $n }").texts(None)
    for call in (lambda: texts("nosuch"), lambda: texts("a")):
        with pytest.raises(MissingText):
            call()


def test_values_are_not_read_as_fluent_and_get_no_marks_around_them(tmp_path: Path) -> None:
    texts = write(tmp_path, en="a = <{ $name }>").texts(None)
    assert texts("a", name='{ $x } { "y" }\n z = 1') == '<{ $x } { "y" }\n z = 1>'


def test_a_file_that_is_no_fluent_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"en\.ftl"):
        write(tmp_path, en="a = { $")


@pytest.mark.parametrize("key", sorted(ENGLISH))
def test_a_text_is_put_together_as_the_library_would(key: str) -> None:
    bundle = FluentBundle(["en"], use_isolating=False)
    bundle.add_resource(FluentResource((LOCALES / "en.ftl").read_text(encoding="utf-8")))
    pattern = bundle.get_message(key).value
    assert pattern is not None
    values = {name: f"<{name} *\u00a0{{x}}>" for name in ENGLISH[key]}
    expected, errors = bundle.format_pattern(pattern, values)
    if not errors:  # a text that chooses by a number has none for words
        assert Catalogue.load().texts(None)(key, **values) == expected
