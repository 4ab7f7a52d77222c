"""The one palette that every picture uses, so that drawing happens in palette indices and nothing is converted later.

Edges are smooth because the palette holds ramps: between paper and each ink, between the outline and each bright
colour. Index 255 is left for the transparent pixels of a GIF.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from PIL import Image

from bot.pictures.flair import MARKS

Colour = tuple[int, int, int]

PAPER: Colour = (253, 252, 247)
OUTLINE: Colour = (12, 15, 18)
GOLD: Colour = (255, 203, 61)
AMBER: Colour = (240, 140, 30)
FIRE: Colour = (226, 52, 38)
CREAM: Colour = (255, 240, 205)
MIST: Colour = (150, 158, 158)
INKS: tuple[Colour, ...] = ((14, 132, 66), (25, 92, 214), (212, 28, 44), (24, 26, 32))
"""Clubs, diamonds, hearts, spades: the four-colour deck, in the engine's order of suits."""

SEATS: dict[str, Colour] = {
    "blue": (72, 170, 245),
    "orange": (245, 138, 40),
    "red": (235, 72, 66),
    "violet": (164, 118, 240),
    "yellow": (250, 214, 70),
    "pink": (250, 146, 196),
}
FELTS: dict[str, tuple[Colour, Colour]] = {
    "calm": ((30, 106, 82), (11, 48, 40)),
    "war": ((150, 34, 40), (52, 9, 20)),
    "glory": ((56, 72, 160), (18, 22, 62)),
}
"""The colours of the felt in its middle and at its edge: at rest, standing at WAR, at the end."""
FELT_SHADES = 12
RAIL: tuple[Colour, ...] = ((38, 24, 18), (62, 40, 28), (88, 58, 38), (150, 112, 62))
TRANSPARENT = 255


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """`share` of `other` in `one`, 0 to 1.

    >>> mixed((0, 0, 0), (100, 200, 50), 0.5)
    (50, 100, 25)
    """
    r, g, b = (round(a + (z - a) * share) for a, z in zip(one, other, strict=True))
    return r, g, b


def darker(colour: Colour) -> Colour:
    """The second tone of a colour, for patterns."""
    return mixed(colour, OUTLINE, 0.42)


def dimmed(colour: Colour) -> Colour:
    """As seen in a seat that is out, or that only looks on: greyer and darker."""
    r, g, b = colour
    grey = round(0.3 * r + 0.59 * g + 0.11 * b)
    return mixed(mixed(colour, (grey, grey, grey), 0.5), OUTLINE, 0.52)


def felt_shades(name: str, *, ray: bool) -> list[Colour]:
    """The shades from the middle of a felt to its edge; `ray`: those of the rays that lie on it."""
    middle, edge = FELTS[name]
    shades = [mixed(middle, edge, step / (FELT_SHADES - 1)) for step in range(FELT_SHADES)]
    return [mixed(shade, CREAM, 0.075) for shade in shades] if ray else shades


def _ramp(one: Colour, other: Colour, steps: int) -> Iterator[Colour]:
    for step in range(1, steps + 1):
        yield mixed(one, other, step / (steps + 1))


def _colours() -> list[Colour]:
    seats = [SEATS[mark.colour] for mark in MARKS]
    colours = [PAPER, OUTLINE, GOLD, AMBER, FIRE, CREAM, MIST, *INKS, *RAIL, *seats, *map(darker, seats)]
    for name in FELTS:
        colours += felt_shades(name, ray=False)
        colours += felt_shades(name, ray=True) if name != "calm" else []
    for ink in INKS:
        colours += _ramp(PAPER, ink, 5)
    colours += _ramp(PAPER, OUTLINE, 5)
    for seat in seats:
        colours += [*_ramp(seat, darker(seat), 1), *_ramp(OUTLINE, seat, 2), *_ramp(PAPER, seat, 1)]
    for bright in (GOLD, FIRE):
        colours += [*_ramp(OUTLINE, bright, 3), *_ramp(bright, PAPER, 1)]
    colours += [*_ramp(GOLD, AMBER, 1), *_ramp(AMBER, FIRE, 1)]
    colours += [dimmed(each) for each in (PAPER, GOLD, *INKS[:3], *seats, CREAM)]
    return list(dict.fromkeys(colours))


@dataclass(frozen=True)
class Palette:
    """The colours, and what is derived from them. Made once, by `Sprites`."""

    colours: tuple[Colour, ...]

    @classmethod
    def make(cls) -> Palette:
        """The palette of all pictures; the same every time."""
        colours = _colours()
        assert len(colours) <= TRANSPARENT, f"{len(colours)} colours are too many for one palette"
        return cls(tuple(colours))

    @cached_property
    def data(self) -> bytes:
        """Three bytes for each of 256 entries; the unused ones repeat the outline."""
        flat = [value for colour in self.colours for value in colour]
        return bytes(flat + list(OUTLINE) * (256 - len(self.colours)))

    @cached_property
    def _entries(self) -> dict[Colour, int]:
        return {colour: entry for entry, colour in enumerate(self.colours)}

    def index(self, colour: Colour) -> int:
        """The entry of this colour, or else the nearest one."""
        exact = self._entries.get(colour)
        if exact is not None:
            return exact
        return min(range(len(self.colours)), key=lambda entry: _distance(self.colours[entry], colour))

    @cached_property
    def dim(self) -> bytes:
        """For each entry the one that is its dimmed look: a table for `bytes.translate`."""
        entries = [self.index(dimmed(colour)) for colour in self.colours]
        return bytes(entries + [0] * (256 - len(entries)))

    def empty(self, size: tuple[int, int], fill: int = 0) -> Image.Image:
        """A new palette image of one colour."""
        image = Image.new("P", size, fill)
        image.putpalette(self.data)
        return image

    def reduced(self, image: Image.Image) -> Image.Image:
        """An RGB image in this palette, each pixel the nearest entry."""
        return image.quantize(palette=self.empty((1, 1)), dither=Image.Dither.NONE)


def _distance(one: Colour, other: Colour) -> int:
    """Squared, weighted as the eye does."""
    r, g, b = (a - z for a, z in zip(one, other, strict=True))
    return 3 * r * r + 6 * g * g + b * b
