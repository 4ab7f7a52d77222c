"""Cards as emoji: 52 faces and a back, small enough to stand in a line of text. The application uploads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from io import BytesIO

from PIL import Image

from bot.pictures.errors import PictureError
from bot.pictures.faces import CardSize, card_back, pattern_mask, plate, stamp
from bot.pictures.lettering import Lettering
from bot.pictures.palette import INKS, PAPER, SEATS
from bot.pictures.shapes import SUITS, mask
from engine.cards import CARDS, Card, Rank

SIDE = 128
"""Width and height in px; Discord shows emoji 22 or 48 px high."""

CARD = CardSize("emoji", 120, 128, 16, 68, 60, 0)
"""The card in the middle of it: the rank in the upper left, the suit in the lower right, both as big as can be."""

TEN = 58
"""The height of the ten, px: two figures wide, it must leave the suit its corner."""

PAD = 8
"""Between the edge of a card and what is on it, px."""

EDGE = 5.0
"""The dark line around a card, px: about one where it is shown 22 px high."""

HALO = 4
"""Paper around the suit, px: a wide rank does not run into it."""

BACK = "card_back"


def emoji_name(card: Card) -> str:
    """The name of a card's emoji.

    >>> emoji_name(Card.parse("QS"))
    'queen_of_spades'
    """
    return f"{card.rank.name}_of_{card.suit.name}".lower()


NAMES: tuple[str, ...] = (*map(emoji_name, CARDS), BACK)
"""All 53, by the index of the card; the back is the last."""


def card_emoji() -> Mapping[str, bytes]:
    """PNGs by name, 128 x 128 px with transparent surroundings, a few KB each. Raises PictureError."""
    try:
        return dict(_drawn())
    except (KeyError, IndexError, ValueError, OSError, MemoryError) as error:
        raise PictureError("emoji", f"{type(error).__name__} {error}") from error


def _drawn() -> Iterator[tuple[str, bytes]]:
    lettering = Lettering()
    heights = {rank: TEN if rank is Rank.TEN else CARD.rank for rank in Rank}
    ranks = {rank: lettering.mask(rank.label, height, 0.06, 0.0) for rank, height in heights.items()}
    suits = [mask(shape, CARD.suit) for shape in SUITS]
    halos = [mask(shape, CARD.suit + 2 * HALO) for shape in SUITS]
    blank = plate(CARD.width, CARD.height, CARD.radius, PAPER, EDGE)
    for card in CARDS:
        image = blank.copy()
        ink = INKS[card.suit]
        rank = ranks[card.rank]
        stamp(image, rank, ink, PAD + rank.width / 2, PAD + rank.height / 2)
        x, y = CARD.width - PAD - CARD.suit / 2, CARD.height - PAD - CARD.suit / 2
        stamp(image, halos[card.suit], PAPER, x, y)
        stamp(image, suits[card.suit], ink, x, y)
        yield emoji_name(card), _png(image)
    back = card_back(CARD, pattern_mask(CARD, "diamonds"), SEATS["blue"])
    yield BACK, _png(back)


def _png(card: Image.Image) -> bytes:
    """The card in the middle of a transparent square."""
    square = Image.new("RGBA", (SIDE, SIDE), (0, 0, 0, 0))
    square.paste(card, ((SIDE - card.width) // 2, (SIDE - card.height) // 2))
    out = BytesIO()
    square.save(out, "PNG")
    return out.getvalue()
