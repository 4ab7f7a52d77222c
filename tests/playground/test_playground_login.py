"""Logging in, and what the gateway says at the start."""

import asyncio
import importlib.util
import json
import zlib

import aiohttp
import discord
import pytest


async def receive(socket):
    """The next frame that is no heartbeat's acknowledgement."""
    while True:
        frame = await socket.receive_json(timeout=5)
        if frame["op"] != 11:
            return frame


async def closing_code(socket):
    while True:
        message = await socket.receive(timeout=5)
        if message.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED):
            return socket.close_code


@pytest.fixture
async def gateway(playground):
    """A raw socket to the gateway that has read HELLO."""
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(playground.gateway.url + "?v=10&encoding=json") as socket,
    ):
        hello = await receive(socket)
        assert hello["op"] == 10
        assert hello["d"]["heartbeat_interval"] > 0
        yield socket


def identify(token, intents=1, **more):
    return {"op": 2, "d": {"token": token, "intents": intents, "properties": {}, **more}}


async def test_discord_py_logs_in_and_finds_the_server(bot, playground):
    guild = bot.guilds[0]
    assert bot.user.name == "War"
    assert guild.name == "War Room"
    assert [channel.name for channel in guild.text_channels] == ["the-table", "side-room", "attic"]
    assert [thread.name for thread in guild.threads] == ["thread of side-room"]
    assert guild.threads[0].parent.name == "side-room"
    assert guild.owner_id == int(playground.world.owner.id)
    assert list(guild.members) == [guild.me], "without the privileged intent a bot sees no other member"


async def test_discord_py_asks_for_members_channels_and_itself(bot, playground):
    alice = playground.world.owner
    guild = bot.guilds[0]
    assert (await guild.fetch_member(int(alice.id))).display_name == "Alice"
    assert (await bot.fetch_user(int(alice.id))).global_name == "Alice"
    assert (await bot.fetch_guild(guild.id)).name == "War Room"
    assert (await bot.fetch_channel(guild.threads[0].id)).name == "thread of side-room"
    assert len(await guild.fetch_channels()) == 3
    assert len(await guild.fetch_roles()) == 1
    assert (await bot.application_info()).owner.name == "alice"
    with pytest.raises(discord.NotFound):
        await guild.fetch_member(1)


async def test_a_sharded_client_asks_where_the_gateway_is(playground, monkeypatch):
    monkeypatch.setattr(discord.http.Route, "BASE", playground.url + "/api/v10")
    client = discord.AutoShardedClient(intents=discord.Intents(guilds=True))
    running = asyncio.create_task(client.start(playground.token))
    await playground.until_connected(10)
    async with asyncio.timeout(10):
        await client.wait_until_ready()
    assert (client.shard_count, len(client.guilds)) == (1, 1)
    await client.close()
    await running


async def test_commands_keep_their_ids_when_synced_again(bot, playground):
    before = {name: (c["id"], c["version"]) for name, c in ((c["name"], c) for c in playground.commands.all())}
    assert {"war", "board", "Challenge to War"} <= set(before)
    await bot.tree.sync()
    after = {c["name"]: (c["id"], c["version"]) for c in playground.commands.all()}
    assert after == before, "nothing changed, so neither id nor version may"
    bot.tree.remove_command("board")
    await bot.tree.sync()
    assert "board" not in {c["name"] for c in playground.commands.all()}


async def test_a_servers_own_commands_stand_beside_the_global_ones(bot, playground):
    guild = bot.guilds[0]
    bot.tree.copy_global_to(guild=guild)
    synced = await bot.tree.sync(guild=guild)
    assert {c.name for c in synced} == {c["name"] for c in playground.commands.all(str(guild.id))}
    assert len(playground.world.commands) == 2 * len(synced)


async def test_a_wrong_token_is_a_login_failure(open_bot):
    with pytest.raises(discord.LoginFailure):
        await open_bot(token="wrong")


async def test_privileged_intents_were_never_switched_on(open_bot):
    with pytest.raises(discord.PrivilegedIntentsRequired):
        await open_bot(guilds=True, members=True)


