"""Opening one SQLite connection the way this program needs it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from db.system import BUSY_TIMEOUT

APPLICATION_ID = 0x57415242
"""The ASCII letters WARB in the header of every database of ours (https://www.sqlite.org/fileformat.html)."""

OLDEST_SQLITE = (3, 37, 0)
"""The first with STRICT tables."""

# journal_mode=WAL is missing on purpose: it stays in the file, and only the holder of the lock may change it.
_PRAGMAS = (
    "PRAGMA synchronous = FULL",  # in WAL mode: a commit is on the disk before it is acknowledged
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",  # what is deleted is overwritten with zeros
    "PRAGMA trusted_schema = OFF",  # a doctored file may not run functions from its schema
)


def open_connection(path: Path, *, may_write: bool = True, foreign_keys: bool = True) -> sqlite3.Connection:
    """A connection to the existing file ``path``, in autocommit mode: what begins a transaction says BEGIN.

    Args:
        may_write: False for a connection on which every writing statement fails.
        foreign_keys: False only while migrations rebuild tables.

    Raises:
        sqlite3.Error: wrap the call in `db.system.sqlite_errors`.
    """
    # mode=rw: sqlite3.connect would else create an empty file where none is
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode=rw",
        uri=True,
        timeout=BUSY_TIMEOUT,
        isolation_level=None,
        cached_statements=256,
    )
    try:
        connection.row_factory = sqlite3.Row
        for pragma in _PRAGMAS:
            connection.execute(pragma)
        if not foreign_keys:
            connection.execute("PRAGMA foreign_keys = OFF")
        if not may_write:
            connection.execute("PRAGMA query_only = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def faults(connection: sqlite3.Connection) -> list[str]:
    """What ``PRAGMA quick_check`` finds wrong with the file; an empty list when it is sound."""
    found = [str(row[0]) for row in connection.execute("PRAGMA quick_check(5)")]
    # A line of SQLite's own stands before what it finds in the tree of a table: "*** in database main ***".
    return [" ".join(text.replace("*** in database main ***", "").split()) for text in found if text != "ok"]
