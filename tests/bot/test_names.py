"""Names are hostile text: whatever somebody calls themselves, it stands in a message as harmless letters."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.names import LONGEST, MOST_MARKS, clean

NASTY = "\\*_~|`>#-+.()[]<:/!=@&\u202e\u2066\u200b\u200d\ufe0f\u0301\u0489\0\n\t \u3164\u2800\ud83d\U000e0041aA1"
MARKDOWN = set("*_~|`>#-+.()[]<:/!=\\")
ZERO_WIDTH_SPACE, JOINER = "\u200b", "\u200d"


def shown(cleaned: str) -> str:
    """What Discord shows: escapes taken away. Fails where something is not escaped, or an escape stands alone."""
    letters: list[str] = []
    rest = iter(cleaned)
    for letter in rest:
        if letter == "\\":
            letter = next(rest, "")
            assert letter in MARKDOWN, f"a backslash before {letter!r}"
        else:
            assert letter not in MARKDOWN, f"{letter!r} is not escaped"
        letters.append(letter)
        if letter == "@":
            assert next(rest, "") == ZERO_WIDTH_SPACE, "an @ that may ping"
    return "".join(letters)


@given(st.text(max_size=120) | st.text(alphabet=NASTY, max_size=120))
@example("@everyone")
@example("\\")
@example("a" * 31 + "\\")
@example("a" * 31 + "@here")
@example("<@1> <@!1> <@&1> <#1> <t:0> <t:0:R> </war quick:1> <:x:1> <a:x:1>")
@example("\u200d" * 40)
def test_any_name_is_harmless(name: str) -> None:
    cleaned = clean(name, "someone")
    text = shown(cleaned)
    assert text
    assert len(text) <= LONGEST
    assert len(cleaned) <= 2 * LONGEST
    marks = 0
    for letter in text:
        category = unicodedata.category(letter)
        assert category[0] not in "C" or letter == JOINER
        assert category[0] != "Z" or letter == " "
        marks = marks + 1 if category[0] == "M" else 0
        assert marks <= MOST_MARKS
    assert text == text.strip(" ")
    assert "  " not in text
    cleaned.encode()  # no half characters


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzäöüßéñ0123456789漢字かなабв", min_size=1, max_size=LONGEST))
def test_an_ordinary_name_stays_as_it_is(name: str) -> None:
    assert clean(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("Alice", "Alice"),
        ("  Al   ice ", "Al ice"),
        ("Al\nice\r\t", "Al ice"),
        ("@everyone", "@\u200beveryone"),
        ("<@1>", "\\<@\u200b1\\>"),
        ("<t:0>", "\\<t\\:0\\>"),
        ("<#12>", "\\<\\#12\\>"),
        ("</war quick:1>", "\\<\\/war quick\\:1\\>"),
        ("**bold** _x_ ~~y~~ ||z||", "\\*\\*bold\\*\\* \\_x\\_ \\~\\~y\\~\\~ \\|\\|z\\|\\|"),
        ("`code`", "\\`code\\`"),
        ("# big", "\\# big"),
        ("-# small", "\\-\\# small"),
        ("1. first", "1\\. first"),
        ("[x](https://e.example)", "\\[x\\]\\(https\\:\\/\\/e\\.example\\)"),
        ("back\\slash", "back\\\\slash"),
        ("\u202egnp.exe", "gnp\\.exe"),
        ("a\u2066b\u2069c", "abc"),
        ("nul\0l", "null"),
        ("half \ud83d", "half"),
        ("\u0301accent", "accent"),
        ("z" + "\u0353" * 30, "z\u0353\u0353"),
        ("🃏" * 32, "🃏" * 32),
        ("🃏" * 33, "🃏" * 31 + "…"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("x" * 100, "x" * 31 + "…"),
        ("x" * 30 + " y z", "x" * 30 + "…"),
    ],
)
def test_known_tricks(name: str, cleaned: str) -> None:
    assert clean(name) == cleaned


@pytest.mark.parametrize(
    "name", ["", " ", "\n", "\0", "\u200b", "\u3164", "\u2800\u3164 ", "\u202e", "\ud800", "\u200d"]
)
def test_a_name_of_which_nothing_is_left_is_shown_as_nameless(name: str) -> None:
    assert clean(name, "someone") == "someone"
