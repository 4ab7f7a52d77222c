"""Statements of many tasks at once: written together, each with an answer of its own."""

from __future__ import annotations

import asyncio

import pytest

from db.database import Database
from db.errors import ArgumentInvalid, DatabaseClosed, UniqueViolation

FRAME = 4096 + 24
"""Bytes of the smallest commit in the -wal file: a page and its header."""


async def test_statements_that_come_at_once_share_a_commit(table: Database) -> None:
    log = table.path.with_name(table.path.name + "-wal")
    await table.execute("UPDATE players SET wins = 0")
    before = log.stat().st_size
    rows = await asyncio.gather(
        *(table.execute("UPDATE players SET wins = wins + 1 RETURNING wins") for _ in range(200))
    )
    assert [row[0]["wins"] for row in rows] == list(range(1, 201)), "first come, first served"
    assert (log.stat().st_size - before) / FRAME < 20, "far fewer commits than statements"


async def test_one_that_fails_fails_alone(table: Database) -> None:
    async def add(name: str) -> object:
        return (await table.execute("INSERT INTO players (name) VALUES ($1) RETURNING name", name))[0]["name"]

    names = [f"player {number}" for number in range(20)]
    work = [add(name) for name in names[:10]] + [add("Alice")] + [add(name) for name in names[10:]]
    wrong = table.execute("UPDATE players SET wins = $1")
    *added, argument = await asyncio.gather(*work, wrong, return_exceptions=True)
    assert isinstance(argument, ArgumentInvalid)
    assert isinstance(added.pop(10), UniqueViolation)
    assert added == names
    stored = await table.fetch("SELECT name FROM players ORDER BY id")
    assert [row["name"] for row in stored] == ["Alice", *names], "and nothing was done twice"


async def test_a_group_waits_for_a_transaction_and_a_transaction_for_a_group(table: Database) -> None:
    async def win_in_a_transaction() -> None:
        async with table.transaction() as transaction:
            rows = await transaction.fetch("SELECT wins FROM players WHERE id = 1")
            await asyncio.sleep(0)
            await transaction.execute("UPDATE players SET wins = $1 WHERE id = 1", rows[0]["wins"] + 1)

    work = []
    for _ in range(30):
        work += [win_in_a_transaction(), table.execute("UPDATE players SET wins = wins + 1 WHERE id = 1")]
    await asyncio.gather(*work)
    assert (await table.fetch("SELECT wins FROM players WHERE id = 1"))[0]["wins"] == 60


async def test_what_still_waits_when_the_database_is_closed_is_told_so(table: Database) -> None:
    async with table.transaction():
        waiting = [asyncio.create_task(table.execute("UPDATE players SET wins = 9")) for _ in range(3)]
        await asyncio.sleep(0)
        closing = asyncio.create_task(table.close())
        await asyncio.sleep(0)
    await closing
    for each in waiting:
        with pytest.raises(DatabaseClosed):
            await each
