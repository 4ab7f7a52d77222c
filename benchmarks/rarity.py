"""How rare a sight is: the tables of engine/headlines.py, measured by playing matches.

Those tables come from 60,000 matches for two seats and 20,000 for each other number (a quarter of an hour in all).
Without arguments it plays fewer and says whether the tables stand: a share must lie within four standard errors of
the one that was kept.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, fields
from functools import partial
from math import ceil, sqrt
from time import process_time

from engine.headlines import BOUNDS, ONE_IN, RARE, Bounds, Kind, sights
from engine.rules import MAX_SEATS, MIN_SEATS, Rules
from engine.shuffle import FastChance, dealt
from engine.story import Story, story_of
from engine.war import War

CHUNK = 250
LEAST_SEEN = 20
"""A rarity is kept only of what was seen so often: its standard error is then under a quarter of it."""

BOUND_NAMES = [bound.name for bound in fields(Bounds)]


@dataclass(slots=True)
class Seen:
    """What was counted over matches of one number of seats.

    `kinds` counts matches in which a kind of headline could be told; each of `lengths` has, by the name of its bound,
    how many matches had which length.
    """

    matches: int = 0
    kinds: Counter[Kind] = field(default_factory=Counter[Kind])
    lengths: dict[str, Counter[int]] = field(default_factory=lambda: {name: Counter() for name in BOUND_NAMES})
    telling: float = 0.0
    """Seconds of CPU for the stories."""
    battles: int = 0

    def __iadd__(self, other: Seen) -> Seen:
        self.matches += other.matches
        self.kinds += other.kinds
        for name, lengths in other.lengths.items():
            self.lengths[name] += lengths
        self.telling += other.telling
        self.battles += other.battles
        return self

    def quantile(self, bound: str, share: float) -> int:
        """The least length within which that share of all matches falls."""
        wanted = ceil(share * self.matches)
        seen = 0
        for length, number in sorted(self.lengths[bound].items()):
            seen += number
            if seen >= wanted:
                return length
        raise ValueError(f"There is no quantile {share} of {self.matches} matches.")

    def bounds(self) -> str:
        """What about one match in twenty reaches."""
        shares = {name: 0.05 if name == "sprint" else 0.95 for name in BOUND_NAMES}
        return ", ".join(f"{name}={self.quantile(name, share)}" for name, share in shares.items())


def watch(seats: int, seed: int, matches: int) -> Seen:
    """Play so many classic matches and look at each."""
    rules = Rules()
    chance = FastChance(seed)
    seen = Seen(matches)
    for _ in range(matches):
        piles, leftover = dealt(rules, seats, chance)
        war = War(rules, piles, leftover, chance)
        battles = list(war.play())
        assert war.outcome is not None
        began = process_time()
        story = story_of(battles, war.dealt, war.outcome)
        seen.telling += process_time() - began
        seen.battles += len(battles)
        seen.kinds.update(sight.kind for sight in sights(story, war.outcome, BOUNDS[seats]))
        for name, length in lengths_of(story, war.outcome.rounds).items():
            seen.lengths[name][length] += 1
    return seen


def lengths_of(story: Story, rounds: int) -> dict[str, int]:
    """What the bounds are held against."""
    return {
        "marathon": rounds,
        "sprint": rounds,
        "seesaw": story.lead_changes,
        "streak": story.streak.rounds if story.streak else 0,
        "last_stand": story.last_stand.rounds if story.last_stand else 0,
    }


def watch_all(pool: ProcessPoolExecutor, seats: int, matches: int) -> Seen:
    """The same on every core; the same matches every time."""
    total = Seen()
    sizes = [min(CHUNK, matches - start) for start in range(0, matches, CHUNK)]
    seeds = range(seats, seats + 10 * len(sizes), 10)
    for seen in pool.map(partial(watch, seats), seeds, sizes):
        total += seen
    return total


def rounded(one_in: float) -> int:
    """Two digits that mean something, as people say it.

    >>> rounded(67.6), rounded(267.4)
    (68, 270)
    """
    step = 10 ** max(0, len(str(int(one_in))) - 2)
    return round(one_in / step) * step


def table(seen: Seen) -> str:
    """The line for `ONE_IN`."""
    rarities = {kind: seen.matches / seen.kinds[kind] for kind in Kind if seen.kinds[kind] >= LEAST_SEEN}
    return ", ".join(f"Kind.{kind.name}: {rounded(one_in)}" for kind, one_in in rarities.items() if one_in >= RARE)


def distances(seats: int, seen: Seen) -> dict[Kind, float]:
    """For each rarity that is kept: how many standard errors the share measured now lies away from it."""
    away: dict[Kind, float] = {}
    for kind, one_in in ONE_IN[seats].items():
        share = 1 / one_in
        error = sqrt(share * (1 - share) / seen.matches)
        away[kind] = (seen.kinds[kind] / seen.matches - share) / error
    return away


def report(seats: int, seen: Seen) -> list[str]:
    """For a person: each kind of headline, beside what is kept."""
    away = distances(seats, seen)
    microseconds = seen.telling / seen.matches * 1e6
    lines = [
        f"{seats} seats: {seen.matches:,} matches, {seen.battles / seen.matches:.0f} battles each; "
        f"a story takes {microseconds:.0f} µs",
        f"    one in twenty: {seen.bounds()}",
    ]
    for kind, number in seen.kinds.most_common():
        kept = f"kept 1 in {ONE_IN[seats][kind]}, {away[kind]:+.1f} standard errors" if kind in away else ""
        lines.append(f"    {kind:14} 1 in {seen.matches / number:8.1f}  ({number} seen)  {kept}".rstrip())
    lines.append(f"    {{{table(seen)}}}")
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code is 1 when a rarity that is kept does not stand."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rarity", description=__doc__)
    parser.add_argument("--matches", type=int, default=2000, help="for each number of seats")
    parser.add_argument("--seats", nargs="+", type=int, default=list(range(MIN_SEATS, MAX_SEATS + 1)))
    chosen = parser.parse_args(arguments)
    worst = 0
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for seats in chosen.seats:
            seen = watch_all(pool, seats, chosen.matches)
            sys.stdout.write("\n".join(report(seats, seen)) + "\n")
            sys.stdout.flush()
            worst |= any(abs(distance) > 4 for distance in distances(seats, seen).values())
    return worst


if __name__ == "__main__":
    sys.exit(main())
