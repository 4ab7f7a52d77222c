"""Time, in one place, so that a test can move it."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable

Clock = Callable[[], float]
"""Seconds that only go forward; `time.monotonic` unless a test brings its own."""


def iso_now() -> str:
    """The wall clock as Discord writes it: ISO 8601 with microseconds, UTC."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="microseconds")


def wall_ms() -> int:
    """Milliseconds since 1970, for saved files."""
    return int(time.time() * 1000)
