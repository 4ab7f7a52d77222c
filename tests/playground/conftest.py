"""A playground on real sockets, the real discord.py as its client, and a script that plays people."""

from __future__ import annotations

import asyncio
import io
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
import yarl
from discord import app_commands

from playground import BotCommand, Playground

PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000020000000308060000009d749a0000000049454e44ae426082")
"""The header of a picture of 2 by 3 pixels."""


class MovableClock:
    """Runs like time.monotonic; a test moves it forward."""

    def __init__(self) -> None:
        self._ahead = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self._ahead

    def move(self, seconds: float) -> None:
        self._ahead += seconds


class Script:
    """Drives the HTTP interface as a script would."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self.session = session

    async def call(self, method: str, path: str, **body: Any) -> tuple[int, Any]:
        kwargs = {"json": body} if method == "POST" else {}
        async with self.session.request(method, "/playground" + path, **kwargs) as response:
            return response.status, await response.json()

    async def get(self, path: str) -> Any:
        status, answer = await self.call("GET", path)
        assert status == 200, answer
        return answer

    async def post(self, path: str, **body: Any) -> Any:
        status, answer = await self.call("POST", path, **body)
        assert status == 200, answer
        return answer

    async def world(self) -> Any:
        return await self.get("/world")

    async def user(self, name: str) -> str:
        return next(user["id"] for user in (await self.world())["users"] if user["name"] == name)

    async def channel(self, name: str) -> str:
        return next(c["id"] for c in (await self.world())["channels"] if c["name"] == name)

    async def result(self, interaction: str, wait: float = 10) -> Any:
        return await self.get(f"/interactions/{interaction}?wait={wait}")

    async def send(self, command: str, *, user: str = "Alice", channel: str = "attic", **options: Any) -> str:
        """Runs a command and returns the interaction's id at once."""
        answer = await self.post(
            "/commands",
            user=await self.user(user),
            channel=await self.channel(channel),
            command=command,
            options=options,
        )
        return answer["interaction"]

    async def run(self, command: str, **kwargs: Any) -> Any:
        """Runs a command and returns what became of it."""
        return await self.result(await self.send(command, **kwargs))

    async def press(self, message: str, custom_id: str, *, user: str = "Alice", **more: Any) -> str:
        answer = await self.post("/clicks", user=await self.user(user), message=message, custom_id=custom_id, **more)
        return answer["interaction"]

    async def click(self, message: str, custom_id: str, **kwargs: Any) -> Any:
        return await self.result(await self.press(message, custom_id, **kwargs))

    async def messages(self, channel: str = "attic", viewer: str | None = None) -> Any:
        query = f"?as={await self.user(viewer)}" if viewer else ""
        return await self.get(f"/channels/{await self.channel(channel)}/messages{query}")


class Board(discord.ui.LayoutView):
    """A components v2 board whose button counts."""

    def __init__(self, count: int = 0) -> None:
        super().__init__(timeout=None)
        row = discord.ui.ActionRow()
        button = discord.ui.Button(label=f"Flip {count}", custom_id="board:flip")
        button.callback = self.flip
        row.add_item(button)
        self.count = count
        self.add_item(
            discord.ui.Container(
                discord.ui.TextDisplay(f"round {count}"),
                discord.ui.MediaGallery(discord.MediaGalleryItem("attachment://table.png", description="cards")),
                discord.ui.Separator(),
                row,
            )
        )

    async def flip(self, interaction: discord.Interaction) -> None:
        picture = discord.File(io.BytesIO(PNG), "table.png")
        await interaction.response.edit_message(view=Board(self.count + 1), attachments=[picture])


class Pick(discord.ui.View):
    def __init__(self) -> None:
        super().__init__(timeout=None)

    @discord.ui.select(
        custom_id="pick",
        options=[discord.SelectOption(label="Ace", value="A"), discord.SelectOption(label="King", value="K")],
    )
    async def pick(self, interaction: discord.Interaction, select: discord.ui.Select) -> None:
        await interaction.response.edit_message(content=f"picked {select.values[0]}", view=None)


class Name(discord.ui.Modal, title="Name your army"):
    army = discord.ui.TextInput(label="Army", custom_id="army", max_length=20)

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"army {self.army.value}", ephemeral=True)


class TableBot(discord.Client):
    """A small bot that answers in every way that a card game does.

    `gate` holds back the commands that wait for it; `reached` is set when one of them got there,
    `finished` when `slow` is through. `refused` receives Discord's error codes, `heard` the names of
    the gateway's events.
    """

    def __init__(self, intents: discord.Intents) -> None:
        super().__init__(intents=intents, enable_debug_events=True, guild_ready_timeout=0.1)
        self.tree = app_commands.CommandTree(self)
        self.gate = asyncio.Event()
        self.reached = asyncio.Event()
        self.finished = asyncio.Event()
        self.refused: asyncio.Queue[int] = asyncio.Queue()
        self.heard: list[str] = []
        add_commands(self)

    async def setup_hook(self) -> None:
        self.add_view(Board())
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """discord.py waits 5 s before it identifies again, for a limit that the playground does not have."""

    async def on_socket_event_type(self, event: str) -> None:
        self.heard.append(event)

    async def refusal(self) -> int:
        """The next code with which Discord refused something."""
        return await asyncio.wait_for(self.refused.get(), 5)

    async def arrival(self) -> None:
        """Returns when a command waits at the gate."""
        await asyncio.wait_for(self.reached.wait(), 5)

    async def attempt(self, work: Awaitable[Any]) -> Any:
        """Awaits a request and keeps the code with which Discord refuses it."""
        try:
            return await work
        except discord.HTTPException as error:
            self.refused.put_nowait(error.code)
            return None


