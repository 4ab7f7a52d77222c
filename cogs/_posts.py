"""Messages with their pictures: what a match looks like in Discord right now, as layout and file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import discord

from bot.client import WarBot
from bot.gallery import LATE, PATIENCE, Picture
from bot.host import QuickMatch
from bot.i18n import Texts
from cogs import _view_board, _view_invitation, _view_result
from cogs._layout import Layout
from cogs.emoji import emoji_of
from db.matches import Match


@dataclass(frozen=True, slots=True)
class Post:
    """A layout and the picture that it shows, if it shows one."""

    layout: Layout
    picture: Picture | None = None
    late: bool = False
    """Whether the picture is still to come."""

    def files(self) -> list[discord.File]:
        """Fresh files, since a file can be sent once only."""
        if self.picture is None:
            return []
        return [discord.File(self.picture.stream(), self.picture.name)]

    def attached_to(self, components: Sequence[discord.Component]) -> discord.Attachment | None:
        """The file of its picture, once a message of these components shows it: an edit may leave it there."""
        if self.picture is not None:
            for media in _pictures(components):
                if media.attachment_id is not None:
                    return _Kept(media.attachment_id, self.picture.name)
        return None


class _Kept(discord.Attachment):
    """A file that stays on its message, of which Discord has told no more than its id."""

    def __init__(self, attachment_id: int, filename: str) -> None:
        self.id = attachment_id
        self.filename = filename

    def __repr__(self) -> str:
        return f"<_Kept {self.filename} {self.id}>"

    def to_dict(self) -> Any:
        return {"id": str(self.id), "filename": self.filename}


def _pictures(components: Sequence[discord.Component]) -> Iterator[discord.UnfurledMediaItem]:
    for component in components:
        if isinstance(component, discord.MediaGalleryComponent):
            yield from (item.media for item in component.items)
        elif isinstance(component, discord.Container):
            yield from _pictures(component.children)


async def of_match(bot: WarBot, match: Match, *, draw: bool = True, patience: float = PATIENCE) -> Post:
    """Whatever a match is now: an invitation, the table, a result, or what is left of it. Without `draw` it has no
    picture, and one that takes longer than `patience` (seconds) is left out: it then follows."""
    texts = bot.texts_of(match.guild_id)
    if match.client_seed is None:
        return Post(_invitation(texts, match))
    if match.status == "void":
        return Post(_view_board.void(texts, match))
    wanted = draw
    draw = draw and await bot.may_draw(match.guild_id, match.channel_id)
    state = bot.host.board(match)
    if state.outcome is None:
        picture, late = _now(await bot.gallery.table(state, patience) if draw else None)
        # A board whose picture is only left out for now stays as plain as the one with it will be.
        show = emoji_of(bot).show() if wanted and picture is None and not late else str
        return Post(_view_board.board(texts, state, picture, show), picture, late)
    after = await bot.company.aftermath(match)
    picture, late = _now(await bot.gallery.chart(match, state.told, patience) if draw and state.told else None)
    return Post(_view_result.result(texts, state, after, picture), picture, late)


def _now(picture: Picture | None) -> tuple[Picture | None, bool]:
    """What can be shown now, and whether more is to come."""
    return (None, True) if picture is LATE else (picture, False)


def _invitation(texts: Texts, match: Match) -> Layout:
    if match.status != "waiting":
        return _view_invitation.closed(texts, match, match.termination or "expired")
    if match.invited is None:
        return _view_invitation.open_table(texts, match)
    return _view_invitation.challenge(texts, match)


async def of_quick(bot: WarBot, texts: Texts, played: QuickMatch, *, shared_by: str | None = None) -> Post:
    """A match that played itself."""
    match = played.match
    draw = await bot.may_draw(match.guild_id, match.channel_id)
    picture, _ = _now(await bot.gallery.animated(played) if draw else None)
    return Post(_view_result.quick(texts, played, picture, shared_by=shared_by), picture)


async def of_moment(bot: WarBot, texts: Texts, played: QuickMatch, step: int) -> Post:
    """One moment of a match that has ended."""
    seen = _view_result.moment_of(played, step)
    draw = await bot.may_draw(played.match.guild_id, played.match.channel_id)
    picture, late = _now(await bot.gallery.moment(played.match, seen.view, seen.step) if draw else None)
    show = emoji_of(bot).show() if picture is None and not late else str
    return Post(_view_result.moment(texts, seen, picture, show), picture)
