"""Migrations: read in order, run whole or not at all, with a backup before."""

# ruff: noqa: ASYNC240  (a test may look at a file while its loop waits)

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from db.database import connect
from db.errors import (
    DatabaseLocked,
    MigrationChanged,
    MigrationFailed,
    MigrationsInvalid,
    SchemaOutdated,
)
from db.migrate import MIGRATIONS, applied_versions, migrate, read_migrations, split_statements
from db.sqlite import open_connection

FIRST = "CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;"
SECOND = "ALTER TABLE players ADD COLUMN wins INTEGER NOT NULL DEFAULT 0;"

Write = Callable[..., Path]


async def bring_up(url: str, folder: Path, *names: str) -> None:
    """Open the database with the migrations of ``folder``, add players, and close it."""
    async with connect(url, migrations=folder) as database:
        for name in names:
            await database.execute("INSERT INTO players (name) VALUES ($1)", name)


def look(path: Path, sql: str) -> list[tuple[object, ...]]:
    """Read the closed database with nothing but sqlite3."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


# -- the files


def test_the_real_migrations_are_readable_and_make_a_sound_schema() -> None:
    migrations = read_migrations(MIGRATIONS)
    assert [migration.version for migration in migrations] == list(range(1, len(migrations) + 1))
    with closing(sqlite3.connect(":memory:")) as connection:
        for migration in migrations:
            for statement in migration.statements:
                connection.execute(statement.sql)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        tables = connection.execute("PRAGMA table_list").fetchall()
        loose = [row[1] for row in tables if not row[5] and not row[1].startswith("sqlite_")]
        assert loose == [], "every table is STRICT"


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ([], "no .sql file"),
        (["0002_b.sql"], "0001 is missing before 0002_b.sql"),
        (["0001_a.sql", "0003_c.sql"], "0002 is missing before 0003_c.sql"),
        (["0001_a.sql", "0001_b.sql"], "0001_a.sql and 0001_b.sql have the same number"),
        (["0000_a.sql"], "0001 is missing before 0000_a.sql"),
        (["1_a.sql"], "not called like"),
        (["0001-a.sql"], "not called like"),
        (["0001_A.sql"], "not called like"),
    ],
)
async def test_gaps_doubles_and_odd_names_are_refused_before_anything_is_created(
    tmp_path: Path, database_url: str, database_path: Path, files: list[str], reason: str
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for file in files:
        (folder / file).write_text(FIRST)
    with pytest.raises(MigrationsInvalid) as caught:
        await bring_up(database_url, folder)
    assert reason in str(caught.value)
    assert not database_path.exists()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (FIRST.encode() + b"\n\nSELECT 1", "the statement at line 3 does not end in a semicolon"),
        (b"SELECT 'open;", "the statement at line 1 does not end in a semicolon"),
        (b"CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1;", "line 1 does not end"),
        (b"-- caf\xe9\nSELECT 1;", "0001_a.sql"),
    ],
)
def test_an_unfinished_or_unreadable_file_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "0001_a.sql").write_bytes(content)
    with pytest.raises(MigrationsInvalid) as caught:
        read_migrations(tmp_path)
    assert reason in str(caught.value)


def test_statements_are_split_where_sqlite_says_that_they_end() -> None:
    text = """-- a comment; with a semicolon
CREATE TABLE a (x TEXT DEFAULT 'one; two', "odd;name" TEXT, y TEXT DEFAULT 'it''s; -- no comment');
/* another;
   comment */ ;
CREATE TRIGGER t AFTER INSERT ON a BEGIN
    UPDATE a SET y = 'x;'; -- inside;
    DELETE FROM a WHERE x = CASE WHEN 1 THEN ';' END;
