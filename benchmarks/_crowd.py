"""A playground with the real bot and very many people.

Their clicks are made in the playground's own process: so many at once that an HTTP request for each would be what is
measured. The bot hears of them and answers over real sockets.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playground import BotCommand, Playground
from playground.interactions import Interaction

PATIENCE = 60.0
AT_ONCE = 24
"""Tables that are laid at the same time."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Table:
    """A match that has just been dealt: who plays, and the message and the main button of its board."""

    channel: str
    users: tuple[str, str]
    message: str
    flip: str


@asynccontextmanager
async def crowd(folder: Path, **settings: str) -> AsyncGenerator[Crowd, None]:
    """The bot on a database in that folder. Nothing is held against Discord's OpenAPI description meanwhile: that is
    work of the playground, on the same machine, and other tests do it."""
    box: list[Playground] = []

    def command(url: str) -> BotCommand:
        env = {
            "DISCORD_TOKEN": box[0].token,
            "DISCORD_API_URL": url,
            "DATABASE_URL": f"sqlite:///{folder}/warbot.db",
            "LOG_LEVEL": "WARNING",
            "TURN_SECONDS": "600",
            "NUDGE_SECONDS": "600",
            **settings,
        }
        return BotCommand((sys.executable, "-m", "bot", "run"), env)

    described = os.environ.get("WARBOT_OPENAPI")
    os.environ["WARBOT_OPENAPI"] = os.devnull
    try:
        box.append(Playground(bot=command, scene=False))
        async with box[0] as playground:
            await playground.until_ready(PATIENCE)
            yield Crowd(playground)
    finally:
        if described is None:
            del os.environ["WARBOT_OPENAPI"]
        else:
            os.environ["WARBOT_OPENAPI"] = described


class Crowd:
    """Many people in one server."""

    def __init__(self, playground: Playground) -> None:
        self.playground = playground
        self._number = 0

    def person(self) -> str:
        """Somebody new, by id."""
        self._number += 1
        return self.playground.world.add_user(f"Player {self._number}").id

    def channel(self) -> str:
        """A new channel's id."""
        self._number += 1
        return self.playground.channels.add_or_change(f"crowd-{self._number}")["id"]

    def click(self, user: str, message: str, custom_id: str) -> Interaction:
        """Presses a button and does not wait."""
        return self.playground.people.click(user, message, custom_id)

    def command(self, user: str, channel: str, command: str, **options: str) -> Interaction:
        """Runs a command and does not wait."""
        return self.playground.people.run_command(user, channel, command, options)

    async def answered(self, interactions: Iterable[Interaction]) -> None:
        """Returns when each has its answer, or can have none any more."""
        await asyncio.gather(*(self.playground.interactions.wait(each, 5.0) for each in interactions))

    def reply(self, interaction: Interaction) -> Json:
        """The message that an interaction was answered with. Raises `RuntimeError` when there was none."""
        found = self.playground.world.find_message(interaction.reply_id)
        if found is None:
            failed = self.playground.interactions.failure(interaction)
            raise RuntimeError(f"the bot did not answer: {failed}")
        return found[1].payload

    async def lay(self, tables: int) -> list[Table]:
        """So many matches between two people each, in channels of their own."""
        gate = asyncio.Semaphore(AT_ONCE)

        async def one() -> Table:
            async with gate:
                return await self._deal()

        return list(await asyncio.gather(*(one() for _ in range(tables))))

    async def _deal(self) -> Table:
        dealer, other, channel = self.person(), self.person(), self.channel()
        challenge = self.command(dealer, channel, "war challenge", opponent=other)
        await self.answered([challenge])
        posted = self.reply(challenge)
        accepted = self.click(other, posted["id"], button(posted, "war:accept"))
        await self.answered([accepted])
        board = self.reply(accepted)
        return Table(channel, (dealer, other), board["id"], button(board, "war:flip"))

    def board(self, table: Table) -> Json:
        """The message that shows a match, as it is now."""
        found = self.playground.world.find_message(table.message)
        assert found is not None, "nobody deletes boards here"
        return found[1].payload

    async def until(self, true: Callable[[], bool], seconds: float = PATIENCE) -> None:
        """Returns when it holds. Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while not true():  # noqa: ASYNC110 - of boards that change there is no event in this process
                await asyncio.sleep(0.02)


def button(message: Json, prefix: str) -> str:
    """The custom_id of the first button of a message that begins so. Raises `LookupError` when there is none."""
    custom_id = any_button(message, prefix)
    if custom_id is None:
        raise LookupError(f"no button {prefix} on the message")
    return custom_id


def any_button(message: Json, prefix: str) -> str | None:
    """The same, None when there is none."""
    return _find(message["components"], prefix)


def _find(components: list[Json], prefix: str) -> str | None:
    for component in components:
        if str(component.get("custom_id", "")).startswith(prefix):
            return str(component["custom_id"])
        found = _find(component.get("components", []), prefix)
        if found:
            return found
    return None
