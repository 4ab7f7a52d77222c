"""Interactions from a person's command or click to the bot's answer, through the real discord.py."""

import asyncio
import json

import pytest

from playground.world import LINGERING


async def test_a_slash_command_is_answered(bot, script):
    result = await script.run("war challenge", opponent=await script.user("Bob"))
    assert (result["acked"], result["ack_type"], result["failed"]) == (True, 4, None)
    assert 0 < result["ack_ms"] < 3000
    assert result["command"] == "war challenge"
    message = result["reply"]
    assert message["type"] == 20
    assert message["content"].endswith("None: Bob")
    assert message["interaction_metadata"]["user"]["global_name"] == "Alice"
    assert message["interaction"]["name"] == "war challenge"
    assert await script.messages() == [message]


async def test_the_bot_learns_who_where_and_with_what_permissions(bot, script, playground):
    seen = []
    bot.tree.interaction_check = lambda interaction: asyncio.sleep(0, seen.append(interaction) or True)
    attic = playground.world.channel_named("attic")
    playground.channels.set_permissions(attic, 3072)
    await script.run("board")
    await script.run("board", user="Bob", channel="thread of side-room")
    first, second = seen
    assert first.app_permissions.value == 3072
    assert first.channel.name == "attic"
    assert first.user.guild_permissions.administrator, "the owner may do everything"
    assert not second.permissions.administrator
    assert second.channel.parent.name == "side-room"


async def test_a_board_with_a_picture_is_edited_by_its_button(bot, script, playground, png):
    message = (await script.run("board"))["reply"]
    assert message["attachments"] == [], "what components show is not listed besides"
    [shown] = message["components"][0]["components"][1]["items"]
    picture = shown["media"]
    assert (picture["width"], picture["height"], shown["description"]) == (2, 3, "cards")
    async with script.session.get(picture["url"]) as response:
        assert (await response.read(), response.content_type) == (png, "image/png")

    result = await script.click(message["id"], "board:flip", user="Bob")
    assert result["ack_type"] == 7
    assert "round 1" in json.dumps(result["reply"]["components"])
    assert result["reply"]["edited_timestamp"]
    [now] = result["reply"]["components"][0]["components"][1]["items"]
    assert list(playground.world.files) == [now["media"]["attachment_id"]], "the old picture is gone"
    async with script.session.get(picture["url"]) as response:
        assert response.status == 200, "a page that is about to draw it still gets it"
    for turn in range(LINGERING):
        result = await script.click(message["id"], "board:flip", user="Bob")
        assert f"round {turn + 2}" in json.dumps(result["reply"]["components"])
    async with script.session.get(picture["url"]) as response:
        assert response.status == 404


async def test_a_picture_that_stays_is_named_by_its_id_and_its_file_name(bot, script, playground):
    """So a board can be edited without sending the same picture again."""
    message = (await script.run("board"))["reply"]
    [shown] = message["components"][0]["components"][1]["items"]
    kept = shown["media"]["attachment_id"]
    [channel] = [each for each in playground.world.channels.values() if message["id"] in each.messages]
    url = f"{playground.url}/api/v10/channels/{channel.id}/messages/{message['id']}"
    gallery = {"type": 12, "items": [{"media": {"url": "attachment://table.png"}}]}
    headers = {"Authorization": f"Bot {playground.token}"}

    async def edit(attachment_id: str) -> tuple[int, dict]:
        body = {"components": [gallery], "attachments": [{"id": attachment_id}]}
        async with script.session.patch(url, json=body, headers=headers) as response:
            return response.status, await response.json()

    status, edited = await edit(kept)
    assert status == 200
    assert edited["components"][0]["items"][0]["media"]["attachment_id"] == kept
    assert list(playground.world.files) == [kept]
    status, refused = await edit("12345")
    assert (status, refused["code"]) == (400, 50035), "a file that is not on the message is not found"
    [violation] = playground.violations
    assert "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND" in str(violation)
    playground.violations.clear()


async def test_ids_of_components_are_assigned_in_order(bot, script):
    container = (await script.run("board"))["reply"]["components"][0]
    children = container["components"]
    ids = [container["id"], *(c["id"] for c in children), children[3]["components"][0]["id"]]
    assert ids == [1, 2, 3, 4, 5, 6]


async def test_an_ephemeral_reply_is_seen_by_its_owner_alone(bot, script):
    message = (await script.run("whisper"))["reply"]
    assert message["flags"] & 64
    assert await script.messages(viewer="Alice") == [message]
    assert await script.messages(viewer="Bob") == []
    assert await script.messages() == []
    status, answer = await script.call(
        "POST",
        "/clicks",
        user=await script.user("Bob"),
        message=message["id"],
        custom_id="pick",
        values=["K"],
    )
    assert (status, "Bob can see" in answer["error"]) == (404, True)


