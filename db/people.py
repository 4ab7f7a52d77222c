"""People: the one table that knows a user's id and name. Everything else holds the surrogate key."""

from __future__ import annotations

from dataclasses import dataclass

from db.database import Statements

HOUSE_USER_ID = 0
"""The house that plays quick matches; no user of Discord has this id."""


@dataclass(frozen=True, slots=True)
class Person:
    """`id` is ours, `user_id` is Discord's, `name` is what people last saw: hostile text, to be cleaned when shown;
    `back` and `emblem` are the flair they have chosen, if any."""

    id: int
    user_id: int
    name: str
    back: str | None = None
    emblem: str | None = None


async def remember(db: Statements, user_id: int, name: str) -> Person:
    """The person with that user id, created or renamed as needed."""
    # Half a surrogate pair is no text to a database, and NUL is none to PostgreSQL.
    name = name.encode(errors="replace").decode().replace("\0", "?")
    rows = await db.execute(
        "INSERT INTO people (user_id, name) VALUES ($1, $2)"
        " ON CONFLICT (user_id) DO UPDATE SET name = excluded.name RETURNING id, back, emblem",
        user_id,
        name,
    )
    return Person(rows[0]["id"], user_id, name, rows[0]["back"], rows[0]["emblem"])


async def set_back(db: Statements, person_id: int, back: str | None) -> None:
    """Remember the card back that somebody has chosen; None leaves it to the seat again."""
    await db.execute("UPDATE people SET back = $2 WHERE id = $1", person_id, back)


async def set_emblem(db: Statements, person_id: int, emblem: str | None) -> None:
    """Remember the emblem that somebody has chosen; None leaves it to the seat again."""
    await db.execute("UPDATE people SET emblem = $2 WHERE id = $1", person_id, emblem)
