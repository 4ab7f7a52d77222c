"""How much Discord lets a bot do: requests per bucket and in all, logins, frames on the gateway.

Discord publishes the headers, the 50 requests a second, the logins a day and the frames a minute; the figures of single
routes it keeps to itself. Those here are what bots see.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from playground.clock import Clock
from playground.faults.book import FaultBook
from playground.faults.rest import Answer, refusal_429
from playground.world import Json

DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class RouteLimit:
    """`count` requests in `seconds`, for each channel or interaction token on its own.

    It is for requests of `methods` whose route begins with `template`.
    """

    name: str
    methods: tuple[str, ...]
    template: str
    count: int
    seconds: float

    @property
    def bucket(self) -> str:
        """The id that X-RateLimit-Bucket shows: opaque, and always the same."""
        return f"{zlib.crc32(self.name.encode()):08x}" * 4

    def meets(self, method: str, template: str) -> bool:
        return method in self.methods and template.startswith(self.template)


MESSAGE = "/channels/{channel}/messages/{message}"
WEBHOOK = "/webhooks/{application}/{token}"
ROUTES = (
    RouteLimit("edit a message", ("PATCH",), MESSAGE, 5, 5.0),
    RouteLimit("delete a message", ("DELETE",), MESSAGE, 5, 1.0),
    RouteLimit("send a message", ("POST",), "/channels/{channel}/messages", 5, 5.0),
    RouteLimit("follow up", ("POST", "GET", "PATCH", "DELETE"), WEBHOOK, 5, 2.0),
)


@dataclass(frozen=True, slots=True)
class Limits:
    """All of them: `overall` requests in a second (an interaction's own routes do not count), seconds between two
    logins of one shard's group, and frames a minute on one connection."""

    routes: tuple[RouteLimit, ...] = ROUTES
    overall: int = 50
    login_gap: float = 5.0
    frames: int = 120


DISCORD_LIMITS = Limits()


@dataclass(slots=True)
class Window:
    """Counts what happens within `seconds` of the first of it."""

    count: int
    seconds: float
    used: int = 0
    ends: float = 0.0

    def take(self, now: float) -> bool:
        """Whether there was room for one more."""
        if now >= self.ends:
            self.used, self.ends = 0, now + self.seconds
        self.used += 1
        return self.used <= self.count

    def headers(self, bucket: str, now: float) -> dict[str, str]:
        left = max(0.0, self.ends - now)
        return {
            "X-RateLimit-Bucket": bucket,
            "X-RateLimit-Limit": str(self.count),
            "X-RateLimit-Remaining": str(max(0, self.count - self.used)),
            "X-RateLimit-Reset-After": f"{left:.3f}",
            "X-RateLimit-Reset": f"{time.time() + left:.3f}",
        }


@dataclass(slots=True)
class RateLimiter:
    """Counts requests while limits are on: those of `given`, or of a fault that stands."""

    book: FaultBook
    clock: Clock
    given: Limits | None
    _windows: dict[tuple[str, str], Window] = field(default_factory=dict)

    @property
    def active(self) -> Limits | None:
        return self.book.standing(Limits) or self.given

    def charge(
        self, method: str, template: str, parameters: Mapping[str, str], *, counts_overall: bool
    ) -> tuple[dict[str, str], Answer | None]:
        """The headers for the answer to a request, and a 429 when it is one too many."""
        limits = self.active
        if limits is None:
            self._windows.clear()
            return {}, None
        now = self.clock()
        if counts_overall:
            window = self._windows.setdefault(("overall", ""), Window(limits.overall, 1.0))
            if not window.take(now):
                return {}, refusal_429("global", window.ends - now)
        limit = next((each for each in limits.routes if each.meets(method, template)), None)
        if limit is None:
            return {}, None
        major = parameters.get("channel") or parameters.get("token", "")
        self._forget(now)
        window = self._windows.setdefault((limit.name, major), Window(limit.count, limit.seconds))
        allowed = window.take(now)
        headers = window.headers(limit.bucket, now)
        return headers, None if allowed else refusal_429("route", window.ends - now, headers)

    def _forget(self, now: float) -> None:
        if len(self._windows) > 1000:
            self._windows = {key: window for key, window in self._windows.items() if window.ends > now}


class SessionStarts:
    """The logins that Discord allows a bot in a day: 1,000, or what a test or a fault says."""

    def __init__(self, clock: Clock, total: int) -> None:
        self._clock = clock
        self.total = total
        self._used = 0
        self._ends = 0.0

    def _roll(self) -> None:
        if self._clock() >= self._ends:
            self._used, self._ends = 0, 0.0

    @property
    def remaining(self) -> int:
        self._roll()
        return max(0, self.total - self._used)

    def set_remaining(self, remaining: int) -> None:
        """So many are left until the day is over."""
        self.total = max(self.total, remaining)
        self._used = self.total - remaining
        self._ends = self._clock() + DAY

    def take(self) -> bool:
        """Uses one up; False when there is none left."""
        if self.remaining == 0:
            return False
        if self._used == 0:
            self._ends = self._clock() + DAY
        self._used += 1
        return True

    def shape(self) -> Json:
        """`session_start_limit` of GET /gateway/bot; `reset_after` in milliseconds."""
        remaining = self.remaining
        reset_after = round((self._ends - self._clock()) * 1000) if self._used else 0
        return {"total": self.total, "remaining": remaining, "reset_after": reset_after, "max_concurrency": 1}
