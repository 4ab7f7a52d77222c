"""The real bot in a process of its own on a fresh database, with the playground as its Discord, and people who play."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import re
import sqlite3
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import aiohttp
import pytest
import pytest_asyncio

from engine.rules import Rules
from engine.table import Pace, play_turn
from engine.war import War
from playground import BotCommand, Playground

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 30.0
"""Seconds until a test gives up; nothing waits that long where all is well."""
LOOK_AGAIN = 0.1
EPHEMERAL = 64
Json = dict[str, Any]
T = TypeVar("T")


class Message:
    """A message as people see it: its words, and its buttons by their labels."""

    def __init__(self, raw: Json) -> None:
        self.raw = raw
        self.id: str = raw["id"]
        self.private = bool(raw["flags"] & EPHEMERAL)
        parts = list(_walk(raw.get("components") or []))
        texts = [raw["content"]] if raw.get("content") else []
        self.text = "\n".join(texts + [part["content"] for part in parts if "content" in part])
        buttons = [part for part in parts if part["type"] == 2 and not part.get("disabled")]
        self.buttons = {each["label"]: each["custom_id"] for each in buttons if "custom_id" in each}
        self.files = [item["media"]["url"] for part in parts for item in part.get("items", ())]
        self.files += [part["file"]["url"] for part in parts if "file" in part]
        self.files += [each["url"] for each in raw["attachments"]]
        """The addresses of what is attached, pictures that its components show first."""
        self.links = {each["label"]: each["url"] for each in buttons if "url" in each}

    def __repr__(self) -> str:
        return f"<Message {self.id}{' in private' if self.private else ''}: {self.text!r} {self.buttons}>"

    @property
    def main(self) -> str | None:
        """The custom_id of the one obvious button of a board; None when this is no board that is on."""
        return next((each for each in self.buttons.values() if each.startswith("war:flip:")), None)

    @property
    def main_label(self) -> str:
        return next(label for label, custom_id in self.buttons.items() if custom_id == self.main)

    @property
    def counts(self) -> dict[str, int]:
        """Cards in each player's pile, by name, as the board or the result says."""
        return {name: int(cards) for name, cards in re.findall(r"\*\*(\w+)\*\* · (\d+) cards?", self.text)}

    @property
    def pot(self) -> int:
        """Cards on the table: a line of its own, or told with the tie."""
        found = re.search(r"^On the table: (\d+) cards?$|with (\d+) cards? on the table", self.text, re.MULTILINE)
        return int(found[1] or found[2]) if found else 0


def _walk(components: list[Json]) -> Iterator[Json]:
    for component in components:
        yield component
        if "accessory" in component:
            yield component["accessory"]
        yield from _walk(component.get("components") or [])


class Answer:
    """What became of a command or a click."""

    def __init__(self, record: Json) -> None:
        self.record = record
        self.failed: str | None = record["failed"]
        self.acked: bool = record["acked"]
        reply = record["reply"]
        self.message = None if reply is None else Message(reply)
        self.followups = [Message(raw) for raw in record["followups"]]
        self.quiet = record["ack_type"] == 6
        """Acknowledged without a word."""

    def __repr__(self) -> str:
        return f"<Answer {self.failed or ''} {self.message} {self.followups}>"

    @property
    def private(self) -> bool:
        """Whether all that was said was said to one person."""
        said = [*([self.message] if self.message else []), *self.followups]
        return bool(said) and all(message.private for message in said)

    @property
    def text(self) -> str:
        return "\n".join(message.text for message in [*([self.message] if self.message else []), *self.followups])


class Person:
    """Somebody in the server. What they do is waited for, and must be answered."""

    def __init__(self, game: Game, user_id: str, name: str) -> None:
        self.game = game
        self.id = user_id
        self.name = name

    async def command(self, channel: str, command: str, **options: Any) -> Answer:
        return await self.game.answer(await self.game.send_command(self, channel, command, **options))

    async def click(self, message: Message | str, button: str) -> Answer:
        """Presses a button, named by its label or by a custom_id that need not be on the message."""
        return await self.game.answer(await self.game.send_click(self, message, button))

    async def sees(self, channel: str) -> list[Message]:
        """All messages of a channel, the private ones of this person among them; oldest first."""
        return await self.game.messages(channel, self)


