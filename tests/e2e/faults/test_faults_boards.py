"""Messages that are gone, too old, refused or rate limited, and a Discord that is out of reach: a board is posted again
at most once, and always ends on the newest state."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_deleted_board_is_posted_again_once(game, faults, looks):
    match = await game.match(*await game.people("Alice", "Bob"))
    await match.turn()
    await faults.add("delete", message=match.message)
    await game.time_is_up(match.id)
    anew = await looks.newest(match, turn=2)
    await match.dealer.click(anew, anew.main)
    await game.time_is_up(match.id)
    await looks.newest(match, turn=3)
    assert [each.id for each in await looks.boards(game, match.channel)] == [match.message]
    assert len(await game.messages(match.channel)) == 2, "the challenge and one board"


@pytest.mark.parametrize("way", ["by its id", "by the token of a press"])
async def test_a_board_that_is_too_old_to_edit_30046_is_posted_again_once(game, faults, looks, way):
    match = await game.match(*await game.people("Alice", "Bob"))
    board = await match.board()
    if way != "by its id":
        await match.dealer.click(board, board.main)
    for route in (f"PATCH /channels/*/messages/{board.id}", "PATCH /webhooks/*/messages/*"):
        await faults.add("status", code=30046, retry_after=0.01, times=None, route=route)
    await game.time_is_up(match.id)
    anew = await looks.newest(match, turn=1)
    assert anew.id != board.id
    await faults.lift()
    await match.turn()
    assert len(await game.messages(match.channel)) == 3, "the challenge, the old board and the new one"
    old = await match.other.click(board, board.main)
    assert old.private
    assert f"/{match.channel}/{anew.id}" in old.text, "a press on the old one leads to the new one"


async def test_a_challenge_that_automod_refuses_is_not_left_waiting(game, faults):
    alice, bob = await game.people("Alice", "Bob")
    channel = await game.channel()
    for _ in range(3):  # more than may wait
        await faults.add("status", "answer", code=200000)
        refused = await alice.command(channel, "war challenge", opponent=bob)
        assert refused.private
        assert "AutoMod of this server does not let my message through" in refused.text
    assert (await game.match(alice, bob, channel)).stored()["status"] == "live"


async def test_a_board_that_discord_refuses_50035_keeps_the_press_and_says_so(game, faults, looks):
    match = await looks.text_match(game)
    alice, bob = match.dealer, match.other
    board = await match.board()
    await alice.click(board, board.main)
    await faults.add("status", "answer", code=50035)
    await faults.add("status", "edit", code=50035)
    await faults.add("status", "edit by token", code=50035)
    pressed = await bob.click(board, board.main)
    assert pressed.failed is None
    assert pressed.quiet, "the press is acknowledged, since it counts"

    async def told():
        return next((each for each in await bob.sees(match.channel) if each.private), None)

    assert "Discord did not take my message. Nothing is lost" in (await game.until(told)).text
    assert match.stored()["turn"] == 1
    await faults.lift()
    await bob.click(board, board.main)
    await looks.newest(match, turn=1)


@pytest.mark.parametrize("limit", [{"scope": "global"}, {"scope": "shared"}, {"scope": "route"}, {"via": False}])
async def test_rate_limits_delay_the_board_and_lose_nothing(game, faults, looks, limit):
    """Without `Via` it is Cloudflare who speaks, and discord.py does not try again by itself."""
    match = await looks.text_match(game)
    board = await match.board()
    await match.dealer.click(board, board.main)
    standing = [
        await faults.add("ratelimit", on, retry_after=0.2, **limit) for on in ("answer", "edit", "edit by token")
    ]
    await game.send_click(match.other, board, board.main)  # the last one: no further press paints the board
    await looks.newest(match, turn=1)
    assert await faults.hits(standing[0]) == 1
    await game.time_is_up(match.id)
    await looks.newest(match, turn=2)
    assert sum([await faults.hits(each) for each in standing]) >= 2
    assert len(await looks.boards(game, match.channel)) == 1


@pytest.mark.parametrize("how", ["status", "reset"])
async def test_rest_down_for_a_while(game, faults, looks, how):
    """Presses count although no answer gets through; the board shows them when Discord is back."""
    match = await looks.text_match(game)
    board = await match.board()
    down = await faults.add("down", side="rest", how=how)
    for person in (match.dealer, match.other):
        await game.send_click(person, board, board.main)

    async def played():
        return True if match.stored()["turn"] == 1 else None

    await game.until(played)
    await faults.met(down, 3)
    assert (await match.board()).main == board.main
    await faults.lift()
    await looks.newest(match, turn=1)
    await match.turn()
    assert len(await looks.boards(game, match.channel)) == 1
