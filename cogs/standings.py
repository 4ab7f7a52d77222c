"""`/war leaderboard`: who has won the most in this server."""

from __future__ import annotations

from discord.ext import commands

from bot.client import WarBot
from bot.refusals import Refusal
from cogs._buttons import buttons_of
from cogs._group import war_group
from cogs._layout import Layout
from cogs._press import Press, place_of
from cogs._view_pages import leaderboard
from db import standings

KINDS = ("match", "quick")


class Standings(commands.Cog):
    """Answers the command and its pages."""

    def __init__(self, bot: WarBot) -> None:
        self.bot = bot
        buttons = buttons_of(bot)
        buttons.add("leaders", 3, self.turn_page)
        buttons.add("leaderkind", 2, self.change_kind)

    async def page(self, interaction: Press, kind: str, number: int, asker: int) -> Layout:
        place = place_of(interaction)
        page = await standings.page(self.bot.db, place.guild_id, kind, number, asker)
        server = "" if interaction.guild is None else interaction.guild.name
        return leaderboard(self.bot.texts_here(interaction), server, page, kind=kind, asker_user_id=asker)

    async def show(self, interaction: Press) -> None:
        """The first page, for everybody in the channel."""
        await interaction.response.send_message(view=await self.page(interaction, KINDS[0], 0, interaction.user.id))

    async def turn_page(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        kind, number, asker = numbers
        if kind >= len(KINDS):
            raise Refusal("refuse-older-version")
        await interaction.response.edit_message(view=await self.page(interaction, KINDS[kind], number, asker))

    async def change_kind(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        kind, asker = numbers
        await self.turn_page(interaction, (kind, 0, asker))


async def setup(bot: WarBot) -> None:
    cog = Standings(bot)
    await bot.add_cog(cog)

    @war_group(bot).command(name="leaderboard", description="Who has won the most in this server")
    async def leaderboard(interaction: Press) -> None:
        await cog.show(interaction)

    del leaderboard
