"""The one way to the database: `connect`, and on what it gives `fetch`, `execute`, `transaction`.

Statements are written once, in the dialect that SQLite and PostgreSQL share, with ``$1`` placeholders. All
writes go through one connection behind a lock, so two tasks never meet inside a transaction; reads have a
connection of their own and see what is committed. A statement that has begun is run to its end even if its
task is cancelled.

    async with connect("sqlite:///warbot.db") as database:
        rows = await database.execute("UPDATE guilds SET locale = $2 WHERE id = $1 RETURNING id", guild, "en")
        async with database.transaction() as transaction:
            await transaction.execute("INSERT INTO ...", ...)
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

from db.backup import back_up
from db.errors import (
    DatabaseClosed,
    DatabaseLocked,
    SchemaOutdated,
    TransactionAborted,
    TransactionNested,
    TransactionOver,
)
from db.group import Group
from db.link import Argument, Link, Row, finish
from db.location import sqlite_path
from db.lockfile import hold_lock as hold_lock_file
from db.migrate import MIGRATIONS, read_migrations
from db.startup import Prepared, check_place, prepare
from db.system import BUSY_TIMEOUT

__all__ = ["Argument", "Database", "Row", "Statements", "Transaction", "connect"]

_log = logging.getLogger(__name__)

CLOSE_PATIENCE = 5.0
"""Seconds that closing waits for a transaction that is still open; then it is rolled back."""


@asynccontextmanager
async def connect(
    url: str,
    *,
    hold_lock: bool = True,
    migrate: bool = True,
    create: bool = True,
    migrations: Path = MIGRATIONS,
) -> AsyncGenerator[Database, None]:
    """Open the database that ``url`` names, checked and up to date, and close it in the end.

    Args:
        url: ``sqlite:///relative.db`` or ``sqlite:////absolute.db``.
        hold_lock: hold ``<database>.lock``, as a bot must. False opens a database that a bot may be using.
        migrate: bring an older schema up to date, after a backup; without the lock, an older schema is an
            error. False leaves the schema as it is (see `Database.require_current_schema`).
        create: create the database where there is none and was none; needs ``hold_lock``.
        migrations: the folder of numbered SQL files.

    Raises:
        StartupError: it can not be opened as it stands; each kind says what to do.
        SchemaError: its schema is newer, or could not be brought up to date.
        BackupError: no backup could be made, so nothing was migrated.
        ValueError: ``create`` without ``hold_lock``.
    """
    if create and not hold_lock:
        raise ValueError("only the holder of the lock may create a database: pass create=False too")
    path = sqlite_path(url)
    known = read_migrations(migrations)
    check_place(path)
    with ExitStack() as held:
        lock = held.enter_context(hold_lock_file(path)) if hold_lock else None
        now = time.time_ns() // 1_000_000
        prepared = await finish(asyncio.to_thread(prepare, path, known, lock, create=create, upgrade=migrate, now=now))
        database = Database(path, prepared, latest_version=len(known))
        try:
            await finish(database.open())
            yield database
        finally:
            await finish(database.close())


class Statements(Protocol):
    """What `Database` and `Transaction` share, for code that runs the same in either."""

    async def fetch(self, sql: str, *args: Argument) -> list[Row]: ...
    async def fetch_one(self, sql: str, *args: Argument) -> Row | None: ...
    async def execute(self, sql: str, *args: Argument) -> list[Row]: ...


class Database:
    """An open database; `connect` makes it.

    Attributes:
        path: the file.
        prepared: what start-up found and did (created, migrated, the backup made).
        latest_version: the newest schema that this program knows.
    """

    def __init__(self, path: Path, prepared: Prepared, latest_version: int) -> None:
        self.path = path
        self.prepared = prepared
        self.latest_version = latest_version
        self._writer = Link(path, may_write=True)
        self._reader = Link(path, may_write=False)
        self._writing = asyncio.Lock()
        self._group = Group(self._hold_writer)
        self._owner: asyncio.Task[Any] | None = None  # the task inside transaction()
        self._closed = False

    async def open(self) -> None:
        """Called by `connect`."""
        await self._writer.open()
        await self._reader.open()

    async def close(self) -> None:
        """Called by `connect`. The writer goes last: it takes the ``-wal`` file away with it."""
        self._closed = True
        try:
            async with asyncio.timeout(CLOSE_PATIENCE):
                await self._writing.acquire()
        except TimeoutError:
            _log.warning("a transaction was still open after %g s and is rolled back", CLOSE_PATIENCE)
        else:
            self._writing.release()
        try:
            await self._reader.close()
        finally:
            await self._writer.close()

    async def fetch(self, sql: str, *args: Argument) -> list[Row]:
        """Read what is committed. A statement that writes fails here: use `execute`.

        Raises:
            StatementError: the statement is wrong or would write.
            DatabaseClosed, DatabaseLocked, DatabaseCorrupt, DatabaseUnavailable
        """
        return await self._reader.run(sql, args)

    async def fetch_one(self, sql: str, *args: Argument) -> Row | None:
        """The first row of `fetch`, or None where there is none."""
        rows = await self.fetch(sql, *args)
        return rows[0] if rows else None

    async def execute(self, sql: str, *args: Argument) -> list[Row]:
        """Run one statement, and give the rows of its RETURNING. It is a transaction of its own, or shares one with
        statements that other tasks ran meanwhile (db/group.py); each stands or fails alone.

        Once it returns, the change is on the disk. A task that is cancelled while it waits for its turn has
        changed nothing; one that is cancelled later still runs the statement to its end.

        Raises:
            StatementError: and its kinds, UniqueViolation among them; nothing was changed.
            DatabaseLocked, DiskFull: nothing was changed; it may be tried again.
            TransactionNested: called inside a transaction of the same task.
            DatabaseClosed, DatabaseCorrupt, DatabaseReadOnly, DatabaseUnavailable
        """
        self._refuse_nesting()
        return await self._group.run(sql, args)

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Transaction, None]:
        """One transaction for the block: COMMIT at its end, ROLLBACK if an exception leaves it.

        It begins with ``BEGIN IMMEDIATE``, so what is read inside can not change until it ends. Other writes
        wait meanwhile, so do nothing slow inside. A cancellation is such an exception too; one that comes
        while COMMIT runs is raised after it, and the commit stands.

        Raises:
            TransactionNested: inside another transaction of the same task.
            TransactionAborted: a statement failed, but the block went on as if it had not.
            as `execute`
        """
        async with self._hold_writer() as writer:
            self._owner = asyncio.current_task()
            transaction = Transaction(writer)
            try:
                await finish(writer.run("BEGIN IMMEDIATE", ()))
                yield transaction
                await finish(transaction.commit())
            except BaseException:
                await finish(writer.roll_back())
                raise
            finally:
                transaction.end()
                self._owner = None

    async def backup(self, target: Path) -> None:
        """Copy the database to ``target`` while it is in use. The copy is checked before it gets its name.

        Raises:
            BackupExists, BackupFailed, FolderMissing, DatabaseReadOnly, DiskFull, DatabaseUnavailable
        """
        await finish(asyncio.to_thread(back_up, self.path, target))

    async def scrub(self) -> None:
        """Leave no byte of what was deleted: to be called after somebody was forgotten.

        ``secure_delete`` has overwritten it in the database; this moves all changes there from the ``-wal``
        file and cuts that file to zero bytes. Backups keep what they have.

        Raises:
            DatabaseLocked: another program is reading; try again later.
        """
        async with self._hold_writer() as writer:  # alone: inside a transaction it can not be done
            rows = await finish(writer.run("PRAGMA wal_checkpoint(TRUNCATE)", ()))
        if rows[0]["busy"]:
            raise DatabaseLocked(self.path, BUSY_TIMEOUT)

    def require_current_schema(self) -> None:
        """For a database that was opened with ``migrate=False``.

        Raises:
            SchemaOutdated: migrations are pending.
        """
        if self.prepared.version < self.latest_version:
            raise SchemaOutdated(self.path, self.prepared.version, self.latest_version)

    @asynccontextmanager
    async def _hold_writer(self) -> AsyncGenerator[Link, None]:
        self._refuse_nesting()
        async with self._writing:
            if self._closed:
                raise DatabaseClosed(self.path)
            yield self._writer

    def _refuse_nesting(self) -> None:
        if self._owner is not None and self._owner is asyncio.current_task():
            raise TransactionNested


class Transaction:
    """What a block of `Database.transaction` works with. It sees its own changes.

    After a statement has failed, the transaction takes no other: let the error leave the block.
    """

    def __init__(self, writer: Link) -> None:
        self._writer = writer
        self._over = False
        self._aborted = False

    async def fetch(self, sql: str, *args: Argument) -> list[Row]:
        """Rows as this transaction sees them. Raises as `execute`."""
        return await self.execute(sql, *args)

    async def fetch_one(self, sql: str, *args: Argument) -> Row | None:
        """The first row of `fetch`, or None where there is none."""
        rows = await self.execute(sql, *args)
        return rows[0] if rows else None

    async def execute(self, sql: str, *args: Argument) -> list[Row]:
        """Run one statement in this transaction, and give the rows of its RETURNING.

        Raises:
            TransactionOver: the block has been left.
            TransactionAborted: an earlier statement failed.
            as `Database.execute`
        """
        if self._over:
            raise TransactionOver
        if self._aborted:
            raise TransactionAborted
        try:
            return await finish(self._writer.run(sql, args))
        except Exception:
            self._aborted = True
            raise

    async def commit(self) -> None:
        """Called by `Database.transaction`."""
        if self._aborted:
            raise TransactionAborted
        await self._writer.run("COMMIT", ())

    def end(self) -> None:
        """Called by `Database.transaction`."""
        self._over = True