class Match:
    """Two people at a table, in a channel of their own. The challenger deals."""

    def __init__(self, game: Game, channel: str, dealer: Person, other: Person, board: Message) -> None:
        self.game = game
        self.channel = channel
        self.dealer = dealer
        self.other = other
        self.message = board.id
        assert board.main is not None, board
        self.id = int(board.main.split(":")[2])

    async def board(self) -> Message:
        """The message that shows the match, as it is now."""
        return await self.game.message(self.channel, self.message)

    def stored(self) -> sqlite3.Row:
        """The match as the database has it."""
        return self.game.row("SELECT * FROM matches WHERE id = ?", self.id)

    async def after(self, before: Message) -> Message:
        """The board as soon as it shows another turn than `before`, or the result."""

        async def moved() -> Message | None:
            board = await self.board()
            return board if board.main != before.main else None

        return await self.game.until(moved)

    async def shows(self, words: str) -> Message:
        """The board as soon as it says these words: while it is being painted, a press is only acknowledged."""

        async def said() -> Message | None:
            board = await self.board()
            return board if words in board.text else None

        return await self.game.until(said)

    async def turn(self) -> Message:
        """Both press the main button. Returns the next board, or the result."""
        before = await self.board()
        assert before.main is not None, before
        for person in (self.dealer, self.other):
            await person.click(before, before.main)
        return await self.after(before)

    async def play_out(self) -> Message:
        """Both press until it is over. Returns the result."""
        board = await self.board()
        while board.main is not None:
            board = await self.turn()
        return board

    def length(self) -> int:
        """Turns that it takes when both press each one and nobody asks for another pace."""
        stored = self.stored()
        rules = Rules.from_dict(json.loads(stored["rules"]))
        war = War.deal(rules, 2, stored["server_seed"], stored["client_seed"])
        turns = 0
        while war.outcome is None:
            play_turn(war, Pace.WAR)
            turns += 1
        return turns


