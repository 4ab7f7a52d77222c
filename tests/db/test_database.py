"""An open database: statements, what the schema forbids, transactions, pragmas, bytes in the file."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from db.database import Database
from db.errors import (
    ArgumentInvalid,
    CheckViolation,
    ConstraintViolation,
    DatabaseLocked,
    ForeignKeyViolation,
    NotNullViolation,
    StatementError,
    TransactionAborted,
    TransactionNested,
    TransactionOver,
    UniqueViolation,
)


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
    rows = await table.execute("INSERT INTO players (name) VALUES ($1), ($2) RETURNING id, name", "Bob", "Carol")
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
