"""The application's own emoji of cards, beside their names on boards without a picture.

They are never needed: until they are known, and for ever where they cannot be had, a card is just "Q♠". So they are
asked for when the first text board is made, once a process and in the background, and uploaded where they are missing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

from discord.ext import commands

from bot.client import WarBot
from bot.pictures.emoji import NAMES, emoji_name
from bot.pictures.errors import PictureError
from bot.replies import UNDELIVERED
from bot.telling import Show
from engine.cards import CARDS, Card

log = logging.getLogger(__name__)


def beside(emoji: str, card: Card) -> str:
    """A card with its emoji. The words stay: the emoji is a small picture, and of it a screen reader says no more than
    its name, which no translation reaches; where pictures load slowly there is nothing of it to be seen.

    >>> beside("<:eight_of_hearts:1>", Card.parse("8H"))
    '<:eight_of_hearts:1>\\xa08♥'
    """
    return f"{emoji}\N{NO-BREAK SPACE}{card}"


class CardEmoji(commands.Cog):
    """Knows how Discord writes the emoji of a card."""

    def __init__(self, bot: WarBot) -> None:
        self._bot = bot
        self._written: dict[Card, str] | None = None
        self._asked = False
        self._asking: set[asyncio.Task[None]] = set()

    async def cog_unload(self) -> None:
        for task in self._asking:
            task.cancel()

    def show(self) -> Show:
        """How a text board writes a card now. The first call has the emoji asked for."""
        if not self._asked:
            self._asked = True
            task = asyncio.create_task(self._ask())
            self._asking.add(task)
            task.add_done_callback(self._asking.discard)
        # All or none: a board of both would look broken.
        return str if self._written is None else self._written.__getitem__

    async def _ask(self) -> None:
        """Learn what there is and upload the rest. What fails is not tried again in this process."""
        try:
            found = {emoji.name: str(emoji) for emoji in await self._bot.fetch_application_emojis()}
            found |= await self._upload(found)
        except (*UNDELIVERED, PictureError) as failure:
            log.warning("text boards write cards as Q♠: the application's emoji are not to be had (%s)", failure)
            return
        self._written = {card: beside(found[emoji_name(card)], card) for card in CARDS}

    async def _upload(self, found: Mapping[str, str]) -> dict[str, str]:
        """The faces that are missing, one by one: discord.py waits where Discord limits their rate."""
        missing = [name for name in NAMES if name not in found]
        if not missing:
            return {}
        images = await self._bot.gallery.emoji()
        made: dict[str, str] = {}
        for name in missing:
            made[name] = str(await self._bot.create_application_emoji(name=name, image=images[name]))
        log.info("uploaded %d emoji of cards", len(made))
        return made


def emoji_of(bot: WarBot) -> CardEmoji:
    """The emoji of a bot, which are loaded before the cogs that use them."""
    cog = bot.get_cog(CardEmoji.__name__)
    assert isinstance(cog, CardEmoji), "cogs.emoji is loaded before"
    return cog


async def setup(bot: WarBot) -> None:
    await bot.add_cog(CardEmoji(bot))
