"""Custom ids come back as they went, nothing else gets in, and every button that can be seen is answered."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.client import WarBot
from cogs._buttons import LARGEST, custom_id, parse

COGS = Path(__file__).parents[2] / "cogs"
NUMBERS = st.integers(0, LARGEST)


def table_of(bot: WarBot) -> Any:
    """The dispatch table. discord.py loads a cog's module anew, so its class is not the one imported here."""
    return bot.get_cog("Buttons")


def made() -> Iterator[tuple[str, int, str]]:
    """Each `button(label, "name", number, ...)` and `_select(texts, "name", ...)` in the sources: name, numbers,
    where."""
    for path in sorted(COGS.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
            if called not in ("button", "_select") or len(node.args) < 2:
                continue
            name, where = node.args[1], f"{path.name}:{node.lineno}"
            assert isinstance(name, ast.Constant), f"{where} makes a name up"
            assert not any(isinstance(each, ast.Starred) for each in node.args), where
            yield str(name.value), len(node.args) - 2 if called == "button" else 0, where


MADE = list(made())


def test_the_sources_were_read() -> None:
    assert {"flip", "accept", "leaders"} <= {name for name, _, _ in MADE}


@pytest.mark.parametrize(("name", "numbers", "where"), MADE, ids=[f"{name} {where}" for name, _, where in MADE])
def test_every_custom_id_of_a_view_comes_back_as_it_went(name: str, numbers: int, where: str) -> None:
    for number in (0, 7, LARGEST):
        text = custom_id(name, *[number] * numbers)
        assert parse(text) == (name, (number,) * numbers)
        assert len(text) <= 100


@given(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12), st.lists(NUMBERS, max_size=4))
def test_any_name_with_up_to_four_numbers_comes_back_as_it_went(name: str, numbers: list[int]) -> None:
    assert parse(custom_id(name, *numbers)) == (name, tuple(numbers))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "war",
        "war:",
        "war::1",
        "war:flip:",
        "war:flip:1:",
        "war:flip::1",
        "war:flip:٣:1",
        "war:flip:１:1",
        "war:flip:²:1",
        "war:flip:-1:1",
        "war:flip:+1",
        "war:flip:1_0",
        "war:flip: 1",
        "war:flip:1 ",
        "war:flip:1\n",
        "\nwar:flip:1",
        "war:flip:1.0",
        "war:flip:1e3",
        "war:flip:" + "1" * 30,
        f"war:flip:{LARGEST + 1}",
        f"war:flip:1:{LARGEST + 1}",
        "war:flip:1:2:3:4:5",
        "war:Flip:1",
        "war:flíp:1",
        "war:flip1:1",
        "WAR:flip:1",
        "xwar:flip:1",
        "peace:flip:1",
        "war:flip;1",
    ],
)
def test_what_is_not_of_the_grammar_is_refused(text: str) -> None:
    assert parse(text) is None


@given(st.text(max_size=100))
def test_any_text_is_refused_or_read(text: str) -> None:
    parsed = parse(text)
    if parsed is not None:
        name, numbers = parsed
        assert name.isascii()
        assert name.islower()
        assert all(0 <= number <= LARGEST for number in numbers)


@pytest.mark.parametrize(
    ("name", "numbers"),
    [("Flip", ()), ("", ()), ("a b", ()), ("flip", (-1,)), ("flip", (LARGEST + 1,)), ("a", (1,) * 5)],
)
def test_an_id_that_would_not_come_back_is_not_made(name: str, numbers: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="no custom_id"):
        custom_id(name, *numbers)


async def test_every_button_has_a_handler_for_its_numbers_and_every_handler_a_button(war_bot: WarBot) -> None:
    handled = {name: numbers for name, (numbers, _) in table_of(war_bot)._handlers.items()}
    assert {(name, numbers) for name, numbers, _ in MADE} == set(handled.items())


async def test_a_name_is_taken_once(war_bot: WarBot) -> None:
    async def handler(*_: object) -> None: ...

    with pytest.raises(ValueError, match="already"):
        table_of(war_bot).add("flip", 2, handler)


async def test_every_command_is_for_servers_and_says_what_it_does(war_bot: WarBot) -> None:
    commands = [command.to_dict(war_bot.tree) for command in war_bot.tree.get_commands()]
    assert commands
    for command in commands:
        assert command["contexts"] == [0], command["name"]
        if command["type"] == 1:
            for each in [command, *command["options"]]:
                assert 1 <= len(each["description"]) <= 100
