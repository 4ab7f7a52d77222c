"""Quick matches: a whole match at once, against the house or against somebody who agrees."""

from __future__ import annotations

import time
from collections.abc import Callable

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import WarBot
from bot.names import clean
from bot.refusals import Refusal
from cogs._buttons import buttons_of
from cogs._group import war_group
from cogs._posts import of_quick
from cogs._press import RULES_CHOICES, Press, place_of, refuse_where_mute, rules_of, user_of
from cogs.challenge import Challenge
from engine.rules import Rules

SHARE_EVERY = 60.0
"""Seconds between two shared quick matches in a channel."""


class Quick(commands.Cog):
    """Answers `/war quick`, *Again* and *Share*."""

    def __init__(self, bot: WarBot, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.bot = bot
        self.host = bot.host
        self._monotonic = monotonic
        self._shared: dict[int, float] = {}
        buttons = buttons_of(bot)
        buttons.add("quick", 0, self.start)
        buttons.add("again", 0, self.again)
        buttons.add("share", 1, self.share)

    async def play(self, interaction: Press, rules: Rules, *, in_place: bool) -> None:
        """Play against the house, in private; `in_place` replaces the last one."""
        played = await self.host.quick(
            place_of(interaction), user_of(interaction.user), client_seed=str(interaction.id), rules=rules
        )
        post = await of_quick(self.bot, self.bot.texts_for(interaction), played)
        if in_place:
            await interaction.response.edit_message(view=post.layout, attachments=post.files())
        else:
            await interaction.response.send_message(view=post.layout, files=post.files(), ephemeral=True)

    async def start(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        await self.play(interaction, rules_of(None), in_place=False)

    async def again(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        await self.play(interaction, rules_of(None), in_place=True)

    async def share(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        place = place_of(interaction)
        match = await self.host.match(numbers[0])
        if match.kind != "house" or match.host.user_id != interaction.user.id or match.guild_id != place.guild_id:
            raise Refusal("refuse-no-such-match")
        refuse_where_mute(interaction)
        self._take_turn(place.channel_id)
        texts = self.bot.texts_here(interaction)
        name = clean(interaction.user.display_name, texts("nameless"))
        post = await of_quick(self.bot, texts, self.host.replay(match), shared_by=name)
        await interaction.response.send_message(
            view=post.layout, files=post.files(), allowed_mentions=discord.AllowedMentions.none()
        )

    def _take_turn(self, channel_id: int) -> None:
        """Raises `Refusal` when a match was shared here less than `SHARE_EVERY` seconds ago."""
        now = self._monotonic()
        self._shared = {channel: at for channel, at in self._shared.items() if now - at < SHARE_EVERY}
        if channel_id in self._shared:
            raise Refusal("share-wait")
        self._shared[channel_id] = now


async def setup(bot: WarBot) -> None:
    cog = Quick(bot)
    await bot.add_cog(cog)

    @war_group(bot).command(name="quick", description="A match that plays itself, against the house or someone")
    @app_commands.describe(opponent="Leave it out to play the house", rules="Classic unless you choose")
    @app_commands.choices(rules=RULES_CHOICES)
    async def quick(interaction: Press, opponent: discord.User | None = None, rules: str | None = None) -> None:
        if opponent is None:
            await cog.play(interaction, rules_of(rules), in_place=False)
            return
        cog_challenge = bot.get_cog(Challenge.__name__)
        assert isinstance(cog_challenge, Challenge), "cogs.challenge is loaded before"
        await cog_challenge.challenge(interaction, opponent, rules, kind="quick")

    del quick
