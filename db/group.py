"""Statements of many tasks, written to the disk together.

A commit costs a wait for the disk, and handing a statement to the writer's thread costs two turns of the event loop. In
a burst of clicks both would be paid once for each. So what waits while the writer is busy becomes one transaction: each
task has its answer only when that is on the disk.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

from db.link import Argument, Link, Row, outlast

_log = logging.getLogger(__name__)

MOST = 256
"""Statements in one transaction: the first of a long queue should not wait for the last."""


@dataclass(slots=True)
class _Waiting:
    sql: str
    args: Sequence[Argument]
    answer: asyncio.Future[list[Row]]
    begun: bool = field(default=False)
    settled: bool = field(default=False)

    def settle(self, outcome: list[Row] | Exception) -> None:
        """Give the answer to whoever waits for it; to nobody, when the task was cancelled in this very moment."""
        self.settled = True
        if isinstance(outcome, Exception):
            if self.answer.done():
                _log.warning("the statement of a cancelled task failed: %s", outcome)
            else:
                self.answer.set_exception(outcome)
        elif not self.answer.done():
            self.answer.set_result(outcome)


class Group:
    """The queue before the writer. `hold` gives the writer, alone and in turn with the transactions."""

    def __init__(self, hold: Callable[[], AbstractAsyncContextManager[Link]]) -> None:
        self._hold = hold
        self._queue: list[_Waiting] = []
        self._writing: asyncio.Task[None] | None = None

    async def run(self, sql: str, args: Sequence[Argument]) -> list[Row]:
        """Run one statement as part of the next group; once it returns, the change is on the disk.

        Cancelled while it waits, it has changed nothing; cancelled later, it is run to its end first. Raises as
        `Database.execute`; what goes wrong with one statement undoes no other.
        """
        waiting = _Waiting(sql, args, asyncio.get_running_loop().create_future())
        self._queue.append(waiting)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        try:
            # Not shielded, which would cost every statement another turn of the event loop.
            return await waiting.answer
        except asyncio.CancelledError:
            if waiting.begun:
                if waiting.answer.cancelled() and not waiting.settled:
                    waiting.answer = asyncio.get_running_loop().create_future()
                await outlast(waiting.answer)
            raise

    async def _write(self) -> None:
        while self._queue:
            try:
                async with self._hold() as writer:
                    await self._write_some(writer)
            except Exception as error:  # noqa: BLE001 -- it belongs to those who wait, and is raised there
                _fail(self._take(), error)

    async def _write_some(self, writer: Link) -> None:
        group = self._take()
        try:
            answers = await writer.run_together([(each.sql, each.args) for each in group])
        except Exception as error:  # noqa: BLE001 -- as above
            _fail(group, error)
            return
        for waiting, answer in zip(group, answers, strict=True):
            waiting.settle(answer)

    def _take(self) -> list[_Waiting]:
        """The next statements whose tasks still want them."""
        taken, self._queue = self._queue[:MOST], self._queue[MOST:]
        group = [each for each in taken if not each.answer.done()]
        for each in group:
            each.begun = True
        return group


def _fail(group: list[_Waiting], error: Exception) -> None:
    for waiting in group:
        waiting.settle(error)
