"""How a card looks: faces and backs as RGBA images. The sprite sheet is made of these."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import pi, sin
from types import MappingProxyType

from PIL import Image, ImageDraw

from bot.pictures.lettering import Lettering
from bot.pictures.palette import CREAM, INKS, OUTLINE, PAPER, Colour, darker, mixed
from bot.pictures.shapes import COURTS, EMBLEM_SHAPES, OVERSIZE, SUITS, Shape, mask, spiked
from engine.cards import Card, Rank


@dataclass(frozen=True, slots=True)
class CardSize:
    """A size in which cards are drawn, in px. `rank` is the height of the rank, `suit` the width of the small suit
    beside it, `strip` how much of a card must be seen for rank and suit to be read when another lies on it."""

    name: str
    width: int
    height: int
    radius: int
    rank: int
    suit: int
    strip: int


HUGE = CardSize("huge", 150, 204, 14, 58, 46, 73)
LARGE = CardSize("large", 112, 152, 11, 46, 34, 58)
MEDIUM = CardSize("medium", 96, 130, 10, 42, 28, 53)
MINI = CardSize("mini", 60, 84, 8, 40, 30, 48)
SIZES = (HUGE, LARGE, MEDIUM, MINI)
TINY = CardSize("tiny", 50, 70, 7, 0, 0, 0)
"""For piles where six share the width; no face is drawn in it."""

EDGE = 2
"""The dark line around every card, px: without it white would run into white."""


def plate(
    width: int, height: int, radius: int, fill: Colour, edge: float = EDGE, line: Colour = OUTLINE
) -> Image.Image:
    """A rounded rectangle with a line around it, RGBA."""
    image = Image.new("RGBA", (width, height), (*line, 0))
    image.paste((*line, 255), mask=rounded(width, height, radius, 0))
    image.paste((*fill, 255), mask=rounded(width, height, radius, edge))
    image.putalpha(rounded(width, height, radius, 0))
    return image


def rounded(width: int, height: int, radius: float, inset: float) -> Image.Image:
    """A mask of a rounded rectangle, so many px smaller on each side."""
    large = Image.new("L", (width * OVERSIZE, height * OVERSIZE), 0)
    near = inset * OVERSIZE
    box = (near, near, width * OVERSIZE - 1 - near, height * OVERSIZE - 1 - near)
    ImageDraw.Draw(large).rounded_rectangle(box, max(1.0, (radius - inset) * OVERSIZE), fill=255)
    return large.reduce(OVERSIZE)


def stamp(image: Image.Image, form: Image.Image, colour: Colour, x: float, y: float) -> None:
    """Colour the image through a mask whose middle goes to (x, y)."""
    image.paste((*colour, 255), (round(x - form.width / 2), round(y - form.height / 2)), form)


class FacePainter:
    """Draws the faces of one size; keeps the masks that many of them share."""

    def __init__(self, size: CardSize, lettering: Lettering) -> None:
        self.size = size
        self._blank = plate(size.width, size.height, size.radius, PAPER)
        self._ranks = {
            rank: lettering.mask(rank.label, size.rank, 0.055, -0.01 if rank is Rank.TEN else 0.02) for rank in Rank
        }
        self._small = [mask(shape, size.suit) for shape in SUITS]
        self._big = [mask(shape, self._body(0.56)) for shape in SUITS]
        self._ace = [mask(shape, self._body(0.78)) for shape in SUITS]
        self._courts = {rank: mask(COURTS[rank.label], self._body(0.7)) for rank in (Rank.JACK, Rank.QUEEN, Rank.KING)}

    def _body(self, share: float) -> int:
        return round((self.size.height - self.size.strip) * share)

    def face(self, card: Card) -> Image.Image:
        """One card, RGBA."""
        image = self._blank.copy()
        size, ink = self.size, INKS[card.suit]
        pad = round(size.width * 0.075)
        rank = self._ranks[card.rank]
        if size is MINI:
            stamp(image, rank, ink, size.width / 2, 6 + size.rank / 2)
            stamp(image, self._small[card.suit], ink, size.width / 2, size.height - 5 - size.suit / 2)
            return image
        row = pad + size.rank / 2
        stamp(image, rank, ink, pad + rank.width / 2, row)
        stamp(image, self._small[card.suit], ink, size.width - pad - size.suit / 2, row)
        self._paint_body(image, card, ink)
        return image

    def _paint_body(self, image: Image.Image, card: Card, ink: Colour) -> None:
        size = self.size
        x, y = size.width / 2, size.strip + (size.height - size.strip) / 2 - size.height * 0.02
        if card.rank is Rank.ACE:
            stamp(image, self._ace[card.suit], ink, x, y)
        elif card.rank in self._courts:
            # A tinted window with the emblem, the suit's colour all through.
            height = round((size.height - size.strip) * 0.84)
            window = plate(round(size.width * 0.8), height, 8, mixed(PAPER, ink, 1 / 6), 2, ink)
            image.alpha_composite(window, (round(x - window.width / 2), round(y - window.height / 2)))
            stamp(image, self._courts[card.rank], ink, x, y)
        else:
            stamp(image, self._big[card.suit], ink, x, y)


# ---- backs -------------------------------------------------------------------------------------------------------

Pattern = Callable[[ImageDraw.ImageDraw, int, int, int], None]
"""Draws the second tone (255) on an L image; the arguments after it are width, height and pitch in its own px."""


def _stripes(draw: ImageDraw.ImageDraw, width: int, height: int, pitch: int) -> None:
    for x in range(-height, width + height, pitch):
        draw.polygon([(x, 0), (x + pitch // 2, 0), (x + pitch // 2 - height, height), (x - height, height)], fill=255)


def _diamonds(draw: ImageDraw.ImageDraw, width: int, height: int, pitch: int) -> None:
    half, rise = pitch * 0.5, pitch * 0.72
    for row in range(int(height / rise) + 2):
        for column in range(-1, width // pitch + 2):
            x, y = column * pitch + (half if row % 2 else 0), row * rise
            draw.polygon([(x, y - rise * 0.86), (x + half * 0.86, y), (x, y + rise * 0.86), (x - half * 0.86, y)], 255)


def _waves(draw: ImageDraw.ImageDraw, width: int, height: int, pitch: int) -> None:
    for top in range(-pitch, height + pitch, pitch):
        upper = [(x, top + pitch * 0.3 * sin(2 * pi * x / (pitch * 1.6))) for x in range(0, width + 4, 4)]
        lower = [(x, y + pitch * 0.48) for x, y in reversed(upper)]
        draw.polygon(upper + lower, fill=255)


def _stars(draw: ImageDraw.ImageDraw, width: int, height: int, pitch: int) -> None:
    for row in range(height // pitch + 2):
        for column in range(-1, width // pitch + 2):
            x, y = (column + (0.5 if row % 2 else 0)) * pitch, row * pitch * 0.86
            points = [(x + (px - 0.5) * pitch, y + (py - 0.5) * pitch) for px, py in STAR_POINTS]
            draw.polygon(points, fill=255)


STAR_POINTS = spiked(5, 0.36, 0.15).points
PATTERNS: Mapping[str, Pattern] = MappingProxyType(
    {"stripes": _stripes, "diamonds": _diamonds, "waves": _waves, "stars": _stars}
)
"""By the name of the card back. A new one is a function here and its name in `flair.BACKS`."""


def pattern_mask(size: CardSize, back: str) -> Image.Image:
    """The pattern of a card back inside its white frame, L."""
    inset = _frame(size)
    width, height = size.width - 2 * inset, size.height - 2 * inset
    large = Image.new("L", (width * OVERSIZE, height * OVERSIZE), 0)
    pitch = round(size.width * (0.2 if back in ("stripes", "waves") else 0.25)) * OVERSIZE
    PATTERNS[back](ImageDraw.Draw(large), large.width, large.height, pitch)
    return large.reduce(OVERSIZE)


def card_back(size: CardSize, pattern: Image.Image, colour: Colour) -> Image.Image:
    """A card back in a seat's colour, RGBA."""
    image = plate(size.width, size.height, size.radius, PAPER)
    inset = _frame(size)
    panel = plate(pattern.width, pattern.height, max(3, size.radius - inset), colour, 0)
    alpha = panel.getchannel("A")
    panel.paste((*darker(colour), 255), (0, 0), pattern)
    panel.putalpha(alpha)
    image.alpha_composite(panel, (inset, inset))
    return image


