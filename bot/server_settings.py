"""What the moderators of each server have set, at hand."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from db import guilds
from db.database import Database
from db.guilds import GuildSettings

FRESH = 15.0
"""Seconds for which what was read is taken for true: another process may have changed it."""

KEPT = 4096
"""Servers whose settings are kept; some 200 bytes each."""


class ServerSettings:
    """Every paint of a board asks for them, and they hardly ever change: read each time they would be one of the two
    or three statements of a click. `monotonic` is seconds since any moment."""

    def __init__(self, db: Database, monotonic: Callable[[], float]) -> None:
        self._db = db
        self._now = monotonic
        self._kept: OrderedDict[int, tuple[float, GuildSettings]] = OrderedDict()
        self._changes = 0

    async def of(self, guild_id: int) -> GuildSettings:
        """As they were at most `FRESH` seconds ago; a change made through this object counts at once."""
        read_at, kept = self._kept.get(guild_id, (None, None))
        if kept is not None and read_at is not None and self._now() - read_at < FRESH:
            return kept
        began, changes = self._now(), self._changes
        read = await guilds.settings(self._db, guild_id)
        if changes != self._changes:  # it may have been read before the change
            return read
        self._kept[guild_id] = began, read
        self._kept.move_to_end(guild_id)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return read

    async def set_text_mode(self, guild_id: int, text_mode: bool) -> GuildSettings:
        """Turn the text mode of a server on or off, and give its settings then."""
        try:
            await guilds.set_text_mode(self._db, guild_id, text_mode)
        finally:
            self._changes += 1
            self._kept.pop(guild_id, None)
        return await self.of(guild_id)
