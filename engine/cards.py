"""Cards. At the border of the engine a card is a :class:`Card`; inside it is its index, an int from 0 to 51.

The index counts ranks from the two up and, inside a rank, the suits clubs, diamonds, hearts, spades: 0 is 2♣,
51 is A♠. Two cards tie when ``index >> 2`` is the same: suits do not count.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from engine.errors import CardError

DECK_SIZE = 52


class Rank(IntEnum):
    """What a card is worth: the higher number wins, the ace is the highest."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def label(self) -> str:
        """As printed on a card: ``2`` to ``10``, ``J``, ``Q``, ``K``, ``A``."""
        return _LABELS[self]


class Suit(IntEnum):
    """The four suits, in the order of the index. Their order decides nothing in play."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def symbol(self) -> str:
        """One of ♣ ♦ ♥ ♠."""
        return "♣♦♥♠"[self]

    @property
    def letter(self) -> str:
        """One of C D H S."""
        return "CDHS"[self]


_LABELS = {rank: str(rank.value) for rank in Rank} | {
    Rank.JACK: "J",
    Rank.QUEEN: "Q",
    Rank.KING: "K",
    Rank.ACE: "A",
}
_RANKS = {label: rank for rank, label in _LABELS.items()} | {"T": Rank.TEN}
_SUITS = {suit.symbol: suit for suit in Suit} | {suit.letter: suit for suit in Suit}


@dataclass(frozen=True, slots=True)
class Card:
    """One of the 52 cards.

    >>> print(Card(Rank.QUEEN, Suit.SPADES), Card.parse("TH"))
    Q♠ 10♥
    """

    rank: Rank
    suit: Suit

    def __str__(self) -> str:
        return f"{self.rank.label}{self.suit.symbol}"

    @property
    def code(self) -> str:
        """Two plain letters, the ten as ``T``: ``QS``, ``TH``."""
        label = "T" if self.rank is Rank.TEN else self.rank.label
        return f"{label}{self.suit.letter}"

    @property
    def index(self) -> int:
        """The int that stands for this card inside the engine, 0 to 51."""
        return (self.rank - Rank.TWO) * 4 + self.suit

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read ``QS``, ``Q♠``, ``10H`` or ``TH``, in capitals or not.

        Raises CardError for anything else.

        >>> Card.parse("10♥").code
        'TH'
        """
        if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance] -- decks come from JSON
            raise CardError(text, f"A card is a text such as QS or 10H, not {text!r:.40}.")
        rank = _RANKS.get(text[:-1].upper())
        suit = _SUITS.get(text[-1:].upper())
        if rank is None or suit is None:
            raise CardError(
                text,
                f"{text[:40]!r} is no card; write rank (2 to 10, J, Q, K, A) and suit (C, D, H, S): QS, 10H.",
            )
        return card_of((rank - Rank.TWO) * 4 + suit)


CARDS = tuple(Card(rank, suit) for rank in Rank for suit in Suit)
"""Every card, by its index."""


def card_of(index: int) -> Card:
    """The card with this index, always the same object. Raises CardError outside 0 to 51.

    >>> str(card_of(51))
    'A♠'
    """
    if not 0 <= index < DECK_SIZE:
        raise CardError(index, f"There is no card number {index}; they go from 0 (2♣) to 51 (A♠).")
    return CARDS[index]


def deck(low_rank: int = Rank.TWO) -> list[int]:
    """The indices of a new, unshuffled deck from `low_rank` up, lowest first.

    That is 52 cards from the two up, 32 from the seven, 24 from the nine.

    >>> len(deck()), len(deck(7)), len(deck(9))
    (52, 32, 24)
    """
    return list(range((low_rank - Rank.TWO) * 4, DECK_SIZE))
