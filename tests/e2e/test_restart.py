"""The bot is stopped, killed and started again on the same database, in the middle of play. `test_crash.py` kills it at
random moments."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_killed_in_mid_match_it_goes_on_from_the_same_turn_on_the_same_board(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    for _ in range(3):
        board = await match.turn()
    await alice.click(board, board.main)
    half_way = await match.shows("Ready: Alice.")
    stored = dict(match.stored())

    before = await game.bot("kill")
    assert before["exit_code"] == -signal.SIGKILL
    unheard = await game.answer_so_far(await game.send_click(bob, board, board.main))
    assert not unheard.record["delivered"]
    after = await game.bot("start")
    assert after["connected"]

    assert dict(match.stored()) | {"deadline_at": 0} == stored | {"deadline_at": 0}
    assert (await match.board()).text == half_way.text, "nothing was repainted, for nothing has changed"
    await bob.click(half_way, half_way.main)  # Alice had pressed before: his press alone is enough
    board = await match.after(half_way)
    assert match.stored()["turn"] == stored["turn"] + 1
    result = await match.play_out() if board.main else board
    assert "wins the War" in result.text or "A draw" in result.text


async def test_buttons_on_old_messages_work_after_a_restart(game):
    alice, bob, cleo, dan = await game.people("Alice", "Bob", "Cleo", "Dan")
    waiting = await game.challenge(cleo, dan, await game.channel())
    quick = (await cleo.command(await game.channel(), "war quick")).message
    promised = quick.text.split()[-1]
    match = await game.match(alice, bob)
    menu = (await alice.click(await match.board(), "More")).message
    leaders = (await alice.command(match.channel, "war leaderboard")).message

    await game.bot("kill")
    await game.bot("start")

    assert (await dan.click(waiting, "Accept")).message.main
    proof = await cleo.click(quick, "Proof")
    assert len(await game.download(proof.message)) > 500
    again = await cleo.click(quick, "Again")
    stored = game.row("SELECT committed FROM matches WHERE kind = 'house' ORDER BY id DESC LIMIT 1")
    assert stored["committed"] == 1, "the promised seed outlived the process"
    assert promised not in again.text
    assert "Leaderboard" in (await alice.click(leaders, "Show quick matches")).text
    changed = await alice.click(menu, "One card a press")
    assert "One card a press from now on" in changed.text
    await bob.click(await match.board(), "Deal")
    await match.after(await match.board()) if match.stored()["turn"] == 0 else None
    assert match.stored()["steps"] == 1


async def test_a_board_that_was_never_posted_is_posted_after_the_start(game):
    """The process dies between the deal and the answer."""
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    await game.bot("kill")
    await game.delete(match.channel, match.message)
    game.write("UPDATE matches SET message_id = NULL WHERE id = ?", match.id)
    await game.bot("start")

    async def posted():
        return next((message for message in await game.messages(match.channel) if message.main), None)

    board = await game.until(posted)
    assert board.main == f"war:flip:{match.id}:0"


async def test_a_turn_that_both_had_pressed_for_is_played_after_the_start(game):
    """The process dies between the last press and the turn."""
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    board = await match.turn()
    await game.bot("kill")
    game.write("UPDATE matches SET ready = 3, pressed = 3 WHERE id = ?", match.id)
    await game.bot("start")
    await match.after(board)
    assert match.stored()["turn"] == 2


async def test_no_deadline_passes_while_the_bot_is_away(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    board = await match.turn()
    challenge = await game.challenge(*await game.people("Cleo", "Dan"), await game.channel())
    await game.bot("kill")
    due = "UPDATE matches SET deadline_at = 1 WHERE status IN ('live', 'waiting') AND id IN (?, ?)"
    assert game.write(due, match.id, game.match_id(challenge)) == 2
    await game.bot("start")
    other = await game.match(*await game.people("Esther", "Finn"))
    await game.time_is_up(other.id)  # by then the sweeper has gone over all of them
    shown = await match.board()
    assert (shown.main, shown.text) == (board.main, board.text)
    assert match.stored()["turn"] == 1
    assert game.row("SELECT status FROM matches WHERE id = ?", game.match_id(challenge))["status"] == "waiting"


async def test_sigterm_drains(game):
    """Clicks in flight are answered, then the process ends with 0; what comes later is simply not heard."""
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    board = await match.board()
    await alice.click(board, board.main)
    clicks = [await game.send_click(bob, board, board.main)]
    for person in (alice, bob):
        clicks += [await game.send_command(person, match.channel, "war quick") for _ in range(5)]
    os.kill(game.playground.bot.pid, signal.SIGTERM)
    for answer in await asyncio.gather(*(game.answer(click) for click in clicks)):
        assert answer.acked
    stopped = await game.bot("stop")
    assert stopped["exit_code"] == 0
    turn = match.stored()["turn"]
    assert not game.database.with_name("warbot.db-wal").exists(), "the database was closed"
    await game.bot("start")

    async def painted():
        board = await match.board()
        return board if board.main == f"war:flip:{match.id}:{turn}" else None

    board = await game.until(painted)  # what the drained process had stored and not shown is painted after the start
    if turn == 0:  # he was told to press again
        await bob.click(board, board.main)
        board = await match.after(board)
    await match.turn()


async def test_what_comes_while_it_stops_is_refused_kindly_or_played_but_never_lost(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    before = match.stored()["turn"]
    stopping = asyncio.create_task(game.bot("stop"))
    board = await match.board()
    ids = [await game.send_click(person, board, board.main) for person in (alice, bob)]
    assert (await stopping)["exit_code"] == 0
    answers = [await game.answer_so_far(each) for each in ids]
    for answer in answers:
        if answer.acked and answer.private:
            assert "The bot is restarting. Nothing is lost" in answer.text
    played = [answer for answer in answers if answer.acked and not answer.private]
    stored = match.stored()
    assert stored["turn"] == before + (len(played) == 2)
    assert stored["turn"] > before or bin(stored["ready"]).count("1") >= len(played)
    await game.bot("start")
    await match.turn()
