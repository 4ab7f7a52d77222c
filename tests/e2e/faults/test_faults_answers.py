"""Answers that Discord does not take, takes and does not say so, or takes late: nothing is lost, nothing is done twice,
and the board ends on the newest state."""

from __future__ import annotations

import asyncio

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_unknown_interaction_10062_keeps_the_press_and_paints_the_board(game, faults, looks):
    match = await looks.text_match(game)
    alice, bob = match.dealer, match.other
    board = await match.board()
    await alice.click(board, board.main)
    await faults.add("status", "answer", code=10062)
    await game.send_click(bob, board, board.main)
    await looks.newest(match, turn=1)
    assert not any(message.private for message in await bob.sees(match.channel)), "there is nobody to answer"


@pytest.mark.parametrize("fault", ["late", "lost", "reset"])
async def test_a_press_whose_answer_met_a_broken_connection_counts_once(game, faults, looks, fault):
    match = await looks.text_match(game)
    alice, bob = match.dealer, match.other
    board = await match.board()
    await alice.click(board, board.main)
    standing = await faults.add(fault, "answer")
    pressed = await bob.click(board, board.main)
    assert pressed.failed is None, "for Bob nothing has gone wrong"
    assert await faults.hits(standing) == 1
    await looks.newest(match, turn=1)
    assert not any(message.private for message in await bob.sees(match.channel))


@pytest.mark.parametrize("fault", ["late", "lost", "reset"])
async def test_an_accept_whose_answer_met_a_broken_connection_deals_one_board(game, faults, looks, fault):
    alice, bob = await game.people("Alice", "Bob")
    channel = await game.channel()
    challenge = await game.challenge(alice, bob, channel)
    await faults.add(fault, "answer")
    accepted = await bob.click(challenge, "Accept")
    assert accepted.failed is None

    async def closed():
        return None if (await game.message(channel, challenge.id)).buttons else True

    await game.until(closed)
    [board] = await looks.boards(game, channel)
    stored = game.row("SELECT message_id, client_seed FROM matches WHERE channel_id = ?", int(channel))
    assert stored["message_id"] == int(board.id), "the board that is there is the one that is known"
    assert board.raw["interaction_metadata"]["id"] == stored["client_seed"], "anyone can read the seed of the deal"


@pytest.mark.parametrize("fault", ["late", "lost", "reset"])
async def test_a_challenge_whose_answer_met_a_broken_connection_is_there_once_and_can_expire(game, faults, fault):
    alice, bob = await game.people("Alice", "Bob")
    channel = await game.channel()
    await faults.add(fault, "answer")
    challenged = await alice.command(channel, "war challenge", opponent=bob)
    assert challenged.failed is None
    [challenge] = await game.messages(channel)
    row = "SELECT status, message_id FROM matches WHERE channel_id = ?"

    async def known():
        return True if game.row(row, int(channel))["message_id"] == int(challenge.id) else None

    await game.until(known)
    await game.time_is_up(game.match_id(challenge))

    async def closed():
        return None if (await game.message(channel, challenge.id)).buttons else True

    await game.until(closed)


@pytest.mark.parametrize("fault", ["late", "lost"])
async def test_a_board_posted_anew_whose_reply_was_lost_is_there_once(game, faults, looks, fault):
    """The nonce: Discord knows the message again."""
    match = await game.match(*await game.people("Alice", "Bob"))
    await faults.add("delete", message=match.message)
    standing = await faults.add(fault, "post")
    await game.time_is_up(match.id)
    await looks.newest(match, turn=1)
    assert await faults.hits(standing) == 1
    [board] = await looks.boards(game, match.channel)
    assert match.stored()["message_id"] == int(board.id)


async def test_the_first_answer_is_delayed_while_a_second_press_comes(game, faults, looks):
    match = await looks.text_match(game)
    alice, bob = match.dealer, match.other
    board = await match.board()
    slow = await faults.add("delay", "answer", seconds=0.7)
    first = await game.send_click(alice, board, board.main)
    await faults.met(slow)
    second = await bob.click(board, board.main)
    assert second.quiet, "acknowledged at once, while the board is being painted"
    assert not (await game.answer_so_far(first)).acked
    assert (await game.answer(first)).acked
    await looks.newest(match, turn=1)
    await alice.click(await match.board(), "More")  # by its answer, whatever was still under way has come
    await looks.newest(match, turn=1)


async def test_a_token_that_is_too_old_for_discord(game, faults, looks):
    """The bot's own clock is another one: it may think that the token still lives."""
    match = await looks.text_match(game)
    board = await match.board()
    await match.dealer.click(board, board.main)
    await faults.add("clock", by=15 * 60 + 1)
    await game.time_is_up(match.id)
    await looks.newest(match, turn=1)
    await faults.add("clock", by=-15 * 60 - 1)
    assert len(await looks.boards(game, match.channel)) == 1


# ---- the same thing many times -----------------------------------------------------------------------------------


