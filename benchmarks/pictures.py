"""The pictures' figures: `python -m benchmarks.pictures [--runs N]`.

Times are medians of processor time over many tables and matches, drawing and encoding together: what other processes
do meanwhile does not count, what the machine's cores share does.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import process_time

from bot.pictures.animated import animated
from bot.pictures.chart import chart
from bot.pictures.flair import default_flairs
from bot.pictures.sprites import Sprites
from bot.pictures.table import table
from bot.pictures.view import TableView, table_view
from engine.facts import Battle, Outcome
from engine.rules import Rules
from engine.war import War

TABLE_WANTED, ANIMATED_WANTED = 5.0, 150.0
"""Milliseconds."""
TABLE_BYTES, CHART_BYTES, ANIMATED_BYTES = 40_000, 40_000, 1_000_000


@dataclass(frozen=True, slots=True)
class Figure:
    """Milliseconds (median) and bytes (largest) of one kind of picture; `wanted` is None where no time is asked for."""

    milliseconds: float
    wanted: float | None
    size: int
    size_wanted: int

    @property
    def met(self) -> bool:
        """Whether both stay under what is wanted."""
        fast = self.wanted is None or self.milliseconds < self.wanted
        return fast and self.size < self.size_wanted


def main() -> None:
    """Measure and print; `--json` prints one object instead of the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pictures", description=__doc__)
    parser.add_argument("--runs", type=int, default=12, help="matches of each kind")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    started = process_time()
    sprites = Sprites.make()
    making = 1e3 * (process_time() - started)
    figures = measure(sprites, max(1, arguments.runs))
    if arguments.json:
        flat = {name: {"ms": figure.milliseconds, "bytes": figure.size} for name, figure in figures.items()}
        print(json.dumps(flat | {"sprites": {"ms": round(making, 1), "bytes": sprites.memory}}))  # noqa: T201
        return
    for name, figure in figures.items():
        wanted = "" if figure.wanted is None else f" (under {figure.wanted:g})"
        size = f"{figure.size:,} bytes at most (under {figure.size_wanted:,})"
        print(f"{name:<24}{figure.milliseconds:8.2f} ms{wanted:<12} {size} {'' if figure.met else 'MISSED'}")  # noqa: T201
    print(f"{'the sprites, once':<24}{making:8.0f} ms{'':<12} {sprites.memory:,} bytes of pixels kept")  # noqa: T201


def measure(sprites: Sprites, runs: int) -> dict[str, Figure]:
    """Each kind of picture, by its name."""
    figures: dict[str, Figure] = {}
    for seats in (2, 6):
        matches = [_played(seats, number) for number in range(runs)]
        views = [view for battles, outcome in matches for view in _views(seats, battles, outcome)]
        tables = [_drawer(view, sprites) for view in views]
        figures[f"table, {seats} seats"] = _figure(tables, TABLE_WANTED, TABLE_BYTES)
        wars = [_drawer(view, sprites) for view in views if view.at_war]
        figures[f"at war, {seats} seats"] = _figure(wars, TABLE_WANTED, TABLE_BYTES)
        charts = [_charter(battles, sprites) for battles, _ in matches]
        figures[f"chart, {seats} seats"] = _figure(charts, None, CHART_BYTES)
        reels = [_animator(seats, battles, outcome, sprites) for battles, outcome in matches]
        figures[f"animated, {seats} seats"] = _figure(reels, ANIMATED_WANTED, ANIMATED_BYTES)
    return figures


def _played(seats: int, number: int) -> tuple[tuple[Battle, ...], Outcome]:
    seed = hashlib.sha256(f"benchmark {number}".encode()).digest()
    war = War.deal(Rules(), seats, seed, "benchmark")
    battles = tuple(war.play())
    assert war.outcome is not None, "played to the end"
    return battles, war.outcome


def _views(seats: int, battles: tuple[Battle, ...], outcome: Outcome) -> list[TableView]:
    """Some tables of a match: those of its wars, and each tenth of the others."""
    views: list[TableView] = []
    for index, battle in enumerate(battles):
        if not battle.tied and index % 10:
            continue
        over = outcome if index == len(battles) - 1 else None
        told = battles[max(0, index - 8) : index + 1]
        views.append(table_view(counts=battle.counts, pot=battle.pot, tied=battle.tied, told=told, outcome=over))
    assert all(len(view.seats) == seats for view in views)
    return views


def _drawer(view: TableView, sprites: Sprites) -> Callable[[], bytes]:
    return lambda: table(view, sprites)


def _charter(battles: tuple[Battle, ...], sprites: Sprites) -> Callable[[], bytes]:
    return lambda: chart(battles, sprites)


def _animator(seats: int, battles: tuple[Battle, ...], outcome: Outcome, sprites: Sprites) -> Callable[[], bytes]:
    return lambda: animated(battles, default_flairs(seats), outcome, sprites)


def _figure(pictures: list[Callable[[], bytes]], wanted: float | None, size_wanted: int) -> Figure:
    times: list[float] = []
    sizes: list[int] = []
    for draw in pictures:
        started = process_time()
        data = draw()
        times.append(1e3 * (process_time() - started))
        sizes.append(len(data))
    return Figure(round(median(times), 2), wanted, max(sizes), size_wanted)


if __name__ == "__main__":
    main()