async def test_a_select_gives_its_values(bot, script):
    message = (await script.run("whisper"))["reply"]["id"]
    result = await script.click(message, "pick", values=["K"])
    assert result["reply"]["content"] == "picked K"
    assert result["reply"]["components"] == []


async def test_a_deferred_reply_is_filled_by_the_first_follow_up(bot, script):
    interaction = await script.send("slow", private=False)
    await bot.arrival()
    thinking = await script.result(interaction, wait=0)
    assert (thinking["ack_type"], thinking["reply"]["flags"], thinking["reply"]["content"]) == (5, 128, "")
    bot.gate.set()
    result = await script.result(interaction)
    assert result["reply"]["id"] == thinking["reply"]["id"]
    assert result["reply"]["content"].startswith("done")
    assert result["reply"]["attachments"][0]["filename"] == "log.txt"
    assert result["reply"]["flags"] == 0


async def test_waiting_for_a_deferred_reply_ends_when_it_is_there(bot, script):
    interaction = await script.send("slow", private=True)
    waiting = asyncio.ensure_future(script.result(interaction))
    await bot.arrival()
    assert not waiting.done()
    bot.gate.set()
    assert (await waiting)["reply"]["content"].startswith("done")


async def test_further_follow_ups_are_replies_of_their_own(bot, script):
    bot.gate.set()
    interaction = await script.send("slow", private=False)
    await asyncio.wait_for(bot.finished.wait(), 5)
    result = await script.result(interaction)
    (more,) = result["followups"]
    assert (more["content"], more["type"], more["flags"]) == ("and more", 19, 64)
    assert more["message_reference"]["message_id"] == result["reply"]["id"]
    assert more["interaction_metadata"]["original_response_message_id"] == result["reply"]["id"]
    assert [m["content"] for m in await script.messages(viewer="Bob")] == ["done!"]


async def test_after_three_seconds_an_answer_comes_too_late(bot, script, clock):
    interaction = await script.send("late")
    await bot.arrival()
    clock.move(3.01)
    bot.gate.set()
    assert await bot.refusal() == 10062
    result = await script.result(interaction, wait=0)
    assert (result["acked"], result["failed"]) == (False, "The application did not respond within 3 seconds.")
    assert result["reply"] is None


async def test_within_three_seconds_an_answer_is_in_time(bot, script, clock):
    interaction = await script.send("late")
    await bot.arrival()
    clock.move(2.5)
    bot.gate.set()
    result = await script.result(interaction)
    assert 2500 <= result["ack_ms"] < 3000


async def test_a_second_answer_is_refused(bot, script):
    result = await script.run("twice")
    assert await bot.refusal() == 40060
    assert result["reply"]["content"] == "once"


@pytest.mark.parametrize(("seconds", "code"), [(898, None), (901, 50027)])
async def test_a_token_lives_fifteen_minutes(bot, script, clock, seconds, code):
    interaction = await script.send("slow", private=True)
    await bot.arrival()
    clock.move(seconds)
    bot.gate.set()
    if code:
        assert await bot.refusal() == code
        failed = (await script.result(interaction, wait=0))["failed"]
        assert "15 minutes" in failed
    else:
        assert (await script.result(interaction))["reply"]["content"].startswith("done")


async def test_a_modal_is_opened_and_submitted(bot, script):
    opened = await script.run("name")
    assert (opened["ack_type"], opened["modal"]["title"], opened["reply"]) == (9, "Name your army", None)
    submitted = await script.post(
        "/clicks", user=await script.user("Alice"), modal=opened["id"], fields={"army": "Reds"}
    )
    result = await script.result(submitted["interaction"])
    assert (result["type"], result["reply"]["content"]) == (5, "army Reds")
    assert result["reply"]["interaction_metadata"]["triggering_interaction_metadata"]["id"] == opened["id"]


@pytest.mark.parametrize(
    ("user", "fields", "sentence"),
    [
        ("Bob", {"army": "Reds"}, "did not open a modal for Bob"),
        ("Alice", {}, "is required"),
        ("Alice", {"navy": "x"}, "has no field 'navy'"),
        ("Alice", "Reds", "is an object"),
    ],
)
async def test_a_modal_is_not_submitted_wrongly(bot, script, user, fields, sentence):
    opened = await script.run("name")
    status, answer = await script.call(
        "POST", "/clicks", user=await script.user(user), modal=opened["id"], fields=fields
    )
    assert 400 <= status < 500
    assert sentence in answer["error"]


