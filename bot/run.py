"""Runs the bot: opens what needs closing, logs in, plays until it is told to stop, and leaves nothing half-done."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import secrets
import signal
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import TypeVar

import aiohttp
import discord

from bot.client import WarBot, point_at, reconnect_to
from bot.clock import Sweeper
from bot.exits import Exit, for_database
from bot.gallery import Gallery
from bot.host import Host, Timing
from bot.i18n import Catalogue
from bot.settings import Settings
from db.database import connect
from db.errors import DatabaseError

log = logging.getLogger(__name__)

T = TypeVar("T")

FIRST_BACKOFF = 1.0
LONGEST_BACKOFF = 300.0
"""Seconds between attempts to log in while Discord is out of reach; each is twice the one before."""


OUT_OF_REACH = (aiohttp.ClientError, OSError, discord.DiscordServerError, discord.GatewayNotFound)

CANCEL_AGAIN = 0.5
"""Seconds after which a task that goes on is cancelled once more."""

COLLECT_AFTER = 5_000, 10, 5
"""Objects made before the youngest are looked through for cycles, such looks before those that outlived one are, and of
these before all are. Presses are cycles, and the last one of every board is kept for a while: with 20,000, 20, 50 a bot
of 512 busy boards held 160 MB of dead ones, with these 33 MB, for the same processor time."""

FEW_STARTS = 0.1
"""The share of session starts below which they are spread over time."""


class Stopped(Exception):
    """The bot ends with an exit code and one sentence for whoever runs it."""

    def __init__(self, code: Exit, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


async def run(settings: Settings, say: Callable[[str], None]) -> None:
    """Run until SIGTERM or SIGINT. Raises `Stopped` for what ends the bot otherwise."""
    if settings.discord_api_url:
        point_at(settings.discord_api_url)
    try:
        async with connect(settings.database_url) as db:
            host = Host(
                db,
                timing=Timing(settings.turn_seconds, settings.nudge_seconds, settings.challenge_seconds),
                now=_wall,
                draw_seed=lambda: secrets.token_bytes(32),
            )
            async with (
                Gallery() as gallery,
                WarBot(db=db, host=host, gallery=gallery, catalogue=Catalogue.load()) as bot,
            ):
                await _serve(bot, settings, say)
    except DatabaseError as error:
        raise Stopped(for_database(error), str(error)) from error


async def _serve(bot: WarBot, settings: Settings, say: Callable[[str], None]) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    sweeper = Sweeper(bot.host, may_act=bot.may_act, may_show=bot.may_show, wall=_wall, monotonic=_monotonic)
    try:
        async with (
            _running(_connected(bot, settings, say)) as play,
            _running(sweeper.run()),
            _running(bot.gallery.warm()),
        ):
            stopped = asyncio.create_task(stop.wait())
            await asyncio.wait([play, stopped], return_when=asyncio.FIRST_COMPLETED)
            stopped.cancel()
            if play.done():
                play.result()
                return
            say("Stopping: no new work, finishing what runs.")
            await bot.drain()
            await _end(play)  # first: a login that is still under way would fail on connections that are closed
            await bot.close()
    except discord.LoginFailure as error:
        raise Stopped(
            Exit.TOKEN_REFUSED,
            "Discord refused the token. Copy it again from the application's Bot page into DISCORD_TOKEN.",
        ) from error
    except discord.PrivilegedIntentsRequired as error:
        raise Stopped(
            Exit.INTENTS_REFUSED,
            "Discord refused the intents. This bot needs none of the privileged ones: reset them on the Bot page.",
        ) from error
    except discord.ConnectionClosed as error:
        raise _closed_for_good(error) from error


def _closed_for_good(error: discord.ConnectionClosed) -> Stopped:
    if error.code == 4004:
        return Stopped(
            Exit.TOKEN_REFUSED,
            "Discord no longer accepts the token. Copy a new one from the Bot page into DISCORD_TOKEN.",
        )
    if error.code in (4013, 4014):
        return Stopped(Exit.INTENTS_REFUSED, "Discord refused the intents of the bot. Update the bot and start again.")
    return Stopped(
        Exit.GATEWAY_REFUSED,
        f"Discord closed the connection for good (code {error.code}). Update the bot and start again.",
    )


@asynccontextmanager
async def _running(work: Coroutine[None, None, None]) -> AsyncGenerator[asyncio.Task[None], None]:
    """A task that does not outlive this block."""
    task = asyncio.create_task(work)
    try:
        yield task
    finally:
        await _end(task)
        with suppress(asyncio.CancelledError):
            await task


async def _end(task: asyncio.Task[None]) -> None:
    """Cancel a task until it has ended. Once may not be enough: before Python 3.12 `asyncio.wait_for`, in which
    discord.py logs in, loses a cancellation that comes in the moment in which what it waits for is done."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=CANCEL_AGAIN)


