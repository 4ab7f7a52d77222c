"""Who can fight a war, and with how many cards: the one place that reads `Rules.face_down` and
`Rules.shortage`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from engine.facts import Drop
from engine.rules import Rules


class Lay(NamedTuple):
    """What one seat lays: `number` cards, the last one face-up if it `turns`."""

    seat: int
    number: int
    turns: bool


class Muster(NamedTuple):
    """What happens before the faces of a war are compared; everything in seat order.

    lays       cards to move to the table. Who drops out as short lays all, face-down
    fighters   the seats whose faces are compared. One takes the pot without turning, none leaves it
    drops      the tied seats that do not fight, and why
    draw       the seats that share the first place if nobody fights and nobody else has cards
    """

    lays: tuple[Lay, ...]
    fighters: tuple[int, ...]
    drops: tuple[Drop, ...]
    draw: tuple[int, ...]


def muster(rules: Rules, sizes: Mapping[int, int]) -> Muster:
    """Muster the tied seats for a war; `sizes` has the cards left in the pile of each, in seat order.

    >>> muster(Rules(), {0: 9, 2: 3}).lays
    (Lay(seat=0, number=4, turns=True), Lay(seat=2, number=3, turns=True))
    """
    draw = tuple(sizes)
    if len(sizes) < 2:  # the others have forfeited: who is left has won, cards or not
        return Muster((), draw, (), draw)
    need = rules.face_down + 1
    if min(sizes.values()) >= need:
        return _all_able(draw, need)
    drops: list[Drop] = []
    keeps_faces = rules.shortage == "keep" and any(sizes.values())
    if not keeps_faces:
        drops = [Drop(seat, "no-cards") for seat, size in sizes.items() if not size]
        sizes = {seat: size for seat, size in sizes.items() if size}
    fighters = tuple(sizes)
    if rules.shortage == "lose" and len(sizes) > 1:
        fighters, draw = _who_can(sizes, need)
        drops.extend(Drop(seat, "short") for seat in sizes if seat not in fighters)
    if rules.shortage == "equal" and len(sizes) > 1:
        need = min(need, *sizes.values())
    lays = [Lay(seat, size, turns=False) for seat, size in sizes.items() if seat not in fighters]
    if len(fighters) > 1:
        lays.extend(Lay(seat, min(need, sizes[seat]), turns=True) for seat in fighters)
    return Muster(tuple(sorted(lays)), fighters, tuple(sorted(drops)), draw)


@cache  # nearly every war is one of these, and there are few: 57 sets of seats, 6 numbers
def _all_able(seats: tuple[int, ...], number: int) -> Muster:
    return Muster(tuple(Lay(seat, number, turns=True) for seat in seats), seats, (), seats)


def _who_can(sizes: Mapping[int, int], need: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Under `lose`: who fights on, and who draws if nobody does and nobody else has cards.

    Who has `need` cards fights. If all are short, the one with most cards wins; if several have most, nobody.
    """
    able = tuple(seat for seat, size in sizes.items() if size >= need)
    if able:
        return able, able
    most = max(sizes.values())
    richest = tuple(seat for seat, size in sizes.items() if size == most)
    return (richest if len(richest) == 1 else ()), richest
