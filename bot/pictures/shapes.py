"""Suits, emblems and marks as outlines, all our own: polygons in a square from 0 to 1, x to the right, y downwards.

A shape is a list of parts, drawn in order; a part that `cuts` takes away what lies under it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from types import MappingProxyType

from PIL import Image, ImageDraw

Point = tuple[float, float]
OVERSIZE = 4
"""Shapes are drawn so many times too large and then reduced: that makes their edges smooth."""


@dataclass(frozen=True, slots=True)
class Part:
    """One closed outline."""

    points: tuple[Point, ...]
    cuts: bool = False


Shape = tuple[Part, ...]


def mask(shape: Shape, width: int, height: int | None = None) -> Image.Image:
    """The shape as an L image of this size in pixels: 255 inside, 0 outside, smooth between."""
    height = width if height is None else height
    large = Image.new("L", (width * OVERSIZE, height * OVERSIZE), 0)
    draw = ImageDraw.Draw(large)
    for part in shape:
        points = [(x * width * OVERSIZE, y * height * OVERSIZE) for x, y in part.points]
        draw.polygon(points, fill=0 if part.cuts else 255)
    return large.reduce(OVERSIZE)


# ---- ways to make outlines ---------------------------------------------------------------------------------------


def circle(x: float, y: float, radius: float, cuts: bool = False) -> Part:
    """A round part."""
    return Part(tuple(arc(x, y, radius, 0, 360)), cuts)


def arc(x: float, y: float, radius: float, start: float, end: float) -> list[Point]:
    """Points along a circle between two angles in degrees, 0 to the right, clockwise."""
    steps = 48
    angles = [(start + (end - start) * step / steps) * pi / 180 for step in range(steps + 1)]
    return [(x + radius * cos(angle), y + radius * sin(angle)) for angle in angles]


def spiked(points: int, outer: float, inner: float, x: float = 0.5, y: float = 0.5, turn: float = -90) -> Part:
    """A star with so many points; `turn` is where its first point is, in degrees."""
    outline: list[Point] = []
    for step in range(2 * points):
        radius = inner if step % 2 else outer
        angle = (turn + 180 * step / points) * pi / 180
        outline.append((x + radius * cos(angle), y + radius * sin(angle)))
    return Part(tuple(outline))


def smooth(corners: Sequence[Point]) -> Part:
    """A closed curve through all these points (Catmull-Rom)."""
    outline: list[Point] = []
    count = len(corners)
    for here in range(count):
        before, start, end, after = (corners[(here + step) % count] for step in (-1, 0, 1, 2))
        for step in range(12):
            t = step / 12
            x = _between(before[0], start[0], end[0], after[0], t)
            y = _between(before[1], start[1], end[1], after[1], t)
            outline.append((x, y))
    return Part(tuple(outline))


def _between(before: float, start: float, end: float, after: float, t: float) -> float:
    bend = 2 * before - 5 * start + 4 * end - after
    twist = 3 * start - before - 3 * end + after
    return start + 0.5 * t * (end - before + t * (bend + t * twist))


def _mirrored(points: Sequence[Point]) -> tuple[Point, ...]:
    """The outline whose right half this is, from the top down."""
    return (*points, *((1 - x, y) for x, y in reversed(points)))


def _heart(top: float, bottom: float, half: float) -> Part:
    """Between two heights, so wide to each side; with `top` below `bottom` it stands on its head."""
    turns = [step * pi / 48 for step in range(97)]
    xs = [16 * sin(t) ** 3 / 16 for t in turns]
    ys = [13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t) for t in turns]
    highest, lowest = max(ys), min(ys)
    scale = (bottom - top) / (highest - lowest)
    return Part(tuple((0.5 + x * half, top + (highest - y) * scale) for x, y in zip(xs, ys, strict=True)))


def _stem(top: float, spread: float) -> Part:
    """The foot of spades and clubs."""
    right = [(0.5 + 0.045, top), (0.5 + 0.06, 0.78), (0.5 + spread * 0.6, 0.93), (0.5 + spread, 0.98)]
    return Part(_mirrored(right))


def _polygon(*points: Point, cuts: bool = False) -> Part:
    return Part(points, cuts)


def _rotated(shape: Shape, degrees: float) -> Shape:
    angle = degrees * pi / 180
    c, s = cos(angle), sin(angle)

    def turned(point: Point) -> Point:
        x, y = point[0] - 0.5, point[1] - 0.5
        return 0.5 + x * c - y * s, 0.5 + x * s + y * c

    return tuple(Part(tuple(map(turned, part.points)), part.cuts) for part in shape)


# ---- the shapes --------------------------------------------------------------------------------------------------

CLUB: Shape = (
    circle(0.5, 0.24, 0.215),
    circle(0.255, 0.6, 0.215),
    circle(0.745, 0.6, 0.215),
    _polygon((0.5, 0.3), (0.68, 0.62), (0.5, 0.72), (0.32, 0.62)),
    _stem(0.5, 0.22),
)
DIAMOND: Shape = (
    Part(
        _mirrored(
            [
                *((0.5, 0.01), (0.57, 0.13), (0.665, 0.28), (0.765, 0.41), (0.86, 0.5)),
                *((0.765, 0.59), (0.665, 0.72), (0.57, 0.87), (0.5, 0.99)),
            ]
        )
    ),
)
HEART: Shape = (_heart(0.06, 0.97, 0.47),)
SPADE: Shape = (_heart(0.84, 0.02, 0.45), _stem(0.6, 0.24))
SUITS: tuple[Shape, ...] = (CLUB, DIAMOND, HEART, SPADE)
"""In the engine's order: clubs, diamonds, hearts, spades."""

