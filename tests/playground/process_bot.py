"""A bot in a process of its own, for tests of processes and of the scene. No discord.py: it starts fast.

Words on the command line: `deaf` ignores SIGTERM, `quit` ends at once with code 3, `child` starts a
sleeping child that outlives it, `mute` never answers, `stuck` accepts but never changes the board.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from typing import Any

import aiohttp

BEHAVIOUR = set(sys.argv[1:])
TURNS_UNTIL_WAR = 3
COMMANDS = [
    {
        "name": "war",
        "description": "War",
        "type": 1,
        "options": [
            {
                "type": 1,
                "name": "challenge",
                "description": "Challenge",
                "options": [{"type": 6, "name": "opponent", "description": "Who", "required": True}],
            }
        ],
    }
]


def say(*words: object) -> None:
    sys.stdout.write(" ".join(str(word) for word in words) + "\n")
    sys.stdout.flush()


def row(label: str, custom_id: str) -> list[dict[str, Any]]:
    return [{"type": 1, "components": [{"type": 2, "style": 1, "label": label, "custom_id": custom_id}]}]


class Bot:
    def __init__(self, session: aiohttp.ClientSession, base: str) -> None:
        self.session = session
        self.base = base + "/api/v10"
        self.pressed: dict[int, set[str]] = {}

    async def answer(self, interaction: dict[str, Any]) -> None:
        if "mute" in BEHAVIOUR:
            return
        body = {"type": 4, "data": {"content": "Bob?", "components": row("Accept", "war:accept:1")}}
        custom_id = interaction["data"].get("custom_id", "")
        if custom_id.startswith("war:accept:"):
            body = {"type": 4, "data": {"content": "turn 0", "components": row("Next war", "war:flip:1:0")}}
        elif custom_id.startswith("war:flip:"):
            body = self.flip(int(custom_id.split(":")[3]), interaction["member"]["user"]["id"])
        url = f"{self.base}/interactions/{interaction['id']}/{interaction['token']}/callback"
        async with self.session.post(url, json=body) as response:
            say("answered", response.status)

    def flip(self, turn: int, user: str) -> dict[str, Any]:
        self.pressed.setdefault(turn, set()).add(user)
        if len(self.pressed[turn]) < 2 or "stuck" in BEHAVIOUR:
            return {"type": 6}
        label = "Reveal!" if turn + 1 == TURNS_UNTIL_WAR else "Next war"
        data = {"content": f"turn {turn + 1}", "components": row(label, f"war:flip:1:{turn + 1}")}
        return {"type": 7, "data": data}


async def main() -> None:
    base = os.environ["LOOPBACK_URL"]
    headers = {"Authorization": "Bot loopback.playground.token"}
    async with aiohttp.ClientSession(headers=headers) as session:
        async with session.get(base + "/api/v10/users/@me") as response:
            me = (await response.json())["id"]
        async with session.put(f"{base}/api/v10/applications/{me}/commands", json=COMMANDS):
            say("commands synced")
        bot = Bot(session, base)
        tasks: set[asyncio.Task[None]] = set()
        async with session.ws_connect(base.replace("http", "ws") + "/gateway?v=10&encoding=json") as gateway:
            async for message in gateway:
                event = message.json()
                if event["op"] == 10:
                    identify = {"token": "loopback.playground.token", "intents": 1, "properties": {}}
                    await gateway.send_json({"op": 2, "d": identify})
                elif event["t"] == "INTERACTION_CREATE":
                    task = asyncio.create_task(bot.answer(event["d"]))
                    tasks.add(task)
                    task.add_done_callback(tasks.discard)


if __name__ == "__main__":
    if "quit" in BEHAVIOUR:
        say("no, thank you")
        sys.exit(3)
    if "deaf" in BEHAVIOUR:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "child" in BEHAVIOUR:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        say("child", child.pid)
    asyncio.run(main())
