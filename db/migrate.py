"""Bringing a database's tables up to date: numbered SQL files, each run once, whole or not at all.

A file is called ``NNNN_name.sql``, counted from 0001 without gaps. It runs in one transaction together with
its row in ``schema_migrations``, so a database is always at the end of some file. Foreign keys are off while
a file runs (a table is changed by building it anew, https://www.sqlite.org/lang_altertable.html#otheralter)
and are checked before its commit.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from db.errors import (
    DatabaseError,
    MigrationChanged,
    MigrationFailed,
    MigrationsInvalid,
    SchemaNewer,
    StatementError,
)
from db.sqlite import APPLICATION_ID
from db.system import sqlite_errors, translated

MIGRATIONS = Path(__file__).parent / "migrations" / "sqlite"

_FILE_NAME = re.compile(r"([0-9]{4})_[a-z0-9_]+\.sql")
_BLANKS_AND_COMMENTS = re.compile(r"(?:\s+|--[^\n]*(?:\n|$)|/\*.*?\*/)*", re.DOTALL)

_RECORDS = """
    CREATE TABLE IF NOT EXISTS schema_migrations (
        version    INTEGER PRIMARY KEY,
        name       TEXT    NOT NULL,
        checksum   TEXT    NOT NULL,
        applied_at INTEGER NOT NULL
    ) STRICT
