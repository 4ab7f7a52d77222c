"""Bursts of clicks: 500 and 1,000 at once with every answer delayed by 100 ms, and 50 a second for a minute.

`python -m benchmarks.burst [SECONDS]`; SECONDS is for how long 50 clicks a second come. All clicks are real presses on
boards with pictures, two players each, in channels of their own. The time of an answer is the playground's: from the
click to the answer, the delay of the network included. Needs a machine that does nothing else.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks._crowd import Crowd, Table, any_button, button, crowd
from playground.interactions import Interaction
from playground.world import shown_by

DELAY = 0.1
"""Seconds that every request of the bot takes on its way."""
LATEST = 3000.0
"""Milliseconds within which Discord takes an answer."""
RATE = 50
"""Clicks a second of the steady load."""
P99 = 150.0
"""Milliseconds."""


@dataclass(frozen=True, slots=True)
class Burst:
    """What came of clicks: times of the answers in ms, sorted; clicks never answered; presses that are not stored; and
    seconds until all boards showed what is stored, pictures and all (None: not measured)."""

    answers: tuple[float, ...]
    unanswered: int
    lost: int
    painted: float | None

    def at(self, share: float) -> float:
        """That quantile of the answers' times."""
        if not self.answers:
            return float("inf")
        return self.answers[min(len(self.answers) - 1, int(len(self.answers) * share))]


def moved(people: Crowd, tables: list[Table]) -> list[Table]:
    """The tables whose board shows another turn than before, with its picture, or the result."""

    def shown(table: Table) -> bool:
        board = people.board(table)
        return button(board, "war:") != table.flip and any(shown_by(board["components"]))

    return [table for table in tables if shown(table)]


def laid_again(people: Crowd, tables: list[Table]) -> list[Table]:
    """The tables whose match is still on, with the button that their board shows now."""
    on = [table for table in tables if any_button(people.board(table), "war:flip")]
    return [replace(table, flip=button(people.board(table), "war:flip")) for table in on]


async def burst(people: Crowd, tables: list[Table], delay: float = DELAY) -> Burst:
    """Both players of every table press at once."""
    fault = people.playground.faults.add("delay", seconds=delay, times=None) if delay else None
    began = time.monotonic()
    clicks = [people.click(user, table.message, table.flip) for table in tables for user in table.users]
    await people.answered(clicks)
    try:
        await people.until(lambda: len(moved(people, tables)) == len(tables))
        painted = time.monotonic() - began
    except TimeoutError:
        painted = None
    if fault:
        people.playground.faults.remove(fault["id"])
    return Burst(
        answers=tuple(sorted(click.ack_ms for click in clicks if click.ack_ms is not None)),
        unanswered=sum(not click.acked for click in clicks),
        lost=len(tables) - len(moved(people, tables)),
        painted=painted,
    )


async def steady(people: Crowd, tables: list[Table], seconds: float) -> Burst:
    """`RATE` clicks a second, at even distances: the players of one table after the other, again and again. A table
    whose match is over is replaced by a new one when its turn comes."""
    clicks: list[Interaction] = []
    playing = list(tables)
    began = time.monotonic()
    for number in range(int(RATE * seconds)):
        place = number // 2 % len(playing)
        table = playing[place]
        if number % 2 == 0:
            # When a match is over, the clicks rest while another one is laid in its place.
            [table] = laid_again(people, [table]) or await people.lay(1)
            playing[place] = table
        clicks.append(people.click(table.users[number % 2], table.message, table.flip))
        await asyncio.sleep(max(0.0, began + (number + 1) / RATE - time.monotonic()))
    await people.answered(clicks)
    return Burst(
        answers=tuple(sorted(click.ack_ms for click in clicks if click.ack_ms is not None)),
        unanswered=sum(not click.acked for click in clicks),
        lost=0,
        painted=None,
    )


def told(what: str, result: Burst, limit: float, share: float) -> bool:
    """Write one line, and whether the figure is reached."""
    painted = "" if result.painted is None else f", all boards painted after {result.painted:.1f} s"
    sys.stdout.write(
        f"{what}: answered within {result.at(share):.0f} ms (at most {limit:.0f}), half within {result.at(0.5):.0f} ms,"
        f" {result.unanswered} not answered, {result.lost} lost{painted}\n"
    )
    sys.stdout.flush()
    return result.at(share) <= limit and not result.unanswered and not result.lost


async def main(seconds: float) -> int:
    reached = []
    for clicks in (500, 1000):
        with tempfile.TemporaryDirectory() as folder:
            async with crowd(Path(folder)) as people:
                result = await burst(people, await people.lay(clicks // 2))
        reached.append(told(f"{clicks:,} clicks at once", result, LATEST, 1.0))
    with tempfile.TemporaryDirectory() as folder:
        async with crowd(Path(folder)) as people:
            result = await steady(people, await people.lay(100), seconds)
    reached.append(told(f"{RATE} clicks a second for {seconds:.0f} s, 99 of 100", result, P99, 0.99))
    return int(not all(reached))


if __name__ == "__main__":
    sys.exit(asyncio.run(main(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0)))
