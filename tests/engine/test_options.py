"""What the thirteen steps leave open: shortage, order, leftover, the cap, and the placings."""

from __future__ import annotations

import pytest

from engine.cards import Card
from engine.errors import MatchOver, RulesError
from engine.facts import Drop
from engine.rules import Rules
from engine.war import Termination, War

SEED = bytes(range(32))


def codes(pile: tuple[Card, ...]) -> str:
    return " ".join(card.code for card in pile)


# -- short in a war, before any option ---------------------------------------------------------------------


@pytest.mark.parametrize("shortage", ["last", "lose", "equal"])
def test_rule_07_a_tied_player_without_cards_drops_out_and_the_other_takes_the_pot(play_out, shortage) -> None:
    war, battles = play_out("QS 2C 3C", "QD", shortage=shortage)
    settled = battles[1]
    assert settled.turned == ()
    assert settled.face_down == ()
    assert settled.dropped == (Drop(1, "no-cards"),)
    assert (settled.winner, settled.taken, settled.out) == (0, 2, (1,))
    assert war.counts == (4, 0)
    assert war.outcome.termination is Termination.ALL_CARDS


def test_rule_07_of_three_tied_the_two_with_cards_fight_on(play_out) -> None:
    _, battles = play_out("QS 2C 9C", "QD", "QH 3C 8C", face_down=1)
    assert battles[0].tied == (0, 1, 2)
    assert battles[1].dropped == (Drop(1, "no-cards"),)
    assert [seat for seat, _ in battles[1].turned] == [0, 2]
    assert (battles[1].winner, battles[1].out) == (0, (1, 2))


def test_rule_07_when_no_tied_player_has_cards_the_pot_is_carried(play_out) -> None:
    war, battles = play_out("QS", "QD", "7H 3C", "6H 4C")
    carried = battles[1]
    assert carried.carried
    assert (carried.winner, carried.pot, carried.taken) == (None, 4, 0)
    assert carried.out == (0, 1)
    assert battles[2].round == 2
    assert (battles[2].winner, battles[2].taken) == (3, 6)
    assert war.outcome.placings == (3, 3, 2, 1)


def test_rule_07_then_one_player_left_with_cards_takes_whatever_lies_on_the_table(play_out) -> None:
    war, battles = play_out("QS", "QD", "7H 3C")
    assert (battles[1].winner, battles[1].taken, battles[1].pot) == (2, 3, 0)
    assert not battles[1].carried
    assert war.outcome.termination is Termination.ALL_CARDS
    assert (war.outcome.placings, war.counts) == ((2, 2, 1), (0, 0, 4))


@pytest.mark.parametrize("shortage", ["last", "lose", "equal", "keep"])
def test_rule_12_nobody_left_is_a_draw_among_the_last_tied(play_out, shortage) -> None:
    war, battles = play_out("QS", "QD", shortage=shortage)
    assert battles[1].carried
    assert war.outcome.termination is Termination.DRAW
    assert war.outcome.placings == (1, 1)
    assert (war.counts, war.pot_size) == ((0, 0), 2)


def test_rule_12_the_last_tied_draw_whatever_they_held_and_the_others_come_after(play_out) -> None:
    # 0 and 1 tie, 2 does not; 1 lays fewer cards than 0 in the war and ties again with its last one.
    war, _ = play_out("QS 2C 3C 4C 9C", "QD 2D 9D", "7H")
    assert war.outcome.termination is Termination.DRAW
    assert war.outcome.placings == (1, 1, 3)


# -- shortage ----------------------------------------------------------------------------------------------


def test_shortage_last_lays_what_there_is_the_last_card_face_up(make_war) -> None:
    war = make_war("QS 2C 3C 4C 9C 6C", "QD 2D TD")
    war.step()
    battle = war.step()
    assert battle.face_down == ((0, 3), (1, 1))
    assert [card.code for _, card in battle.turned] == ["9C", "TD"]
    assert (battle.winner, battle.taken) == (1, 8)


def test_shortage_lose_puts_the_short_player_out_and_its_cards_into_the_pot(make_war) -> None:
    war = make_war("QS 2C 3C 4C 9C 6C", "QD 2D TD", shortage="lose")
    war.step()
    battle = war.step()
    assert battle.turned == ()
    assert battle.face_down == ((1, 2),)
    assert battle.dropped == (Drop(1, "short"),)
    assert (battle.winner, battle.taken, battle.out) == (0, 4, (1,))
    assert war.outcome.winner == 0