def _frame(size: CardSize) -> int:
    return max(4, round(size.width * 0.035))


def medallion(size: CardSize, emblem: str, colour: Colour) -> Image.Image:
    """The round badge with a player's emblem, for the middle of a card back; RGBA."""
    diameter = round(size.width * 0.62)
    image = plate(diameter, diameter, diameter // 2, mixed(OUTLINE, colour, 1 / 3), max(2, size.width / 40), CREAM)
    stamp(image, mask(EMBLEM_SHAPES[emblem], round(diameter * 0.58)), CREAM, diameter / 2, diameter / 2)
    return image


# ---- marks, numbers, drama ---------------------------------------------------------------------------------------


def outlined(form: Image.Image, colour: Colour, line: int, around: Colour = OUTLINE) -> Image.Image:
    """A mask in a colour, with a line around it so that it stands out on any felt; RGBA."""
    size = (form.width + 2 * line, form.height + 2 * line)
    placed = Image.new("L", size, 0)
    placed.paste(form, (line, line))
    wide = _widened(placed, line)
    image = Image.new("RGBA", size, (*around, 0))
    image.putalpha(wide)
    image.paste((*colour, 255), (0, 0), placed)
    image.putalpha(wide)
    return image


def _widened(form: Image.Image, line: int) -> Image.Image:
    """The mask grown by so many px on all sides, round at the corners."""
    wide = form.copy()
    steps = 24
    for step in range(steps):
        angle = 2 * pi * step / steps
        x, y = round(line * sin(angle)), round(line * sin(angle + pi / 2))
        wide.paste(255, (x, y), form)
    return wide


def solid(shape: Shape, width: int, height: int, colour: Colour, line: int = 3) -> Image.Image:
    """A shape in one colour with a dark line around it, RGBA, `width` x `height` px with the line."""
    return outlined(mask(shape, width - 2 * line, height - 2 * line), colour, line)
