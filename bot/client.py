"""The Discord client: what it is told at start, how it stops, and what the cogs find on it."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import sys
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any

import aiohttp
import discord
import yarl
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.aftermath import Company
from bot.floods import Once, Warnings
from bot.gallery import Gallery
from bot.host import Host
from bot.i18n import Catalogue, Texts
from bot.refusals import Refusal
from bot.replies import answer_failure, nod
from bot.server_settings import ServerSettings
from bot.tree import WarTree
from bot.unwelcome import Unwelcome
from db import facts
from db.database import Database
from db.errors import DatabaseClosed

log = logging.getLogger(__name__)

COGS = (
    "cogs._buttons",
    "cogs.emoji",
    "cogs._painter",
    "cogs.places",
    "cogs.challenge",
    "cogs.war",
    "cogs.quick",
    "cogs.aftermath",
    "cogs.flair",
    "cogs.standings",
    "cogs.settings",
    "cogs.help",
)

CONNECTIONS = 128
"""Sockets at once. discord.py opens one per interaction in flight; with 100 ms of network, 16 lost most of a burst."""

FEW = 8
"""Presses waiting for their answer up to which other work need not stand back."""

IN_TURN_SECONDS = 2.0
"""The longest that a press waits for its turn. Discord waits three seconds for the answer."""

STAND_BACK_SECONDS = 3.0
"""The longest that other work stands back for answers: nobody needs one that is later."""

DRAIN_SECONDS = 8.0
"""How long running answers may take once the bot was asked to stop."""

PERMISSIONS = discord.Permissions(
    view_channel=True, send_messages=True, send_messages_in_threads=True, attach_files=True
)
"""What the invite link asks for, and all that the bot needs."""


def point_at(api_url: str) -> None:
    """Have discord.py talk to another server than Discord: the playground, or a proxy."""
    url = yarl.URL(api_url)
    base = url if url.path.strip("/") else url / "api/v10"
    Route.BASE = str(base)


def reconnect_to(gateway_url: str) -> None:
    """Have discord.py begin new sessions where GET /gateway/bot says, not at an address of its own."""
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url).with_query(None)


class WarBot(commands.AutoShardedBot):
    """One process of the bot. The database and the host are opened elsewhere and passed in."""

    def __init__(self, *, db: Database, host: Host, gallery: Gallery, catalogue: Catalogue) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=WarTree,
            intents=discord.Intents(guilds=True),
            chunk_guilds_at_startup=False,
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
        )
        self.db = db
        self.host = host
        self.company = Company(db, host)
        self.unwelcome = Unwelcome(db, host)
        self.settings = ServerSettings(db, time.monotonic)
        self.gallery = gallery
        self.catalogue = catalogue
        self.draining = False
        self.synced: bool | None = None
        """Whether this start sent the commands to Discord; None before it is known."""
        self._listening: set[int] = set()  # the shards that are connected
        self.shut: set[int] = set()
        """Threads with a match in them that were archived or locked: discord.py forgets a thread that is archived."""
        self.once = Once()
        self._warnings = Warnings(time.monotonic)
        self._running = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self.unanswered = 0
        """How many presses and commands wait for their answer."""
        self._calm = asyncio.Event()
        self._calm.set()
        self._turns = asyncio.Semaphore(CONNECTIONS)

    # ---- start and stop -----------------------------------------------------------------------------------------

    async def login(self, token: str) -> None:
        self.http.connector = aiohttp.TCPConnector(limit=CONNECTIONS)
        await super().login(token)

    async def setup_hook(self) -> None:
        await self.host.look_around()
        for cog in COGS:
            if cog not in self.extensions:  # the login is tried again when Discord was out of reach
                await self.load_extension(cog)
        self.synced = await self._sync_commands()

    async def _sync_commands(self) -> bool:
        """Send the commands to Discord if they are others than those sent last. Whether they were sent."""
        payload = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        text = json.dumps(payload, sort_keys=True, default=str)
        digest = hashlib.sha256(text.encode()).hexdigest()
        name = f"commands:{self.application_id}"
        if await facts.get(self.db, name) == digest:
            return False
        await self.tree.sync()
        await facts.put(self.db, name, digest)
        return True

    async def drain(self) -> None:
        """Take no more work and wait for what runs, `DRAIN_SECONDS` at most."""
        self.draining = True
        try:
            await asyncio.wait_for(self._idle.wait(), DRAIN_SECONDS)
        except TimeoutError:
            log.warning("%d answers were still running after %.0f s", self._running, DRAIN_SECONDS)

    def invite_url(self) -> str:
        """The link that adds the bot to a server, with the few permissions it needs."""
        assert self.application_id is not None, "known after login"
        return discord.utils.oauth_url(
            self.application_id, permissions=PERMISSIONS, scopes=("bot", "applications.commands")
        )

    # ---- what cogs use ------------------------------------------------------------------------------------------

    @contextmanager
    def at_work(self) -> Generator[None, None, None]:
        """Around whatever must be finished before the process may end."""
        self._running += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._running -= 1
            if self._running == 0:
                self._idle.set()

    @contextmanager
    def at_answer(self) -> Generator[None, None, None]:
        """Around an answer that somebody waits for."""
        self.unanswered += 1
        if self.unanswered > FEW:
            self._calm.clear()
        try:
            with self.at_work():
                yield
        finally:
            self.unanswered -= 1
            if self.unanswered <= FEW:
                self._calm.set()

    async def calm(self) -> None:
        """For work that can wait: returns when few answers are left to be given, or after `STAND_BACK_SECONDS`."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._calm.wait(), STAND_BACK_SECONDS)

    @asynccontextmanager
    async def in_turn(self) -> AsyncGenerator[None, None]:
        """Around the work for one press: first come, first answered. All at once would mean that each step is done for
        everybody before the next one is for anybody, so that a burst is answered whole at its end, or too late."""
        try:
            await asyncio.wait_for(self._turns.acquire(), IN_TURN_SECONDS)
        except TimeoutError:
            yield  # what holds the turns up is slow; it may still be done in time
            return
        try:
            yield
        finally:
            self._turns.release()

    @asynccontextmanager
    async def answering(self, interaction: discord.Interaction[Any]) -> AsyncGenerator[None, None]:
        """Around the answer to a press: whatever goes wrong is said to the person who pressed."""
        with self.at_answer():
            try:
                yield
            except Refusal as refusal:
                await self._refuse(interaction, refusal)
            except Exception as error:  # noqa: BLE001 -- answered, and logged where it is a fault of ours
                await answer_failure(interaction, error, self.texts_for(interaction))

    def refuse_while_draining(self) -> None:
        """Raises `Refusal` once the bot was asked to stop."""
        if self.draining:
            raise Refusal("refuse-draining")

    async def _refuse(self, interaction: discord.Interaction[Any], refusal: Refusal) -> None:
        """Say why not, once; whoever goes on pressing the same button gets a silent nod."""
        data: dict[str, object] = dict(interaction.data or {})
        press = (interaction.user.id, interaction.channel_id, data.get("custom_id"))
        if interaction.response.is_done() or self._warnings.due(press):
            await answer_failure(interaction, refusal, self.texts_for(interaction))
        else:
            await nod(interaction)

    def texts_for(self, interaction: discord.Interaction[Any]) -> Texts:
        """In the language of the person who acts: for what only they see."""
        return self.catalogue.texts(interaction.locale.value)

    def texts_here(self, interaction: discord.Interaction[Any]) -> Texts:
        """In the language of the server: for what everybody sees."""
        return self.catalogue.texts(None if interaction.guild_locale is None else interaction.guild_locale.value)

    def texts_of(self, guild_id: int) -> Texts:
        """In the language of a server, where nobody acts."""
        guild = self.get_guild(guild_id)
        return self.catalogue.texts(None if guild is None else guild.preferred_locale.value)

    def may_act(self, guild_id: int) -> bool:
        """Whether people of that server can see and press now: its shard is connected and it is available.

        `is_ready()` does not say so: it stays true while a lost connection is taken up again.
        """
        guild = self.get_guild(guild_id)
        return guild is not None and not guild.unavailable and guild.shard_id in self._listening

    def may_show(self, guild_id: int, channel_id: int) -> bool:
        """Whether the bot may put a board into that channel, as far as it knows: it may see and write there, and a
        thread is neither archived nor locked. A channel it does not know is given the benefit of the doubt."""
        if channel_id in self.shut:
            return False
        guild = self.get_guild(guild_id)
        channel = None if guild is None else guild.get_channel_or_thread(channel_id)
        if guild is None or channel is None:
            return True
        if isinstance(channel, discord.Thread):
            if channel.archived or channel.locked or channel.parent is None:
                return False
            allowed = channel.permissions_for(guild.me)
            return allowed.view_channel and allowed.send_messages_in_threads
        allowed = channel.permissions_for(guild.me)
        return allowed.view_channel and allowed.send_messages

    async def may_draw(self, guild_id: int, channel_id: int) -> bool:
        """Whether boards there have pictures: the server has not chosen text, and the bot may attach files."""
        if (await self.settings.of(guild_id)).text_mode:
            return False
        guild = self.get_guild(guild_id)
        channel = None if guild is None else guild.get_channel_or_thread(channel_id)
        if guild is None or channel is None or (isinstance(channel, discord.Thread) and channel.parent is None):
            return True
        return channel.permissions_for(guild.me).attach_files

    # ---- events -------------------------------------------------------------------------------------------------

    async def on_shard_ready(self, shard_id: int) -> None:
        await self._listen_again(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        await self._listen_again(shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        self._listening.discard(shard_id)

    async def _listen_again(self, shard_id: int) -> None:
        """A shard is called ready up to some seconds after it was: by then the connection may be lost again."""
        if self._is_open(shard_id):
            await self.host.grace()
        if self._is_open(shard_id):
            self._listening.add(shard_id)

    def _is_open(self, shard_id: int) -> bool:
        shard = self.get_shard(shard_id)
        return shard is not None and not shard.is_closed()

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        if isinstance(sys.exc_info()[1], DatabaseClosed):
            log.debug("%s came while the bot was stopping; the next start looks after it", event_method)
            return
        log.exception("the handler of %s failed", event_method)
