"""Buttons carry ids, not trust: one grammar of custom_ids, one dispatch table, one place where a press is answered.

A press arrives as an interaction and nothing else: no view is kept for it, so it works on any message, after any
restart. What matches nothing here is from an older version, or forged, and is answered too; discord.py would drop it.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

import discord
from discord.ext import commands

from bot.client import WarBot
from bot.refusals import Refusal

GRAMMAR = re.compile(r"war:([a-z]+)((?::[0-9]{1,19}){0,4})")
LARGEST = 2**63 - 1
"""Ids are 64-bit signed integers wherever they are stored."""

Handler = Callable[[discord.Interaction[WarBot], tuple[int, ...]], Awaitable[None]]
"""Answers one press; the numbers are those of the custom_id."""


def custom_id(name: str, *numbers: int) -> str:
    """The custom_id of a button. Raises `ValueError` where it would not come back as it went.

    >>> custom_id("flip", 12, 3)
    'war:flip:12:3'
    """
    text = ":".join(["war", name, *map(str, numbers)])
    if parse(text) != (name, numbers):
        raise ValueError(f"{text!r} is no custom_id that would be understood again")
    return text


def parse(text: str) -> tuple[str, tuple[int, ...]] | None:
    """Name and numbers of a custom_id, or None when it is not one of ours.

    >>> parse("war:flip:12:3")
    ('flip', (12, 3))
    >>> parse("war:flip:٣") is None
    True
    """
    match = GRAMMAR.fullmatch(text)
    if match is None:
        return None
    numbers = tuple(int(digits) for digits in match[2].split(":")[1:])
    return None if any(number > LARGEST for number in numbers) else (match[1], numbers)


class Buttons(commands.Cog):
    """The dispatch table. Cogs add their buttons when they are set up."""

    def __init__(self, bot: WarBot) -> None:
        self._bot = bot
        self._handlers: dict[str, tuple[int, Handler]] = {}

    def add(self, name: str, numbers: int, handler: Handler) -> None:
        """Have `handler` answer `war:<name>` with that many numbers. Raises `ValueError` for a name that is taken."""
        if name in self._handlers:
            raise ValueError(f"there is a button {name!r} already")
        self._handlers[name] = (numbers, handler)

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction[WarBot]) -> None:
        if interaction.type is not discord.InteractionType.component:
            return
        if not self._bot.once.first(interaction.id):
            return  # delivered twice, after a RESUME
        data: dict[str, object] = dict(interaction.data or {})
        async with self._bot.answering(interaction):
            self._bot.refuse_while_draining()
            parsed = parse(str(data.get("custom_id", "")))
            if parsed is None or parsed[0] not in self._handlers:
                raise Refusal("refuse-older-version")
            name, numbers = parsed
            expected, handler = self._handlers[name]
            if len(numbers) != expected:
                raise Refusal("refuse-older-version")
            async with self._bot.in_turn():
                await handler(interaction, numbers)


def buttons_of(bot: WarBot) -> Buttons:
    """The dispatch table of a bot, which is loaded before the cogs that add to it."""
    cog = bot.get_cog(Buttons.__name__)
    assert isinstance(cog, Buttons), "cogs._buttons is loaded first"
    return cog


async def setup(bot: WarBot) -> None:
    await bot.add_cog(Buttons(bot))