def add_commands(bot: TableBot) -> None:
    tree = bot.tree
    war = app_commands.Group(name="war", description="The card game War")

    @war.command(description="Challenge somebody")
    async def challenge(interaction: discord.Interaction, opponent: discord.Member, rules: str | None = None) -> None:
        await interaction.response.send_message(f"{opponent.mention} {rules}: {opponent.display_name}")

    tree.add_command(war)

    @tree.command(description="Shows the board")
    async def board(interaction: discord.Interaction) -> None:
        picture = discord.File(io.BytesIO(PNG), "table.png")
        await interaction.response.send_message(view=Board(), file=picture)

    @tree.command(description="Whispers")
    async def whisper(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("psst", view=Pick(), ephemeral=True)

    @tree.command(description="Defers, then follows up with a file")
    async def slow(interaction: discord.Interaction, private: bool) -> None:
        await interaction.response.defer(ephemeral=private, thinking=True)
        bot.reached.set()
        await bot.gate.wait()
        file = discord.File(io.BytesIO(b"0123456789"), "log.txt")
        first = await bot.attempt(interaction.followup.send("done", file=file, wait=True))
        if first:
            await interaction.followup.send("and more", ephemeral=True)
            await interaction.edit_original_response(content=f"{first.content}!")
        bot.finished.set()

    @tree.command(description="Answers when the gate opens")
    async def late(interaction: discord.Interaction) -> None:
        bot.reached.set()
        await bot.gate.wait()
        await bot.attempt(interaction.response.send_message("late"))

    @tree.command(description="Answers twice")
    async def twice(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("once")
        interaction.response._response_type = None  # discord.py would not even try
        await bot.attempt(interaction.response.send_message("twice"))

    @tree.command(description="A modal")
    async def name(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Name())

    @tree.command(description="Counts")
    @app_commands.choices(suit=[app_commands.Choice(name="Spades", value="S")])
    async def count(
        interaction: discord.Interaction,
        number: app_commands.Range[int, 1, 6],
        suit: str | None = None,
        variant: str | None = None,
    ) -> None:
        await interaction.response.send_message(f"{number} {suit} {variant}")

    @count.autocomplete("variant")
    async def variants(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=v, value=v) for v in ("classic", "short", "blitz") if current in v]

    @tree.context_menu(name="Challenge to War")
    async def menu(interaction: discord.Interaction, member: discord.Member) -> None:
        await interaction.response.send_message(f"{member.display_name}?", ephemeral=True)


Opener = Callable[..., Awaitable[TableBot]]


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
async def playground(clock: MovableClock) -> AsyncIterator[Playground]:
    """A playground without a bot of its own. A test that provokes violations takes them away."""
    async with Playground(scene=False, clock=clock) as opened:
        yield opened
        assert opened.violations == []


@pytest.fixture
async def script(playground: Playground) -> AsyncIterator[Script]:
    async with aiohttp.ClientSession(playground.url) as session:
        yield Script(session)


@pytest.fixture
async def open_bot(playground: Playground, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Opener]:
    """Logs a bot in, in this process; it is closed at the end."""
    monkeypatch.setattr(discord.http.Route, "BASE", playground.url + "/api/v10")
    monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(playground.gateway.url))
    running: list[tuple[TableBot, asyncio.Task[None]]] = []

    async def opener(token: str = playground.token, **intents: bool) -> TableBot:
        bot = TableBot(discord.Intents(**(intents or {"guilds": True})))
        running.append((bot, asyncio.create_task(bot.start(token))))
        connected = asyncio.create_task(playground.until_connected(10))
        await asyncio.wait({connected, running[-1][1]}, return_when=asyncio.FIRST_COMPLETED)
        connected.cancel()
        if running[-1][1].done():
            running.pop()[1].result()
        async with asyncio.timeout(10):
            await bot.wait_until_ready()
        return bot

    yield opener
    for bot, task in running:
        await bot.close()
        await task


@pytest.fixture
async def bot(open_bot: Opener) -> TableBot:
    return await open_bot()


@pytest.fixture
async def rest(playground: Playground) -> AsyncIterator[Callable[..., Awaitable[tuple[int, Any]]]]:
    """Requests of the bot, raw: `await rest("POST", "/channels/1/messages", content="hi")`."""
    headers = {"Authorization": f"Bot {playground.token}"}
    async with aiohttp.ClientSession(playground.url, headers=headers) as session:

        async def request(method: str, path: str, json: Any = None, **fields: Any) -> tuple[int, Any]:
            body = json if json is not None else fields or None
            async with session.request(method, "/api/v10" + path, json=body) as response:
                return response.status, await response.json() if response.status != 204 else None

        yield request


@pytest.fixture
def process_bot() -> Callable[..., Callable[[str], BotCommand]]:
    """The command of a bot in a process of its own (process_bot.py), with words for its behaviour."""

    def words(*behaviour: str) -> Callable[[str], BotCommand]:
        program = str(Path(__file__).with_name("process_bot.py"))
        return lambda url: BotCommand((sys.executable, program, *behaviour), {"LOOPBACK_URL": url})

    return words


@pytest.fixture
def png() -> bytes:
    return PNG


@pytest.fixture
def script_for() -> type[Script]:
    return Script
