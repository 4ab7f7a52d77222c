"""The board of a live match and all that is pressed on it or beside it."""

from __future__ import annotations

from discord.ext import commands

from bot.client import WarBot
from bot.refusals import OldBoard, Refusal, StaleTurn
from bot.replies import jump_url, nod, tell
from cogs import _view_board
from cogs._buttons import buttons_of
from cogs._group import war_group
from cogs._layout import players_line, text
from cogs._painter import answer_with_message, painter_of
from cogs._posts import of_match
from cogs._press import Press, click_of, place_of, refuse_where_mute
from db.matches import Match
from engine.table import Pace


class War(commands.Cog):
    """Answers `/war board` and the buttons of a match."""

    def __init__(self, bot: WarBot) -> None:
        self.bot = bot
        self.host = bot.host
        self.painter = painter_of(bot)
        self._recovered = False
        buttons = buttons_of(bot)
        buttons.add("flip", 2, self.flip)
        buttons.add("finish", 2, self.finish)
        buttons.add("more", 2, self.more)
        buttons.add("card", 2, self.card_pace)
        buttons.add("wars", 2, self.war_pace)
        buttons.add("offer", 2, self.offer)
        buttons.add("agree", 2, self.agree)
        buttons.add("playon", 2, self.play_on)
        buttons.add("forfeit", 2, self.forfeit)
        buttons.add("giveup", 2, self.give_up)

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Once a process: a later READY finds boards that are just being posted."""
        if not self._recovered:
            self._recovered = True
            await self.host.recover()

    async def board(self, interaction: Press) -> None:
        """`/war board`: for a player the board is posted anew, for others there is a link to it."""
        place = place_of(interaction)
        match = await self.host.match_in(place.channel_id)
        if match is None:
            raise Refusal("board-none")
        texts = self.bot.texts_for(interaction)
        url = jump_url(match)
        if match.player_of(interaction.user.id) is None and url is not None:
            said = texts("board-on", players=players_line(texts, match), turn=match.table.turn + 1, link=url)
            await tell(interaction, said)
            return
        refuse_where_mute(interaction)
        here = self.bot.texts_here(interaction)
        message_id = await answer_with_message(interaction, await of_match(self.bot, match))
        if message_id is None:
            return
        await self.host.shown(match, message_id)
        if match.message_id is not None:
            moved = _view_board.moved(here, jump_url(await self.host.match(match.id)) or "")
            await self.painter.retire(match, match.message_id, moved)

    async def _press(self, interaction: Press, numbers: tuple[int, ...], pace: Pace | None) -> None:
        match_id, turn = numbers
        click = click_of(interaction, match_id, turn)
        try:
            match = await self.host.press(click, pace)
        except StaleTurn as stale:
            if stale.match.message_id is not None and click.message_id < stale.match.message_id:
                raise OldBoard(stale.match) from None
            match = stale.match
        if match is None:
            await nod(interaction)
        else:
            await self.painter.answer(interaction, match)

    async def flip(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        await self._press(interaction, numbers, None)

    async def finish(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        await self._press(interaction, numbers, Pace.FINISH)

    # ---- what is said beside the board: in private, so the board is painted separately --------------------------

    async def more(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        match, player = await self.host.player_at(click_of(interaction, *numbers))
        assert player.seat is not None, "a live match was dealt"
        counts = self.host.board(match).counts
        menu = _view_board.more(self.bot.texts_for(interaction), match, player.seat, counts)
        await interaction.response.send_message(view=menu, ephemeral=True)

    async def card_pace(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        await self._set_pace(interaction, numbers, Pace.CARD, "pace-card-done")

    async def war_pace(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        await self._set_pace(interaction, numbers, Pace.WAR, "pace-war-done")

    async def _set_pace(self, interaction: Press, numbers: tuple[int, ...], pace: Pace, said: str) -> None:
        match = await self.host.set_pace(click_of(interaction, *numbers), pace)
        await self._say_and_repaint(interaction, said, match)

    async def offer(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        match = await self.host.agree(click_of(interaction, *numbers), on_board=False)
        await self._say_and_repaint(interaction, "offer-ended" if match.status == "over" else "offer-done", match)

    async def agree(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        try:
            match = await self.host.agree(click_of(interaction, *numbers))
        except StaleTurn as stale:
            match = stale.match
        await self.painter.answer(interaction, match)

    async def play_on(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        try:
            match = await self.host.refuse_offer(click_of(interaction, *numbers))
        except StaleTurn as stale:
            match = stale.match
        await self.painter.answer(interaction, match)

    async def forfeit(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        match, _ = await self.host.player_at(click_of(interaction, *numbers))
        question = _view_board.forfeit_question(self.bot.texts_for(interaction), match)
        await interaction.response.edit_message(view=question)

    async def give_up(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        match = await self.host.forfeit(click_of(interaction, *numbers))
        await self._say_and_repaint(interaction, "forfeit-done", match)

    async def _say_and_repaint(self, interaction: Press, key: str, match: Match) -> None:
        """Replace the private menu by one sentence and draw the board as it is now."""
        said = self.bot.texts_for(interaction)(key)
        try:
            await interaction.response.edit_message(view=text(said))
        finally:
            await self.painter.repaint(match)


async def setup(bot: WarBot) -> None:
    cog = War(bot)
    await bot.add_cog(cog)

    @war_group(bot).command(name="board", description="Find the match of this channel again")
    async def board(interaction: Press) -> None:
        await cog.board(interaction)

    del board
