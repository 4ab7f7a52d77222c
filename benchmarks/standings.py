"""The leaderboard of a large installation: 1,000,000 players in all, 100,000 of them in the largest server.

`python -m benchmarks.standings [PLAYERS]`. Times are those of all statements of one page with the asker's own row.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from db import standings
from db.database import connect

LIMIT = 5.0
"""Milliseconds."""
LARGEST = 1
ROUNDS = 21


def records(players: int) -> Iterator[tuple[int, int, int, int, int]]:
    """(server, person, wins, losses, played): most have played little, a few very much."""
    chance = random.Random(52)
    for person in range(1, players + 1):
        server = LARGEST if person <= players // 10 else 2 + person % 500
        played = min(int(chance.paretovariate(0.8)), 3000)
        wins = sum(chance.random() < 0.5 for _ in range(played)) if played < 40 else chance.randint(0, played)
        yield server, person, wins, played - wins, played


def fill(path: Path, players: int) -> None:
    """People and standings, past the host: a million matches are not played for this."""
    with sqlite3.connect(path) as database:
        named = ((person, 10**17 + person, f"Player {person}") for person in range(1, players + 1))
        database.executemany("INSERT INTO people (id, user_id, name) VALUES (?, ?, ?)", named)
        database.executemany(
            "INSERT INTO standings (guild_id, kind, person_id, wins, losses, played) VALUES (?, 'match', ?, ?, ?, ?)",
            records(players),
        )
    database.close()


async def main(players: int) -> int:
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/warbot.db"
        async with connect(url):
            pass
        fill(Path(folder) / "warbot.db", players)
        async with connect(url) as database:
            last = (await standings.page(database, LARGEST, "match", 10**9, 0)).number
            for what, number, asker in [
                ("the first page, asked by somebody in the middle", 0, players // 20),
                ("a page in the middle", last // 2, players // 20 + 7),
                ("the last page, asked by one of the last", last, players // 10),
            ]:
                times: list[float] = []
                for _ in range(ROUNDS):
                    began = time.perf_counter()
                    page = await standings.page(database, LARGEST, "match", number, 10**17 + asker)
                    times.append((time.perf_counter() - began) * 1000)
                    assert page.own is not None
                    assert len(page.rows) == standings.PAGE
                worst = max(worst, statistics.median(times))
                sys.stdout.write(
                    f"{what}: {statistics.median(times):.2f} ms (at most {LIMIT:g}; first {times[0]:.2f})\n"
                )
    return int(worst >= LIMIT)


if __name__ == "__main__":
    sys.exit(asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)))
