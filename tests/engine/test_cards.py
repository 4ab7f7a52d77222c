"""Cards and their texts."""

from __future__ import annotations

import pytest

from engine.cards import CARDS, Card, Rank, Suit, card_of, deck
from engine.errors import CardError


def test_every_card_has_its_index_its_text_and_its_code() -> None:
    assert len(set(CARDS)) == 52
    for index, card in enumerate(CARDS):
        assert card_of(index) is card
        assert card.index == index
        assert Card.parse(str(card)) is card
        assert Card.parse(card.code) is card
        assert Card.parse(card.code.lower()) is card
        assert card.rank - 2 == index >> 2  # ranks compare as `index >> 2`


def test_the_ten_reads_10_to_people_and_t_in_its_code() -> None:
    ten = Card(Rank.TEN, Suit.SPADES)
    assert (str(ten), ten.code) == ("10♠", "TS")
    assert {Card.parse(text) for text in ("10S", "10♠", "TS", "T♠", "ts")} == {ten}


def test_the_queen_of_spades() -> None:
    queen = Card.parse("QS")
    assert (str(queen), queen.code, queen.rank, queen.suit) == ("Q♠", "QS", Rank.QUEEN, Suit.SPADES)


@pytest.mark.parametrize(
    "text", ["", "Q", "S", "1S", "0S", "11S", "QX", "QSS", " QS", "QS ", "Q S", "𝐐S", "10", "Joker", "T10S", "q♤"]
)
def test_other_texts_are_no_cards(text: str) -> None:
    with pytest.raises(CardError) as caught:
        Card.parse(text)
    assert caught.value.value == text


@pytest.mark.parametrize("value", [None, 12, b"QS", ["Q", "S"]])
def test_other_values_are_no_cards(value: object) -> None:
    with pytest.raises(CardError):
        Card.parse(value)  # type: ignore[arg-type]


@pytest.mark.parametrize("index", [-1, 52, 10_000])
def test_other_numbers_are_no_cards(index: int) -> None:
    with pytest.raises(CardError):
        card_of(index)


def test_a_deck_from_a_rank_up_has_all_suits_of_all_ranks_above() -> None:
    for low in range(2, 15):
        ranks = [card_of(index).rank for index in deck(low)]
        assert ranks == [rank for rank in Rank if rank >= low for _ in Suit]
