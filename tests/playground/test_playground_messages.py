"""Messages by REST: what Discord stores, refuses and repeats."""

import asyncio
import io
from urllib.parse import quote

import discord
import pytest

from playground import permissions as bits


@pytest.fixture
def attic(playground):
    return playground.world.channel_named("attic")


@pytest.fixture
def refused(playground, rest, attic):
    """Posts a body that must be refused with 50035, and returns the paths of the faults."""

    async def post(**body):
        status, answer = await rest("POST", f"/channels/{attic.id}/messages", **body)
        assert (status, answer["code"]) == (400, 50035), answer
        assert any(v.side == "rule" for v in playground.violations)
        playground.violations.clear()
        assert attic.messages == {}
        return str(answer["errors"])

    return post


def button(custom_id="a", label="Press", **more):
    return {"type": 2, "style": 1, "label": label, "custom_id": custom_id, **more}


def row(*children):
    return {"type": 1, "components": list(children)}


def text(content="hello"):
    return {"type": 10, "content": content}


V2 = 1 << 15


async def test_the_bot_writes_edits_replies_and_deletes(bot, script):
    channel = discord.utils.get(bot.guilds[0].text_channels, name="attic")
    first = await channel.send("one", file=discord.File(io.BytesIO(b"abc"), "a b.txt", description="letters"))
    answer = await first.reply("two")
    await first.edit(content="one!", attachments=[])
    shown = await script.messages()
    assert [(m["content"], m["type"]) for m in shown] == [("one!", 0), ("two", 19)]
    assert shown[0]["edited_timestamp"]
    assert shown[0]["attachments"] == []
    assert shown[1]["message_reference"]["message_id"] == str(first.id)
    assert answer.reference.message_id == first.id
    await first.delete()
    with pytest.raises(discord.NotFound):
        await channel.fetch_message(first.id)
    assert [message.id async for message in channel.history()] == [answer.id]


async def test_history_is_read_around_before_and_after(bot):
    channel = discord.utils.get(bot.guilds[0].text_channels, name="attic")
    sent = [await channel.send(str(number)) for number in range(6)]

    async def contents(**window):
        return [message.content async for message in channel.history(**window)]

    assert await contents() == ["5", "4", "3", "2", "1", "0"]
    assert await contents(limit=2) == ["5", "4"]
    assert await contents(before=sent[3], limit=2) == ["2", "1"]
    assert await contents(after=sent[3]) == ["4", "5"]
    assert await contents(around=sent[3], limit=3) == ["4", "3", "2"]


async def test_a_file_keeps_its_name_description_and_bytes(bot, script):
    channel = discord.utils.get(bot.guilds[0].text_channels, name="attic")
    await channel.send(file=discord.File(io.BytesIO(b"abc"), "a b.txt", description="letters"))
    (attachment,) = (await script.messages())[0]["attachments"]
    assert (attachment["filename"], attachment["description"], attachment["size"]) == (
        "a b.txt",
        "letters",
        3,
    )
    async with script.session.get(attachment["url"]) as response:
        assert await response.read() == b"abc"


async def test_an_uploaded_page_is_a_download_and_never_runs(bot, script):
    channel = discord.utils.get(bot.guilds[0].text_channels, name="attic")
    await channel.send(file=discord.File(io.BytesIO(b"<script>"), "x.html"))
    (attachment,) = (await script.messages())[0]["attachments"]
    async with script.session.get(attachment["url"]) as response:
        assert response.content_type == "application/octet-stream"
        assert response.headers["Content-Disposition"] == "attachment"
        assert "sandbox" in response.headers["Content-Security-Policy"]


async def test_a_file_that_is_too_large_is_refused(bot):
    channel = discord.utils.get(bot.guilds[0].text_channels, name="attic")
    with pytest.raises(discord.HTTPException) as raised:
        await channel.send(file=discord.File(io.BytesIO(bytes(10 * 1024 * 1024 + 1)), "big.bin"))
    assert (raised.value.status, raised.value.code) == (413, 40005)


