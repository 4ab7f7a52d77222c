"""Challenges that somebody does not want: from one person or from everyone, for a time or for good."""

from __future__ import annotations

from db.database import Database, Statements


async def refuse(db: Database, person_id: int, from_id: int | None, until_at: int | None) -> None:
    """Somebody wants no challenges from `from_id` (None: from everyone) until then (None: for good). What was wished of
    the same people before is replaced."""
    await db.execute(
        "INSERT INTO unwelcome (person_id, from_id, until_at) VALUES ($1, $2, $3)"
        " ON CONFLICT (person_id, COALESCE(from_id, 0)) DO UPDATE SET until_at = excluded.until_at",
        person_id,
        from_id,
        until_at,
    )


async def refused(db: Statements, person_id: int, from_id: int, now: int) -> bool:
    """Whether somebody wants no challenge from `from_id` now."""
    row = await db.fetch_one(
        "SELECT 1 AS found FROM unwelcome WHERE person_id = $1 AND (from_id IS NULL OR from_id = $2)"
        " AND (until_at IS NULL OR until_at > $3) LIMIT 1",
        person_id,
        from_id,
        now,
    )
    return row is not None


async def any_refused(db: Statements, user_id: int, now: int) -> bool:
    """Whether that user of Discord wants no challenges from somebody."""
    row = await db.fetch_one(
        "SELECT 1 AS found FROM unwelcome u JOIN people p ON p.id = u.person_id"
        " WHERE p.user_id = $1 AND (u.until_at IS NULL OR u.until_at > $2) LIMIT 1",
        user_id,
        now,
    )
    return row is not None


async def welcome(db: Database, person_id: int, from_id: int) -> None:
    """Challenges from that person are wanted again; what was wished of everyone stays."""
    await db.execute("DELETE FROM unwelcome WHERE person_id = $1 AND from_id = $2", person_id, from_id)


async def welcome_all(db: Database, user_id: int) -> None:
    """That user of Discord takes challenges from everyone again."""
    await db.execute(
        "DELETE FROM unwelcome WHERE person_id IN (SELECT id FROM people WHERE user_id = $1)",
        user_id,
    )
