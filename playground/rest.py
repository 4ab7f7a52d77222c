"""REST v10: one middleware-like path through which every request of the bot passes."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import BodyPartReader, web

from playground import errors
from playground.attachments import Upload
from playground.errors import ApiError
from playground.faults.book import FaultBook
from playground.faults.rest import Answer, plan
from playground.limits import RateLimiter
from playground.openapi import Description, Violation, own_rule
from playground.sockets import abort
from playground.world import Json

log = logging.getLogger(__name__)

API = "/api/v10"
KEPT_EXCHANGES = 2000


@dataclass(slots=True)
class Exchange:
    """One request of the bot and its answer. `path` is without the `/api/v10` before it.

    `status` 0 is an answer that never was: the connection was cut. `worked` says whether a route did the work.
    """

    method: str
    path: str
    template: str
    parameters: dict[str, str]
    query: dict[str, str]
    authorization: str | None
    body: Any = None
    uploads: list[Upload] = field(default_factory=list)
    status: int = 0
    answer: Any = None
    worked: bool = False
    headers: dict[str, str] = field(default_factory=lambda: {"Via": "1.1 playground"})

    def parameter(self, name: str) -> str:
        return self.parameters[name]

    def wants(self, name: str) -> bool:
        """Whether a query flag such as `wait` or `with_response` is set."""
        return self.query.get(name, "").lower() in ("1", "true")

    def form(self) -> Json:
        """The body as an object; 50035 when it is something else."""
        if self.body is None:
            return {}
        if not isinstance(self.body, dict):
            raise errors.invalid_form([("_", "DICT_TYPE_CONVERT", "Only dictionaries may be used")])
        return self.body


Handler = Callable[[Exchange], Any]
"""Works on the world at once (never waits) and returns what is sent as JSON; None is a 204."""


@dataclass(frozen=True, slots=True)
class Route:
    """One operation. `token`: whether it needs the bot's token (an interaction's token speaks for itself)."""

    method: str
    template: str
    handler: Handler
    token: bool = True
    created: int = 200


class Rest:
    """Reads a request, lets a route answer it, holds both against Discord's description, and sends it."""

    def __init__(
        self,
        token: str,
        routes: list[Route],
        description: Description | None,
        faults: FaultBook,
        limiter: RateLimiter,
    ) -> None:
        self._token = token
        self._routes = routes
        self._description = description
        self._faults = faults
        self._limiter = limiter
        self.exchanges: deque[Exchange] = deque(maxlen=KEPT_EXCHANGES)
        self.violations: list[Violation] = []

    def register(self, app: web.Application) -> None:
        """Adds every route below /api/v10, and answers for what is not there."""
        for route in self._routes:
            app.router.add_route(route.method, API + route.template, self._endpoint(route))
        app.router.add_route("*", "/api/{tail:.*}", self._endpoint(Route("*", "/{tail}", _nothing_here, False)))

    def _endpoint(self, route: Route) -> Callable[[web.Request], Any]:
        async def endpoint(request: web.Request) -> web.StreamResponse:
            exchange = Exchange(
                method=request.method,
                path=request.path.removeprefix(API),
                template=route.template,
                parameters=dict(request.match_info),
                query=dict(request.query),
                authorization=request.headers.get("Authorization"),
            )
            await self._serve(request, exchange, route)
            return _response(exchange)

        return endpoint

    async def _serve(self, request: web.Request, exchange: Exchange, route: Route) -> None:
        """Every request passes here, and here alone; so do the faults that meet it."""
        try:
            await _read_body(request, exchange)
        except ApiError as error:
            exchange.status, exchange.answer = error.status, error.body()
            self._record(exchange)
            return
        fault = plan(self._faults, exchange.method, exchange.path)
        if fault:
            await asyncio.sleep(fault.before)
        if fault is None or fault.work:
            self._work(exchange, route)
        self._record(exchange)
        if fault:
            await asyncio.sleep(fault.after)
            if fault.answer:
                _say_instead(exchange, fault.answer)
            if fault.cut:
                exchange.status = 0
                abort(request.transport)

    def _work(self, exchange: Exchange, route: Route) -> None:
        headers, refusal = self._limiter.charge(
            exchange.method, exchange.template, exchange.parameters, counts_overall=route.token
        )
        exchange.headers |= headers
        if refusal:
            _say_instead(exchange, refusal)
            return
        exchange.worked = True
        try:
            exchange.answer = self._perform(exchange, route)
            exchange.status = 204 if exchange.answer is None else route.created
        except ApiError as error:
            exchange.status, exchange.answer = error.status, error.body()
            if error.retry_after is not None:
                exchange.headers["Retry-After"] = str(math.ceil(error.retry_after))

    def _perform(self, exchange: Exchange, route: Route) -> Any:
        if route.token and exchange.authorization != f"Bot {self._token}":
            raise errors.unauthorized()
        return route.handler(exchange)

    def _record(self, exchange: Exchange) -> None:
        """A request that a fault kept from its work is held against the description too, an invented answer is not."""
        self.exchanges.append(exchange)
        found: list[Violation] = []
        if self._description:
            found += self._description.check(
                exchange.method,
                exchange.path,
                exchange.query,
                exchange.body,
                exchange.status or None,
                exchange.answer,
            )
        found += own_rule(exchange.method, exchange.path, exchange.status, exchange.answer)
        for violation in found:
            log.warning("%s", violation)
        self.violations += found


def _nothing_here(exchange: Exchange) -> None:
    log.warning("the playground has no %s %s", exchange.method, exchange.path)
    raise errors.not_found()


def _say_instead(exchange: Exchange, answer: Answer) -> None:
    exchange.status, exchange.answer = answer.status, answer.body
    exchange.headers |= answer.headers
    if not answer.via:
        del exchange.headers["Via"]  # discord.py takes a 429 without Via for a ban


def _response(exchange: Exchange) -> web.Response:
    if exchange.status == 0:
        return web.Response(status=500)  # nobody will read it: the connection is cut
    if exchange.status == 204:
        return web.Response(status=204, headers=exchange.headers)
    # discord.py parses a body only if its type is exactly this; what is no JSON is the page of a proxy.
    text, kind = exchange.answer, "text/plain"
    if not isinstance(text, str):
        text, kind = json.dumps(exchange.answer, separators=(",", ":")), "application/json"
    headers = {**exchange.headers, "Content-Type": kind}
    return web.Response(status=exchange.status, body=text.encode(), headers=headers)


FILE_FIELD = re.compile(r"files\[([0-9]{1,3})\]", re.ASCII)


async def _read_body(request: web.Request, exchange: Exchange) -> None:
    """Fills body and uploads from JSON, or from a multipart form with `payload_json` and `files[n]`."""
    try:
        if request.content_type == "multipart/form-data":
            await _read_multipart(request, exchange)
        elif request.can_read_body:
            exchange.body = _parse(await request.text())
    except web.HTTPRequestEntityTooLarge:
        raise errors.too_large() from None


async def _read_multipart(request: web.Request, exchange: Exchange) -> None:
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            raise errors.invalid_json()
        if part.name == "payload_json":
            exchange.body = _parse(await part.text())
            continue
        index = FILE_FIELD.fullmatch(part.name or "")
        if index is None or not part.filename:
            raise errors.invalid_form([(part.name or "_", "BASE_TYPE_REQUIRED", "Files are named files[n].")])
        exchange.uploads.append(Upload(index.group(1), part.filename, bytes(await part.read())))


def _parse(text: str) -> Any:
    try:
        return json.loads(text) if text else None
    except ValueError:
        raise errors.invalid_json() from None