async def test_a_nonce_posts_once(bot, attic, clock):
    channel = discord.utils.get(bot.guilds[0].text_channels, name="attic")
    first = await channel.send("once", nonce=7)
    second = await channel.send("twice", nonce=7)
    assert (second.id, second.content) == (first.id, "once")
    assert (await channel.send("other", nonce=8)).id != first.id
    clock.move(301)
    assert (await channel.send("later", nonce=7)).id != first.id
    assert len(attic.messages) == 3


async def test_without_enforcement_a_nonce_is_only_a_note(rest, attic):
    for _ in range(2):
        status, answer = await rest("POST", f"/channels/{attic.id}/messages", content="x", nonce="n")
        assert (status, answer["nonce"]) == (200, "n")
    assert len(attic.messages) == 2


@pytest.mark.parametrize(
    ("allowed", "pinged"),
    [
        (None, ["Alice", "Bob"]),
        ({"parse": ["users"]}, ["Alice", "Bob"]),
        ({"parse": []}, []),
        ({"users": ["bob"]}, ["Bob"]),
        ({"parse": ["roles", "everyone"]}, []),
    ],
)
@pytest.mark.parametrize("v2", [False, True])
async def test_mentions_ping_whom_they_may(playground, rest, attic, allowed, pinged, v2):
    alice, bob = list(playground.world.users.values())[:2]
    if allowed and "users" in allowed:
        allowed = {"users": [bob.id]}
    words = f"<@{alice.id}> <@!{bob.id}> <@{alice.id}> <@1>"
    body = {"components": [text(words)], "flags": V2} if v2 else {"content": words}
    if allowed is not None:
        body["allowed_mentions"] = allowed
    watcher, _ = playground.events.watch(frozenset())
    _, answer = await rest("POST", f"/channels/{attic.id}/messages", **body)
    assert [user["global_name"] for user in answer["mentions"]] == pinged
    _, event = watcher.queue.get_nowait()
    assert len(event["pings"]) == len(pinged)
    await rest("PATCH", f"/channels/{attic.id}/messages/{answer['id']}", **body)
    assert watcher.queue.get_nowait()[1]["pings"] == [], "an edit pings nobody"


async def test_a_custom_id_comes_once_in_a_message(refused):
    assert "DUPLICATED" in await refused(components=[row(button("a"), button("a"))], content="x")
    nested = {"type": 17, "components": [row(button("a"))]}
    assert "DUPLICATED" in await refused(components=[row(button("a")), nested], flags=V2)


async def test_a_row_holds_five_buttons_or_one_select(refused):
    six = row(*(button(str(number)) for number in range(6)))
    assert "BASE_TYPE_BAD_LENGTH" in await refused(components=[six], content="x")
    select = {"type": 3, "custom_id": "s", "options": [{"label": "a", "value": "a"}]}
    assert "WIDTH_EXCEEDED" in await refused(components=[row(button("b"), select)], content="x")
    assert "BASE_TYPE_BAD_LENGTH" in await refused(components=[row()], content="x")


@pytest.mark.parametrize(
    "component",
    [
        button("x" * 101),
        button(label="x" * 81),
        {"type": 2, "style": 1, "custom_id": "a"},
        {"type": 2, "style": 1, "label": "no id"},
        {"type": 2, "style": 5, "label": "link"},
        {"type": 2, "style": 5, "label": "link", "url": "https://example.org", "custom_id": "a"},
        button(url="https://example.org"),
        {"type": 3, "custom_id": "s", "options": []},
        {"type": 3, "custom_id": "s", "options": [{"label": "a", "value": "a"}] * 2},
        {"type": 3, "custom_id": "s", "options": [{"label": "a", "value": "a"}], "max_values": 2},
    ],
)
async def test_a_button_or_select_has_its_bounds(refused, component):
    await refused(components=[row(component)], content="x")


async def test_components_v2_stand_alone(refused):
    assert "LEGACY_FIELDS" in await refused(content="x", components=[text()], flags=V2)
    assert "LEGACY_FIELDS" in await refused(embeds=[{"title": "x"}], components=[text()], flags=V2)
    assert "UNION_TYPE_CHOICES" in await refused(content="x", components=[text()])


