"""An open database: statements and transactions, from many tasks, cancelled ones and other processes."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from subprocess import Popen

import pytest

import db.database
from db.database import Database, connect
from db.errors import (
    ArgumentInvalid,
    CheckViolation,
    ConstraintViolation,
    DatabaseClosed,
    DatabaseLocked,
    DiskFull,
    ForeignKeyViolation,
    NotNullViolation,
    StatementError,
    TransactionAborted,
    TransactionNested,
    TransactionOver,
    UniqueViolation,
)

SCHEMA = """
    CREATE TABLE players (
        id     INTEGER PRIMARY KEY,
        name   TEXT    NOT NULL,
        wins   INTEGER NOT NULL DEFAULT 0 CONSTRAINT wins_are_counted_up CHECK (wins >= 0),
        photo  BLOB
    ) STRICT;
    CREATE UNIQUE INDEX players_by_name ON players (name);
    CREATE UNIQUE INDEX photos_by_size ON players (length(photo)) WHERE length(photo) > 100;
    CREATE TABLE seats (
        player  INTEGER NOT NULL REFERENCES players (id),
        chair   INTEGER NOT NULL REFERENCES players (id) DEFERRABLE INITIALLY DEFERRED,
        UNIQUE (player, chair)
    ) STRICT;
"""

Start = Callable[..., "Popen[str]"]


@pytest.fixture
async def table(database_url: str, write_migrations: Callable[..., Path]) -> AsyncIterator[Database]:
    """A database with SCHEMA and one player, Alice, with id 1."""
    async with connect(database_url, migrations=write_migrations(SCHEMA)) as database:
        await database.execute("INSERT INTO players (name) VALUES ($1)", "Alice")
        yield database


async def names(database: Database) -> list[str]:
    return [row["name"] for row in await database.fetch("SELECT name FROM players ORDER BY id")]


# -- statements


async def test_a_row_is_read_by_name_and_by_position(table: Database) -> None:
    row = await table.fetch_one("SELECT id, name, wins AS victories FROM players")
    assert row is not None
    assert (row["name"], row[1], len(row), list(row)) == ("Alice", "Alice", 3, [1, "Alice", 0])
    assert dict(row) == {"id": 1, "name": "Alice", "victories": 0}
    assert await table.fetch_one("SELECT 1 FROM players WHERE id = $1", 99) is None


async def test_arguments_of_every_kind_come_back_as_they_were(table: Database) -> None:
    row = await table.fetch_one("SELECT $1, $2, $3, $4, $5", 2**63 - 1, "ä\0♠", b"\0\xff", None, 0.1)
    assert row is not None
    assert list(row) == [2**63 - 1, "ä\0♠", b"\0\xff", None, 0.1]


async def test_placeholders_are_numbers_so_one_may_appear_twice_and_in_any_order(table: Database) -> None:
    await table.execute("UPDATE players SET wins = $2 WHERE id = $1 OR id = $1 + $2", 1, 7)
    row = await table.fetch_one("SELECT $2 AS b, $1 AS a, $2 || $1 || $2 AS all_of_it", "1", "2")
    assert row is not None
    assert dict(row) == {"b": "2", "a": "1", "all_of_it": "212"}
    assert (await table.fetch("SELECT wins FROM players"))[0]["wins"] == 7


async def test_more_than_nine_placeholders_are_told_apart(table: Database) -> None:
    row = await table.fetch_one("SELECT " + ", ".join(f"${n}" for n in range(1, 13)), *range(1, 13))
    assert row is not None
    assert list(row) == list(range(1, 13))


@pytest.mark.parametrize(
    ("sql", "arguments"),
    [
        ("SELECT $1, $2", (1,)),
        ("SELECT $1", (1, 2)),
        ("SELECT 1", (1,)),
        ("SELECT $2", (1,)),
        ("SELECT $1", (2**63,)),
        ("SELECT $1", ("\ud800",)),
    ],
    ids=["too few", "too many", "none asked for", "a gap", "beyond 64 bits", "half a surrogate pair"],
)
async def test_arguments_that_do_not_fit_are_refused(
    table: Database, sql: str, arguments: tuple[int | str, ...]
) -> None:
    with pytest.raises(ArgumentInvalid) as caught:
        await table.fetch(sql, *arguments)
    assert caught.value.sql == sql
    with pytest.raises(ArgumentInvalid):
        await table.execute(sql, *arguments)
    assert await names(table) == ["Alice"]


async def test_execute_gives_the_rows_of_returning_and_commits_them(table: Database) -> None:
    rows = await table.execute(
        "INSERT INTO players (name) VALUES ($1), ($2) RETURNING id, name", "Bob", "Carol"
    )
    assert [tuple(row) for row in rows] == [(2, "Bob"), (3, "Carol")]
    assert await names(table) == ["Alice", "Bob", "Carol"]
    assert await table.execute("UPDATE players SET wins = 1 WHERE id = $1 RETURNING id", 99) == []


@pytest.mark.parametrize(
    "sql",
    ["INSERT INTO players (name) VALUES ('Eve') RETURNING id", "DELETE FROM players", "DROP TABLE seats"],
)
async def test_fetch_does_not_write(table: Database, sql: str) -> None:
    with pytest.raises(StatementError, match="use execute"):
        await table.fetch(sql)
    assert await names(table) == ["Alice"]


@pytest.mark.parametrize("sql", ["SELEC 1", "SELECT nothing FROM players", "SELECT 1; SELECT 2"])
async def test_a_wrong_statement_is_named_without_its_arguments(table: Database, sql: str) -> None:
    with pytest.raises(StatementError) as caught:
        await table.execute(sql)
    assert sql in str(caught.value)
    with pytest.raises(StatementError) as caught:
        await table.execute("INSERT INTO players (name) VALUES ($1)", "Alice")
    assert "Alice" not in str(caught.value)


# -- what the schema forbids


async def test_a_unique_violation_names_its_columns(table: Database) -> None:
    with pytest.raises(UniqueViolation) as caught:
        await table.execute("INSERT INTO players (name) VALUES ($1)", "Alice")
    assert caught.value.columns == ("players.name",)
    with pytest.raises(UniqueViolation) as caught:
        await table.execute("INSERT INTO players (id, name) VALUES ($1, $2)", 1, "Bob")
    assert caught.value.columns == ("players.id",)
    await table.execute("INSERT INTO seats (player, chair) VALUES (1, 1)")
    with pytest.raises(UniqueViolation) as caught:
        await table.execute("INSERT INTO seats (player, chair) VALUES (1, 1)")
    assert caught.value.columns == ("seats.player", "seats.chair")


async def test_a_unique_violation_of_an_expression_names_its_index(table: Database) -> None:
    await table.execute("UPDATE players SET photo = $1", b"x" * 200)
    with pytest.raises(UniqueViolation) as caught:
        await table.execute("INSERT INTO players (name, photo) VALUES ($1, $2)", "Bob", b"y" * 200)
    assert (caught.value.index, caught.value.columns) == ("photos_by_size", ())


async def test_foreign_keys_are_on(table: Database) -> None:
    with pytest.raises(ForeignKeyViolation):
        await table.execute("INSERT INTO seats (player, chair) VALUES (99, 1)")
    await table.execute("INSERT INTO seats (player, chair) VALUES (1, 1)")
    with pytest.raises(ForeignKeyViolation):
        await table.execute("DELETE FROM players")
    assert await names(table) == ["Alice"]


async def test_check_null_and_type_violations_say_what_they_are_about(table: Database) -> None:
    with pytest.raises(CheckViolation) as check:
        await table.execute("UPDATE players SET wins = -1")
    assert check.value.constraint == "wins_are_counted_up"
    with pytest.raises(NotNullViolation) as null:
        await table.execute("UPDATE players SET name = $1", None)
    assert null.value.column == "players.name"
    with pytest.raises(ConstraintViolation, match=r"TEXT value in INTEGER column players\.wins"):
        await table.execute("UPDATE players SET wins = $1", "many")


# -- transactions


async def test_a_transaction_sees_its_own_changes_and_others_only_what_is_committed(table: Database) -> None:
    async with table.transaction() as transaction:
        rows = await transaction.execute("INSERT INTO players (name) VALUES ($1) RETURNING id", "Bob")
        assert rows[0]["id"] == 2
        assert len(await transaction.fetch("SELECT 1 FROM players")) == 2
        assert await names(table) == ["Alice"]
    assert await names(table) == ["Alice", "Bob"]


async def test_an_exception_in_the_block_undoes_all_of_it(table: Database) -> None:
    async def fail() -> None:
        async with table.transaction() as transaction:
            await transaction.execute("INSERT INTO players (name) VALUES ($1)", "Bob")
            raise LookupError

    with pytest.raises(LookupError):
        await fail()
    assert await names(table) == ["Alice"]
    await table.execute("INSERT INTO players (name) VALUES ($1)", "Carol")
    assert await names(table) == ["Alice", "Carol"]


async def test_a_deferred_foreign_key_fails_at_the_commit_and_undoes_all(table: Database) -> None:
    async def sit_on_nothing() -> None:
        async with table.transaction() as transaction:
            await transaction.execute("UPDATE players SET wins = 5")
            await transaction.execute("INSERT INTO seats (player, chair) VALUES (1, 99)")

    with pytest.raises(ForeignKeyViolation):
        await sit_on_nothing()
    assert (await table.fetch("SELECT wins FROM players"))[0]["wins"] == 0
    async with table.transaction() as transaction:
        await transaction.execute("UPDATE players SET wins = 6")
    assert (await table.fetch("SELECT wins FROM players"))[0]["wins"] == 6


async def test_after_a_failed_statement_a_transaction_takes_no_other(
    table: Database,
) -> None:
    async def go_on() -> None:
        async with table.transaction() as transaction:
            await transaction.execute("UPDATE players SET wins = 5")
            with pytest.raises(UniqueViolation):
                await transaction.execute("INSERT INTO players (name) VALUES ($1)", "Alice")
            with pytest.raises(TransactionAborted):
                await transaction.execute("UPDATE players SET wins = 6")
            with pytest.raises(TransactionAborted):
                await transaction.fetch_one("SELECT 1")

    with pytest.raises(TransactionAborted):  # at the end of the block, which hides what went wrong inside
        await go_on()
    assert (await table.fetch("SELECT wins FROM players"))[0]["wins"] == 0


async def test_a_transaction_that_has_ended_takes_no_statement(table: Database) -> None:
    async with table.transaction() as ended:
        pass
    with pytest.raises(TransactionOver):
        await ended.execute("DELETE FROM players")
    with pytest.raises(TransactionOver):
        await ended.fetch("SELECT 1")
    assert await names(table) == ["Alice"]


async def test_asking_for_the_writer_inside_a_transaction_is_no_deadlock(
    table: Database,
) -> None:
    async with asyncio.timeout(10), table.transaction() as transaction:
        with pytest.raises(TransactionNested):
            await table.execute("UPDATE players SET wins = 1")
        with pytest.raises(TransactionNested):
            async with table.transaction():
                pass
        await transaction.execute("UPDATE players SET wins = 2")
    assert (await table.fetch("SELECT wins FROM players"))[0]["wins"] == 2


# -- many tasks


async def test_transactions_of_many_tasks_do_not_mix(table: Database) -> None:
    async def win(*, fail: bool) -> None:
        async with table.transaction() as transaction:
            row = await transaction.fetch_one("SELECT wins FROM players WHERE id = 1")
            assert row is not None
            await asyncio.sleep(0)
            await transaction.execute("UPDATE players SET wins = $1 WHERE id = 1", row["wins"] + 1)
            await asyncio.sleep(0)
            if fail:
                raise LookupError

    tasks = [win(fail=number % 3 == 0) for number in range(60)]
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(end) for end in ends] == [LookupError, type(None), type(None)] * 20
    assert (await table.fetch("SELECT wins FROM players"))[0]["wins"] == 40


async def test_statements_of_other_tasks_stay_out_of_a_transaction(table: Database) -> None:
    inside, leave = asyncio.Event(), asyncio.Event()

    async def fail_slowly() -> None:
        async with table.transaction() as transaction:
            await transaction.execute("UPDATE players SET wins = 1000")
            inside.set()
            await leave.wait()
            raise LookupError

    failing = asyncio.create_task(fail_slowly())
    await inside.wait()
    other = asyncio.create_task(table.execute("UPDATE players SET wins = wins + 1 RETURNING wins"))
    assert (await table.fetch("SELECT wins FROM players"))[0]["wins"] == 0
    assert not other.done()
    leave.set()
    assert (await other)[0]["wins"] == 1
    with pytest.raises(LookupError):
        await failing


async def test_fifty_tasks_execute_at_once_and_none_is_lost(table: Database) -> None:
    rows = await asyncio.gather(
        *(table.execute("UPDATE players SET wins = wins + 1 RETURNING wins") for _ in range(50))
    )
    assert sorted(row[0]["wins"] for row in rows) == list(range(1, 51))


# -- cancelled tasks


async def test_a_task_cancelled_at_any_point_leaves_all_or_nothing(
    table: Database,
) -> None:
    """The cancellation comes later and later, until the task is through before it."""

    async def work(number: int) -> None:
        async with table.transaction() as transaction:
            await transaction.execute("INSERT INTO players (name) VALUES ($1)", f"first {number}")
            await transaction.execute("INSERT INTO players (name) VALUES ($1)", f"second {number}")

    kept, undone, number, wait, finished = 0, 0, 0, 0, False
    while not finished or number < 50:
        number += 1
        task = asyncio.create_task(work(number))
        for _ in range(wait):
            await asyncio.sleep(0)
        finished = task.done()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        found = {name for name in await names(table) if name.endswith(f" {number}")}
        assert found in (set(), {f"first {number}", f"second {number}"})
        kept, undone = kept + bool(found), undone + (not found)
        await table.execute("UPDATE players SET wins = $1 WHERE id = 1", number)
        assert (await table.fetch("SELECT wins FROM players WHERE id = 1"))[0]["wins"] == number
        wait = 0 if finished else int(wait * 1.1) + 1
    assert kept
    assert undone


async def test_a_task_cancelled_inside_its_block_is_rolled_back_at_once(table: Database) -> None:
    inside = asyncio.Event()

    async def wait_for_ever() -> None:
        async with table.transaction() as transaction:
            await transaction.execute("UPDATE players SET wins = 5")
            inside.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(wait_for_ever())
    await inside.wait()
    task.cancel()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    rows = await table.execute("UPDATE players SET wins = wins + 1 RETURNING wins")
    assert rows[0]["wins"] == 1


SLOW = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) "


@pytest.mark.parametrize("cancellations", [1, 3])
async def test_a_statement_that_has_begun_is_done_before_the_cancellation_is_raised(
    table: Database, cancellations: int
) -> None:
    task = asyncio.create_task(
        table.execute(SLOW + "INSERT INTO players (name, wins) SELECT 'Bob', count(*) FROM n")
    )
    for _ in range(5):  # enough for the statement to be handed to the thread, which takes far longer
        await asyncio.sleep(0)
    for _ in range(cancellations):
        task.cancel()
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await names(table) == ["Alice", "Bob"]


async def test_a_statement_that_fails_after_its_task_was_cancelled_is_logged(
    table: Database, caplog: pytest.LogCaptureFixture
) -> None:
    task = asyncio.create_task(
        table.execute(SLOW + "INSERT INTO players (name, wins) SELECT 'Alice', count(*) FROM n")
    )
    for _ in range(5):
        await asyncio.sleep(0)
    task.cancel()
    with caplog.at_level(logging.WARNING), pytest.raises(asyncio.CancelledError):
        await task
    assert "UNIQUE constraint failed" in caplog.text


async def test_a_task_cancelled_while_it_waits_for_its_turn_changes_nothing(table: Database) -> None:
    async with table.transaction():
        waiting = asyncio.create_task(table.execute("UPDATE players SET wins = 5"))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    assert (await table.execute("UPDATE players SET wins = wins + 1 RETURNING wins"))[0]["wins"] == 1


# -- other programs, a full disk

HOLD_WRITE_LOCK = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
connection.execute("UPDATE players SET wins = wins + 100")
print("locked", flush=True)
sys.stdin.readline()
connection.execute("COMMIT")
print("free", flush=True)
"""


