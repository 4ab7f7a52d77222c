"""The HTTP interface for scripts: what it shows, what it refuses, what it tells as it happens."""

import asyncio
import json

import pytest
import yarl

from playground import Playground


class Stream:
    """Reads server-sent events."""

    def __init__(self, response):
        self.response = response
        self.last_id = None

    async def next(self, *kinds):
        """The next event whose type is one of `kinds` (any, if none is named)."""
        async with asyncio.timeout(5):
            while True:
                line = (await self.response.content.readline()).decode().strip()
                if line.startswith("id: "):
                    self.last_id = line.removeprefix("id: ")
                if line.startswith("data: "):
                    event = json.loads(line.removeprefix("data: "))
                    if not kinds or event["type"] in kinds:
                        return event


@pytest.fixture
async def stream(script):
    """Opens streams: `await stream("?as=...")`."""
    responses = []

    async def opener(query="", **headers):
        response = await script.session.get("/playground/events" + query, headers=headers)
        responses.append(response)
        assert response.status == 200
        return Stream(response)

    yield opener
    for response in responses:
        response.close()


async def test_the_world_at_the_start(script):
    world = await script.world()
    assert [user["name"] for user in world["users"]] == ["Alice", "Bob", "Cleo", "Dan", "Esther", "Finn"]
    assert len({user["colour"] for user in world["users"]}) == 6
    manage_guild = 1 << 5
    assert [bool(int(user["permissions"]) & manage_guild) for user in world["users"]] == [True] + [False] * 5
    assert [(c["name"], c["type"]) for c in world["channels"]] == [
        ("the-table", 0),
        ("side-room", 0),
        ("thread of side-room", 11),
        ("attic", 0),
    ]
    assert world["channels"][2]["parent_id"] == world["channels"][1]["id"]
    assert world["bot"]["connected"] is False
    assert (world["bot"]["managed"], world["bot"]["pid"], world["ready"]) == (False, None, False)


async def test_the_world_knows_the_bot_and_its_commands(bot, script):
    world = await script.world()
    assert (world["bot"]["connected"], world["ready"]) == (True, True)
    challenge = next(c for c in world["commands"] if c["name"] == "war")["options"][0]
    assert (challenge["name"], challenge["options"][0]["type"]) == ("challenge", 6)


async def test_users_and_channels_are_added(bot, script):
    joined = await script.post("/users", name=" Gwen ")
    assert (joined["name"], joined["username"]) == ("Gwen", "gwen")
    arrived = asyncio.ensure_future(bot.wait_for("guild_channel_create", timeout=5))
    await asyncio.sleep(0)
    room = await script.post("/channels", name="Back Room", permissions="1024")
    assert (room["name"], room["permissions"]) == ("back-room", "1024")
    assert (await arrived).name == "back-room"
    changed = await script.post("/channels", name="back-room", permissions=3072)
    assert (changed["id"], changed["permissions"]) == (room["id"], "3072")
    result = await script.run("board", user="Gwen", channel="back-room")
    assert result["reply"]["interaction_metadata"]["user"]["global_name"] == "Gwen"


@pytest.mark.parametrize(
    ("path", "body", "status", "sentence"),
    [
        ("/users", {}, 400, "a name of 1 to 32"),
        ("/users", {"name": "x" * 33}, 400, "a name of 1 to 32"),
        ("/users", {"name": 5}, 400, "a name of 1 to 32"),
        ("/users", {"nmae": "Gwen"}, 400, "Unknown field 'nmae'"),
        ("/channels", {"name": "attic"}, 409, "attic already"),
        ("/channels", {"name": " "}, 400, "a name of 1 to 100"),
        ("/channels", {"name": "x", "permissions": -1}, 400, "bit set"),
        ("/channels", {"name": "x", "permissions": True}, 400, "bit set"),
        ("/channels", {"name": "x", "permissions": "all"}, 400, "bit set"),
        ("/bot", {"do": "dance"}, 400, '"stop", "kill" or "start"'),
        ("/bot", {"do": "stop"}, 409, "runs no bot"),
        ("/start-over", {}, 409, "not connected"),
        ("/nothing", {}, 404, "docs/playground.md"),
    ],
)
async def test_a_bad_request_is_answered_with_a_sentence(script, path, body, status, sentence):
    got, answer = await script.call("POST", path, **body)
    assert (got, list(answer)) == (status, ["error"])
    assert sentence in answer["error"]