async def test_an_interaction_delivered_twice_is_done_once(game, faults):
    alice, bob = await game.people("Alice", "Bob")
    channel = await game.channel()
    interaction = await game.send_command(alice, channel, "war challenge", opponent=bob)
    challenge = (await game.answer(interaction)).message
    await faults.add("replay", interaction=interaction)
    accept = await game.send_click(bob, challenge, "Accept")
    board = (await game.answer(accept)).message
    await faults.add("replay", interaction=accept)
    press = await game.send_click(alice, board, board.main)
    await game.answer(press)
    await faults.add("replay", interaction=press)
    await bob.click(board, board.main)
    rows = game.rows("SELECT status, turn FROM matches WHERE channel_id = ?", int(channel))
    assert [tuple(row) for row in rows] == [("live", 1)]
    assert not any(message.private for message in await bob.sees(channel))
    assert not any(message.private for message in await alice.sees(channel))


async def test_events_that_come_again_after_a_resume_are_done_once(game, faults):
    alice, bob = await game.people("Alice", "Bob")
    channel = await game.channel()
    challenged = await alice.command(channel, "war challenge", opponent=bob)
    quick = await game.send_command(alice, channel, "war quick")
    await game.answer(quick)
    again = await faults.add("replay", events=4)
    await faults.add("reconnect")
    await faults.met(again)
    await alice.command(channel, "war rules")  # what came before it on the connection was taken up before it
    rows = game.rows("SELECT kind, status FROM matches WHERE channel_id = ? ORDER BY id", int(channel))
    assert [tuple(row) for row in rows] == [("match", "waiting"), ("house", "over")]
    assert next(iter(await game.messages(channel))).id == challenged.message.id


async def test_a_flood_of_clicks_gets_one_private_warning_and_then_silence(game):
    match = await game.match(*await game.people("Alice", "Bob"))
    [cleo] = await game.people("Cleo")
    board = await match.board()
    for _ in range(2):
        answers = await asyncio.gather(*(cleo.click(board, board.main) for _ in range(15)))
        assert all(answer.acked for answer in answers)
    warnings = [message for message in await cleo.sees(match.channel) if message.private]
    assert len(warnings) == 1
    assert "You are not playing in this match" in warnings[0].text


async def test_a_burst_of_challenges_stops_at_the_caps(game):
    channel = await game.channel()
    dan, *hosts = await game.people("Dan", *(f"Host {number}" for number in range(8)))
    commands = [host.command(channel, "war challenge", opponent=dan) for host in hosts for _ in range(4)]
    answers = await asyncio.gather(*commands)
    of_whom = (
        "SELECT person_id, count(*) AS n FROM match_seats s JOIN matches m ON m.id = s.match_id"
        " WHERE channel_id = ? AND status = 'waiting' GROUP BY 1"
    )
    waiting = game.rows(of_whom, int(channel))
    assert sum(row["n"] for row in waiting) == 5
    assert max(row["n"] for row in waiting) <= 2
    assert sum(not answer.private for answer in answers) == 5
    assert len(await game.messages(channel)) == 5


async def test_accept_from_another_channel(game):
    alice, bob, cleo, dan = await game.people("Alice", "Bob", "Cleo", "Dan")
    challenge = await game.challenge(alice, bob, await game.channel())
    elsewhere = await game.match(cleo, dan)
    answer = await bob.click(await elsewhere.board(), f"war:accept:{game.match_id(challenge)}")
    assert answer.private
    assert "This match is not known here" in answer.text
    assert game.row("SELECT status FROM matches WHERE id = ?", game.match_id(challenge))["status"] == "waiting"


async def pictured(game):
    """A match, and its board after a turn, with the picture that this turn was painted with."""
    match = await game.match(*await game.people("Alice", "Bob"))
    board = await match.turn()
    assert len(board.files) == 1
    return match, board


async def sent_again(game, times):
    """Returns once the bot has said so often that a picture could not stay on its message."""

    async def said():
        lines = [line for line in game.log if "a picture could not stay on its message" in line]
        return True if len(lines) == times else None

    await game.until(said)


async def test_a_press_that_turns_no_card_leaves_the_picture_where_it_is(game):
    match, board = await pictured(game)
    await match.dealer.click(board, board.main)
    ready = await match.shows("Ready: Alice.")
    assert ready.files == board.files, "the same file, not another with the same picture"
    await match.other.click(board, board.main)
    assert (await match.after(board)).files != board.files


async def test_a_picture_that_may_not_stay_50035_is_sent_again(own_game, own_faults):
    game, faults = own_game, own_faults
    match, board = await pictured(game)
    refusal = await faults.add("status", "answer", code=50035)
    pressed = await match.dealer.click(board, board.main)
    assert pressed.failed is None
    ready = await match.shows("Ready: Alice.")
    assert len(ready.files) == 1
    assert ready.files != board.files
    assert await faults.hits(refusal) == 1
    await sent_again(game, times=1)


async def test_pictures_that_may_never_stay_are_tried_three_times(own_game, own_faults):
    game, faults = own_game, own_faults
    for _ in range(3):
        match, board = await pictured(game)
        await faults.add("status", "answer", code=50035)
        await match.dealer.click(board, board.main)
        await match.shows("Ready: Alice.")
    match, board = await pictured(game)
    await match.dealer.click(board, board.main)
    assert (await match.shows("Ready: Alice.")).files != board.files, "sent again, though it could have stayed"
    await sent_again(game, times=3)
