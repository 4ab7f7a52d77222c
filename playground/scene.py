"""The opening scene: what stands on the table when somebody opens the page."""

from __future__ import annotations

import asyncio
import logging

from playground.components import BUTTON, walk
from playground.errors import Refused
from playground.events import EventBus
from playground.interactions import Interaction, InteractionBook
from playground.people import People
from playground.world import Channel, Json, World

log = logging.getLogger(__name__)

REVEAL = "Reveal!"
MOST_TURNS = 30
PATIENCE = 10.0
"""Seconds that the scene waits for each of the bot's answers."""


class SceneFailed(Exception):
    """The bot did not play along; the text says where it stopped."""


class OpeningScene:
    """Alice challenges Bob, Bob accepts, and both press until the match stands at a war."""

    def __init__(self, world: World, people: People, book: InteractionBook, events: EventBus) -> None:
        self._world = world
        self._people = people
        self._book = book
        self._events = events

    async def play(self, channel: Channel) -> bool:
        """Plays the scene in an empty channel; returns whether it stands. What goes wrong is logged."""
        try:
            await self._play(channel)
        except (SceneFailed, Refused) as error:
            log.warning("The opening scene does not stand: %s", error)
            return False
        return True

    async def _play(self, channel: Channel) -> None:
        alice, bob = list(self._world.users.values())[:2]
        challenge = await self._answer(
            self._people.run_command(alice.id, channel.id, "war challenge", {"opponent": bob.id})
        )
        accept = _button(challenge, "war:accept:")
        await self._answer(self._people.click(bob.id, challenge["id"], accept["custom_id"]))
        for _ in range(MOST_TURNS):
            board, main = self._board(channel)
            if main["label"] == REVEAL:
                return
            for person in (alice, bob):
                await self._answer(self._people.click(person.id, board["id"], main["custom_id"]))
            await self._next_board(channel, main["custom_id"])
        raise SceneFailed(f"no war after {MOST_TURNS} turns.")

    async def _next_board(self, channel: Channel, pressed: str) -> None:
        """Waits until the button that both have pressed is no longer the board's."""
        watcher, _ = self._events.watch(frozenset())
        try:
            async with asyncio.timeout(PATIENCE):
                while self._board(channel)[1]["custom_id"] == pressed:
                    await watcher.queue.get()
        except TimeoutError:
            raise SceneFailed("the board did not change after both had pressed.") from None
        finally:
            self._events.unwatch(watcher)

    async def _answer(self, interaction: Interaction) -> Json:
        """The bot's reply, as soon as it is there."""
        await self._book.wait(interaction, PATIENCE)
        record = self._book.record(interaction)
        if record["failed"] or not record["acked"]:
            raise SceneFailed(record["failed"] or f"no answer within {PATIENCE:.0f} seconds.")
        return record["reply"] or {}

    def _board(self, channel: Channel) -> tuple[Json, Json]:
        """The newest message of the channel that has a flip button, and that button."""
        for message in reversed(channel.messages.values()):
            button = _find_button(message.payload, "war:flip:")
            if button and message.owner is None:
                return message.payload, button
        raise SceneFailed("no message with a flip button appeared.")


def _find_button(message: Json, prefix: str) -> Json | None:
    for _, component in walk(message.get("components") or []):
        custom_id = component.get("custom_id") or ""
        if component["type"] == BUTTON and custom_id.startswith(prefix):
            return component
    return None


def _button(message: Json, prefix: str) -> Json:
    button = _find_button(message, prefix)
    if button is None:
        raise SceneFailed(f"the bot's answer has no button {prefix}...")
    return button
