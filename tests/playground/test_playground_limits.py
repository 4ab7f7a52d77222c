"""What Discord counts: requests per bucket and in all, edits of old messages, logins, frames, bytes of a file."""

from __future__ import annotations

import json
import time

import aiohttp
import pytest

from playground import DISCORD_LIMITS, Limits, Playground


@pytest.fixture
async def open_limited(clock):
    """Opens a playground and a session for raw requests to it: `await open_limited(limits=...)`."""
    opened = []

    async def opener(**options):
        playground = await Playground(**{"scene": False, "clock": clock, **options}).__aenter__()
        opened.append(playground)
        session = aiohttp.ClientSession(playground.url, headers={"Authorization": f"Bot {playground.token}"})
        opened.append(session)
        return playground, session

    yield opener
    for each in reversed(opened):
        await each.__aexit__(None, None, None)


async def send(session, channel, **body):
    async with session.post(f"/api/v10/channels/{channel.id}/messages", json=body or {"content": "x"}) as answer:
        return answer.status, answer.headers, await answer.json()


async def log_in(playground):
    """Identifies a raw client; returns its first frame after HELLO, or the code with which it was closed."""
    async with aiohttp.ClientSession() as session, session.ws_connect(playground.gateway.url) as socket:
        await socket.receive_str(timeout=3)
        await socket.send_json({"op": 2, "d": {"token": playground.token, "intents": 1, "properties": {}}})
        message = await socket.receive(timeout=3)
        return json.loads(message.data) if message.type is aiohttp.WSMsgType.TEXT else socket.close_code


# ---- requests ---------------------------------------------------------------------------------------------------


async def test_nobody_is_slowed_down_unless_asked_for(rest, playground):
    attic = playground.world.channel_named("attic")
    said = [(await rest("POST", f"/channels/{attic.id}/messages", content="x"))[0] for _ in range(12)]
    assert said == [200] * 12


async def test_a_bucket_of_five_sends_a_channel(open_limited, clock):
    playground, session = await open_limited(limits=DISCORD_LIMITS)
    attic, side = (playground.world.channel_named(name) for name in ("attic", "side-room"))
    remaining = []
    for _ in range(5):
        status, headers, _ = await send(session, attic)
        assert (status, headers["X-RateLimit-Limit"]) == (200, "5")
        assert 0 < float(headers["X-RateLimit-Reset-After"]) <= 5
        assert abs(float(headers["X-RateLimit-Reset"]) - time.time()) < 6
        remaining.append(headers["X-RateLimit-Remaining"])
    assert remaining == ["4", "3", "2", "1", "0"]

    status, refused, body = await send(session, attic)
    assert (status, refused["X-RateLimit-Scope"], refused["X-RateLimit-Remaining"]) == (429, "user", "0")
    assert 0 < body["retry_after"] <= 5
    assert body["global"] is False
    assert len(attic.messages) == 5
    status, other, _ = await send(session, side)
    assert status == 200, "another channel has a bucket of its own"
    assert other["X-RateLimit-Bucket"] == headers["X-RateLimit-Bucket"], "of the same name"
    clock.move(5.1)
    assert (await send(session, attic))[0] == 200


async def test_edits_have_a_bucket_of_their_own(open_limited):
    playground, session = await open_limited(limits=DISCORD_LIMITS)
    attic = playground.world.channel_named("attic")
    message = (await send(session, attic))[2]["id"]
    said = []
    for number in range(6):
        url = f"/api/v10/channels/{attic.id}/messages/{message}"
        async with session.patch(url, json={"content": str(number)}) as answer:
            said.append(answer.status)
    assert said == [200] * 5 + [429]
    assert (await send(session, attic))[0] == 200


async def test_fifty_requests_a_second_in_all(open_limited):
    now = [1000.0]  # stands still, however slow the machine
    _, session = await open_limited(limits=DISCORD_LIMITS, clock=lambda: now[0])
    said = []
    for _ in range(51):
        async with session.get("/api/v10/users/@me") as answer:
            said.append(answer.status)
    assert said == [200] * 50 + [429]
    assert answer.headers["X-RateLimit-Global"] == "true"
    now[0] += 1.1
    async with session.get("/api/v10/users/@me") as answer:
        assert answer.status == 200


async def test_limits_of_ones_own_and_limits_while_a_fault_stands(open_limited, playground, rest):
    own, session = await open_limited(limits=Limits(routes=(), overall=2))
    attic = own.world.channel_named("attic")
    assert [(await send(session, attic))[0] for _ in range(3)] == [200, 200, 429]

    attic = playground.world.channel_named("attic")
    fault = playground.faults.add("limits")
    said = [(await rest("POST", f"/channels/{attic.id}/messages", content="x"))[0] for _ in range(6)]
    assert said == [200] * 5 + [429]
    playground.faults.remove(fault["id"])
    assert (await rest("POST", f"/channels/{attic.id}/messages", content="x"))[0] == 200


