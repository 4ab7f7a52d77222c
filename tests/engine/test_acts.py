"""Forfeits and agreements: what happens in a match that is no card."""

from __future__ import annotations

import pytest

from engine.cards import Card
from engine.errors import ActError, DealError, EngineError, MatchOver
from engine.facts import Act
from engine.rules import Rules
from engine.war import Termination, War

SEED = bytes(range(32))


def codes(pile: tuple[Card, ...]) -> str:
    return " ".join(card.code for card in pile)


def test_of_two_players_the_other_wins_at_once(make_war) -> None:
    war = make_war("KS 8S 2H", "7D 6D 4H")
    war.step()
    war.act(Act(1, 0, "forfeit"))
    assert war.outcome.termination is Termination.FORFEIT
    assert war.outcome.placings == (2, 1)
    assert war.counts == (0, 6)


def test_in_a_war_too_and_the_other_takes_what_lies_on_the_table(make_war) -> None:
    war = make_war("QS 8S 2H", "QD 6D 4H")
    war.step()
    war.act(Act(1, 1, "forfeit"))
    assert (war.outcome.winner, war.counts, war.pot_size) == (0, (6, 0), 0)
    assert war.tied == ()


def test_the_cards_go_face_down_under_the_next_pot(make_war) -> None:
    war = make_war("KS 8S", "7D 6D 4H", "5C 9C", order="winner-first")
    war.act(Act(0, 1, "forfeit"))
    assert (war.counts, war.pot_size, war.alive) == ((2, 0, 2), 3, (0, 2))
    battle = war.step()
    assert (battle.winner, battle.taken) == (0, 5)
    assert codes(war.piles[0]) == "8S KS 5C 7D 6D 4H"


def test_in_the_middle_of_a_war_they_join_the_pot_that_is_fought_for(make_war) -> None:
    war = make_war("QS 2C 9C", "QD 3C 8C", "7H 5H 4H", order="winner-first", face_down=1)
    war.step()
    war.act(Act(1, 2, "forfeit"))
    battle = war.step()
    assert (battle.winner, battle.taken) == (0, 9)
    # As played, then the others' in seat order (the seven was played), then what was forfeited.
    assert codes(war.piles[0]) == "QS 2C 9C QD 3C 8C 7H 5H 4H"


def test_a_tied_seat_that_forfeits_leaves_the_war_to_the_others(make_war) -> None:
    war = make_war("QS 2C 9C", "QD 3C 8C", "QH 5H 4H", face_down=1)
    assert war.step().tied == (0, 1, 2)
    war.act(Act(1, 0, "forfeit"))
    assert war.tied == (1, 2)
    battle = war.step()
    assert [seat for seat, _ in battle.turned] == [1, 2]
    assert (battle.winner, battle.taken) == (1, 9)


def test_the_one_left_at_war_takes_the_pot_without_turning(make_war) -> None:
    war = make_war("QS 2C 9C", "QD 3C 8C", "7H 5H 4H", face_down=1)
    war.step()
    war.act(Act(1, 0, "forfeit"))
    assert war.outcome is None
    battle = war.step()
    assert (battle.turned, battle.winner, battle.taken, battle.out) == ((), 1, 5, ())
    assert war.alive == (1, 2)


def test_it_takes_the_pot_even_with_no_card_left(make_war) -> None:
    war = make_war("QS 2C 9C", "QD", "7H 5H 4H")
    war.step()
    war.act(Act(1, 0, "forfeit"))
    battle = war.step()
    assert (battle.winner, battle.taken, battle.dropped) == (1, 5, ())


def test_when_all_at_war_forfeit_the_pot_is_carried(make_war) -> None:
    war = make_war("QS 2C", "QD 3C", "7H 5H", "6H 4H")
    war.step()
    war.act(Act(1, 0, "forfeit"))
    war.act(Act(1, 1, "forfeit"))
    battle = war.step()
    assert battle.carried
    assert battle.pot == 6
    assert war.step().taken == 8


def test_when_all_at_war_forfeit_and_the_others_have_nothing_these_draw(make_war) -> None:
    war = make_war("QS 2C", "QD 3C", "7H", "6H")
    war.step()
    war.act(Act(1, 0, "forfeit"))
    war.act(Act(1, 1, "forfeit"))
    war.step()
    assert war.outcome.termination is Termination.DRAW
    assert war.outcome.placings == (3, 3, 1, 1)


