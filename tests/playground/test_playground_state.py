"""A world that lasts, and one that does not."""

import asyncio
import json
import os
import sys
from pathlib import Path

import aiohttp
import pytest

from playground import Playground, PortTaken, StateBroken
from playground.attachments import Upload
from playground.snowflakes import Snowflakes

ROOT = Path(__file__).resolve().parents[2]


def write(playground, content="hello", **body):
    attic = playground.world.channel_named("attic")
    uploads = [Upload("0", "table.png", b"\x89PNG\r\n\x1a\n")]
    draft = playground.messages.draft({"content": content, **body}, uploads)
    return playground.messages.create(attic, draft)


async def test_everything_is_there_again(tmp_path):
    async with Playground(scene=False, state=tmp_path) as first:
        before = first.world
        gwen = first.channels.add_user("Gwen")
        first.channels.add_or_change("back-room", 3072)
        first.commands.put({"name": "plain", "description": "A plain command"})
        message = write(first)
        picture = message.payload["attachments"][0]
    async with Playground(scene=False, state=tmp_path) as second:
        after = second.world
        assert (after.guild_id, after.bot, after.users) == (before.guild_id, before.bot, before.users)
        assert after.user(gwen["id"]).name == "Gwen"
        assert after.commands == before.commands
        assert [(c.id, c.name, c.permissions) for c in after.channels_in_order()] == [
            (c.id, c.name, c.permissions) for c in before.channels_in_order()
        ]
        restored = after.find_message(message.id)[1]
        assert restored.payload["content"] == "hello"
        assert after.files[picture["id"]].data == b"\x89PNG\r\n\x1a\n"
        url = restored.payload["attachments"][0]["url"]
        assert url.startswith(second.url), "addresses follow the port"
        async with aiohttp.ClientSession() as session, session.get(url) as response:
            assert response.status == 200
        assert int(write(second).id) > int(message.id)


async def test_what_faults_did_to_the_world_is_there_again(tmp_path, clock):
    async with Playground(scene=False, state=tmp_path, clock=clock) as first:
        thread = first.world.channel_named("thread of side-room")
        bob, cleo = list(first.world.users.values())[1:3]
        message = write(first)
        first.faults.add("thread", channel=thread.id, archived=True, locked=True)
        first.faults.add("member", user=bob.id, state="left")
        first.faults.add("rename", user=cleo.id, name="half\ud83d \x00 \u202e")
        first.faults.add("permissions", lose=["ATTACH_FILES"])
        first.faults.add("server", state="unavailable")
        everyone = first.world.everyone
    async with Playground(scene=False, state=tmp_path, clock=clock) as second:
        restored = second.world.channels[thread.id]
        assert (restored.archived, restored.locked) == (True, True)
        assert second.world.users[bob.id].left
        assert second.world.users[cleo.id].name == "half\ud83d \x00 \u202e"
        assert (second.world.presence, second.world.everyone) == ("unavailable", everyone)
        age = clock() - second.world.find_message(message.id)[1].born_at
        assert 0 <= age < 60


async def test_a_files_message_takes_it_away_from_the_disk(tmp_path):
    async with Playground(scene=False, state=tmp_path) as opened:
        message = write(opened)
        file = tmp_path / "files" / message.payload["attachments"][0]["id"]
        opened.messages.delete(opened.world.channel_named("attic"), message)
    assert not file.exists()
    assert list((tmp_path / "files").iterdir()) == []


async def test_tokens_go_on_working_and_getting_older(tmp_path, clock):
    async with Playground(scene=False, state=tmp_path, clock=clock) as first:
        attic = first.world.channel_named("attic")
        first.commands.put({"name": "plain", "description": "A plain command"})
        old = first.people.run_command(first.world.owner.id, attic.id, "plain", {})
        clock.move(600)
        young = first.people.run_command(first.world.owner.id, attic.id, "plain", {})
        async with aiohttp.ClientSession(first.url) as session:
            url = f"/api/v10/interactions/{young.id}/{young.token}/callback"
            async with session.post(url, json={"type": 4, "data": {"content": "one"}}) as response:
                assert response.status == 204
    async with Playground(scene=False, state=tmp_path, clock=clock) as second:
        assert second.interactions.by_id(old.id).acked is False
        hook = f"/api/v10/webhooks/{second.world.bot.id}/{young.token}/messages/@original"
        async with aiohttp.ClientSession(second.url) as session:
            async with session.patch(hook, json={"content": "two"}) as response:
                assert (await response.json())["content"] == "two"
            clock.move(901)
            async with session.patch(hook, json={"content": "three"}) as response:
                assert (await response.json())["code"] == 50027
    async with Playground(scene=False, state=tmp_path, clock=clock) as third:
        assert third.interactions.by_id(young.id) is None, "what nobody can use is not kept"


