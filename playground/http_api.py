"""The playground's own HTTP interface, for its page and for scripts. docs/playground.md describes it."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from aiohttp import web

from playground.channels import ChannelDesk
from playground.errors import Refused
from playground.events import EventBus
from playground.faults.desk import FaultDesk
from playground.interactions import InteractionBook
from playground.people import People
from playground.world import Json, World

log = logging.getLogger(__name__)

LONGEST_WAIT = 15.0
KEEP_ALIVE = 15.0
"""Seconds between the comments that keep a silent event stream open."""

JsonHandler = Callable[[web.Request], Awaitable[Json | list[Json]]]


class BotControl(Protocol):
    """What the interface needs to know of the bot and the server around it."""

    def world_shape(self) -> Json: ...

    async def control_bot(self, action: str) -> Json: ...

    async def start_over(self) -> Json: ...


class HttpApi:
    """JSON in, JSON out; what is refused is `{"error": "a sentence"}` with a 4xx status."""

    def __init__(
        self,
        world: World,
        people: People,
        channels: ChannelDesk,
        book: InteractionBook,
        events: EventBus,
        faults: FaultDesk,
        control: BotControl,
    ) -> None:
        self._world = world
        self._people = people
        self._channels = channels
        self._book = book
        self._events = events
        self._faults = faults
        self._control = control

    def register(self, app: web.Application) -> None:
        base = "/playground"
        router = app.router
        router.add_get(base + "/world", _json(self.world))
        router.add_post(base + "/users", _json(self.add_user))
        router.add_post(base + "/channels", _json(self.add_channel))
        router.add_post(base + "/commands", _json(self.run_command))
        router.add_post(base + "/clicks", _json(self.click))
        router.add_post(base + "/bot", _json(self.bot))
        router.add_post(base + "/start-over", _json(self.start_over))
        router.add_get(base + "/faults", _json(self.list_faults))
        router.add_post(base + "/faults", _json(self.add_fault))
        router.add_delete(base + "/faults", _json(self.remove_faults))
        router.add_delete(base + "/faults/{fault}", _json(self.remove_faults))
        router.add_get(base + "/channels/{channel}/messages", _json(self.messages))
        router.add_get(base + "/interactions/{interaction}", _json(self.interaction))
        router.add_get(base + "/events", self.events)
        router.add_route("*", base + "/{tail:.*}", _json(_unknown))

    async def world(self, request: web.Request) -> Json:
        return self._control.world_shape()

    async def add_user(self, request: web.Request) -> Json:
        body = await _body(request, {"name"})
        return self._channels.add_user(body.get("name"))

    async def add_channel(self, request: web.Request) -> Json:
        body = await _body(request, {"name", "permissions", "parent"})
        if "parent" in body:
            if "permissions" in body:
                raise Refused("A thread has its channel's permissions: set them there.")
            return self._channels.add_thread(body.get("name"), body["parent"])
        return self._channels.add_or_change(body.get("name"), body.get("permissions"))

    async def run_command(self, request: web.Request) -> Json:
        body = await _body(request, {"user", "channel", "command", "options", "focused"})
        interaction = self._people.run_command(
            body.get("user"),
            body.get("channel"),
            body.get("command"),
            body.get("options"),
            body.get("focused"),
        )
        return {"interaction": interaction.id}

    async def click(self, request: web.Request) -> Json:
        body = await _body(request, {"user", "message", "custom_id", "values", "modal", "fields", "forge"})
        if "modal" in body:
            interaction = self._people.submit_modal(body.get("user"), body["modal"], body.get("fields"))
        else:
            interaction = self._people.click(
                body.get("user"),
                body.get("message"),
                body.get("custom_id"),
                body.get("values"),
                body.get("forge", False),
            )
        return {"interaction": interaction.id}

    async def messages(self, request: web.Request) -> list[Json]:
        """Oldest first, with the ephemeral messages of the user that `as` names."""
        channel = self._world.channel(request.match_info["channel"], status=404)
        viewer = self._world.user(request.query["as"]).id if "as" in request.query else None
        return [m.payload for m in channel.messages.values() if m.visible_to(viewer)]

    async def interaction(self, request: web.Request) -> Json:
        interaction = self._book.by_id(request.match_info["interaction"])
        if interaction is None:
            raise Refused(f"There is no interaction {request.match_info['interaction']!r}.", 404)
        seconds = _seconds(request.query.get("wait", "0"))
        if seconds > 0:
            await self._book.wait(interaction, seconds)
        return self._book.record(interaction)

    async def bot(self, request: web.Request) -> Json:
        body = await _body(request, {"do"})
        return await self._control.control_bot(str(body.get("do")))

    async def add_fault(self, request: web.Request) -> Json:
        return self._faults.post(await _object(request))

    async def list_faults(self, request: web.Request) -> Json:
        return self._faults.all()

    async def remove_faults(self, request: web.Request) -> Json:
        return self._faults.remove(request.match_info.get("fault"))

    async def start_over(self, request: web.Request) -> Json:
        await _body(request, set())
        return await self._control.start_over()

    async def events(self, request: web.Request) -> web.StreamResponse:
        """Server-sent events until the client or the server goes."""
        try:
            people = frozenset(self._world.user(user).id for user in request.query.getall("as", []))
        except Refused as refused:
            return _refusal(refused)
        last_id = request.headers.get("Last-Event-ID") or request.query.get("last_event_id")
        response = web.StreamResponse(
            headers={
                "Content-Type": "text/event-stream",
                "Cache-Control": "no-store",
                "X-Accel-Buffering": "no",
            }
        )
        await response.prepare(request)
        watcher, complete = self._events.watch(people, last_id)
        try:
            await response.write(b"retry: 1000\n\n")
            if not complete:
                await response.write(_frame(None, {"type": "missed"}))
            while True:
                try:
                    entry = await asyncio.wait_for(watcher.queue.get(), KEEP_ALIVE)
                except TimeoutError:
                    await response.write(b": still here\n\n")
                    continue
                if entry is None:
                    break
                await response.write(_frame(*entry))
        except ConnectionError:
            log.debug("a watcher went away")
        finally:
            self._events.unwatch(watcher)
        return response


def _frame(event_id: str | None, data: Json) -> bytes:
    head = f"id: {event_id}\n" if event_id else ""
    return f"{head}data: {json.dumps(data, separators=(',', ':'))}\n\n".encode()


def _json(handler: JsonHandler) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    """Turns a handler's value, or its refusal, into an answer."""

    async def respond(request: web.Request) -> web.StreamResponse:
        try:
            return web.json_response(await handler(request))
        except Refused as refused:
            return _refusal(refused)

    return respond


def _refusal(refused: Refused) -> web.Response:
    return web.json_response({"error": refused.sentence}, status=refused.status)


async def _body(request: web.Request, known: set[str]) -> dict[str, Any]:
    """The JSON object of a request, with no field that its operation does not have."""
    body = await _object(request)
    unknown = sorted(set(body) - known)
    if unknown:
        there = ", ".join(sorted(known)) or "none"
        raise Refused(f"Unknown field {unknown[0]!r}; there are: {there}.")
    return body


async def _object(request: web.Request) -> dict[str, Any]:
    try:
        body = json.loads(await request.text() or "{}")
    except ValueError:
        raise Refused("The body is no JSON.") from None
    if not isinstance(body, dict):
        raise Refused("The body is a JSON object.")
    return body


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise Refused('"wait" is a number of seconds.')
    return min(seconds, LONGEST_WAIT)


async def _unknown(request: web.Request) -> Json:
    raise Refused(f"There is no {request.method} {request.path}; docs/playground.md lists what there is.", 404)
