"""Before the deal: challenges to somebody, and open tables that anyone may join."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import WarBot
from bot.host import Click, User
from bot.refusals import ChannelBusy, Refusal, StaleTurn
from bot.replies import jump_url, surely
from bot.unwelcome import Wish
from cogs import _view_board, _view_invitation
from cogs._buttons import buttons_of
from cogs._group import war_group
from cogs._layout import Layout, text
from cogs._painter import answer_with_message, painter_of
from cogs._posts import Post, of_quick
from cogs._press import RULES_CHOICES, Press, click_of, place_of, refuse_where_mute, rules_of, user_of
from db.matches import Kind, Match


class Challenge(commands.Cog):
    """Answers `/war challenge` and the buttons of what waits for an answer."""

    def __init__(self, bot: WarBot) -> None:
        self.bot = bot
        self.host = bot.host
        self.painter = painter_of(bot)
        buttons = buttons_of(bot)
        buttons.add("accept", 1, self.accept)
        buttons.add("decline", 1, self.decline)
        buttons.add("nomore", 2, self.no_more)
        buttons.add("welcome", 0, self.welcome)
        buttons.add("cancel", 1, self.cancel)
        buttons.add("join", 1, self.join)
        buttons.add("leave", 1, self.leave)
        buttons.add("start", 1, self.start)

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
            await interaction.response.send_message(view=_view_board.busy(texts, busy.match), ephemeral=True)
            return
        mentions = discord.AllowedMentions(users=[opponent]) if opened.ping else discord.AllowedMentions.none()
        layout = _view_invitation.challenge(
            self.bot.texts_here(interaction), opened.match, text_only=not interaction.app_permissions.attach_files
        )
        await self._post_waiting(interaction, opened.match, layout, mentions)

    async def open_table(self, interaction: Press, preset: str | None) -> None:
        """Open a table that anyone here may join."""
        place = place_of(interaction)
        refuse_where_mute(interaction)
        try:
            match = await self.host.open_table(place, user_of(interaction.user), rules=rules_of(preset))
        except ChannelBusy as busy:
            texts = self.bot.texts_for(interaction)
            await interaction.response.send_message(view=_view_board.busy(texts, busy.match), ephemeral=True)
            return
        layout = _view_invitation.open_table(
            self.bot.texts_here(interaction), match, text_only=not interaction.app_permissions.attach_files
        )
        await self._post_waiting(interaction, match, layout, discord.AllowedMentions.none())

    async def _post_waiting(
        self, interaction: Press, match: Match, layout: Layout, mentions: discord.AllowedMentions
    ) -> None:
        """Post what waits for an answer; what Discord certainly never showed is withdrawn."""
        try:
            message_id = await answer_with_message(interaction, Post(layout), mentions=mentions)
        except discord.HTTPException as failure:
            if failure.status < 500:
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
            await answer_with_message(interaction, await of_quick(self.bot, texts, played))
            await self.painter.retire(match, click.message_id, _view_invitation.closed(texts, match, "accepted"))
            return
        await self._show_start(interaction, match, click.message_id)

    async def _show_start(self, interaction: Press, match: Match, waiting_message_id: int) -> None:
        """Answer the press that started a match with its board, and close the message that waited."""
        await self.painter.show_deal(interaction, match)
        match = await self.host.match(match.id)
        texts = self.bot.texts_here(interaction)
        closed = _view_invitation.closed(texts, match, "accepted", jump_url(match))
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
        await self._show_start(interaction, match, click.message_id)

    async def decline(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        """Close the challenge, and ask in private whether there should be others."""
        match = await self._close(interaction, numbers, self.host.decline, "declined")
        if match is not None:
            question = _view_invitation.no_more(self.bot.texts_for(interaction), match)
            await interaction.followup.send(view=question, ephemeral=True)

    async def no_more(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        match_id, number = numbers
        if number not in set(Wish):
            raise Refusal("refuse-older-version")
        wish = Wish(number)
        match = await self.bot.unwelcome.refuse(click_of(interaction, match_id), wish)
        done = _view_invitation.no_more_done(self.bot.texts_for(interaction), match, wish)
        await interaction.response.edit_message(view=done)

    async def welcome(self, interaction: Press, _: tuple[int, ...]) -> None:
        await self.bot.unwelcome.take_back(interaction.user.id)
        await interaction.response.edit_message(view=text(self.bot.texts_for(interaction)("welcome-done")))

    async def cancel(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        await self._close(interaction, numbers, self.host.cancel, "cancelled")

    async def _close(
        self, interaction: Press, numbers: tuple[int, ...], close: Callable[[Click, User], Awaitable[Match]], how: str
    ) -> Match | None:
        """The challenge that was closed; None when it had been before."""
        try:
            match = await close(click_of(interaction, numbers[0]), user_of(interaction.user))
        except StaleTurn as stale:
            await self._show_closed(interaction, stale.match)
            return None
        closed = _view_invitation.closed(self.bot.texts_here(interaction), match, how)
        await surely(lambda: interaction.response.edit_message(view=closed))
        return match

    async def _show_closed(self, interaction: Press, match: Match) -> None:
        """A press on a challenge that no longer waits: show what became of it. A board is left as it is."""
        if match.client_seed is not None and interaction.message and interaction.message.id == match.message_id:
            raise StaleTurn(match)
        texts = self.bot.texts_here(interaction)
        how = match.termination or "expired" if match.client_seed is None else "accepted"
        await interaction.response.edit_message(view=_view_invitation.closed(texts, match, how, jump_url(match)))


async def setup(bot: WarBot) -> None:
    cog = Challenge(bot)
    await bot.add_cog(cog)

    @war_group(bot).command(name="challenge", description="Challenge someone to a match of War, or open a table")
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

    del challenge
