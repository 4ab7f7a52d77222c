"""Settings of servers at hand: what this process changes counts at once, what another changes after a while."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.server_settings import FRESH, ServerSettings
from db import guilds
from db.database import connect

pytestmark = pytest.mark.asyncio

GUILD, OTHER = 10, 11


async def test_a_server_that_has_set_nothing_has_the_defaults(tmp_path: Path) -> None:
    async with connect(f"sqlite:///{tmp_path}/warbot.db") as db:
        assert await ServerSettings(db, lambda: 0.0).of(GUILD) == guilds.GuildSettings()


async def test_what_is_set_here_counts_at_once_and_in_that_server_only(tmp_path: Path) -> None:
    async with connect(f"sqlite:///{tmp_path}/warbot.db") as db:
        settings = ServerSettings(db, lambda: 0.0)
        await settings.of(GUILD)
        await settings.of(OTHER)
        assert (await settings.set_text_mode(GUILD, True)).text_mode
        assert (await settings.of(GUILD)).text_mode
        assert not (await settings.of(OTHER)).text_mode


async def test_what_another_process_set_counts_after_a_while(tmp_path: Path) -> None:
    now = 0.0
    async with connect(f"sqlite:///{tmp_path}/warbot.db") as db:
        settings = ServerSettings(db, lambda: now)
        assert not (await settings.of(GUILD)).text_mode
        await guilds.set_text_mode(db, GUILD, True)
        now = FRESH - 0.1
        assert not (await settings.of(GUILD)).text_mode
        now = FRESH
        assert (await settings.of(GUILD)).text_mode


async def test_what_was_read_before_a_change_is_not_kept_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with connect(f"sqlite:///{tmp_path}/warbot.db") as db:
        settings = ServerSettings(db, lambda: 0.0)
        read, has_read, go_on = guilds.settings, asyncio.Event(), asyncio.Event()

        async def slow(*args: Any) -> guilds.GuildSettings:
            answer = await read(*args)
            has_read.set()
            await go_on.wait()
            return answer

        with monkeypatch.context() as patched:
            patched.setattr(guilds, "settings", slow)
            reading = asyncio.create_task(settings.of(GUILD))
            await has_read.wait()
        await settings.set_text_mode(GUILD, True)
        go_on.set()
        assert not (await reading).text_mode
        assert (await settings.of(GUILD)).text_mode