async def test_components_v2_have_a_size(refused, rest, attic):
    forty = [{"type": 17, "components": [text() for _ in range(39)]}]
    status, answer = await rest("POST", f"/channels/{attic.id}/messages", components=forty, flags=V2)
    assert status == 200
    await rest("DELETE", f"/channels/{attic.id}/messages/{answer['id']}")
    assert "MAX_TOTAL" in await refused(components=[*forty, text()], flags=V2)
    long = [text("x" * 2001), text("x" * 2000)]
    assert "TEXT_SIZE" in await refused(components=long, flags=V2)


async def test_a_section_and_a_container_hold_what_they_may(refused):
    section = {"type": 9, "components": [text()] * 4, "accessory": button()}
    assert "BASE_TYPE_BAD_LENGTH" in await refused(components=[section], flags=V2)
    section = {"type": 9, "components": [text()], "accessory": text()}
    assert "UNION_TYPE_CHOICES" in await refused(components=[section], flags=V2)
    nested = {"type": 17, "components": [{"type": 17, "components": [text()]}]}
    assert "UNION_TYPE_CHOICES" in await refused(components=[nested], flags=V2)


async def test_a_picture_that_was_not_sent_is_not_found(refused, playground):
    gallery = {"type": 12, "items": [{"media": {"url": "attachment://none.png"}}]}
    assert "ATTACHMENT_NOT_FOUND" in await refused(components=[gallery], flags=V2)
    assert playground.world.files == {}


@pytest.mark.parametrize(
    "body",
    [
        {"content": 5},
        {"content": "x" * 2001},
        {"content": "x", "nonce": "x" * 26},
        {"content": "x", "components": "none"},
        {"content": "x", "components": [5]},
        {"content": "x", "components": [{"type": 1, "components": [7]}]},
        {"content": "x", "components": [{"type": 1, "components": {"a": 1}}]},
        {"components": [{"type": 12, "items": [{"media": 3}]}], "flags": V2},
        {"components": [{"type": 9, "components": [text()], "accessory": "x"}], "flags": V2},
        {"content": "x", "flags": "many"},
        {"content": "x", "allowed_mentions": []},
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        {"content": "x", "embeds": [1]},
        {"content": "x", "embeds": [{}] * 11},
        {"content": "x", "message_reference": {"message_id": "1"}},
    ],
)
async def test_a_malformed_message_is_refused(refused, body):
    await refused(**body)


async def test_an_empty_message_is_refused(rest, attic, playground):
    status, answer = await rest("POST", f"/channels/{attic.id}/messages", content="")
    assert (status, answer["code"]) == (400, 50006)
    playground.violations.clear()


async def test_what_was_v2_stays_v2(rest, attic, playground):
    path = f"/channels/{attic.id}/messages"
    _, message = await rest("POST", path, components=[text("one")], flags=V2)
    _, edited = await rest("PATCH", f"{path}/{message['id']}", components=[text("two")])
    assert edited["flags"] == V2
    status, _ = await rest("PATCH", f"{path}/{message['id']}", content="words")
    assert status == 400
    playground.violations.clear()


async def test_an_edit_leaves_alone_what_it_does_not_name(rest, attic):
    path = f"/channels/{attic.id}/messages"
    _, message = await rest("POST", path, content="one", components=[row(button())], flags=4)
    _, edited = await rest("PATCH", f"{path}/{message['id']}", content="two")
    assert (edited["components"], edited["flags"]) == (message["components"], 4)
    assert (await rest("PATCH", f"{path}/{message['id']}", flags=0))[1]["flags"] == 0


@pytest.mark.parametrize(
    ("lacking", "method", "path", "body", "code"),
    [
        (bits.VIEW_CHANNEL, "POST", "/messages", {"content": "x"}, 50001),
        (bits.VIEW_CHANNEL, "GET", "", None, 50001),
        (bits.VIEW_CHANNEL, "GET", "/messages", None, 50001),
        (bits.SEND_MESSAGES, "POST", "/messages", {"content": "x"}, 50013),
        (bits.READ_MESSAGE_HISTORY, "GET", "/messages", None, 50013),
    ],
)
async def test_a_missing_permission_is_refused(playground, rest, attic, lacking, method, path, body, code):
    playground.channels.set_permissions(attic, bits.EVERYONE & ~lacking)
    status, answer = await rest(method, f"/channels/{attic.id}{path}", body)
    assert (status, answer["code"]) == (403, code)
    playground.channels.set_permissions(attic, bits.ADMINISTRATOR)
    status, answer = await rest(method, f"/channels/{attic.id}{path}", body)
    assert status == 200


