"""`/war-admin`: what moderators set for their server."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import WarBot
from bot.refusals import Refusal
from bot.replies import tell
from cogs._press import Press, place_of


class Settings(commands.Cog):
    """Answers `/war-admin settings`. That only moderators see it is a hint to Discord; it is checked here again."""

    def __init__(self, bot: WarBot) -> None:
        self.bot = bot

    async def settings(self, interaction: Press, text_mode: bool | None) -> None:
        """Show what is set, after setting what was given."""
        place = place_of(interaction)
        if not interaction.permissions.manage_guild:
            raise Refusal("refuse-not-moderator")
        settings = self.bot.settings
        if text_mode is None:
            current = await settings.of(place.guild_id)
        else:
            current = await settings.set_text_mode(place.guild_id, text_mode)
        texts = self.bot.texts_for(interaction)
        await tell(interaction, texts("settings-text-on" if current.text_mode else "settings-text-off"))


async def setup(bot: WarBot) -> None:
    cog = Settings(bot)
    await bot.add_cog(cog)
    group = app_commands.Group(
        name="war-admin",
        description="What moderators set for War in this server",
        guild_only=True,
        default_permissions=discord.Permissions(manage_guild=True),
        allowed_contexts=app_commands.AppCommandContext(guild=True),
        allowed_installs=app_commands.AppInstallationType(guild=True),
    )

    @group.command(name="settings", description="See and change how War is shown in this server")
    @app_commands.describe(text_mode="Boards as text, without a picture of the table")
    async def settings(interaction: Press, text_mode: bool | None = None) -> None:
        await cog.settings(interaction, text_mode)

    del settings
    bot.tree.add_command(group)