class Game:
    """A server of Discord with the bot in it."""

    def __init__(self, playground: Playground, session: aiohttp.ClientSession, database: Path) -> None:
        self.playground = playground
        self.session = session
        self.database = database
        self._names = itertools.count(1)
        self._heard = 0
        self._clock_runs = False
        self._told: set[str] = set()
        self._something = asyncio.Condition()

    # what the HTTP interface gives

    async def call(self, method: str, path: str, **body: Any) -> Any:
        kwargs = {"json": body} if method == "POST" else {}
        async with self.session.request(method, "/playground" + path, **kwargs) as response:
            answer = await response.json()
            assert response.status == 200, answer
            return answer

    async def person(self, name: str) -> Person:
        """Somebody new."""
        return Person(self, (await self.call("POST", "/users", name=name))["id"], name)

    async def people(self, *names: str) -> list[Person]:
        return [await self.person(name) for name in names]

    async def channel(self, **permissions: int) -> str:
        """A new channel's id."""
        name = f"table-{next(self._names)}-{os.urandom(2).hex()}"
        return (await self.call("POST", "/channels", name=name, **permissions))["id"]

    async def permit(self, channel: str, permissions: int) -> None:
        """Sets what the bot may do in a channel."""
        world = await self.call("GET", "/world")
        name = next(each["name"] for each in world["channels"] if each["id"] == channel)
        await self.call("POST", "/channels", name=name, permissions=permissions)

    async def send_command(self, person: Person, channel: str, command: str, **options: Any) -> str:
        """Runs a command; returns the interaction's id at once."""
        values = {name: value.id if isinstance(value, Person) else value for name, value in options.items()}
        body = {"user": person.id, "channel": channel, "command": command, "options": values}
        return (await self.call("POST", "/commands", **body))["interaction"]

    async def send_click(self, person: Person, message: Message | str, button: str) -> str:
        """Presses a button; returns the interaction's id at once. A custom_id instead of a label may be one that the
        message does not show (any more): it is forged."""
        forge = not isinstance(message, Message) or button not in message.buttons
        if isinstance(message, Message):
            button = message.buttons.get(button, button)
            message = message.id
        body = {"user": person.id, "message": message, "custom_id": button, "forge": forge}
        return (await self.call("POST", "/clicks", **body))["interaction"]

    async def answer(self, interaction: str) -> Answer:
        """What came of it. An answer must come."""
        answer = await self.outcome(interaction)
        assert answer.acked, answer
        return answer

    async def outcome(self, interaction: str) -> Answer:
        """What came of it, as soon as it is answered or can be no more."""
        return Answer(await self.call("GET", f"/interactions/{interaction}?wait=10"))

    async def answer_so_far(self, interaction: str) -> Answer:
        """What has come of it by now; when the bot is dead there will be no more."""
        return Answer(await self.call("GET", f"/interactions/{interaction}"))

    async def messages(self, channel: str, viewer: Person | None = None) -> list[Message]:
        query = f"?as={viewer.id}" if viewer else ""
        return [Message(raw) for raw in await self.call("GET", f"/channels/{channel}/messages{query}")]

    async def message(self, channel: str, message_id: str) -> Message:
        return next(each for each in await self.messages(channel) if each.id == message_id)

    async def delete(self, channel: str, message_id: str) -> None:
        """Deletes a message as Discord's own interface would."""
        url = f"/api/v10/channels/{channel}/messages/{message_id}"
        headers = {"Authorization": f"Bot {self.playground.token}"}
        async with self.session.delete(url, headers=headers) as response:
            assert response.status == 204

    async def download(self, message: Message) -> bytes:
        """The one file of a message."""
        [url] = message.files
        async with self.session.get(url) as response:
            assert response.status == 200
            return await response.read()

    async def bot(self, order: str) -> Json:
        """Stops, kills or starts the bot; returns how the process stands."""
        if order == "start":
            self.nothing_went_wrong()
            assert self.playground.bot is not None
            self.playground.bot.tail.clear()
            self._clock_runs = False
        return await self.call("POST", "/bot", do=order)

    # waiting

    async def listen(self) -> None:
        """Hears the event stream until it ends."""
        async with self.session.get("/playground/events", timeout=aiohttp.ClientTimeout()) as stream:
            async for line in stream.content:
                if line.startswith(b"data:"):
                    async with self._something:
                        self._heard += 1
                        self._something.notify_all()

    async def until(self, look: Callable[[], Awaitable[T | None]], seconds: float = PATIENCE) -> T:
        """What `look` returns, once it is not None. It looks again after every event, and now and then between them,
        for the database tells nobody when it changes."""
        async with asyncio.timeout(seconds):
            while True:
                heard = self._heard
                found = await look()
                if found is not None:
                    return found
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_AGAIN), self._something:
                        await self._something.wait_for(lambda: self._heard != heard)  # noqa: B023

    async def clock_runs(self) -> None:
        """The bot has all its servers since its last start: from then on it minds deadlines, which it put off once."""
        async with asyncio.timeout(PATIENCE):
            while not self._clock_runs:
                self._clock_runs = any(line.startswith("Ready in") for line in self.log)
                await asyncio.sleep(0.02)  # another process's output can only be looked for

    async def time_is_up(self, match_id: int) -> None:
        """The deadline of a match, or of a challenge, passes. Returns when the bot has acted on that."""
        await self.clock_runs()
        before = tuple(self.row("SELECT version, status FROM matches WHERE id = ?", match_id))

        async def acted() -> bool | None:
            now = tuple(self.row("SELECT version, status FROM matches WHERE id = ?", match_id))
            if now != before:
                return True
            # Again and again: the first look after a start puts off what came due before it.
            due = "UPDATE matches SET deadline_at = 1 WHERE id = ? AND version = ? AND status = ?"
            self.write(due, match_id, *before)
            return None

        await self.until(acted)

    # playing

    async def challenge(self, dealer: Person, other: Person, channel: str, **options: Any) -> Message:
        """A challenge that waits."""
        answer = await dealer.command(channel, "war challenge", opponent=other, **options)
        assert answer.message is not None, answer
        assert "Accept" in answer.message.buttons, answer
        return answer.message

    async def match(
        self, dealer: Person, other: Person, channel: str | None = None, *, turns: int = 4, **options: Any
    ) -> Match:
        """A match that has just been dealt, and takes at least so many turns: one in 80 takes three at most. What is
        dealt too short is left alone till the bot puts it away, and leaves no standing."""
        while True:
            match = await self._deal(dealer, other, channel or await self.channel(), **options)
            if turns == 1 or match.length() >= turns:
                return match
            while match.stored()["status"] == "live":
                await self.time_is_up(match.id)

    async def _deal(self, dealer: Person, other: Person, channel: str, **options: Any) -> Match:
        challenge = await self.challenge(dealer, other, channel, **options)
        accepted = await other.click(challenge, "Accept")
        assert accepted.message is not None, accepted

        async def settled() -> bool | None:  # the challenge is closed when the board is known
            return None if (await self.message(channel, challenge.id)).buttons else True

        await self.until(settled)
        return Match(self, channel, dealer, other, accepted.message)

    # behind the scenes

    @staticmethod
    def match_id(challenge: Message) -> int:
        """The id of a challenge or a match, as its buttons have it."""
        return int(next(iter(challenge.buttons.values())).split(":")[2])

    def rows(self, statement: str, *values: object) -> list[sqlite3.Row]:
        with contextlib.closing(sqlite3.connect(self.database, timeout=10)) as db:
            db.row_factory = sqlite3.Row
            return db.execute(statement, values).fetchall()

    def row(self, statement: str, *values: object) -> sqlite3.Row:
        [row] = self.rows(statement, *values)
        return row

    def write(self, statement: str, *values: object) -> int:
        """Changes the database under the running bot, as an operator could. How many rows."""
        with contextlib.closing(sqlite3.connect(self.database, timeout=10)) as db:
            changed = db.execute(statement, values).rowcount
            db.commit()
            return changed

    async def check(self) -> None:
        """`warbot check` finds nothing wrong: pages, keys, every match replays, standings equal a recount."""
        code, out, err = await warbot("check", str(self.database))
        assert (code, err) == (0, ""), out + err

    @property
    def log(self) -> list[str]:
        """What the bot has printed, the last lines of it."""
        assert self.playground.bot is not None
        return list(self.playground.bot.tail)

    def nothing_went_wrong(self) -> None:
        """Neither against Discord's rules, nor in the bot, since this was asked last."""
        violations = [str(each) for each in self.playground.violations]
        self.playground.violations.clear()
        assert violations == []
        bad = re.compile(r"Traceback|^\S+ \S+ (ERROR|CRITICAL) ")
        lines = [line for line in self.log if bad.search(line) and line not in self._told]
        self._told.update(lines)
        assert lines == [], "\n".join(self.log[-60:])


