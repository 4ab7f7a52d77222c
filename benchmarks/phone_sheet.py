"""What people see on a phone, side by side: `python -m benchmarks.phone_sheet FOLDER docs/pictures/on-a-phone.png`.

FOLDER holds what the test of screenshots has taken (`SCREENSHOTS=FOLDER pytest tests/e2e/test_screenshots.py`).
"""

from __future__ import annotations

import argparse
from pathlib import Path

from PIL import Image

SHOWN = ("opening-01", "the-table-01", "side-room-02", "side-room-04")
"""The table at war, a result with its chart, a quick match and a look back at it."""

GAP = 16
COLOURS = 160
"""Of the palette: the pictures of the game have 64, the rest are the greys of text."""


def main() -> None:
    """Put the pictures together and write the sheet."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.phone_sheet", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    pictures = [Image.open(arguments.folder / f"390-dark-{name}.png").convert("RGB") for name in SHOWN]
    size = sum(each.width + GAP for each in pictures) + GAP, max(each.height for each in pictures) + 2 * GAP
    sheet = Image.new("RGB", size, (17, 18, 22))
    left = GAP
    for picture in pictures:
        sheet.paste(picture, (left, GAP))
        left += picture.width + GAP
    sheet.quantize(COLOURS, dither=Image.Dither.NONE).save(arguments.out, optimize=True)


if __name__ == "__main__":
    main()