def test_the_last_one_who_stays_wins_even_without_cards(make_war) -> None:
    war = make_war("QS 2C", "QD 3C", "7H")
    war.step()
    war.act(Act(1, 0, "forfeit"))
    war.act(Act(1, 1, "forfeit"))
    assert war.outcome.termination is Termination.FORFEIT
    assert (war.outcome.placings, war.counts) == ((2, 2, 1), (0, 0, 5))


def test_rule_12_a_forfeit_places_below_others_out_in_that_round(make_war) -> None:
    war = make_war("KS 8S 3S", "7D", "5C 9C 9D", "4C 2C 2D")
    war.act(Act(0, 2, "forfeit"))  # before round 1: it counts for round 1, in which 1 goes out
    war.step()
    assert war.alive == (0, 3)
    war.act(Act(1, 3, "forfeit"))
    assert war.outcome.placings == (1, 3, 4, 2)


def test_rule_12_of_two_forfeits_in_a_round_who_held_more_before_it_is_better(make_war) -> None:
    # 0 and 1 tie twice. By then 0 has played three of its four cards, and 2 one of its three.
    war = make_war("QS 2C 9C 5C", "QD 3C 9D 6C 7D", "7H 5H 4H", "6S 8S 8D", face_down=1)
    war.step()
    war.step()
    assert war.counts == (1, 2, 2, 2)
    for seat in (0, 2):
        war.act(Act(2, seat, "forfeit"))
    for _ in war.play():
        pass
    assert war.outcome.placings == (3, 1, 4, 2)


def test_rule_12_but_above_those_who_went_out_before(make_war) -> None:
    war = make_war("KS 8S 3S", "7D", "5C 9C 9D")
    war.step()
    war.act(Act(1, 2, "forfeit"))
    assert war.outcome.placings == (1, 3, 2)


def test_a_forfeit_makes_the_agreement_of_the_others_complete(make_war) -> None:
    war = make_war("KS 8S 2H", "7D 6D 4H", "3C 2C 5H")
    war.act(Act(0, 0, "agree"))
    war.act(Act(0, 1, "agree"))
    war.act(Act(0, 2, "forfeit"))
    assert war.outcome.termination is Termination.AGREED
    assert war.outcome.placings == (1, 1, 3)
    assert war.pot_size == 3  # nobody won what was forfeited


def test_who_forfeits_agrees_no_more(make_war) -> None:
    war = make_war("KS 8S 2H", "7D 6D 4H", "3C 2C 5H")
    war.act(Act(0, 0, "agree"))
    war.act(Act(0, 0, "forfeit"))
    assert (war.agreed, war.alive, war.outcome) == (frozenset(), (1, 2), None)


def test_rule_11_an_agreement_is_withdrawn_by_the_next_step(make_war) -> None:
    war = make_war("KS 8S 2H", "7D 6D 4H")
    war.act(Act(0, 0, "agree"))
    assert war.agreed == {0}
    war.step()
    assert war.agreed == frozenset()
    war.act(Act(1, 1, "agree"))
    assert war.outcome is None


def test_rule_11_in_the_middle_of_a_war_what_is_on_the_table_counts_for_nobody(make_war) -> None:
    war = make_war("QS 8S 2H", "QD 6D")
    war.step()
    for seat in (0, 1):
        war.act(Act(1, seat, "agree"))
    assert (war.outcome.counts, war.pot_size, war.outcome.winner) == ((2, 1), 2, 0)


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (Act(0, 0, "forfeit"), "the match is at step 1"),
        (Act(2, 0, "agree"), "the match is at step 1"),
        (Act(1, 3, "forfeit"), "not in the match"),
        (Act(1, 2, "forfeit"), "not in the match"),
        (Act(1, 2, "agree"), "not in the match"),
        (Act(1, 0, "agree"), "already agreed"),
    ],
)
def test_an_act_that_cannot_be_is_refused_and_changes_nothing(make_war, act: Act, reason: str) -> None:
    war = make_war("KS 8S 2H", "7D 6D 4H", "3C")
    war.step()  # 2 is out
    war.act(Act(1, 0, "agree"))
    before = (war.counts, war.alive, war.acts, war.agreed)
    with pytest.raises(ActError, match=reason) as caught:
        war.act(act)
    assert (caught.value.step, caught.value.seat, caught.value.kind) == (act.step, act.seat, act.kind)
    assert (war.counts, war.alive, war.acts, war.agreed) == before