async def test_autocomplete_brings_choices(bot, script):
    answer = await script.post(
        "/commands",
        user=await script.user("Alice"),
        channel=await script.channel("attic"),
        command="count",
        options={"variant": "s"},
        focused="variant",
    )
    result = await script.result(answer["interaction"])
    assert (result["type"], result["ack_type"]) == (4, 8)
    assert [choice["value"] for choice in result["choices"]] == ["classic", "short"]
    assert await script.messages() == []


async def test_a_menu_entry_is_run_on_somebody(bot, script):
    result = await script.run("Challenge to War", target=await script.user("Cleo"))
    assert (result["reply"]["content"], result["reply"]["type"]) == ("Cleo?", 23)


async def test_with_no_bot_nobody_hears_a_command(bot, script, playground, clock):
    await bot.close()
    await playground.until(lambda: not playground.connected, 5)
    interaction = await script.send("board")
    assert (await script.result(interaction, wait=0))["delivered"] is False
    clock.move(3.01)
    assert "not connected" in (await script.result(interaction, wait=0))["failed"]


async def test_a_forged_custom_id_reaches_the_bot(bot, script):
    message = (await script.run("board"))["reply"]["id"]
    pressed = asyncio.ensure_future(bot.wait_for("interaction", timeout=5))
    await asyncio.sleep(0)
    await script.press(message, "war:flip:٣:1", user="Finn", forge=True)
    interaction = await pressed
    assert interaction.data["custom_id"] == "war:flip:٣:1"
    assert interaction.user.display_name == "Finn"
    assert interaction.message.id == int(message)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("slash", {"type": 7, "data": {}}),
        ("slash", {"type": 8}),
        ("slash", {"type": "x"}),
        ("click", {"type": 8}),
    ],
)
async def test_an_answer_of_the_wrong_kind_is_refused(playground, script, rest, kind, body):
    interaction = await planted(playground, kind)
    path = f"/interactions/{interaction.id}/{interaction.token}/callback"
    status, answer = await rest("POST", path, body)
    assert (status, answer["code"]) == (400, 50035)
    assert not interaction.acked
    playground.violations.clear()


async def test_a_token_does_nothing_before_the_first_answer(playground, rest):
    interaction = await planted(playground, "slash")
    path = f"/webhooks/{playground.world.bot.id}/{interaction.token}"
    assert (await rest("POST", path, content="early"))[1]["code"] == 10015
    assert (await rest("POST", f"/webhooks/1/{interaction.token}", content="x"))[1]["code"] == 10015


async def test_a_token_touches_only_its_own_messages(playground, rest):
    other, mine = await planted(playground, "slash"), await planted(playground, "slash")
    for interaction in (other, mine):
        path = f"/interactions/{interaction.id}/{interaction.token}/callback"
        answer = {"type": 4, "data": {"content": "hello", "flags": 64}}
        status, body = await rest("POST", path + "?with_response=true", answer)
        assert (status, body["interaction"]["response_message_ephemeral"]) == (200, True)
    hook = f"/webhooks/{playground.world.bot.id}/{mine.token}/messages"
    assert (await rest("PATCH", f"{hook}/{other.reply_id}", content="mine"))[1]["code"] == 10008
    assert (await rest("GET", f"{hook}/@original"))[1]["id"] == mine.reply_id
    assert (await rest("PATCH", f"{hook}/@original", content="better"))[1]["content"] == "better"
    assert await rest("DELETE", f"{hook}/@original") == (204, None)
    assert (await rest("GET", f"{hook}/@original"))[1]["code"] == 10008


async def test_an_interaction_of_another_id_is_unknown(playground, rest):
    interaction = await planted(playground, "slash")
    for path in (f"/interactions/1/{interaction.token}", f"/interactions/{interaction.id}/wrong"):
        assert (await rest("POST", path + "/callback", {"type": 5}))[1]["code"] == 10062


async def planted(playground, kind):
    """An interaction that no bot hears, to be answered by hand."""
    world = playground.world
    attic = world.channel_named("attic")
    playground.commands.put({"name": "plain", "description": "A plain command"})
    if kind == "slash":
        return playground.people.run_command(world.owner.id, attic.id, "plain", {})
    draft = playground.messages.draft({"content": "press"}, [])
    message = playground.messages.create(attic, draft)
    return playground.people.click(world.owner.id, message.id, "x", forge=True)
