"""The picture of a table: two seats face each other, three to six sit in columns, so that wars are rows to compare."""

from __future__ import annotations

from collections.abc import Sequence

from bot.pictures.canvas import MARGIN, Canvas
from bot.pictures.errors import PictureError
from bot.pictures.faces import HUGE, LARGE, MEDIUM, MINI, TINY, CardSize
from bot.pictures.pieces import PILE_DEPTH, Fan, fan, most_face_down, pile, ring, tag
from bot.pictures.sprites import HEIGHT, RING, WIDTH, Sprites
from bot.pictures.view import SeatView, Settled, TableView
from engine.cards import Card

BOTTOM = HEIGHT - MARGIN
MIDDLE = WIDTH / 2


def table(view: TableView, sprites: Sprites) -> bytes:
    """PNG, 800 x 450 px, under 40 KB. Raises PictureError."""
    try:
        return draw_table(view, sprites).png()
    except (KeyError, IndexError, ValueError, OSError, MemoryError) as error:
        raise PictureError("table", f"{type(error).__name__} {error}") from error


def draw_table(view: TableView, sprites: Sprites) -> Canvas:
    """The picture before it is encoded, with the boxes of all that is vital in it."""
    canvas = Canvas(sprites, "glory" if view.over else "war" if view.at_war else "calm")
    if len(view.seats) == 2:
        _draw_two(canvas, view)
    else:
        _draw_columns(canvas, view)
    return canvas


# ---- two seats ---------------------------------------------------------------------------------------------------

PANEL_X = (125, WIDTH - 125)
GAP = 60
"""Between the cards of the two, px."""


def _draw_two(canvas: Canvas, view: TableView) -> None:
    for number, seat in enumerate(view.seats):
        canvas.dimmed = seat.out
        _draw_panel(canvas, view, number, seat)
    canvas.dimmed = False
    wars = max(len(seat.laid) for seat in view.seats) - 1
    layout = _fan_of((HUGE, LARGE, MEDIUM, MINI), view, MARGIN + RING, BOTTOM - RING)
    layout = layout.lowered((BOTTOM - RING - layout.bottom) / 2)
    size, final = layout.size, layout.height_of(max(0, wars))
    for number, seat in enumerate(view.seats):
        x = MIDDLE - GAP / 2 - size.width if number == 0 else MIDDLE + GAP / 2
        last = fan(canvas, layout, number, seat, x)
        if last is not None and (view.winner == number or seat.tied):
            ring(canvas, size, x, last)
            if view.winner == number and not view.over:
                below = min(final + size.height + 2, BOTTOM - 21)
                canvas.number_centred(f"+{view.taken}", 36, x + size.width / 2, below)
    if view.at_war:
        if size is HUGE:
            _draw_burst(canvas, view, MIDDLE, min(final + size.strip + 76, BOTTOM - 88), "war")
        else:
            _draw_burst(canvas, view, MIDDLE, min(final + size.strip + 46, BOTTOM - 64), "war small")
    elif view.winner is not None and wars >= 0:
        side = ("left", "right")[view.winner]
        canvas.centred(canvas.sprites.signs[side], MIDDLE, min(final + size.height * 0.6, BOTTOM - 40))
    elif view.loose and wars >= 0:
        _draw_pot(canvas, view.loose, MIDDLE, BOTTOM - 21)
    if wars < 0 and not view.over:
        _draw_question(canvas, view, HEIGHT / 2)


def _draw_panel(canvas: Canvas, view: TableView, number: int, seat: SeatView) -> None:
    """A seat's pile, mark and count, and its card of the war that was settled on the way."""
    x = PANEL_X[number]
    settled = view.settled if view.at_war else None
    top = 46 if settled is not None else 108
    if seat.count:
        pile(canvas, MEDIUM, number, seat.flair, seat.count, x - MEDIUM.width / 2, top)
    else:
        _draw_empty(canvas, MEDIUM, x - MEDIUM.width / 2, top)
    tag(canvas, number, 46, seat.count, 58, x, top + MEDIUM.height + PILE_DEPTH + 36)
    if number in view.first:
        canvas.centred(canvas.sprites.signs["crown"], x, top - 20)
    if settled is not None:
        _draw_settled(canvas, settled, number, x, BOTTOM - RING - MINI.height)


def _draw_settled(canvas: Canvas, settled: Settled, number: int, x: float, y: float) -> None:
    card: Card | None = dict(settled.cards).get(number)
    won = settled.winner == number
    text = f"+{settled.taken}" if won else ""
    width = MINI.width + (8 + canvas.number_width(text, 36) if text else 0)
    left = x - width / 2
    if card is not None:
        canvas.paste(canvas.sprites.card(MINI, card), left, y)
        if won:
            ring(canvas, MINI, left, y)
    if text:
        canvas.number(text, 36, left + MINI.width + 10, y + MINI.height / 2)


def _draw_empty(canvas: Canvas, size: CardSize, x: float, y: float) -> None:
    """Where a pile would be."""
    canvas.paste(canvas.sprites.signs[f"empty {size.name}"], x, y)


# ---- three to six ------------------------------------------------------------------------------------------------

HEAD = 46
CARDS_TOP = 158


