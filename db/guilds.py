"""Servers: what their moderators have set."""

from __future__ import annotations

from dataclasses import dataclass

from db.database import Database, Statements


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """`text_mode`: boards without pictures, for screen readers and slow connections."""

    text_mode: bool = False


async def settings(db: Statements, guild_id: int) -> GuildSettings:
    """What is set for a server; the defaults where nothing is."""
    row = await db.fetch_one("SELECT text_mode FROM guilds WHERE guild_id = $1", guild_id)
    return GuildSettings() if row is None else GuildSettings(text_mode=bool(row["text_mode"]))


async def set_text_mode(db: Database, guild_id: int, text_mode: bool) -> None:
    """Turn the text mode of a server on or off."""
    await db.execute(
        "INSERT INTO guilds (guild_id, text_mode) VALUES ($1, $2)"
        " ON CONFLICT (guild_id) DO UPDATE SET text_mode = excluded.text_mode",
        guild_id,
        int(text_mode),
    )
