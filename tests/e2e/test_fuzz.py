"""Buttons and interactions as nobody should send them, for a bounded time: each is answered, no fault is logged, and
the database stays sound. `FUZZ_SECONDS` says for how long each test goes on, `FUZZ_SEED` from where.
"""

from __future__ import annotations

import asyncio
import copy
import os
import random
import time
from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")

SECONDS = float(os.environ.get("FUZZ_SECONDS", "3"))
SEED = int(os.environ.get("FUZZ_SEED", "13"))
AT_ONCE = 30

NAMES = [
    "accept",
    "decline",
    "cancel",
    "join",
    "leave",
    "start",
    "flip",
    "finish",
    "more",
    "card",
    "wars",
    "offer",
    "agree",
    "playon",
    "forfeit",
    "giveup",
    "back",
    "rematch",
    "replay",
    "moment",
    "proof",
    "quick",
    "again",
    "share",
    "leaders",
    "leaderkind",
]
STRANGE_NAMES = ["", "FLIP", "flıp", "nothing", "flip flip", "\u202eflip", "x" * 80]
STRANGE_NUMBERS = [
    "",
    "-1",
    "+1",
    " 1",
    "1 ",
    "1.5",
    "0x1",
    "1e3",
    "١",
    "𝟙",
    "9" * 19,
    "9" * 20,
    "0" * 19,
    "00",
    "\n",
    "null",
]


@pytest.fixture(scope="module")
def bot_settings() -> dict[str, str]:
    return {"TURN_SECONDS": "3600", "NUDGE_SECONDS": "3600"}


class Stage:
    """A server in which much is going on, to press the wrong things in."""

    def __init__(self, game: Any, chance: random.Random) -> None:
        self.game = game
        self.chance = chance

    async def open(self) -> Stage:
        game = self.game
        self.people = await game.people("Alice", "Bob", "Cleo", "Dan", "Esther")
        alice, bob, cleo, dan, self.stranger = self.people
        live = await game.match(alice, bob)
        over = await game.match(cleo, dan)
        board = await over.board()
        for person in (cleo, dan):
            await person.click(board, "Finish")
        result = await over.after(board)
        waiting = await game.challenge(cleo, dan, await game.channel())
        leaders = (await alice.command(live.channel, "war leaderboard")).message
        self.channels = [live.channel, over.channel]
        self.messages = [await live.board(), result, waiting, leaders]
        ids = [live.id, over.id, game.match_id(waiting)]
        self.numbers = [*map(str, ids), "0", "1", "2", "7", self.people[0].id, live.channel, str(2**63 - 1), str(2**63)]
        return self

    def custom_id(self) -> str:
        """From nearly right to nonsense."""
        chance = self.chance
        name = chance.choice(NAMES if chance.random() < 0.8 else STRANGE_NAMES)
        count = chance.choice((0, 1, 1, 2, 2, 2, 3, 3, 4, 5))
        right = chance.random() < 0.7
        numbers = [chance.choice(self.numbers if right else STRANGE_NUMBERS + self.numbers) for _ in range(count)]
        text = ":".join([chance.choice(("war",) * 9 + ("WAR", "", "bare")), name, *numbers])
        if chance.random() < 0.1:
            cut = chance.randint(0, len(text))
            text = (
                text[:cut]
                + chance.choice(("\0", "\ud800", "🂡", "::", ":", "\u0661", "%00", "' OR 1=1 --"))
                + text[cut:]
            )
        return text[: chance.choice((100, 100, 20))]

    def press(self) -> Any:
        """Somebody presses a button that nobody has shown them."""
        who, message = self.chance.choice(self.people), self.chance.choice(self.messages)
        values = [self.custom_id()] if self.chance.random() < 0.1 else None
        return self.game.playground.people.click(who.id, message.id, self.custom_id(), values, True)

    def command(self) -> Any:
        alice, bob = self.chance.sample(self.people, 2)
        words, options = self.chance.choice(
            [
                ("war challenge", {"opponent": bob.id}),
                ("war quick", {}),
                ("war board", {}),
                ("war leaderboard", {}),
                ("war help", {}),
            ]
        )
        return self.game.playground.people.run_command(alice.id, self.chance.choice(self.channels), words, options)

    async def unharmed(self) -> None:
        """A match is still played as ever, by people who had nothing to do with it."""
        match = await self.game.match(*await self.game.people("Finn", "Gwen"))
        await match.turn()
        assert match.stored()["turn"] == 1


