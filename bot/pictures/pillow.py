"""Calls of Pillow whose types name numpy, unknown to the type checker since we do without it: forgiven in one place."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image


def mapped(image: Image.Image, table: Sequence[int]) -> Image.Image:
    """Each pixel looked up in a table of 256 values."""
    return image.point(table)  # pyright: ignore[reportUnknownMemberType]


def recoloured(image: Image.Image, table: bytes) -> Image.Image:
    """A palette image with each index looked up; several times faster than `Image.point` for a small one.

    It has no palette of its own: it is to be pasted on an image that has.
    """
    return Image.frombytes("P", image.size, image.tobytes().translate(table))


def resized(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    """The image in another size, px, smoothly."""
    return image.resize(size, Image.Resampling.BICUBIC)  # pyright: ignore[reportUnknownMemberType]


def enlarged(image: Image.Image, times: int) -> Image.Image:
    """Each pixel as a square of so many."""
    size = (image.width * times, image.height * times)
    return image.resize(size, Image.Resampling.NEAREST)  # pyright: ignore[reportUnknownMemberType]


def at_least(image: Image.Image, least: int) -> Image.Image:
    """A mode 1 image: where an L image has at least this value."""
    table = [255 if value >= least else 0 for value in range(256)]
    return mapped(image, table).convert("1", dither=Image.Dither.NONE)