@pytest.mark.parametrize(
    ("change", "status", "sentence"),
    [
        ({"user": "1"}, 400, "No user has the id '1'"),
        ({"user": None}, 400, "No user has the id None"),
        ({"channel": ["x"]}, 400, "No channel has the id"),
        ({"command": ""}, 400, 'written like "war challenge"'),
        ({"command": 5}, 400, 'written like "war challenge"'),
        ({"command": "peace"}, 404, "no command 'peace'"),
        ({"command": "war"}, 400, "needs one of its subcommands: challenge"),
        ({"command": "war accept"}, 404, "has no 'accept'"),
        ({"options": {}}, 400, "'opponent' is required"),
        ({"options": []}, 400, "is an object"),
        ({"options": {"opponent": "5"}}, 400, "takes the id of a user"),
        ({"options": {"enemy": "5"}}, 400, "no option 'enemy'"),
        ({"command": "count", "options": {"number": 7}}, 400, "between 1 and 6"),
        ({"command": "count", "options": {"number": "two"}}, 400, "whole number"),
        ({"command": "count", "options": {"number": 2, "suit": "H"}}, 400, "takes one of: S"),
        ({"command": "count", "options": {"number": 2, "variant": 5}}, 400, "is text"),
        ({"command": "slow", "options": {"private": "yes"}}, 400, "true or false"),
        ({"command": "Challenge to War", "options": {}}, 400, '"target"'),
        ({"command": "count", "options": {}, "focused": "number"}, 400, "no autocomplete"),
        ({"command": "count", "options": {}, "focused": 5}, 400, "being typed"),
    ],
)
async def test_a_command_is_refused_with_a_sentence(bot, script, change, status, sentence):
    right = {
        "user": await script.user("Alice"),
        "channel": await script.channel("attic"),
        "command": "war challenge",
        "options": {"opponent": await script.user("Bob")},
    }
    got, answer = await script.call("POST", "/commands", **{**right, **change})
    assert got == status, answer
    assert sentence in answer["error"]


async def test_a_command_may_be_written_with_its_slash_and_numbers_as_text(bot, script):
    result = await script.run("/count", number="3", suit="S")
    assert result["reply"]["content"] == "3 S None"


@pytest.mark.parametrize(
    ("change", "status", "sentence"),
    [
        ({"user": "1"}, 400, "No user"),
        ({"message": "1"}, 404, "no message '1' that Alice can see"),
        ({"message": None}, 404, "no message None"),
        ({"custom_id": None}, 400, "custom_id of a button"),
        ({"values": "K"}, 400, "list of strings"),
        ({"values": [1]}, 400, "list of strings"),
        ({"modal": "1"}, 404, "did not open a modal"),
    ],
)
async def test_a_click_is_refused_with_a_sentence(bot, script, change, status, sentence):
    message = (await script.run("board"))["reply"]["id"]
    right = {"user": await script.user("Alice"), "message": message, "custom_id": "board:flip"}
    got, answer = await script.call("POST", "/clicks", **{**right, **change})
    assert got == status, answer
    assert sentence in answer["error"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/channels/1/messages", 404),
        ("/channels/{attic}/messages?as=1", 400),
        ("/interactions/1", 404),
        ("/interactions/{interaction}?wait=soon", 400),
        ("/interactions/{interaction}?wait=-1", 400),
        ("/interactions/{interaction}?wait=nan", 400),
        ("/events?as=1", 400),
    ],
)
async def test_what_cannot_be_shown_is_refused(bot, script, path, status):
    interaction = await script.send("board")
    path = path.format(attic=await script.channel("attic"), interaction=interaction)
    got, answer = await script.call("GET", path)
    assert (got, list(answer)) == (status, ["error"])