async def test_discord_py_keeps_within_the_limits_by_the_headers(bot, playground, script):
    """It waits by itself before the sixth, so that no 429 is ever said."""
    playground.faults.add("limits")
    channel = bot.get_channel(int(await script.channel("attic")))
    began = time.perf_counter()
    for _ in range(6):
        await channel.send("x")
    assert time.perf_counter() - began > 4
    assert [each.status for each in playground.rest.exchanges if each.path.endswith("/messages")] == [200] * 6


# ---- old messages, large files ----------------------------------------------------------------------------------


async def test_edits_of_a_message_older_than_an_hour_are_capped(playground, rest, script):
    attic = playground.world.channel_named("attic")
    message = (await rest("POST", f"/channels/{attic.id}/messages", content="x"))[1]["id"]

    async def edit():
        return await rest("PATCH", f"/channels/{attic.id}/messages/{message}", content="y")

    assert [(await edit())[0] for _ in range(10)] == [200] * 10, "a young one may be edited at will"
    await script.post("/faults", do="clock", by=3601)
    assert [(await edit())[0] for _ in range(3)] == [200] * 3
    status, body = await edit()
    assert (status, body["code"], body["retry_after"]) == (429, 30046, 1.0)
    fresh = (await rest("POST", f"/channels/{attic.id}/messages", content="x"))[1]["id"]
    assert (await rest("PATCH", f"/channels/{attic.id}/messages/{fresh}", content="y"))[0] == 200
    await script.post("/faults", do="clock", by=3601)
    assert (await edit())[0] == 200


async def test_a_file_over_the_limit_is_refused_and_the_limit_is_told(open_limited):
    playground, session = await open_limited(attachment_limit=1000)
    attic = playground.world.channel_named("attic")
    for size, status in ((1000, 200), (1001, 413)):
        form = aiohttp.FormData({"payload_json": "{}"}, quote_fields=False)
        form.add_field("files[0]", b"x" * size, filename="a.txt")
        async with session.post(f"/api/v10/channels/{attic.id}/messages", data=form) as answer:
            assert answer.status == status
    playground.commands.put({"name": "plain", "description": "A plain command"})
    interaction = playground.people.run_command(playground.world.owner.id, attic.id, "plain", {})
    assert interaction.payload["attachment_size_limit"] == 1000


# ---- the gateway ------------------------------------------------------------------------------------------------


async def test_session_starts_are_used_up_and_come_back_after_a_day(open_limited, clock):
    playground, session = await open_limited(session_starts=2)

    async def limit():
        async with session.get("/api/v10/gateway/bot") as answer:
            return (await answer.json())["session_start_limit"]

    assert await limit() == {"total": 2, "remaining": 2, "reset_after": 0, "max_concurrency": 1}
    for left in (1, 0):
        assert (await log_in(playground))["t"] == "READY"
        assert (await limit())["remaining"] == left
    assert 0 < (await limit())["reset_after"] <= 86_400_000
    assert await log_in(playground) == 4004
    clock.move(86_401)
    assert (await log_in(playground))["t"] == "READY"


async def test_session_starts_can_be_set(playground, script):
    answer = await script.post("/faults", do="starts", remaining=0)
    assert answer["limit"]["remaining"] == 0
    assert await log_in(playground) == 4004
    await script.post("/faults", do="starts", remaining=1)
    assert (await log_in(playground))["t"] == "READY"


async def test_two_logins_within_five_seconds_are_one_too_many(open_limited, clock):
    playground, _ = await open_limited(limits=DISCORD_LIMITS)
    assert (await log_in(playground))["t"] == "READY"
    second = await log_in(playground)
    assert (second["op"], second["d"]) == (9, False)
    clock.move(5.1)
    assert (await log_in(playground))["t"] == "READY"


async def test_more_than_120_frames_a_minute_close_the_connection(open_limited):
    playground, _ = await open_limited(limits=DISCORD_LIMITS)
    async with aiohttp.ClientSession() as session, session.ws_connect(playground.gateway.url) as socket:
        for _ in range(121):
            await socket.send_json({"op": 1, "d": None})
        while (await socket.receive(timeout=3)).type is aiohttp.WSMsgType.TEXT:
            pass
        assert socket.close_code == 4008


async def test_the_heartbeat_interval_can_be_set(open_limited):
    playground, _ = await open_limited(heartbeat=0.2)
    async with aiohttp.ClientSession() as session, session.ws_connect(playground.gateway.url) as socket:
        hello = json.loads(await socket.receive_str(timeout=3))
        assert hello["d"]["heartbeat_interval"] == 200
        assert (await socket.receive(timeout=3)).type is aiohttp.WSMsgType.CLOSE, "no heartbeat came"
        assert socket.close_code == 4009
