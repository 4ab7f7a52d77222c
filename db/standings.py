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
    "SELECT s.person_id, p.user_id, p.name, s.wins, s.draws, s.losses, s.played,"
    " (SELECT count(*) FROM standings b WHERE b.guild_id = s.guild_id AND b.kind = s.kind"
    " AND (b.wins > s.wins OR (b.wins = s.wins AND b.played < s.played))) + 1 AS rank"
    " FROM standings s JOIN people p ON p.id = s.person_id WHERE s.guild_id = $1 AND s.kind = $2"
)


async def page(db: Database, guild_id: int, kind: str, number: int, asker_user_id: int) -> Page:
    """The leaderboard of a server by wins, then by fewer matches. A page past the end is the last one."""
    count = await db.fetch_one("SELECT count(*) AS n FROM standings WHERE guild_id = $1 AND kind = $2", guild_id, kind)
    total: int = 0 if count is None else count["n"]
    pages = max(1, -(-total // PAGE))
    number = max(0, min(number, pages - 1))
    rows = await db.fetch(
        _ROW + " ORDER BY s.wins DESC, s.played, s.person_id LIMIT $3 OFFSET $4",
        guild_id,
        kind,
        PAGE,
        number * PAGE,
    )
    own = await db.fetch_one(_ROW + " AND p.user_id = $3", guild_id, kind, asker_user_id)
    return Page(
        number=number,
        pages=pages,
        rows=tuple(_standing(row) for row in rows),
        own=None if own is None else _standing(own),
    )


def _standing(row: Row) -> Standing:
    return Standing(
        rank=row["rank"],
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
