"""The chart of a match: cards held over its rounds, each seat a line of its own colour with its mark on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import ImageDraw

from bot.pictures.canvas import MARGIN, Canvas
from bot.pictures.errors import PictureError
from bot.pictures.flair import MARKS
from bot.pictures.palette import GOLD, OUTLINE, SEATS, Colour
from bot.pictures.pillow import enlarged
from bot.pictures.sprites import HEIGHT, Sprites
from bot.pictures.turning import Course, course_of, sampled, turning_round
from engine.facts import Battle

LEFT, RIGHT, TOP, FLOOR = 98, 634, 92, 362
"""The plot's edges, px."""
POINTS = 240
"""Points of a line at most: more cannot be told apart."""
FINE = 2
"""Lines are drawn so many times too large, for smooth edges."""

Line = list[tuple[float, float]]


def chart(battles: Sequence[Battle], sprites: Sprites) -> bytes:
    """PNG, 800 x 450 px, under 40 KB, of all battles of a match. Raises PictureError, also when there are none."""
    try:
        return draw_chart(battles, sprites).png()
    except (KeyError, IndexError, ValueError, OSError, MemoryError) as error:
        raise PictureError("chart", f"{type(error).__name__} {error}") from error


def draw_chart(battles: Sequence[Battle], sprites: Sprites) -> Canvas:
    """The chart before it is encoded."""
    course = course_of(battles)
    plot = _Plot(len(course.rounds), max(map(sum, course.counts)))
    canvas = Canvas(sprites, "calm")
    turned = turning_round(course)
    _draw_grid(canvas, plot, turned)
    _draw_lines(canvas, plot, course)
    _draw_scales(canvas, plot)
    for seat in range(len(course.counts[0])):
        _draw_marks(canvas, plot, course, seat)
    _draw_ends(canvas, plot, course)
    if turned is not None:
        _draw_turning(canvas, plot, course, turned)
    return canvas


@dataclass(frozen=True, slots=True)
class _Plot:
    rounds: int
    cards: int

    def x(self, index: int) -> float:
        """Where the counts after so many rounds are drawn."""
        return LEFT + (RIGHT - LEFT) * index / self.rounds

    def y(self, count: int) -> float:
        """Where so many cards are drawn."""
        return FLOOR - (FLOOR - TOP) * count / self.cards


def _draw_grid(canvas: Canvas, plot: _Plot, turned: int | None) -> None:
    palette = canvas.sprites.palette
    draw = ImageDraw.Draw(canvas.image)
    faint, gold = palette.index((52, 122, 100)), palette.index(GOLD)
    for quarter in range(5):
        y = round(FLOOR - (FLOOR - TOP) * quarter / 4)
        draw.line((LEFT, y, RIGHT, y), fill=faint, width=3 if quarter == 0 else 1)
    if turned is not None:
        x = round(plot.x(turned + 1))
        for y in range(TOP, FLOOR, 14):
            draw.line((x, y, x, y + 7), fill=gold, width=3)


def _draw_scales(canvas: Canvas, plot: _Plot) -> None:
    """None, half and all cards at the left; the first and the last round below."""
    for count in (0, plot.cards // 2, plot.cards):
        text = str(count)
        canvas.number(text, 28, LEFT - 12 - canvas.number_width(text, 28), plot.y(count))
    below = HEIGHT - MARGIN - 16
    canvas.number_centred("0", 28, LEFT, below)
    canvas.number_centred(str(plot.rounds), 28, RIGHT, below)


def _lines(plot: _Plot, course: Course) -> list[Line]:
    """For each seat its points; the line of one that went out ends there."""
    kept = sampled(len(course.counts), POINTS)
    lines: list[Line] = []
    for seat in range(len(course.counts[0])):
        end = _end(course, seat)
        lines.append([(plot.x(index), plot.y(course.counts[index][seat])) for index in (*kept, end) if index <= end])
    return lines


def _end(course: Course, seat: int) -> int:
    """The index of the counts after which a seat stays as it is: the end, or when it had no cards left."""
    end = len(course.counts) - 1
    while end and course.counts[end - 1][seat] == course.counts[end][seat] == 0:
        end -= 1
    return end


def _draw_lines(canvas: Canvas, plot: _Plot, course: Course) -> None:
    """Each line with a dark one under it, so that crossings stay clear; those who end lowest lie lowest."""
    lines = _lines(plot, course)
    order = sorted(range(len(lines)), key=lambda seat: (course.counts[-1][seat], _end(course, seat)))
    large = enlarged(canvas.image.convert("RGB"), FINE)
    draw = ImageDraw.Draw(large)
    for seat in order:
        points = [(x * FINE, y * FINE) for x, y in lines[seat]]
        _stroke(draw, points, 10 * FINE, OUTLINE)
        _stroke(draw, points, 6 * FINE, SEATS[MARKS[seat].colour])
    canvas.image.paste(canvas.sprites.palette.reduced(large.reduce(FINE)))


def _stroke(draw: ImageDraw.ImageDraw, points: Line, width: int, colour: Colour) -> None:
    draw.line(points, fill=colour, width=width, joint="curve")
    reach = width / 2
    for x, y in (points[0], points[-1]):
        draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=colour)


def _draw_marks(canvas: Canvas, plot: _Plot, course: Course, seat: int) -> None:
    """The seat's mark along its line, at other places than the other seats' marks; and where it went out."""
    seats = len(course.counts[0])
    end = _end(course, seat)
    sprite = canvas.sprites.marks[seat, 24]
    for step in range(4):
        index = round(plot.rounds * (step + (seat + 0.5) / seats) / 4)
        if 0 < index < end:
            canvas.centred(sprite, plot.x(index), plot.y(course.counts[index][seat]))
    if course.counts[end][seat] == 0:
        canvas.centred(sprite, plot.x(end), plot.y(0))


def _draw_ends(canvas: Canvas, plot: _Plot, course: Course) -> None:
    """At the right, what those hold who hold any at the end; and the crown for who holds most."""
    last = course.counts[-1]
    holders = sorted((seat for seat in range(len(last)) if last[seat]), key=lambda seat: -last[seat])
    y = 0.0
    for place, seat in enumerate(holders):
        floor = FLOOR - 38 * (len(holders) - 1 - place)
        y = min(max(plot.y(last[seat]), y + 40 if place else 0.0), floor)
        mark = canvas.sprites.marks[seat, 34]
        canvas.paste(mark, RIGHT + 22, y - mark.height / 2)
        canvas.number(str(last[seat]), 40, RIGHT + 22 + mark.width + 5, y)
        if place == 0 and last.count(last[seat]) == 1 and y - 70 >= 0:
            crown = canvas.sprites.signs["crown tiny"]
            canvas.centred(
                crown, RIGHT + 22 + mark.width / 2, max(y - 17 - crown.height / 2, MARGIN + crown.height / 2)
            )


def _draw_turning(canvas: Canvas, plot: _Plot, course: Course, turned: int) -> None:
    """The pot that turned the match: a spark on its winner's line, and how many cards it was."""
    what = course.rounds[turned]
    if what.winner is None:
        return
    x, y = plot.x(turned + 1), plot.y(course.counts[turned + 1][what.winner])
    canvas.centred(canvas.sprites.signs["spark"], x, y)
    text = f"+{what.taken}"
    width = canvas.number_width(text, 36)
    middle = min(max(x, LEFT + 26 + width / 2), RIGHT - width / 2)
    above = y - 42 if y - 42 > MARGIN + 20 else y + 42
    canvas.number_centred(text, 36, middle, above)
