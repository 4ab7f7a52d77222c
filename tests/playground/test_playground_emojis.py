"""The application's own emoji, with the real discord.py: made, listed, renamed, deleted, shown and kept."""

from __future__ import annotations

import base64

import aiohttp
import discord
import pytest

from playground import Playground

SMALL = b"\x89PNG\r\n\x1a\n" + bytes(16)


def uri(data: bytes, kind: str = "image/png") -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


@pytest.fixture
def emojis(playground):
    return f"/applications/{playground.world.bot.id}/emojis"


async def test_an_emoji_is_made_listed_renamed_and_deleted(bot, png):
    made = await bot.create_application_emoji(name="queen_of_spades", image=png)
    assert str(made) == f"<:queen_of_spades:{made.id}>"
    assert [(each.name, each.id) for each in await bot.fetch_application_emojis()] == [("queen_of_spades", made.id)]
    renamed = await (await bot.fetch_application_emoji(made.id)).edit(name="card_back")
    assert (renamed.name, renamed.id) == ("card_back", made.id)
    await renamed.delete()
    assert await bot.fetch_application_emojis() == []
    with pytest.raises(discord.NotFound) as gone:
        await bot.fetch_application_emoji(made.id)
    assert gone.value.code == 10014


async def test_a_moving_picture_makes_a_moving_emoji(bot):
    made = await bot.create_application_emoji(name="deal", image=b"GIF89a" + bytes(8))
    assert str(made) == f"<a:deal:{made.id}>"


async def test_its_image_is_served_until_it_is_deleted(bot, playground, png):
    made = await bot.create_application_emoji(name="queen_of_spades", image=png)
    async with aiohttp.ClientSession(playground.url) as session:
        async with session.get(f"/emojis/{made.id}") as response:
            assert (response.status, response.content_type, await response.read()) == (200, "image/png", png)
        await made.delete()
        async with session.get(f"/emojis/{made.id}") as response:
            assert response.status == 404
    assert playground.world.files == {}


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("q", "BASE_TYPE_BAD_LENGTH"),
        ("q" * 33, "BASE_TYPE_BAD_LENGTH"),
        ("queen of spades", "STRING_TYPE_REGEX"),
        ("дама", "STRING_TYPE_REGEX"),
        (7, "STRING_TYPE_CONVERT"),
        (None, "BASE_TYPE_REQUIRED"),
        ("taken", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN"),
    ],
)
async def test_a_bad_name_is_refused(playground, rest, emojis, name, code):
    assert (await rest("POST", emojis, name="taken", image=uri(SMALL)))[0] == 201
    status, answer = await rest("POST", emojis, name=name, image=uri(SMALL))
    assert (status, answer["code"], answer["errors"]["name"]["_errors"][0]["code"]) == (400, 50035, code)
    assert len(playground.world.emojis) == 1
    playground.violations.clear()


@pytest.mark.parametrize(
    ("image", "code"),
    [
        (None, "BASE_TYPE_REQUIRED"),
        ("no data URI", "IMAGE_INVALID"),
        ("data:image/png;base64,***", "IMAGE_INVALID"),
        (uri(b"<svg/>", "image/png"), "IMAGE_INVALID"),
        (uri(SMALL, "text/plain"), "IMAGE_INVALID"),
        (uri(SMALL + bytes(256 * 1024)), "BINARY_TYPE_MAX_SIZE"),
    ],
)
async def test_a_bad_image_is_refused(playground, rest, emojis, image, code):
    status, answer = await rest("POST", emojis, name="queen", image=image)
    assert (status, answer["code"], answer["errors"]["image"]["_errors"][0]["code"]) == (400, 50035, code)
    assert playground.world.emojis == {}
    playground.violations.clear()


async def test_a_rename_keeps_the_same_rules(playground, rest, emojis):
    _, one = await rest("POST", emojis, name="one", image=uri(SMALL))
    _, two = await rest("POST", emojis, name="two", image=uri(SMALL))
    assert (await rest("PATCH", f"{emojis}/{one['id']}", name="one"))[0] == 200
    assert (await rest("PATCH", f"{emojis}/{one['id']}", name="two"))[0] == 400
    assert (await rest("PATCH", f"{emojis}/{two['id']}", name="t w o"))[0] == 400
    assert [each.name for each in playground.world.emojis.values()] == ["one", "two"]
    playground.violations.clear()


async def test_there_are_two_thousand_at_most(playground, rest, emojis):
    for number in range(2000):
        status, _ = await rest("POST", emojis, name=f"emoji_{number}", image=uri(SMALL))
        assert status == 201
    status, answer = await rest("POST", emojis, name="one_more", image=uri(SMALL))
    assert (status, answer["code"]) == (400, 30008)
    assert len((await rest("GET", emojis))[1]["items"]) == 2000


async def test_those_of_another_application_and_unknown_ones_are_refused(rest, emojis):
    assert (await rest("GET", "/applications/1/emojis"))[1]["code"] == 20012
    assert (await rest("POST", "/applications/1/emojis", name="queen", image=uri(SMALL)))[1]["code"] == 20012
    for method in ("GET", "PATCH", "DELETE"):
        body = {"name": "queen"} if method == "PATCH" else {}
        assert (await rest(method, f"{emojis}/1", **body))[1]["code"] == 10014


async def test_emoji_are_there_again_after_a_restart(tmp_path):
    async with Playground(scene=False, state=tmp_path) as first:
        headers = {"Authorization": f"Bot {first.token}"}
        path = f"/api/v10/applications/{first.world.bot.id}/emojis"
        session = aiohttp.ClientSession(first.url, headers=headers)
        async with session, session.post(path, json={"name": "queen", "image": uri(SMALL)}) as response:
            made = await response.json()
    async with Playground(scene=False, state=tmp_path) as second, aiohttp.ClientSession(second.url) as session:
        assert second.world.emojis == first.world.emojis
        async with session.get(f"/emojis/{made['id']}") as response:
            assert await response.read() == SMALL
