"""Faults of the REST API: which requests they meet, and what becomes of such a request."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from playground.errors import Refused
from playground.faults.book import FaultBook
from playground.faults.codes import CODES, FORM_ERRORS, plain_body
from playground.faults.form import FaultForm
from playground.world import Json

API_PREFIX = "/api/v10"
DEFAULT_RETRY = 0.2
"""Seconds of `retry_after` when a fault names none: long enough to be seen, short enough for a test."""
CLOUDFLARE_BODY = "error code: 1015"


@dataclass(frozen=True, slots=True)
class RoutePattern:
    """Method and path of the requests that a fault meets; None is any method."""

    method: str | None
    path: re.Pattern[str]

    def meets(self, method: str, path: str) -> bool:
        return self.method in (None, method) and self.path.fullmatch(path) is not None


def route_pattern(text: str) -> RoutePattern:
    """`"POST /interactions/*/callback"`: a `*` stands for anything, slashes too; without a method, any method.

    `"PATCH re:/channels/[0-9]+/messages/.*"` gives the path as a regular expression. Paths are those below /api/v10.
    Refused: what is neither.
    """
    words = text.split(maxsplit=1)
    method, path = (words[0].upper(), words[1]) if len(words) == 2 else (None, text.strip())
    if method is not None and not (method == "*" or method.isalpha()):
        raise Refused('"route" is a method and a path, such as "PATCH /channels/*/messages/*".')
    if path.startswith("re:"):
        try:
            return RoutePattern(None if method == "*" else method, re.compile(path.removeprefix("re:")))
        except re.error as error:
            raise Refused(f'The regular expression in "route" is broken: {error}.') from None
    path = path.removeprefix(API_PREFIX)
    if not path.startswith(("/", "*")):
        raise Refused('The path in "route" begins with a slash, such as "/channels/*/messages".')
    pattern = re.compile(".*".join(re.escape(part) for part in path.split("*")))
    return RoutePattern(None if method == "*" else method, pattern)


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said instead of the true answer. Without `via`, as a proxy in front of Discord says it."""

    status: int
    body: Json | str
    headers: Mapping[str, str] = field(default_factory=dict)
    via: bool = True


@dataclass(frozen=True, slots=True)
class RestFault:
    """`cut` aborts the connection, before or after the work; `answer` is said instead of the work, or after it.

    `before` and `after` are seconds of waiting around the work.
    """

    route: RoutePattern
    work: bool = True
    cut: bool = False
    answer: Answer | None = None
    before: float = 0.0
    after: float = 0.0

    @property
    def only_waits(self) -> bool:
        return self.work and not self.cut and self.answer is None


@dataclass(frozen=True, slots=True)
class Down:
    """REST, the gateway, or both are not there; `how` is "status" (503) or "reset"."""

    sides: tuple[str, ...]
    how: str


def plan(book: FaultBook, method: str, path: str) -> RestFault | None:
    """What the standing faults make of a request: all delays that meet it, and the first other fault. Counts hits."""
    down = book.first(Down, lambda each: "rest" in each.sides)
    if down is not None:
        anything = RoutePattern(None, re.compile(""))
        answer = Answer(503, plain_body(503))
        return RestFault(anything, work=False, cut=down.how == "reset", answer=answer)

    def meets(fault: RestFault) -> bool:
        return fault.route.meets(method, path)

    delays = book.every(RestFault, lambda fault: fault.only_waits and meets(fault))
    main = book.first(RestFault, lambda fault: not fault.only_waits and meets(fault))
    met = [*delays, *([main] if main else [])]
    if not met:
        return None
    return RestFault(
        met[-1].route,
        work=main.work if main else True,
        cut=main.cut if main else False,
        answer=main.answer if main else None,
        before=sum(fault.before for fault in met),
        after=sum(fault.after for fault in met),
    )


# reading a request for one


def read_rest_fault(do: str, form: FaultForm) -> RestFault:
    """The effect of `do` (status, ratelimit, reset, lost, late, delay). Refused, with a sentence."""
    route = route_pattern(form.text("route", "*"))
    if do == "delay":
        seconds = form.number("seconds", most=600)
        after = form.flag("after", False)
        return RestFault(route, before=0.0 if after else seconds, after=seconds if after else 0.0)
    before = form.number("delay", 0.0, most=600)
    if do == "status":
        return RestFault(route, work=False, answer=_status(form), before=before)
    if do == "ratelimit":
        return RestFault(route, work=False, answer=_ratelimit(form), before=before)
    if do == "reset":
        return RestFault(route, work=False, cut=True, before=before)
    if do == "lost":
        return RestFault(route, cut=True, after=before)
    status = form.whole("status", 502, least=500, most=599)
    return RestFault(route, answer=Answer(status, plain_body(status)), after=before)


def _status(form: FaultForm) -> Answer:
    """By Discord's error code, which knows its HTTP status; or by HTTP status alone."""
    code = form.whole("code", 0)
    known = CODES.get(code)
    if known is None and not form.has("status"):
        raise Refused('A "status" fault needs "code" (one of Discord\'s error codes) or "status" (of HTTP).')
    status = form.whole("status", known[0] if known else 500, least=400, most=599)
    body: Json = {"code": code, "message": known[1]} if known else {**plain_body(status), "code": code}
    body["message"] = form.text("message", body["message"])
    errors = form.object("errors") or (FORM_ERRORS if code == 50035 else None)
    if errors:
        body["errors"] = errors
    if status == 429:
        retry = form.number("retry_after", DEFAULT_RETRY)
        body |= {"retry_after": retry, "global": False}
        return Answer(status, body, {"Retry-After": _whole_seconds(retry)})
    return Answer(status, body)


def _ratelimit(form: FaultForm) -> Answer:
    """429 with the scopes that Discord has; without `via`, what Cloudflare says to a banned address."""
    scope = form.choice("scope", ("route", "shared", "global"), "route")
    retry = form.number("retry_after", DEFAULT_RETRY)
    if not form.flag("via", True):
        return Answer(429, CLOUDFLARE_BODY, {"Retry-After": _whole_seconds(retry)}, via=False)
    return refusal_429(scope, retry)


def refusal_429(scope: str, retry: float, headers: Mapping[str, str] | None = None) -> Answer:
    """A 429 as Discord says it; `scope` is "route", "shared" or "global", `headers` are those of the bucket."""
    said = {"Retry-After": _whole_seconds(retry), **(headers or {})}
    if scope == "global":
        said |= {"X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"}
    else:
        said["X-RateLimit-Scope"] = "shared" if scope == "shared" else "user"
        said.setdefault("X-RateLimit-Remaining", "0")
        said.setdefault("X-RateLimit-Reset-After", f"{retry:.3f}")
        said.setdefault("X-RateLimit-Reset", f"{time.time() + retry:.3f}")
    words = "The resource is being rate limited." if scope == "shared" else "You are being rate limited."
    body: dict[str, Any] = {"message": words, "retry_after": round(retry, 3), "global": scope == "global"}
    return Answer(429, body, said)


def _whole_seconds(seconds: float) -> str:
    return str(max(1, -int(-seconds // 1)))
