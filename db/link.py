"""One connection on its own thread: statements in the shared dialect go in, rows or our errors come out."""

from __future__ import annotations

import asyncio
import logging
import re
import sqlite3
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol, TypeVar

import aiosqlite

from db.errors import ArgumentInvalid, DatabaseClosed, DatabaseReadOnly, StatementError
from db.sqlite import open_connection
from db.system import sqlite_errors

_log = logging.getLogger(__name__)
_PLACEHOLDER = re.compile(r"\$([0-9]+)")

T = TypeVar("T")

Argument = int | str | bytes | float | None
"""What a placeholder takes. Times are integer milliseconds, truth values the integers 0 and 1."""


class Row(Protocol):
    """One row of a result: by position, by name, or ``dict(row)``."""

    def __getitem__(self, key: int | str, /) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...
    def keys(self) -> Iterable[str]: ...


async def finish(work: Coroutine[Any, Any, T]) -> T:
    """Run ``work`` to its end even if the caller is cancelled meanwhile; then the cancellation is raised.

    Without this, a cancelled task would leave while its statement still runs, and its end would go unseen.
    """
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await outlast(task)
        raise


async def outlast(work: asyncio.Future[Any]) -> None:
    """In a task that was cancelled: wait for the end of what it has begun. A failure can only be logged any more."""
    while not work.done():
        try:
            await asyncio.wait((work,))
        except asyncio.CancelledError:
            continue  # cancelled once more: the caller raises the first one
    error = None if work.cancelled() else work.exception()
    if error is not None:
        _log.warning("the statement of a cancelled task failed: %s", error)


class _Connection(aiosqlite.Connection):
    """aiosqlite's thread, for more than one statement at a time."""

    async def in_thread(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await self._execute(work, self._conn)  # pyright: ignore[reportUnknownMemberType] - untyped there


class Link:
    """A connection to the file ``path``. Statements run one after the other, first come, first served."""

    def __init__(self, path: Path, *, may_write: bool) -> None:
        self._path = path
        self._may_write = may_write
        self._connection = _Connection(lambda: open_connection(path, may_write=may_write), 64)
        self._open = False

    async def open(self) -> None:
        """Start the thread and open the file. Call `close` in the end, whether this succeeds or not."""
        with sqlite_errors(self._path):
            await self._connection
        self._open = True

    async def close(self) -> None:
        """Close the file and end the thread; what was asked for before is done first."""
        self._open = False
        with sqlite_errors(self._path):
            await self._connection.close()

    async def run(self, sql: str, args: Sequence[Argument]) -> list[Row]:
        """Run one statement to its last row.

        Raises:
            StatementError or one of its kinds; DatabaseClosed; DatabaseLocked, DiskFull, DatabaseCorrupt,
            DatabaseReadOnly, DatabaseUnavailable
        """
        if not self._open:
            raise DatabaseClosed(self._path)
        values = _bound(sql, args)
        try:
            with sqlite_errors(self._path, sql):
                rows = await self._connection.execute_fetchall(sql, values)
        except DatabaseReadOnly as error:
            if self._may_write:
                raise
            raise StatementError(sql, "it writes, and fetch only reads: use execute") from error
        return list(rows)

    async def run_together(self, statements: Sequence[tuple[str, Sequence[Argument]]]) -> list[list[Row] | Exception]:
        """Run statements of different tasks in one transaction. For each its rows, or what went wrong with it; where
        one fails, all are run again one by one, so it spoils nothing for the others.

        Raises:
            DatabaseClosed; DatabaseLocked and the like, when no transaction could be begun: nothing was changed.
        """
        if not self._open:
            raise DatabaseClosed(self._path)
        return await self._connection.in_thread(lambda connection: _together(connection, self._path, statements))

    async def roll_back(self) -> None:
        """End an open transaction without its changes.

        Where none is open, nothing happens: SQLite ends it by itself after a full disk, for instance.
        """
        if self._open:
            with sqlite_errors(self._path, "ROLLBACK"):
                await self._connection.rollback()


def _together(
    connection: sqlite3.Connection, path: Path, statements: Sequence[tuple[str, Sequence[Argument]]]
) -> list[list[Row] | Exception]:
    """In the thread of the connection."""
    if len(statements) < 2:
        return [_outcome(connection, path, *each) for each in statements]
    with sqlite_errors(path, "BEGIN IMMEDIATE"):
        connection.execute("BEGIN IMMEDIATE")
    answers: list[list[Row] | Exception] = []
    for each in statements:
        answers.append(_outcome(connection, path, *each))
        if isinstance(answers[-1], Exception):
            break
    else:
        if isinstance(committed := _outcome(connection, path, "COMMIT", ()), list):
            return answers
        _log.warning("a group of %d statements was not committed: %s", len(statements), committed)
    if connection.in_transaction:  # SQLite ends it by itself after a full disk, for instance
        connection.execute("ROLLBACK")
    return [_outcome(connection, path, *each) for each in statements]


def _outcome(connection: sqlite3.Connection, path: Path, sql: str, args: Sequence[Argument]) -> list[Row] | Exception:
    try:
        values = _bound(sql, args)
        with sqlite_errors(path, sql):
            return list(connection.execute(sql, values).fetchall())
    except Exception as error:  # noqa: BLE001 -- it belongs to the task of that statement, and is raised there
        return error


def _bound(sql: str, args: Sequence[Argument]) -> dict[str, Argument]:
    """Arguments by the names of their placeholders. Raises `ArgumentInvalid`."""
    names = _names(sql)
    if len(names) != len(args):
        raise ArgumentInvalid(sql, f"{len(names)} placeholders, but {len(args)} arguments")
    return dict(zip(names, args, strict=True))


@lru_cache(maxsize=1024)
def _names(sql: str) -> tuple[str, ...]:
    """The names that ``$1``, ``$2``, ... are bound to: all up to the highest, PostgreSQL wants no gap."""
    numbers = {int(number) for number in _PLACEHOLDER.findall(sql)}
    if numbers != set(range(1, len(numbers) + 1)):
        raise ArgumentInvalid(sql, "the placeholders do not count up from $1 without a gap")
    return tuple(str(number) for number in sorted(numbers))
