"""The playground: a Discord, its page and the bot, opened and closed together."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from aiohttp import web

from playground.botprocess import BotCommand, BotProcess
from playground.channels import ChannelDesk, channel_summary, user_summary
from playground.clock import ShiftedClock
from playground.commands import CommandBook
from playground.emojis import EmojiImages, EmojiRoutes
from playground.errors import PortTaken, Refused
from playground.events import EventBus
from playground.faults.book import FaultBook
from playground.faults.desk import FaultDesk
from playground.faults.gateway import Moments
from playground.faults.world import WorldFaults
from playground.gateway import HEARTBEAT_MS, Gateway
from playground.guards import guard
from playground.guild_life import GuildLife
from playground.http_api import HttpApi
from playground.interactions import InteractionBook
from playground.limits import Limits, RateLimiter, SessionStarts
from playground.messages import MessageDesk
from playground.openapi import Description, Violation
from playground.page import Attachments, serve_page
from playground.people import People
from playground.responding import Responder
from playground.rest import Rest
from playground.routes import ApplicationRoutes, GuildRoutes, InteractionRoutes
from playground.routes_messages import MessageRoutes
from playground.scene import OpeningScene
from playground.state import Saver, load
from playground.threads import ThreadKeeper
from playground.world import ATTACHMENT_LIMIT, HERE, Channel, Json, World, fresh_world

log = logging.getLogger(__name__)

TOKEN = "loopback.playground.token"
"""No secret: it opens nothing but a server that listens on 127.0.0.1 only."""
LARGEST_REQUEST = 32 * 1024 * 1024
START_PATIENCE = 30.0
"""Seconds that POST /playground/bot waits for a started bot to connect."""

GONE_PATIENCE = 5.0
"""Seconds until the socket of a process that ended must be gone as well."""


class Playground:
    """A Discord on 127.0.0.1 as an async context manager.

    `port` 0 takes a free one. `state` is a folder in which the world is kept between runs; without it
    nothing is left behind. `bot` gets the base address and returns the command that runs the bot;
    without it any client may connect with `token`. `scene` has the opening scene played in the first
    channel. `clock` replaces time.monotonic in tests; `seed` decides which requests a fault with a `probability` meets.
    `faults` is the hostile side (docs/playground.md).

    `limits` (DISCORD_LIMITS, or others) makes it count requests and frames as Discord does; without, nobody is slowed
    down. `session_starts` are the logins of a day, `attachment_limit` the bytes of the largest file, `heartbeat` the
    seconds between two of the bot's heartbeats.

    Opening raises PortTaken, StateBroken, or OSError when the bot's command cannot be run.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        state: Path | None = None,
        bot: Callable[[str], BotCommand] | None = None,
        scene: bool = True,
        clock: Callable[[], float] = time.monotonic,
        seed: int = 7,
        limits: Limits | None = None,
        session_starts: int = 1000,
        attachment_limit: int = ATTACHMENT_LIMIT,
        heartbeat: float = HEARTBEAT_MS / 1000,
    ) -> None:
        self.token = TOKEN
        self.url = ""
        self._port = port
        self._state = state
        self._bot_command = bot
        self._with_scene = scene
        self._clock = ShiftedClock(clock)
        self._fault_book = FaultBook(self._clock, seed)
        self._limiter = RateLimiter(self._fault_book, self._clock, limits)
        self._starts = SessionStarts(self._clock, session_starts)
        self._attachment_limit = attachment_limit
        self._heartbeat = heartbeat
        self._runner: web.AppRunner | None = None
        self._saver: Saver | None = None
        self._scene_task: asyncio.Task[None] | None = None
        self._scene_done = False
        self._starting_over = asyncio.Lock()
        self._changed = asyncio.Event()
        self.events = EventBus()
        self.bot: BotProcess | None = None

    # opening and closing

    async def __aenter__(self) -> Self:
        listener = _listen(self._port)
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        try:
            await self._open(listener)
        except BaseException:
            listener.close()
            await self._close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._close()

    async def _open(self, listener: socket.socket) -> None:
        saved = load(self._state, self.url, self._clock()) if self._state else None
        self._build(saved.world if saved else fresh_world())
        for interaction in saved.interactions if saved else []:
            self.interactions.add(interaction)
        if self._state:
            saver = Saver(self._state, self.world, self.interactions.alive, self.url, self._clock)
            await saver.start()
            self._saver = saver
        self._runner = web.AppRunner(self._app(), access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        await web.SockSite(self._runner, listener).start()
        if self._bot_command:
            self.bot = BotProcess(self._bot_command(self.url), self._bot_changed)
            await self.bot.start()

    def _build(self, world: World) -> None:
        """Puts the parts together, each knowing only those it needs."""
        self.world = world
        moments = Moments(self._fault_book)
        world.attachment_limit = self._attachment_limit
        self.gateway = Gateway(world, self.token, self._clock, moments, self._limiter, self._starts, self._bot_changed)
        self.gateway.heartbeat = self._heartbeat
        self.gateway.url = self.url.replace("http://", "ws://") + "/gateway"
        self.messages = MessageDesk(world, self.gateway, self.events, self._clock)
        self.messages.base_url = self.url
        self.interactions = InteractionBook(world, self.gateway, self.events, self._clock, moments)
        threads = ThreadKeeper(world, self.gateway)
        self.people = People(world, self.interactions, self.messages, self._fault_book)
        self.channels = ChannelDesk(world, self.gateway, self._world_changed)
        self.commands = CommandBook(world, self._world_changed)
        responder = Responder(world, self.interactions, self.messages, threads, self._clock)
        routes = [
            *ApplicationRoutes(world, self.gateway, self.commands).routes(),
            *EmojiRoutes(world).routes(),
            *InteractionRoutes(responder).routes(),
            *GuildRoutes(world).routes(),
            *MessageRoutes(world, self.messages, self.interactions, threads).routes(),
        ]
        self.rest = Rest(self.token, routes, Description.load(), self._fault_book, self._limiter)
        guild = GuildLife(world, self.gateway, self._world_changed)
        of_world = WorldFaults(world, self.messages, self.channels, threads, guild, self._world_changed)
        self.faults = FaultDesk(self._fault_book, self.gateway, self.interactions, self._clock, of_world)
        self._scene = OpeningScene(world, self.people, self.interactions, self.events)

    def _app(self) -> web.Application:
        app = web.Application(middlewares=[guard], client_max_size=LARGEST_REQUEST)
        self.rest.register(app)
        app.router.add_get("/gateway", self.gateway.serve)
        HttpApi(self.world, self.people, self.channels, self.interactions, self.events, self.faults, self).register(app)
        app.router.add_get("/attachments/{file}/{name}", Attachments(self.world).serve)
        app.router.add_get("/emojis/{emoji}", EmojiImages(self.world).serve)
        app.router.add_get("/{path:.*}", serve_page)
        return app

    async def _close(self) -> None:
        """The bot first, while its Discord still answers; then streams, server, and the saved world."""
        if self._scene_task:
            self._scene_task.cancel()
            await asyncio.gather(self._scene_task, return_exceptions=True)
        if self.bot:
            await self.bot.stop()
        self.events.close()
        if self._runner:
            self.gateway.close_all()
            await self._runner.cleanup()
        if self._saver:
            await self._saver.close()

    # what it knows

    @property
    def violations(self) -> list[Violation]:
        """What the bot sent, or was answered, against Discord's description or rules."""
        return self.rest.violations

    @property
    def connected(self) -> bool:
        return self.gateway.connected

    @property
    def ready(self) -> bool:
        """The bot is connected, its commands are synced, and the opening scene has had its turn."""
        return self.connected and bool(self.world.commands) and (self._scene_done or not self._with_scene)

    @property
    def first_channel(self) -> Channel:
        return self.world.channels_in_order()[0]

    async def until_ready(self, timeout: float = 30) -> None:  # noqa: ASYNC109
        """Returns when `ready`. Raises TimeoutError, or RuntimeError when the bot's process ended."""
        await self.until(lambda: self.ready or self._bot_ended(), timeout)
        if not self.ready:
            raise RuntimeError(self._why_it_ended())

    async def until_connected(self, timeout: float = 30) -> None:  # noqa: ASYNC109
        """Returns when a bot is connected to the gateway. Raises as `until_ready`."""
        await self.until(lambda: self.connected or self._bot_ended(), timeout)
        if not self.connected:
            raise RuntimeError(self._why_it_ended())

    async def until(self, true: Callable[[], bool], seconds: float = 30) -> None:
        """Returns when `true()` holds; looks again after each change of world or bot. TimeoutError."""
        async with asyncio.timeout(seconds):
            while not true():
                await self._changed.wait()

    def _bot_ended(self) -> bool:
        return self.bot is not None and self.bot.pid is None and self.bot.exit_code is not None

    def _why_it_ended(self) -> str:
        assert self.bot is not None
        return "\n".join([f"The bot ended with exit code {self.bot.exit_code}.", *list(self.bot.tail)[-20:]])

    def bot_shape(self) -> Json:
        return {
            "connected": self.connected,
            "managed": self.bot is not None,
            "pid": self.bot.pid if self.bot else None,
            "exit_code": self.bot.exit_code if self.bot else None,
            "user": user_summary(self.world, self.world.bot),
        }

    def world_shape(self) -> Json:
        world = self.world
        return {
            "server": {
                "id": world.guild_id,
                "name": world.guild_name,
                "owner_id": world.owner.id,
                "state": world.presence,
            },
            "users": [user_summary(world, user) for user in world.users.values()],
            "channels": [channel_summary(world, channel) for channel in world.channels_in_order()],
            "commands": list(world.commands.values()),
            "bot": self.bot_shape(),
            "ready": self.ready,
        }

    # what happens

    def _bot_changed(self) -> None:
        self.events.publish({"type": "bot", "bot": self.bot_shape(), "ready": self.ready})
        self._moved()

    def _world_changed(self) -> None:
        self.events.publish({"type": "world", "world": self.world_shape()})
        self._moved()

    def _moved(self) -> None:
        """Starts the scene when its time has come, and wakes who waits for a change."""
        if self._with_scene and self.connected and self.world.commands and self._scene_task is None:
            self._scene_task = asyncio.create_task(self._play_scene())
        waited_for, self._changed = self._changed, asyncio.Event()
        waited_for.set()

    async def _play_scene(self) -> None:
        if self.world.channels and not self.first_channel.messages:
            await self._scene.play(self.first_channel)
        self._scene_done = True
        self._world_changed()

    async def control_bot(self, action: str) -> Json:
        """Stops (SIGTERM), kills (SIGKILL) or starts the bot, and returns when that is done."""
        if action not in ("stop", "kill", "start"):
            raise Refused('"do" is "stop", "kill" or "start".')
        if self.bot is None:
            raise Refused("This playground runs no bot of its own: start and stop yours yourself.", 409)
        if action == "start":
            await self._start_bot(self.bot)
            return self.bot_shape()
        await (self.bot.stop() if action == "stop" else self.bot.kill())
        try:
            await self.until(lambda: not self.connected, GONE_PATIENCE)
        except TimeoutError:
            raise Refused("The bot's process ended, but another client is connected.", 409) from None
        return self.bot_shape()

    async def _start_bot(self, bot: BotProcess) -> None:
        await bot.start()
        try:
            await self.until_connected(START_PATIENCE)
        except TimeoutError:
            raise Refused("The bot runs, but it does not connect. Look at its output.", 409) from None
        except RuntimeError as error:
            raise Refused(str(error), 409) from None

    async def start_over(self) -> Json:
        """A fresh first channel with the opening scene in it."""
        if not self.connected:
            raise Refused("The bot is not connected: start it first.", 409)
        if self.world.presence != HERE or not self.world.channels:
            raise Refused("There is no channel that the bot can play in: bring the server back first.", 409)
        async with self._starting_over:
            if self._scene_task:
                await self._scene_task
            fresh = self.channels.replace(self.first_channel)
            stands = await self._scene.play(fresh)
        return {"channel": channel_summary(self.world, fresh), "stands": stands}


def _listen(port: int) -> socket.socket:
    """A listening socket on 127.0.0.1. Raises PortTaken."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except OSError as error:
        listener.close()
        raise PortTaken(
            error.errno,
            f"Port {port} of 127.0.0.1 cannot be used ({error.strerror}): "
            "another program listens there. Name another one with --port.",
        ) from error
    listener.listen(512)
    listener.setblocking(False)
    return listener
