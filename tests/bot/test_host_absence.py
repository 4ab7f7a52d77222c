"""Absence never loses, outages never cost a player, and every match ends: the clock's part in a match."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.refusals import StaleTurn
from db import standings
from db.check import problems
from engine.table import Pace


@pytest.fixture
async def whole(game: Any) -> Any:
    yield game
    assert [problem async for problem in problems(game.db)] == []


async def test_where_nobody_pressed_the_table_flips_after_45_seconds(whole: Any) -> None:
    match = await whole.deal()
    await whole.wait(44)
    assert (await whole.host.match(match.id)).table.turn == 0
    await whole.wait(1)
    moved = await whole.host.match(match.id)
    assert (moved.table.turn, moved.table.missed, moved.table.auto) == (1, 0b11, 0)
    assert whole.told == [moved]
    assert whole.host.board(moved).told[-1].tied  # its own turn plays to the next war


async def test_once_somebody_has_pressed_the_other_has_10_seconds_more(whole: Any) -> None:
    match = await whole.deal()
    await whole.wait(20)
    await whole.press(match, whole.alice)
    await whole.wait(9)
    assert (await whole.host.match(match.id)).table.turn == 0
    await whole.wait(1)
    moved = await whole.host.match(match.id)
    assert (moved.table.turn, moved.table.missed) == (1, 0b01)
    assert moved.deadline_at == whole.now + 45_000


async def test_pressing_again_does_not_put_the_deadline_off(whole: Any) -> None:
    match = await whole.deal()
    await whole.press(match, whole.alice)
    for pace in (None, Pace.CARD, Pace.FINISH, None, Pace.FINISH, Pace.WAR):
        await whole.wait(1)
        await whole.press(match, whole.alice, pace)
    await whole.wait(4)
    assert (await whole.host.match(match.id)).table.turn == 1


async def test_after_two_misses_a_seat_plays_on_auto_at_the_pace_of_those_there(whole: Any) -> None:
    match = await whole.deal()
    for _ in range(2):
        await whole.press(match, whole.alice, Pace.CARD)
        await whole.wait(10)
    match = await whole.host.match(match.id)
    assert (match.table.turn, match.table.auto) == (2, 0b01)
    alone = await whole.press(match, whole.alice)
    assert (alone.table.turn, alone.steps) == (3, match.steps + 1)  # at once, and one card


async def test_a_press_brings_a_seat_back_from_auto(whole: Any) -> None:
    match = await whole.deal()
    for _ in range(2):
        await whole.press(match, whole.alice)
        await whole.wait(10)
    back = await whole.press(match, whole.bob)
    assert (back.table.auto, back.table.missed) == (0, 0)
    assert (await whole.press(match, whole.alice)).table.turn == 3


async def test_one_miss_alone_is_forgotten_with_a_press(whole: Any) -> None:
    match = await whole.deal()
    for _ in range(3):
        await whole.press(match, whole.alice)
        await whole.wait(10)  # Bob misses
        match = await whole.turn(match)  # and is there again
    assert (await whole.host.match(match.id)).table.auto == 0


async def test_where_nobody_ever_pressed_the_match_is_void(whole: Any) -> None:
    match = await whole.deal()
    await whole.wait(90)
    void = await whole.host.match(match.id)
    assert (void.status, void.counted) == ("void", False)
    assert [told.status for told in whole.told] == ["live", "void"]
    assert (await standings.page(whole.db, 1, "match", 0, 0)).rows == ()
    assert (await whole.deal()).status == "live"  # channel and players are free
    with pytest.raises(StaleTurn):
        await whole.host.press(whole.click(match, whole.alice))


async def test_where_all_have_left_the_table_plays_itself_out_and_counts(whole: Any) -> None:
    match = await whole.deal()
    await whole.turn(match)
    await whole.wait(90)
    over = await whole.host.match(match.id)
    assert over.status == "over"
    assert over.counted
    expected = whole.war(match)
    for _ in expected.play():
        pass
    assert [player.cards for player in over.players] == list(expected.outcome.counts)
    assert whole.told[-1] == over


async def test_one_press_ever_is_enough_for_a_match_to_count(whole: Any) -> None:
    match = await whole.deal()
    await whole.press(match, whole.alice)
    await whole.wait(10 + 45 + 45 + 45)
    assert (await whole.host.match(match.id)).status == "over"


async def test_a_first_press_at_the_last_moment_saves_the_match(whole: Any) -> None:
    match = await whole.deal()
    await whole.wait(89)
    whole.now += 1_000
    await asyncio.gather(whole.press(match, whole.alice), whole.host.time_is_up(match.id), return_exceptions=True)
    stored = await whole.host.match(match.id)
    assert stored.status == ("live" if stored.table.pressed else "void")


async def test_absence_changes_no_card(whole: Any) -> None:
    match = await whole.deal()
    await whole.press(match, whole.alice)
    await whole.wait(10)
    await whole.press(match, whole.alice)
    await whole.wait(1000)
    over = await whole.host.match(match.id)
    assert (await whole.board(over)).told == tuple(whole.war(match).play())


async def test_the_clock_and_the_last_press_of_the_same_moment_play_the_turn_once(whole: Any) -> None:
    match = await whole.deal()
    await whole.press(match, whole.alice)
    whole.now += 10_000
    await asyncio.gather(whole.press(match, whole.bob), whole.host.time_is_up(match.id), return_exceptions=True)
    assert (await whole.host.match(match.id)).table.turn == 1


async def test_two_sweeps_of_the_same_moment_play_the_turn_once(whole: Any) -> None:
    match = await whole.deal()
    whole.now += 45_000
    await asyncio.gather(*(whole.host.time_is_up(match.id) for _ in range(4)))
    stored = await whole.host.match(match.id)
    assert (stored.table.turn, stored.table.missed, stored.table.auto) == (1, 0b11, 0)


async def test_nothing_happens_before_its_time(whole: Any) -> None:
    match = await whole.deal()
    await whole.host.time_is_up(match.id)
    assert await whole.host.match(match.id) == match
    assert whole.told == []


async def test_a_table_for_several_waits_for_those_there_only(whole: Any) -> None:
    match = await whole.deal_table(4)
    for _ in range(2):
        for user in (whole.alice, whole.bob, whole.cleo):
            await whole.press(match, user)
        await whole.wait(10)
    match = await whole.host.match(match.id)
    assert match.table.auto == 1 << await whole.seat(match, whole.users[3])
    for user in (whole.alice, whole.bob):
        await whole.press(match, user)
    assert (await whole.press(match, whole.cleo)).table.turn == 3


@pytest.mark.parametrize("seats", [2, 3, 6])
async def test_every_match_that_is_left_alone_ends(whole: Any, seats: int) -> None:
    match = await whole.deal_table(seats)
    await whole.press(match, whole.alice)
    await whole.wait(3600)
    assert (await whole.host.match(match.id)).status == "over"


# ---- outages -----------------------------------------------------------------------------------------------


async def test_after_an_outage_everybody_has_a_whole_turn(whole: Any) -> None:
    match = await whole.deal()
    waiting = (await whole.challenge(whole.cleo, whole.users[3], whole.there)).match
    whole.now += 2_000_000  # nobody could see anything meanwhile
    await whole.restart()
    await whole.host.grace()
    assert await whole.host.due() == []
    for each in (match, waiting):
        assert (await whole.host.match(each.id)).deadline_at == whole.now + 45_000
    await whole.wait(44)
    assert (await whole.host.match(match.id)).table.turn == 0
    assert (await whole.host.match(waiting.id)).status == "waiting"


async def test_the_outage_of_one_server_puts_off_its_matches_alone(whole: Any) -> None:
    here = await whole.deal()
    other_server = type(whole.here)(guild_id=2, channel_id=20)
    there = await whole.deal(whole.alice, whole.bob, other_server)
    whole.now += 30_000
    await whole.host.grace(2)
    assert (await whole.host.match(here.id)).deadline_at == whole.now + 15_000
    assert (await whole.host.match(there.id)).deadline_at == whole.now + 45_000


# ---- the loss of a place -----------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", ["channel", "guild"])
async def test_with_its_channel_or_server_a_match_is_void_and_its_players_are_free(whole: Any, loss: str) -> None:
    over = await whole.to_end(await whole.deal())
    live = await whole.turn(await whole.deal())
    untouched = (await whole.challenge(whole.cleo, whole.users[3], type(whole.here)(2, 20))).match
    if loss == "channel":
        await whole.host.channel_gone(live.channel_id)
    else:
        await whole.host.guild_gone(live.guild_id)
    assert (await whole.host.match(live.id)).status == "void"
    assert await whole.host.match(over.id) == over
    assert (await whole.host.match(untouched.id)).status == "waiting"
    with pytest.raises(StaleTurn):
        await whole.press(live, whole.alice)
    assert (await whole.deal(place=whole.there)).status == "live"
    page = await standings.page(whole.db, 1, "match", 0, 0)
    assert [row.played for row in page.rows] == [1, 1]


async def test_a_server_that_removed_the_bot_unnoticed_has_no_match_on(whole: Any) -> None:
    here = await whole.deal()
    there = await whole.deal(whole.alice, whole.bob, type(whole.here)(2, 20))
    waiting = (await whole.challenge(whole.alice, whole.bob, type(whole.here)(3, 30))).match
    await whole.host.only_in({1, 99})
    found = [(await whole.host.match(match.id)).status for match in (here, there, waiting)]
    assert found == ["live", "void", "void"]


async def test_challenges_of_a_lost_channel_wait_no_more(whole: Any) -> None:
    waiting = (await whole.challenge()).match
    await whole.host.channel_gone(waiting.channel_id)
    with pytest.raises(StaleTurn):
        await whole.host.accept(whole.click(waiting, whole.bob), whole.bob, client_seed="1")
