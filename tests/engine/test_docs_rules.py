"""Every example of docs/rules.md is played, and reads in the page as it went."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine.cards import Card
from engine.facts import Act, Battle
from engine.rules import PRESETS, Rules
from engine.war import War

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "rules.md").read_text()
EXAMPLES = re.findall(r"^```json\n(.*?)\n```\n+```text\n(.*?)\n```", PAGE, re.MULTILINE | re.DOTALL)


def told(battle: Battle) -> str:
    """One line of the page. The bot's own words for people are elsewhere."""
    down, up = dict(battle.face_down), dict(battle.turned)
    parts: list[str] = []
    for seat in sorted(down.keys() | up.keys()):
        laid = [f"lays {down[seat]}"] if seat in down else []
        turned = [f"turns {up[seat]}"] if seat in up else []
        parts.append(f"{seat} {' and '.join(laid + turned)}")
    parts += [f"{drop.seat} {'has no card' if drop.reason == 'no-cards' else 'is short'}" for drop in battle.dropped]
    if battle.tied:
        parts.append(f"{' and '.join(map(str, battle.tied))} tie")
    elif battle.winner is None:
        parts.append(f"the pot of {battle.pot} is carried")
    else:
        parts.append(f"{battle.winner} takes {battle.taken}")
    parts += [f"{seat} is out" for seat in battle.out]
    return f"step {battle.step}: {', '.join(parts)}; piles {' '.join(map(str, battle.counts))}"


def played(example: dict[str, Any]) -> tuple[War, list[str]]:
    piles = [[Card.parse(code) for code in pile] for pile in example["piles"]]
    war = War.from_piles(Rules.from_dict(example["rules"], partial=True), piles, bytes(32), "docs")
    lines = [told(battle) for battle in war.play([Act.parse(act) for act in example.get("acts", [])])]
    outcome = war.outcome
    assert outcome is not None
    places = " ".join(map(str, outcome.placings))
    return war, [*lines, f"end: {outcome.termination}, places {places}"]


def test_the_page_has_its_examples() -> None:
    assert len(EXAMPLES) == PAGE.count("```json") >= 18
    assert len(EXAMPLES) * 4 == PAGE.count("```")


@pytest.mark.parametrize(("deal", "text"), EXAMPLES, ids=lambda value: value[:70] if value.startswith("{") else "")
def test_an_example_goes_as_the_page_says(deal: str, text: str) -> None:
    war, lines = played(json.loads(deal))
    expected = text.split("\n")
    if expected[-1].startswith("pile of "):
        seat = int(expected.pop().split()[2].rstrip(":"))
        lines_of_pile = " ".join(map(str, war.piles[seat]))
        assert text.endswith(f"pile of {seat}: {lines_of_pile}")
    assert lines == expected


def test_the_page_names_every_choice_with_its_default() -> None:
    for name, value in Rules().to_dict().items():
        if name == "version":
            continue
        shown = f"`{value}`" if isinstance(value, str) else f"{value:,}"
        assert f"### `{name}` ({shown})" in PAGE
    for name in PRESETS:
        assert f"| `{name}` |" in PAGE


def test_the_page_has_the_thirteen_steps() -> None:
    assert re.findall(r"^(\d+)\. ", PAGE, re.MULTILINE) == [str(number) for number in range(1, 14)]
