"""The opening scene: something to press, as soon as the page opens."""

import aiohttp
import pytest

from playground import Playground
from playground import scene as scene_module


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(scene_module, "PATIENCE", 0.3)


async def test_a_match_stands_at_a_war(process_bot, script_for):
    async with Playground(bot=process_bot()) as opened, aiohttp.ClientSession(opened.url) as http:
        await opened.until_ready(15)
        script = script_for(http)
        challenge, board = await script.messages("the-table")
        assert challenge["interaction_metadata"]["user"]["global_name"] == "Alice"
        assert board["content"] == "turn 3"
        assert board["components"][0]["components"][0]["label"] == "Reveal!"
        assert await script.messages("attic") == []


async def test_start_over_puts_a_fresh_channel_in_the_first_place(process_bot, script_for):
    async with Playground(bot=process_bot()) as opened, aiohttp.ClientSession(opened.url) as http:
        await opened.until_ready(15)
        script = script_for(http)
        before = (await script.world())["channels"]
        answer = await script.post("/start-over")
        after = (await script.world())["channels"]
        assert answer["stands"] is True
        assert [c["name"] for c in after] == [c["name"] for c in before]
        assert after[0]["id"] == answer["channel"]["id"] != before[0]["id"]
        assert len(await script.messages("the-table")) == 2
        status, _ = await script.call("GET", f"/channels/{before[0]['id']}/messages")
        assert status == 404


async def test_a_saved_scene_is_not_played_again(process_bot, tmp_path):
    async with Playground(bot=process_bot(), state=tmp_path) as first:
        await first.until_ready(15)
        before = list(first.first_channel.messages)
    async with Playground(bot=process_bot(), state=tmp_path) as second:
        await second.until_ready(15)
        assert list(second.first_channel.messages) == before


@pytest.mark.parametrize(("behaviour", "reason"), [("mute", "no answer"), ("stuck", "the board did not change")])
async def test_a_bot_that_does_not_play_along_is_told_and_no_more(process_bot, impatient, caplog, behaviour, reason):
    async with Playground(bot=process_bot(behaviour)) as opened:
        await opened.until_ready(15)
        assert f"The opening scene does not stand: {reason}" in caplog.text
        assert opened.connected


async def test_without_a_scene_the_table_is_empty(process_bot):
    async with Playground(bot=process_bot(), scene=False) as opened:
        await opened.until_ready(15)
        assert opened.first_channel.messages == {}
