"""The contact sheet: `python -m benchmarks.contact_sheet docs/pictures/contact-sheet.png`.

A row for each number of seats from two to six, half size: a plain round, a war of two, a war of three (of two seats: a
war after one just won), a war won, a triple war, the end. All are tables of real matches.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

from PIL import Image

from bot.pictures.sprites import HEIGHT, WIDTH, Sprites
from bot.pictures.table import draw_table
from bot.pictures.view import TableView, table_view
from engine.facts import Battle
from engine.rules import Rules
from engine.war import War

Wanted = Callable[[TableView], bool]

GAP = 8
SHRINK = 2
COLUMNS: tuple[Wanted, ...] = (
    lambda view: view.winner is not None and view.wars == 0 and not view.over,
    lambda view: len(view.at_war) == 2 and view.wars == 1 and view.settled is None,
    lambda view: len(view.at_war) == 3 if len(view.seats) > 2 else view.settled is not None and bool(view.at_war),
    lambda view: view.winner is not None and view.wars == 1 and not view.over,
    lambda view: view.wars == 3 and not view.over,
    lambda view: view.over,
)


def main() -> None:
    """Find the tables, draw them and write the sheet."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.contact_sheet", description=__doc__)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    sheet(Sprites.make()).save(arguments.out, "PNG", optimize=True)


def sheet(sprites: Sprites) -> Image.Image:
    """The whole sheet, in the pictures' own palette."""
    width, height = WIDTH // SHRINK, HEIGHT // SHRINK
    rows = range(2, 7)
    size = (len(COLUMNS) * (width + GAP) + GAP, len(rows) * (height + GAP) + GAP)
    whole = Image.new("RGB", size, (49, 51, 56))
    for row, seats in enumerate(rows):
        for column, wanted in enumerate(COLUMNS):
            picture = draw_table(found(seats, wanted), sprites).image.convert("RGB").reduce(SHRINK)
            whole.paste(picture, (GAP + column * (width + GAP), GAP + row * (height + GAP)))
    return sprites.palette.reduced(whole)


def found(seats: int, wanted: Wanted) -> TableView:
    """The first table as wanted over many matches. Raises LookupError when there is none."""
    for number in range(500):
        for view in tables(seats, number):
            if wanted(view):
                return view
    raise LookupError(f"No such table of {seats} seats in 500 matches.")


def tables(seats: int, number: int) -> Iterator[TableView]:
    """Every table of one match, as boards show it: a turn goes on to the next tie."""
    war = War.deal(Rules(), seats, hashlib.sha256(f"sheet {number}".encode()).digest(), "sheet")
    before: list[Battle] = []
    told: list[Battle] = []
    while war.outcome is None:
        told.append(war.step())
        yield table_view(
            counts=war.counts, pot=war.pot_size, tied=war.tied, told=told, outcome=war.outcome, before=before
        )
        if war.tied:
            before, told = [*before, *told], []


if __name__ == "__main__":
    main()
