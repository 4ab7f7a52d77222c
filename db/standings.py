"""Standings: a tally of results per server, kept in the transaction that ends a match."""

from __future__ import annotations

from dataclasses import dataclass

from db.database import Database, Row, Statements
from db.people import Person

PAGE = 10
"""Rows on a page of the leaderboard."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Somebody's row: `rank` from 1, equal wins in equally many matches share it."""

    rank: int
    person: Person
    wins: int
    draws: int
    losses: int
    played: int


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the leaderboard, from 0; `pages` is at least 1; `own` is the asker's row wherever it stands."""

    number: int
    pages: int
    rows: tuple[Standing, ...]
    own: Standing | None


async def add(tx: Statements, guild_id: int, kind: str, person_id: int, result: str) -> None:
    """Count one result ("win", "draw" or "loss")."""
    await tx.execute(
        "INSERT INTO standings (guild_id, kind, person_id, wins, draws, losses, played)"
        " VALUES ($1, $2, $3, $4, $5, $6, 1) ON CONFLICT (guild_id, kind, person_id) DO UPDATE SET"
        " wins = standings.wins + excluded.wins, draws = standings.draws + excluded.draws,"
        " losses = standings.losses + excluded.losses, played = standings.played + 1",
        guild_id,
        kind,
        person_id,
        int(result == "win"),
        int(result == "draw"),
        int(result == "loss"),
    )


_ROW = (
    "SELECT s.person_id, p.user_id, p.name, s.wins, s.draws, s.losses, s.played"
    " FROM standings s JOIN people p ON p.id = s.person_id WHERE s.guild_id = $1 AND s.kind = $2"
)
_ORDER = " ORDER BY s.wins DESC, s.played, s.person_id"


