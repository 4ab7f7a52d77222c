"""What happens to messages, channels, people and the server, as the real discord.py hears of it."""

from __future__ import annotations

import asyncio

import discord
import pytest

VIEW, SEND = 1 << 10, 1 << 11

HOSTILE_NAMES = [
    "@everyone",
    "**bold** `code` ||x||",
    "<@1> <#2> <t:0> </war board:1>",
    "\u202egnp.exe",
    "Z\u0351\u0300\u0345" + "\u0300" * 40,
    "🂡" * 32,
    "   ",
    "",
    "half\ud83d",
    "nul\x00nul",
]


@pytest.fixture
def heard(bot):
    """`await heard("GUILD_DELETE")` returns when discord.py has had such an event since the last call."""

    async def until(event, never=""):
        async with asyncio.timeout(5):
            while event not in bot.heard:  # noqa: ASYNC110 (its own events come after its cache has changed)
                await asyncio.sleep(0.01)
        assert never not in bot.heard
        bot.heard.clear()

    bot.heard.clear()
    return until


@pytest.fixture
async def fault(script):
    async def post(do, **fields):
        return await script.post("/faults", do=do, **fields)

    return post


@pytest.fixture
async def works(bot, script):
    """The rest of the playground is unharmed."""
    yield
    assert (await script.run("whisper"))["acked"]


# ---- messages and channels --------------------------------------------------------------------------------------


async def test_a_message_is_deleted(bot, script, fault, rest, works):
    reply = (await script.run("board"))["reply"]
    await fault("delete", message=reply["id"])
    assert await script.messages() == []
    status, body = await rest("PATCH", f"/channels/{reply['channel_id']}/messages/{reply['id']}", content="x")
    assert (status, body["code"]) == (404, 10008)
    assert (await script.call("POST", "/faults", do="delete", message=reply["id"]))[0] == 404


async def test_a_channel_is_deleted(bot, script, fault, rest, heard, works):
    channel = await script.channel("side-room")
    thread = await script.channel("thread of side-room")
    assert bot.get_channel(int(channel))
    await fault("delete", channel=channel)
    await heard("CHANNEL_DELETE")
    assert bot.get_channel(int(channel)) is None
    for gone in (channel, thread):
        status, body = await rest("POST", f"/channels/{gone}/messages", content="x")
        assert (status, body["code"]) == (404, 10003)


async def test_a_thread_is_deleted(bot, script, fault, rest, heard, works):
    thread = await script.channel("thread of side-room")
    await fault("delete", channel=thread)
    await heard("THREAD_DELETE")
    assert bot.get_guild(bot.guilds[0].id).get_thread(int(thread)) is None
    assert bot.get_channel(int(await script.channel("side-room")))


# ---- the server -------------------------------------------------------------------------------------------------


async def test_an_outage_of_the_server(bot, script, fault, rest, heard, works):
    attic = await script.channel("attic")
    await fault("server", state="unavailable")
    await heard("GUILD_DELETE")
    assert bot.guilds[0].unavailable
    assert (await rest("POST", f"/channels/{attic}/messages", content="x"))[0] == 503
    assert (await rest("GET", f"/guilds/{bot.guilds[0].id}"))[0] == 503
    body = {"user": await script.user("Alice"), "channel": attic, "command": "board"}
    status, answer = await script.call("POST", "/commands", **body)
    assert (status, "unavailable" in answer["error"]) == (409, True)
    made = await script.post("/channels", name="meanwhile")
    await fault("server", state="available")
    await heard("GUILD_CREATE", never="CHANNEL_CREATE")
    assert not bot.guilds[0].unavailable
    assert bot.get_channel(int(made["id"])), "the server comes back as it is now"


async def test_who_logs_in_during_an_outage_gets_the_server_afterwards(open_bot, fault, script):
    await fault("server", state="unavailable")
    bot = await open_bot()
    assert not bot.guilds or bot.guilds[0].unavailable
    joined = asyncio.ensure_future(bot.wait_for("guild_available", timeout=5))
    await asyncio.sleep(0)
    await fault("server", state="available")
    assert (await joined).name == "War Room"


async def test_the_bot_is_removed_and_invited_again(bot, script, fault, rest, heard, works):
    attic, guild = await script.channel("attic"), bot.guilds[0].id
    await fault("server", state="removed")
    await heard("GUILD_DELETE")
    assert list(bot.guilds) == []
    status, body = await rest("POST", f"/channels/{attic}/messages", content="x")
    assert (status, body["code"]) == (403, 50001)
    assert (await rest("GET", f"/guilds/{guild}"))[1]["code"] == 50001
    await fault("server", state="invited")
    await heard("GUILD_CREATE")
    assert [each.id for each in bot.guilds] == [guild]


