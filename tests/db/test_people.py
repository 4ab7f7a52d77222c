"""People are one table: whoever is seen again is the same person under the newest name."""

from __future__ import annotations

import asyncio

import pytest

from db import people
from db.database import Database


async def names(db: Database) -> list[tuple[int, str]]:
    return [(row["user_id"], row["name"]) for row in await db.fetch("SELECT user_id, name FROM people ORDER BY id")]


async def test_somebody_new_is_remembered(database: Database) -> None:
    person = await people.remember(database, 2**63 - 1, "Alice")
    assert (person.user_id, person.name) == (2**63 - 1, "Alice")
    assert await names(database) == [(2**63 - 1, "Alice")]


async def test_somebody_known_keeps_the_key_and_takes_the_new_name(database: Database) -> None:
    first = await people.remember(database, 5, "Alice")
    await people.remember(database, 6, "Bob")
    again = await people.remember(database, 5, "Alicia")
    assert (again.id, again.name) == (first.id, "Alicia")
    assert await names(database) == [(5, "Alicia"), (6, "Bob")]


async def test_somebody_seen_twice_at_once_is_one_person(database: Database) -> None:
    seen = await asyncio.gather(*(people.remember(database, 5, "Alice") for _ in range(5)))
    assert len({person.id for person in seen}) == 1


@pytest.mark.parametrize("name", ["", "'; DROP TABLE people; --", "Zoë 🃏", "\u202egnp", "a" * 5_000, "$1 ?1 :x"])
async def test_any_text_is_a_name_and_is_kept_as_it_is(database: Database, name: str) -> None:
    assert (await people.remember(database, 5, name)).name == name
    assert await names(database) == [(5, name)]


@pytest.mark.parametrize(("name", "kept"), [("half \ud83c of a card", "half ? of a card"), ("nul\0l", "nul?l")])
async def test_what_no_database_takes_is_replaced(database: Database, name: str, kept: str) -> None:
    assert (await people.remember(database, 5, name)).name == kept
    assert await names(database) == [(5, kept)]
