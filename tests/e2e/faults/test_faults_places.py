"""What happens to the places and the people of a match: void where the place is gone, paused while it cannot be shown,
and an outage costs nobody anything."""

from __future__ import annotations

import asyncio
import itertools

import pytest

from bot.clock import PERIOD

pytestmark = pytest.mark.asyncio(loop_scope="module")


numbers = itertools.count(1)


def standings(game, person):
    """How many matches count for somebody."""
    rows = "SELECT s.played FROM standings s JOIN people p ON p.id = s.person_id WHERE p.user_id = ?"
    return [row["played"] for row in game.rows(rows, int(person.id))]


async def thread(game):
    """A new thread in a channel of its own, where the bot may attach no files: its boards are painted once."""
    view_and_send = 1 << 10 | 1 << 11 | 1 << 38
    parent = await game.channel(permissions=view_and_send)
    return (await game.call("POST", "/channels", name=f"thread-{next(numbers)}", parent=parent))["id"]


async def refuses_a_deadline(game, match):
    """The deadline of the match passes, the sweeper goes by twice, and nothing moves."""
    before = match.stored()
    game.write("UPDATE matches SET deadline_at = 1 WHERE id = ?", match.id)
    await asyncio.sleep(2 * PERIOD + 0.5)  # nothing tells of a deadline that did not fire
    after = match.stored()
    assert (after["turn"], after["status"], after["missed"]) == (before["turn"], before["status"], before["missed"])


@pytest.mark.parametrize("told", [True, False])
async def test_a_channel_deleted_in_mid_match_voids_it_without_standing(game, faults, looks, told):
    """`told`: by the event, or only by 10003 when the board is painted."""
    await game.clock_runs()
    alice, bob, cleo, dan = await game.people("Alice", "Bob", "Cleo", "Dan")
    channel = await game.channel()
    waiting = await game.challenge(cleo, dan, channel)
    match = await game.match(alice, bob, channel)
    await match.turn()
    if told:
        await faults.add("delete", channel=match.channel)
    else:
        await faults.add("status", "edit", code=10003)
        await faults.add("status", "edit by token", code=10003)
        await game.time_is_up(match.id)
    await looks.status(match, "void")
    status = "SELECT status FROM matches WHERE id = ?"
    assert game.row(status, game.match_id(waiting))["status"] == "void"
    assert standings(game, alice) == standings(game, bob) == []
    await faults.lift()
    await game.match(alice, bob)  # they are free to play elsewhere


async def test_a_thread_deleted_in_mid_match_voids_it(game, faults, looks):
    await game.clock_runs()  # after a start the bot looks for channels that are gone; here it has to be told
    match = await game.match(*await game.people("Alice", "Bob"), await thread(game))
    await faults.add("delete", channel=match.channel)
    await looks.status(match, "void")


async def test_a_server_outage_costs_nobody_anything(game, faults, looks):
    """GUILD_DELETE with `unavailable` is no removal: no deadline fires and nothing is void."""
    match = await game.match(*await game.people("Alice", "Bob"))
    await match.turn()
    await faults.add("server", state="unavailable")
    await refuses_a_deadline(game, match)
    await faults.add("server", state="available")

    async def put_off():
        return True if match.stored()["deadline_at"] > 1 else None

    await game.until(put_off)
    await match.turn()
    assert (match.stored()["turn"], match.stored()["missed"]) == (2, 0)


async def test_a_bot_that_was_removed_and_invited_again(game, faults, looks):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    board = await match.turn()
    await faults.add("server", state="removed")
    await looks.status(match, "void")
    await faults.add("server", state="invited")
    pressed = await alice.click(board, board.main)
    assert pressed.acked
    assert (await match.board()).main is None, "the old board shows that it is void"
    again = await game.match(alice, bob, match.channel)
    await again.play_out()
    assert standings(game, alice) == standings(game, bob) == [1]


@pytest.mark.parametrize("whose", ["the channel's", "the server's"])
async def test_permission_lost_pauses_and_restored_resumes(game, faults, looks, whose):
    match = await game.match(*await game.people("Alice", "Bob"))
    await match.turn()
    where = {"channel": match.channel} if whose == "the channel's" else {}
    await faults.add("permissions", lose=["VIEW_CHANNEL", "SEND_MESSAGES"], **where)
    try:
        await game.time_is_up(match.id)
        await looks.status(match, "paused")
        await refuses_a_deadline(game, match)
    finally:
        await faults.add("permissions", gain=["VIEW_CHANNEL", "SEND_MESSAGES"], **where)
    await looks.status(match, "live")
    assert match.stored()["turn"] == 1
    await match.turn()


async def test_a_permission_that_only_discord_knows_to_be_lost_pauses_the_match(game, faults, looks):
    """50013 although the bot thought that it may: roles it was not told of."""
    match = await game.match(*await game.people("Alice", "Bob"))
    await faults.add("status", "edit", code=50013)
    await game.time_is_up(match.id)
    await looks.status(match, "paused")
    board = await match.board()
    await match.dealer.click(board, board.main)  # who can press can see it
    await looks.status(match, "live")
    await looks.newest(match, turn=1)


@pytest.mark.parametrize("state", ["archived", "locked"])
async def test_a_thread_archived_or_locked_pauses_and_opened_resumes(game, faults, looks, state):
    match = await game.match(*await game.people("Alice", "Bob"), await thread(game))
    await match.turn()
    await faults.add("thread", channel=match.channel, **{state: True})
    await game.time_is_up(match.id)
    await looks.status(match, "paused")
    await refuses_a_deadline(game, match)
    await faults.add("thread", channel=match.channel, **{state: False})
    await looks.status(match, "live")
    await match.turn()
    assert match.stored()["turn"] == 2


async def test_a_player_who_left_is_not_waited_for_and_keeps_name_and_place(game, faults, looks):
    alice, bob = await game.people("Alice", "Bobby")
    match = await game.match(alice, bob)
    await match.turn()
    await faults.add("member", user=bob.id, state="left")
    turn = 1
    while match.stored()["auto"] == 0:  # two misses of his
        board = await match.board()
        await alice.click(board, board.main)
        await game.time_is_up(match.id)
        turn += 1
        await looks.newest(match, turn=turn)
    board = await match.board()
    await alice.click(board, board.buttons["Finish"])
    while match.stored()["status"] == "live":  # she alone decides when he is on auto
        await game.time_is_up(match.id)
    result = await looks.newest(match, turn=match.stored()["turn"])
    assert "Bobby" in result.text
    assert standings(game, bob) == [1]
    await faults.add("member", user=bob.id, state="joined")
