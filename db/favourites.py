"""Favourites: whom spectators back before the first war."""

from __future__ import annotations

from db.database import Database, Statements


async def choose(db: Database, match_id: int, person_id: int, seat: int) -> None:
    """Somebody backs a seat; a later choice replaces an earlier one."""
    await db.execute(
        "INSERT INTO favourites (match_id, person_id, seat) VALUES ($1, $2, $3)"
        " ON CONFLICT (match_id, person_id) DO UPDATE SET seat = excluded.seat",
        match_id,
        person_id,
        seat,
    )


async def counts(db: Statements, match_id: int, seats: int) -> tuple[int, ...]:
    """How many back each seat."""
    rows = await db.fetch("SELECT seat, count(*) AS n FROM favourites WHERE match_id = $1 GROUP BY seat", match_id)
    backed = {row["seat"]: row["n"] for row in rows}
    return tuple(backed.get(seat, 0) for seat in range(seats))
