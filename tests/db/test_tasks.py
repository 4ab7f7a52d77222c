"""An open database used by many tasks, by tasks that are cancelled, beside other programs, and closed."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen

import pytest

import db.database
from db.database import Database, connect
from db.errors import (
    DatabaseClosed,
    DatabaseLocked,
    DiskFull,
)

Start = Callable[..., "Popen[str]"]


async def names(database: Database) -> list[str]:
    return [row["name"] for row in await database.fetch("SELECT name FROM players ORDER BY id")]


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
    task = asyncio.create_task(table.execute(SLOW + "INSERT INTO players (name, wins) SELECT 'Bob', count(*) FROM n"))
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
    task = asyncio.create_task(table.execute(SLOW + "INSERT INTO players (name, wins) SELECT 'Alice', count(*) FROM n"))
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


# -- closing


async def test_closing_takes_the_log_away_and_refuses_later_work(
    database_url: str, database_path: Path, players_schema: Path
) -> None:
    before = set(threading.enumerate())
    async with connect(database_url, migrations=players_schema) as database:
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


async def test_closing_waits_for_the_transaction_of_another_task(database_url: str, players_schema: Path) -> None:
    inside, leave = asyncio.Event(), asyncio.Event()

    async def work(database: Database) -> None:
        async with database.transaction() as transaction:
            await transaction.execute("INSERT INTO players (name) VALUES ('Alice')")
            inside.set()
            await leave.wait()
            await transaction.execute("INSERT INTO players (name) VALUES ('Bob')")

    async with connect(database_url, migrations=players_schema) as database:
        working = asyncio.create_task(work(database))
        await inside.wait()
        asyncio.get_running_loop().call_soon(leave.set)
    await working
    async with connect(database_url, migrations=players_schema) as database:
        assert await names(database) == ["Alice", "Bob"]


async def test_closing_does_not_wait_for_ever_and_rolls_back(
    database_url: str,
    players_schema: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(db.database, "CLOSE_PATIENCE", 0.05)
    inside, leave = asyncio.Event(), asyncio.Event()

    async def hang(database: Database) -> None:
        async with database.transaction() as transaction:
            await transaction.execute("INSERT INTO players (name) VALUES ('Alice')")
            inside.set()
            await leave.wait()

    async with connect(database_url, migrations=players_schema) as database:
        hanging = asyncio.create_task(hang(database))
        await inside.wait()
    assert "still open" in caplog.text
    leave.set()
    with pytest.raises(DatabaseClosed):
        await hanging
    async with connect(database_url, migrations=players_schema) as database:
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