async def test_attaching_needs_its_permission(bot, playground, attic):
    playground.channels.set_permissions(attic, bits.EVERYONE & ~bits.ATTACH_FILES)
    channel = await bot.fetch_channel(int(attic.id))
    with pytest.raises(discord.Forbidden) as raised:
        await channel.send(file=discord.File(io.BytesIO(b"x"), "x.txt"))
    assert raised.value.code == 50013


async def test_a_thread_has_its_channels_permissions_and_one_of_its_own(playground, rest):
    side_room = playground.world.channel_named("side-room")
    thread = playground.world.channel_named("thread of side-room")
    path = f"/channels/{thread.id}/messages"
    playground.channels.set_permissions(side_room, bits.EVERYONE & ~bits.SEND_MESSAGES)
    assert (await rest("POST", path, content="in the thread"))[0] == 200
    playground.channels.set_permissions(side_room, bits.EVERYONE & ~bits.SEND_MESSAGES_IN_THREADS)
    assert (await rest("POST", path, content="x"))[1]["code"] == 50013


async def test_discord_py_sees_a_channels_changed_permissions(bot, playground, attic):
    changed = asyncio.ensure_future(bot.wait_for("guild_channel_update", timeout=5))
    await asyncio.sleep(0)
    playground.channels.set_permissions(attic, bits.VIEW_CHANNEL)
    _, channel = await changed
    assert channel.permissions_for(channel.guild.me).value == bits.VIEW_CHANNEL


async def test_somebody_elses_message_is_not_edited(playground, rest, attic):
    draft = playground.messages.draft({"content": "mine"}, [])
    message = playground.messages.create(attic, draft, extra={"author": {"id": playground.world.owner.id}})
    path = f"/channels/{attic.id}/messages/{message.id}"
    assert (await rest("PATCH", path, content="yours"))[1]["code"] == 50005
    assert (await rest("DELETE", path))[1]["code"] == 50013


@pytest.mark.parametrize(
    ("method", "path", "code"),
    [
        ("GET", "/channels/1", 10003),
        ("POST", "/channels/1/messages", 10003),
        ("GET", "/channels/{attic}/messages/1", 10008),
        ("GET", "/guilds/1", 10004),
        ("GET", "/users/1", 10013),
        ("GET", "/applications/{bot}/commands/1", 10063),
        ("GET", "/applications/1/commands", 20012),
        ("GET", "/nothing/here", 0),
    ],
)
async def test_what_is_not_there_is_unknown(playground, rest, attic, method, path, code):
    where = path.format(attic=attic.id, bot=playground.world.bot.id)
    status, answer = await rest(method, where)
    assert status in (403, 404)
    assert answer["code"] == code
    playground.violations.clear()


async def test_an_ephemeral_message_is_not_there_for_rest(bot, script, rest, attic):
    message = (await script.run("whisper"))["reply"]
    status, answer = await rest("GET", f"/channels/{attic.id}/messages/{message['id']}")
    assert (status, answer["code"]) == (404, 10008)


async def test_json_that_is_none_is_refused(playground, attic, script):
    headers = {"Authorization": f"Bot {playground.token}", "Content-Type": "application/json"}
    url = f"/api/v10/channels/{attic.id}/messages"
    async with script.session.post(url, data="{", headers=headers) as response:
        assert (response.status, (await response.json())["code"]) == (400, 50109)
    async with script.session.post(url, data="{}", headers={"Authorization": "Bot x"}) as response:
        assert response.status == 401
    playground.violations.clear()


async def test_a_name_with_signs_is_served(bot, script):
    channel = discord.utils.get(bot.guilds[0].text_channels, name="attic")
    await channel.send(file=discord.File(io.BytesIO(b"abc"), "ä%2F#?.txt"))
    (attachment,) = (await script.messages())[0]["attachments"]
    assert quote(attachment["filename"]) in attachment["url"]
    async with script.session.get(attachment["url"]) as response:
        assert response.status == 200
