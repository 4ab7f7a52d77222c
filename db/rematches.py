"""Rematches: a match that waits from the moment its predecessor ends, until all who played have pressed.

It is made in the transaction that ends the match before, so that its seed is committed to together with the result. It
holds nothing while it waits, and counts for nobody's challenges.
"""

from __future__ import annotations

from db import matches
from db.database import Database, Statements
from db.matches import Match


async def of(db: Statements, match_id: int) -> Match | None:
    """The rematch of a match: waiting, or whatever has become of it."""
    row = await db.fetch_one("SELECT id FROM matches WHERE rematch_of = $1", match_id)
    return None if row is None else await matches.by_id(db, row["id"])


async def press(db: Database, rematch_id: int, joined: int) -> bool:
    """Somebody wants the rematch; `joined` is their number among its players. One statement, so that presses of the
    same millisecond all count. False when it no longer waits, or the same was pressed before."""
    rows = await db.execute(
        "UPDATE matches SET ready = ready | $2 WHERE id = $1 AND status = 'waiting' AND rematch_of IS NOT NULL"
        " AND (ready & $2) = 0 RETURNING id",
        rematch_id,
        1 << joined,
    )
    return bool(rows)
