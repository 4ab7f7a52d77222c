"""Things on the table that several pictures show: a pile with its mark and count, a fan of cards, a golden frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.pictures.canvas import Canvas
from bot.pictures.faces import CardSize
from bot.pictures.flair import Flair
from bot.pictures.sprites import RING
from bot.pictures.view import Laid, SeatView
from engine.cards import DECK_SIZE

LAYERS = 8
"""How many cards' edges are seen under a pile of all cards."""
LAYER = 3
"""Height of one of them, px."""
PILE_DEPTH = LAYERS * LAYER


def pile(canvas: Canvas, size: CardSize, seat: int, flair: Flair, count: int, x: float, y: float) -> None:
    """A face-down pile whose top card has its top left corner at (x, y); the edges under it tell how thick it is."""
    layers = min(LAYERS, max(1 if count > 1 else 0, round(LAYERS * count / DECK_SIZE)))
    for layer in range(layers, 0, -1):
        canvas.paste(canvas.sprites.edges[size.name], x, y + layer * LAYER)
    if count:
        back(canvas, size, seat, flair, x, y)
        round_badge = canvas.sprites.medallions[size.name, flair.emblem, seat]
        canvas.centred(round_badge, x + size.width / 2, y + size.height / 2)


def back(canvas: Canvas, size: CardSize, seat: int, flair: Flair, x: float, y: float) -> None:
    """One card face-down, without its emblem."""
    canvas.paste(canvas.sprites.backs[size.name, flair.back, seat], x, y)


def ring(canvas: Canvas, size: CardSize, x: float, y: float) -> None:
    """The golden frame around a card at (x, y)."""
    canvas.paste(canvas.sprites.rings[size.name], x - RING, y - RING)


def tag(canvas: Canvas, seat: int, mark: int, count: int, figures: int, x: float, y: float) -> None:
    """A seat's mark and its number of cards side by side, their middle at (x, y)."""
    sprite = canvas.sprites.marks[seat, mark]
    gap = mark / 6
    width = sprite.width + gap + canvas.number_width(str(count), figures)
    canvas.paste(sprite, x - width / 2, y - sprite.height / 2)
    canvas.number(str(count), figures, x - width / 2 + sprite.width + gap, y)


@dataclass(frozen=True, slots=True)
class Fan:
    """Where the cards of each battle of a round lie: the first at `top`, each war so many px further down.

    Between them lie the cards face-down, of each of which `slivers` px are seen.
    """

    size: CardSize
    top: float
    steps: tuple[float, ...]
    slivers: tuple[float, ...]

    @classmethod
    def of(cls, sizes: Sequence[CardSize], wars: int, face_down: int, top: float, bottom: float) -> Fan:
        """The fan for so many wars between two heights, px, in the first of these sizes in which every rank is seen.

        `face_down` is the most laid in one war. Where even the last size is too large, the oldest wars lie closer.
        """
        size = next((each for each in sizes if wars * _least(each, face_down) <= bottom - top - each.height), sizes[-1])
        room = bottom - top - size.height
        fitting = int(room // _least(size, face_down))
        if wars <= fitting:
            step = min(float(size.strip + SLIVER * face_down), room / max(1, wars))
            steps = (step,) * wars
        else:
            opened = max(1, fitting - 1)
            least = float(_least(size, face_down))
            steps = ((room - least * opened) / (wars - opened),) * (wars - opened) + (least,) * opened
        slivers = tuple(max(1.0, min(SLIVER, (step - size.strip) / max(1, face_down))) for step in steps)
        return cls(size, top, steps, slivers)

    def height_of(self, depth: int) -> float:
        """The top of the card that was turned at this depth."""
        return self.top + sum(self.steps[:depth])

    def lowered(self, by: float) -> Fan:
        """The same fan, so many px further down."""
        return replace(self, top=self.top + by)

    @property
    def bottom(self) -> float:
        """The lower edge of the last card."""
        return self.height_of(len(self.steps)) + self.size.height


SLIVER = 11
"""How much is seen of each card face-down in a war, px, when there is room; and when there is not."""
LEAST_SLIVER = 2


def _least(size: CardSize, face_down: int) -> int:
    """How far apart the cards of two battles lie at least, px."""
    return size.strip + LEAST_SLIVER * face_down


def fan(canvas: Canvas, layout: Fan, number: int, seat: SeatView, x: float) -> float | None:
    """A seat's cards of this round, their left edge at x; returns the top of the last one, None when there is none."""
    last: float | None = None
    for depth, laid in enumerate(seat.laid):
        y = layout.height_of(depth)
        sliver = layout.slivers[depth - 1] if depth else 0.0
        for index in range(laid.face_down):
            last = y - sliver * (laid.face_down - index)
            back(canvas, layout.size, number, seat.flair, x, last)
        if laid.card is not None:
            canvas.paste(canvas.sprites.card(layout.size, laid.card), x, y)
            last = y
    return last


def most_face_down(seats: Sequence[Sequence[Laid]]) -> int:
    """The most cards that a seat laid face-down in one war."""
    return max((laid.face_down for entries in seats for laid in entries), default=0)