CROWN: Shape = (
    _polygon((0.12, 0.72), (0.04, 0.26), (0.3, 0.5), (0.5, 0.12), (0.7, 0.5), (0.96, 0.26), (0.88, 0.72)),
    _polygon((0.13, 0.78), (0.87, 0.78), (0.87, 0.9), (0.13, 0.9)),
    circle(0.04, 0.24, 0.055),
    circle(0.5, 0.1, 0.065),
    circle(0.96, 0.24, 0.055),
)
SHIELD: Shape = (
    Part(_mirrored([(0.5, 0.03), (0.7, 0.1), (0.9, 0.13), (0.89, 0.42), (0.83, 0.65), (0.7, 0.83), (0.5, 0.97)])),
    Part(_mirrored([(0.5, 0.15), (0.78, 0.23), (0.77, 0.43), (0.72, 0.6), (0.62, 0.74), (0.5, 0.83)]), cuts=True),
    Part(_mirrored([(0.5, 0.22), (0.56, 0.24), (0.56, 0.75), (0.5, 0.8)])),
    _polygon((0.25, 0.38), (0.75, 0.38), (0.75, 0.5), (0.25, 0.5)),
)
STAR: Shape = (spiked(5, 0.52, 0.22, y=0.53),)
LEAF: Shape = _rotated(
    (
        Part(_mirrored([(0.5, 0.0), (0.66, 0.14), (0.78, 0.34), (0.8, 0.52), (0.72, 0.7), (0.54, 0.82), (0.535, 1.0)])),
        _polygon((0.485, 0.2), (0.515, 0.2), (0.52, 0.82), (0.48, 0.82), cuts=True),
        _polygon((0.5, 0.48), (0.66, 0.34), (0.68, 0.37), (0.5, 0.54), cuts=True),
        _polygon((0.5, 0.48), (0.34, 0.34), (0.32, 0.37), (0.5, 0.54), cuts=True),
        _polygon((0.5, 0.66), (0.66, 0.54), (0.68, 0.57), (0.5, 0.72), cuts=True),
        _polygon((0.5, 0.66), (0.34, 0.54), (0.32, 0.57), (0.5, 0.72), cuts=True),
    ),
    32,
)
FLAME: Shape = (
    smooth(
        [
            *((0.52, 0.0), (0.66, 0.22), (0.83, 0.45), (0.86, 0.7), (0.7, 0.93), (0.5, 0.99)),
            *((0.28, 0.93), (0.14, 0.7), (0.19, 0.46), (0.3, 0.33), (0.36, 0.46), (0.48, 0.28)),
        ]
    ),
    Part(smooth([(0.52, 0.5), (0.64, 0.68), (0.64, 0.83), (0.5, 0.92), (0.36, 0.83), (0.38, 0.7)]).points, cuts=True),
)
ANCHOR: Shape = (
    circle(0.5, 0.16, 0.14),
    circle(0.5, 0.16, 0.065, cuts=True),
    _polygon((0.445, 0.28), (0.555, 0.28), (0.555, 0.92), (0.445, 0.92)),
    _polygon((0.26, 0.36), (0.74, 0.36), (0.74, 0.46), (0.26, 0.46)),
    Part((*arc(0.5, 0.55, 0.43, 0, 180), *arc(0.5, 0.55, 0.31, 180, 0))),
    _polygon((0.98, 0.66), (0.88, 0.44), (0.72, 0.62)),
    _polygon((0.02, 0.66), (0.12, 0.44), (0.28, 0.62)),
)
MOON: Shape = (circle(0.48, 0.5, 0.46), circle(0.68, 0.4, 0.38, cuts=True), spiked(5, 0.13, 0.055, 0.72, 0.36))
BOLT: Shape = (_polygon((0.62, 0.0), (0.16, 0.56), (0.46, 0.56), (0.34, 1.0), (0.84, 0.38), (0.53, 0.38)),)
EMBLEM_SHAPES: Mapping[str, Shape] = MappingProxyType(
    {
        "crown": CROWN,
        "shield": SHIELD,
        "star": STAR,
        "leaf": LEAF,
        "flame": FLAME,
        "anchor": ANCHOR,
        "moon": MOON,
        "bolt": BOLT,
    }
)