def test_shortage_lose_lets_those_who_can_fight_on(make_war) -> None:
    war = make_war("QS 2C 9C", "QD 2D", "QH 3C 8C", "2S 2H", shortage="lose", face_down=1)
    war.step()
    battle = war.step()
    assert battle.dropped == (Drop(1, "short"),)
    assert battle.face_down == ((0, 1), (1, 1), (2, 1))
    assert [seat for seat, _ in battle.turned] == [0, 2]
    assert (battle.winner, battle.taken, battle.out) == (0, 9, (1, 2))


def test_shortage_lose_gives_the_pot_to_the_one_with_most_when_all_are_short(make_war) -> None:
    war = make_war("QS 2C", "QD 2D 3D", "7H 8H", shortage="lose")
    war.step()
    battle = war.step()
    assert battle.dropped == (Drop(0, "short"),)
    assert (battle.winner, battle.taken, battle.out) == (1, 4, (0,))
    assert codes(war.piles[1]) == "2D 3D QS QD 7H 2C"


def test_shortage_lose_carries_the_pot_when_several_have_most(play_out) -> None:
    war, battles = play_out("QS 2C", "QD 2D", "7H 8H", "6H 9H", shortage="lose")
    assert battles[1].carried
    assert (battles[1].pot, battles[1].out) == (6, (0, 1))
    assert battles[1].face_down == ((0, 1), (1, 1))
    assert war.outcome.placings == (3, 3, 2, 1)


def test_shortage_lose_draws_when_several_have_most_and_nobody_else_has_cards(play_out) -> None:
    war, _ = play_out("QS 2C 3C", "QD 2D", "QH 3H 4H", shortage="lose")
    assert war.outcome.termination is Termination.DRAW
    assert war.outcome.placings == (1, 3, 1)  # those who share the most; who was out-numbered has lost
    assert war.pot_size == 8


def test_shortage_equal_has_both_lay_as_many_as_the_shorter_one(make_war) -> None:
    war = make_war("QS 2C 8C 4C 9C 6C", "QD 2D TD", shortage="equal")
    war.step()
    battle = war.step()
    assert battle.face_down == ((0, 1), (1, 1))
    assert [card.code for _, card in battle.turned] == ["8C", "TD"]
    assert battle.counts == (3, 6)


def test_shortage_keep_has_the_last_card_played_go_on_comparing(make_war) -> None:
    war = make_war("QS 2C 3C 4C 9C 6C 5C", "QD", shortage="keep")
    war.step()
    battle = war.step()
    assert battle.turned == ((0, Card.parse("9C")),)
    assert battle.face_down == ((0, 3),)
    assert (battle.winner, battle.taken, battle.counts) == (1, 6, (2, 6))


def test_shortage_keep_can_tie_with_the_same_card_again(make_war) -> None:
    war = make_war("QS 2C QC 4C 9C", "QD", shortage="keep", face_down=1)
    assert [war.step().tied for _ in range(3)] == [(0, 1), (0, 1), ()]
    assert war.counts == (0, 6)


@pytest.mark.parametrize("shortage", ["equal", "keep"])
def test_shortage_equal_and_keep_are_for_two(shortage) -> None:
    rules = Rules(shortage=shortage)
    rules.check(2)
    for seats in (3, 4, 5, 6):
        with pytest.raises(RulesError, match="for two players") as caught:
            War.deal(rules, seats, SEED, "x")
        assert caught.value.field == "shortage"


# -- order -------------------------------------------------------------------------------------------------

WAR_OF_TWO = ("QS 2C 3C 4C", "QD 2D 3D 5D", "7H 8H")  # 1 wins with the five; seat 2 leaves its seven


@pytest.mark.parametrize(
    ("order", "pot"),
    [
        ("winner-first", "QD 2D 3D 5D QS 2C 3C 4C 7H"),
        ("loser-first", "QS 2C 3C 4C 7H QD 2D 3D 5D"),
        ("table", "QS QD 7H 2C 3C 4C 2D 3D 5D"),
    ],
)
def test_rule_09_the_order_of_a_won_pot(make_war, order: str, pot: str) -> None:
    war = make_war(*WAR_OF_TWO, order=order, face_down=2)
    war.step()
    war.step()
    assert codes(war.piles[1]) == pot


@pytest.mark.parametrize(
    ("order", "pot"),
    [
        ("winner-first", "KD 6C QS QD 7H 5H"),
        ("loser-first", "6C KD QS QD 7H 5H"),
        ("table", "QS QD 7H 5H 6C KD"),
    ],
)
def test_carried_cards_come_after_the_rest_and_first_in_table(make_war, order: str, pot: str) -> None:
    war = make_war("QS", "QD", "7H 6C 2C", "5H KD 3C", order=order)
    for _ in range(3):
        war.step()
    assert codes(war.piles[3]) == f"3C {pot}"


