"""Faults of the gateway, met by the real discord.py and by a raw client; afterwards all is as before."""

from __future__ import annotations

import asyncio
import json

import aiohttp
import discord
import pytest


class RawGateway:
    """A client of the gateway that does nothing by itself."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, token: str) -> None:
        self.socket = socket
        self.token = token
        self.seq = 0

    async def send(self, op, data):
        await self.socket.send_str(json.dumps({"op": op, "d": data}))

    async def next(self, seconds=3.0):
        frame = json.loads(await self.socket.receive_str(timeout=seconds))
        self.seq = frame["s"] or self.seq
        return frame

    async def until(self, event):
        while True:
            frame = await self.next()
            if frame["t"] == event:
                return frame

    async def identify(self):
        await self.send(2, {"token": self.token, "intents": 1, "properties": {}})
        ready = await self.until("READY")
        await self.until("GUILD_CREATE")
        return ready["d"]["session_id"]

    async def resume(self, session, seq):
        await self.send(6, {"token": self.token, "session_id": session, "seq": seq})


@pytest.fixture
async def dial(playground):
    """Opens raw connections: `await dial()`."""
    async with aiohttp.ClientSession() as session:

        async def opener():
            raw = RawGateway(await session.ws_connect(playground.gateway.url), playground.token)
            assert (await raw.next())["op"] == 10
            return raw

        yield opener


def logins(playground):
    return playground.gateway.identifies, playground.gateway.resumes


async def works(script):
    return (await script.run("whisper"))["acked"]


@pytest.mark.parametrize(
    ("fault", "resumes"),
    [
        ({"do": "close", "code": 4000}, True),
        ({"do": "close", "code": 1001}, True),
        ({"do": "close", "code": 4009}, False),
        ({"do": "abort"}, True),
        ({"do": "reconnect"}, True),
        ({"do": "invalid", "resumable": True}, True),
        ({"do": "invalid"}, False),
    ],
    ids=str,
)
async def test_discord_py_comes_back(bot, playground, script, fault, resumes, monkeypatch):
    monkeypatch.setattr(discord.client.ExponentialBackoff, "delay", lambda self: 0.05)
    identifies, resumed = logins(playground)
    assert (await script.post("/faults", **fault))["hits"] == 1
    await playground.until(lambda: logins(playground) != (identifies, resumed) and playground.connected, 20)
    if resumes:
        assert logins(playground) == (identifies, resumed + 1)
    else:
        await playground.until(lambda: playground.gateway.identifies > identifies and playground.connected, 20)
    assert await works(script)


@pytest.mark.parametrize("code", [4004, 4010, 4013, 4014])
@pytest.mark.usefixtures("open_bot")  # it makes discord.py look here
async def test_a_fatal_code_ends_discord_py(playground, script, code):
    client = discord.Client(intents=discord.Intents(guilds=True))
    running = asyncio.create_task(client.start(playground.token))
    await playground.until_connected(10)
    await script.post("/faults", do="close", code=code)
    with pytest.raises((discord.ConnectionClosed, discord.PrivilegedIntentsRequired)):
        async with asyncio.timeout(10):
            await running
    await client.close()


async def test_a_close_may_answer_a_login(playground, script, dial):
    await script.post("/faults", do="close", code=4004, on="identify", times=2)
    for _ in range(2):
        raw = await dial()
        await raw.send(2, {"token": raw.token, "intents": 1, "properties": {}})
        assert (await raw.socket.receive()).type is aiohttp.WSMsgType.CLOSE
        assert raw.socket.close_code == 4004
    assert await (await dial()).identify()


async def test_an_invalid_session_may_answer_a_resume(playground, script, dial):
    first = await dial()
    session = await first.identify()
    await script.post("/faults", do="invalid", on="resume")
    await script.post("/faults", do="abort")
    second = await dial()
    await second.resume(session, first.seq)
    frame = await second.next()
    assert (frame["op"], frame["d"]) == (9, False)
    assert await second.identify() != session, "the same connection may identify itself anew"


@pytest.mark.parametrize("resumable", [True, False])
async def test_an_invalid_session_is_gone_unless_it_may_be_resumed(playground, script, dial, resumable):
    first = await dial()
    session = await first.identify()
    await script.post("/faults", do="invalid", resumable=resumable)
    assert (await first.next())["d"] is resumable
    second = await dial()
    await second.resume(session, first.seq)
    frame = await second.next()
    assert (frame["t"] == "RESUMED") is resumable
    assert (frame["op"] == 9) is not resumable


async def test_a_stalled_connection_gives_neither_acks_nor_events(playground, script, dial):
    raw = await dial()
    await raw.identify()
    fault = await script.post("/faults", do="stall")
    assert fault["hits"] == 1
    await raw.send(1, raw.seq)
    await script.post("/channels", name="new-room")
    with pytest.raises(TimeoutError):
        await raw.next(0.3)
    other = await dial()
    assert await other.identify(), "a new connection is not stalled"
    await script.call("DELETE", f"/faults/{fault['id']}")
    assert {(await raw.next())["op"], (await raw.next())["op"]} == {0, 11}, "what was held back comes now"


async def test_a_stall_ends_by_itself(playground, script, dial):
    raw = await dial()
    await raw.identify()
    await script.post("/faults", do="stall", lasts=0.2)
    await raw.send(1, raw.seq)
    assert (await raw.next())["op"] == 11


async def test_what_was_lost_in_a_stall_is_replayed_by_a_resume(playground, script, dial):
    raw = await dial()
    session = await raw.identify()
    await script.post("/faults", do="stall")
    room = await script.post("/channels", name="new-room")
    again = await dial()
    await again.resume(session, raw.seq)
    assert (await again.until("CHANNEL_CREATE"))["d"]["id"] == room["id"]


@pytest.mark.parametrize("how", ["status", "reset"])
async def test_a_gateway_that_is_down_refuses_until_it_is_lifted(playground, script, dial, how):
    raw = await dial()
    await raw.identify()
    fault = await script.post("/faults", do="down", side="gateway", how=how)
    assert (await raw.socket.receive()).type in (aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.ERROR)
    with pytest.raises(aiohttp.WSServerHandshakeError if how == "status" else aiohttp.ClientConnectionError):
        await dial()
    await script.call("DELETE", f"/faults/{fault['id']}")
    assert await (await dial()).identify()


async def test_a_gateway_that_is_down_may_leave_open_connections_alone(playground, script, dial):
    raw = await dial()
    await raw.identify()
    await script.post("/faults", do="down", side="gateway", cut=False)
    await raw.send(1, raw.seq)
    assert (await raw.next())["op"] == 11


async def test_a_known_interaction_is_delivered_again(bot, playground, script):
    interaction = await script.send("whisper")
    await script.result(interaction)
    bot.heard.clear()
    playground.faults.add("replay", interaction=interaction)
    async with asyncio.timeout(5):
        while "INTERACTION_CREATE" not in bot.heard:  # noqa: ASYNC110 (discord.py keeps silent about a second one)
            await asyncio.sleep(0.01)


async def test_the_next_interaction_is_delivered_twice(playground, script, dial):
    raw = await dial()
    await raw.identify()
    await rest_command(playground)
    await script.post("/faults", do="replay")
    interaction = await script.send("ping")
    first, second = await raw.until("INTERACTION_CREATE"), await raw.until("INTERACTION_CREATE")
    assert first["d"] == second["d"]
    assert first["d"]["id"] == interaction
    assert first["s"] != second["s"]
    await script.send("ping")
    await raw.until("INTERACTION_CREATE")
    with pytest.raises(TimeoutError):
        await raw.next(0.2)


async def test_an_interaction_comes_late(playground, script, dial):
    raw = await dial()
    await raw.identify()
    await rest_command(playground)
    await script.post("/faults", do="replay", after=0.4, twice=False)
    await script.send("ping")
    with pytest.raises(TimeoutError):
        await raw.next(0.2)
    await raw.until("INTERACTION_CREATE")


async def test_a_resume_gives_the_last_events_once_more(playground, script, dial):
    raw = await dial()
    session = await raw.identify()
    await rest_command(playground)
    interaction = await script.send("ping")
    heard = await raw.until("INTERACTION_CREATE")
    await script.post("/faults", do="replay", events=1)
    await script.post("/faults", do="abort")
    again = await dial()
    await again.resume(session, raw.seq)
    assert (await again.until("INTERACTION_CREATE"))["d"]["id"] == interaction
    assert (await again.until("RESUMED"))["s"] == heard["s"] + 1


async def rest_command(playground):
    """A command to run, synced as a bot would."""
    url = f"{playground.url}/api/v10/applications/{playground.world.bot.id}/commands"
    headers = {"Authorization": f"Bot {playground.token}"}
    body = [{"name": "ping", "description": "Ping", "type": 1}]
    async with aiohttp.ClientSession(headers=headers) as session, session.put(url, json=body) as answer:
        assert answer.status == 200
