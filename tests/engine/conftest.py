"""What the engine's tests share: piles written as text, matches between them, tallies made on every core."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor

import pytest

from engine.cards import Card
from engine.facts import Act
from engine.rules import Rules
from engine.simulate import Tally, simulate
from engine.war import Battle, War

SEED = bytes(range(32))
CLIENT = "test"

MakeWar = Callable[..., War]
PlayOut = Callable[..., tuple[War, list[Battle]]]


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


class Simulations:
    """Tallies of many matches, each kind counted once, by fresh processes on every core."""

    def __init__(self, pool: ProcessPoolExecutor, games: int) -> None:
        self.games = games
        self._pool = pool
        self._running: dict[tuple[Rules, int, int], Future[Tally]] = {}

    def start(self, rules: Rules, seats: int, games: int | None = None) -> Future[Tally]:
        key = (rules, seats, games or self.games)
        if key not in self._running:
            self._running[key] = self._pool.submit(simulate, *key, seed=1)
        return self._running[key]

    def tally(self, rules: Rules, seats: int, games: int | None = None) -> Tally:
        return self.start(rules, seats, games).result()


@pytest.fixture(scope="session")
def simulations() -> Iterator[Simulations]:
    """4,000 matches a figure, or as many as FIGURES_GAMES says."""
    games = int(os.environ.get("FIGURES_GAMES", "4000"))
    pool = ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn"))
    yield Simulations(pool, games)
    pool.shutdown(cancel_futures=True)


Compared = list[tuple[str, float, float, float]]
COMPARED = pytest.StashKey[Compared]()


@pytest.fixture
def compare(request: pytest.FixtureRequest) -> Callable[[str, float, float, float], None]:
    """`compare(name, measured, figure, standard_error)`: within four standard errors of the figure."""
    compared = request.config.stash.setdefault(COMPARED, [])

    def check(name: str, measured: float, figure: float, error: float) -> None:
        compared.append((name, measured, figure, error))
        assert abs(measured - figure) <= 4 * error, f"{name}: {measured:.4f} is not {figure} ± {4 * error:.4f}"

    return check


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """With FIGURES_GAMES set, print what was measured beside what was published."""
    compared = config.stash.get(COMPARED, [])
    if not compared or "FIGURES_GAMES" not in os.environ:
        return
    terminalreporter.section("figures of War, measured and expected")
    for name, measured, figure, error in compared:
        distance = (measured - figure) / error
        terminalreporter.write_line(f"{name:<58} {measured:>9.4f} {figure:>9.4f}   {distance:>+5.1f} standard errors")
