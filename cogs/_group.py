"""The `/war` group. Every feature adds its own commands to it, so that each can be read by itself."""

from __future__ import annotations

from discord import app_commands

from bot.client import WarBot


def war_group(bot: WarBot) -> app_commands.Group:
    """The group, made by whichever cog asks first."""
    found = bot.tree.get_command("war")
    if isinstance(found, app_commands.Group):
        return found
    group = app_commands.Group(
        name="war",
        description="The card game War",
        guild_only=True,
        allowed_contexts=app_commands.AppCommandContext(guild=True),
        allowed_installs=app_commands.AppInstallationType(guild=True),
    )
    bot.tree.add_command(group)
    return group
