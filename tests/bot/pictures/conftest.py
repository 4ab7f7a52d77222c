"""What the tests of pictures share: the sprites, and matches played from a number."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from bot.pictures.sprites import Sprites
from bot.pictures.view import TableView, table_view
from engine.facts import Battle
from engine.rules import PRESETS, Rules
from engine.war import War


@pytest.fixture(scope="session")
def sprites() -> Sprites:
    """They are frozen: one set serves all tests."""
    return Sprites.make()


@dataclass(frozen=True)
class Played:
    """A match and the battles up to where it stands."""

    war: War
    battles: tuple[Battle, ...]

    def view(self, told_from: int = 0) -> TableView:
        """Its table, as a board knows it: with the battles from that one on."""
        return table_view(
            counts=self.war.counts,
            pot=self.war.pot_size,
            tied=self.war.tied,
            told=self.battles[told_from:],
            outcome=self.war.outcome,
        )


Play = Callable[..., Played]


@pytest.fixture(scope="session")
def play() -> Play:
    """play(seats, number, preset, steps): that match, up to so many steps or to its end."""

    def played(seats: int, number: int, preset: str | Rules = "classic", steps: int | None = None) -> Played:
        rules = PRESETS[preset] if isinstance(preset, str) else preset
        war = War.deal(rules, seats, hashlib.sha256(f"pictures {number}".encode()).digest(), "pictures")
        battles: list[Battle] = []
        while war.outcome is None and (steps is None or len(battles) < steps):
            battles.append(war.step())
        return Played(war, tuple(battles))

    return played


@pytest.fixture(scope="session")
def moment() -> Callable[[int, Callable[[TableView], bool]], TableView]:
    """moment(seats, wanted): the first table, over many matches, that is as wanted."""

    def found(seats: int, wanted: Callable[[TableView], bool]) -> TableView:
        for number in range(200):
            war = War.deal(PRESETS["classic"], seats, hashlib.sha256(f"moment {number}".encode()).digest(), "pictures")
            battles: list[Battle] = []
            while war.outcome is None:
                battles.append(war.step())
                view = Played(war, tuple(battles[-12:])).view()
                if wanted(view):
                    return view
        raise AssertionError("no such table in 200 matches")

    return found