async def for_a_while(game: Any, send: Callable[[], Any]) -> int:
    """Sends again and again; every one must be answered. How many there were."""
    book = game.playground.interactions
    sent, end = 0, time.monotonic() + SECONDS
    while time.monotonic() < end:
        some = [send() for _ in range(AT_ONCE)]
        await asyncio.gather(*(book.wait(each, 5) for each in some))
        for each in some:
            assert each.acked, f"{book.failure(each)}\n{each.data}\n" + "\n".join(game.log[-20:])
        sent += len(some)
        game.nothing_went_wrong()
    return sent


async def test_every_custom_id_is_answered(game):
    stage = await Stage(game, random.Random(SEED)).open()
    print(await for_a_while(game, stage.press), "presses")  # noqa: T201
    await stage.unharmed()
    await game.check()


def without(*path: str) -> Callable[[Any, random.Random], None]:
    def change(payload: Any, chance: random.Random) -> None:
        for key in path[:-1]:
            payload = payload.get(key) or {}
        payload.pop(path[-1], None)

    return change


def put(value: Any, *path: str) -> Callable[[Any, random.Random], None]:
    def change(payload: Any, chance: random.Random) -> None:
        for key in path[:-1]:
            payload = payload.setdefault(key, {})
        payload[path[-1]] = copy.deepcopy(value)

    return change


def in_a_direct_message(payload: Any, chance: random.Random) -> None:
    member = payload.pop("member")
    payload["user"] = member["user"]
    for name in ("guild_id", "guild", "guild_locale"):
        payload.pop(name, None)
    payload["channel"] = {"id": payload["channel_id"], "type": 1}
    payload["context"] = 1


CHANGES: list[Callable[[Any, random.Random], None]] = [
    in_a_direct_message,
    without("message"),
    without("message", "components"),
    without("channel"),
    without("guild_locale"),
    without("app_permissions"),
    without("data", "options"),
    without("data", "resolved"),
    put("0", "app_permissions"),
    put("tlh-QO", "locale"),
    put("", "guild_locale"),
    put("1", "channel_id"),
    put(str(2**63 - 1), "channel_id"),
    put([{"type": 99, "id": 1, "custom_id": "x"}], "message", "components"),
    put("999999999999999999", "data", "id"),
    put("nothing", "data", "name"),
    put(99, "data", "component_type"),
    put(["a", "b"], "data", "values"),
    put([{"type": 1, "name": "nothing", "options": []}], "data", "options"),
    put(
        [{"type": 1, "name": "challenge", "options": [{"type": 3, "name": "rules", "value": "x" * 50}]}],
        "data",
        "options",
    ),
    put(
        [{"type": 1, "name": "challenge", "options": [{"type": 6, "name": "opponent", "value": "1"}]}],
        "data",
        "options",
    ),
    put([{"type": 1, "name": "quick", "options": [{"type": 4, "name": "opponent", "value": 5}]}], "data", "options"),
    put("\ud800\0 @everyone <@1>", "member", "user", "global_name"),
    put({}, "entitlements"),
    put(7, "context"),
    put("text", "version"),
]


async def test_every_interaction_that_is_not_what_it_should_be_is_answered(game):
    """What arrives is changed on its way: things that are missing, unknown, of another kind or from another place."""
    chance = random.Random(SEED)
    stage = await Stage(game, chance).open()
    late = game.playground.faults.add("replay", twice=False, after=0.001, times=None)

    def send() -> Any:
        interaction = stage.command() if chance.random() < 0.4 else stage.press()
        for change in chance.sample(CHANGES, chance.choice((1, 1, 1, 2, 3))):
            if interaction.payload.get("member") is not None or change is not in_a_direct_message:
                change(interaction.payload, chance)
        return interaction

    print(await for_a_while(game, send), "interactions")  # noqa: T201
    game.playground.faults.remove(late["id"])
    await stage.unharmed()
    await game.check()
