"""Simulations shared out over processes; the result does not depend on how many."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from functools import partial
from random import Random

from engine.rules import Rules
from engine.simulate import Tally, simulate

MOST_GAMES = 10_000_000
"""Some three hours on one core."""

BATCH = 250
"""Matches that are counted with one seed."""


def run(rules: Rules, seats: int, games: int, seed: int, *, jobs: int = 1, progress: Callable[[int], None]) -> Tally:
    """Play `games` matches in batches, each with a seed that follows from `seed`, in `jobs` processes. `progress` is
    told how many matches are done.

    Raises RulesError as `simulate` does.
    """
    source = Random(seed)
    sizes = [BATCH] * (games // BATCH) + ([games % BATCH] if games % BATCH else [])
    batches = [(size, source.getrandbits(64)) for size in sizes]
    tally = Tally(seats)
    work = partial(_batch, rules, seats)
    if jobs == 1:
        for done in map(work, batches):
            tally += done
            progress(tally.games)
        return tally
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        for done in pool.imap(work, batches):
            tally += done
            progress(tally.games)
    return tally


def _batch(rules: Rules, seats: int, batch: tuple[int, int]) -> Tally:
    games, seed = batch
    return simulate(rules, seats, games, seed)