async def test_a_lock_of_another_program_that_lasts_too_long_is_an_error_and_nothing_is_lost(
    table: Database, start_process: Start
) -> None:
    await table.execute("UPDATE players SET wins = 1")
    other = start_process(HOLD_WRITE_LOCK, table.path)
    assert other.stdout is not None
    assert other.stdin is not None
    assert other.stdout.readline() == "locked\n"

    writing = asyncio.create_task(table.execute("UPDATE players SET wins = wins + 1"))
    assert (await table.fetch("SELECT wins FROM players"))[0]["wins"] == 1  # reading goes on meanwhile
    with pytest.raises(DatabaseLocked, match="locked for more than"):
        await writing
    entered = False
    with pytest.raises(DatabaseLocked):
        async with table.transaction():
            entered = True
    assert not entered

    other.stdin.write("\n")
    other.stdin.flush()
    assert other.stdout.readline() == "free\n"
    rows = await table.execute("UPDATE players SET wins = wins + 1 RETURNING wins")
    assert rows[0]["wins"] == 102


async def test_a_full_disk_undoes_the_transaction_and_leaves_the_writer_usable(table: Database) -> None:
    pages = (await table.fetch("PRAGMA page_count"))[0][0]
    await table.execute(f"PRAGMA max_page_count = {pages + 3}")

    async def write_too_much() -> None:
        async with table.transaction() as transaction:
            await transaction.execute("UPDATE players SET wins = 5")
            await transaction.execute("UPDATE players SET photo = $1", b"x" * 50_000)

    with pytest.raises(DiskFull):
        await write_too_much()
    assert [tuple(row) for row in await table.fetch("SELECT name, wins FROM players")] == [("Alice", 0)]
    await table.execute("UPDATE players SET wins = 6")
    with pytest.raises(DiskFull):
        await table.execute("INSERT INTO players (name, photo) VALUES ($1, $2)", "Bob", b"x" * 50_000)
    assert [tuple(row) for row in await table.fetch("SELECT name, wins FROM players")] == [("Alice", 6)]