async def _connected(bot: WarBot, settings: Settings, say: Callable[[str], None]) -> None:
    """Log in, tell what was found, and play until the connection is closed for good."""
    say(f"Token: {_token_source(settings)}. Database: {bot.db.path}.")
    await _log_in(bot, settings.discord_token.get_secret_value())
    user = bot.user
    assert user is not None, "known after login"
    say(f"Logged in as {user} ({user.id}). Commands: {'synced' if bot.synced else 'unchanged'}.")
    say(f"Invite: {bot.invite_url()}")
    await _spare_session_starts(bot, say)
    ready = asyncio.create_task(_tell_servers(bot, say))
    try:
        await bot.connect()
    finally:
        ready.cancel()


async def _spare_session_starts(bot: WarBot, say: Callable[[str], None]) -> None:
    """Discord allows so many logins of the gateway a day and resets the token of who uses them up. When few are left,
    they are spread over the time until there are new ones, so that a loop of crashes cannot use them up."""
    bot.shard_count, url, limit = await _persistently(bot.http.get_bot_gateway)
    reconnect_to(url)
    left, total = limit["remaining"], limit["total"]
    if left >= total * FEW_STARTS:
        return
    wait = limit["reset_after"] / 1000 / (left + 1)
    if wait >= 1:
        say(f"Only {left} of {total} session starts are left: waiting {wait:.0f} s before the next one.")
    await asyncio.sleep(wait)


async def _tell_servers(bot: WarBot, say: Callable[[str], None]) -> None:
    await bot.wait_until_ready()
    _keep_for_good()
    count = len(bot.guilds)
    say(f"Ready in {count} server{'' if count == 1 else 's'}.")


def _keep_for_good() -> None:
    """What exists when the bot is ready stays to its end, so the collector of cycles need not look through it again and
    again, which took a tenth of what a click costs."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


async def _log_in(bot: WarBot, token: str) -> None:
    """Log in, and try again while Discord is out of reach; a refused token is final."""

    async def attempt() -> None:
        try:
            await bot.login(token)
        except OUT_OF_REACH:
            await bot.http.close()
            raise

    await _persistently(attempt)


async def _persistently(ask: Callable[[], Awaitable[T]]) -> T:
    """What Discord answers, asked again while it is out of reach."""
    wait = FIRST_BACKOFF
    while True:
        try:
            return await ask()
        except OUT_OF_REACH as failure:
            log.warning("Discord is out of reach (%s); trying again in %.0f s", failure, wait)
            await asyncio.sleep(wait)
            wait = min(wait * 2, LONGEST_BACKOFF)


def _token_source(settings: Settings) -> str:
    """Where the token came from and how long it is; its value is never shown."""
    where = "the environment" if os.environ.get("DISCORD_TOKEN") else ".env"
    return f"from {where}, {len(settings.discord_token.get_secret_value())} characters"


def _wall() -> int:
    return time.time_ns() // 1_000_000


def _monotonic() -> int:
    return time.monotonic_ns() // 1_000_000
