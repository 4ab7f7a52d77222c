"""A match through the host: presses, pace, agreement, forfeit, restarts and results, on a real database."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.host import Click
from bot.refusals import OldBoard, Refusal, StaleTurn
from db import standings
from db.check import problems
from db.matches import Match
from engine.facts import Act, Termination
from engine.shuffle import commitment
from engine.table import FINISH_ALONE_SECONDS, FINISH_ALONE_TURNS, Pace


@pytest.fixture
async def whole(game: Any) -> Any:
    """After the test, what is stored must be sound: matches replay, standings equal a recount."""
    yield game
    assert [problem async for problem in problems(game.db)] == []


# ---- the rules, where people see them ----------------------------------------------------------------------


async def test_rule_05_the_highest_card_takes_the_cards_on_the_table(whole: Any) -> None:
    match = await whole.deal()
    battles = []
    while match.status == "live":
        for user in (whole.alice, whole.bob):
            match = await whole.press(match, user, Pace.CARD) or match
        battles += (await whole.board(match)).told if match.status == "live" else []
    plain = [battle for battle in battles if battle.depth == 0 and not battle.tied]
    assert len(plain) > 20
    before = {0: (26, 26)} | {battle.step: battle.counts for battle in battles}
    for battle in plain:
        (_, one), (_, other) = battle.turned
        assert battle.winner == (0 if one.rank > other.rank else 1)
        assert battle.taken == 2
        held = list(before[battle.step - 1])
        held[0 if battle.winner == 0 else 1] += 1
        held[1 if battle.winner == 0 else 0] -= 1
        assert list(battle.counts) == held


async def test_rule_06_rounds_go_on_until_the_highest_cards_tie(whole: Any) -> None:
    match = await whole.turn(await whole.deal())
    board = await whole.board(match)
    assert board.told[-1].tied == (0, 1) == board.tied
    assert not any(battle.tied for battle in board.told[:-1])
    (_, one), (_, other) = board.told[-1].turned
    assert one.rank == other.rank


async def test_rule_07_08_a_tie_is_a_war_of_three_cards_face_down_and_one_face_up(whole: Any) -> None:
    match = await whole.turn(await whole.deal())
    match = await whole.turn(match)
    war = (await whole.board(match)).told[0]
    assert war.depth == 1
    assert war.face_down == ((0, 3), (1, 3))
    assert [seat for seat, _ in war.turned] == [0, 1]


async def test_rule_09_the_winner_of_a_war_takes_everything_on_the_table(whole: Any) -> None:
    match = await whole.turn(await whole.deal())
    before = await whole.board(match)
    assert before.pot == 2
    war = (await whole.board(await whole.turn(match))).told[0]
    assert war.winner is not None
    assert war.taken == before.pot + 8
    assert war.counts[war.winner] == before.counts[war.winner] - 4 + war.taken


async def test_rule_10_another_tie_is_another_war_on_top(whole: Any) -> None:
    for seed in range(100):
        match = await whole.deal(seed=str(seed))
        told = []
        while match.status == "live":
            match = await whole.turn(match)
            told += (await whole.board(match)).told if match.status == "live" else []
        if any(battle.depth == 1 and battle.tied for battle in told):
            break
    place = next(place for place, battle in enumerate(told) if battle.depth == 1 and battle.tied)
    again, on_top = told[place], told[place + 1]
    assert again.pot == 10  # nobody has taken anything
    assert on_top.depth == 2
    assert on_top.winner is None or on_top.taken > 10


async def test_rule_11_12_a_match_ends_when_one_player_holds_all_52_cards(whole: Any) -> None:
    over = await whole.to_end(await whole.deal())
    board = await whole.board(over)
    assert board.outcome.termination is Termination.ALL_CARDS
    assert sorted(board.outcome.counts) == [0, 52]
    assert [player.placing for player in over.players] == list(board.outcome.placings)


async def test_rule_11_12_when_all_agree_to_end_early_the_most_cards_win(whole: Any) -> None:
    match = await whole.turn(await whole.deal())
    counts = (await whole.board(match)).counts
    await whole.host.agree(whole.click(match, whole.alice), on_board=False)
    over = await whole.host.agree(whole.click(match, whole.bob))
    assert (over.status, over.termination) == ("over", "agreed")
    assert over.acts == (Act(over.steps, 0, "agree"), Act(over.steps, 1, "agree"))
    results = [player.result for player in over.players]
    if counts[0] == counts[1]:
        assert results == ["draw", "draw"]
    else:
        assert results == (["win", "loss"] if counts[0] > counts[1] else ["loss", "win"])


async def test_rule_12_equal_counts_share_the_place(whole: Any) -> None:
    match = await whole.deal()
    await whole.host.agree(whole.click(match, whole.alice))
    over = await whole.host.agree(whole.click(match, whole.bob))
    assert [(player.placing, player.cards, player.result) for player in over.players] == [(1, 26, "draw")] * 2
    page = await standings.page(whole.db, 1, "match", 0, 0)
    assert [(row.draws, row.played) for row in page.rows] == [(1, 1)] * 2


# ---- pressing ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
async def test_a_turn_is_played_when_both_have_pressed_in_either_order(whole: Any, order: tuple[int, int]) -> None:
    match = await whole.deal()
    users = (whole.alice, whole.bob)
    first = await whole.press(match, users[order[0]])
    assert (first.table.turn, first.steps) == (0, 0)
    assert first.deadline_at == whole.now + 10_000
    second = await whole.press(match, users[order[1]])
    assert (second.table.turn, second.table.ready) == (1, 0)
    assert second.deadline_at == whole.now + 45_000
    expected = whole.war(match)
    while not expected.step().tied:
        pass
    board = whole.host.board(second)
    assert (board.counts, second.steps) == (expected.counts, expected.steps)


async def test_both_presses_of_the_same_millisecond_count(whole: Any) -> None:
    match = await whole.deal()
    results = await asyncio.gather(whole.press(match, whole.alice), whole.press(match, whole.bob))
    assert max(result.table.turn for result in results) == 1
    assert (await whole.host.match(match.id)).table.turn == 1


async def test_many_presses_at_once_play_each_turn_once(whole: Any) -> None:
    match = await whole.deal()
    clicks = [whole.click(match, user, turn=0) for user in (whole.alice, whole.bob) for _ in range(10)]
    results = await asyncio.gather(*(whole.host.press(click) for click in clicks), return_exceptions=True)
    assert {type(result) for result in results} <= {Match, StaleTurn, type(None)}
    stored = await whole.host.match(match.id)
    assert (stored.table.turn, stored.table.ready) == (1, 0)


async def test_a_repeated_press_changes_nothing(whole: Any) -> None:
    match = await whole.deal()
    before = await whole.press(match, whole.alice)
    whole.now += 5_000
    assert await whole.press(match, whole.alice) is None
    assert await whole.host.match(match.id) == before


async def test_a_press_for_an_earlier_turn_gets_the_table_as_it_is(whole: Any) -> None:
    match = await whole.deal()
    now = await whole.turn(match)
    with pytest.raises(StaleTurn) as caught:
        await whole.host.press(whole.click(match, whole.alice, turn=0))
    assert caught.value.match == now


async def test_a_press_for_a_turn_to_come_is_no_press(whole: Any) -> None:
    match = await whole.deal()
    with pytest.raises(StaleTurn):
        await whole.host.press(whole.click(match, whole.alice, turn=1))
    assert (await whole.host.match(match.id)).table.ready == 0


@pytest.mark.parametrize("call", ["press", "agree", "refuse_offer"])
async def test_a_press_on_an_old_message_leads_to_the_board(whole: Any, call: str) -> None:
    match = await whole.deal()
    await whole.host.agree(whole.click(match, whole.bob))
    moved = await whole.show(match)
    assert moved.message_id != match.message_id
    before = await whole.host.match(match.id)
    with pytest.raises(OldBoard) as caught:
        await getattr(whole.host, call)(whole.click(match, whole.alice))
    assert caught.value.match.message_id == moved.message_id
    assert await whole.host.match(match.id) == before


async def test_a_press_on_a_board_posted_anew_counts_before_its_id_is_stored(whole: Any) -> None:
    match = await whole.deal()
    pressed = await whole.host.press(whole.click(match, whole.alice, message=match.message_id + 1))
    assert pressed is not None
    assert pressed.table.ready


async def test_a_choice_in_a_menu_counts_while_the_board_is_posted_anew(
    whole: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await whole.deal()
    menu = whole.click(match, whole.alice)
    look, looks = whole.host.player_at, 0

    async def and_then_it_is_posted_anew(click: Any) -> Any:
        nonlocal looks
        looks += 1
        found = await look(click)
        if looks == 1:
            await whole.show(match)
        return found

    monkeypatch.setattr(whole.host, "player_at", and_then_it_is_posted_anew)
    assert (await whole.host.set_pace(menu, Pace.CARD)).table.slow
    assert looks == 2


@pytest.mark.parametrize("call", ["press", "agree", "refuse_offer", "forfeit", "player_at"])
async def test_a_stranger_changes_nothing(whole: Any, call: str) -> None:
    match = await whole.deal()
    with pytest.raises(Refusal, match="refuse-not-a-player"):
        await getattr(whole.host, call)(whole.click(match, whole.cleo))
    assert await whole.host.match(match.id) == match


@pytest.mark.parametrize("call", ["press", "agree", "refuse_offer", "forfeit", "player_at"])
async def test_a_match_of_another_channel_or_that_never_was_is_not_played(whole: Any, call: str) -> None:
    match = await whole.deal()
    for forged in (
        replace(whole.click(match, whole.alice), channel_id=11),
        replace(whole.click(match, whole.alice), match_id=999),
        replace(whole.click(match, whole.alice), match_id=2**63 - 1),
    ):
        with pytest.raises(Refusal, match="refuse-no-such-match"):
            await getattr(whole.host, call)(forged)
    assert await whole.host.match(match.id) == match


@pytest.mark.parametrize("call", ["press", "agree", "refuse_offer", "forfeit", "player_at"])
async def test_a_match_that_is_over_stays_as_it_is(whole: Any, call: str) -> None:
    match = await whole.deal()
    over = await whole.to_end(match)
    for turn in (0, over.table.turn):
        with pytest.raises(StaleTurn) as caught:
            await getattr(whole.host, call)(whole.click(match, whole.alice, turn=turn))
        assert caught.value.match == over


@pytest.mark.parametrize("call", ["press", "agree", "refuse_offer", "forfeit", "player_at"])
async def test_a_challenge_that_was_not_accepted_is_not_played(whole: Any, call: str) -> None:
    match = (await whole.challenge()).match
    with pytest.raises(StaleTurn):
        await getattr(whole.host, call)(whole.click(match, whole.alice))
    with pytest.raises(Refusal, match="refuse-not-a-player"):
        await getattr(whole.host, call)(whole.click(match, whole.bob))


async def test_turns_as_large_as_a_custom_id_holds_are_no_turns(whole: Any) -> None:
    match = await whole.deal()
    with pytest.raises(StaleTurn):
        await whole.host.press(Click(match.id, 2**63 - 1, whole.alice.id, match.channel_id, match.message_id))


# ---- pace --------------------------------------------------------------------------------------------------


async def test_one_card_a_press_is_the_pace_of_the_table_until_it_is_changed(whole: Any) -> None:
    match = await whole.deal()
    await whole.host.set_pace(whole.click(match, whole.alice, message=5), Pace.CARD)
    match = await whole.press(match, whole.bob)
    assert (match.table.turn, match.steps) == (1, 1)
    match = await whole.turn(match)
    assert (match.table.turn, match.steps) == (2, 2)
    await whole.host.set_pace(whole.click(match, whole.alice, message=5), Pace.WAR)
    match = await whole.press(match, whole.bob)
    assert match.steps > 3
    assert whole.host.board(match).told[-1].tied


async def test_asking_for_the_same_pace_twice_changes_nothing(whole: Any) -> None:
    match = await whole.deal()
    first = await whole.host.set_pace(whole.click(match, whole.alice), Pace.CARD)
    assert await whole.host.set_pace(whole.click(match, whole.alice), Pace.CARD) == first


async def test_finish_by_all_plays_to_the_end(whole: Any) -> None:
    match = await whole.deal()
    await whole.press(match, whole.alice, Pace.FINISH)
    over = await whole.press(match, whole.bob, Pace.FINISH)
    assert over.status == "over"
    assert over.table.turn == 1


async def test_finish_by_one_waits_only_for_the_other(whole: Any) -> None:
    match = await whole.deal()
    await whole.press(match, whole.alice, Pace.FINISH)
    match = await whole.press(match, whole.bob)
    assert match.status == "live"
    assert match.table.ready == match.table.fast == 0b10
    for _ in range(3):
        turn = match.table.turn
        match = await whole.press(match, whole.bob)
        assert match.table.turn == turn + 1


async def test_finish_by_one_is_enough_after_20_turns(whole: Any) -> None:
    match = await whole.deal()
    while match.table.turn < FINISH_ALONE_TURNS:
        for user in (whole.alice, whole.bob):
            match = await whole.press(match, user, Pace.CARD) or match
        assert match.status == "live"
    assert whole.host.board(match).finish_alone
    assert (await whole.press(match, whole.alice, Pace.FINISH)).status == "over"


async def test_finish_by_one_is_not_enough_after_19_turns(whole: Any) -> None:
    match = await whole.deal()
    while match.table.turn < FINISH_ALONE_TURNS - 1:
        for user in (whole.alice, whole.bob):
            match = await whole.press(match, user, Pace.CARD) or match
    assert not whole.host.board(match).finish_alone
    assert (await whole.press(match, whole.alice, Pace.FINISH)).status == "live"


@pytest.mark.parametrize(("seconds", "status"), [(FINISH_ALONE_SECONDS - 1, "live"), (FINISH_ALONE_SECONDS, "over")])
async def test_finish_by_one_is_enough_after_six_minutes(whole: Any, seconds: int, status: str) -> None:
    match = await whole.deal()
    whole.now += seconds * 1000
    assert (await whole.press(match, whole.alice, Pace.FINISH)).status == status


async def test_a_wish_to_finish_said_before_is_granted_when_six_minutes_are_over(whole: Any) -> None:
    match = await whole.deal()
    await whole.press(match, whole.alice, Pace.FINISH)
    await whole.press(match, whole.bob)
    whole.now += FINISH_ALONE_SECONDS * 1000
    assert (await whole.press(match, whole.bob)).status == "over"


# ---- agreeing, refusing, forfeiting ------------------------------------------------------------------------


async def test_an_offer_is_withdrawn_by_the_next_turn(whole: Any) -> None:
    match = await whole.deal()
    offered = await whole.host.agree(whole.click(match, whole.alice), on_board=False)
    assert (offered.status, offered.table.offer) == ("live", 0b10)
    match = await whole.turn(match)
    assert match.table.offer == 0
    with pytest.raises(StaleTurn):
        await whole.host.agree(whole.click(offered, whole.bob))
    assert (await whole.host.match(match.id)).status == "live"


async def test_playing_on_takes_the_offer_off_the_table(whole: Any) -> None:
    match = await whole.deal()
    await whole.host.agree(whole.click(match, whole.alice), on_board=False)
    refused = await whole.host.refuse_offer(whole.click(match, whole.bob))
    assert (refused.status, refused.table.offer) == ("live", 0)
    assert await whole.host.refuse_offer(whole.click(match, whole.bob)) == refused
    agreed = await whole.host.agree(whole.click(match, whole.bob), on_board=False)
    assert agreed.status == "live"  # Alice's offer is gone


async def test_offering_twice_is_one_offer(whole: Any) -> None:
    match = await whole.deal()
    first = await whole.host.agree(whole.click(match, whole.alice), on_board=False)
    assert await whole.host.agree(whole.click(match, whole.alice), on_board=False) == first


async def test_an_offer_in_mid_war_ends_with_the_cards_in_the_piles(whole: Any) -> None:
    match = await whole.turn(await whole.deal())
    before = await whole.board(match)
    await whole.host.agree(whole.click(match, whole.alice))
    over = await whole.host.agree(whole.click(match, whole.bob))
    assert tuple(player.cards for player in over.players) == before.counts
    assert sum(before.counts) + before.pot == 52


async def test_of_two_who_agree_at_once_none_is_lost_and_the_match_ends_once(whole: Any) -> None:
    match = await whole.deal()
    await asyncio.gather(
        *(whole.host.agree(whole.click(match, user)) for user in (whole.alice, whole.bob, whole.alice, whole.bob)),
        return_exceptions=True,
    )
    assert (await whole.host.match(match.id)).termination == "agreed"
    page = await standings.page(whole.db, 1, "match", 0, 0)
    assert [row.played for row in page.rows] == [1, 1]


@pytest.mark.parametrize("turns", [0, 1, 4])
async def test_who_forfeits_loses_and_the_other_takes_all(whole: Any, turns: int) -> None:
    """With one turn played the match stands at war: the cards on the table go to the other too."""
    match = await whole.deal()
    for _ in range(turns):
        match = await whole.turn(match)
    over = await whole.host.forfeit(whole.click(match, whole.alice, turn=0))
    assert (over.status, over.termination) == ("over", "forfeit")
    assert over.acts == (Act(over.steps, 1, "forfeit"),)
    assert [(player.placing, player.cards, player.result) for player in over.players] == [
        (1, 52, "win"),
        (2, 0, "loss"),
    ]


async def test_both_who_forfeit_at_once_have_one_winner(whole: Any) -> None:
    match = await whole.deal()
    results = await asyncio.gather(
        *(whole.host.forfeit(whole.click(match, user)) for user in (whole.alice, whole.bob)), return_exceptions=True
    )
    assert sorted(type(result).__name__ for result in results) == ["Match", "StaleTurn"]
    over = await whole.host.match(match.id)
    assert sorted(player.result for player in over.players) == ["loss", "win"]


async def test_a_forfeit_against_a_press_of_the_same_moment_is_not_lost(whole: Any) -> None:
    match = await whole.deal()
    await whole.press(match, whole.alice)
    await asyncio.gather(
        whole.host.forfeit(whole.click(match, whole.alice)), whole.press(match, whole.bob), return_exceptions=True
    )
    assert (await whole.host.match(match.id)).termination == "forfeit"


async def test_at_a_table_of_three_who_forfeits_is_out_and_the_others_play_on(whole: Any) -> None:
    match = await whole.deal_table(3)
    match = await whole.turn(match)
    told = (await whole.board(match)).told
    left = await whole.host.forfeit(whole.click(match, whole.bob))
    seat = await whole.seat(match, whole.bob)
    assert (left.status, left.table.out, left.table.turn) == ("live", 1 << seat, match.table.turn)
    board = await whole.board(left)
    assert board.told == told  # nothing was turned
    assert board.counts[seat] == 0
    assert sum(board.counts) + board.pot == 52
    for call in ("press", "agree", "refuse_offer", "forfeit", "player_at"):
        with pytest.raises(Refusal, match="refuse-you-are-out"):
            await getattr(whole.host, call)(whole.click(left, whole.bob))
    assert await whole.host.match(match.id) == left
    over = await whole.to_end(left)
    assert over.player_of(whole.bob.id).placing == 3
    assert over.player_of(whole.bob.id).result == "loss"


async def test_a_forfeit_completes_a_turn_and_an_agreement_of_the_others(whole: Any) -> None:
    match = await whole.deal_table(3)
    await whole.press(match, whole.alice)
    await whole.press(match, whole.cleo)
    moved = await whole.host.forfeit(whole.click(match, whole.bob))
    assert moved.table.turn == 1
    for user in (whole.alice, whole.cleo):
        moved = await whole.host.agree(whole.click(moved, user))
    assert (moved.status, moved.termination) == ("over", "agreed")


async def test_six_play_to_the_end(whole: Any) -> None:
    over = await whole.to_end(await whole.deal_table(6))
    assert sorted(player.placing for player in over.players)[0] == 1
    page = await standings.page(whole.db, 1, "match", 0, 0)
    assert [row.played for row in page.rows] == [1] * 6
    assert sum(player.cards for player in over.players) == 52


# ---- a restart ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 4])
async def test_a_new_process_goes_on_from_the_same_turn_with_the_same_board(whole: Any, seats: int) -> None:
    match = await whole.deal_table(seats)
    for _ in range(6):
        if match.status == "live":
            match = await whole.turn(match)
        if match.status == "live":
            match = await whole.press(match, whole.alice) or match
        before = await whole.board(match)
        await whole.restart()
        assert await whole.board(match) == before
    over = await whole.to_end(match)
    assert over.status == "over"


async def test_two_processes_in_turn_serve_any_click(whole: Any) -> None:
    match = await whole.deal()
    other = whole.another_host()
    first = whole.host
    while match.status == "live":
        match = await first.press(whole.click(match, whole.alice))
        match = await other.press(whole.click(match, whole.bob))
        assert first.board(match) == other.board(match)


async def test_a_board_is_the_same_with_and_without_what_memory_holds(whole: Any) -> None:
    match = await whole.deal_table(3)
    match = await whole.turn(match)
    match = await whole.host.forfeit(whole.click(match, whole.bob))
    for _ in range(5):
        if match.status != "live":
            break
        assert whole.another_host().board(match) == await whole.board(match)
        match = await whole.turn(match)


async def half_done(game: Any, match: Match, **columns: int | None) -> None:
    for name, value in columns.items():
        await game.db.execute(f"UPDATE matches SET {name} = $2 WHERE id = $1", match.id, value)
    await game.restart()


@pytest.mark.parametrize(
    "columns",
    [
        {"ready": 0b11, "pressed": 0b11},
        {"ready": 0b01, "auto": 0b10, "pressed": 0b11},
    ],
)
async def test_a_turn_that_all_have_pressed_for_is_played_after_a_restart(whole: Any, columns: dict[str, int]) -> None:
    match = await whole.deal()
    await half_done(whole, match, **columns)
    await whole.host.recover()
    assert [(told.id, told.table.turn, told.table.ready) for told in whole.told] == [(match.id, 1, 0)]
    await whole.host.recover()
    assert len(whole.told) == 1  # there is nothing more to do


async def test_an_agreement_that_is_complete_ends_the_match_after_a_restart(whole: Any) -> None:
    match = await whole.deal()
    await half_done(whole, match, offer=0b11, pressed=0b11)
    await whole.host.recover()
    assert [told.termination for told in whole.told] == ["agreed"]


async def test_a_deserted_table_plays_itself_out_after_a_restart(whole: Any) -> None:
    match = await whole.deal()
    await half_done(whole, match, auto=0b11, pressed=0b01)
    await whole.host.recover()
    assert [told.status for told in whole.told] == ["over"]


async def test_a_wish_to_finish_late_in_a_match_is_granted_after_a_restart(whole: Any) -> None:
    match = await whole.deal()
    whole.now += FINISH_ALONE_SECONDS * 1000
    await half_done(whole, match, ready=0b01, fast=0b01, pressed=0b01)
    await whole.host.recover()
    assert [told.status for told in whole.told] == ["over"]


async def test_a_match_whose_board_was_never_posted_is_told_after_a_restart(whole: Any) -> None:
    match = await whole.deal()
    await half_done(whole, match, message_id=None)
    await whole.host.recover()
    assert [(told.id, told.status, told.message_id) for told in whole.told] == [(match.id, "live", None)]


async def test_what_this_process_has_dealt_and_not_yet_shown_is_not_taken_for_left_behind(whole: Any) -> None:
    """People press before READY has come: the board would be posted twice."""
    await whole.host.look_around()
    match = await whole.deal()
    await whole.db.execute("UPDATE matches SET message_id = NULL WHERE id = $1", match.id)
    await whole.host.recover()
    assert whole.told == []


async def test_a_match_that_cannot_be_taken_up_does_not_stop_the_others(game: Any) -> None:
    broken = await game.deal()
    fine = await game.deal(game.cleo, game.users[3], game.there)
    await game.db.execute("UPDATE matches SET ready = 3, acts = '[[' WHERE id = $1", broken.id)
    await half_done(game, fine, ready=0b11)
    await game.host.recover()
    assert [(told.id, told.table.turn) for told in game.told] == [(fine.id, 1)]


async def test_a_press_repeated_after_a_failed_save_plays_the_turn(whole: Any) -> None:
    """The presses were saved, the turn was not: who presses again gets it played."""
    match = await whole.deal()
    await half_done(whole, match, ready=0b11, pressed=0b11)
    moved = await whole.press(match, whole.alice)
    assert (moved.table.turn, moved.table.ready) == (1, 0)


async def test_an_agreement_repeated_after_a_failed_save_ends_the_match(whole: Any) -> None:
    match = await whole.deal()
    await half_done(whole, match, offer=0b11, pressed=0b11)
    assert (await whole.host.agree(whole.click(match, whole.alice))).termination == "agreed"


# ---- result, proof, standings ------------------------------------------------------------------------------


async def test_a_finished_match_tells_all_its_battles(whole: Any) -> None:
    match = await whole.deal()
    over = await whole.to_end(match)
    board = await whole.board(over)
    assert board.told == tuple(whole.war(match).play())
    assert len(board.told) == over.steps
    await whole.restart()
    assert await whole.board(over) == board


async def test_a_match_counts_once_in_the_standings(whole: Any) -> None:
    over = await whole.to_end(await whole.deal())
    page = await standings.page(whole.db, 1, "match", 0, whole.alice.id)
    winner = next(player.person.user_id for player in over.players if player.result == "win")
    assert [(row.rank, row.person.user_id, row.wins, row.losses) for row in page.rows] == [
        (1, winner, 1, 0),
        (2, 3 - winner, 0, 1),
    ]
    assert page.own.person.user_id == whole.alice.id


@pytest.mark.parametrize("end", ["played", "agreed", "forfeit"])
async def test_the_proof_of_a_match_holds_with_a_commitment_shown_before(whole: Any, end: str) -> None:
    match = await whole.turn(await whole.deal())
    if end == "played":
        over = await whole.to_end(match)
    elif end == "forfeit":
        over = await whole.host.forfeit(whole.click(match, whole.bob))
    else:
        await whole.host.agree(whole.click(match, whole.bob))
        over = await whole.host.agree(whole.click(match, whole.alice))
    proof = await whole.host.proof(over.id)
    replayed = proof.verify()
    assert replayed.outcome == (await whole.board(over)).outcome
    assert (proof.commitment, proof.committed_before) == (commitment(match.server_seed), True)
    assert proof.commitment == (await whole.board(match)).commitment  # as the board has shown it


async def test_there_is_no_proof_while_the_seed_would_show_cards_to_come(whole: Any) -> None:
    waiting = (await whole.challenge()).match
    match = await whole.deal()
    void = (await whole.challenge(whole.cleo, whole.users[3], whole.there)).match
    await whole.host.cancel(whole.click(void, whole.cleo), whole.cleo)
    for each in (waiting, match, void):
        with pytest.raises(Refusal, match="refuse-proof-later"):
            await whole.host.proof(each.id)
    with pytest.raises(Refusal, match="refuse-no-such-match"):
        await whole.host.proof(999)


# ---- quick -------------------------------------------------------------------------------------------------


async def test_a_first_quick_match_says_that_nothing_was_committed_before(whole: Any) -> None:
    played = await whole.quick()
    assert (played.match.status, played.match.kind, played.match.committed) == ("over", "house", False)
    proof = await whole.host.proof(played.match.id)
    proof.verify()
    assert not proof.committed_before
    assert played.battles == tuple(whole.war(played.match).play())


async def test_every_next_quick_match_keeps_the_commitment_shown_before(whole: Any) -> None:
    played = await whole.quick()
    for seed in ("100", "101", "102"):
        shown = played.next_commitment
        await whole.restart()
        played = await whole.quick(seed=seed)
        proof = await whole.host.proof(played.match.id)
        proof.verify()
        assert (proof.commitment, proof.committed_before) == (shown, True)
    assert (await whole.quick(whole.bob)).match.committed is False  # Bob's own first one


async def test_quick_matches_at_once_each_keep_a_promise_of_their_own(whole: Any) -> None:
    first = await whole.quick()
    more = await asyncio.gather(*(whole.quick(seed=str(seed)) for seed in range(5)))
    shown = {played.next_commitment for played in [first, *more]}
    used = {commitment(played.match.server_seed) for played in more}
    assert len(used) == 5  # no seed was used twice
    assert used < shown
    last = await whole.quick(seed="7")
    assert {commitment(last.match.server_seed)} == shown - used


async def test_quick_matches_hold_no_channel_and_enter_no_standings(whole: Any) -> None:
    match = await whole.deal()
    await whole.quick()
    assert (await whole.host.match_in(10)).id == match.id
    for kind in ("match", "quick"):
        assert (await standings.page(whole.db, 1, kind, 0, 0)).rows == ()


async def test_a_quick_match_with_a_member_needs_consent_and_counts_apart(whole: Any) -> None:
    waiting = (await whole.challenge(kind="quick")).match
    with pytest.raises(Refusal, match="refuse-not-challenged"):
        await whole.host.accept(whole.click(waiting, whole.cleo), whole.cleo, client_seed="1")
    over = await whole.host.accept(whole.click(waiting, whole.bob), whole.bob, client_seed="1")
    assert (over.status, over.kind, over.counted, over.committed) == ("over", "quick", True, True)
    played = whole.host.replay(over)
    assert played.battles == tuple(whole.war(over).play())
    assert played.outcome.steps == over.steps
    (await whole.host.proof(over.id)).verify()
    assert len((await standings.page(whole.db, 1, "quick", 0, 0)).rows) == 2
    assert (await standings.page(whole.db, 1, "match", 0, 0)).rows == ()


async def test_a_quick_match_accepted_twice_at_once_is_played_once(whole: Any) -> None:
    waiting = (await whole.challenge(kind="quick")).match
    click = whole.click(waiting, whole.bob)
    results = await asyncio.gather(
        *(whole.host.accept(click, whole.bob, client_seed=str(seed)) for seed in range(3)), return_exceptions=True
    )
    assert sorted(type(result).__name__ for result in results) == ["Match", "StaleTurn", "StaleTurn"]


async def test_a_quick_challenge_is_possible_while_both_play(whole: Any) -> None:
    await whole.deal()
    waiting = (await whole.challenge(kind="quick")).match
    over = await whole.host.accept(whole.click(waiting, whole.bob), whole.bob, client_seed="1")
    assert over.status == "over"