# -- pragmas, bytes in the file


async def test_the_writer_is_as_durable_and_strict_as_planned(table: Database) -> None:
    found = {
        pragma: (await table.execute(f"PRAGMA {pragma}"))[0][0]
        for pragma in ("journal_mode", "synchronous", "foreign_keys", "secure_delete", "busy_timeout")
    }
    assert found.pop("busy_timeout") < 1000
    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "secure_delete": 1}
    assert (await table.fetch("PRAGMA application_id"))[0][0].to_bytes(4, "big") == b"WARB"


def bytes_of(path: Path) -> bytes:
    """The database and its write-ahead log, as they lie on the disk."""
    wal = path.with_name(path.name + "-wal")
    return path.read_bytes() + (wal.read_bytes() if wal.exists() else b"")


async def test_what_was_deleted_is_in_no_byte_of_the_files_after_scrub(table: Database) -> None:
    secret = "somebody who wants to be forgotten"
    assert table.path is not None
    await table.execute("INSERT INTO players (name, photo) VALUES ($1, $2)", secret, secret.encode() * 500)
    await table.scrub()
    assert secret.encode() in bytes_of(table.path)
    await table.execute("UPDATE players SET wins = 1 WHERE name = $1", secret)
    await table.execute("DELETE FROM players WHERE name = $1", secret)
    assert secret.encode() in bytes_of(table.path)  # in the log, and not yet overwritten in the database
    await table.scrub()
    assert secret.encode() not in bytes_of(table.path)
    assert await names(table) == ["Alice"]


