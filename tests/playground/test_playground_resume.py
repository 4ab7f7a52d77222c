"""What a bot hears again after its connection broke."""

import asyncio

import aiohttp
import pytest


async def disconnected(playground):
    await playground.until(lambda: not playground.connected, 5)


async def test_a_broken_connection_is_resumed_and_missed_clicks_are_replayed(bot, playground, script):
    board = (await script.run("board"))["reply"]["id"]
    resumed = asyncio.ensure_future(bot.wait_for("resumed", timeout=20))
    await asyncio.sleep(0)
    playground.gateway.close_all(4000)
    await disconnected(playground)
    interaction = playground.people.click(playground.world.owner.id, board, "board:flip")
    result = await script.result(interaction.id)
    await resumed
    assert result["ack_type"] == 7
    assert (playground.gateway.resumes, playground.gateway.identifies) == (1, 1)


async def test_a_resume_replays_what_came_after_the_last_number_and_nothing_else(playground):
    async with aiohttp.ClientSession() as http:
        async with http.ws_connect(playground.gateway.url) as socket:
            await socket.send_json({"op": 2, "d": {"token": playground.token, "intents": 1}})
            _hello, ready, _guild = [await socket.receive_json(timeout=5) for _ in range(3)]
            await socket.close(code=4000)
        await disconnected(playground)
        playground.channels.add_or_change("attic", 1024)
        playground.channels.add_or_change("back-room")
        async with http.ws_connect(ready["d"]["resume_gateway_url"]) as socket:
            resume = {"token": playground.token, "session_id": ready["d"]["session_id"], "seq": 3}
            await socket.send_json({"op": 6, "d": resume})
            _hello, created, resumed = [await socket.receive_json(timeout=5) for _ in range(3)]
    assert (created["t"], created["s"], created["d"]["name"]) == ("CHANNEL_CREATE", 4, "back-room")
    assert (resumed["t"], resumed["s"]) == ("RESUMED", 5)


async def test_a_forgotten_session_is_identified_anew(bot, playground, script):
    again = asyncio.ensure_future(bot.wait_for("ready", timeout=20))
    await asyncio.sleep(0)
    playground.gateway.invalidate()
    playground.gateway.close_all(4000)
    await again
    assert (playground.gateway.resumes, playground.gateway.identifies) == (1, 2)
    assert (await script.run("board"))["ack_type"] == 4


async def test_a_session_is_kept_for_three_minutes(bot, playground, clock):
    again = asyncio.ensure_future(bot.wait_for("ready", timeout=20))
    await asyncio.sleep(0)
    playground.gateway.close_all(4000)
    await disconnected(playground)
    clock.move(181)
    await again
    assert (playground.gateway.resumes, playground.gateway.identifies) == (1, 2)


@pytest.mark.parametrize(("code", "kept"), [(1000, 0), (1001, 0), (4000, 1)])
async def test_who_says_goodbye_is_not_waited_for(playground, code, kept):
    identify = {"token": playground.token, "intents": 1}
    async with aiohttp.ClientSession() as http, http.ws_connect(playground.gateway.url) as socket:
        await socket.send_json({"op": 2, "d": identify})
        await playground.until_connected(5)
        await socket.close(code=code)
    await disconnected(playground)
    assert len(playground.gateway.sessions) == kept


async def test_more_than_the_buffer_holds_cannot_be_replayed(bot, playground, monkeypatch):
    session = next(iter(playground.gateway.sessions.values()))
    again = asyncio.ensure_future(bot.wait_for("ready", timeout=20))
    await asyncio.sleep(0)
    playground.gateway.close_all(4000)
    await disconnected(playground)
    for number in range(1001):
        playground.channels.add_or_change("attic", number)
    assert len(session.buffer) == 1000
    await again
    assert playground.gateway.identifies == 2


@pytest.mark.parametrize("seq", [-1, 99, None])
async def test_a_sequence_number_that_never_was_is_refused(playground, seq, bot):
    session = next(iter(playground.gateway.sessions))
    resume = {"token": playground.token, "session_id": session, "seq": seq}
    async with aiohttp.ClientSession() as http, http.ws_connect(playground.gateway.url) as socket:
        await socket.receive_json(timeout=5)
        await socket.send_json({"op": 6, "d": resume})
        answer = await socket.receive(timeout=5)
    assert socket.close_code == 4007 or answer.json() == {"op": 9, "d": False, "t": None, "s": None}
