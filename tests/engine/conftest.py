"""What the engine's tests share: piles written as text, matches between them, tallies made on every core."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor

import pytest
from hypothesis import HealthCheck, settings

from engine.cards import Card
from engine.facts import Act
from engine.rules import Rules
from engine.simulate import Tally, simulate
from engine.war import Battle, War

settings.register_profile("engine", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("engine")

SEED = bytes(range(32))
CLIENT = "test"

MakeWar = Callable[..., War]
PlayOut = Callable[..., tuple[War, list[Battle]]]
Simulated = Callable[[Rules, int], Tally]


def parse_pile(text: str) -> list[Card]:
    return [Card.parse(code) for code in text.split()]


@pytest.fixture
def make_war() -> MakeWar:
    """`make_war("QS 7D", "3C 4C", face_down=1)`: a match with these piles, top card first, order `table`."""

    def make(*piles: str, order: str = "table", **rules: object) -> War:
        chosen = Rules.from_dict({**rules, "order": order}, partial=True)
        return War.from_piles(chosen, [parse_pile(pile) for pile in piles], SEED, CLIENT)

    return make


@pytest.fixture
def play_out(make_war: MakeWar) -> PlayOut:
    """The same, played to its end with `acts`: the match and its battles."""

    def play(*piles: str, acts: Sequence[Act] = (), **rules: object) -> tuple[War, list[Battle]]:
        war = make_war(*piles, **rules)
        return war, list(war.play(acts))

    return play


@pytest.fixture(scope="session")
def games() -> int:
    """Matches per figure: 4,000, or what FIGURES_GAMES says."""
    return int(os.environ.get("FIGURES_GAMES", "4000"))


@pytest.fixture(scope="session")
def simulated(games: int) -> Iterator[Simulated]:
    """`simulated(rules, seats)`: the tally of `games` matches, counted once. Each worker is a fresh process."""
    tallies: dict[tuple[Rules, int], Future[Tally]] = {}
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:

        def start(rules: Rules, seats: int) -> Future[Tally]:
            key = (rules, seats)
            if key not in tallies:
                tallies[key] = pool.submit(simulate, rules, seats, games, seed=1)
            return tallies[key]

        yield lambda rules, seats: start(rules, seats).result()