PROGRAM = """
import asyncio, sys
from pathlib import Path
from playground import Playground

async def main():
    async with Playground(scene=False, state=Path(sys.argv[1])) as opened:
        for number in range(100000):
            opened.channels.add_user(f"guest {number}")
            print(number, flush=True)
            await asyncio.sleep(0.01)

asyncio.run(main())
"""


async def test_a_killed_server_loses_little_and_leaves_a_whole_file(tmp_path):
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, str(tmp_path), stdout=asyncio.subprocess.PIPE, cwd=ROOT
    )
    while int(await program.stdout.readline()) < 120:
        pass
    program.kill()
    await program.communicate()
    async with Playground(scene=False, state=tmp_path) as opened:
        guests = [user.name for user in opened.world.users.values() if user.name.startswith("guest")]
    assert guests == [f"guest {number}" for number in range(len(guests))]
    assert len(guests) > 20, "saved while it ran"


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"format": 1}', '{"format": 99}', "\x00\x01"],
)
async def test_a_broken_state_file_gives_one_sentence(tmp_path, text):
    (tmp_path / "world.json").write_text(text, encoding="utf-8")
    with pytest.raises(StateBroken) as raised:
        async with Playground(scene=False, state=tmp_path):
            pass
    assert "name another folder" in str(raised.value)
    assert "\n" not in str(raised.value)
    assert (tmp_path / "world.json").read_text(encoding="utf-8") == text, "it is left as it was"


async def test_a_missing_picture_gives_one_sentence(tmp_path):
    async with Playground(scene=False, state=tmp_path) as opened:
        write(opened)
    for file in (tmp_path / "files").iterdir():
        file.unlink()
    with pytest.raises(StateBroken, match="cannot be read"):
        async with Playground(scene=False, state=tmp_path):
            pass


async def test_a_folder_that_is_a_file_gives_one_sentence(tmp_path):
    (tmp_path / "state").write_text("not a folder", encoding="utf-8")
    with pytest.raises(StateBroken, match="--state"):
        async with Playground(scene=False, state=tmp_path / "state"):
            pass


async def test_without_a_folder_nothing_is_left_behind(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    async with Playground(scene=False) as opened:
        write(opened)
    assert os.listdir(tmp_path) == []


async def test_old_whispers_are_not_kept(tmp_path, monkeypatch):
    async with Playground(scene=False, state=tmp_path) as opened:
        attic = opened.world.channel_named("attic")
        alice = opened.world.owner.id
        fresh = opened.messages.create(attic, opened.messages.draft({"content": "new"}, []), owner=alice)
        draft = opened.messages.draft({"content": "old"}, [])
        stale = opened.messages.create(attic, draft, owner=alice)
        del attic.messages[stale.id]
        stale.payload["id"] = str(1 << 22)
        attic.messages[stale.id] = stale
    saved = json.loads((tmp_path / "world.json").read_text(encoding="utf-8"))
    kept = [m["payload"]["id"] for c in saved["channels"] for m in c["messages"]]
    assert kept == [fresh.id]


async def test_a_taken_port_is_told_in_a_sentence():
    async with Playground(scene=False) as first:
        port = int(first.url.rsplit(":", 1)[1])
        with pytest.raises(PortTaken, match=f"Port {port} .*--port"):
            async with Playground(scene=False, port=port):
                pass
    async with Playground(scene=False, port=port) as second:
        assert second.url == first.url, "and it is free again at once"


def test_ids_grow_even_when_the_clock_goes_back():
    now = [1_700_000_000.0]
    ids = Snowflakes(wall_clock=lambda: now[0])
    first = int(ids.next())
    assert first >> 22 == 1_700_000_000_000 - 1_420_070_400_000
    now[0] -= 3600
    assert int(ids.next()) == first + 1
    assert int(Snowflakes(last=first + 7, wall_clock=lambda: now[0]).next()) == first + 8