"""


@dataclass(frozen=True, slots=True)
class Statement:
    """One SQL statement of a file; ``line`` counts from 1 and is where it starts, comments skipped."""

    line: int
    sql: str


@dataclass(frozen=True, slots=True)
class Migration:
    """One file. ``checksum`` is the SHA-256 of its words, so that other line ends or blanks do not count."""

    version: int
    file: str
    checksum: str
    statements: tuple[Statement, ...]


def read_migrations(folder: Path) -> tuple[Migration, ...]:
    """All migrations of ``folder`` in their order. Files that do not end in ``.sql`` are none.

    Raises:
        MigrationsInvalid: no file, an odd name, a gap, a number twice, an unfinished statement.
    """
    files = sorted(folder.glob("*.sql"))
    if not files:
        raise MigrationsInvalid(folder, "there is no .sql file")
    found: list[Migration] = []
    for file in files:
        name = _FILE_NAME.fullmatch(file.name)
        if name is None:
            raise MigrationsInvalid(folder, f"{file.name} is not called like 0001_name.sql")
        version = int(name[1])
        if found and version == found[-1].version:
            raise MigrationsInvalid(folder, f"{found[-1].file} and {file.name} have the same number")
        if version != len(found) + 1:
            raise MigrationsInvalid(folder, f"{len(found) + 1:04} is missing before {file.name}")
        try:
            text = file.read_text(encoding="utf-8")
            statements = tuple(split_statements(text))
        except ValueError as error:
            raise MigrationsInvalid(folder, f"{file.name}: {error}") from error
        checksum = hashlib.sha256(" ".join(text.split()).encode()).hexdigest()
        found.append(Migration(version, file.name, checksum, statements))
    return tuple(found)


def split_statements(text: str) -> Iterator[Statement]:
    """The statements of an SQL text. SQLite itself says where one ends, so a semicolon in a string, in a
    comment or in the body of a trigger ends none.

    Raises:
        ValueError: the text ends inside a statement.
    """
    start = 0
    end = text.find(";") + 1
    while end:
        if sqlite3.complete_statement(text[start:end]):
            first = _skip_blanks(text, start)
            if text[first:end] != ";":
                yield Statement(text.count("\n", 0, first) + 1, text[first:end])
            start = end
        end = text.find(";", end) + 1
    first = _skip_blanks(text, start)
    if first < len(text):
        raise ValueError(f"the statement at line {text.count(chr(10), 0, first) + 1} does not end in a semicolon")


def _skip_blanks(text: str, start: int) -> int:
    match = _BLANKS_AND_COMMENTS.match(text, start)
    return match.end() if match else start


def applied_versions(connection: sqlite3.Connection) -> dict[int, sqlite3.Row]:
    """The rows of ``schema_migrations`` by version; none where the table does not exist yet.

    Raises:
        sqlite3.Error: wrap the call in `db.system.sqlite_errors`.
    """
    there = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'").fetchone()
    if there is None:
        return {}
    rows = connection.execute("SELECT version, name, checksum FROM schema_migrations ORDER BY version").fetchall()
    return {row["version"]: row for row in rows}


def pending(connection: sqlite3.Connection, path: Path, known: tuple[Migration, ...]) -> tuple[Migration, ...]:
    """The migrations of ``known`` that the database ``path`` still needs.

    Raises:
        SchemaNewer: the database has run more than is known.
        MigrationChanged: it has run something else under a known number.
    """
    with sqlite_errors(path):
        applied = applied_versions(connection)
    newest = max(applied, default=0)
    if newest > len(known):
        raise SchemaNewer(path, newest, len(known))
    for migration in known[:newest]:
        row = applied.get(migration.version)
        if row is None or row["checksum"] != migration.checksum:
            recorded = row["name"] if row else f"nothing under number {migration.version}"
            raise MigrationChanged(path, migration.version, recorded, migration.file)
    return known[newest:]


def migrate(
    connection: sqlite3.Connection,
    path: Path,
    migrations: tuple[Migration, ...],
    *,
    now: int,
    backup: Path | None = None,
) -> None:
    """Run ``migrations`` one after the other, each in a transaction of its own.

    Args:
        connection: in autocommit mode, with ``foreign_keys`` off.
        path: the database, for the sentence of an error.
        now: milliseconds since the epoch, UTC.
        backup: the copy made before, for the sentence of an error.

    Raises:
        MigrationFailed: a statement failed; this file was rolled back, those before it stand.
        DatabaseLocked, DiskFull, DatabaseReadOnly, DatabaseUnavailable: as said; rolled back in the same way.
    """
    for migration in migrations:
        with sqlite_errors(path):
            connection.execute("BEGIN IMMEDIATE")
        try:
            _run(connection, path, migration, backup)
            with sqlite_errors(path):
                _record(connection, migration, now)
                connection.execute("COMMIT")
        except BaseException:
            connection.rollback()
            raise


def _run(connection: sqlite3.Connection, path: Path, migration: Migration, backup: Path | None) -> None:
    line = 1
    connection.set_authorizer(_inside_one_transaction)
    try:
        for statement in migration.statements:
            line = statement.line
            connection.execute(statement.sql)
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise _failure(translated(error, path, ""), path, migration, line, backup) from error
    finally:
        connection.set_authorizer(None)
    with sqlite_errors(path):
        broken = connection.execute("PRAGMA foreign_key_check").fetchone()
    if broken is not None:
        reason = f"a row of {broken['table']} names a row of {broken['parent']} that is not there"
        raise MigrationFailed(path, migration.file, line, reason, backup)


def _inside_one_transaction(action: int, *_: str | None) -> int:
    """SQLite asks this for every statement: none may end the transaction or reach into another database."""
    forbidden = (sqlite3.SQLITE_TRANSACTION, sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH)
    return sqlite3.SQLITE_DENY if action in forbidden else sqlite3.SQLITE_OK


def _failure(error: DatabaseError, path: Path, migration: Migration, line: int, backup: Path | None) -> DatabaseError:
    """A full disk stays a full disk; what the statement itself got wrong names the file and the line."""
    if not isinstance(error, StatementError):
        return error
    return MigrationFailed(path, migration.file, line, error.reason, backup)


def _record(connection: sqlite3.Connection, migration: Migration, now: int) -> None:
    # The header is part of the transaction too: a database is ours from its first migration on, and not
    # before.
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(_RECORDS)
    connection.execute(
        "INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES ($1, $2, $3, $4)",
        {"1": migration.version, "2": migration.file, "3": migration.checksum, "4": now},
    )