async def test_scrub_says_so_when_another_program_reads_and_it_could_not_finish(table: Database) -> None:
    reader = sqlite3.connect(table.path, isolation_level=None)
    try:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM players").fetchone()
        await table.execute("UPDATE players SET wins = 5")
        with pytest.raises(DatabaseLocked):
            await table.scrub()
    finally:
        reader.close()
    await table.scrub()


async def test_the_write_ahead_log_does_not_grow_without_end(table: Database) -> None:
    assert table.path is not None
    wal = table.path.with_name("warbot.db-wal")
    sizes = []
    for number in range(3000):
        await table.execute("UPDATE players SET wins = $1, photo = $2", number, b"x" * 3000)
        sizes.append(wal.stat().st_size)
    assert max(sizes) < 8 * 1024 * 1024
    assert sizes[-1] <= max(sizes[:2000])


# -- closing


async def test_closing_takes_the_log_away_and_refuses_later_work(
    database_url: str, database_path: Path, write_migrations: Callable[..., Path]
) -> None:
    before = set(threading.enumerate())
    async with connect(database_url, migrations=write_migrations(SCHEMA)) as database:
        await database.execute("INSERT INTO players (name) VALUES ('Alice')")
    assert not database_path.with_name("warbot.db-wal").exists()
    for thread in set(threading.enumerate()) - before:
        if "_connection_worker_thread" in thread.name:
            thread.join(10)
            assert not thread.is_alive()
    with pytest.raises(DatabaseClosed):
        await database.fetch("SELECT 1")
    with pytest.raises(DatabaseClosed):
        await database.execute("DELETE FROM players")
    with pytest.raises(DatabaseClosed):
        async with database.transaction():
            pass


