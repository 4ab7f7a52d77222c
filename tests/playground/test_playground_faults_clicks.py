"""What Discord refuses of a click, and how it reaches the bot all the same."""

from __future__ import annotations

import asyncio

import pytest


def row(*components):
    return [{"type": 1, "components": list(components)}]


def button(custom_id="yes", **more):
    return {"type": 2, "style": 1, "label": "Press", "custom_id": custom_id, **more}


SELECT = {
    "type": 3,
    "custom_id": "pick",
    "options": [{"label": letter, "value": letter} for letter in "ABC"],
    "max_values": 2,
}


@pytest.fixture
async def show(rest, playground):
    """Posts or edits a message of the bot with such components: `await show(components, message=None)`."""
    attic = playground.world.channel_named("attic").id

    async def put(components, message=None):
        path = f"/channels/{attic}/messages" + (f"/{message}" if message else "")
        status, body = await rest("PATCH" if message else "POST", path, content="x", components=components)
        assert status == 200, body
        return body["id"]

    return put


async def click(script, message, custom_id, **more):
    return await script.call(
        "POST", "/clicks", user=await script.user("Bob"), message=message, custom_id=custom_id, **more
    )


@pytest.mark.parametrize(
    ("custom_id", "more", "words"),
    [
        ("no", {}, "shows no component 'no'"),
        ("off", {}, "disabled"),
        ("yes", {"values": ["A"]}, "is a button"),
        ("pick", {}, "takes 1 to 2 different values"),
        ("pick", {"values": []}, "takes 1 to 2 different values"),
        ("pick", {"values": ["A", "A"]}, "takes 1 to 2 different values"),
        ("pick", {"values": ["A", "B", "C"]}, "takes 1 to 2 different values"),
        ("pick", {"values": ["D"]}, "has no option 'D'"),
    ],
)
async def test_what_is_not_there_cannot_be_pressed_but_forged(script, show, playground, custom_id, more, words):
    message = await show(row(button(), button("off", disabled=True)) + row(SELECT))
    status, answer = await click(script, message, custom_id, **more)
    assert status == 400
    assert words in answer["error"]
    assert (await click(script, message, custom_id, **more, forge=True))[0] == 200
    fault = playground.faults.add("forge")
    assert (await click(script, message, custom_id, **more))[0] == 200
    assert playground.faults.hits(fault["id"]) == 1
    playground.faults.remove(fault["id"])
    assert (await click(script, message, custom_id, **more))[0] == 400


async def test_what_is_there_can_be_pressed_and_is_no_forgery(script, show, playground):
    message = await show(row(button()) + row(SELECT))
    fault = playground.faults.add("forge")
    assert (await click(script, message, "yes"))[0] == 200
    assert (await click(script, message, "pick", values=["A", "C"]))[0] == 200
    assert playground.faults.hits(fault["id"]) == 0


async def test_a_click_races_with_an_edit(script, show, clock):
    """What an edit took away can be pressed for 30 s: somebody's screen shows it still."""
    message = await show(row(button("first")))
    await show(row(button("second")), message)
    assert (await click(script, message, "first"))[0] == 200
    assert (await click(script, message, "second"))[0] == 200
    clock.move(31)
    assert (await click(script, message, "first"))[0] == 400
    assert (await click(script, message, "second"))[0] == 200


async def test_a_button_that_an_edit_disabled_cannot_be_pressed(script, show):
    message = await show(row(button()))
    await show(row(button(disabled=True)), message)
    assert (await click(script, message, "yes"))[0] == 400


async def test_forge_is_true_or_false(script, show):
    assert (await click(script, await show(row(button())), "yes", forge="yes"))[0] == 400


async def test_a_forged_click_on_nothing_has_no_component_id(bot, script):
    message = (await script.run("board"))["reply"]["id"]
    pressed = asyncio.ensure_future(bot.wait_for("interaction", timeout=5))
    await asyncio.sleep(0)
    await script.press(message, "poker:fold", forge=True)
    assert (await pressed).data == {"custom_id": "poker:fold", "component_type": 2, "id": 0}
