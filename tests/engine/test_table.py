"""The etiquette of a table: pressing, pace, absence, offers to end. Nothing here decides who wins."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import MatchOver
from engine.rules import Rules
from engine.table import Pace, Table, mask, members, play_turn
from engine.war import War

SEATS = st.integers(2, 6)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Any table whose masks stay within its seats; the rest is free, so that no method may count on luck."""
    seats = draw(SEATS)
    bits = st.integers(0, (1 << seats) - 1)
    out = draw(st.integers(0, (1 << seats) - 2))  # somebody is left
    return Table(
        seats,
        turn=draw(st.integers(0, 99)),
        out=out,
        ready=draw(bits),
        slow=draw(bits),
        fast=draw(bits),
        auto=draw(bits),
        missed=draw(bits),
        pressed=draw(bits),
        offer=draw(bits),
    )


PRESSES = st.tuples(st.integers(0, 5), st.sampled_from([None, *Pace]))


@given(st.sets(st.integers(0, 5)))
def test_a_mask_holds_exactly_its_seats(seats: set[int]) -> None:
    assert list(members(mask(seats))) == sorted(seats)


# ---- pressing -----------------------------------------------------------------------------------------------------


@given(tables(), PRESSES, PRESSES)
def test_presses_of_two_players_commute(
    table: Table, one: tuple[int, Pace | None], other: tuple[int, Pace | None]
) -> None:
    if one[0] == other[0]:
        return
    assert table.press(*one).press(*other) == table.press(*other).press(*one)


@given(tables(), PRESSES)
def test_a_repeated_press_changes_nothing(table: Table, press: tuple[int, Pace | None]) -> None:
    assert table.press(*press).press(*press) == table.press(*press)


@given(tables(), st.integers(0, 5), PRESSES)
def test_a_press_and_the_offer_of_somebody_else_commute(
    table: Table, seat: int, press: tuple[int, Pace | None]
) -> None:
    if seat == press[0]:
        return
    assert table.agree(seat).press(*press) == table.press(*press).agree(seat)


@given(tables(), PRESSES)
def test_a_press_says_nothing_about_other_seats(table: Table, press: tuple[int, Pace | None]) -> None:
    seat, pace = press
    other = ~(1 << seat)
    after = table.press(seat, pace)
    for name in ("ready", "slow", "fast", "auto", "missed", "pressed"):
        assert getattr(after, name) & other == getattr(table, name) & other
    assert (after.turn, after.out, after.offer, after.seats) == (table.turn, table.out, table.offer, table.seats)


def test_a_table_waits_for_all_who_sit() -> None:
    table = Table(3)
    assert (table.awaited, table.complete) == (0b111, False)
    table = table.press(2).press(0)
    assert (table.awaited, table.complete) == (0b010, False)
    table = table.press(1)
    assert (table.awaited, table.complete) == (0, True)


def test_a_table_waits_for_nobody_who_is_out_or_on_auto() -> None:
    table = Table(4, out=0b0001, auto=0b0100).press(1)
    assert table.awaited == 0b1000
    assert table.press(3).complete


def test_a_table_with_nobody_there_is_deserted_and_not_complete() -> None:
    table = Table(2, auto=0b11)
    assert table.deserted
    assert not table.complete


def test_a_player_who_is_out_cannot_keep_a_table_from_being_deserted() -> None:
    assert Table(3, out=0b001, auto=0b110).deserted


# ---- pace ---------------------------------------------------------------------------------------------------------


def test_a_press_plays_to_the_next_war_unless_somebody_asks_otherwise() -> None:
    assert Table(2).press(0).press(1).pace() is Pace.WAR


def test_the_slowest_pace_asked_for_is_played() -> None:
    assert Table(3).press(0, Pace.CARD).press(1, Pace.FINISH).press(2).pace() is Pace.CARD
    assert Table(3).press(0, Pace.FINISH).press(1, Pace.FINISH).press(2).pace() is Pace.WAR
    assert Table(3).press(0, Pace.FINISH).press(1, Pace.FINISH).press(2, Pace.FINISH).pace() is Pace.FINISH


def test_one_card_a_press_stays_until_it_is_changed() -> None:
    table = Table(2).press(0, Pace.CARD).press(1).next_turn([0, 1]).press(0).press(1)
    assert table.pace() is Pace.CARD
    assert table.press(0, Pace.WAR).pace() is Pace.WAR


def test_an_ordinary_press_takes_back_the_wish_to_finish() -> None:
    asked = Table(2).press(0, Pace.FINISH).press(1, Pace.FINISH)
    assert asked.press(0).pace() is Pace.WAR


def test_the_pace_of_those_who_are_absent_or_out_does_not_count() -> None:
    assert Table(2, auto=0b10, slow=0b10).press(0).pace() is Pace.WAR
    assert Table(3, out=0b100, slow=0b100).press(0, Pace.FINISH).press(1, Pace.FINISH).pace() is Pace.FINISH
    assert Table(2, auto=0b10, fast=0b10).press(0).pace() is Pace.WAR


def test_a_deserted_table_plays_to_its_end() -> None:
    assert Table(2, auto=0b11, slow=0b01).pace() is Pace.FINISH


