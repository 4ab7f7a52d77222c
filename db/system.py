"""Failures of the system and of SQLite, told in the words of `db.errors`."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from db.errors import (
    ArgumentInvalid,
    CheckViolation,
    ConstraintViolation,
    DatabaseCorrupt,
    DatabaseError,
    DatabaseLocked,
    DatabaseReadOnly,
    DatabaseUnavailable,
    DiskFull,
    FolderMissing,
    ForeignKeyViolation,
    NotNullViolation,
    StatementError,
    UniqueViolation,
)
from db.location import backups_of

BUSY_TIMEOUT = 0.8
"""Seconds that a statement waits for another program's lock; Discord waits 3 s for the whole answer."""


@contextmanager
def system_errors(path: Path) -> Generator[None, None, None]:
    """Turn an OSError about ``path`` into ours.

    BlockingIOError (a lock is taken) and FileExistsError pass through: only the caller knows what they mean.

    Raises:
        DiskFull, DatabaseReadOnly, FolderMissing, DatabaseUnavailable
    """
    try:
        yield
    except (BlockingIOError, FileExistsError):
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        match error.errno:
            case errno.ENOSPC | errno.EDQUOT:
                raise DiskFull(path) from error
            case errno.EACCES | errno.EPERM | errno.EROFS:
                raise DatabaseReadOnly(path, reason) from error
            case errno.ENOENT | errno.ENOTDIR:
                raise FolderMissing(path, path.parent) from error
            case _:
                raise DatabaseUnavailable(path, reason) from error


@contextmanager
def sqlite_errors(path: Path, sql: str = "") -> Generator[None, None, None]:
    """Turn what SQLite or its driver raises for ``sql`` on the database ``path`` into ours."""
    try:
        yield
    except (
        sqlite3.Error,
        sqlite3.Warning,
    ) as error:  # two statements at once are a Warning up to Python 3.11
        raise translated(error, path, sql) from error
    except (OverflowError, UnicodeEncodeError) as error:  # an integer beyond 64 bits, half a surrogate pair
        raise ArgumentInvalid(sql, str(error)) from error


def translated(error: sqlite3.Error | sqlite3.Warning, path: Path, sql: str) -> DatabaseError:
    """Ours for SQLite's, told apart by result code (https://www.sqlite.org/rescode.html)."""
    reason = str(error)
    code: int | None = getattr(error, "sqlite_errorcode", None)  # errors of the driver itself have none
    if code is None:
        return StatementError(sql, reason)
    primary = code & 0xFF  # the rest of the code tells kinds of the same failure apart
    if primary == sqlite3.SQLITE_CONSTRAINT:
        return _violation(code, sql, reason)
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return DatabaseLocked(path, BUSY_TIMEOUT)
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return DatabaseCorrupt(path, reason, backups_of(path))
    if primary == sqlite3.SQLITE_FULL:
        return DiskFull(path)
    if primary == sqlite3.SQLITE_READONLY:
        return DatabaseReadOnly(path, reason)
    if primary in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return DatabaseUnavailable(path, reason)
    if primary in (sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISMATCH):
        return ArgumentInvalid(sql, reason)
    return StatementError(sql, reason)


def _violation(code: int, sql: str, reason: str) -> ConstraintViolation:
    # "UNIQUE constraint failed: seats.match, seats.seat", or for an expression "...: index 'name'"
    _, _, what = reason.partition(": ")
    if code in (
        sqlite3.SQLITE_CONSTRAINT_UNIQUE,
        sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY,
        sqlite3.SQLITE_CONSTRAINT_ROWID,
    ):
        if what.startswith("index '"):
            return UniqueViolation(sql, reason, index=what.removeprefix("index '").removesuffix("'"))
        return UniqueViolation(sql, reason, columns=tuple(what.split(", ")))
    if code == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
        return ForeignKeyViolation(sql, reason)
    if code == sqlite3.SQLITE_CONSTRAINT_CHECK:
        return CheckViolation(sql, reason, what)
    if code == sqlite3.SQLITE_CONSTRAINT_NOTNULL:
        return NotNullViolation(sql, reason, what)
    return ConstraintViolation(sql, reason)
