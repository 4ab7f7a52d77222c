"""From ``DATABASE_URL`` to a file, and the files that belong to a database."""

from __future__ import annotations

import glob
from pathlib import Path

from db.errors import DatabaseKindUnsupported, DatabaseUrlInvalid

_PREFIX = "sqlite:///"


def sqlite_path(url: str) -> Path:
    """The absolute path that ``sqlite:///relative.db`` or ``sqlite:////absolute.db`` names, links followed.

    All that follows the third slash is the path as it is written; nothing is percent-decoded.

    Raises:
        DatabaseKindUnsupported: a ``postgresql://`` URL.
        DatabaseUrlInvalid: anything else, an empty path, or ``:memory:`` (reader and writer are two
            connections, so each would have a memory of its own).
    """
    url = url.strip()
    scheme, separator, _ = url.partition("://")
    scheme = scheme.lower()
    if separator and scheme.partition("+")[0] in ("postgres", "postgresql"):
        raise DatabaseKindUnsupported(scheme)
    if not separator:
        raise DatabaseUrlInvalid("it is no URL")
    if scheme != "sqlite":
        raise DatabaseUrlInvalid(f"it starts with {scheme}://, and no such database is known")
    if ":memory:" in url:
        raise DatabaseUrlInvalid("a database in memory would be gone at every stop")
    if not url.lower().startswith(_PREFIX):
        raise DatabaseUrlInvalid("after sqlite: it needs three slashes, or four before a full path")
    name = url[len(_PREFIX) :]
    if not name or "\0" in name:
        raise DatabaseUrlInvalid("it names no file")
    try:
        return Path(name).resolve()
    except (OSError, RuntimeError) as error:  # a loop of links: RuntimeError up to Python 3.12, then OSError
        raise DatabaseUrlInvalid(f"its path can not be followed ({error})") from error


def beside(path: Path, ending: str) -> Path:
    """The file that belongs to the database ``path``: the same name with ``ending`` put after it."""
    return path.with_name(path.name + ending)


def lock_path(path: Path) -> Path:
    """``<database>.lock``, which the running bot holds."""
    return beside(path, ".lock")


def traces_of(path: Path) -> tuple[Path, ...]:
    """Files that show that there has been a database at ``path``, whether or not it is there now.

    A lock file counts only once something was written into it: that happens after the database exists, so a
    bot that is killed while it creates its first database leaves no trace.
    """
    sidecars = [beside(path, ending) for ending in ("-wal", "-shm", "-journal")]
    traces = [sidecar for sidecar in sidecars if sidecar.exists()]
    lock = lock_path(path)
    if lock.exists() and lock.stat().st_size > 0:
        traces.insert(0, lock)
    return tuple(traces)


def backups_of(path: Path) -> tuple[Path, ...]:
    """The backups that migrations left beside the database, the oldest name first."""
    return tuple(sorted(path.parent.glob(glob.escape(path.name) + ".*.bak")))
