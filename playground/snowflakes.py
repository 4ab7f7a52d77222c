"""Discord's ids."""

from __future__ import annotations

import time
from collections.abc import Callable

DISCORD_EPOCH_MS = 1_420_070_400_000
"""Snowflakes count milliseconds from the first second of 2015."""


class Snowflakes:
    """Ever-growing ids: milliseconds since 2015 in the upper 42 bits, a counter in the lower 22.

    `last` is the newest id of a saved world: a new one is larger, even when the clock went back.
    """

    def __init__(self, last: int = 0, wall_clock: Callable[[], float] = time.time) -> None:
        self.last = last
        self._wall_clock = wall_clock

    def next(self) -> str:
        now = (int(self._wall_clock() * 1000) - DISCORD_EPOCH_MS) << 22
        self.last = max(now, self.last + 1)
        return str(self.last)
