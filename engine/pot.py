"""How a won pot goes under the winner's pile: the one place that reads `Rules.order`."""

from __future__ import annotations

from collections.abc import Sequence

from engine.rules import MAX_SEATS, Order
from engine.shuffle import Chance


def arranged(
    order: Order, table: list[int], owners: Sequence[int], under: list[int], winner: int, chance: Chance
) -> list[int]:
    """The pot as it goes to the bottom, first card first; a new list.

    `table` has the cards of the round in the order of play (by depth, at each depth in seat order),
    `owners` the seat of each, `under` the cards that are nobody's: leftover, carried and forfeited ones.

    >>> from engine.shuffle import Stream
    >>> arranged("loser-first", [7, 8, 9], [0, 1, 2], [3], 1, Stream(bytes(32), "example"))
    [7, 9, 8, 3]
    """
    if order == "random":
        pot = under + table
        chance.shuffle(pot)
        return pot
    if order == "table":
        return under + table
    # Sorting is stable: each seat's cards stay as played.
    place_of_winner = -1 if order == "winner-first" else MAX_SEATS
    places = [place_of_winner if owner == winner else owner for owner in owners]
    by_owner = sorted(range(len(table)), key=places.__getitem__)
    return [table[index] for index in by_owner] + under