@given(tables())
def test_one_wish_to_finish_is_enough_when_the_match_has_lasted_long(table: Table) -> None:
    paced = table.pace(finish_alone=True)
    if table.fast & table.present:
        assert paced is Pace.FINISH
    else:
        assert paced is table.pace()


# ---- absence ------------------------------------------------------------------------------------------------------


def test_one_missed_turn_changes_nothing_for_a_player() -> None:
    table = Table(2).press(0).miss()
    assert (table.auto, table.missed, table.present) == (0, 0b10, 0b11)


def test_the_second_missed_turn_in_a_row_puts_a_seat_on_auto() -> None:
    table = Table(2).press(0).miss().next_turn([0, 1]).press(0).miss()
    assert (table.auto, table.awaited, table.complete) == (0b10, 0, True)


def test_two_missed_turns_that_are_not_in_a_row_put_nobody_on_auto() -> None:
    table = Table(2).press(0).miss().next_turn([0, 1])
    table = table.press(0).press(1).next_turn([0, 1])
    assert table.press(0).miss().auto == 0


def test_a_press_brings_a_seat_back() -> None:
    table = Table(2, auto=0b10, missed=0b10).press(1)
    assert (table.auto, table.missed, table.present) == (0, 0, 0b11)


def test_an_offer_to_end_brings_a_seat_back_too() -> None:
    table = Table(2, auto=0b10, missed=0b10).agree(1)
    assert (table.auto, table.missed, table.ready) == (0, 0, 0)


def test_nobody_who_is_out_misses_a_turn() -> None:
    table = Table(3, out=0b100).press(0).miss()
    assert table.missed == 0b010


def test_all_absent_twice_deserts_the_table_and_tells_that_nobody_ever_pressed() -> None:
    table = Table(2).miss().next_turn([0, 1]).miss()
    assert table.deserted
    assert table.pressed == 0


@given(tables())
def test_a_missed_turn_takes_nothing_from_those_who_pressed(table: Table) -> None:
    after = table.miss()
    late = table.awaited
    assert after.auto & ~late == table.auto & ~late
    assert after.missed & table.ready & ~late == 0
    assert (after.ready, after.fast, after.slow, after.offer) == (table.ready, table.fast, table.slow, table.offer)


# ---- ending early ---------------------------------------------------------------------------------------------------


def test_rule_11_all_who_are_still_in_must_agree_to_end() -> None:
    table = Table(3, out=0b100).agree(0)
    assert not table.agreed
    assert table.agree(1).agreed


def test_rule_11_somebody_on_auto_has_not_agreed() -> None:
    assert not Table(2, auto=0b10).agree(0).agreed


def test_rule_11_an_offer_does_not_outlive_its_turn() -> None:
    assert Table(2).agree(0).press(0).press(1).next_turn([0, 1]).offer == 0


# ---- the next turn ------------------------------------------------------------------------------------------------


@given(tables(), st.data())
def test_the_next_turn_starts_with_those_left_in_and_with_what_they_asked_for(
    table: Table, data: st.DataObject
) -> None:
    alive = data.draw(st.sets(st.integers(0, table.seats - 1), min_size=1))
    after = table.next_turn(alive)
    assert after.turn == table.turn + 1
    assert set(members(after.playing)) == alive
    assert (after.slow, after.fast, after.auto, after.missed, after.pressed) == (
        table.slow,
        table.fast,
        table.auto,
        table.missed,
        table.pressed,
    )
    assert set(members(after.ready)) == {seat for seat in members(table.fast & ~table.auto) if seat in alive}


def test_who_asked_to_finish_is_waited_for_by_nobody() -> None:
    table = Table(2).press(0, Pace.FINISH).press(1).next_turn([0, 1])
    assert table.awaited == 0b10
    assert table.press(1).complete


# ---- turns over a War -----------------------------------------------------------------------------------------------


def war(seed: int = 1) -> War:
    return War.deal(Rules(), 2, seed.to_bytes(32, "big"), "table")


def test_one_card_a_turn_is_one_battle() -> None:
    played = war()
    assert len(play_turn(played, Pace.CARD)) == 1
    assert played.steps == 1


@given(st.integers(0, 10_000))
def test_a_turn_plays_to_the_next_tie_and_stops_there(seed: int) -> None:
    played = war(seed)
    turns = [play_turn(played, Pace.WAR)]
    while played.outcome is None:
        turns.append(play_turn(played, Pace.WAR))
    for battles in turns[:-1]:
        assert battles[-1].tied
        assert not any(battle.tied for battle in battles[:-1])
    assert sum(map(len, turns)) == played.steps


def test_to_finish_plays_to_the_end_and_no_further() -> None:
    played = war()
    battles = play_turn(played, Pace.FINISH)
    assert played.outcome is not None
    assert len(battles) == played.outcome.steps
    with pytest.raises(MatchOver):
        play_turn(played, Pace.WAR)


@given(st.integers(0, 1_000), st.lists(st.sampled_from(list(Pace)[:2]), max_size=40))
def test_the_pace_changes_no_card(seed: int, paces: list[Pace]) -> None:
    one, other = war(seed), war(seed)
    told = [battle for pace in paces if one.outcome is None for battle in play_turn(one, pace)]
    if one.outcome is None:
        told += play_turn(one, Pace.FINISH)
    assert tuple(told) == play_turn(other, Pace.FINISH)
