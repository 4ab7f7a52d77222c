"""The sprite sheet: everything that pictures are put together from, drawn once and reduced to the palette at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from PIL import Image, ImageChops, ImageDraw

from bot.pictures import faces
from bot.pictures.faces import HUGE, LARGE, MEDIUM, MINI, SIZES, TINY, CardSize, FacePainter
from bot.pictures.flair import BACKS, EMBLEMS, MARKS
from bot.pictures.lettering import Lettering
from bot.pictures.palette import (
    AMBER,
    CREAM,
    FELT_SHADES,
    FELTS,
    FIRE,
    GOLD,
    MIST,
    OUTLINE,
    PAPER,
    RAIL,
    SEATS,
    Palette,
    felt_shades,
)
from bot.pictures.pillow import at_least, mapped, resized
from bot.pictures.shapes import CHEVRON, CROWN, MARK_SHAPES, burst, mask
from engine.cards import CARDS, Card

WIDTH, HEIGHT = 800, 450
SHEET_WIDTH = 2048


@dataclass(frozen=True, slots=True)
class Sprite:
    """A palette image and the mask of what of it is seen (mode 1)."""

    image: Image.Image
    mask: Image.Image

    @property
    def width(self) -> int:
        """In px."""
        return self.image.width

    @property
    def height(self) -> int:
        """In px."""
        return self.image.height


@dataclass(frozen=True, repr=False)
class Sprites:
    """Everything drawn beforehand. Make one with `Sprites.make` (some 0.5 s) and pass it to every picture.

    Keys: cards by (size, index), backs by (size, back, seat), medallions by (size, emblem, seat), edges and rings by
    size, marks by (seat, height), numbers by (height, letter), signs by name.
    """

    palette: Palette
    felts: Mapping[str, Image.Image]
    cards: Mapping[tuple[str, int], Sprite]
    backs: Mapping[tuple[str, str, int], Sprite]
    medallions: Mapping[tuple[str, str, int], Sprite]
    edges: Mapping[str, Sprite]
    rings: Mapping[str, Sprite]
    marks: Mapping[tuple[int, int], Sprite]
    numbers: Mapping[tuple[int, str], Sprite]
    signs: Mapping[str, Sprite]

    @classmethod
    def make(cls) -> Sprites:
        """Draw them all; the same every time."""
        palette = Palette.make()
        sheet = _Sheet()
        lettering = Lettering()
        for size in SIZES:
            _add_cards(sheet, size, lettering)
        for seat, mark in enumerate(MARKS):
            for height in MARK_HEIGHTS:
                form = faces.solid(MARK_SHAPES[mark.shape], height, height, SEATS[mark.colour])
                sheet.add(("mark", seat, height), form)
        for height, colour in NUMBERS.items():
            for letter in "0123456789+?x":
                form = lettering.mask(letter, height - 6, 0.06)
                sheet.add(("number", height, letter), faces.outlined(form, colour, 3))
        _add_signs(sheet, lettering)
        _add_backs(sheet, TINY)
        made = sheet.cut(palette)
        return cls(
            palette,
            MappingProxyType({name: _felt(palette, name) for name in FELTS}),
            _named(made, "card"),
            _named(made, "back"),
            _named(made, "medallion"),
            _named(made, "edge"),
            _named(made, "ring"),
            _named(made, "mark"),
            _named(made, "number"),
            _named(made, "sign"),
        )

    def card(self, size: CardSize, card: Card) -> Sprite:
        """The face of a card."""
        return self.cards[size.name, card.index]

    @property
    def memory(self) -> int:
        """Bytes of pixels that are kept: one for each pixel of an image, and of each mask that sprites share."""
        groups = (self.cards, self.backs, self.medallions, self.edges, self.rings, self.marks, self.numbers, self.signs)
        sprites = [sprite for group in groups for sprite in group.values()]
        masks = {id(sprite.mask): sprite.mask for sprite in sprites}
        images = [sprite.image for sprite in sprites] + list(masks.values()) + list(self.felts.values())
        return sum(image.width * image.height for image in images)


MARK_HEIGHTS = (46, 34, 24)
NUMBERS = {58: PAPER, 42: PAPER, 40: PAPER, 36: GOLD, 28: CREAM}
"""Heights of the numbers in px, their dark line with them, and their colours."""


def _named(made: Mapping[tuple[object, ...], Sprite], kind: str) -> Any:
    """The sprites of one kind, by the rest of their key: by its only item, if there is just one."""
    found = {key[1] if len(key) == 2 else key[1:]: sprite for key, sprite in made.items() if key[0] == kind}
    return MappingProxyType(found)


def _add_cards(sheet: _Sheet, size: CardSize, lettering: Lettering) -> None:
    painter = FacePainter(size, lettering)
    for card in CARDS:
        sheet.add(("card", size.name, card.index), painter.face(card))
    sheet.add(("ring", size.name), _ring(size))
    _add_backs(sheet, size)


def _add_backs(sheet: _Sheet, size: CardSize) -> None:
    """What a pile is made of."""
    patterns = {back: faces.pattern_mask(size, back) for back in BACKS}
    for seat, mark in enumerate(MARKS):
        colour = SEATS[mark.colour]
        for back, pattern in patterns.items():
            sheet.add(("back", size.name, back, seat), faces.card_back(size, pattern, colour))
        for emblem in EMBLEMS:
            sheet.add(("medallion", size.name, emblem, seat), faces.medallion(size, emblem, colour))
    sheet.add(("edge", size.name), faces.plate(size.width, size.height, size.radius, PAPER))


def _ring(size: CardSize) -> Image.Image:
    """A golden frame to lie around a card."""
    reach = RING
    width, height = size.width + 2 * reach, size.height + 2 * reach
    image = faces.plate(width, height, size.radius + reach, GOLD, 2)
    inner = faces.rounded(width, height, size.radius + 2, reach)
    alpha = ImageChops.subtract(image.getchannel("A"), inner)
    image.putalpha(alpha)
    return image


RING = 7
"""How far the golden frame reaches beyond its card, px."""


def _add_signs(sheet: _Sheet, lettering: Lettering) -> None:
    sheet.add(("sign", "war"), _war(lettering, 250, 176))
    sheet.add(("sign", "war wide"), _war(lettering, 236, 140))
    sheet.add(("sign", "war small"), _war(lettering, 180, 104))
    sheet.add(("sign", "question"), _war(lettering, 190, 170, "?", 0.5))
    sheet.add(("sign", "spark"), _spark(44))
    for name, width in (("crown", 104), ("crown tiny", 42)):
        sheet.add(("sign", name), faces.solid(CROWN, width, round(width * 0.78), GOLD))
    right = faces.solid(CHEVRON, 54, 64, GOLD)
    sheet.add(("sign", "right"), right)
    sheet.add(("sign", "left"), right.transpose(Image.Transpose.FLIP_LEFT_RIGHT))
    for size in (MEDIUM, MINI, TINY):
        sheet.add(("sign", f"empty {size.name}"), _empty(size))
    sheet.add(("sign", "stack"), _stack())
    sheet.add(("sign", "up"), faces.solid(CHEVRON, 40, 36, GOLD).rotate(90, expand=True))


def _empty(size: CardSize) -> Image.Image:
    """The place of a pile that is gone."""
    image = faces.plate(size.width, size.height, size.radius, MIST, 3)
    inner = faces.rounded(size.width, size.height, size.radius, 6)
    image.putalpha(ImageChops.subtract(image.getchannel("A"), inner))
    return image


def _stack() -> Image.Image:
    """Three cards face-down, one behind the other: the sign of the pot."""
    image = Image.new("RGBA", (44, 42), (*OUTLINE, 0))
    for step in range(3):
        card = faces.plate(28, 36, 5, (PAPER, PAPER, FIRE)[step])
        if step == 2:
            card.alpha_composite(faces.plate(20, 28, 3, FIRE, 2, PAPER), (4, 4))
        image.alpha_composite(card, (16 - 8 * step, 6 - 3 * step))
    return image


def _war(lettering: Lettering, width: int, height: int, text: str = "WAR", share: float = 0.34) -> Image.Image:
    """The ragged star with a word on it, whose letters are as high as this share of it."""
    image = Image.new("RGBA", (width, height), (*OUTLINE, 0))
    reaches = (1.0, 0.86, 0.95, 0.84, 0.98, 0.88, 0.93)

    def star(inset: float) -> Image.Image:
        part = burst(17, lambda spike: reaches[spike % len(reaches)])
        form = mask((part,), max(1, round(width - 2 * inset)), max(1, round(height - 2 * inset * height / width)))
        placed = Image.new("L", (width, height), 0)
        placed.paste(form, ((width - form.width) // 2, (height - form.height) // 2))
        return placed

    image.putalpha(star(0))
    for inset, colour in ((width * 0.022, FIRE), (width * 0.085, AMBER), (width * 0.15, GOLD)):
        image.paste((*colour, 255), (0, 0), star(inset))
    word = lettering.mask(text, round(height * share), 0.09, 0.03)
    lettered = faces.outlined(word, CREAM, max(4, height // 30)).rotate(6, Image.Resampling.BICUBIC, expand=True)
    image.alpha_composite(lettered, ((width - lettered.width) // 2, (height - lettered.height) // 2))
    return image


def _spark(width: int) -> Image.Image:
    """A small burst that marks a war on the chart."""
    part = burst(9, lambda spike: (1.0, 0.85, 0.93)[spike % 3])
    return faces.outlined(mask((part,), width - 6), GOLD, 3)


def _felt(palette: Palette, name: str) -> Image.Image:
    """The table's cloth with its rail, a palette image of the whole picture."""
    light = resized(Image.radial_gradient("L"), (WIDTH, HEIGHT))
    plain = _shaded(palette, light, name, ray=False)
    if name != "calm":
        plain.paste(_shaded(palette, light, name, ray=True), (0, 0), _rays())
    frame = palette.empty((WIDTH, HEIGHT), palette.index(RAIL[1]))
    draw = ImageDraw.Draw(frame)
    draw.rectangle((0, 0, WIDTH - 1, HEIGHT - 1), outline=palette.index(RAIL[0]), width=3)
    draw.rectangle((5, 5, WIDTH - 6, HEIGHT - 6), outline=palette.index(RAIL[2]), width=2)
    cloth = at_least(faces.rounded(WIDTH, HEIGHT, 44, 14), 128)
    line = at_least(faces.rounded(WIDTH, HEIGHT, 46, 11), 128)
    frame.paste(palette.index(RAIL[3]), (0, 0), line)
    frame.paste(plain, (0, 0), cloth)
    return frame


