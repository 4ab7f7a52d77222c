"""A GIF put together from palette images: each frame only where it differs from the one before; played once.

Pillow's encoder packs the pixels; the container is written here, since Pillow would compare the frames in full colour.
The format is that of the GIF89a specification.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from struct import pack

from PIL import Image, ImageChops

HEADER = 13
"""Bytes before the global palette in what Pillow writes: signature and logical screen."""
PALETTE = 768
DESCRIPTOR = 10
"""Bytes that say where an image lies and how it is packed."""
KEEP = 1 << 2
"""Disposal: what is drawn stays."""


@dataclass(slots=True)
class _Frame:
    left: int
    top: int
    width: int
    height: int
    data: bytes
    delay: int


class Gif:
    """Frames of one size and one palette, in the order they are shown. It plays once and holds the last one."""

    def __init__(self) -> None:
        self._frames: list[_Frame] = []
        self._shown: Image.Image | None = None
        self._opening = b""

    def add(self, image: Image.Image, delay: int) -> None:
        """Show this image for so many hundredths of a second. One that looks like the last one prolongs it."""
        box: tuple[int, int, int, int] | None = (0, 0, image.width, image.height)
        if self._shown is not None:
            box = ImageChops.difference(self._shown, image).getbbox()
        if box is None:
            self._frames[-1].delay += delay
            return
        packed = BytesIO()
        image.crop(box).save(packed, "GIF", optimize=False, interlace=False)
        data = packed.getvalue()
        if not self._frames:
            self._opening = b"GIF89a" + data[6 : HEADER + PALETTE]  # 89a: the version that knows delays
        left, top, right, bottom = box
        pixels = data[HEADER + PALETTE + DESCRIPTOR : -1]  # without the trailer
        self._frames.append(_Frame(left, top, right - left, bottom - top, pixels, delay))
        self._shown = image

    def data(self) -> bytes:
        """The whole file."""
        parts = [self._opening]
        for frame in self._frames:
            parts.append(b"!\xf9\x04" + pack("<BHBB", KEEP, frame.delay, 0, 0))
            parts.append(b"," + pack("<HHHHB", frame.left, frame.top, frame.width, frame.height, 0))
            parts.append(frame.data)
        parts.append(b";")
        return b"".join(parts)
