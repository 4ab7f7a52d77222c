"""The command tree: refuses work while the bot is draining and answers every failure of a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands

from bot.refusals import Refusal
from bot.replies import answer_failure

if TYPE_CHECKING:
    from bot.client import WarBot


class WarTree(app_commands.CommandTree["WarBot"]):
    """discord.py ends with `on_error`, after the handlers of command and cog: it is the only one that answers."""

    async def _call(self, interaction: discord.Interaction[WarBot]) -> None:
        with interaction.client.at_answer():
            await super()._call(interaction)

    async def interaction_check(self, interaction: discord.Interaction[WarBot], /) -> bool:
        if not interaction.client.once.first(interaction.id):
            return False  # delivered twice, after a RESUME
        if interaction.client.draining:
            texts = interaction.client.texts_for(interaction)
            await answer_failure(interaction, Refusal("refuse-draining"), texts)
            return False
        return True

    async def on_error(self, interaction: discord.Interaction[WarBot], error: app_commands.AppCommandError, /) -> None:
        await answer_failure(interaction, error, interaction.client.texts_for(interaction))
