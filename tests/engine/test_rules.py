"""The thirteen steps, each test named for its step, on small deals where every card can be followed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import Card, Rank, Suit, card_of
from engine.errors import RulesError
from engine.facts import Act
from engine.rules import Rules
from engine.war import Termination, War

SEED = bytes(range(32))


def codes(pile: tuple[Card, ...]) -> str:
    return " ".join(card.code for card in pile)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_rule_01_two_to_six_can_play(seats: int) -> None:
    war = War.deal(Rules(), seats, SEED, "x")
    assert war.seats == seats
    for _ in war.play():
        pass
    assert war.outcome is not None


@pytest.mark.parametrize("seats", [-1, 0, 1, 7, 52, True, 2.0, "2", None])
def test_rule_01_no_other_number_can(seats: object) -> None:
    with pytest.raises(RulesError) as caught:
        War.deal(Rules(), seats, SEED, "x")  # type: ignore[arg-type]
    assert caught.value.field == "seats"


def test_rule_02_the_deck_is_the_52_cards_without_jokers() -> None:
    war = War.deal(Rules(), 2, SEED, "x")
    dealt = [card for pile in war.dealt for card in pile]
    assert len(dealt) == 52
    assert set(dealt) == {Card(rank, suit) for rank in Rank for suit in Suit}


def test_rule_02_every_place_in_the_deck_is_as_likely_for_every_card() -> None:
    # Chi-squared of the ace of spades over its 52 places, and of the first place over the 52 cards: with 51
    # degrees of freedom the mean is 51, the standard deviation sqrt(102) = 10.1. Four of these make the bound.
    deals = 5200
    places, cards = [0] * 52, [0] * 52
    for number in range(deals):
        war = War.deal(Rules(), 2, SEED, f"deal {number}")
        deck = [card for pair in zip(*war.dealt, strict=True) for card in pair]
        places[deck.index(card_of(51))] += 1
        cards[deck[0].index] += 1
    for seen in (places, cards):
        assert sum((count - deals / 52) ** 2 for count in seen) / (deals / 52) < 51 + 4 * 10.1


@pytest.mark.parametrize(("seats", "each", "left"), [(2, 26, 0), (3, 17, 1), (4, 13, 0), (5, 10, 2), (6, 8, 4)])
def test_rule_03_everyone_gets_the_same_number_of_cards(seats: int, each: int, left: int) -> None:
    war = War.deal(Rules(), seats, SEED, "x")
    assert war.counts == (each,) * seats
    assert war.pot_size == left  # first-pot: what does not come out even lies on the table
    assert War.deal(Rules(leftover="aside"), seats, SEED, "x").pot_size == 0


def test_rule_04_everyone_turns_the_top_card_at_the_same_time(make_war) -> None:
    war = make_war("QS 2C", "7D 3C", "9H 4C")
    battle = war.step()
    assert [(seat, card.code) for seat, card in battle.turned] == [(0, "QS"), (1, "7D"), (2, "9H")]
    assert (battle.step, battle.round, battle.depth) == (1, 1, 0)
    assert battle.face_down == ()


def test_rule_04_dealing_goes_round_from_the_left_of_the_dealer() -> None:
    # The same shuffled deck dealt to two and to four: card by card from seat 0, the dealer (the last seat) last.
    two = War.deal(Rules(), 2, SEED, "x").dealt
    four = War.deal(Rules(), 4, SEED, "x").dealt
    deck = [card for pair in zip(*two, strict=True) for card in pair]
    assert [card for row in zip(*four, strict=True) for card in row] == deck


def test_rule_05_the_highest_card_takes_the_others_to_the_bottom_of_its_pile(make_war) -> None:
    war = make_war("QS 2C", "7D 3C", "KH 4C")
    battle = war.step()
    assert (battle.winner, battle.taken, battle.pot) == (2, 3, 0)
    assert battle.counts == (1, 1, 4)
    assert codes(war.piles[2]) == "4C QS 7D KH"


def test_rule_05_ace_is_high_two_is_low_and_suits_do_not_count(make_war) -> None:
    for low, high in [("2", "3"), ("9", "T"), ("T", "J"), ("J", "Q"), ("Q", "K"), ("K", "A"), ("2", "A")]:
        for suit in "CDHS":
            for other in "CDHS":
                assert make_war(f"{low}{suit} 4C", f"{high}{other} 5C").step().winner == 1
    for suit in "DHS":
        assert make_war("QC 2C", f"Q{suit} 3C").step().tied == (0, 1)


def test_rule_06_rounds_go_on_until_someone_is_out_of_cards(play_out) -> None:
    war, battles = play_out("QS 8S", "7D 6D", order="winner-first")
    assert [battle.counts for battle in battles] == [(3, 1), (4, 0)]
    assert battles[-1].out == (1,)
    assert war.outcome.winner == 0


def test_rule_06_of_several_players_one_goes_out_and_the_others_play_on(play_out) -> None:
    war, battles = play_out("QS 8S 3H", "7D 6D 2H", "5C")
    assert battles[0].out == (2,)
    assert [seat for seat, _ in battles[1].turned] == [0, 1]
    assert war.outcome.placings == (1, 2, 3)


def test_rule_07_a_tie_is_a_war_of_three_cards_face_down(make_war) -> None:
    war = make_war("QS 2C 3C 4C 9C 6C", "QD 2H 3H 4H 8H 6H")
    tie = war.step()
    assert (tie.tied, tie.winner, tie.pot) == ((0, 1), None, 2)
    assert war.tied == (0, 1)
    battle = war.step()
    assert battle.face_down == ((0, 3), (1, 3))
    assert (battle.depth, battle.round) == (1, 1)


@pytest.mark.parametrize("face_down", [0, 1, 2, 3, 4, 5])
def test_rule_07_the_number_face_down_is_a_choice(make_war, face_down: int) -> None:
    war = make_war("QS 2C 3C 4C 5C 6C 7C 8C", "QD 2H 3H 4H 5H 6H 7H 8H", face_down=face_down)
    war.step()
    battle = war.step()
    assert battle.face_down == (((0, face_down), (1, face_down)) if face_down else ())
    assert [card.code for _, card in battle.turned] == [f"{face_down + 2}C", f"{face_down + 2}H"]


def test_rule_07_only_those_who_share_the_highest_card_are_at_war(make_war) -> None:
    war = make_war("QS 2C 3C 4C 9C 6C", "7D 2S 3S", "QD 2H 3H 4H 8H 6H")
    assert war.step().tied == (0, 2)
    battle = war.step()
    assert [seat for seat, _ in battle.turned] == [0, 2]
    assert (battle.winner, battle.taken) == (0, 11)  # three turned, eight laid


def test_rule_08_the_next_card_face_up_decides_the_war(make_war) -> None:
    war = make_war("QS 2C 3C 4C 9C 6C", "QD AH KH JH TH 6H")
    war.step()
    battle = war.step()
    assert [card.code for _, card in battle.turned] == [
        "9C",
        "TH",
    ]  # the face-down ace and king count for nothing
    assert battle.winner == 1


def test_rule_09_the_winner_takes_everything_on_the_table(make_war) -> None:
    war = make_war("QS 2C 3C 4C 9C 6C", "QD AH KH JH TH 6H", "JS 5C 8C")
    war.step()
    battle = war.step()
    assert (battle.taken, battle.pot) == (11, 0)
    assert battle.counts == (1, 12, 2)
    assert set(codes(war.piles[1]).split()) == {
        *codes(war.dealt[0][:5]).split(),
        *codes(war.dealt[1]).split(),
        "JS",
    }


def test_rule_10_another_tie_is_another_war_on_top(make_war) -> None:
    war = make_war("QS 2C 3C 4C 9C 2D 3D 4D 5D 6C", "QD 2H 3H 4H 9H 2S 3S 4S 6S 6H")
    depths = []
    for expected in [(0, 1), (0, 1), ()]:
        battle = war.step()
        depths.append(battle.depth)
        assert battle.tied == expected
    assert depths == [0, 1, 2]
    assert (battle.winner, battle.taken, battle.round) == (1, 18, 1)


def test_rule_11_the_match_ends_when_one_player_holds_all_cards(play_out) -> None:
    war, _ = play_out("KS 8S", "7D 6D", "3C 2C")
    assert war.outcome.termination is Termination.ALL_CARDS
    assert war.counts == (6, 0, 0)


def test_rule_11_the_match_ends_early_when_all_players_agree(make_war) -> None:
    war = make_war("KS 8S 2H", "7D 6D 4H", "3C 2C 5H")
    war.step()
    for seat in (2, 0):
        war.act(Act(1, seat, "agree"))
        assert war.outcome is None
    war.act(Act(1, 1, "agree"))
    assert war.outcome.termination is Termination.AGREED
    assert war.outcome.counts == (5, 2, 2)


def test_rule_12_most_cards_win_and_equal_counts_share_the_place(make_war) -> None:
    war = make_war("KS 8S 2H", "7D 6D 4H", "3C 2C 5H")
    war.step()
    for seat in range(3):
        war.act(Act(1, seat, "agree"))
    assert war.outcome.placings == (1, 2, 2)
    assert [war.outcome.result(seat) for seat in range(3)] == ["win", "loss", "loss"]


def test_rule_12_a_shared_first_place_is_a_draw_for_those_who_share_it(make_war) -> None:
    war = make_war("KS 8S 2H", "7D 6D 4H", "3C 2C")
    for seat in range(3):
        war.act(Act(0, seat, "agree"))
    assert war.outcome.placings == (1, 1, 3)
    assert war.outcome.winner is None
    assert [war.outcome.result(seat) for seat in range(3)] == ["draw", "draw", "loss"]


@given(st.binary(min_size=32, max_size=32), st.integers(2, 6))
def test_rule_13_it_is_a_game_of_chance_nothing_but_the_seeds_decides(seed: bytes, seats: int) -> None:
    one, same = War.deal(Rules(), seats, seed, "x"), War.deal(Rules(), seats, seed, "x")
    assert list(one.play()) == list(same.play())
    assert War.deal(Rules(), seats, seed, "y").dealt != one.dealt
