"""Matches with buttons: the challenge, the board and all that is pressed on it."""

from __future__ import annotations

import io
from collections.abc import Awaitable, Callable

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import PERMISSIONS, WarBot
from bot.host import Click, Place, User
from bot.refusals import ChannelBusy, OldBoard, Refusal, StaleTurn
from bot.replies import ALREADY_ANSWERED, UNDELIVERED, jump_url, tell
from cogs import _views
from cogs._buttons import buttons_of
from cogs._group import war_group
from cogs._painter import Painter, answer_with_message
from db.matches import Kind, Match
from engine.rules import PRESETS, Rules
from engine.table import Pace

Press = discord.Interaction[WarBot]

RULES_CHOICES = [
    app_commands.Choice(name=f"{name.capitalize()}: about {_views.PRESSES[name][0]} presses", value=name)
    for name in PRESETS
]


def place_of(interaction: Press) -> Place:
    """Where somebody acts. Raises `Refusal` outside a server."""
    if interaction.guild_id is None or interaction.channel_id is None:
        raise Refusal("refuse-guild-only")
    return Place(interaction.guild_id, interaction.channel_id)


def user_of(user: discord.User | discord.Member) -> User:
    """Somebody by the name that people see here."""
    return User(user.id, user.display_name)


def click_of(interaction: Press, match_id: int, turn: int = 0) -> Click:
    """A press as the host takes it."""
    message = interaction.message
    return Click(
        match_id=match_id,
        turn=turn,
        user_id=interaction.user.id,
        channel_id=interaction.channel_id or 0,
        message_id=0 if message is None else message.id,
    )


def rules_of(preset: str | None) -> Rules:
    """The rules of a preset; without one the classic ones."""
    return PRESETS[preset or "classic"]


def refuse_where_mute(interaction: Press) -> None:
    """Raises `Refusal` when the bot lacks a permission here that a match needs."""
    has = interaction.app_permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    unused = "send_messages" if in_thread else "send_messages_in_threads"
    texts = interaction.client.texts_for(interaction)
    missing = [
        texts(f"permission-{name}")
        for name, needed in PERMISSIONS
        if needed and name != unused and not getattr(has, name)
    ]
    if missing:
        raise Refusal("refuse-permissions", missing=", ".join(missing))


