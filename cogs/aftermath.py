"""What goes with a match: backing a player before it, and *Rematch*, *Replay* and *Proof* after it."""

from __future__ import annotations

import io

import discord
from discord.ext import commands

from bot.client import WarBot
from bot.refusals import Refusal, StaleTurn
from bot.replies import tell
from cogs import _posts, _view_result
from cogs._buttons import buttons_of
from cogs._layout import shown_name
from cogs._painter import painter_of
from cogs._press import Press, click_of, user_of


class Aftermath(commands.Cog):
    """Answers the buttons that are not part of play."""

    def __init__(self, bot: WarBot) -> None:
        self.bot = bot
        self.host = bot.host
        self.company = bot.company
        self.painter = painter_of(bot)
        buttons = buttons_of(bot)
        buttons.add("back", 2, self.back)
        buttons.add("rematch", 1, self.rematch)
        buttons.add("replay", 2, self.replay)
        buttons.add("moment", 3, self.moment)
        buttons.add("proof", 1, self.proof)

    async def back(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        match_id, seat = numbers
        backed = await self.company.back(click_of(interaction, match_id), user_of(interaction.user), seat)
        texts = self.bot.texts_for(interaction)
        await tell(interaction, texts("back-done", name=shown_name(texts, backed)))

    async def rematch(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        """Everybody's press counts; the last one deals, and its answer is the new board."""
        click = click_of(interaction, numbers[0])
        try:
            pressed = await self.company.rematch(click, user_of(interaction.user), client_seed=str(interaction.id))
        except StaleTurn as stale:
            await self.painter.answer(interaction, stale.match)
            return
        if pressed.rematch.status == "waiting":
            await self.painter.answer(interaction, pressed.before)
            return
        await self.painter.show_deal(interaction, pressed.rematch)
        await self.painter.repaint(pressed.before)

    async def replay(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        """In private, so that everybody can page for themselves."""
        post = await self._moment(interaction, numbers[0], numbers[1])
        await interaction.response.send_message(view=post.layout, files=post.files(), ephemeral=True)

    async def moment(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        post = await self._moment(interaction, numbers[0], numbers[1])
        await interaction.response.edit_message(view=post.layout, attachments=post.files())

    async def _moment(self, interaction: Press, match_id: int, step: int) -> _posts.Post:
        played = await self.company.look_back(match_id, interaction.guild_id)
        if not played.battles:
            raise Refusal("refuse-nothing-played")
        return await _posts.of_moment(self.bot, self.bot.texts_for(interaction), played, step)

    async def proof(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        match = await self.host.match(numbers[0])
        if match.guild_id != interaction.guild_id:
            raise Refusal("refuse-no-such-match")
        proof = await self.host.proof(match.id)
        file = discord.File(io.BytesIO(proof.to_bytes()), _view_result.proof_file_name(match))
        layout = _view_result.proof(self.bot.texts_for(interaction), match)
        await interaction.response.send_message(view=layout, file=file, ephemeral=True)


async def setup(bot: WarBot) -> None:
    await bot.add_cog(Aftermath(bot))
