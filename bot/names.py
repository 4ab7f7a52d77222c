"""Names as people may see them. A name is hostile text: it may try to ping, format, reverse or overflow a line."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

LONGEST = 32
"""Characters shown of a name, before escapes."""

MOST_MARKS = 2
"""Combining marks shown on one character; more is a way to draw over other people's lines."""

CACHED = 4096
"""Cleaned names at hand: a board names each player several times, and looks at every character to do so."""

_JOINER = "\u200d"
"""Keeps family emoji together; the one format character that is let through."""

_MARKDOWN = frozenset("\\*_~|`>#-+.()[]<:/!=")


@lru_cache(CACHED)
def clean(name: str, nameless: str = "?") -> str:
    """The name, safe to stand anywhere in a message: no mention, no timestamp, no Markdown, no bidi or control
    characters, marks capped, cut to `LONGEST`. A name of which nothing is left is shown as `nameless`.

    >>> clean("**Al** <@1>")
    '\\\\*\\\\*Al\\\\*\\\\* \\\\<@\\u200b1\\\\>'
    >>> clean("\\u202egnp")
    'gnp'
    """
    shown = _cut(_readable(name))
    return _escaped(shown) if shown else nameless


def plain(name: str, nameless: str = "?") -> str:
    """The name for places where Markdown is not read, such as the label of a button: `clean` without escapes."""
    return _cut(_readable(name)) or nameless


def _readable(name: str) -> str:
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", name.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")):
        category = unicodedata.category(character)
        if category in ("Mn", "Me", "Mc"):
            marks += 1
            if marks > MOST_MARKS or not kept:
                continue
        else:
            marks = 0
        if category[0] == "Z" or character in "\t\n\r":
            kept.append(" ")
        elif category[0] != "C" or (character == _JOINER and kept):
            kept.append(character)
    text = " ".join("".join(kept).split())
    # Letters that draw nothing (Hangul fillers, Braille blank) would make somebody invisible.
    return "" if all(character in " \u115f\u1160\u3164\uffa0\u2800\u200d\ufe0f" for character in text) else text


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip(" " + _JOINER) + "…"


def _escaped(text: str) -> str:
    # Discord reads "@everyone" and "@here" even behind a backslash; a zero-width space behind "@" stops that.
    return "".join(
        "@\u200b" if character == "@" else "\\" + character if character in _MARKDOWN else character
        for character in text
    )
