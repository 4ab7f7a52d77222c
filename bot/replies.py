"""The one place where something that went wrong becomes a sentence: private, and saying what to do next."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import aiohttp
import discord
from discord import app_commands

from bot.i18n import Texts
from bot.names import clean
from bot.refusals import ChannelBusy, OldBoard, PlayerBusy, Refusal, StaleTurn, Value
from db.errors import DatabaseError, DiskFull
from db.matches import Match
from db.people import Person
from engine.errors import RulesError

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")

UNKNOWN_INTERACTION = 10062
ALREADY_ANSWERED = 40060
INVALID_FORM = 50035
CANNOT_SEND_EMPTY = 50006
BLOCKED_BY_AUTOMOD = 200000

UNREACHED = (aiohttp.ClientError, OSError, TimeoutError)
"""What a broken connection to Discord may raise."""

UNDELIVERED = (discord.HTTPException, *UNREACHED)
"""What sending something to Discord may raise."""


def jump_url(match: Match) -> str | None:
    """Where the match is shown, if it is."""
    if match.message_id is None:
        return None
    return f"https://discord.com/channels/{match.guild_id}/{match.channel_id}/{match.message_id}"


def sentence(texts: Texts, error: BaseException) -> str | None:
    """What to say about an error; None when it is a fault of ours, which only the log may describe."""
    match error:
        case OldBoard(match=match):
            url = jump_url(match)
            return texts("refuse-old-board-nolink") if url is None else texts("refuse-old-board", link=url)
        case PlayerBusy(match=match, values=values):
            url = jump_url(match)
            shown = _shown(texts, values)
            return texts(f"{error.key}-nolink", **shown) if url is None else texts(error.key, link=url, **shown)
        case ChannelBusy() | StaleTurn() | Refusal():
            return texts(error.key, **_shown(texts, error.values))
        case discord.HTTPException(code=code) if code == BLOCKED_BY_AUTOMOD:
            return texts("refuse-automod")
        case discord.HTTPException(code=code) if code in (INVALID_FORM, CANNOT_SEND_EMPTY):
            return texts("refuse-form")
        case discord.DiscordServerError() | aiohttp.ClientError():
            return texts("refuse-form")
        case app_commands.NoPrivateMessage():
            return texts("refuse-guild-only")
        case app_commands.CommandNotFound() | app_commands.CommandSignatureMismatch():
            return texts("refuse-older-command")
        case RulesError(field="version"):
            return texts("refuse-old-rules")
        case DiskFull():
            return texts("error-disk-full")
        case DatabaseError():
            return texts("error-database")
        case _:
            return None


def _shown(texts: Texts, values: dict[str, Value]) -> dict[str, str | int]:
    return {
        name: clean(value.name, texts("nameless")) if isinstance(value, Person) else value
        for name, value in values.items()
    }


async def answer_failure(interaction: discord.Interaction[Any], error: BaseException, texts: Texts) -> None:
    """Tell the person who acted what went wrong, whatever state the interaction is in."""
    if isinstance(error, app_commands.CommandInvokeError):
        error = error.original
    if isinstance(error, discord.HTTPException) and error.code in (UNKNOWN_INTERACTION, ALREADY_ANSWERED):
        # Too late to answer, or answered although the reply was lost: what was done stands, and the board is repainted.
        log.warning("an answer was not delivered: %s", error)
        return
    said = sentence(texts, error)
    if said is None or isinstance(error, DatabaseError):
        log.error("an interaction failed", exc_info=error)
    await tell(interaction, said or texts("error-unexpected"))


async def surely(answer: Callable[[], Awaitable[Answer]]) -> Answer:
    """Give an answer, and give it once more when the connection broke: whether Discord had heard it cannot be known,
    but it takes one answer to an interaction only, so nothing is done twice. Raises what `answer` raises otherwise; a
    second answer raises `ALREADY_ANSWERED`."""
    try:
        return await answer()
    except UNREACHED as failure:
        log.warning("an answer met a broken connection and is given again: %s", failure)
        return await answer()


async def nod(interaction: discord.Interaction[Any]) -> None:
    """Acknowledge a press without a word."""
    try:
        if not interaction.response.is_done():
            await surely(interaction.response.defer)
    except UNDELIVERED as failure:
        log.warning("a press was not acknowledged: %s", failure)


async def tell(interaction: discord.Interaction[Any], said: str) -> None:
    """Say something in private: as the answer, or after it. Failing to is logged; nothing depends on it."""
    try:
        if interaction.response.is_done():
            await interaction.followup.send(said, ephemeral=True)
        else:
            await surely(lambda: interaction.response.send_message(said, ephemeral=True))
    except UNDELIVERED as failure:
        log.warning("a private reply was not delivered: %s", failure)
