"""One painter per board: one request in flight, always drawing the newest state.

A press whose board is being painted is only acknowledged; when the request in flight is done, the board is drawn again
as it is by then. So a board ends on the newest state, however slow and in whatever order Discord answers.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass

import discord
from discord.ext import commands

from bot.client import WarBot
from bot.gallery import LONG_PATIENCE
from bot.replies import (
    ALREADY_ANSWERED,
    BLOCKED_BY_AUTOMOD,
    INVALID_FORM,
    UNDELIVERED,
    UNKNOWN_INTERACTION,
    answer_failure,
    nod,
    surely,
)
from cogs import _posts
from cogs._layout import Layout
from db.matches import Match

log = logging.getLogger(__name__)

UNKNOWN_CHANNEL = 10003
UNKNOWN_MESSAGE = 10008
TOO_MANY_EDITS_OF_AN_OLD_MESSAGE = 30046
CANNOT_SHOW = (50001, 50013, 50083, 160005)
"""No access, no permission, a thread that is archived or locked: the match is paused until that changes."""

REFUSED = (INVALID_FORM, BLOCKED_BY_AUTOMOD)
"""The board itself is not taken; whoever pressed is told."""

CLOSED = (UNKNOWN_INTERACTION, ALREADY_ANSWERED)
"""An interaction that takes no answer any more."""

RETRIES = (1.0, 4.0, 15.0, 30.0, 60.0)
"""Seconds before a board is painted again that could not be because Discord was out of reach."""

TOKEN_REFUSED = (50027, 10015)
"""The token of a press is too old after all (by Discord's clock, not by ours) or unknown: its message has an id too."""

BUSY = 50
"""Presses waiting for their answer beyond which a press is acknowledged at once and the board follows."""

FOLLOW_UPS = 16
"""Boards painted at once that nobody waits for: a new press should find little before it."""

REMEMBERED = 512
"""Boards of which is known what the last paint left: the press whose token edits it (while that lives, 15 minutes), and
the picture that it shows."""

OFTEN = 3
"""Refusals one after the other after which pictures are sent with every paint, until the next start."""

Attached = Callable[[], Sequence[discord.File | discord.Attachment]]
"""What a message is to carry; made anew for every try, since a file can be sent once only."""


@dataclass(slots=True)
class _Brush:
    """The state of one board's painter."""

    again: bool = False


@dataclass(slots=True)
class _Left:
    """What the last paint left of a board. A lost one costs a request or an upload, nothing else."""

    press: discord.Interaction[WarBot] | None = None
    message_id: int | None = None
    picture: discord.Attachment | None = None


class Painter(commands.Cog):
    """Draws matches on their messages."""

    def __init__(self, bot: WarBot) -> None:
        self._bot = bot
        self._brushes: dict[int, _Brush] = {}
        self._left: OrderedDict[int, _Left] = OrderedDict()
        self._refusals = 0  # of pictures that were to stay, since one did
        self._painting: set[asyncio.Task[None]] = set()
        self._following = asyncio.Semaphore(FOLLOW_UPS)
        bot.host.on_change(self.repaint_soon)

    async def cog_unload(self) -> None:
        """The bot closes: boards that are not painted by now are painted after the next start."""
        work = list(self._painting)
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)

    async def answer(self, interaction: discord.Interaction[WarBot], match: Match) -> None:
        """Answer a press on a board: with the board as it is now, or with a nod while it is being painted, or while so
        many wait for an answer that painting first would make some of them wait too long."""
        if match.id in self._brushes:
            self._brushes[match.id].again = True
            await nod(interaction)
        elif self._bot.unanswered > BUSY:
            self._brushes[match.id] = _Brush()
            self._left_by(match).press = interaction
            await nod(interaction)
            self._start(self._paint_when_calm(match.id))
        else:
            await self._paint(match, interaction)

    async def _paint_when_calm(self, match_id: int) -> None:
        """Answers first: the board follows when few are left to be given."""
        with self._bot.at_work():
            async with self._following:
                try:
                    await self._bot.calm()
                    match = await self._bot.host.match(match_id)
                except BaseException:
                    del self._brushes[match_id]
                    raise
                await self._paint(match, None)

    async def repaint(self, match: Match) -> None:
        """Draw a board that nobody pressed: the clock, a menu or an outage moved the match. A rematch that waits is
        shown on the result before it."""
        if match.rematch_of is not None and match.client_seed is None:
            match = await self._bot.host.match(match.rematch_of)
        if match.id in self._brushes:
            self._brushes[match.id].again = True
            return
        await self._paint(match, None)

    async def repaint_soon(self, match: Match) -> None:
        """The same without waiting for it: one slow or rate-limited channel must not hold up the clock of all."""
        self._start(self._repaint_in_turn(match))

    async def _repaint_in_turn(self, match: Match) -> None:
        """After a start there may be thousands."""
        async with self._following:
            await self._bot.calm()
            await self.repaint(await self._bot.host.match(match.id))

    async def _paint(self, match: Match, interaction: discord.Interaction[WarBot] | None, attempt: int = 0) -> None:
        brush = self._brushes.setdefault(match.id, _Brush())
        try_again = False
        try:
            with self._bot.at_work():
                if interaction is None or not await self._answer_with_board(interaction, match):
                    await self._edit(match)
                while brush.again:
                    brush.again = False
                    await self._edit(await self._bot.host.match(match.id))
        except UNDELIVERED as failure:
            # The match stands in the database; a later paint, the next press or /war board shows it.
            log.warning("the board of match %d was not painted: %s", match.id, failure)
            try_again = await self._not_painted(match, failure)
            if interaction is not None and isinstance(failure, discord.HTTPException) and failure.code in REFUSED:
                await answer_failure(interaction, failure, self._bot.texts_for(interaction))
        finally:
            del self._brushes[match.id]
        # What came while it failed was only acknowledged, so that has to be shown as well.
        if (try_again or brush.again) and attempt < len(RETRIES):
            self._start(self._paint_later(match.id, attempt))

    async def _not_painted(self, match: Match, failure: Exception) -> bool:
        """Act on what Discord says about the place of the match. Whether it only was out of reach."""
        code = failure.code if isinstance(failure, discord.HTTPException) else None
        if code == UNKNOWN_CHANNEL:
            await self._bot.host.channel_gone(match.channel_id)  # deleted while nobody told us
        elif code in CANNOT_SHOW:
            await self._bot.host.pause(match)
        return not isinstance(failure, discord.HTTPException) or failure.status == 429 or failure.status >= 500

    async def _paint_later(self, match_id: int, attempt: int) -> None:
        """Discord was out of reach: try again, unless somebody has painted the board meanwhile."""
        await asyncio.sleep(RETRIES[attempt])
        if match_id not in self._brushes:
            await self._paint(await self._bot.host.match(match_id), None, attempt + 1)

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._painting.add(task)
        task.add_done_callback(self._painting.discard)

    async def _answer_with_board(self, interaction: discord.Interaction[WarBot], match: Match) -> bool:
        """Whether the answer to the press was delivered, as far as can be known."""
        post = await _posts.of_match(self._bot, match)
        if post.late:
            self._brushes[match.id].again = True

        async def answer(files: Attached) -> Sequence[discord.Component]:
            done = await surely(lambda: interaction.response.edit_message(view=post.layout, attachments=files()))
            return done.resource.components if done and isinstance(done.resource, discord.Message) else ()

        try:
            await self._send(match, _message_id(interaction), post, answer)
        except UNDELIVERED as failure:
            log.warning("the answer to a press in match %d was not delivered: %s", match.id, failure)
            if not isinstance(failure, discord.HTTPException) or failure.code not in CLOSED:
                await nod(interaction)
            return False
        self._left_by(match).press = interaction
        return True

    def _left_by(self, match: Match) -> _Left:
        left = self._left.setdefault(match.id, _Left())
        self._left.move_to_end(match.id)
        while len(self._left) > REMEMBERED:
            self._left.popitem(last=False)
        return left

    async def _send(
        self,
        match: Match,
        message_id: int | None,
        post: _posts.Post,
        edit: Callable[[Attached], Awaitable[Sequence[discord.Component]]],
    ) -> None:
        """Edit a board; `edit` gives back the components that it has then. The picture that it shows already stays on
        it: a press that turns no card sends none."""
        left = self._left_by(match)
        stays = left.picture if message_id is not None and message_id == left.message_id else None
        left.message_id, left.picture = None, None
        components: Sequence[discord.Component] | None = None
        refused: discord.HTTPException | None = None
        if self._refusals < OFTEN and stays and post.picture and stays.filename == post.picture.name:
            try:
                components = await edit(lambda: [stays])
            except discord.HTTPException as failure:
                if failure.code != INVALID_FORM:
                    raise
                refused = failure
            else:
                self._refusals = 0
        if components is None:
            components = await edit(post.files)
            if refused is not None:
                self._refusals += 1
                log.warning("a picture could not stay on its message and was sent again: %s", refused)
        left.message_id, left.picture = message_id, post.attached_to(components)

    async def _edit(self, match: Match) -> None:
        """Draw the board by its message id, or by the last press's token while that lives; post it again once when its
        message is gone or too old to edit."""
        if match.message_id is None:
            if match.status in ("live", "paused"):
                await self._post(match)
            return
        post = await _posts.of_match(self._bot, match, patience=LONG_PATIENCE)
        message = self._message(match, match.message_id)
        press = self._left_by(match).press

        async def by_id(files: Attached) -> Sequence[discord.Component]:
            return (await message.edit(view=post.layout, attachments=files())).components

        try:
            by_token = press is not None and not press.is_expired() and _message_id(press) == match.message_id
            if press is None or not by_token or not await self._edit_by_token(match, press, post):
                await self._send(match, match.message_id, post, by_id)
        except discord.HTTPException as failure:
            gone = failure.code in (UNKNOWN_MESSAGE, TOO_MANY_EDITS_OF_AN_OLD_MESSAGE)
            if not gone or match.client_seed is None:  # nobody misses a challenge that somebody deleted
                raise
            await self._post(match)
        finally:
            if match.status not in ("live", "paused"):
                self._left.pop(match.id, None)

    async def _edit_by_token(self, match: Match, press: discord.Interaction[WarBot], post: _posts.Post) -> bool:
        """False when Discord takes that token no longer."""

        async def edit(files: Attached) -> Sequence[discord.Component]:
            return (await press.edit_original_response(view=post.layout, attachments=files())).components

        try:
            await self._send(match, _message_id(press), post, edit)
        except discord.HTTPException as failure:
            if failure.code in TOKEN_REFUSED:
                return False
            raise
        return True

    async def _post(self, match: Match) -> None:
        """Put the board into the channel as a new message."""
        channel = self._bot.get_partial_messageable(match.channel_id, guild_id=match.guild_id)
        post = await _posts.of_match(self._bot, match, patience=LONG_PATIENCE)
        # A send that Discord did but whose reply was lost is not done twice.
        nonce = f"war{match.id}.{match.table.turn}.{match.version}"
        message = await channel.send(view=post.layout, files=post.files(), nonce=nonce)
        await self._bot.host.shown(match, message.id)

    def _message(self, match: Match, message_id: int) -> discord.PartialMessage:
        channel = self._bot.get_partial_messageable(match.channel_id, guild_id=match.guild_id)
        return channel.get_partial_message(message_id)

    async def show_deal(self, interaction: discord.Interaction[WarBot], match: Match) -> None:
        """Answer the press that started a match with its board: a new message, so that anyone can read the id of that
        press, which is the client seed."""
        message_id: int | None = None
        post = await _posts.of_match(self._bot, match)
        try:
            message_id = await answer_with_message(interaction, post)
        except UNDELIVERED as failure:
            log.warning("the deal of match %d was not delivered: %s", match.id, failure)
            await self.repaint(match)  # no message yet: it is posted by itself
        if message_id is not None:
            await self._bot.host.shown(match, message_id)
        if post.late:
            self._start(self.repaint(await self._bot.host.match(match.id)))

    async def retire(self, match: Match, message_id: int, layout: Layout) -> None:
        """Put what is left into a message that no longer shows the match. Failing to loses nothing."""
        try:
            await self._message(match, message_id).edit(view=layout)
        except UNDELIVERED as failure:
            log.info("message %d of match %d was not retired: %s", message_id, match.id, failure)


def _message_id(interaction: discord.Interaction[WarBot]) -> int | None:
    return None if interaction.message is None else interaction.message.id


async def answer_with_message(
    interaction: discord.Interaction[WarBot], post: _posts.Post, *, mentions: discord.AllowedMentions | None = None
) -> int | None:
    """Answer with a new public message and give its id, or None when Discord did not say it."""
    allowed = mentions or discord.AllowedMentions.none()
    try:
        answer = await surely(
            lambda: interaction.response.send_message(view=post.layout, files=post.files(), allowed_mentions=allowed)
        )
    except discord.HTTPException as failure:
        if failure.code != ALREADY_ANSWERED:
            raise
        return (await interaction.original_response()).id  # it was done, only Discord's reply was lost
    return answer.message_id


def painter_of(bot: WarBot) -> Painter:
    """The painter of a bot, which is loaded before the cogs that use it."""
    cog = bot.get_cog(Painter.__name__)
    assert isinstance(cog, Painter), "cogs._painter is loaded first"
    return cog


async def setup(bot: WarBot) -> None:
    await bot.add_cog(Painter(bot))
