"""What is said or done once although it is asked many times."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable

WARN_AGAIN = 5.0
"""Seconds without the same press after which somebody is warned again."""

REMEMBERED = 4096


class Warnings:
    """At most one private warning per flood of the same press by the same person, then silence.

    `monotonic` gives seconds.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._last: OrderedDict[Hashable, float] = OrderedDict()

    def due(self, press: Hashable) -> bool:
        """Whether this press is to be warned about; every press counts, also those that are passed over."""
        now = self._monotonic()
        before = self._last.pop(press, None)
        self._last[press] = now
        if len(self._last) > REMEMBERED:
            self._last.popitem(last=False)
        return before is None or now - before >= WARN_AGAIN


class Once:
    """Whether something is seen for the first time: Discord may deliver an interaction twice after a RESUME."""

    def __init__(self) -> None:
        self._seen: OrderedDict[int, None] = OrderedDict()

    def first(self, interaction_id: int) -> bool:
        """True for the first time only, among the last `REMEMBERED`."""
        if interaction_id in self._seen:
            return False
        self._seen[interaction_id] = None
        if len(self._seen) > REMEMBERED:
            self._seen.popitem(last=False)
        return True
