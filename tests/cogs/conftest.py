"""The game of the host's tests, and a bot with all its cogs that is never connected."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.client import COGS, WarBot
from bot.gallery import Gallery
from bot.i18n import Catalogue
from tests.bot.conftest import game

__all__ = ["game"]


@pytest.fixture
async def war_bot(game: Any) -> AsyncIterator[WarBot]:
    async with (
        Gallery() as gallery,
        WarBot(db=game.db, host=game.host, gallery=gallery, catalogue=Catalogue.load()) as bot,
    ):
        for cog in COGS:
            await bot.load_extension(cog)
        yield bot