async def test_closing_waits_for_the_transaction_of_another_task(
    database_url: str, write_migrations: Callable[..., Path]
) -> None:
    migrations = write_migrations(SCHEMA)
    inside, leave = asyncio.Event(), asyncio.Event()

    async def work(database: Database) -> None:
        async with database.transaction() as transaction:
            await transaction.execute("INSERT INTO players (name) VALUES ('Alice')")
            inside.set()
            await leave.wait()
            await transaction.execute("INSERT INTO players (name) VALUES ('Bob')")

    async with connect(database_url, migrations=migrations) as database:
        working = asyncio.create_task(work(database))
        await inside.wait()
        asyncio.get_running_loop().call_soon(leave.set)
    await working
    async with connect(database_url, migrations=migrations) as database:
        assert await names(database) == ["Alice", "Bob"]


async def test_closing_does_not_wait_for_ever_and_rolls_back(
    database_url: str,
    write_migrations: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(db.database, "CLOSE_PATIENCE", 0.05)
    migrations = write_migrations(SCHEMA)
    inside, leave = asyncio.Event(), asyncio.Event()

    async def hang(database: Database) -> None:
        async with database.transaction() as transaction:
            await transaction.execute("INSERT INTO players (name) VALUES ('Alice')")
            inside.set()
            await leave.wait()

    async with connect(database_url, migrations=migrations) as database:
        hanging = asyncio.create_task(hang(database))
        await inside.wait()
    assert "still open" in caplog.text
    leave.set()
    with pytest.raises(DatabaseClosed):
        await hanging
    async with connect(database_url, migrations=migrations) as database:
        assert await names(database) == []


USE_AND_LEAVE = """
import asyncio, sys
from db.database import connect

async def main():
    async with connect(sys.argv[1]) as database:
        await database.fetch("SELECT 1")
        match sys.argv[2]:
            case "error":
                raise LookupError("on purpose")
            case "cancel":
                asyncio.current_task().cancel()
                await database.fetch("SELECT 1")

asyncio.run(main())
"""


@pytest.mark.parametrize(("how", "status"), [("well", 0), ("error", 1), ("cancel", 1)])
def test_a_process_that_leaves_connect_in_any_way_ends(
    database_url: str, start_process: Start, how: str, status: int
) -> None:
    process = start_process(USE_AND_LEAVE, database_url, how)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == status, errors
    assert ("on purpose" in errors) == (how == "error")
