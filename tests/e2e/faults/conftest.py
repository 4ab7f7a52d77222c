"""The hostile Discord: faults over the playground's fault interface (docs/playground.md), and the real bot.

Deadlines are far away, so that nothing moves but by what a test does; `game.time_is_up` lets one pass.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

ROUTES = {
    "answer": "POST /interactions/*/callback",
    "edit": "PATCH /channels/*/messages/*",
    "edit by token": "PATCH /webhooks/*/messages/*",
    "post": "POST /channels/*/messages",
}


@pytest.fixture(scope="module")
def bot_settings() -> dict[str, str]:
    return {"TURN_SECONDS": "3600", "NUDGE_SECONDS": "3600"}


class Faults:
    """Puts faults up and tells when they were met."""

    def __init__(self, game: Any) -> None:
        self.game = game

    async def add(self, do: str, on: str | None = None, **fields: Any) -> str:
        """`on` is one of ROUTES. Returns the fault's id; what is done at once has none."""
        if on is not None:
            fields["route"] = ROUTES[on]
        return (await self.game.call("POST", "/faults", do=do, **fields)).get("id", "")

    async def hits(self, fault: str) -> int:
        faults = (await self.game.call("GET", "/faults"))["faults"]
        return next(each["hits"] for each in faults if each["id"] == fault)

    async def met(self, fault: str, times: int = 1) -> None:
        """Returns once the fault was hit that often."""

        async def hit() -> bool | None:
            return True if await self.hits(fault) >= times else None

        await self.game.until(hit)

    async def lift(self, fault: str = "") -> None:
        await self.game.call("DELETE", f"/faults/{fault}" if fault else "/faults")


@pytest_asyncio.fixture(loop_scope="module")
async def faults(game: Any) -> AsyncIterator[Faults]:
    """Faults for the module's bot; all are lifted after the test."""
    desk = Faults(game)
    yield desk
    await desk.lift()


@pytest_asyncio.fixture(loop_scope="module")
async def own_faults(own_game: Any) -> AsyncIterator[Faults]:
    """Faults for the test's own bot."""
    yield Faults(own_game)


@pytest.fixture(scope="session")
def faults_of() -> type[Faults]:
    """`faults_of(game)` for a bot that the test opened itself."""
    return Faults


class Looks:
    """What tests of faults look for again and again."""

    @staticmethod
    async def text_match(game: Any) -> Any:
        """A match where the bot may attach no files: no picture follows, so a board is painted once and no more."""
        view_and_send = 1 << 10 | 1 << 11
        return await game.match(*await game.people("Alice", "Bob"), await game.channel(permissions=view_and_send))

    @staticmethod
    async def newest(match: Any, turn: int) -> Any:
        """The board, once that turn is stored and shown, or the result that came with it."""

        async def shown() -> Any:
            stored = match.stored()
            if stored["turn"] != turn:
                return None
            match.message = str(stored["message_id"])
            boards = [each for each in await match.game.messages(match.channel) if each.id == match.message]
            main = f"war:flip:{match.id}:{stored['turn']}" if stored["status"] in ("live", "paused") else None
            return boards[0] if boards and boards[0].main == main else None

        return await match.game.until(shown)

    @staticmethod
    async def boards(game: Any, channel: str) -> list[Any]:
        """The messages of a channel on which a match can be played."""
        return [each for each in await game.messages(channel) if each.main]

    @staticmethod
    async def status(match: Any, status: str) -> None:
        """Returns once the match has that status."""

        async def reached() -> bool | None:
            return True if match.stored()["status"] == status else None

        await match.game.until(reached)


@pytest.fixture(scope="session")
def looks() -> type[Looks]:
    return Looks
