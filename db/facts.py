"""Facts about the installation itself, such as which commands were last synced."""

from __future__ import annotations

from db.database import Database


async def get(db: Database, name: str) -> str | None:
    """The value of a fact, or None when it was never set."""
    row = await db.fetch_one("SELECT value FROM facts WHERE name = $1", name)
    return None if row is None else row["value"]


async def put(db: Database, name: str, value: str) -> None:
    """Set a fact."""
    await db.execute(
        "INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        name,
        value,
    )