_petals = [(step * 72 - 90) * pi / 180 for step in range(5)]
MARK_SHAPES: Mapping[str, Shape] = MappingProxyType(
    {
        "circle": (circle(0.5, 0.5, 0.48),),
        "square": (_polygon((0.06, 0.06), (0.94, 0.06), (0.94, 0.94), (0.06, 0.94)),),
        "triangle": (_polygon((0.5, 0.03), (1.0, 0.93), (0.0, 0.93)),),
        "heart": (_heart(0.05, 0.97, 0.49),),
        "star": (spiked(5, 0.54, 0.25, y=0.54),),
        "flower": (
            *(circle(0.5 + 0.25 * cos(angle), 0.51 + 0.25 * sin(angle), 0.235) for angle in _petals),
            circle(0.5, 0.5, 0.11, cuts=True),
        ),
    }
)

SWORD: Shape = _rotated(
    (
        _polygon((0.5, -0.06), (0.56, 0.06), (0.56, 0.64), (0.44, 0.64), (0.44, 0.06)),
        _polygon((0.26, 0.64), (0.74, 0.64), (0.74, 0.73), (0.26, 0.73)),
        _polygon((0.455, 0.73), (0.545, 0.73), (0.545, 0.9), (0.455, 0.9)),
        circle(0.5, 0.95, 0.085),
    ),
    40,
)
CROSSED: Shape = (*SWORD, *(Part(tuple((1 - x, y) for x, y in part.points)) for part in SWORD))
TIARA: Shape = (
    Part(
        _mirrored(
            [
                *((0.5, 0.12), (0.6, 0.46), (0.74, 0.27), (0.8, 0.56), (0.97, 0.4)),
                *((0.9, 0.82), (0.78, 0.88), (0.64, 0.92), (0.5, 0.93)),
            ]
        )
    ),
    *(circle(x, y, 0.055) for x, y in ((0.03, 0.38), (0.26, 0.24), (0.74, 0.24), (0.97, 0.38))),
    circle(0.5, 0.1, 0.08),
    _polygon((0.5, 0.5), (0.57, 0.64), (0.5, 0.78), (0.43, 0.64), cuts=True),
    *(circle(x, 0.71, 0.045, cuts=True) for x in (0.28, 0.72)),
)
COURTS: Mapping[str, Shape] = MappingProxyType({"J": CROSSED, "Q": TIARA, "K": CROWN})
"""Our own simple emblems: the jack's crossed swords, the queen's tiara, the king's crown."""

CHEVRON: Shape = (
    _polygon((0.0, 0.36), (0.48, 0.36), (0.48, 0.08), (1.0, 0.5), (0.48, 0.92), (0.48, 0.64), (0.0, 0.64)),
)


def burst(points: int, seed: Callable[[int], float]) -> Part:
    """A ragged star that fills its square; `seed` gives for each spike how far it reaches, 0.8 to 1."""
    outline: list[Point] = []
    for step in range(2 * points):
        radius = 0.5 * (seed(step // 2) if step % 2 == 0 else 0.72)
        angle = (360 * step / (2 * points) - 90) * pi / 180
        outline.append((0.5 + radius * cos(angle), 0.5 + radius * sin(angle)))
    return Part(tuple(outline))
