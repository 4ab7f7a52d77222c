"""Deals that somebody wrote down, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import Card
from engine.errors import DealError


def indices_of(piles: Sequence[Sequence[Card]], even: bool) -> list[list[int]]:
    """The piles as card indices, top card first.

    Raises DealError for an empty pile, a card twice, something that is no card and, with `even`, piles that
    differ in size (rule 3).

    >>> indices_of([[Card.parse("2C")], [Card.parse("AS")]], even=True)
    [[0], [51]]
    """
    seen: set[Card] = set()
    for seat, pile in enumerate(piles):
        if not pile:
            raise DealError(f"Seat {seat} has no cards; give every seat at least one.", seat)
        for card in pile:
            if not isinstance(card, Card):  # pyright: ignore[reportUnnecessaryIsInstance] -- may come from JSON
                raise DealError(f"Seat {seat} holds {card!r:.40}, which is no card.", seat)
            if card in seen:
                raise DealError(f"{card} is dealt twice; there is one of each card.", seat)
            seen.add(card)
    if even and len({len(pile) for pile in piles}) > 1:
        sizes = ", ".join(str(len(pile)) for pile in piles)
        raise DealError(f"The piles are uneven ({sizes} cards); give everyone the same number.")
    return [[card.index for card in pile] for pile in piles]