async def test_a_deleted_server_does_not_come_back_but_another_may(bot, script, fault, rest, heard, works):
    attic, guild = await script.channel("attic"), bot.guilds[0].id
    await fault("server", state="deleted")
    await heard("GUILD_DELETE")
    assert list(bot.guilds) == []
    assert (await rest("POST", f"/channels/{attic}/messages", content="x"))[1]["code"] == 10003
    assert (await rest("GET", f"/guilds/{guild}"))[1]["code"] == 10004
    assert (await script.world())["server"]["state"] == "deleted"
    assert (await script.call("POST", "/start-over"))[0] == 409
    await fault("server", state="invited")
    await heard("GUILD_CREATE")
    assert [each.id for each in bot.guilds] != [guild]
    assert await script.channel("attic") != attic


@pytest.mark.parametrize(
    "path",
    [
        ["available"],
        ["invited"],
        ["unavailable", "unavailable"],
        ["unavailable", "invited"],
        ["removed", "unavailable"],
        ["removed", "available"],
        ["deleted", "removed"],
    ],
    ids=" ".join,
)
async def test_a_server_cannot_go_every_way(script, path):
    for state in path[:-1]:
        await script.post("/faults", do="server", state=state)
    status, answer = await script.call("POST", "/faults", do="server", state=path[-1])
    assert status == 409
    assert answer["error"]


# ---- people -----------------------------------------------------------------------------------------------------


async def test_a_member_leaves_and_joins_again(bot, script, fault, rest, works):
    message = (await script.run("board"))["reply"]["id"]
    bob = await script.user("Bob")
    await fault("member", user=bob, state="left")
    guild = (await script.world())["server"]["id"]
    assert (await rest("GET", f"/guilds/{guild}/members/{bob}"))[1]["code"] == 10007
    assert (await rest("GET", f"/users/{bob}"))[0] == 200
    status, answer = await script.call("POST", "/clicks", user=bob, message=message, custom_id="board:flip")
    assert (status, "has left" in answer["error"]) == (409, True)
    await fault("member", user=bob, state="joined")
    assert (await script.click(message, "board:flip", user="Bob"))["acked"]


async def test_who_has_left_is_a_user_but_no_member_in_an_option(bot, script, fault):
    bob = await script.user("Bob")
    await fault("member", user=bob, state="left")
    resolved = asyncio.ensure_future(bot.wait_for("interaction", timeout=5))
    await asyncio.sleep(0)
    await script.send("Challenge to War", target=bob)
    data = (await resolved).data["resolved"]
    assert bob in data["users"]
    assert "members" not in data


@pytest.mark.parametrize("name", HOSTILE_NAMES, ids=ascii)
@pytest.mark.parametrize("nick", [False, True], ids=["name", "nick"])
async def test_a_name_is_taken_as_it_is(bot, script, fault, works, name, nick):
    bob = await script.user("Bob")
    await fault("rename", user=bob, name=name, nick=nick)
    pressed = asyncio.ensure_future(bot.wait_for("interaction", timeout=5))
    await asyncio.sleep(0)
    alice = await script.user("Alice")
    body = {"user": bob, "channel": await script.channel("attic"), "command": "war challenge"}
    interaction = await script.post("/commands", **body, options={"opponent": alice})
    user = (await pressed).user
    assert (user.nick if nick else user.global_name) == ((name or None) if nick else name)
    assert (await script.result(interaction["interaction"]))["acked"]
    listed = next(each for each in (await script.world())["users"] if each["id"] == bob)
    assert listed["nick" if nick else "name"] == ((name or None) if nick else name)


# ---- permissions ------------------------------------------------------------------------------------------------


async def test_a_permission_is_lost_and_restored_in_a_channel(bot, script, fault, rest, heard, works):
    attic = await script.channel("attic")
    await fault("permissions", channel=attic, lose=["SEND_MESSAGES"])
    await heard("CHANNEL_UPDATE")
    channel = bot.get_channel(int(attic))
    assert not channel.permissions_for(channel.guild.me).send_messages
    assert (await rest("POST", f"/channels/{attic}/messages", content="x"))[1]["code"] == 50013
    pressed = asyncio.ensure_future(bot.wait_for("interaction", timeout=5))
    await asyncio.sleep(0)
    await script.send("whisper")
    assert not (await pressed).app_permissions.send_messages
    await fault("permissions", channel=attic, gain=["SEND_MESSAGES"])
    await heard("CHANNEL_UPDATE")
    assert (await rest("POST", f"/channels/{attic}/messages", content="x"))[0] == 200


