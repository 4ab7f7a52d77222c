"""What a click costs: press, commit, repaint, as a ratio to a bare discord.py bot on the same playground.

`python -m benchmarks.click [CLICKS]`. CPU is that of the bot's process alone, all threads, from the kernel's scheduler
statistics (Linux). The two bots take turns, so that a noisy machine troubles both.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp

from playground import BotCommand, Playground

ROUNDS = 5
EMOJI = 53
"""The faces of the cards, and a back."""
LIMITS = {"on a text board": 2.5, "with the picture of the table": 5.0}
Json = dict[str, Any]


@dataclass
class Player:
    """Talks to a playground as people do."""

    playground: Playground
    session: aiohttp.ClientSession

    async def get(self, path: str) -> Any:
        async with self.session.get(self.playground.url + path) as answer:
            return await answer.json()

    async def act(self, path: str, body: Json) -> Json:
        """Do something and wait for the bot's answer."""
        async with self.session.post(self.playground.url + path, json=body) as answer:
            began: Json = await answer.json()
        record: Json = await self.get(f"/playground/interactions/{began['interaction']}?wait=10")
        if record["failed"] or not record["acked"]:
            raise RuntimeError(f"the bot did not answer: {record['failed']}")
        return record

    def cpu(self) -> float:
        """CPU milliseconds that the bot's process has used."""
        assert self.playground.bot is not None
        tasks = Path(f"/proc/{self.playground.bot.pid}/task")
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir()) / 1e6


@asynccontextmanager
async def playing(bot: Callable[[Playground], BotCommand]) -> AsyncGenerator[Player, None]:
    box: list[Playground] = []
    playground = Playground(scene=False, bot=lambda url: bot(box[0]))
    box.append(playground)
    async with playground, aiohttp.ClientSession() as session:
        await playground.until_ready()
        yield Player(playground, session)


def find(components: list[Json], prefix: str) -> str | None:
    """The custom_id of the first button that begins so."""
    for component in components:
        if str(component.get("custom_id", "")).startswith(prefix):
            return str(component["custom_id"])
        found = find(component.get("components", []), prefix)
        if found:
            return found
    return None


class BareBoard:
    """Clicks on the bare bot's static board."""

    def __init__(self, player: Player) -> None:
        self.player = player

    async def open(self) -> None:
        world = await self.player.get("/playground/world")
        self.user = world["users"][0]["id"]
        body = {"user": self.user, "channel": world["channels"][0]["id"], "command": "board", "options": {}}
        self.message = (await self.player.act("/playground/commands", body))["reply"]["id"]

    async def click(self) -> None:
        body = {"user": self.user, "message": self.message, "custom_id": "bare:flip"}
        await self.player.act("/playground/clicks", body)


class WarBoard:
    """Clicks on boards of War: a new match whenever one has ended (starting it is not counted)."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.presses: list[tuple[str, str]] = []

    async def open(self) -> None:
        world = await self.player.get("/playground/world")
        self.users = [user["id"] for user in world["users"][:2]]
        self.channel = world["channels"][0]["id"]
        await self._challenge()

    async def _challenge(self) -> None:
        body = {
            "user": self.users[0],
            "channel": self.channel,
            "command": "war challenge",
            "options": {"opponent": self.users[1], "rules": "skirmish"},
        }
        posted = (await self.player.act("/playground/commands", body))["reply"]
        accept = find(posted["components"], "war:accept")
        body = {"user": self.users[1], "message": posted["id"], "custom_id": accept}
        self.board = (await self.player.act("/playground/clicks", body))["reply"]

    async def ready(self) -> None:
        """Have a board that can be clicked."""
        if not self.presses and find(self.board["components"], "war:flip") is None:
            await self._challenge()

    async def click(self) -> None:
        if not self.presses:
            flip = find(self.board["components"], "war:flip") or ""
            self.presses = [(user, flip) for user in self.users]
        user, flip = self.presses.pop(0)
        body = {"user": user, "message": self.board["id"], "custom_id": flip}
        self.board = (await self.player.act("/playground/clicks", body))["reply"]


async def cost(board: BareBoard | WarBoard, clicks: int) -> tuple[float, float]:
    """(CPU milliseconds a click, wall milliseconds a click)."""
    cpu = wall = 0.0
    for _ in range(clicks):
        if isinstance(board, WarBoard):
            await board.ready()
        before, began = board.player.cpu(), time.perf_counter()
        await board.click()
        cpu += board.player.cpu() - before
        wall += (time.perf_counter() - began) * 1000
    return cpu / clicks, wall / clicks


async def main(clicks: int) -> int:
    bare_path = str(Path(__file__).with_name("bare_bot.py"))
    with tempfile.TemporaryDirectory() as folder:

        def war(place: Playground) -> BotCommand:
            env = {
                "DISCORD_TOKEN": place.token,
                "DISCORD_API_URL": place.url,
                "DATABASE_URL": f"sqlite:///{folder}/warbot.db",
                "LOG_LEVEL": "WARNING",
            }
            return BotCommand((sys.executable, "-m", "bot", "run"), env)

        def bare(place: Playground) -> BotCommand:
            return BotCommand((sys.executable, bare_path, place.url, place.token), {})

        async with playing(bare) as bare_player, playing(war) as war_player:
            floor, ours = BareBoard(bare_player), WarBoard(war_player)
            await floor.open()
            await ours.open()
            for kind, limit in LIMITS.items():
                await show(war_player, ours, text=kind == "on a text board")
                await cost(floor, 30)
                await cost(ours, 30)
                pairs = [(await cost(floor, clicks), await cost(ours, clicks)) for _ in range(ROUNDS)]
                report(kind, limit, pairs)
    return 0


async def show(player: Player, board: WarBoard, *, text: bool) -> None:
    """Boards as text or with pictures from now on, as the server's owner can have them. The first text board has the
    emoji uploaded, once in the life of a bot: that is waited for."""
    world = await player.get("/playground/world")
    body = {
        "user": world["server"]["owner_id"],
        "channel": world["channels"][0]["id"],
        "command": "war-admin settings",
        "options": {"text_mode": text},
    }
    await player.act("/playground/commands", body)
    while text and len(player.playground.world.emojis) < EMOJI:
        await board.ready()
        await board.click()


def report(kind: str, limit: float, pairs: list[tuple[tuple[float, float], tuple[float, float]]]) -> None:
    """A line for one kind of board; `pairs` are (CPU, wall) of the bare bot and of ours, in ms."""
    floor_cpu = statistics.median(floor[0] for floor, _ in pairs)
    our_cpu = statistics.median(ours[0] for _, ours in pairs)
    ratio = statistics.median(ours[0] / floor[0] for floor, ours in pairs)
    wall = statistics.median(ours[1] for _, ours in pairs)
    sys.stdout.write(
        f"a click {kind}: {our_cpu:.2f} ms CPU, bare discord.py {floor_cpu:.2f} ms: {ratio:.2f} times"
        f" (at most {limit}); wall {wall:.1f} ms\n"
    )


if __name__ == "__main__":
    sys.exit(asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)))
