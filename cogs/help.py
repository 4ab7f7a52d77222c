"""`/war rules` and `/war help`."""

from __future__ import annotations

from discord import ui
from discord.ext import commands

from bot.client import WarBot
from cogs._buttons import buttons_of
from cogs._group import war_group
from cogs._layout import Layout
from cogs._press import Press, place_of, rules_of
from cogs._view_invitation import welcome_row
from cogs._view_pages import rules


class Help(commands.Cog):
    """Explains the game and the commands, in private."""

    def __init__(self, bot: WarBot) -> None:
        self.bot = bot
        buttons_of(bot).add("rules", 1, self.rules_of_match)

    async def rules(self, interaction: Press) -> None:
        """The rules of the match of this channel, else the classic ones."""
        match = await self.bot.host.match_in(place_of(interaction).channel_id)
        chosen = rules_of(None) if match is None else match.rules
        await interaction.response.send_message(view=rules(self.bot.texts_for(interaction), chosen), ephemeral=True)

    async def rules_of_match(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        match = await self.bot.host.match(numbers[0])
        layout = rules(self.bot.texts_for(interaction), match.rules)
        await interaction.response.send_message(view=layout, ephemeral=True)

    async def help(self, interaction: Press) -> None:
        texts = self.bot.texts_for(interaction)
        parts: list[ui.Item[ui.LayoutView]] = [ui.TextDisplay(texts("help-text"))]
        if await self.bot.unwelcome.any_of(interaction.user.id):
            parts += [ui.TextDisplay(texts("help-unwelcome")), welcome_row(texts)]
        await interaction.response.send_message(view=Layout(*parts), ephemeral=True)


async def setup(bot: WarBot) -> None:
    cog = Help(bot)
    await bot.add_cog(cog)
    group = war_group(bot)

    @group.command(name="rules", description="How War is played here")
    async def rules(interaction: Press) -> None:
        await cog.rules(interaction)

    @group.command(name="help", description="What the bot can do")
    async def help_(interaction: Press) -> None:
        await cog.help(interaction)

    del rules, help_