async def page(db: Database, guild_id: int, kind: str, number: int, asker_user_id: int) -> Page:
    """The leaderboard of a server by wins, then by fewer matches. A page past the end is the last one.

    Nothing here counts people one by one: `standings_wins` and `standings_records` say how many have each record.
    """
    count = await db.fetch_one(
        "SELECT coalesce(sum(people), 0) AS n FROM standings_wins WHERE guild_id = $1 AND kind = $2", guild_id, kind
    )
    pages = 1 if count is None else max(1, -(-count["n"] // PAGE))
    number = max(0, min(number, pages - 1))
    rows = await _rows(db, guild_id, kind, number * PAGE)
    own = await db.fetch_one(_ROW + " AND p.user_id = $3", guild_id, kind, asker_user_id)
    return Page(
        number=number,
        pages=pages,
        rows=await _ranked(db, guild_id, kind, rows, number * PAGE),
        own=None if own is None else _standing(own, await _rank(db, guild_id, kind, own)),
    )


async def _rows(db: Statements, guild_id: int, kind: str, before: int) -> list[Row]:
    """A page of rows that so many others come before. Only those with the record that the page begins in are walked
    over; an OFFSET from the top would walk over all."""
    first = await db.fetch_one(
        "SELECT wins, upto - people AS above FROM (SELECT wins, people, sum(people) OVER"
        " (ORDER BY wins DESC ROWS UNBOUNDED PRECEDING) AS upto FROM standings_wins"
        " WHERE guild_id = $1 AND kind = $2) AS r WHERE upto > $3 ORDER BY wins DESC LIMIT 1",
        guild_id,
        kind,
        before,
    )
    if first is None:
        return []
    played, skip = 0, before - first["above"]
    for record in await db.fetch(
        "SELECT played, people FROM standings_records WHERE guild_id = $1 AND kind = $2 AND wins = $3 ORDER BY played",
        guild_id,
        kind,
        first["wins"],
    ):
        played = record["played"]
        if skip < record["people"]:
            break
        skip -= record["people"]
    rows = await db.fetch(
        "SELECT s.person_id, p.user_id, p.name, s.wins, s.draws, s.losses, s.played"
        " FROM (SELECT guild_id, kind, person_id FROM standings WHERE guild_id = $1 AND kind = $2 AND wins = $3"
        " AND played >= $4 ORDER BY wins DESC, played, person_id LIMIT $5 OFFSET $6) AS k"
        " JOIN standings s ON s.guild_id = k.guild_id AND s.kind = k.kind AND s.person_id = k.person_id"
        " JOIN people p ON p.id = s.person_id" + _ORDER,
        guild_id,
        kind,
        first["wins"],
        played,
        PAGE,
        skip,
    )
    if len(rows) < PAGE:
        fewer_wins = _ROW + " AND s.wins < $3" + _ORDER + " LIMIT $4"
        rows += await db.fetch(fewer_wins, guild_id, kind, first["wins"], PAGE - len(rows))
    return rows


async def _rank(db: Statements, guild_id: int, kind: str, row: Row) -> int:
    """1 and how many have a better record."""
    better = await db.fetch_one(
        "SELECT (SELECT coalesce(sum(people), 0) FROM standings_wins WHERE guild_id = $1 AND kind = $2 AND wins > $3)"
        " + (SELECT coalesce(sum(people), 0) FROM standings_records WHERE guild_id = $1 AND kind = $2 AND wins = $3"
        " AND played < $4) AS n",
        guild_id,
        kind,
        row["wins"],
        row["played"],
    )
    return 1 if better is None else better["n"] + 1


async def _ranked(db: Statements, guild_id: int, kind: str, rows: list[Row], before: int) -> tuple[Standing, ...]:
    """The rows of a page, with so many others before it: equals share the rank of the first of them."""
    ranked: list[Standing] = []
    for place, row in enumerate(rows, start=before + 1):
        if ranked and (ranked[-1].wins, ranked[-1].played) == (row["wins"], row["played"]):
            rank = ranked[-1].rank
        elif ranked:
            rank = place
        else:
            rank = await _rank(db, guild_id, kind, row)
        ranked.append(_standing(row, rank))
    return tuple(ranked)


def _standing(row: Row, rank: int) -> Standing:
    return Standing(
        rank=rank,
        person=Person(row["person_id"], row["user_id"], row["name"]),
        wins=row["wins"],
        draws=row["draws"],
        losses=row["losses"],
        played=row["played"],
    )


_RECOUNT = (
    "SELECT m.guild_id, m.kind, s.person_id, sum(CASE WHEN s.result = 'win' THEN 1 ELSE 0 END) AS wins,"
    " sum(CASE WHEN s.result = 'draw' THEN 1 ELSE 0 END) AS draws,"
    " sum(CASE WHEN s.result = 'loss' THEN 1 ELSE 0 END) AS losses, count(*) AS played"
    " FROM matches m JOIN match_seats s ON s.match_id = m.id WHERE m.status = 'over' AND m.counted = 1"
    " GROUP BY m.guild_id, m.kind, s.person_id"
)

Tally = dict[tuple[int, str, int], tuple[int, int, int, int]]
"""(server, kind, person) -> (wins, draws, losses, played)."""


async def tallies(db: Statements) -> tuple[Tally, Tally]:
    """What the standings say, and what a recount of the stored results gives."""
    stored = await db.fetch("SELECT guild_id, kind, person_id, wins, draws, losses, played FROM standings")
    counted = await db.fetch(_RECOUNT)
    return _tally(stored), _tally(counted)


async def put(tx: Statements, key: tuple[int, str, int], tally: tuple[int, int, int, int]) -> None:
    """Set somebody's row, or take it away where nothing was played."""
    guild_id, kind, person_id = key
    wins, draws, losses, played = tally
    await tx.execute(
        "DELETE FROM standings WHERE guild_id = $1 AND kind = $2 AND person_id = $3", guild_id, kind, person_id
    )
    if played:
        await tx.execute(
            "INSERT INTO standings (guild_id, kind, person_id, wins, draws, losses, played)"
            " VALUES ($1, $2, $3, $4, $5, $6, $7)",
            guild_id,
            kind,
            person_id,
            wins,
            draws,
            losses,
            played,
        )


def _tally(rows: list[Row]) -> Tally:
    return {
        (row["guild_id"], row["kind"], row["person_id"]): (
            row["wins"],
            row["draws"],
            row["losses"],
            row["played"],
        )
        for row in rows
    }
