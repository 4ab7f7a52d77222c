"""Draws the pictures of matches off the event loop, keeps the last ones, and does without one that fails."""

from __future__ import annotations

import asyncio
import hashlib
import io
import logging
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Self

from bot.host import Board, QuickMatch
from bot.pictures.animated import animated
from bot.pictures.chart import chart
from bot.pictures.emoji import card_emoji
from bot.pictures.errors import PictureError
from bot.pictures.flair import BACKS, EMBLEMS, Flair, default_flairs
from bot.pictures.own_pile import own_pile
from bot.pictures.sprites import Sprites
from bot.pictures.table import table
from bot.pictures.view import TableView, table_view
from db.matches import Match
from engine.facts import Battle
from engine.table import members

log = logging.getLogger(__name__)

KEPT = 64
"""Pictures that are kept: a board is painted again for every press that turns no card. Some 2 MB."""


PATIENCE = 1.0
"""Seconds that an answer waits for its picture; Discord waits three for the answer."""

LONG_PATIENCE = 30.0
"""The same for a paint that nobody waits for."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A file for a message: its name, which is another for every other picture, and its bytes."""

    name: str
    data: bytes

    def stream(self) -> io.BytesIO:
        """The bytes as a file."""
        return io.BytesIO(self.data)


LATE = Picture("", b"")
"""Stands for a picture that takes too long: it is being drawn on, and is there for the next paint."""


def flairs_of(match: Match) -> tuple[Flair, ...]:
    """What each seat looks like: as its player has chosen, else as its seat does."""
    defaults = default_flairs(len(match.players))
    return tuple(
        Flair(
            player.person.back if player.person.back in BACKS else default.back,
            player.person.emblem if player.person.emblem in EMBLEMS else default.emblem,
        )
        for player, default in zip(match.players, defaults, strict=True)
    )


def view_of(board: Board) -> TableView:
    """What the picture of a board shows."""
    match = board.match
    return table_view(
        counts=board.counts,
        pot=board.pot,
        tied=board.tied,
        told=board.told,
        outcome=board.outcome,
        flairs=flairs_of(match),
        out=tuple(members(match.table.out)),
    )


class Gallery:
    """One thread draws: Pillow holds the interpreter for most of a drawing, so more would not be faster.

    `failures` counts the pictures that could not be drawn; their boards go out as text.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="gallery")
        self._sprites: Sprites | None = None
        self._kept: OrderedDict[Hashable, Picture] = OrderedDict()
        self._drawing: dict[Hashable, asyncio.Task[Picture | None]] = {}
        self.failures = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for work in self._drawing.values():
            work.cancel()
        self._thread.shutdown(wait=True, cancel_futures=True)

    async def table(self, board: Board, patience: float = PATIENCE) -> Picture | None:
        """The table of a live match as it stands."""
        match = board.match
        view, flairs = view_of(board), flairs_of(match)
        key = ("table", (match.id, match.steps, match.told_from, match.acts, flairs))
        return await self._draw(key, "png", lambda sprites: table(view, sprites), patience)

    async def chart(self, match: Match, battles: Sequence[Battle], patience: float = PATIENCE) -> Picture | None:
        """Cards held over a match that has ended."""
        return await self._draw(("chart", match.id), "png", lambda sprites: chart(battles, sprites), patience)

    async def animated(self, played: QuickMatch) -> Picture | None:
        """A whole match as an animated picture."""
        match, flairs = played.match, flairs_of(played.match)
        return await self._draw(
            ("animated", (match.id, flairs)),
            "gif",
            lambda sprites: animated(played.battles, flairs, played.outcome, sprites),
        )

    async def moment(self, match: Match, view: TableView, step: int) -> Picture | None:
        """A match that has ended as it stood after a step, for looking back."""
        return await self._draw(("moment", (match.id, step)), "png", lambda sprites: table(view, sprites))

    async def flair(self, back: str | None, emblem: str | None) -> Picture | None:
        """Somebody's own pile and nobody else's; at each of six seats where something of it follows the seat (None)."""
        return await self._draw(("flair", (back, emblem)), "png", lambda sprites: own_pile(back, emblem, sprites))

    async def emoji(self) -> Mapping[str, bytes]:
        """The cards as emoji, PNGs by name. Not kept, since they are uploaded once. Raises PictureError."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, card_emoji)

    async def warm(self) -> None:
        """Make the sprites before somebody waits for them."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._with_sprites, _nothing)

    async def _draw(
        self, key: tuple[str, Hashable], kind: str, draw: Callable[[Sprites], bytes], patience: float = PATIENCE
    ) -> Picture | None:
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            return kept
        work = self._drawing.get(key)
        if work is None:
            work = self._drawing[key] = asyncio.create_task(self._finish(key, kind, draw))
        if self._sprites is None and patience <= PATIENCE:
            return LATE  # the process has just started
        done, _ = await asyncio.wait([work], timeout=patience)
        return work.result() if done else LATE

    async def _finish(self, key: tuple[str, Hashable], kind: str, draw: Callable[[Sprites], bytes]) -> Picture | None:
        try:
            data = await asyncio.get_running_loop().run_in_executor(self._thread, self._with_sprites, draw)
        except PictureError:
            self.failures += 1
            log.exception("a picture could not be drawn (%d so far); the message goes out as text", self.failures)
            return None
        finally:
            del self._drawing[key]
        picture = self._kept[key] = Picture(_file_name(key[0], data, kind), data)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return picture

    def _with_sprites(self, draw: Callable[[Sprites], bytes]) -> bytes:
        """In the drawing thread: the sprites are made with the first picture."""
        if self._sprites is None:
            self._sprites = Sprites.make()
        return draw(self._sprites)


def _file_name(what: str, data: bytes, kind: str) -> str:
    """ "table-0123456789abcdef.png": by its file's name a picture that a message shows already is known again, also
    after a restart.

    >>> _file_name("chart", b"", "png")
    'chart-e4a6a0577479b2b4.png'
    """
    return f"{what}-{hashlib.blake2b(data, digest_size=8).hexdigest()}.{kind}"


def _nothing(_: Sprites) -> bytes:
    return b""
