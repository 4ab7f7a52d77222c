"""What a view of a table holds, made from the values that a board has."""

from __future__ import annotations

import pytest

from bot.pictures.flair import default_flairs
from bot.pictures.view import Laid, describe, table_view
from engine.cards import Card
from engine.rules import Rules
from engine.war import War


def cards(text: str) -> list[Card]:
    return [Card.parse(each) for each in text.split()]


def war_of(*piles: str) -> War:
    return War.from_piles(Rules(), [cards(pile) for pile in piles], bytes(32), "view")


def view_of(war, told, **more):
    return table_view(counts=war.counts, pot=war.pot_size, tied=war.tied, told=told, outcome=war.outcome, **more)


def test_a_fan_holds_every_card_of_the_round():
    war = war_of("7S 2S 3S 4S KS 2C", "7H 2H 3H 4H 5H 2D")
    told = [war.step(), war.step()]
    view = view_of(war, told)
    assert view.seats[0].laid == (Laid(0, Card.parse("7S")), Laid(3, Card.parse("KS")))
    assert (view.winner, view.taken, view.wars, view.pot, view.loose) == (0, 10, 1, 0, 0)
    assert view.seats[1].card == Card.parse("5H")


def test_standing_at_war_tells_who_fights_and_what_lies_there():
    war = war_of("7S 2S 3S 4S KS", "7H 2H 3H 4H 5H", "6C 9C 8C")
    view = view_of(war, [war.step()])
    assert view.at_war == (0, 1)
    assert (view.pot, view.loose, view.wars, view.cards) == (3, 0, 1, 13)


def test_a_turn_that_begins_in_a_war_shows_what_is_known_and_counts_the_rest_as_loose():
    war = war_of("7S 2S 3S 4S KS 2C", "7H 2H 3H 4H KH 2D")
    first = war.step()
    second = war.step()
    known = view_of(war, [second])
    assert known.seats[0].laid == (Laid(3, Card.parse("KS")),)
    assert (known.pot, known.loose, known.wars) == (10, 2, 2)
    whole = view_of(war, [second], before=[first])
    assert whole.seats[0].laid == (Laid(0, Card.parse("7S")), Laid(3, Card.parse("KS")))
    assert whole.loose == 0


def test_the_war_that_a_turn_settled_before_it_went_on_is_kept():
    war = war_of("7S 2S 3S 4S KS 9C 5C", "7H 2H 3H 4H 5H 9D 6C")
    war.step()
    told = [war.step(), war.step()]
    settled = view_of(war, told).settled
    assert settled is not None
    assert (dict(settled.cards)[0], settled.winner, settled.taken) == (Card.parse("KS"), 0, 10)
    assert view_of(war, told[:1]).settled is None


def test_who_has_no_cards_is_out_and_who_fights_with_the_last_is_not():
    war = war_of("7S", "7H 2H 3H 4H 5H", "6C 9C")
    view = view_of(war, [war.step()])
    assert [seat.out for seat in view.seats] == [False, False, False]
    war = war_of("2S", "7H 2H", "6C 9C")
    first = war.step()
    assert [seat.out for seat in view_of(war, [first]).seats] == [True, False, False]
    assert [seat.out for seat in view_of(war, [first, war.step()]).seats] == [True, False, False]


def test_the_end_knows_who_is_first():
    war = war_of("KS", "7H")
    view = view_of(war, [war.step()])
    assert (view.over, view.first, view.seats[1].out) == (True, (0,), True)
    described = describe(view)
    assert described.over
    assert (described.seats[0].cards, described.seats[0].won, described.seats[0].first) == (2, True, True)
    assert described.seats[1].face_up == Card.parse("7H")


def test_a_description_says_who_is_at_war():
    war = war_of("7S 2S", "7H 2H", "6C 9C")
    described = describe(view_of(war, [war.step()]))
    assert [seat.at_war for seat in described.seats] == [True, True, False]
    assert (described.pot, described.wars, described.taken) == (3, 1, 0)


@pytest.mark.parametrize("seats", [1, 7])
def test_only_two_to_six_seats_make_a_table(seats):
    with pytest.raises(ValueError, match="2 to 6"):
        table_view(counts=(1,) * seats, pot=0, tied=(), told=(), outcome=None, flairs=default_flairs(seats))