def test_order_random_shuffles_the_whole_pot_with_the_stream() -> None:
    piles = [[Card.parse(code) for code in pile.split()] for pile in WAR_OF_TWO]
    seen = set()
    for number in range(40):
        war = War.from_piles(Rules(face_down=2), piles, SEED, f"shuffle {number}")
        war.step()
        war.step()
        seen.add(war.piles[1])
        assert sorted(card.index for card in war.piles[1]) == sorted(
            card.index for card in [*piles[0], *piles[1], piles[2][0]]
        )
    assert len(seen) == 40  # of 362,880 orders


def test_order_random_gives_each_order_of_two_cards_as_often() -> None:
    first = 0
    for number in range(2000):
        war = War.from_piles(Rules(), [[Card.parse("QS")], [Card.parse("7D")]], SEED, f"pair {number}")
        war.step()
        first += war.piles[0][0].code == "QS"
    assert abs(first - 1000) < 4 * (2000 * 0.25) ** 0.5


# -- leftover, low rank, the cap ---------------------------------------------------------------------------


def test_leftover_first_pot_goes_to_the_winner_of_the_first_round() -> None:
    war = War.deal(Rules(), 5, SEED, "x")
    assert war.pot_size == 2
    taken = next(battle.taken for battle in war.play() if battle.winner is not None)
    assert taken % 5 == 2
    assert sum(war.counts) == 52


def test_leftover_aside_stays_out_of_the_match() -> None:
    war = War.deal(Rules(leftover="aside"), 5, SEED, "x")
    for _ in war.play():
        pass
    assert sum(war.counts) + war.pot_size == 50


@pytest.mark.parametrize(("low_rank", "size"), [(2, 52), (7, 32), (9, 24), (13, 8)])
def test_rule_02_a_deck_can_start_above_the_two(low_rank: int, size: int) -> None:
    war = War.deal(Rules(low_rank=low_rank), 2, SEED, "x")
    dealt = [card for pile in war.dealt for card in pile]
    assert len(dealt) == size == Rules(low_rank=low_rank).deck_size
    assert min(card.rank for card in dealt) == low_rank


def test_after_max_rounds_most_cards_win(play_out) -> None:
    war, _ = play_out("KS 2S 5S", "7D 6D 4D", "5C 3C 4H", max_rounds=2)
    assert war.outcome.termination is Termination.ROUND_CAP
    assert war.outcome.rounds == 2
    assert (war.counts, war.outcome.placings) == ((4, 4, 1), (1, 1, 3))


def test_the_cap_waits_for_the_end_of_a_war(play_out) -> None:
    war, battles = play_out("QS 2C 3C 4C 9C 6C", "QD 2H 3H 4H 8H 6H", max_rounds=1)
    assert (len(battles), battles[0].tied) == (2, (0, 1))
    assert (war.outcome.termination, war.counts) == (Termination.ROUND_CAP, (11, 1))


def test_a_match_that_ends_in_its_last_round_is_not_capped(play_out) -> None:
    war, _ = play_out("KS 8S", "7D 6D", max_rounds=2)
    assert war.outcome.termination is Termination.ALL_CARDS


# -- placings ----------------------------------------------------------------------------------------------


def test_rule_12_the_later_out_the_better(play_out) -> None:
    war, battles = play_out("KS 8S 7S", "7D 6D", "5C")
    assert [battle.out for battle in battles] == [(2,), (1,)]
    assert war.outcome.placings == (1, 2, 3)


def test_rule_12_out_in_the_same_round_who_held_more_before_it_is_better(play_out) -> None:
    # All three tie; 1 lays its last three cards and 2 its last one: both are out in this round.
    war, battles = play_out("QS 2C 3C 4C 9C", "QD 2D 3D 8D", "QH 7H")
    assert battles[-1].out == (1, 2)
    assert war.outcome.placings == (1, 2, 3)


def test_rule_12_and_who_held_the_same_shares_the_place(play_out) -> None:
    war, _ = play_out("QS 2C 3C 4C 9C", "QD 6D", "QH 7H")
    assert war.outcome.placings == (1, 2, 2)


def test_after_the_end_there_is_no_step(play_out) -> None:
    war, battles = play_out("KS", "7D")
    with pytest.raises(MatchOver, match="deal a new one") as caught:
        war.step()
    assert (caught.value.termination, caught.value.steps) == ("all-cards", len(battles))
    assert war.steps == 1