def _draw_columns(canvas: Canvas, view: TableView) -> None:
    seats = len(view.seats)
    column = (WIDTH - 2 * MARGIN) / seats
    wars = max(len(seat.laid) for seat in view.seats) - 1
    sizes = (MEDIUM, MINI) if seats == 6 else (LARGE, MEDIUM, MINI)
    if seats <= 4 and not view.at_war:  # the burst needs the room that the largest cards would take
        sizes = (HUGE, *sizes)
    layout = _fan_of(sizes, view, CARDS_TOP, BOTTOM - RING)
    if not view.at_war:
        layout = layout.lowered((BOTTOM - RING - layout.bottom) / 3)
    size, final = layout.size, layout.height_of(max(0, wars))
    for number, seat in enumerate(view.seats):
        x = MARGIN + column * (number + 0.5)
        canvas.dimmed = seat.out or (bool(view.at_war) and not seat.tied)
        _draw_head(canvas, seats, number, seat, x)
        last = fan(canvas, layout, number, seat, x - size.width / 2)
        if last is not None and (view.winner == number or seat.tied):
            ring(canvas, size, x - size.width / 2, last)
            if view.winner == number and not view.over:
                _draw_taken(canvas, view.taken, size, x, last)
        if number in view.first:
            below = CARDS_TOP if last is None else last + size.height - 6
            canvas.centred(canvas.sprites.signs["crown"], x, min(below + 46, BOTTOM - 42))
    canvas.dimmed = False
    if view.at_war:
        fighters = [MARGIN + column * (seat + 0.5) for seat in view.at_war]
        wide = final + size.strip < BOTTOM - 140
        name = "war wide" if wide else "war small"
        x = sum(fighters) / len(fighters)
        if size is MINI:  # the burst would hide such small cards
            x = _beside(fighters, size.width + 2 * RING, canvas.sprites.signs[name].width + 44)
        _draw_burst(canvas, view, x, BOTTOM - (72 if wide else 66), name)
    elif view.loose and wars >= 0:
        _draw_pot(canvas, view.loose, MIDDLE, BOTTOM - 21)
    if wars < 0 and not view.over:
        _draw_question(canvas, view, 268)


def _beside(places: Sequence[float], taken: float, width: float) -> float:
    """The middle for something so wide, near these places but hiding least of the cards there, `taken` px wide."""
    near = sum(places) / len(places)

    def cost(x: float) -> tuple[float, float]:
        hidden = sum(max(0.0, (taken + width) / 2 - abs(place - x)) for place in places)
        return hidden, abs(x - near)

    first, last = round(MARGIN + width / 2), round(WIDTH - MARGIN - width / 2)
    return min(range(first, last + 1, 6), key=cost)


def _draw_taken(canvas: Canvas, taken: int, size: CardSize, x: float, top: float) -> None:
    """What the winner took, under the card that won it; beside it where that would hide the card."""
    text = f"+{taken}"
    if size is MINI:
        width = canvas.number_width(text, 36)
        left = x + size.width / 2 + RING if x < MIDDLE else x - size.width / 2 - RING - width
        canvas.number(text, 36, left, top + size.height / 2)
    else:
        canvas.number_centred(text, 36, x, min(top + size.height + 24, BOTTOM - 21))


def _draw_head(canvas: Canvas, seats: int, number: int, seat: SeatView, x: float) -> None:
    """A seat's pile with its mark and count to the right of it, the middle of all at x."""
    size, figures = (TINY, 40) if seats > 4 else (MINI, 42)
    beside = max(canvas.sprites.marks[number, 34].width, canvas.number_width("26", figures))
    left = x - (size.width + 4 + beside) / 2
    if seat.count:
        pile(canvas, size, number, seat.flair, seat.count, left, HEAD)
    else:
        _draw_empty(canvas, size, left, HEAD)
    middle = left + size.width + 4 + beside / 2
    canvas.centred(canvas.sprites.marks[number, 34], middle, HEAD + 18)
    canvas.number_centred(str(seat.count), figures, middle, HEAD + 64)


# ---- both --------------------------------------------------------------------------------------------------------


def _fan_of(sizes: Sequence[CardSize], view: TableView, top: float, bottom: float) -> Fan:
    """The fan for the round that is shown, in the largest of these sizes that fits."""
    wars = max(0, max(len(seat.laid) for seat in view.seats) - 1)
    return Fan.of(sizes, wars, most_face_down([seat.laid for seat in view.seats]), top, bottom)


def _draw_burst(canvas: Canvas, view: TableView, x: float, y: float, name: str) -> None:
    """WAR, how often in this round, and the cards that lie in the pot."""
    sprite = canvas.sprites.signs[name]
    x = min(max(x, MARGIN + sprite.width / 2), WIDTH - MARGIN - sprite.width / 2)
    canvas.centred(sprite, x, y)
    if view.wars > 1:
        canvas.number_centred(
            f"x{view.wars}", 42, x + sprite.width * 0.38, y - sprite.height * (0.2 if name == "war small" else 0.34)
        )
    _draw_pot(canvas, view.pot, x, y + sprite.height * (0.42 if name == "war small" else 0.34))


def _draw_question(canvas: Canvas, view: TableView, y: float) -> None:
    """Nothing is turned yet; cards that nobody was dealt may lie there already."""
    question = canvas.sprites.signs["question"]
    canvas.centred(question, MIDDLE, y)
    if view.pot:
        _draw_pot(canvas, view.pot, MIDDLE, y + question.height * 0.5)


def _draw_pot(canvas: Canvas, cards: int, x: float, y: float) -> None:
    """A small stack and the number of cards on the table, their middle at (x, y)."""
    stack = canvas.sprites.signs["stack"]
    width = stack.width + 4 + canvas.number_width(str(cards), 36)
    canvas.paste(stack, x - width / 2, y - stack.height / 2)
    canvas.number(str(cards), 36, x - width / 2 + stack.width + 4, y)