async def warbot(*words: str, **env: str) -> tuple[int, str, str]:
    """Runs `warbot` to its end: exit code, stdout, stderr."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        *words,
        cwd=ROOT,
        env={**os.environ, **env},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(PATIENCE):
            out, err = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


RUN = (sys.executable, "-m", "bot", "run")


@contextlib.asynccontextmanager
async def open_game(folder: Path, *, command: tuple[str, ...] = RUN, **settings: str) -> AsyncIterator[Game]:
    """A playground with the real bot on a database in that folder."""
    database = folder / "warbot.db"
    place: list[Playground] = []

    def bot(url: str) -> BotCommand:
        env = {
            "DISCORD_TOKEN": place[0].token,
            "DISCORD_API_URL": url,
            "DATABASE_URL": f"sqlite:///{database}",
            "LOG_LEVEL": "INFO",
            **settings,
        }
        return BotCommand(command, env)

    place.append(Playground(bot=bot, scene=False))
    async with place[0] as playground:
        await playground.until_ready(PATIENCE)
        async with aiohttp.ClientSession(playground.url, read_bufsize=2**22) as session:
            game = Game(playground, session, database)
            listening = asyncio.create_task(game.listen())
            try:
                yield game
            finally:
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)


@pytest.fixture(scope="module")
def bot_settings() -> dict[str, str]:
    """Settings of the module's bots besides the usual ones; a module or a folder may have its own."""
    return {}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory, bot_settings: dict[str, str]) -> AsyncIterator[Game]:
    """One bot for the tests of a module, which keep apart by channels and people of their own. In the end its database
    is checked."""
    async with open_game(tmp_path_factory.mktemp("house"), **bot_settings) as game:
        yield game
        await game.check()


@pytest_asyncio.fixture(loop_scope="module")
async def game(house: Game) -> AsyncIterator[Game]:
    """The module's bot; after each test nothing must have gone wrong."""
    yield house
    house.nothing_went_wrong()


@pytest_asyncio.fixture(loop_scope="module")
async def own_game(tmp_path: Path, bot_settings: dict[str, str]) -> AsyncIterator[Game]:
    """A bot of the test's own, to stop and to kill."""
    async with open_game(tmp_path, **bot_settings) as game:
        yield game
        game.nothing_went_wrong()


@pytest.fixture(scope="session")
def new_game() -> Callable[..., contextlib.AbstractAsyncContextManager[Game]]:
    """`async with new_game(folder, command=(...), NAME="value") as game:` where a test needs another bot."""
    return open_game


@pytest.fixture(scope="session")
def run_warbot() -> Callable[..., Awaitable[tuple[int, str, str]]]:
    """`await run_warbot("check", path, NAME="value")` gives exit code, stdout and stderr."""
    return warbot
