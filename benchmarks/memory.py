"""What 10,000 live matches cost a bot that starts: memory and the time until it is ready, beside those of an empty one.

`python -m benchmarks.memory [MATCHES]`. Resident memory is the kernel's figure (Linux), a few seconds after READY. The
matches are stored past the bot and nobody has pressed for a while, so they only lie there: what presses cost is what
`benchmarks.burst` measures. Both bots know their channels.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import sqlite3
import sys
import tempfile
import time
from pathlib import Path

from benchmarks._crowd import crowd
from engine.rules import Rules
from playground import Playground

MORE_MEMORY = 60.0
"""MiB above an idle bot."""
LATER = 2.0
"""Seconds after an empty bot."""
SETTLE = 3.0
"""Seconds after READY at which memory is looked at."""


def resident(pid: int) -> float:
    """MiB of a process."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"the kernel does not say how much memory process {pid} has")


async def start(playground: Playground) -> tuple[float, float]:
    """Start the bot: (seconds until it says that it is ready, MiB some time later)."""
    bot = playground.bot
    assert bot is not None
    bot.tail.clear()
    began = time.perf_counter()
    pid = await bot.start()
    while not any(line.startswith("Ready in") for line in bot.tail):  # noqa: ASYNC110 - another process says it
        await asyncio.sleep(0.01)
    ready = time.perf_counter() - began
    await asyncio.sleep(SETTLE)
    return ready, resident(pid)


def store(database: Path, guild: int, channels: list[int]) -> None:
    """Put a live match between two people into each channel, some turns old."""
    matches = len(channels)
    now = time.time_ns() // 1_000_000
    rules = json.dumps(Rules().to_dict())
    people = range(1, 2 * matches + 1)
    live = (
        (
            match,
            guild,
            channels[match - 1],
            10**15 + match,
            rules,
            secrets.token_bytes(32),
            str(match),
            now - 60_000,
            now,
        )
        for match in range(1, matches + 1)
    )
    with sqlite3.connect(database) as db:
        named = [(person, 10**17 + person, f"Player {person}") for person in people]
        db.executemany("INSERT INTO people (id, user_id, name) VALUES (?, ?, ?)", named)
        db.executemany(
            "INSERT INTO matches (id, guild_id, channel_id, message_id, kind, status, rules, server_seed, committed,"
            " client_seed, steps, seats, turn, pressed, deadline_at, created_at, started_at)"
            " VALUES (?, ?, ?, ?, 'match', 'live', ?, ?, 1, ?, 40, 2, 3, 3, ?, ?9, ?9)",
            live,
        )
        seats = [(1 + (person - 1) // 2, person, guild, person % 2, 1 - person % 2) for person in people]
        db.executemany(
            "INSERT INTO match_seats (match_id, person_id, guild_id, joined, seat, playing) VALUES (?, ?, ?, ?, ?, 1)",
            seats,
        )
    db.close()


async def main(matches: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        async with crowd(Path(folder), TURN_SECONDS="3600") as people:
            playground = people.playground
            assert playground.bot is not None
            await playground.bot.stop()
            channels = [int(playground.world.add_channel(f"table-{number}").id) for number in range(matches)]
            await start(playground)  # the first start after an installation reads cold files
            await playground.bot.stop()
            empty_ready, empty_memory = await start(playground)
            await playground.bot.stop()
            store(Path(folder) / "warbot.db", int(playground.world.guild_id), channels)
            ready, memory = await start(playground)
            with sqlite3.connect(Path(folder) / "warbot.db") as db:
                [[live]] = db.execute("SELECT count(*) FROM matches WHERE status = 'live'")
            db.close()
            await playground.bot.stop()
    sys.stdout.write(
        f"{live:,} live matches: {memory - empty_memory:.1f} MiB above an idle bot with {empty_memory:.0f}"
        f" (at most {MORE_MEMORY:.0f}); ready after {ready:.1f} s, an empty one after {empty_ready:.1f} s"
        f" (at most {LATER:.0f} s more)\n"
    )
    return int(live < matches or memory - empty_memory > MORE_MEMORY or ready - empty_ready > LATER)


if __name__ == "__main__":
    sys.exit(asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)))
