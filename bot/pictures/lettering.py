"""Ranks, numbers and the word WAR, from Pillow's built-in font: no font files to carry."""

from __future__ import annotations

from functools import cached_property

from PIL import Image, ImageDraw, ImageFont

from bot.pictures.pillow import at_least

_TRIAL = 100.0


class Lettering:
    """Text as masks of an exact height. Made once, while the sprites are."""

    @cached_property
    def _cap_share(self) -> float:
        """The height of a capital, as a share of the font's size."""
        _, top, _, bottom = self._font(_TRIAL).getbbox("H")
        return (bottom - top) / _TRIAL

    def mask(self, text: str, height: int, weight: float = 0.05, gap: float = 0.02) -> Image.Image:
        """An L image of the text, cut to its edges: capitals are `height` px high, strokes and all.

        `weight` thickens each stroke by that share of the height on both sides; `gap` is the space between two
        letters, also a share of the height.
        """
        stroke = height * weight
        font = self._font((height - 2 * stroke) / self._cap_share)
        letters = [self._letter(letter, font, stroke) for letter in text]
        space = round(height * gap)
        width = sum(letter.width for letter in letters) + space * (len(letters) - 1)
        tallest = max(letter.height for letter in letters)
        image = Image.new("L", (width, tallest), 0)
        x = 0
        for letter in letters:
            image.paste(letter, (x, (tallest - letter.height) // 2), letter)
            x += letter.width + space
        return image

    def _letter(self, letter: str, font: ImageFont.FreeTypeFont, stroke: float) -> Image.Image:
        size = int(font.size * 1.6 + 4 * stroke) + 8
        image = Image.new("L", (size, size), 0)
        draw = ImageDraw.Draw(image)
        draw.text((size / 2, size / 2), letter, fill=255, font=font, anchor="mm", stroke_width=stroke)
        box = at_least(image, 60).getbbox()
        assert box is not None, f"the built-in font has no {letter!r}"
        return image.crop(box)

    @staticmethod
    def _font(size: float) -> ImageFont.FreeTypeFont:
        font = ImageFont.load_default(size)
        assert isinstance(font, ImageFont.FreeTypeFont), "Pillow was built without FreeType; install its wheel"
        return font
