"""What somebody's flair looks like: their own pile and nobody else's."""

from __future__ import annotations

from bot.pictures.canvas import Canvas
from bot.pictures.errors import PictureError
from bot.pictures.faces import HUGE, LARGE
from bot.pictures.flair import Flair, default_flairs
from bot.pictures.pieces import pile
from bot.pictures.sprites import WIDTH, Sprites
from engine.cards import DECK_SIZE
from engine.rules import MAX_SEATS


def own_pile(back: str | None, emblem: str | None, sprites: Sprites) -> bytes:
    """PNG of a pile with that flair: one in the middle, or at each seat beside its mark. Raises PictureError."""
    try:
        canvas = Canvas(sprites, "calm")
        if back is not None and emblem is not None:
            pile(canvas, HUGE, 0, Flair(back, emblem), DECK_SIZE // 2, (WIDTH - HUGE.width) / 2, 117)
            return canvas.png()
        for seat, default in enumerate(default_flairs(MAX_SEATS)):
            x, y = 160 + 210 * (seat % 3), 45 + 188 * (seat // 3)
            canvas.centred(sprites.marks[seat, 34], x - 35, y + LARGE.height / 2)
            own = Flair(back or default.back, emblem or default.emblem)
            pile(canvas, LARGE, seat, own, DECK_SIZE // 2, x, y)
        return canvas.png()
    except (KeyError, IndexError, ValueError, OSError, MemoryError) as error:
        raise PictureError("flair", f"{type(error).__name__} {error}") from error
