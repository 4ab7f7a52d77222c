"""Stored matches: presses that commute, channels and people that are taken once, ends that count once."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from db import invitations, live, matches, results, standings
from db.database import Database
from db.errors import UniqueViolation
from db.matches import Match
from db.results import COUNTED_A_DAY
from engine.facts import Act
from engine.table import Pace, Table

NOW = 1_700_000_000_000
DAY = 86_400_000
BOARD = 77


async def board(tables: Any, match: Match) -> Match:
    await live.set_message(tables.db, match.id, BOARD, dealt=True)
    stored = await matches.by_id(tables.db, match.id)
    assert stored is not None
    return stored


async def press(tables: Any, match: Match, seat: int, pace: Pace | None = None, **other: int) -> Match | None:
    at = {"turn": match.table.turn, "message_id": BOARD, "deadline_at": NOW + 10_000, **other}
    return await live.press(tables.db, match, seat=seat, pace=pace, **at)


# ---- before the deal -----------------------------------------


async def test_a_challenge_is_read_back_as_it_was_opened(tables: Any) -> None:
    match = await tables.waiting(1, 2)
    assert match == await matches.by_id(tables.db, match.id)
    assert (match.status, match.committed, match.client_seed, match.message_id) == ("waiting", True, None, None)
    assert [player.person.user_id for player in match.players] == [1]
    assert match.host.user_id == 1
    assert match.invited is not None
    assert match.invited.user_id == 2
    assert match.player_of(1) == match.players[0]
    assert match.player_of(2) is None


async def test_a_waiting_challenge_holds_neither_channel_nor_players(tables: Any) -> None:
    await tables.waiting(1, 2)
    await tables.waiting(1, 3)
    assert await matches.on_in_channel(tables.db, 10) is None
    assert await matches.of_person(tables.db, 1, (await tables.person(1)).id) is None
    assert (await tables.live(1, 2)).status == "live"


async def test_waiting_challenges_are_counted_by_host_and_by_channel(tables: Any) -> None:
    await tables.waiting(1, 2, channel=10)
    await tables.waiting(1, 3, channel=11)
    await tables.waiting(2, 1, channel=10)
    await tables.live(4, 5, channel=10)
    one = await tables.person(1)
    assert await invitations.waiting_of_host(tables.db, 1, one.id) == 2
    assert await invitations.waiting_of_host(tables.db, 2, one.id) == 0
    assert await invitations.waiting_in_channel(tables.db, 10) == 2


async def test_whether_a_pair_was_challenged_lately_is_known(tables: Any) -> None:
    await tables.waiting(1, 2)
    one, two, three = [(await tables.person(user)).id for user in (1, 2, 3)]
    assert await invitations.pair_challenged_since(tables.db, one, two, NOW - 1)
    assert await invitations.pair_challenged_since(tables.db, two, one, NOW - 1)
    assert not await invitations.pair_challenged_since(tables.db, one, two, NOW)
    assert not await invitations.pair_challenged_since(tables.db, one, three, NOW - 1)


async def test_a_withdrawn_challenge_says_why_and_is_withdrawn_once(tables: Any) -> None:
    match = await tables.waiting()
    closed = await invitations.withdraw(tables.db, match.id, NOW, "declined")
    assert closed is not None
    assert (closed.status, closed.termination, closed.deadline_at) == ("void", "declined", None)
    assert await invitations.withdraw(tables.db, match.id, NOW, "expired") is None
    assert (
        await invitations.start(
            tables.db, match.id, joining=await tables.person(2), client_seed="1", now=NOW, deadline_at=None
        )
        is None
    )


async def test_rule_04_the_challenger_deals_and_sits_last(tables: Any) -> None:
    match = await tables.live(1, 2)
    assert [(player.seat, player.person.user_id) for player in match.players] == [(0, 2), (1, 1)]
    assert match.host.user_id == 1


async def test_rule_04_at_a_table_of_several_the_seats_go_round_from_the_dealers_left(tables: Any) -> None:
    match = await tables.live_table(9, 5, 7, 2)
    assert [player.person.user_id for player in match.players] == [5, 7, 2, 9]
    assert [player.seat for player in match.players] == [0, 1, 2, 3]


async def test_a_dealt_match_forgets_the_message_of_its_challenge(tables: Any) -> None:
    match = await tables.waiting()
    await live.set_message(tables.db, match.id, 5, dealt=False)
    dealt = await invitations.start(
        tables.db, match.id, joining=await tables.person(2), client_seed="1", now=NOW, deadline_at=NOW
    )
    assert dealt is not None
    assert dealt.message_id is None
    # Discord said the challenge's id late: that message is not the board.
    await live.set_message(tables.db, match.id, 5, dealt=False)
    assert (await matches.by_id(tables.db, match.id)).message_id is None
    await live.set_message(tables.db, match.id, 6, dealt=True)
    assert (await matches.by_id(tables.db, match.id)).message_id == 6


async def test_one_match_is_on_in_a_channel(tables: Any) -> None:
    await tables.live(1, 2, channel=10)
    waiting = await tables.waiting(3, 4, channel=10)
    with pytest.raises(UniqueViolation):
        await invitations.start(
            tables.db, waiting.id, joining=await tables.person(4), client_seed="1", now=NOW, deadline_at=NOW
        )
    assert await matches.by_id(tables.db, waiting.id) == waiting  # it goes on waiting, as it was
    assert (await matches.on_in_channel(tables.db, 10)).players[0].person.user_id == 2


async def test_one_match_at_a_time_for_a_person_in_a_server(tables: Any) -> None:
    first = await tables.live(1, 2, channel=10)
    with pytest.raises(UniqueViolation):
        await tables.live(2, 3, channel=11)
    assert (await tables.live(2, 3, channel=12, guild=2)).status == "live"  # another server
    await tables.finish(first)
    assert (await tables.live(1, 2, channel=10)).status == "live"


async def test_of_two_starts_at_once_one_is_dealt(tables: Any) -> None:
    waiting = [await tables.waiting(1, 2), await tables.waiting(3, 4)]
    person = {1: await tables.person(2), 3: await tables.person(4)}
    results = await asyncio.gather(
        *(
            invitations.start(
                tables.db, match.id, joining=person[match.host.user_id], client_seed="1", now=NOW, deadline_at=NOW
            )
            for match in waiting
        ),
        return_exceptions=True,
    )
    assert sorted(type(result).__name__ for result in results) == ["Match", "UniqueViolation"]


async def test_of_two_starts_of_one_match_one_is_dealt(tables: Any) -> None:
    match = await tables.waiting(1, 2)
    two = await tables.person(2)
    results = await asyncio.gather(
        *(
            invitations.start(tables.db, match.id, joining=two, client_seed=str(press), now=NOW, deadline_at=NOW)
            for press in range(2)
        )
    )
    assert sum(result is not None for result in results) == 1


# ---- open tables -----------------------------------------


async def test_six_sit_at_an_open_table_and_two_who_press_for_the_last_seat_do_not_both_get_it(tables: Any) -> None:
    match = await tables.waiting(1, None)
    for user in (2, 3, 4, 5):
        assert await invitations.join(tables.db, match.id, await tables.person(user), 6) == "joined"
    late = [await tables.person(user) for user in (6, 7)]
    joined = await asyncio.gather(*(invitations.join(tables.db, match.id, person, 6) for person in late))
    assert sorted(joined) == ["full", "joined"]
    assert len((await matches.by_id(tables.db, match.id)).players) == 6


async def test_joining_twice_takes_one_seat(tables: Any) -> None:
    match = await tables.waiting(1, None)
    two = await tables.person(2)
    assert await invitations.join(tables.db, match.id, two, 6) == "joined"
    assert await invitations.join(tables.db, match.id, two, 6) == "sat-before"
    assert len((await matches.by_id(tables.db, match.id)).players) == 2


async def test_nobody_joins_a_challenge_or_a_table_that_was_dealt(tables: Any) -> None:
    challenge = await tables.waiting(1, 2)
    assert await invitations.join(tables.db, challenge.id, await tables.person(3), 6) == "gone"
    dealt = await tables.live_table(4, 5)
    assert await invitations.join(tables.db, dealt.id, await tables.person(3), 6) == "gone"
    assert await invitations.leave(tables.db, dealt.id, (await tables.person(4)).id, NOW) is None


async def test_the_role_of_the_host_passes_on_to_who_joined_next_and_the_last_one_closes_the_table(tables: Any) -> None:
    match = await tables.waiting(1, None)
    for user in (2, 3):
        await invitations.join(tables.db, match.id, await tables.person(user), 6)
    left = await invitations.leave(tables.db, match.id, (await tables.person(1)).id, NOW)
    assert left.host.user_id == 2
    assert await invitations.waiting_of_host(tables.db, 1, (await tables.person(2)).id) == 1
    await invitations.join(tables.db, match.id, await tables.person(1), 6)
    left = await invitations.leave(tables.db, match.id, (await tables.person(2)).id, NOW)
    assert left.host.user_id == 3
    await invitations.leave(tables.db, match.id, (await tables.person(3)).id, NOW)
    closed = await invitations.leave(tables.db, match.id, (await tables.person(1)).id, NOW)
    assert (closed.status, closed.players, closed.deadline_at) == ("void", (), None)


async def test_a_table_that_all_others_have_left_is_not_dealt(tables: Any) -> None:
    match = await tables.waiting(1, None)
    assert await invitations.start(tables.db, match.id, joining=None, client_seed="1", now=NOW, deadline_at=NOW) is None
    stored = await matches.by_id(tables.db, match.id)
    assert (stored.status, stored.players[0].seat) == ("waiting", None)


async def test_a_table_with_a_player_who_is_busy_elsewhere_goes_on_waiting(tables: Any) -> None:
    table = await tables.waiting(1, None, channel=10)
    await invitations.join(tables.db, table.id, await tables.person(2), 6)
    await tables.live(2, 3, channel=11)
    with pytest.raises(UniqueViolation):
        await invitations.start(tables.db, table.id, joining=None, client_seed="1", now=NOW, deadline_at=NOW)
    stored = await matches.by_id(tables.db, table.id)
    assert (stored.status, [player.seat for player in stored.players]) == ("waiting", [None, None])


# ---- presses -----------------------------------------


MASKS = st.integers(0, 0b111)


@st.composite
def stored_tables(draw: st.DrawFn) -> Table:
    table = Table(
        3,
        turn=draw(st.integers(0, 2)),
        out=draw(st.sampled_from([0, 0b001, 0b100])),
        ready=draw(MASKS),
        slow=draw(MASKS),
        fast=draw(MASKS),
        auto=draw(MASKS),
        missed=draw(MASKS),
        pressed=draw(MASKS),
        offer=draw(MASKS),
    )
    # What the etiquette never leaves behind, the store need not clear up: who is ready has pressed and is there.
    return replace(
        table, pressed=table.pressed | table.ready, missed=table.missed & ~table.ready, auto=table.auto & ~table.ready
    )


async def put(db: Database, match_id: int, table: Table) -> None:
    await db.execute(
        "UPDATE matches SET turn = $2, out = $3, ready = $4, slow = $5, fast = $6, auto = $7, missed = $8,"
        " pressed = $9, offer = $10, deadline_at = 1 WHERE id = $1",
        match_id,
        table.turn,
        table.out,
        table.ready,
        table.slow,
        table.fast,
        table.auto,
        table.missed,
        table.pressed,
        table.offer,
    )


@settings(deadline=None, max_examples=250, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(table=stored_tables(), seat=st.integers(0, 2), pace=st.sampled_from([None, *Pace]), turn=st.integers(0, 2))
async def test_a_press_in_the_store_is_the_press_of_the_table(
    three: tuple[Database, Match], table: Table, seat: int, pace: Pace | None, turn: int
) -> None:
    db, match = three
    await put(db, match.id, table)
    stored = await live.press(db, match, turn=turn, message_id=BOARD, seat=seat, pace=pace, deadline_at=2)
    now = await matches.by_id(db, match.id)
    assert now is not None
    if turn != table.turn or table.out >> seat & 1:
        assert stored is None
        assert now.table == table
        return
    assert now.table == table.press(seat, pace)
    assert (stored is None) == (now.table == table)
    if stored is None:
        assert now.deadline_at == 1
    else:
        assert stored.table == now.table
        # The first press of a turn gives the others their time; who would finish anyway has not pressed for this one.
        assert now.deadline_at == (1 if table.ready & ~table.fast or table.ready >> seat & 1 else 2)


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(table=stored_tables(), seat=st.integers(0, 2), turn=st.integers(0, 2), on_board=st.booleans())
async def test_an_agreement_in_the_store_is_that_of_the_table(
    three: tuple[Database, Match], table: Table, seat: int, turn: int, on_board: bool
) -> None:
    db, match = three
    await put(db, match.id, table)
    message_id = BOARD if on_board else None
    stored = await live.agree(db, match, turn=turn, message_id=message_id, seat=seat)
    now = await matches.by_id(db, match.id)
    assert now is not None
    if turn != table.turn or (table.out | table.offer) >> seat & 1:
        assert stored is None
        assert now.table == table
    else:
        assert stored is not None
        assert now.table == table.agree(seat)


@pytest.fixture
async def three(database: Database, tables: Any) -> tuple[Database, Match]:
    return database, await board(tables, await tables.live_table(1, 2, 3))


async def test_presses_of_the_same_millisecond_all_count(tables: Any) -> None:
    match = await board(tables, await tables.live_table(1, 2, 3))
    await asyncio.gather(*(press(tables, match, seat) for seat in range(3)))
    assert (await matches.by_id(tables.db, match.id)).table.ready == 0b111


async def test_a_press_on_an_older_message_changes_nothing(tables: Any) -> None:
    match = await board(tables, await tables.live())
    assert await press(tables, match, 0, message_id=BOARD - 1) is None
    assert await matches.by_id(tables.db, match.id) == match


async def test_a_newer_message_is_the_board_whose_id_is_just_being_stored(tables: Any) -> None:
    match = await board(tables, await tables.live())
    assert (await press(tables, match, 0, message_id=BOARD + 1)).table.ready == 0b01


async def test_any_message_serves_while_discord_has_not_said_the_boards_id(tables: Any) -> None:
    match = await tables.live()
    assert (await press(tables, match, 0, message_id=123)).table.ready == 0b01


async def test_an_offer_is_withdrawn_only_on_the_board_and_by_who_is_in(tables: Any) -> None:
    match = await board(tables, await tables.live_table(1, 2, 3))
    await put(tables.db, match.id, replace(match.table, offer=0b010, out=0b001))
    at = {"turn": 0, "message_id": BOARD, "seat": 2}
    assert await live.withdraw_offer(tables.db, match, **{**at, "seat": 0}) is None
    assert await live.withdraw_offer(tables.db, match, **{**at, "message_id": 1}) is None
    assert await live.withdraw_offer(tables.db, match, **{**at, "turn": 1}) is None
    assert (await live.withdraw_offer(tables.db, match, **at)).table.offer == 0
    assert await live.withdraw_offer(tables.db, match, **at) is None


async def test_nothing_is_pressed_in_a_match_that_is_over(tables: Any) -> None:
    match = await board(tables, await tables.live())
    await tables.finish(match)
    assert await press(tables, match, 0) is None
    assert await live.agree(tables.db, match, turn=0, message_id=None, seat=0) is None
    assert await live.withdraw_offer(tables.db, match, turn=0, message_id=BOARD, seat=0) is None


# ---- moving on -----------------------------------------


async def advance(tables: Any, before: Match, table: Table, **other: Any) -> Match | None:
    what: dict[str, Any] = {"steps": 1, "told_from": 0, "acts": (), "deadline_at": NOW, **other}
    return await live.advance(tables.db, before, table=table, **what)


async def test_a_turn_is_played_once(tables: Any) -> None:
    match = await tables.live()
    moved = await asyncio.gather(*(advance(tables, match, match.table.next_turn([0, 1])) for _ in range(2)))
    assert sum(each is not None for each in moved) == 1
    stored = await matches.by_id(tables.db, match.id)
    assert (stored.table.turn, stored.steps, stored.version) == (1, 1, match.version + 1)


@pytest.mark.parametrize("column", ["ready", "slow", "fast", "auto", "missed", "pressed", "offer", "version"])
async def test_a_turn_is_not_played_over_what_was_said_meanwhile(tables: Any, column: str) -> None:
    match = await tables.live()
    await tables.db.execute(f"UPDATE matches SET {column} = {column} + 1 WHERE id = $1", match.id)
    assert await advance(tables, match, match.table.next_turn([0, 1])) is None
    stored = await matches.by_id(tables.db, match.id)
    assert (stored.table.turn, stored.steps) == (0, 0)


async def test_acts_are_read_back_in_their_order(tables: Any) -> None:
    match = await tables.live_table(1, 2, 3)
    acts = (Act(0, 2, "forfeit"), Act(4, 1, "agree"))
    moved = await advance(tables, match, match.table.next_turn([0, 1]), acts=acts)
    assert moved.acts == acts
    assert (await matches.by_id(tables.db, match.id)).acts == acts


async def test_who_is_out_may_play_elsewhere_at_once(tables: Any) -> None:
    match = await tables.live_table(1, 2, 3, channel=10)  # user 1 sits last
    with pytest.raises(UniqueViolation):
        await tables.live(1, 4, channel=11)
    await advance(tables, match, match.table.next_turn([0, 1]))
    assert (await tables.live(1, 5, channel=11)).status == "live"
    with pytest.raises(UniqueViolation):
        await tables.live(2, 6, channel=12)


async def test_interrupted_are_those_that_a_stop_may_have_caught_between_two_steps(tables: Any) -> None:
    async def case(users: tuple[int, int], **masks: int) -> int:
        match = await board(tables, await tables.live(*users, channel=100 + users[0]))
        await put(tables.db, match.id, replace(match.table, **masks))
        return match.id

    caught = [
        await case((1, 2), ready=0b11),
        await case((3, 4), ready=0b01, auto=0b10),
        await case((5, 6), offer=0b11),
        await case((7, 8), auto=0b11, pressed=0b01),
        await case((9, 10), fast=0b01, ready=0b01),
    ]
    await case((11, 12))
    await case((13, 14), ready=0b01)
    await case((15, 16), offer=0b10)
    unposted = (await tables.live(17, 18, channel=300)).id
    await tables.waiting(19, 20)
    await tables.finish(await tables.live(21, 22, channel=301))
    assert await matches.interrupted(tables.db) == [*caught, unposted]


async def test_what_is_due_comes_oldest_first_and_never_hides_the_rest(tables: Any) -> None:
    ids = [(await tables.waiting(user, user + 1000)).id for user in range(1, 121)]
    for place, match_id in enumerate(ids):
        await tables.db.execute("UPDATE matches SET deadline_at = $2 WHERE id = $1", match_id, 10_000 - place)
    assert [match_id for match_id, *_ in await matches.due(tables.db, 10_000)] == ids[::-1]
    assert [match_id for match_id, *_ in await matches.due(tables.db, 9_881)] == [ids[-1]]
    assert await matches.due(tables.db, 9_880) == []


async def test_after_an_outage_no_deadline_is_near_and_none_comes_nearer(tables: Any) -> None:
    near = await tables.waiting(1, 2, guild=1)
    far = await tables.waiting(3, 4, guild=1)
    elsewhere = await tables.waiting(5, 6, guild=2)
    await tables.db.execute("UPDATE matches SET deadline_at = $2 WHERE id = $1", far.id, NOW + 10**9)
    await live.postpone(tables.db, NOW + 10**6, 1)
    deadlines = [(await matches.by_id(tables.db, match.id)).deadline_at for match in (near, far, elsewhere)]
    assert deadlines == [NOW + 10**6, NOW + 10**9, NOW + 900_000]
    await live.postpone(tables.db, NOW + 10**6)
    assert (await matches.by_id(tables.db, elsewhere.id)).deadline_at == NOW + 10**6


# ---- the end -----------------------------------------


async def tally(tables: Any, kind: str = "match") -> dict[int, tuple[int, int, int]]:
    page = await standings.page(tables.db, 1, kind, 0, 0)
    return {row.person.user_id: (row.wins, row.losses, row.played) for row in page.rows}


async def test_a_finished_match_has_its_result_and_frees_channel_and_players(tables: Any) -> None:
    match = await tables.live(1, 2)
    war, _ = tables.played(match)
    over = await tables.finish(match)
    assert (over.status, over.termination, over.rounds) == ("over", war.outcome.termination, war.outcome.rounds)
    assert (over.counted, over.deadline_at, over.steps) == (True, None, war.steps)
    assert [(player.placing, player.cards, player.result) for player in over.players] == [
        (war.outcome.placings[seat], war.outcome.counts[seat], war.outcome.result(seat)) for seat in (0, 1)
    ]
    assert await matches.on_in_channel(tables.db, 10) is None
    assert await matches.of_person(tables.db, 1, over.players[0].person.id) is None


async def test_a_match_that_is_finished_twice_counts_once(tables: Any) -> None:
    match = await tables.live(1, 2)
    ends = await asyncio.gather(*(tables.finish(match) for _ in range(3)))
    assert sum(end is not None for end in ends) == 1
    assert await tables.finish(match) is None
    played = await tally(tables)
    assert sorted(played.values()) == [(0, 1, 1), (1, 0, 1)]


async def test_a_match_that_moved_on_is_not_finished_from_before(tables: Any) -> None:
    match = await tables.live(1, 2)
    await advance(tables, match, match.table.next_turn([0, 1]))
    assert await tables.finish(match) is None
    assert await tally(tables) == {}


async def test_five_matches_a_day_count_between_the_same_two(tables: Any) -> None:
    start_of_day = NOW - NOW % DAY
    counted = []
    for number in range(COUNTED_A_DAY + 2):
        host, invited = (1, 2) if number % 2 else (2, 1)  # whoever challenges, it is the same pair
        over = await tables.finish(await tables.live(host, invited), now=start_of_day + number)
        counted.append(over.counted)
    assert counted == [True] * COUNTED_A_DAY + [False, False]
    assert {played for _, _, played in (await tally(tables)).values()} == {COUNTED_A_DAY}

    with_another = await tables.finish(await tables.live(1, 3), now=start_of_day + 100)
    quick = await tables.quick(1, 2, now=start_of_day + 100)
    elsewhere = await tables.finish(await tables.live(1, 2, guild=2), now=start_of_day + 100)
    last_of_the_day = await tables.finish(await tables.live(1, 2), now=start_of_day + DAY - 1)
    next_day = await tables.finish(await tables.live(1, 2), now=start_of_day + DAY)
    found = [match.counted for match in (with_another, quick, elsewhere, last_of_the_day, next_day)]
    assert found == [True, True, True, False, True]


async def test_a_quick_match_is_played_once(tables: Any) -> None:
    over = await tables.quick(1, 2)
    assert (over.status, over.kind, over.counted) == ("over", "quick", True)
    assert (
        await results.play_at_once(
            tables.db,
            over.id,
            joining=await tables.person(2),
            client_seed="456",
            steps=over.steps,
            outcome=tables.played(over)[0].outcome,
            now=NOW,
        )
        is None
    )
    assert sorted((await tally(tables, "quick")).values()) == [(0, 1, 1), (1, 0, 1)]
    assert await tally(tables, "match") == {}


async def test_two_quick_matches_hold_no_channel_and_no_player(tables: Any) -> None:
    await tables.live(1, 2)
    assert (await tables.quick(1, 2)).status == "over"


async def test_a_match_against_the_house_counts_nowhere(tables: Any) -> None:
    over = await tables.house(1)
    assert (over.kind, over.status, over.counted, over.committed) == ("house", "over", False, False)
    assert await tally(tables, "match") == {}
    assert await tally(tables, "quick") == {}


async def test_every_promised_seed_is_kept_by_exactly_one_match(tables: Any) -> None:
    await tables.house(1, then=b"a" * 32)
    person = await tables.person(1)
    assert await results.promised_seed(tables.db, person.id) == b"a" * 32
    assert await tables.house(1, seed=b"x" * 32, committed=False) is None  # there is a promise by now
    assert await tables.house(1, seed=b"x" * 32, committed=True) is None  # it is another one
    kept = await tables.house(1, seed=b"a" * 32, committed=True, then=b"b" * 32)
    assert (kept.committed, kept.server_seed) == (True, b"a" * 32)
    assert await tables.house(1, seed=b"a" * 32, committed=True, then=b"c" * 32) is None  # kept already
    assert await results.promised_seed(tables.db, person.id) == b"b" * 32
    assert await results.promised_seed(tables.db, (await tables.person(2)).id) is None


async def test_an_abandoned_match_frees_its_channel_and_its_players_and_counts_for_nobody(tables: Any) -> None:
    match = await tables.live(1, 2)
    void = await results.abandon(tables.db, match.id, NOW)
    assert (void.status, void.deadline_at, void.counted) == ("void", None, False)
    assert [player.result for player in void.players] == [None, None]
    assert await results.abandon(tables.db, match.id, NOW) is None
    assert (await tables.live(1, 2)).status == "live"
    assert await tally(tables) == {}


async def test_a_match_that_is_over_is_not_abandoned(tables: Any) -> None:
    over = await tables.finish(await tables.live())
    assert await results.abandon(tables.db, over.id, NOW) is None


async def test_a_first_press_saves_a_match_from_being_void(tables: Any) -> None:
    match = await board(tables, await tables.live())
    await press(tables, match, 0)
    assert await results.abandon(tables.db, match.id, NOW, unless_pressed=True) is None
    assert (await matches.by_id(tables.db, match.id)).status == "live"


async def test_unfinished_matches_of_a_place_are_found(tables: Any) -> None:
    waiting = await tables.waiting(1, 2, channel=10)
    live = await tables.live(3, 4, channel=10)
    other = await tables.waiting(5, 6, channel=11)
    await tables.finish(await tables.live(7, 8, channel=12))
    await tables.waiting(9, 10, channel=10, guild=2)
    assert await matches.ids_of_guild(tables.db, 1) == [waiting.id, live.id, other.id]
    assert set(await matches.ids_of_channel(tables.db, 10)) >= {waiting.id, live.id}
    assert await matches.ids_of_channel(tables.db, 12) == []
