"""The story of a match, fact by fact, on matches small enough to follow with a finger."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.facts import Act, Battle
from engine.rules import Rules
from engine.story import Holding, LastStand, LongWar, Pot, Story, Streak, TurningPoint, WideWar, story_of
from engine.war import War

Tell = Callable[..., Story]
SEED = bytes(range(32))


@pytest.fixture
def tell(play_out: Callable[..., tuple[War, list[Battle]]]) -> Tell:
    """`tell("QS 7D", "3C 4C", ...)`: the story of the match with these piles."""

    def story(*piles: str, **options: object) -> Story:
        war, battles = play_out(*piles, **options)
        assert war.outcome is not None
        return story_of(battles, war.dealt, war.outcome)

    return story


def test_the_biggest_pot_is_the_first_of_its_size(tell: Tell) -> None:
    assert tell("KS 2C", "QS AC").biggest_pot == Pot(round=1, winner=0, cards=2)
    # The tied nines, a face-down card and a face-up one of each.
    story = tell("9C 2C KC 3C", "9D 4C QC 5C", face_down=1)
    assert story.biggest_pot == Pot(round=1, winner=0, cards=6)


def test_the_longest_war_counts_its_ties_and_names_who_took_it(tell: Tell) -> None:
    story = tell("9C 2C KC 5C AC 3C", "9D 4C KD 6C QC 3D", face_down=1)
    assert story.longest_war == LongWar(round=1, ties=2, winner=0)
    assert tell("KS 2C", "QS 3C").longest_war is None


def test_a_war_that_an_agreement_cut_short_was_taken_by_nobody(tell: Tell) -> None:
    agreed = [Act(1, 0, "agree"), Act(1, 1, "agree")]
    assert tell("9C 2C KC", "9D 4C QC", acts=agreed).longest_war == LongWar(round=1, ties=1, winner=None)


def test_the_widest_war_has_all_who_tied(tell: Tell) -> None:
    story = tell("9C 2C", "9D 4C", "5C 6C", "9H AC", face_down=0)
    assert story.widest_war == WideWar(round=1, seats=(0, 1, 3))
    assert tell("KS", "QS").widest_war is None


def test_first_blood_is_the_first_pot_won_in_a_war(tell: Tell) -> None:
    assert tell("KS 9C 2C KC", "QS 9D 4C QC", face_down=1).first_blood == Pot(round=2, winner=0, cards=6)
    assert tell("KS", "QS").first_blood is None


def test_a_streak_ends_with_a_round_of_somebody_else_or_of_nobody(tell: Tell) -> None:
    # Seat 0 loses two rounds, then wins the rest: the ace beats all that is left.
    story = tell("2C 3C AC", "4D 5D KD", max_rounds=3)
    assert story.streak == Streak(seat=1, rounds=2, first=1)
    # Seats 1 and 2 tie with their last cards: nobody takes the pot of round 2.
    story = tell("KC 2C 4C 5C", "QC 7D", "JC 7H", "TC 3C 6C 8C", max_rounds=3)
    assert story.carried == 1
    assert story.streak == Streak(seat=0, rounds=1, first=1)


def test_the_lead_changes_when_another_holds_more_than_each_of_the_others(tell: Tell) -> None:
    # Counts after the rounds: 4:2, 3:3, 2:4, so the lead passes once.
    story = tell("KC 2C 3C", "QD 4D 5D", max_rounds=3)
    assert (story.lead_changes, story.led) == (1, (1, 1))
    # After 4:2 and 3:3 it comes back to the same seat: no change.
    story = tell("KC 2C AC", "QD 4D 5D", max_rounds=3)
    assert (story.lead_changes, story.led) == (0, (2, 0))


def test_the_turning_point_is_the_battle_after_which_the_winner_led_for_good(tell: Tell) -> None:
    story = tell("2C 3C KC AC TC", "4D 5D 6D 7D 8D", max_rounds=5)
    # 4:6, 3:7, 4:6, 5:5, 6:4
    assert (story.behind, story.turning_point) == (3, TurningPoint(step=5, round=5))
    story = tell("KS 9C 2C KC", "QS 9D 4C QC", face_down=1)
    assert (story.behind, story.turning_point) == (0, TurningPoint(step=1, round=1))


def test_a_winner_who_was_never_in_the_lead_has_no_turning_point(tell: Tell) -> None:
    story = tell("KS 2C", "QS AC", acts=[Act(1, 0, "forfeit")])
    assert (story.behind, story.turning_point, story.forfeits) == (1, None, 1)


def test_the_escape_is_the_fewest_cards_that_the_winner_held_between_two_rounds(tell: Tell) -> None:
    # 2:4, 1:5, and from one ace to all of them.
    story = tell("2C 3C AC", "4D 5D KD")
    assert story.escape == Holding(seat=0, cards=1, round=2)
    # In the war seat 0 holds no card at all, but its cards are still to be fought for.
    assert tell("9C 2C AC", "9D 3C QD", face_down=1).escape == Holding(seat=0, cards=3, round=0)


def test_the_near_miss_is_the_most_that_anybody_else_held(tell: Tell) -> None:
    assert tell("2C 3C AC", "4D 5D KD").near_miss == Holding(seat=1, cards=5, round=2)


def test_the_last_stand_begins_when_the_runner_up_is_nearly_out(tell: Tell) -> None:
    # 5:3, then the ace of seat 1 makes it 4:4, then 5:3, 6:2, 7:1.
    story = tell("KC 3C 8C 9C", "2D AD 4D 5D", max_rounds=5)
    assert story.last_stand == LastStand(seat=1, cards=3, round=1, rounds=4, peak=4)
    # Out in round 5.
    story = tell("9C AC QC 3C 4D 5D 6D", "9D 4C KC 5C", face_down=1)
    assert story.last_stand == LastStand(seat=0, cards=3, round=2, rounds=3, peak=3)
    assert tell("9C 2C KC 3C", "9D 4C QC 5C", face_down=3).last_stand is None


def test_who_shares_the_second_place_makes_no_last_stand(tell: Tell) -> None:
    story = tell("KC", "QC", "QD")
    assert story.last_stand is None
    assert story.escape == Holding(seat=0, cards=1, round=0)


def test_the_margin_is_between_first_and_second(tell: Tell) -> None:
    assert tell("KC 2C 3C", "QD 4D 5D", max_rounds=1).margin == 2
    assert tell("KC", "QD").margin == 2
    assert tell("KC 2C", "QD 4D", max_rounds=2).margin == 0


def test_aces_are_counted_where_they_were_dealt_and_when_they_are_seen_to_be_taken(tell: Tell) -> None:
    # Round 1 is a war of aces that the king wins: one ace is taken.
    story = tell("AC 2C KC 3C", "AD 4C QC 5C", face_down=1, max_rounds=1)
    assert (story.aces_dealt, story.aces_taken) == ((1, 1), (1, 0))


def test_an_ace_lost_face_down_is_taken_when_its_new_owner_turns_it(tell: Tell) -> None:
    # Seat 1 wins the ace in the war of round 1 and turns it in round 5.
    piles = ("9C AC QC 3C 4D 5D 6D", "9D 4C KC 5C")
    assert tell(*piles, face_down=1, max_rounds=4).aces_taken == (0, 0)
    story = tell(*piles, face_down=1, max_rounds=5)
    assert (story.aces_dealt, story.aces_taken) == ((1, 0), (0, 1))


def test_aces_in_a_pot_that_nobody_took_go_to_who_takes_it_later(tell: Tell) -> None:
    # Seats 1 and 2 tie with their last cards; the pot waits for the next round, which seat 0 wins.
    story = tell("2C KC", "AD", "AH", "3C QC")
    assert (story.carried, story.aces_taken) == (1, (2, 0, 0, 0))
    assert story.biggest_pot == Pot(round=2, winner=0, cards=6)


def test_a_draw_has_no_winner_to_tell_of(tell: Tell) -> None:
    story = tell("9C", "9D")
    assert (story.escape, story.behind, story.turning_point, story.biggest_pot) == (None, None, None, None)
    assert (story.carried, story.margin, story.forfeits) == (1, 0, 0)
    assert story.near_miss == Holding(seat=0, cards=1, round=0)


def test_a_match_forfeited_before_its_first_battle_has_an_empty_story(tell: Tell) -> None:
    story = tell("KS 2C", "QS AC", acts=[Act(0, 1, "forfeit")])
    assert (story.biggest_pot, story.longest_war, story.streak, story.first_blood) == (None, None, None, None)
    assert (story.lead_changes, story.led, story.forfeits) == (0, (0, 0), 1)
    assert story.escape == Holding(seat=0, cards=2, round=0)


def test_a_seat_beaten_out_of_its_cards_has_not_forfeited(tell: Tell) -> None:
    assert tell("KC KD", "QC QD", "JC JD").forfeits == 0
    assert tell("KC KD", "QC QD", "JC JD", acts=[Act(1, 1, "forfeit")]).forfeits == 1


# -- whole matches ------------------------------------------------------------------------------------------------


def followed(war: War) -> list[tuple[int, ...]]:
    """What each seat held between two rounds, looked up in the match itself; the deal comes first."""
    held = [war.counts]
    while war.outcome is None:
        war.step()
        if not war.tied:
            held.append(war.counts)
    return held


@settings(max_examples=60)
@given(st.integers(2, 6), st.integers(0, 10_000), st.sampled_from([2, 7, 9]))
def test_a_story_is_what_somebody_who_follows_the_match_sees(seats: int, number: int, low_rank: int) -> None:
    rules = Rules(low_rank=low_rank)
    held = followed(War.deal(rules, seats, SEED, str(number)))
    war = War.deal(rules, seats, SEED, str(number))
    battles = list(war.play())
    assert war.outcome is not None
    story = story_of(battles, war.dealt, war.outcome)
    assert story == story_of(battles, war.dealt, war.outcome)

    changes, leader = 0, None
    led = [0] * seats
    for counts in held[1:]:
        first, second = sorted(range(seats), key=counts.__getitem__)[:-3:-1]
        if counts[first] > counts[second]:
            changes += leader not in (None, first)
            leader = first
            led[first] += 1
    assert (story.lead_changes, story.led) == (changes, tuple(led))

    winner = war.outcome.winner
    assert winner is not None
    assert story.escape is not None
    assert story.escape.cards == min(counts[winner] for counts in held)
    assert held[story.escape.round][winner] == story.escape.cards
    assert story.behind == sum(counts[winner] < max(counts) for counts in held[1:])
    assert story.turning_point is not None
    later = held[story.turning_point.round :]
    assert all(counts[winner] > max(counts[:winner] + counts[winner + 1 :]) for counts in later)
    if story.turning_point.round > 1:
        before = held[story.turning_point.round - 1]
        assert before[winner] <= max(before[:winner] + before[winner + 1 :])
    others = [counts[:winner] + counts[winner + 1 :] for counts in held]
    assert story.near_miss is not None
    assert story.near_miss.cards == max(map(max, others))
    assert held[story.near_miss.round][story.near_miss.seat] == story.near_miss.cards
    assert story.margin == sum(war.outcome.counts)
    assert sum(story.aces_dealt) <= 4
    assert story.forfeits == 0


def test_a_story_takes_well_under_a_millisecond() -> None:
    """The best of many, so that a busy machine does not count."""
    war, battles = next(whole for whole in map(_whole, range(1000)) if 290 <= len(whole[1]) <= 310)
    assert war.outcome is not None
    times: list[float] = []
    for _ in range(100):
        began = time.perf_counter()
        story_of(battles, war.dealt, war.outcome)
        times.append(time.perf_counter() - began)
    assert min(times) < 0.001


def _whole(number: int) -> tuple[War, list[Battle]]:
    war = War.deal(Rules(), 2, SEED, str(number))
    return war, list(war.play())