class War(commands.Cog):
    """Answers `/war challenge` and `/war board` and every button of a match."""

    def __init__(self, bot: WarBot) -> None:
        self.bot = bot
        self.host = bot.host
        self.painter = Painter(bot)
        self.host.on_change(self.painter.repaint_soon)
        buttons = buttons_of(bot)
        buttons.add("accept", 1, self.accept)
        buttons.add("decline", 1, self.decline)
        buttons.add("join", 1, self.join)
        buttons.add("leave", 1, self.leave)
        buttons.add("start", 1, self.start)
        buttons.add("cancel", 1, self.cancel)
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
        buttons.add("proof", 1, self.proof)

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        await self.host.recover()

    # ---- challenge ----------------------------------------------------------------------------------------------

    async def challenge(
        self, interaction: Press, opponent: discord.User | discord.Member, preset: str | None, kind: Kind = "match"
    ) -> None:
        """Open a challenge, after a look at whether the bot can play here at all."""
        place = place_of(interaction)
        refuse_where_mute(interaction)
        try:
            opened = await self.host.challenge(
                place,
                user_of(interaction.user),
                user_of(opponent),
                opponent_is_bot=opponent.bot,
                rules=rules_of(preset),
                kind=kind,
            )
        except ChannelBusy as busy:
            texts = self.bot.texts_for(interaction)
            await interaction.response.send_message(view=_views.busy(texts, busy.match), ephemeral=True)
            return
        mentions = discord.AllowedMentions(users=[opponent]) if opened.ping else discord.AllowedMentions.none()
        layout = _views.challenge(self.bot.texts_here(interaction), opened.match)
        await self._post_waiting(interaction, opened.match, layout, mentions)

    async def open_table(self, interaction: Press, preset: str | None) -> None:
        """Open a table that anyone here may join."""
        place = place_of(interaction)
        refuse_where_mute(interaction)
        try:
            match = await self.host.open_table(place, user_of(interaction.user), rules=rules_of(preset))
        except ChannelBusy as busy:
            texts = self.bot.texts_for(interaction)
            await interaction.response.send_message(view=_views.busy(texts, busy.match), ephemeral=True)
            return
        layout = _views.open_table(self.bot.texts_here(interaction), match)
        await self._post_waiting(interaction, match, layout, discord.AllowedMentions.none())

    async def _post_waiting(
        self, interaction: Press, match: Match, layout: _views.Layout, mentions: discord.AllowedMentions
    ) -> None:
        """Post what waits for an answer; what Discord certainly never showed is withdrawn."""
        try:
            message_id = await answer_with_message(interaction, layout, mentions=mentions)
        except discord.HTTPException as failure:
            if failure.status < 500 and failure.code != ALREADY_ANSWERED:
                await self.host.unsent(match)
            raise
        if message_id is not None:
            await self.host.shown(match, message_id)

    async def accept(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        click = click_of(interaction, numbers[0])
        texts = self.bot.texts_here(interaction)
        try:
            match = await self.host.accept(click, user_of(interaction.user), client_seed=str(interaction.id))
        except StaleTurn as stale:
            await self._show_closed(interaction, stale.match)
            return
        if match.kind == "quick":
            played = self.host.replay(match)
            await answer_with_message(interaction, _views.quick(texts, played))
            await self.painter.retire(match, click.message_id, _views.challenge_closed(texts, match, "accepted"))
            return
        await self._show_deal(interaction, match, click.message_id)

    async def _show_deal(self, interaction: Press, match: Match, waiting_message_id: int) -> None:
        """Answer the press that started a match with its board, and close the message that waited."""
        texts = self.bot.texts_here(interaction)
        # A new message, so that anyone can read the id of the press that started the match: it is the client seed.
        try:
            message_id = await answer_with_message(interaction, _views.board(texts, self.host.board(match)))
        except UNDELIVERED as failure:
            if isinstance(failure, discord.HTTPException) and failure.code == ALREADY_ANSWERED:
                message_id = (await interaction.original_response()).id
            else:
                await self.painter.repaint(match)  # no message yet: it is posted by itself
                message_id = None
        if message_id is not None:
            await self.host.shown(match, message_id)
        match = await self.host.match(match.id)
        closed = _views.challenge_closed(texts, match, "accepted", jump_url(match))
        await self.painter.retire(match, waiting_message_id, closed)

    async def join(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        await self._change_table(interaction, numbers, self.host.join)

    async def leave(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        await self._change_table(interaction, numbers, self.host.leave)

    async def _change_table(
        self, interaction: Press, numbers: tuple[int, ...], change: Callable[[Click, User], Awaitable[Match]]
    ) -> None:
        try:
            match = await change(click_of(interaction, numbers[0]), user_of(interaction.user))
        except StaleTurn as stale:
            await self._show_closed(interaction, stale.match)
            return
        await self.painter.answer(interaction, match)

    async def start(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        click = click_of(interaction, numbers[0])
        try:
            match = await self.host.start(click, user_of(interaction.user), client_seed=str(interaction.id))
        except StaleTurn as stale:
            await self._show_closed(interaction, stale.match)
            return
        await self._show_deal(interaction, match, click.message_id)

    async def decline(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        try:
            match = await self.host.decline(click_of(interaction, numbers[0]), user_of(interaction.user))
        except StaleTurn as stale:
            await self._show_closed(interaction, stale.match)
            return
        closed = _views.challenge_closed(self.bot.texts_here(interaction), match, "declined")
        await interaction.response.edit_message(view=closed)

    async def cancel(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        try:
            match = await self.host.cancel(click_of(interaction, numbers[0]), user_of(interaction.user))
        except StaleTurn as stale:
            await self._show_closed(interaction, stale.match)
            return
        closed = _views.challenge_closed(self.bot.texts_here(interaction), match, "cancelled")
        await interaction.response.edit_message(view=closed)

    async def _show_closed(self, interaction: Press, match: Match) -> None:
        """A press on a challenge that no longer waits: show what became of it. A board is left as it is."""
        if match.client_seed is not None and interaction.message and interaction.message.id == match.message_id:
            raise StaleTurn(match)
        texts = self.bot.texts_here(interaction)
        how = match.termination or "expired" if match.client_seed is None else "accepted"
        await interaction.response.edit_message(view=_views.challenge_closed(texts, match, how, jump_url(match)))

    # ---- the board ----------------------------------------------------------------------------------------------

    async def board(self, interaction: Press) -> None:
        """`/war board`: for a player the board is posted anew, for others there is a link to it."""
        place = place_of(interaction)
        match = await self.host.match_in(place.channel_id)
        if match is None:
            raise Refusal("board-none")
        texts = self.bot.texts_for(interaction)
        url = jump_url(match)
        if match.player_of(interaction.user.id) is None and url is not None:
            said = texts("board-on", players=_views.players_line(texts, match), turn=match.table.turn + 1, link=url)
            await tell(interaction, said)
            return
        refuse_where_mute(interaction)
        here = self.bot.texts_here(interaction)
        message_id = await answer_with_message(interaction, _views.board(here, self.host.board(match)))
        if message_id is None:
            return
        await self.host.shown(match, message_id)
        if match.message_id is not None:
            moved = _views.moved(here, jump_url(await self.host.match(match.id)) or "")
            await self.painter.retire(match, match.message_id, moved)

    async def _press(self, interaction: Press, numbers: tuple[int, ...], pace: Pace | None) -> None:
        match_id, turn = numbers
        click = click_of(interaction, match_id, turn)
        try:
            match = await self.host.press(click, pace)
        except StaleTurn as stale:
            if stale.match.message_id not in (None, click.message_id):
                raise OldBoard(stale.match) from None
            match = stale.match
        if match is None:
            await interaction.response.defer()
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
        menu = _views.more(self.bot.texts_for(interaction), match, player.seat, counts)
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
        question = _views.forfeit_question(self.bot.texts_for(interaction), match)
        await interaction.response.edit_message(view=question)

    async def give_up(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        match = await self.host.forfeit(click_of(interaction, *numbers))
        await self._say_and_repaint(interaction, "forfeit-done", match)

    async def _say_and_repaint(self, interaction: Press, key: str, match: Match) -> None:
        """Replace the private menu by one sentence and draw the board as it is now."""
        said = self.bot.texts_for(interaction)(key)
        try:
            await interaction.response.edit_message(view=_views.text(said))
        finally:
            await self.painter.repaint(match)

    async def proof(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        proof = await self.host.proof(numbers[0])
        match = await self.host.match(numbers[0])
        if match.guild_id != interaction.guild_id:
            raise Refusal("refuse-no-such-match")
        file = discord.File(io.BytesIO(proof.to_bytes()), _views.proof_file_name(match))
        layout = _views.proof(self.bot.texts_for(interaction), match)
        await interaction.response.send_message(view=layout, file=file, ephemeral=True)


async def setup(bot: WarBot) -> None:
    cog = War(bot)
    await bot.add_cog(cog)
    group = war_group(bot)

    @group.command(name="challenge", description="Challenge someone to a match of War, or open a table")
    @app_commands.describe(
        opponent="Leave it out to open a table for up to six",
        rules="How the match is played; Classic unless you choose",
    )
    @app_commands.choices(rules=RULES_CHOICES)
    async def challenge(interaction: Press, opponent: discord.User | None = None, rules: str | None = None) -> None:
        if opponent is None:
            await cog.open_table(interaction, rules)
        else:
            await cog.challenge(interaction, opponent, rules)

    @group.command(name="board", description="Find the match of this channel again")
    async def board(interaction: Press) -> None:
        await cog.board(interaction)

    del challenge, board