async def test_a_permission_is_lost_and_restored_in_the_whole_server(bot, script, fault, rest, heard, works):
    attic = await script.channel("attic")
    await fault("permissions", lose=["VIEW_CHANNEL"])
    await heard("GUILD_ROLE_UPDATE")
    channel = bot.get_channel(int(attic))
    assert not channel.permissions_for(channel.guild.me).view_channel
    assert (await rest("POST", f"/channels/{attic}/messages", content="x"))[1]["code"] == 50001
    await fault("permissions", gain=["VIEW_CHANNEL"])
    await heard("GUILD_ROLE_UPDATE")
    assert (await rest("POST", f"/channels/{attic}/messages", content="x"))[0] == 200


async def test_permissions_as_a_bit_set_and_by_names_that_are_none(script, fault):
    attic = await script.channel("attic")
    assert (await fault("permissions", channel=attic, permissions=VIEW | SEND))["permissions"] == str(VIEW | SEND)
    status, answer = await script.call("POST", "/faults", do="permissions", channel=attic, lose=["SING"])
    assert (status, "SEND_MESSAGES" in answer["error"]) == (400, True)


# ---- threads ----------------------------------------------------------------------------------------------------


@pytest.fixture
async def thread(playground):
    return playground.world.channel_named("thread of side-room")


async def test_sending_opens_an_archived_thread(bot, fault, rest, heard, thread, works):
    await fault("thread", channel=thread.id, archived=True)
    await heard("THREAD_UPDATE")
    assert (await rest("GET", f"/guilds/{bot.guilds[0].id}/threads/active"))[1]["threads"] == []
    assert (await rest("POST", f"/channels/{thread.id}/messages", content="x"))[0] == 200
    await heard("THREAD_UPDATE")
    assert not thread.archived


@pytest.mark.parametrize(("archived", "code"), [(True, 50083), (False, 160005)])
async def test_nobody_sends_to_a_locked_thread_without_the_permission(fault, rest, thread, archived, code):
    await fault("thread", channel=thread.id, archived=archived, locked=True)
    status, body = await rest("POST", f"/channels/{thread.id}/messages", content="x")
    assert (status, body["code"]) == (403, code)
    await fault("permissions", channel=thread.parent_id, gain=["MANAGE_THREADS"])
    assert (await rest("POST", f"/channels/{thread.id}/messages", content="x"))[0] == 200


async def test_a_message_in_an_archived_thread_cannot_be_edited_by_its_id(fault, rest, thread):
    message = (await rest("POST", f"/channels/{thread.id}/messages", content="x"))[1]["id"]
    await fault("thread", channel=thread.id, archived=True)
    one = f"/channels/{thread.id}/messages/{message}"
    assert (await rest("PATCH", one, content="y"))[1]["code"] == 50083
    assert (await rest("PATCH", f"/channels/{thread.id}", archived=False))[0] == 200
    assert (await rest("PATCH", one, content="y"))[0] == 200
    assert (await rest("PATCH", f"/channels/{thread.id}", locked=True))[1]["code"] == 50013


async def test_an_answer_in_public_opens_an_archived_thread(bot, script, fault, thread):
    await fault("thread", channel=thread.id, archived=True)
    assert (await script.run("whisper", channel=thread.name))["acked"]
    assert thread.archived, "a private answer leaves it alone"
    assert (await script.run("board", channel=thread.name))["acked"]
    assert not thread.archived


async def test_an_answer_in_public_is_refused_in_a_locked_thread(bot, script, fault, thread, works):
    board = (await script.run("board", channel=thread.name))["reply"]["id"]
    await fault("thread", channel=thread.id, archived=True, locked=True)
    bot.gate.set()
    await script.send("late", channel=thread.name)
    assert await bot.refusal() == 50083
    interaction = await script.press(board, "board:flip")
    refused = await script.result(interaction, wait=0)
    assert not refused["acked"]
    assert (await script.run("whisper", channel=thread.name))["acked"], "a private answer gets through"


async def test_only_threads_are_archived(script):
    attic = await script.channel("attic")
    assert (await script.call("POST", "/faults", do="thread", channel=attic, archived=True))[0] == 400


async def test_a_thread_of_ones_own(bot, script, heard):
    attic = await script.channel("attic")
    made = await script.post("/channels", name="rainy day", parent=attic)
    await heard("THREAD_CREATE")
    thread = bot.guilds[0].get_thread(int(made["id"]))
    assert isinstance(thread, discord.Thread)
    assert (made["type"], made["parent_id"]) == (11, attic)
    assert (await script.run("board", channel="rainy day"))["acked"]
    assert (await script.call("POST", "/channels", name="deeper", parent=made["id"]))[0] == 400