def _shaded(palette: Palette, light: Image.Image, name: str, *, ray: bool) -> Image.Image:
    entries = [palette.index(shade) for shade in felt_shades(name, ray=ray)]
    bands = [entries[min(FELT_SHADES - 1, value * FELT_SHADES // 230)] for value in range(256)]
    image = mapped(light, bands)
    image.putpalette(palette.data)
    return image


def _rays() -> Image.Image:
    """Sixteen rays from the middle to the edge, mode 1."""
    image = Image.new("1", (WIDTH, HEIGHT), 0)
    draw = ImageDraw.Draw(image)
    reach = WIDTH
    box = (WIDTH // 2 - reach, HEIGHT // 2 - reach, WIDTH // 2 + reach, HEIGHT // 2 + reach)
    for ray in range(16):
        draw.pieslice(box, ray * 22.5, ray * 22.5 + 11.25, fill=1)
    return image


class _Sheet:
    """Collects RGBA images, lays them out on one large image, and cuts sprites from it in the palette's colours."""

    def __init__(self) -> None:
        self._pieces: dict[tuple[object, ...], Image.Image] = {}

    def add(self, key: tuple[object, ...], image: Image.Image) -> None:
        """Keep an RGBA image under a key whose first item is its kind."""
        self._pieces[key] = image

    def cut(self, palette: Palette) -> dict[tuple[object, ...], Sprite]:
        """All pieces as sprites. Half-seen pixels lie on the outline's colour, and are seen or not."""
        places: dict[tuple[object, ...], tuple[int, int, int, int]] = {}
        x = y = shelf = 0
        for key, piece in sorted(self._pieces.items(), key=lambda item: item[1].height):
            if x + piece.width > SHEET_WIDTH:
                x, y, shelf = 0, y + shelf, 0
            places[key] = (x, y, x + piece.width, y + piece.height)
            x, shelf = x + piece.width, max(shelf, piece.height)
        sheet = Image.new("RGB", (SHEET_WIDTH, y + shelf), OUTLINE)
        seen = Image.new("L", sheet.size, 0)
        for key, (left, top, _, _) in places.items():
            sheet.paste(self._pieces[key], (left, top), self._pieces[key])
            seen.paste(self._pieces[key].getchannel("A"), (left, top))
        image = palette.reduced(sheet)
        cut = at_least(seen, 110)
        masks: dict[bytes, Image.Image] = {}  # all cards of a size share theirs
        made: dict[tuple[object, ...], Sprite] = {}
        for key, box in places.items():
            form = cut.crop(box)
            shared = masks.setdefault(b"%d %d " % form.size + form.tobytes(), form)
            made[key] = Sprite(image.crop(box), shared)
        return made


__all__ = ["HEIGHT", "HUGE", "LARGE", "MEDIUM", "MINI", "WIDTH", "Sprite", "Sprites"]