def test_after_the_end_there_are_no_acts(play_out) -> None:
    war, _ = play_out("KS", "7D")
    with pytest.raises(MatchOver):
        war.act(Act(1, 0, "forfeit"))


@pytest.mark.parametrize(
    "value",
    [
        None,
        "forfeit",
        {},
        [],
        [0, 0],
        [0, 0, "forfeit", 0],
        ["0", 0, "forfeit"],
        [0, 0.0, "forfeit"],
        [True, 0, "forfeit"],
        [0, False, "agree"],
        [-1, 0, "forfeit"],
        [0, -1, "forfeit"],
        [0, 0, "resign"],
        [0, 0, None],
        [0, 0, ["forfeit"]],
        [None, None, None],
    ],
)
def test_an_act_of_the_wrong_shape_is_refused(value: object) -> None:
    with pytest.raises(ActError):
        Act.parse(value)


def test_a_replay_is_the_same_match_at_the_same_step() -> None:
    acts = [Act(2, 1, "agree"), Act(4, 4, "forfeit"), Act(9, 0, "forfeit"), Act(9, 1, "agree")]
    war = War.deal(Rules(), 5, SEED, "replay")
    for number in range(30):
        for act in acts:
            if act.step == number:
                war.act(act)
        war.step()
    again = War.replay(Rules(), 5, SEED, "replay", acts, 30)
    assert (again.piles, again.counts, again.pot_size) == (war.piles, war.counts, war.pot_size)
    assert (again.steps, again.rounds, again.tied, again.alive) == (
        war.steps,
        war.rounds,
        war.tied,
        war.alive,
    )
    assert list(again.play()) == list(war.play())
    assert again.outcome == war.outcome


def test_a_replay_can_stop_before_the_first_step() -> None:
    war = War.replay(Rules(), 2, SEED, "x", [Act(0, 0, "agree")], 0)
    assert (war.steps, war.counts, war.agreed) == (0, (26, 26), {0})


def test_a_replay_refuses_a_step_that_never_comes() -> None:
    steps = sum(1 for _ in War.deal(Rules(), 2, SEED, "x").play())
    with pytest.raises(MatchOver):
        War.replay(Rules(), 2, SEED, "x", [], steps + 1)
    with pytest.raises(ActError, match="no further than step 5"):
        War.replay(Rules(), 2, SEED, "x", [Act(6, 0, "forfeit")], 5)
    with pytest.raises(ActError, match="no further than"):
        list(War.deal(Rules(), 2, SEED, "x").play([Act(100_000, 0, "forfeit")]))
    with pytest.raises(DealError):
        War.replay(Rules(), 2, SEED, "x", [], -1)


def test_a_replay_refuses_acts_out_of_order() -> None:
    with pytest.raises(ActError, match="the match is at step 6"):
        War.replay(Rules(), 3, SEED, "x", [Act(6, 0, "agree"), Act(5, 1, "forfeit")], 10)


PILE = [Card.parse("QS"), Card.parse("7D")]


@pytest.mark.parametrize(
    ("piles", "reason"),
    [
        ([PILE, []], "Seat 1 has no cards"),
        ([PILE, [Card.parse("QS")]], "dealt twice"),
        ([[PILE[0], PILE[0]], [PILE[1]]], "dealt twice"),
        ([PILE, ["QS"]], "no card"),
        ([PILE, [None]], "no card"),
        ([PILE], "seats must be"),
        ([[Card.parse(f"{rank}C")] for rank in "2345678"], "seats must be"),
        ([], "seats must be"),
    ],
)
def test_piles_that_cannot_be_played_are_refused(piles: list[list[Card]], reason: str) -> None:
    with pytest.raises(EngineError, match=reason):
        War.from_piles(Rules(), piles, SEED, "x")


def test_uneven_piles_are_refused_where_everyone_must_get_the_same_number() -> None:
    piles = [PILE, [Card.parse("3C")]]
    assert War.from_piles(Rules(), piles, SEED, "x").counts == (2, 1)
    with pytest.raises(DealError, match=r"uneven \(2, 1 cards\)"):
        War.from_piles(Rules(), piles, SEED, "x", even=True)
