"""What is looked at before a database is used: nothing here repairs, replaces or hides anything.

All of it is plain blocking code on one connection; `db.database.connect` runs it in a thread.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from db.backup import back_up_before, give_name, remove_database
from db.errors import (
    DatabaseCorrupt,
    DatabaseEmptyFile,
    DatabaseLogStale,
    DatabaseLost,
    DatabaseMissing,
    DatabaseReadOnly,
    DatabaseUnavailable,
    FolderMissing,
    NotOurDatabase,
    SchemaOutdated,
    SqliteTooOld,
)
from db.location import backups_of, beside, traces_of
from db.lockfile import LockFile
from db.migrate import Migration, migrate, pending
from db.sqlite import APPLICATION_ID, OLDEST_SQLITE, faults, open_connection
from db.system import sqlite_errors, system_errors


@dataclass(frozen=True, slots=True)
class Prepared:
    """What start-up found and did.

    Attributes: ``version`` the schema the database has now; ``created`` whether it is new; ``migrated`` the
    files that ran on an existing one; ``backup`` the copy made before them.
    """

    version: int
    created: bool
    migrated: tuple[str, ...]
    backup: Path | None


def check_place(path: Path) -> None:
    """Look at the folder and the file without opening either: nothing is created before this has passed.

    Raises:
        FolderMissing, DatabaseUnavailable, DatabaseEmptyFile, DatabaseReadOnly, DatabaseLogStale, SqliteTooOld
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise SqliteTooOld(sqlite3.sqlite_version, ".".join(map(str, OLDEST_SQLITE)))
    with system_errors(path):
        folder = os.stat(path.parent)
        file = _status(path)
    if not stat.S_ISDIR(folder.st_mode):
        raise FolderMissing(path, path.parent)
    _check_writable(path.parent, folder)
    if file is None:
        return
    if not stat.S_ISREG(file.st_mode):
        raise DatabaseUnavailable(path, "it is a folder or a device, not a file")
    if file.st_size == 0:
        raise DatabaseEmptyFile(path, traces_of(path), backups_of(path))
    _check_writable(path, file)
    _check_log(path, file)
    for ending in ("-wal", "-shm"):  # left by another user's bot, perhaps
        left = _status(beside(path, ending))
        if left is not None:
            _check_writable(beside(path, ending), left)


STALE_AFTER = 10.0
"""Seconds. SQLite writes the log into the file right after it has written to the log, so on disk the file is never much
younger, unless somebody has put another one there."""


def _check_log(path: Path, file: os.stat_result) -> None:
    log = _status(beside(path, "-wal"))
    if log is not None and log.st_size and file.st_mtime - log.st_mtime > STALE_AFTER:
        raise DatabaseLogStale(path, beside(path, "-wal"))


def _status(path: Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _check_writable(path: Path, status: os.stat_result) -> None:
    # For root, access() says yes to a file that nobody may write. Whoever took the bits away meant it.
    if not status.st_mode & 0o222:
        raise DatabaseReadOnly(path, "nobody has the permission to write")
    if os.access(path, os.W_OK):
        return
    if status.st_uid != os.geteuid():
        raise DatabaseReadOnly(path, f"it belongs to user {status.st_uid}, and this is user {os.geteuid()}")
    raise DatabaseReadOnly(path, "it is immutable, or its file system is mounted for reading only")


def prepare(
    path: Path,
    migrations: tuple[Migration, ...],
    lock: LockFile | None,
    *,
    create: bool,
    upgrade: bool,
    now: int,
) -> Prepared:
    """Create the database where there was none, else check it through and bring it up to date.

    Args:
        lock: held on the database; None to leave it as it is (a bot may be running on it).
        create: whether a missing database may be created; needs the lock.
        upgrade: whether it has to have the newest schema; without it an older one is left as it is.
        now: milliseconds since the epoch, UTC.

    Raises:
        StartupError, SchemaError, BackupError: each kind as `db.errors` says
    """
    if lock is not None:
        with system_errors(path):
            remove_database(_draft(path))  # left by a bot that was killed while it created its database
    created = not path.exists()
    if created:
        _create(path, migrations, create and lock is not None, now)
    with sqlite_errors(path), closing(open_connection(path, foreign_keys=False)) as connection:
        _check_ours(connection, path)
        found = faults(connection)
        if found:
            raise DatabaseCorrupt(path, "; ".join(found), backups_of(path))
        missing = pending(connection, path, migrations)
        version = len(migrations) - len(missing)
        if lock is not None:
            _check_wal(connection, path)
            lock.mark()
        if not missing or not upgrade:
            return Prepared(version, created, (), None)
        if lock is None:
            raise SchemaOutdated(path, version, len(migrations))
        backup = back_up_before(path, missing[0].version) if _has_tables(connection) else None
        migrate(connection, path, missing, now=now, backup=backup)
    return Prepared(len(migrations), created, tuple(migration.file for migration in missing), backup)


def _create(path: Path, migrations: tuple[Migration, ...], allowed: bool, now: int) -> None:
    """Build a new database under a passing name, which it changes when it is whole.

    So a bot that is killed here leaves no database or a complete one, never a file that looks like a loss.
    """
    traces = traces_of(path)
    if traces:
        raise DatabaseLost(path, traces, backups_of(path))
    if not allowed:
        raise DatabaseMissing(path)
    draft = _draft(path)
    with system_errors(path):
        draft.touch(exist_ok=False)
    try:
        with sqlite_errors(path), closing(open_connection(draft, foreign_keys=False)) as connection:
            migrate(connection, path, migrations, now=now)
        with system_errors(path):
            give_name(draft, path)
    except FileExistsError as error:
        raise DatabaseUnavailable(path, "another program created it at this moment") from error
    finally:
        remove_database(draft)


def _draft(path: Path) -> Path:
    return beside(path, ".new")


def _check_ours(connection: sqlite3.Connection, path: Path) -> None:
    application_id = int(connection.execute("PRAGMA application_id").fetchone()[0])
    untouched = application_id == 0 and not _has_tables(connection)
    if application_id != APPLICATION_ID and not untouched:
        raise NotOurDatabase(path, application_id)


def _has_tables(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone() is not None


def _check_wal(connection: sqlite3.Connection, path: Path) -> None:
    mode = str(connection.execute("PRAGMA journal_mode = WAL").fetchone()[0])
    if mode != "wal":
        raise DatabaseUnavailable(path, f"this file system allows no write-ahead log (it stays in mode {mode})")
    # A program that holds the file now would make the first click fail: better to say so before the bot is
    # online.
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("ROLLBACK")
