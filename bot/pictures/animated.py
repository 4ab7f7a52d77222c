"""The animated match: the scenes of a reel, drawn and packed into one GIF that plays once."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import ImageDraw

from bot.pictures.canvas import MARGIN, Canvas
from bot.pictures.errors import PictureError
from bot.pictures.faces import HUGE, LARGE, MEDIUM, MINI, TINY, CardSize
from bot.pictures.flair import MARKS, Flair
from bot.pictures.gif import Gif
from bot.pictures.palette import GOLD, OUTLINE, SEATS, darker
from bot.pictures.pieces import PILE_DEPTH, pile
from bot.pictures.reel import Poster, Race, Scene, reel
from bot.pictures.sprites import HEIGHT, WIDTH, Sprites
from bot.pictures.table import draw_table
from engine.facts import Battle, Outcome

BOTTOM = HEIGHT - MARGIN


def animated(battles: Sequence[Battle], flairs: Sequence[Flair], outcome: Outcome, sprites: Sprites) -> bytes:
    """GIF, 800 x 450 px, under 15 s and under 1 MB, of all battles of a match.

    The first frame shows who plays and not how it ends, the last one is the table at the end and stays. Raises
    PictureError, also when there are no battles.
    """
    try:
        gif = Gif()
        for shot in reel(battles, flairs, outcome):
            gif.add(draw_scene(shot.scene, sprites).image, shot.held)
        return gif.data()
    except (KeyError, IndexError, ValueError, OSError, MemoryError) as error:
        raise PictureError("animated", f"{type(error).__name__} {error}") from error


def draw_scene(scene: Scene, sprites: Sprites) -> Canvas:
    """One picture of the animation."""
    if isinstance(scene, Poster):
        return _draw_poster(scene, sprites)
    if isinstance(scene, Race):
        return _draw_race(scene, sprites)
    return draw_table(scene, sprites)


def _draw_poster(scene: Poster, sprites: Sprites) -> Canvas:
    """The players' backs side by side, and the question."""
    canvas = Canvas(sprites, "war")
    seats = len(scene.flairs)
    size = HUGE if seats <= 3 else LARGE if seats <= 5 else MEDIUM
    column = (WIDTH - 2 * MARGIN) / seats
    top = 76 if seats == 2 else 62
    for seat, flair in enumerate(scene.flairs):
        x = MARGIN + column * (seat + 0.5)
        pile(canvas, size, seat, flair, 26, x - size.width / 2, top)
        canvas.centred(canvas.sprites.marks[seat, 46], x, top + size.height + PILE_DEPTH + 24)
    question = canvas.sprites.signs["question"]
    canvas.centred(question, WIDTH / 2, 208 if seats == 2 else BOTTOM - question.height / 2)
    return canvas


def _draw_race(scene: Race, sprites: Sprites) -> Canvas:
    """A lane for each seat, with a bar as long as its share of the cards; below, how far the match has gone."""
    canvas = Canvas(sprites, "calm")
    seats = len(scene.counts)
    lane = (BOTTOM - 24 - MARGIN) / seats
    size = MEDIUM if seats == 2 else MINI if seats == 3 else TINY if seats <= 5 else None
    for seat in range(seats):
        _draw_lane(canvas, scene, seat, MARGIN + lane * (seat + 0.5), min(lane * 0.62, 84), size)
    left, right = MARGIN + 6, WIDTH - MARGIN - 6
    draw = ImageDraw.Draw(canvas.image)
    palette = sprites.palette
    draw.rounded_rectangle((left, BOTTOM - 14, right, BOTTOM - 4), 5, fill=palette.index(OUTLINE))
    done = left + 10 + (right - left - 10) * scene.share
    draw.rounded_rectangle((left, BOTTOM - 14, done, BOTTOM - 4), 5, fill=palette.index(GOLD))
    return canvas


def _draw_lane(canvas: Canvas, scene: Race, seat: int, y: float, height: float, size: CardSize | None) -> None:
    """`y` is the middle of the lane, `height` of its bar; no `size`: there is no room for a card back."""
    sprites = canvas.sprites
    flair, count = scene.flairs[seat], scene.counts[seat]
    canvas.dimmed = not count
    if size is not None and count:
        canvas.centred(sprites.backs[size.name, flair.back, seat], MARGIN + 6 + MEDIUM.width / 2, y)
        canvas.centred(sprites.medallions[size.name, flair.emblem, seat], MARGIN + 6 + MEDIUM.width / 2, y)
    mark = sprites.marks[seat, 46 if len(scene.counts) <= 4 else 34]
    start = MARGIN + 6 + MEDIUM.width + 14
    canvas.centred(mark, start + mark.width / 2, y)
    start += mark.width + 14
    draw = ImageDraw.Draw(canvas.image)
    room = WIDTH - MARGIN - 84 - start
    end = start + max(12.0, room * count / scene.cards)
    colour = SEATS[MARKS[seat].colour]
    box = (start, y - height / 2, end, y + height / 2)
    if count:
        palette = sprites.palette
        draw.rounded_rectangle(box, min(12.0, (end - start) / 2), palette.index(colour), palette.index(OUTLINE), 3)
        draw.line((start + 6, y + height / 2 - 7, end - 7, y + height / 2 - 7), palette.index(darker(colour)), 6)
    figures = 58 if len(scene.counts) <= 4 else 42
    canvas.number(str(count), figures, (end if count else start) + 10, y)
    canvas.dimmed = False
