"""A copy of the database that is known to be sound before it gets its name."""

from __future__ import annotations

import errno
import filecmp
import os
import shutil
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from db.errors import BackupExists, BackupFailed, DatabaseCorrupt
from db.location import beside
from db.sqlite import faults, open_connection
from db.system import sqlite_errors, system_errors


def back_up(path: Path, target: Path) -> None:
    """Copy the database ``path`` to ``target``, also while a bot writes to it.

    The copy is one moment of the database in one file (no ``-wal`` beside it), with the permissions of the
    original. It is written as ``<target>.partial``, checked, and only then named, so a file at ``target`` is
    always whole.

    Raises:
        BackupExists: there is a file at ``target``; it is left alone.
        BackupFailed: the copy did not pass ``quick_check``.
        FolderMissing, DatabaseReadOnly, DiskFull, DatabaseLocked, DatabaseCorrupt, DatabaseUnavailable
    """
    if os.path.lexists(target):
        raise BackupExists(target)
    with _partial_copy(path, target) as partial:
        give_name(partial, target)


def back_up_before(path: Path, version: int) -> Path:
    """The backup that is made before migration ``version``: ``<database>.before-0002.bak``.

    A file of that name is never overwritten: the next one is ``.before-0002.2.bak``. Only when the newest of
    them holds exactly what a new one would (a migration that fails at every restart), it is taken as it is,
    so that restarts do not fill the disk.

    Raises:
        as `back_up`
    """
    stem = f".before-{version:04}"
    target = beside(path, f"{stem}.bak")
    newest: Path | None = None
    number = 1
    while os.path.lexists(target):
        newest, number = target, number + 1
        target = beside(path, f"{stem}.{number}.bak")
    with _partial_copy(path, target) as partial:
        if newest is not None and newest.is_file() and filecmp.cmp(partial, newest, shallow=False):
            return newest
        give_name(partial, target)
    return target


@contextmanager
def _partial_copy(path: Path, target: Path) -> Generator[Path, None, None]:
    """A checked copy under a passing name, which is removed in the end unless it was renamed."""
    partial = beside(target, ".partial")
    with system_errors(target):
        remove_database(partial)  # left by a process that was killed while copying
        partial.touch(mode=0o600, exist_ok=False)
    try:
        found = _copy(path, partial, target)
        if found:
            raise BackupFailed(target, "; ".join(found))
        with system_errors(target):
            shutil.copymode(path, partial)
            yield partial
    except DatabaseCorrupt as error:
        raise BackupFailed(target, error.detail) from error
    except FileExistsError as error:
        raise BackupExists(target) from error
    finally:
        remove_database(partial)


def _copy(path: Path, partial: Path, target: Path) -> list[str]:
    """Copy ``path`` into the empty file ``partial`` and give what is wrong with the copy."""
    with sqlite_errors(path), closing(open_connection(path, may_write=False)) as source:
        # Reading first fixes the moment that is copied. It also says so when the file is locked: the copying
        # itself would wait for ever.
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        with sqlite_errors(target), closing(sqlite3.connect(partial, isolation_level=None)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # no -wal beside it: a backup is one file
            return faults(copy)


def give_name(partial: Path, target: Path) -> None:
    """Name a finished file ``target``, safely on the disk and without ever replacing another.

    Raises:
        FileExistsError: something has that name already.
        OSError: anything else that the file system refuses.
    """
    try:
        os.link(partial, target)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK):
            raise
        # No hard links on this file system: another file could come between the look and the rename.
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from error
        os.rename(partial, target)
    else:
        os.unlink(partial)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # the name itself is on the disk only after this
    finally:
        os.close(folder)


def remove_database(path: Path) -> None:
    """Remove an unfinished database file and what SQLite put beside it; nothing there is fine."""
    for ending in ("", "-journal", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.unlink(beside(path, ending))
