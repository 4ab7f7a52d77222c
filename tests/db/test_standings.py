"""The leaderboard: ranks, ties, pages, one's own row, and the recount that holds it to the stored results."""

from __future__ import annotations

from typing import Any

import pytest

from db import people, standings
from db.database import Database
from db.standings import PAGE, Page

GUILD = 1


async def count(db: Database, results: dict[int, str], *, guild: int = GUILD, kind: str = "match") -> None:
    """Count "W", "D" and "L" for each user, in one transaction."""
    words = {"W": "win", "D": "draw", "L": "loss"}
    async with db.transaction() as tx:
        for user, letters in results.items():
            person = await people.remember(tx, user, f"Player {user}")
            for letter in letters:
                await standings.add(tx, guild, kind, person.id, words[letter])


def ranks(page: Page) -> list[tuple[int, int]]:
    return [(row.rank, row.person.user_id) for row in page.rows]


async def test_an_empty_leaderboard_is_one_page_without_rows(database: Database) -> None:
    assert await standings.page(database, GUILD, "match", 0, 5) == Page(number=0, pages=1, rows=(), own=None)


async def test_results_add_up(database: Database) -> None:
    await count(database, {1: "WWLD"})
    await count(database, {1: "W"})
    row = (await standings.page(database, GUILD, "match", 0, 1)).rows[0]
    assert (row.rank, row.wins, row.draws, row.losses, row.played) == (1, 3, 1, 1, 5)
    assert row.person.name == "Player 1"


async def test_more_wins_rank_higher_then_fewer_matches_and_equals_share_the_rank(database: Database) -> None:
    await count(database, {1: "WL", 2: "WW", 3: "W", 4: "WD", 5: "LL", 6: "WWLLL"})
    assert ranks(await standings.page(database, GUILD, "match", 0, 0)) == [
        (1, 2),
        (2, 6),
        (3, 3),
        (4, 1),
        (4, 4),
        (6, 5),
    ]


async def test_servers_and_kinds_are_told_apart(database: Database) -> None:
    await count(database, {1: "W"})
    await count(database, {2: "WW"}, guild=2)
    await count(database, {3: "WWW"}, kind="quick")
    for guild, kind, user in [(1, "match", 1), (2, "match", 2), (1, "quick", 3)]:
        assert ranks(await standings.page(database, guild, kind, 0, 0)) == [(1, user)]


async def test_pages_are_whole_and_meet_without_gap_or_overlap(database: Database) -> None:
    players = 2 * PAGE + 3
    await count(database, {user: "W" * (user % 4) + "L" for user in range(1, players + 1)})
    pages = [await standings.page(database, GUILD, "match", number, 0) for number in range(3)]
    assert [len(page.rows) for page in pages] == [PAGE, PAGE, 3]
    assert {page.pages for page in pages} == {3}
    rows = [row for page in pages for row in page.rows]
    assert len({row.person.id for row in rows}) == players
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)
    for row in rows:
        assert row.rank == 1 + sum(other.wins > row.wins for other in rows)  # all played one more than they won


@pytest.mark.parametrize(("asked", "given"), [(-1, 0), (0, 0), (1, 1), (2, 1), (2**62, 1)])
async def test_a_page_outside_is_the_nearest_one(database: Database, asked: int, given: int) -> None:
    await count(database, dict.fromkeys(range(1, PAGE + 2), "W"))
    page = await standings.page(database, GUILD, "match", asked, 0)
    assert (page.number, page.pages) == (given, 2)


async def test_a_full_last_page_is_the_last_one(database: Database) -> None:
    await count(database, dict.fromkeys(range(1, PAGE + 1), "W"))
    assert (await standings.page(database, GUILD, "match", 0, 0)).pages == 1


async def test_ones_own_row_is_there_wherever_it_stands(database: Database) -> None:
    await count(database, dict.fromkeys(range(1, 3 * PAGE), "W" * 9))
    await count(database, {99: "L"})
    page = await standings.page(database, GUILD, "match", 0, 99)
    assert page.own is not None
    assert (page.own.rank, page.own.person.user_id, page.own.losses) == (3 * PAGE, 99, 1)
    assert 99 not in [row.person.user_id for row in page.rows]
    assert (await standings.page(database, GUILD, "match", 0, 98)).own is None
    assert (await standings.page(database, GUILD, "quick", 0, 99)).own is None


async def test_a_recount_of_played_matches_gives_the_standings(database: Database, tables: Any) -> None:
    for host, invited in [(1, 2), (2, 3), (1, 3), (1, 2)]:
        await tables.finish(await tables.live(host, invited))
    await tables.finish(await tables.live_table(1, 2, 3, 4))
    for _ in range(7):
        await tables.quick(1, 2)  # two of them are beyond what counts in a day
    await tables.house(1)
    stored, counted = await standings.tallies(database)
    assert stored == counted
    assert {kind for _, kind, _ in stored} == {"match", "quick"}
    assert sum(played for *_, played in stored.values()) == 4 * 2 + 4 + 5 * 2


async def test_every_page_and_every_own_row_agree_with_a_plain_sort(database: Database) -> None:
    """Many share a record, and pages begin in the middle of those."""
    letters = ["", "L", "LL", "W", "WL", "WLL", "WW"]
    people_there = {user: letters[user * user % 7] + "D" * (user % 2) for user in range(1, 96)}
    await count(database, people_there)

    def record(user: int) -> tuple[int, int]:
        return (-people_there[user].count("W"), len(people_there[user]))

    playing = [user for user in people_there if people_there[user]]
    order = sorted(playing, key=record)  # who was counted first comes first among equals
    rank = {user: 1 + sum(record(other) < record(user) for other in playing) for user in playing}
    shown = []
    for number in range(-(-len(order) // PAGE)):
        page = await standings.page(database, GUILD, "match", number, order[number])
        shown += ranks(page)
        assert page.own is not None
        assert page.own.rank == rank[order[number]]
    assert shown == [(rank[user], user) for user in order]


async def test_the_tally_of_records_follows_whatever_changes_standings(database: Database) -> None:
    await count(database, {1: "WWL", 2: "WL", 3: "LLL"})
    async with database.transaction() as tx:
        await standings.put(tx, (GUILD, "match", 2), (0, 0, 0, 0))
        await standings.put(tx, (GUILD, "match", 3), (1, 0, 0, 1))
    await database.execute("UPDATE standings SET wins = 0, draws = 2 WHERE person_id = 1")
    counted = await database.fetch(
        "SELECT wins, played, count(*) AS people FROM standings GROUP BY wins, played ORDER BY wins, played"
    )
    kept = await database.fetch("SELECT wins, played, people FROM standings_records ORDER BY wins, played")
    assert [tuple(row) for row in kept] == [tuple(row) for row in counted]
    by_wins = await database.fetch("SELECT wins, people FROM standings_wins WHERE people > 0 ORDER BY wins")
    assert [tuple(row) for row in by_wins] == [(0, 1), (1, 1)]
