"""Challenges that somebody does not want: said after a *Decline*, in private, and taken back as easily."""

from __future__ import annotations

from enum import IntEnum

from bot.host import Click, Host
from bot.refusals import Refusal
from db import unwelcome
from db.database import Database
from db.matches import Match

DAY_MS = 24 * 60 * 60 * 1000


class Wish(IntEnum):
    """What somebody wants no more of; the number stands in the custom_id."""

    DAY = 1
    """Challenges from that person, for a day."""
    ALWAYS = 2
    """Challenges from that person."""
    EVERYONE = 3
    """Challenges from anybody."""


class Unwelcome:
    """Keeps such wishes; the host heeds them."""

    def __init__(self, db: Database, host: Host) -> None:
        self._db = db
        self._host = host

    async def refuse(self, click: Click, wish: Wish) -> Match:
        """Whoever was challenged wants no more of that; gives the challenge. Raises `Refusal` for anybody else."""
        match = await self._host.match(click.match_id)
        if match.invited is None or match.invited.user_id != click.user_id:
            raise Refusal("refuse-not-challenged")
        until = self._host.now() + DAY_MS if wish is Wish.DAY else None
        from_id = None if wish is Wish.EVERYONE else match.host.id
        await unwelcome.refuse(self._db, match.invited.id, from_id, until)
        return match

    async def any_of(self, user_id: int) -> bool:
        """Whether that user of Discord has wishes that count now."""
        return await unwelcome.any_refused(self._db, user_id, self._host.now())

    async def take_back(self, user_id: int) -> None:
        """That user of Discord takes challenges from everyone again."""
        await unwelcome.welcome_all(self._db, user_id)
