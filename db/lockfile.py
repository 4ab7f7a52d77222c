"""One bot per database: ``flock`` on ``<database>.lock``, which the kernel frees even after SIGKILL."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from db.errors import DatabaseInUse
from db.location import lock_path
from db.system import system_errors

# Always the same length, so that it is renewed by one write in place and the file is never empty in between.
_OWNER = "process {pid:>10} opened this database\n"


class LockFile:
    """A lock that is held. See `hold_lock`."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path = path
        self._descriptor = descriptor

    def mark(self) -> None:
        """Write down who holds the lock. It also says that the database exists (see `db.location.traces_of`).

        Raises:
            DiskFull, DatabaseUnavailable
        """
        with system_errors(self._path):
            os.pwrite(self._descriptor, _OWNER.format(pid=os.getpid()).encode(), 0)
            os.fsync(self._descriptor)


@contextmanager
def hold_lock(path: Path) -> Generator[LockFile, None, None]:
    """Hold the lock of the database ``path``.

    The lock file stays afterwards: removing it would race with the next holder, and it is the trace that
    tells a lost database from a new one.

    Raises:
        DatabaseInUse: another process holds it, or this one does already.
        DatabaseReadOnly, DiskFull, DatabaseUnavailable: the lock file can not be made.
    """
    lock = lock_path(path)
    with system_errors(lock):
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            with system_errors(lock):
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise DatabaseInUse(path, lock, _owner(descriptor)) from error
        yield LockFile(lock, descriptor)
    finally:
        os.close(descriptor)


def _owner(descriptor: int) -> int | None:
    words = os.pread(descriptor, 200, 0).decode(errors="replace").split()
    return int(words[1]) if len(words) > 1 and words[1].isdecimal() else None
