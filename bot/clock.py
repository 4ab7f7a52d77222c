"""The one sweeper over stored deadlines: challenges expire, tables play their own turns."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from bot.host import Host

log = logging.getLogger(__name__)

PERIOD = 1.0
"""Seconds between two sweeps; a deadline is kept to this."""

JUMP_MS = 30_000
"""A wall clock that moves this much against the monotonic one was set, or the machine slept."""


class Sweeper:
    """Plays what is due. `may_act(guild_id)` is false while that server could not see it: no deadline fires then, and
    when it can see again, what came due meanwhile is put off first. `may_show(guild_id, channel_id)` is false where the
    bot may not write: a match is paused there.

    `wall` and `monotonic` are milliseconds; the first since the epoch, the second since any moment.
    """

    def __init__(
        self,
        host: Host,
        *,
        may_act: Callable[[int], bool],
        may_show: Callable[[int, int], bool],
        wall: Callable[[], int],
        monotonic: Callable[[], int],
    ) -> None:
        self._host = host
        self._may_act = may_act
        self._may_show = may_show
        self._wall = wall
        self._monotonic = monotonic
        self._offset = wall() - monotonic()
        self._unseen: set[int] = set()

    async def run(self) -> None:
        """Sweep until cancelled. A sweep that fails is logged and the next one goes on."""
        while True:
            try:
                await self.sweep()
            except Exception:
                log.exception("a sweep failed; the next one goes on")
            await asyncio.sleep(PERIOD)

    async def sweep(self) -> None:
        """One pass over what is due."""
        offset = self._wall() - self._monotonic()
        if abs(offset - self._offset) > JUMP_MS:
            log.warning("the clock jumped by %d s: every deadline is put off", (offset - self._offset) // 1000)
            self._offset = offset
            await self._host.grace()
            return
        for guild_id in [each for each in self._unseen if self._may_act(each)]:
            # At once, and not with the next thing due: that may be hours later, and would be put off for nothing.
            await self._host.grace(guild_id)
            self._unseen.discard(guild_id)
        for match_id, guild_id, channel_id in await self._host.due():
            if not self._may_act(guild_id):
                self._unseen.add(guild_id)
            else:
                await self._move_on(match_id, may_show=self._may_show(guild_id, channel_id))

    async def _move_on(self, match_id: int, *, may_show: bool) -> None:
        try:
            await self._host.time_is_up(match_id, may_show=may_show)
        except Exception:  # it stops no other match
            log.exception("match %d could not be moved on by the clock", match_id)