@pytest.mark.parametrize("text", ["{", "[]", '"x"', "\x00"])
async def test_a_body_that_is_no_object_is_refused(script, text):
    async with script.session.post("/playground/users", data=text) as response:
        assert response.status == 400
        assert "JSON" in (await response.json())["error"]


async def test_watchers_hear_what_happens(bot, script, stream):
    alice, bob = await script.user("Alice"), await script.user("Bob")
    hers, his, nobodys = await stream(f"?as={alice}"), await stream(f"?as={bob}"), await stream()
    message = (await script.run("board"))["reply"]
    for watching in (hers, his, nobodys):
        told = await watching.next("interaction")
        assert (told["interaction"]["user"], told["interaction"]["acked"]) == (alice, False)
        assert (await watching.next())["message"] == message
    assert (await hers.next())["interaction"]["reply"] == message
    theirs = (await his.next())["interaction"]
    assert theirs["acked"] is True
    assert "reply" not in theirs

    edited = (await script.click(message["id"], "board:flip", user="Bob"))["reply"]
    assert (await hers.next("message_update"))["message"] == edited


async def test_ephemeral_messages_are_told_to_their_owner_alone(bot, script, stream):
    alice, bob = await script.user("Alice"), await script.user("Bob")
    hers, both, his = (
        await stream(f"?as={alice}"),
        await stream(f"?as={bob}&as={alice}"),
        await stream(f"?as={bob}"),
    )
    whisper = (await script.run("whisper"))["reply"]
    public = (await script.run("board"))["reply"]
    assert (await hers.next("message"))["message"] == whisper
    assert (await both.next("message"))["message"] == whisper
    assert (await his.next("message"))["message"] == public


async def test_deletions_users_and_the_bot_are_told(bot, script, stream):
    watching = await stream()
    channel = next(c for c in bot.guilds[0].text_channels if c.name == "attic")
    message = await channel.send("gone soon")
    await message.delete()
    deleted = await watching.next("message_delete")
    assert deleted == {"type": "message_delete", "id": str(message.id), "channel": str(channel.id)}
    await script.post("/users", name="Gwen")
    assert (await watching.next("world"))["world"]["users"][-1]["name"] == "Gwen"
    await bot.close()
    assert (await watching.next("bot"))["bot"]["connected"] is False


async def test_who_comes_back_hears_what_was_missed(script, stream):
    first = await stream()
    await script.post("/users", name="Gwen")
    await first.next("world")
    first.response.close()
    await script.post("/users", name="Hugo")
    again = await stream(**{"Last-Event-ID": first.last_id})
    assert (await again.next())["world"]["users"][-1]["name"] == "Hugo"


async def test_who_missed_too_much_is_told_to_read_anew(script, stream):
    again = await stream(**{"Last-Event-ID": "another-run-5"})
    assert await again.next() == {"type": "missed"}


async def test_the_servers_end_is_the_streams_end(script_for):
    import aiohttp

    async with aiohttp.ClientSession() as session:
        async with Playground(scene=False) as opened:
            response = await session.get(opened.url + "/playground/events")
        async with asyncio.timeout(5):
            assert (await response.read()).startswith(b"retry:")


async def test_waiting_without_an_answer_ends_after_three_seconds(bot, script):
    interaction = await script.send("late")
    result = await script.result(interaction, wait=10)
    assert (result["acked"], "did not respond" in result["failed"]) == (False, True)


async def test_the_page_is_served_and_nothing_beside_it(script):
    async with script.session.get("/") as response:
        assert response.content_type == "text/html"
    for path in ("/%2e%2e/server.py", "/..%2fserver.py", "/../server.py", "/%2e%2e/page", "/nothing.js"):
        url = yarl.URL(str(script.session._base_url).rstrip("/") + path, encoded=True)
        async with script.session.get(url) as response:
            assert response.status == 404, path
