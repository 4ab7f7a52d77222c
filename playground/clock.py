"""Time, in one place, so that a test or a fault can move it."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable

Clock = Callable[[], float]
"""Seconds that only go forward; `time.monotonic` unless a test brings its own."""


class ShiftedClock:
    """A clock that runs like another one, `ahead` seconds before it."""

    def __init__(self, base: Clock) -> None:
        self._base = base
        self.ahead = 0.0

    def __call__(self) -> float:
        return self._base() + self.ahead

    def shift(self, seconds: float) -> None:
        """Moves it; back only as far as it was moved forward, since no clock here ever shows less than the base."""
        self.ahead = max(0.0, self.ahead + seconds)


def iso_now() -> str:
    """The wall clock as Discord writes it: ISO 8601 with microseconds, UTC."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="microseconds")


def wall_ms() -> int:
    """Milliseconds since 1970, for saved files."""
    return int(time.time() * 1000)
