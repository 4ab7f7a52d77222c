"""The gateway closes, loses its session, goes silent, or is not there: the bot comes back, or ends with the code that
says why, and no match notices."""

from __future__ import annotations

import asyncio
import sys

import pytest

from bot.exits import Exit

pytestmark = pytest.mark.asyncio(loop_scope="module")

RESUMABLE = (1000, 1001, 4000, 4001, 4002, 4003, 4005, 4008)
LOST = (4007, 4009)
"""After these there is no session to resume: discord.py waits 5 s and logs in again."""
FATAL = {
    4004: Exit.TOKEN_REFUSED,
    4010: Exit.GATEWAY_REFUSED,
    4011: Exit.GATEWAY_REFUSED,
    4012: Exit.GATEWAY_REFUSED,
    4013: Exit.INTENTS_REFUSED,
    4014: Exit.INTENTS_REFUSED,
}
HASTY = """
import sys
from discord.state import ConnectionState
whole = ConnectionState.__init__
def hasty(self, *args, **options):
    whole(self, *args, **options, heartbeat_timeout=1.0)
ConnectionState.__init__ = hasty
sys.argv = ["warbot", "run"]
from bot.__main__ import main
main()
"""
"""The bot with 1 s of patience for a silent gateway instead of discord.py's 60."""


async def struck(game, faults, do, **fields):
    """A blow to the connection. Returns how the bot came back: "resume" or "identify"."""
    gateway = game.playground.gateway
    resumes, identifies = gateway.resumes, gateway.identifies
    await faults.add(do, **fields)

    async def back():
        if not gateway.connected or (gateway.resumes, gateway.identifies) == (resumes, identifies):
            return None
        return "identify" if gateway.identifies > identifies else "resume"

    return await game.until(back)


async def presses(match):
    """Both press; the turn is played, and nobody has missed anything."""
    turn = match.stored()["turn"] + 1
    board = await match.board()
    for person in (match.dealer, match.other):
        await person.click(board, board.main)
    await match.after(board)
    stored = match.stored()
    assert (stored["turn"], stored["missed"], stored["status"]) == (turn, 0, "live") or stored["status"] == "over"


async def put_off(match):
    """Returns once the deadline of a match, which had passed, lies ahead again: then the bot hears again."""

    async def ahead():
        return True if match.stored()["deadline_at"] > 1 else None

    await match.game.until(ahead)
    assert match.game.playground.gateway.connected


async def test_every_code_after_which_the_session_is_resumed(game, faults):
    match = await game.match(*await game.people("Alice", "Bob"), turns=len(RESUMABLE))
    for code in RESUMABLE:
        assert await struck(game, faults, "close", code=code) == "resume", code
        await presses(match)


async def test_a_gateway_that_is_down_for_a_while(game, faults):
    """What was pressed meanwhile was not heard and says so; nothing is lost, and nobody's time has run out."""
    match = await game.match(*await game.people("Alice", "Bob"))
    board = await match.board()
    down = await faults.add("down", side="gateway")
    await faults.met(down, 2)
    pressed = await game.answer_so_far(await game.send_click(match.dealer, board, board.main))
    assert not pressed.record["delivered"]
    game.write("UPDATE matches SET deadline_at = 1 WHERE id = ?", match.id)
    await faults.lift()
    await put_off(match)
    await presses(match)


async def test_a_gateway_that_goes_away_before_the_shard_is_called_ready(own_game, own_faults):
    """discord.py says so some two seconds after READY, whatever has become of the connection meanwhile: no deadline
    passes before the bot hears again."""
    game = own_game
    match = await game.match(*await game.people("Alice", "Bob"))
    down = await own_faults.add("down", side="gateway")
    await game.clock_runs()
    game.write("UPDATE matches SET deadline_at = 1 WHERE id = ?", match.id)
    await own_faults.met(down, await own_faults.hits(down) + 1)
    assert (match.stored()["deadline_at"], match.stored()["turn"]) == (1, 0)
    await own_faults.lift()
    await put_off(match)
    await presses(match)


async def test_a_connection_that_is_cut_or_told_to_reconnect(game, faults):
    match = await game.match(*await game.people("Alice", "Bob"))
    for blow in ("abort", "reconnect"):
        assert await struck(game, faults, blow) == "resume"
        await presses(match)


async def test_an_invalid_session_that_can_be_resumed(game, faults):
    match = await game.match(*await game.people("Alice", "Bob"))
    await struck(game, faults, "invalid", resumable=True)
    await presses(match)


@pytest.mark.parametrize("blow", [("invalid", {"resumable": False}), *(("close", {"code": code}) for code in LOST)])
async def test_a_session_that_is_lost_is_begun_anew(game, faults, blow):
    match = await game.match(*await game.people("Alice", "Bob"))
    do, fields = blow
    game.write("UPDATE matches SET deadline_at = deadline_at - 1000 WHERE id = ?", match.id)
    before = match.stored()["deadline_at"]
    assert await struck(game, faults, do, **fields) == "identify"

    async def put_off():
        return True if match.stored()["deadline_at"] > before else None

    await game.until(put_off)  # nobody could press meanwhile
    await presses(match)


async def test_a_gateway_that_has_gone_silent_is_left(tmp_path, new_game, faults_of):
    """No acks of heartbeats: the connection is dead although nobody closed it."""
    async with new_game(tmp_path, command=(sys.executable, "-c", HASTY), TURN_SECONDS="3600") as game:
        faults = faults_of(game)
        game.playground.gateway.heartbeat = 0.5
        await struck(game, faults, "reconnect")  # from now on it beats that fast
        match = await game.match(*await game.people("Alice", "Bob"))
        assert await struck(game, faults, "stall") == "resume"
        await presses(match)
        game.nothing_went_wrong()


async def test_every_code_after_which_there_is_no_coming_back_has_its_exit_code(own_game, own_faults):
    game = own_game

    async def ended():
        return (await game.call("GET", "/world"))["bot"]["exit_code"]

    async def last_words():
        return game.log[-1] if game.log and not game.log[-1].startswith("Ready in") else None

    for number, (code, expected) in enumerate(FATAL.items()):
        if number:
            await game.bot("start")
        await game.clock_runs()
        await own_faults.add("close", code=code)
        assert await game.until(ended) == expected, code
        said = await game.until(last_words)
        assert said.startswith("Discord")
        assert said.endswith(".")


async def test_a_bot_that_crashes_again_and_again_keeps_its_last_session_starts(own_game, own_faults):
    game = own_game
    await game.bot("kill")
    limit = await own_faults.game.call("POST", "/faults", do="starts", remaining=5)
    identifies = game.playground.gateway.identifies
    starting = asyncio.create_task(game.bot("start"))

    async def waits():
        return next((line for line in game.log if line.startswith("Only 5 of")), None)

    said = await game.until(waits)
    assert f"Only 5 of {limit['limit']['total']} session starts are left: waiting" in said
    assert (await game.bot("stop"))["exit_code"] == 0, "it can be stopped while it waits"
    await asyncio.gather(starting, return_exceptions=True)
    assert game.playground.gateway.identifies == identifies