async def test_the_gateway_closes_on_a_wrong_token(gateway):
    await gateway.send_json(identify("wrong"))
    assert await closing_code(gateway) == 4004


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("no json", 4002),
        ("[]", 4002),
        ('{"d": 1}', 4002),
        ('{"op": 99}', 4001),
        ('{"op": 3, "d": {}}', 4003),
        ('{"op": 2, "d": 5}', 4002),
        ("x" * 5000, 4002),
    ],
)
async def test_the_gateway_closes_on_nonsense(gateway, frame, code):
    await gateway.send_str(frame)
    assert await closing_code(gateway) == code


@pytest.mark.parametrize(
    ("more", "code"),
    [({"intents": -1}, 4013), ({"intents": "all"}, 4013), ({"shard": [2, 2]}, 4010), ({"intents": 2}, 4014)],
)
async def test_the_gateway_closes_on_what_it_cannot_grant(gateway, playground, more, code):
    await gateway.send_json(identify(playground.token, **more))
    assert await closing_code(gateway) == code


async def test_heartbeats_are_acknowledged(gateway):
    await gateway.send_json({"op": 1, "d": None})
    assert (await gateway.receive_json(timeout=5))["op"] == 11


async def test_ready_comes_before_the_server(gateway, playground):
    await gateway.send_json(identify(playground.token))
    ready = await receive(gateway)
    guild = await receive(gateway)
    assert (ready["t"], ready["s"], ready["d"]["guilds"][0]["unavailable"]) == ("READY", 1, True)
    assert (guild["t"], guild["s"], guild["d"]["id"]) == ("GUILD_CREATE", 2, playground.world.guild_id)


async def test_identifying_twice_closes(gateway, playground):
    await gateway.send_json(identify(playground.token))
    await gateway.send_json(identify(playground.token))
    assert await closing_code(gateway) == 4005


async def test_a_server_belongs_to_one_shard(gateway, playground):
    shard = (int(playground.world.guild_id) >> 22) % 2
    await gateway.send_json(identify(playground.token, shard=[1 - shard, 2]))
    assert (await receive(gateway))["t"] == "READY"
    playground.channels.add_user("Gwen")
    playground.channels.add_or_change("elsewhere")
    await gateway.send_json({"op": 1, "d": None})
    assert (await gateway.receive_json(timeout=5))["op"] == 11, "no event of the server came in between"


async def test_zlib_stream_is_one_stream_over_all_frames(playground):
    url = playground.gateway.url + "?v=10&encoding=json&compress=zlib-stream"
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
        stream = zlib.decompressobj()
        hello = await socket.receive_bytes(timeout=5)
        assert hello.endswith(b"\x00\x00\xff\xff")
        assert json.loads(stream.decompress(hello))["op"] == 10
        await socket.send_json(identify(playground.token))
        events = [json.loads(stream.decompress(await socket.receive_bytes(timeout=5)))["t"] for _ in range(2)]
        assert events == ["READY", "GUILD_CREATE"]


@pytest.mark.skipif(importlib.util.find_spec("zstandard") is None, reason="the package zstandard is not here")
async def test_zstd_stream_is_one_stream_over_all_frames(playground):
    import zstandard

    url = playground.gateway.url + "?v=10&encoding=json&compress=zstd-stream"
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
        stream = zstandard.ZstdDecompressor().decompressobj()
        assert json.loads(stream.decompress(await socket.receive_bytes(timeout=5)))["op"] == 10
        await socket.send_json(identify(playground.token))
        assert json.loads(stream.decompress(await socket.receive_bytes(timeout=5)))["t"] == "READY"


async def test_an_unknown_compression_is_refused_with_a_sentence(playground):
    async with (
        aiohttp.ClientSession() as session,
        session.get(playground.url + "/gateway?compress=lzma") as response,
    ):
        assert response.status == 400
        assert "zlib-stream" in (await response.json())["message"]


async def test_message_events_need_their_intent(open_bot, script, playground):
    deaf = await open_bot(guilds=True)
    await script.run("board")
    assert "MESSAGE_CREATE" not in deaf.heard
    await deaf.close()
    listening = await open_bot(guilds=True, guild_messages=True)
    result = await script.run("board")
    await script.click(result["reply"]["id"], "board:flip")
    await script.run("whisper")
    # INTERACTION_CREATE of the last command came after all events of the first two.
    heard = [event for event in listening.heard if event.startswith("MESSAGE")]
    assert heard == ["MESSAGE_CREATE", "MESSAGE_UPDATE"], "and nothing of the ephemeral message"