END;  SELECT 1; SELECT 2;
-- the end;
/* really; */
"""
    found = list(split_statements(text))
    assert [statement.line for statement in found] == [2, 5, 8, 8]
    assert [statement.sql.split()[0] for statement in found] == ["CREATE", "CREATE", "SELECT", "SELECT"]
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in found:
            connection.execute(statement.sql)
    assert list(split_statements(" \n-- nothing;\n")) == []


# -- running them


async def test_each_migration_is_recorded_once(database_url: str, database_path: Path, write_migrations: Write) -> None:
    before = time.time_ns() // 1_000_000
    await bring_up(database_url, write_migrations(FIRST), "Alice")
    folder = write_migrations(FIRST, SECOND)
    async with connect(database_url, migrations=folder) as database:
        assert database.prepared.migrated == ("0002_step.sql",)
        assert (database.prepared.version, database.prepared.created) == (2, False)
    async with connect(database_url, migrations=folder) as database:
        assert (database.prepared.version, database.prepared.migrated) == (2, ())
        assert database.prepared.backup is None
    rows = look(database_path, "SELECT version, name, applied_at FROM schema_migrations ORDER BY version")
    assert [row[:2] for row in rows] == [(1, "0001_step.sql"), (2, "0002_step.sql")]
    after = time.time_ns() // 1_000_000
    assert all(before <= int(str(row[2])) <= after for row in rows)
    assert look(database_path, "SELECT name, wins FROM players") == [("Alice", 0)]


async def test_a_failed_migration_leaves_the_database_as_it_was_and_names_file_line_and_reason(
    database_url: str, database_path: Path, write_migrations: Write
) -> None:
    await bring_up(database_url, write_migrations(FIRST), "Alice")
    dump = look(database_path, "SELECT * FROM sqlite_schema")
    broken = "DROP TABLE players;\nCREATE TABLE matches (id INTEGER);\n\n-- now:\nINSERT INTO nowhere VALUES (1);"
    folder = write_migrations(FIRST, broken)
    with pytest.raises(MigrationFailed) as caught:
        await bring_up(database_url, folder)
    assert (caught.value.file, caught.value.line) == ("0002_step.sql", 5)
    assert caught.value.reason == "no such table: nowhere"
    assert caught.value.backup == database_path.with_name("warbot.db.before-0002.bak")
    assert str(caught.value.backup) in str(caught.value)
    assert look(database_path, "SELECT * FROM sqlite_schema") == dump
    assert look(database_path, "SELECT version FROM schema_migrations") == [(1,)]
    assert look(database_path, "SELECT name FROM players") == [("Alice",)]
    await bring_up(database_url, write_migrations(FIRST, SECOND), "Bob")
    assert look(database_path, "SELECT name, wins FROM players") == [("Alice", 0), ("Bob", 0)]


async def test_those_before_a_failed_migration_stand(
    database_url: str, database_path: Path, write_migrations: Write
) -> None:
    await bring_up(database_url, write_migrations(FIRST), "Alice")
    with pytest.raises(MigrationFailed, match=r"0003_step\.sql"):
        await bring_up(database_url, write_migrations(FIRST, SECOND, "CREATE TABLE a (x); SELECT nothing;"))
    assert look(database_path, "SELECT max(version) FROM schema_migrations") == [(2,)]
    assert look(database_path, "SELECT 1 FROM sqlite_schema WHERE name = 'a'") == []


async def test_a_failed_first_migration_leaves_no_file_that_looks_like_a_database(
    database_url: str, database_path: Path, write_migrations: Write
) -> None:
    with pytest.raises(MigrationFailed) as caught:
        await bring_up(database_url, write_migrations(FIRST + "SELECT nothing;"))
    assert caught.value.path == database_path
    assert {path.name for path in database_path.parent.iterdir()} == {"migrations", "warbot.db.lock"}
    await bring_up(database_url, write_migrations(FIRST), "Alice")


def test_a_failed_migration_leaves_no_transaction_open(tmp_path: Path, write_migrations: Write) -> None:
    migrations = read_migrations(write_migrations(FIRST, "CREATE TABLE a (x); SELECT nothing;"))
    (tmp_path / "a.db").touch()
    with closing(open_connection(tmp_path / "a.db", foreign_keys=False)) as connection:
        with pytest.raises(MigrationFailed):
            migrate(connection, tmp_path / "a.db", migrations, now=0)
        assert not connection.in_transaction
        assert list(applied_versions(connection)) == [1]
        connection.execute("INSERT INTO players (name) VALUES ('Alice')")  # the authorizer is gone too
        connection.execute("BEGIN")


@pytest.mark.parametrize(
    "statement", ["COMMIT;", "ROLLBACK;", "END;", "BEGIN;", "ATTACH 'other.db' AS other;", "VACUUM;"]
)
async def test_a_migration_can_not_leave_its_transaction(
    database_url: str, database_path: Path, write_migrations: Write, statement: str
) -> None:
    await bring_up(database_url, write_migrations(FIRST), "Alice")
    with pytest.raises(MigrationFailed):
        await bring_up(database_url, write_migrations(FIRST, f"DELETE FROM players; {statement}"))
    assert look(database_path, "SELECT name FROM players") == [("Alice",)]


async def test_a_table_can_be_built_anew_without_losing_what_refers_to_it(
    database_url: str, database_path: Path, write_migrations: Write
) -> None:
    seats = "CREATE TABLE seats (player INTEGER NOT NULL REFERENCES players (id) ON DELETE CASCADE) STRICT;"
    rebuild = """
        CREATE TABLE players_new (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
        INSERT INTO players_new SELECT id, name FROM players;
        DROP TABLE players;
        ALTER TABLE players_new RENAME TO players;
    """
    async with connect(database_url, migrations=write_migrations(FIRST + seats)) as database:
        await database.execute("INSERT INTO players (name) VALUES ('Alice')")
        await database.execute("INSERT INTO seats (player) VALUES (1)")
    await bring_up(database_url, write_migrations(FIRST + seats, rebuild))
    assert look(database_path, "SELECT player FROM seats") == [(1,)]


async def test_a_migration_that_breaks_a_foreign_key_is_undone(
    database_url: str, database_path: Path, write_migrations: Write
) -> None:
    seats = "CREATE TABLE seats (player INTEGER NOT NULL REFERENCES players (id)) STRICT;"
    async with connect(database_url, migrations=write_migrations(FIRST + seats)) as database:
        await database.execute("INSERT INTO players (name) VALUES ('Alice')")
        await database.execute("INSERT INTO seats (player) VALUES (1)")
    with pytest.raises(MigrationFailed, match="a row of seats names a row of players that is not there"):
        await bring_up(database_url, write_migrations(FIRST + seats, "DELETE FROM players;"))
    assert look(database_path, "SELECT name FROM players") == [("Alice",)]


async def test_a_migration_of_a_locked_database_is_not_begun(
    database_url: str, database_path: Path, write_migrations: Write
) -> None:
    await bring_up(database_url, write_migrations(FIRST), "Alice")
    folder = write_migrations(FIRST, SECOND)
    with closing(sqlite3.connect(database_path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseLocked):
            await bring_up(database_url, folder)
    assert look(database_path, "SELECT max(version) FROM schema_migrations") == [(1,)]
    await bring_up(database_url, folder, "Bob")


# -- when they may not run, or are not the same


async def test_an_older_schema_is_not_changed_without_the_lock_or_when_not_asked(
    database_url: str, write_migrations: Write
) -> None:
    await bring_up(database_url, write_migrations(FIRST), "Alice")
    folder = write_migrations(FIRST, SECOND)
    with pytest.raises(SchemaOutdated, match="Start the bot once"):
        async with connect(database_url, hold_lock=False, create=False, migrations=folder):
            pass
    async with connect(database_url, hold_lock=False, create=False, migrate=False, migrations=folder) as database:
        assert (database.prepared.version, database.latest_version) == (1, 2)
        assert len(await database.fetch("SELECT name FROM players")) == 1
        with pytest.raises(SchemaOutdated):
            database.require_current_schema()
    await bring_up(database_url, folder)
    async with connect(database_url, hold_lock=False, create=False, migrate=False, migrations=folder) as database:
        database.require_current_schema()


async def test_a_migration_that_was_edited_after_it_ran_is_refused(
    database_url: str, database_path: Path, write_migrations: Write
) -> None:
    await bring_up(database_url, write_migrations(FIRST), "Alice")
    before = database_path.read_bytes()
    with pytest.raises(MigrationChanged, match=r"0001_step\.sql"):
        await bring_up(database_url, write_migrations(FIRST.replace("name TEXT NOT NULL", "name TEXT"), SECOND))
    assert database_path.read_bytes() == before
    await bring_up(database_url, write_migrations(FIRST.replace(" ", "\r\n  ")), "Bob")  # other blanks are no edit


# -- the backup before


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


async def test_a_backup_is_made_before_a_migration_and_holds_the_state_before(
    database_url: str, database_path: Path, write_migrations: Write
) -> None:
    await bring_up(database_url, write_migrations(FIRST), "Alice")
    async with connect(database_url, migrations=write_migrations(FIRST, SECOND, "CREATE TABLE a (x);")) as database:
        backup = database.prepared.backup
    assert backup == database_path.with_name("warbot.db.before-0002.bak")
    assert look(backup, "PRAGMA quick_check") == [("ok",)]
    assert look(backup, "SELECT * FROM players") == [(1, "Alice")]
    assert look(backup, "SELECT max(version) FROM schema_migrations") == [(1,)]
    assert not list(database_path.parent.glob("*.partial*"))
    await bring_up(f"sqlite:///{backup}", write_migrations(FIRST), "Bob")  # it opens as a database of ours


async def test_no_backup_is_made_of_a_database_that_is_just_created(
    database_url: str, database_path: Path, write_migrations: Write
) -> None:
    await bring_up(database_url, write_migrations(FIRST, SECOND))
    assert not list(database_path.parent.glob("*.bak"))


async def test_a_backup_never_overwrites_another_and_restarts_do_not_pile_them_up(
    database_url: str, database_path: Path, write_migrations: Write
) -> None:
    await bring_up(database_url, write_migrations(FIRST), "Alice")
    broken = write_migrations(FIRST, "SELECT nothing;")
    for _ in range(3):  # the same state each time: one backup is enough
        with pytest.raises(MigrationFailed):
            await bring_up(database_url, broken)
    first = database_path.with_name("warbot.db.before-0002.bak")
    assert list(database_path.parent.glob("*.bak")) == [first]
    kept = digest(first)

    await bring_up(database_url, write_migrations(FIRST), "Bob")
    await bring_up(database_url, write_migrations(FIRST, SECOND))
    second = database_path.with_name("warbot.db.before-0002.2.bak")
    assert digest(first) == kept
    assert look(first, "SELECT count(*) FROM players") == [(1,)]
    assert look(second, "SELECT count(*) FROM players") == [(2,)]
