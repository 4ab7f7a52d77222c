"""Where the chances of engine/odds.py come from, and how true they are.

`python -m benchmarks.odds` checks them against playouts, for the classic rules and 2, 3, 4 and 6 seats (some minutes).
Those have a promise to keep; `--rules` names others, `--at-war` looks at wars only.
`python -m benchmarks.odds derive` derives the points per rank again (a quarter of an hour) and prints them.

A state is a real match played to a random step. Its true chances are the shares won over many playouts in which the
piles are shuffled: whoever looks at a board knows who holds which cards, not their order. Least squares over states
then give each rank its points. The root mean square error (RMSE) is over states and seats; part of it is the noise of
the playouts themselves, so that is printed beside it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import product, takewhile
from math import sqrt
from random import Random
from typing import NamedTuple

from engine.cards import Rank
from engine.odds import war_chances
from engine.playout import play_ranks
from engine.rules import PRESETS, Rules
from engine.shuffle import FastChance
from engine.war import War

RANKS = Rank.ACE - Rank.TWO + 1
LIMITS = {2: 0.01}
LIMIT_FOR_MORE = 0.02
CHUNK = 10


class State(NamedTuple):
    """A match in the middle, as a playout takes it: bare ranks (0 is the two), top card first.

    At a war, `faces` has the rank that each seat still in has turned; between two rounds it is empty.
    `alive` are the seats still in: `piles` and `faces` have one entry for each of them. `under` are the other cards on
    the table.
    """

    war: War
    alive: tuple[int, ...]
    piles: tuple[tuple[int, ...], ...]
    faces: tuple[int, ...]
    under: tuple[int, ...]


def state_of(rules: Rules, seats: int, number: int, *, all_in: bool = False, at_war: bool = False) -> State:
    """Match `number` at a random step: any, or one with `all_in` (all seats still in), or one `at_war`.

    Of wars between more than two, only the first of a round is taken: it can be played out by turning its cards again.
    """
    source = Random(f"{rules} {seats} {number}")
    while True:
        seed = source.randbytes(32)
        battles = list(War.deal(rules, seats, seed, "odds").play())
        if all_in:
            battles = list(takewhile(lambda battle: not battle.out, battles))
        steps = source.randrange(len(battles) + all_in)
        war = War.deal(rules, seats, seed, "odds")
        deque(war.play(steps=steps), maxlen=0)
        if not war.tied:
            faces: dict[int, int] = {}
        elif seats == 2 or battles[steps - 1].depth == 0:
            faces = {seat: card.rank - Rank.TWO for seat, card in battles[steps - 1].turned}
        else:
            continue
        if at_war and not faces:
            continue
        piles = {seat: tuple(card.rank - Rank.TWO for card in war.piles[seat]) for seat in war.alive}
        unseen = ranks_in_play(war)
        for rank in (*faces.values(), *(rank for pile in piles.values() for rank in pile)):
            unseen[rank] -= 1
        under = tuple(rank for rank, number_left in enumerate(unseen) for _ in range(number_left))
        return State(war, war.alive, tuple(piles.values()), tuple(faces.values()), under)


def ranks_in_play(war: War) -> list[int]:
    """How many cards of each rank the match is played with."""
    counts = [0] * RANKS
    if war.rules.leftover == "first-pot":
        for rank in range(war.rules.low_rank - Rank.TWO, RANKS):
            counts[rank] = 4
    else:
        for card in (card for pile in war.dealt for card in pile):
            counts[card.rank - Rank.TWO] += 1
    return counts


def true_chances(state: State, playouts: int, chance: FastChance) -> list[float]:
    """The share won by each seat still in; a draw is shared."""
    wins = [0.0] * len(state.alive)
    piles = [list(pile) for pile in state.piles]
    for _ in range(playouts):
        for pile in piles:
            chance.shuffle(pile)
        tops = [[face] for face in state.faces] or [[] for _ in piles]
        dealt = [top + pile for top, pile in zip(tops, piles, strict=True)]
        places = play_ranks(state.war.rules, dealt, chance, state.under).placings
        first = [seat for seat, place in enumerate(places) if place == 1]
        for seat in first:
            wins[seat] += 1 / len(first)
    return [won / playouts for won in wins]


def held(state: State) -> list[list[float]]:
    """For each seat still in, how many cards of each rank it holds, with its share of what lies on the table."""
    rows = [[float(pile.count(rank)) for rank in range(RANKS)] for pile in state.piles]
    sharers = [place for place, seat in enumerate(state.alive) if seat in state.war.tied and state.piles[place]]
    sharers = sharers or list(range(len(rows)))
    for rank in (*state.faces, *state.under):
        for place in sharers:
            rows[place][rank] += 1 / len(sharers)
    return rows


# -- least squares -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Sums:
    """The normal equations of least squares, which add up over states."""

    squares: list[list[float]] = field(default_factory=lambda: [[0.0] * RANKS for _ in range(RANKS)])
    targets: list[float] = field(default_factory=lambda: [0.0] * RANKS)

    def add(self, row: Sequence[float], target: float) -> None:
        """One seat of one state: the cards of each rank that it holds, and its chance."""
        for number, squares in zip(row, self.squares, strict=True):
            if number:
                for rank, other in enumerate(row):
                    squares[rank] += number * other
        for rank, number in enumerate(row):
            self.targets[rank] += number * target

    def __iadd__(self, other: Sums) -> Sums:
        for mine, theirs in zip(self.squares, other.squares, strict=True):
            mine[:] = map(float.__add__, mine, theirs)
        self.targets[:] = map(float.__add__, self.targets, other.targets)
        return self


def solved(sums: Sums, low: int) -> list[float]:
    """Points for the ranks from `low` up, by Gauss and Jordan with the largest pivot; scaled so that all cards of the
    deck (four of each) make 100."""
    rows = [[*sums.squares[rank][low:], sums.targets[rank]] for rank in range(low, RANKS)]
    for column in range(len(rows)):
        best = max(range(column, len(rows)), key=lambda line: abs(rows[line][column]))
        rows[column], rows[best] = rows[best], rows[column]
        pivot = rows[column]
        for row in rows:
            if row is not pivot and row[column]:
                factor = row[column] / pivot[column]
                row[:] = [value - factor * other for value, other in zip(row, pivot, strict=True)]
    weights = [row[-1] / row[line] for line, row in enumerate(rows)]
    return [weight * 25 / sum(weights) for weight in weights]


def sums_of(rules: Rules, seats: int, playouts: int, numbers: range) -> Sums:
    """What one process adds up."""
    sums = Sums()
    chance = FastChance(numbers.start)
    for number in numbers:
        state = state_of(rules, seats, number, all_in=True)
        for row, target in zip(held(state), true_chances(state, playouts, chance), strict=True):
            sums.add(row, target)
    return sums


def derive(pool: ProcessPoolExecutor, rules: Rules, seats: int, states: int, playouts: int) -> list[float]:
    """Points per rank, lowest first, from so many states in which all `seats` are still in."""
    total = Sums()
    for sums in pool.map(partial(sums_of, rules, seats, playouts), chunks(0, states)):
        total += sums
    return solved(total, rules.low_rank - Rank.TWO)


# -- check ---------------------------------------------------------------------------------------------------


class Errors(NamedTuple):
    """Errors of the chances, one for each seat still in of each state."""

    values: tuple[float, ...]
    noise: tuple[float, ...]
    """Variance that the playouts themselves have, for each of the values."""

    @property
    def rmse(self) -> float:
        """Root mean square."""
        return sqrt(sum(error * error for error in self.values) / len(self.values))

    @property
    def noise_rms(self) -> float:
        """What the RMSE would be if the chances were true."""
        return sqrt(sum(self.noise) / len(self.noise))

    @property
    def worst(self) -> float:
        """The largest error."""
        return max(map(abs, self.values))


def errors_of(rules: Rules, seats: int, playouts: int, numbers: range, at_war: bool = False) -> Errors:
    """What one process compares."""
    values: list[float] = []
    noise: list[float] = []
    chance = FastChance(numbers.start)
    for number in numbers:
        state = state_of(rules, seats, number, at_war=at_war)
        said = war_chances(state.war)
        for seat, true in zip(state.alive, true_chances(state, playouts, chance), strict=True):
            values.append(said[seat] - true)
            noise.append(true * (1 - true) / playouts)
    return Errors(tuple(values), tuple(noise))


def check(
    pool: ProcessPoolExecutor, rules: Rules, seats: int, states: int, playouts: int, at_war: bool = False
) -> Errors:
    """The errors over so many states, none of which the points were derived from."""
    numbers = chunks(10_000_000, states)
    parts = list(pool.map(partial(errors_of, rules, seats, playouts, at_war=at_war), numbers))
    return Errors(
        tuple(value for part in parts for value in part.values), tuple(value for part in parts for value in part.noise)
    )


def chunks(start: int, size: int) -> list[range]:
    """Work for one process at a time."""
    return [range(first, min(first + CHUNK, start + size)) for first in range(start, start + size, CHUNK)]


# -- the command line ----------------------------------------------------------------------------------------


def main() -> int:
    """The exit code is 1 when a chance is less true than promised."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.odds", description=__doc__)
    parser.add_argument("what", nargs="?", choices=["check", "derive"], default="check")
    parser.add_argument("--rules", nargs="+", choices=list(PRESETS), default=["classic"])
    parser.add_argument("--seats", nargs="+", type=int, choices=range(2, 7))
    parser.add_argument("--states", type=int, help="for each preset and number of seats")
    parser.add_argument("--playouts", type=int, help="for each state")
    parser.add_argument("--at-war", action="store_true", help="check states at a war only, where a board mostly stands")
    chosen = parser.parse_args()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        if chosen.what == "derive":
            states, playouts = chosen.states or 3000, chosen.playouts or 24
            say(f"{states:,} states each, {playouts} playouts a state; points from the lowest rank up")
            for name, seats in product(chosen.rules, chosen.seats or range(2, 7)):
                points = derive(pool, PRESETS[name], seats, states, playouts)
                say(f"{name:10} {seats} seats in: {', '.join(f'{point:.2f}' for point in points)}")
            return 0
        states, playouts = chosen.states or 30, chosen.playouts or 4000
        worst = 0
        say(f"{states} states each, {playouts:,} playouts a state")
        say(f"{'rules':10} seats   RMSE  of it noise  worst  wanted")
        for name, seats in product(chosen.rules, chosen.seats or (2, 3, 4, 6)):
            errors = check(pool, PRESETS[name], seats, states, playouts, chosen.at_war)
            line = f"{name:10} {seats:5} {errors.rmse:6.4f}       {errors.noise_rms:6.4f} {errors.worst:6.3f}"
            if name == "classic" and not chosen.at_war:
                limit = LIMITS.get(seats, LIMIT_FOR_MORE)
                worst |= errors.rmse > limit
                line += f"  at most {limit}"
            say(line)
        return worst


def say(line: str) -> None:
    """At once: a line takes a while."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
