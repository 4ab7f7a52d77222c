"""How the bot starts, what it prints, and the sentence and exit code with which it does not."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import sqlite3
import sys
from pathlib import Path

import aiohttp
import pytest
import pytest_asyncio

from bot.exits import Exit
from playground import Playground

pytestmark = pytest.mark.asyncio(loop_scope="module")

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 30.0


class Process:
    """`warbot run` in a folder of its own; its lines are read as they come."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.out: list[str] = []
        self.err: list[str] = []
        self._readers = asyncio.gather(self._read(process.stdout, self.out), self._read(process.stderr, self.err))
        self._line = asyncio.Condition()

    async def _read(self, stream, lines: list[str]) -> None:
        while line := await stream.readline():
            async with self._line:
                lines.append(line.decode().rstrip("\n"))
                self._line.notify_all()

    async def says(self, words: str) -> str:
        """The first line with these words, once it is there."""

        def found() -> str | None:
            return next((line for line in [*self.out, *self.err] if words in line), None)

        async with asyncio.timeout(PATIENCE), self._line:
            await self._line.wait_for(found)
        line = found()
        assert line is not None
        return line

    async def ended(self) -> int:
        async with asyncio.timeout(PATIENCE):
            await self._readers
            return await self._process.wait()

    def terminate(self) -> None:
        self._process.send_signal(signal.SIGTERM)

    async def close(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._readers
        await self._process.wait()


@pytest_asyncio.fixture(loop_scope="module")
async def start(tmp_path):
    """`await start(DISCORD_TOKEN="...")` runs the bot with that environment in an empty folder."""
    running = []
    cwd = tmp_path / "cwd"
    cwd.mkdir()

    async def starter(**env: str | None) -> Process:
        values = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
        values |= {name: value for name, value in env.items() if value is not None}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            "run",
            cwd=cwd,
            env=values,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        running.append(Process(process))
        return running[-1]

    yield starter
    for process in running:
        await process.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def playground():
    """A Discord that no bot has connected to yet."""
    async with Playground(scene=False) as opened:
        yield opened
        assert opened.violations == []


@pytest.fixture
def settings(playground, tmp_path):
    """A whole environment; the tests take away or change one thing each."""
    return {
        "DISCORD_TOKEN": playground.token,
        "DISCORD_API_URL": playground.url,
        "DATABASE_URL": f"sqlite:///{tmp_path}/warbot.db",
    }


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def sound_database(playground, tmp_path_factory):
    """A database that a bot has made and closed."""
    path = tmp_path_factory.mktemp("made") / "warbot.db"
    env = {"DISCORD_TOKEN": "no", "DISCORD_API_URL": playground.url, "DATABASE_URL": f"sqlite:///{path}"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "run"),
        cwd=ROOT,
        env={**os.environ, **env},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    async with asyncio.timeout(PATIENCE):
        assert await process.wait() == Exit.TOKEN_REFUSED
    return path


@pytest.fixture
def database(sound_database, tmp_path):
    """A copy of it, where `settings` has it."""
    path = tmp_path / "warbot.db"
    shutil.copy(sound_database, path)
    return path


async def ends_with(process: Process, code: Exit, *words: str) -> None:
    """The bot ends with that code and one sentence on stderr in which the words are."""
    assert await process.ended() == code, process.err
    assert len(process.err) == 1, process.err
    for each in words:
        assert each in process.err[0]
    assert process.err[0].endswith(".")


# ---- what it prints ---------------------------------------------------------------------------------------------


async def test_it_prints_what_it_found_and_never_the_token(start, settings, playground, tmp_path):
    first = await start(**settings)
    await first.says("Ready in 1 server.")
    first.terminate()
    assert await first.ended() == 0
    text = "\n".join(first.out)
    length = len(playground.token)
    assert f"Token: from the environment, {length} characters" in text
    assert f"{tmp_path}/warbot.db" in text
    assert "Commands: synced" in text
    invite = next(line for line in first.out if line.startswith("Invite: "))
    bot = playground.world.bot.id
    assert f"https://discord.com/oauth2/authorize?client_id={bot}" in invite
    assert "scope=bot+applications.commands&permissions=" in invite
    assert first.err == []

    second = await start(**settings)
    assert "Commands: unchanged" in await second.says("Logged in as")
    second.terminate()
    assert await second.ended() == 0
    for line in [*first.out, *second.out, *second.err]:
        assert playground.token not in line


async def test_the_token_may_come_from_a_file_which_is_then_said(start, settings, playground, tmp_path):
    (tmp_path / "cwd" / ".env").write_text(f"DISCORD_TOKEN={playground.token}\n", encoding="utf-8")
    process = await start(**settings | {"DISCORD_TOKEN": None})
    assert f"Token: from .env, {len(playground.token)} characters" in await process.says("Token:")
    await process.says("Ready in")
    process.terminate()
    assert await process.ended() == 0
    assert playground.token not in "\n".join(process.out + process.err)


# ---- settings ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("token", [None, "", "   "])
async def test_a_missing_token(start, settings, token):
    await ends_with(await start(**settings | {"DISCORD_TOKEN": token}), Exit.BAD_INPUT, "DISCORD_TOKEN", ".env")


async def test_a_wrong_token(start, settings):
    process = await start(**settings | {"DISCORD_TOKEN": "MTIzNDU2Nzg5.wrong.wrong"})
    await ends_with(process, Exit.TOKEN_REFUSED, "Discord refused the token", "DISCORD_TOKEN")
    assert "MTIzNDU2Nzg5" not in "\n".join(process.out + process.err)


async def test_a_database_of_a_kind_that_it_does_not_know(start, settings):
    process = await start(**settings | {"DATABASE_URL": "mysql://somewhere/war"})
    await ends_with(process, Exit.BAD_INPUT, "DATABASE_URL")


# ---- databases --------------------------------------------------------------------------------------------------


async def test_a_corrupt_database(start, settings, database):
    with database.open("r+b") as file:
        file.seek(4096)
        file.write(b"\x55" * 4096)
    before = database.read_bytes()
    await ends_with(await start(**settings), Exit.DATABASE_DAMAGED, str(database), "backup")
    assert database.read_bytes() == before


async def test_something_that_is_no_database(start, settings, database):
    database.write_text("a letter to my aunt\n" * 300, encoding="utf-8")
    await ends_with(await start(**settings), Exit.DATABASE_DAMAGED, str(database))


async def test_a_database_of_zero_bytes(start, settings, database):
    database.write_bytes(b"")
    await ends_with(await start(**settings), Exit.DATABASE_EMPTY_FILE, str(database))
    assert database.stat().st_size == 0


async def test_a_database_of_another_program(start, settings, database):
    database.unlink()
    with contextlib.closing(sqlite3.connect(database)) as other:
        other.execute("CREATE TABLE bookmarks (url TEXT)")
        other.commit()
    await ends_with(await start(**settings), Exit.NOT_OUR_DATABASE, str(database))


async def test_a_read_only_database(start, settings, database):
    database.chmod(0o444)
    await ends_with(await start(**settings), Exit.DATABASE_READ_ONLY, str(database))


async def test_a_newer_database(start, settings, database):
    with contextlib.closing(sqlite3.connect(database)) as db:
        db.execute("PRAGMA user_version")
        [(table,)] = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '%migration%'")
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
        row = list(db.execute(f"SELECT * FROM {table}").fetchall()[-1])
        row[0] = 999
        db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", row)
        db.commit()
    await ends_with(await start(**settings), Exit.DATABASE_NEWER, "newer version")


async def test_a_locked_database(start, settings, database):
    with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        await ends_with(await start(**settings), Exit.DATABASE_LOCKED, str(database))


async def test_a_second_bot_on_the_same_database(start, settings):
    first = await start(**settings)
    await first.says("Logged in as")
    await ends_with(await start(**settings), Exit.DATABASE_IN_USE, "warbot.db")
    first.terminate()
    assert await first.ended() == 0, "the first was not disturbed"


async def test_a_folder_that_does_not_exist(start, settings, tmp_path):
    process = await start(**settings | {"DATABASE_URL": f"sqlite:///{tmp_path}/nowhere/warbot.db"})
    await ends_with(process, Exit.BAD_INPUT, "nowhere", "does not exist")


# ---- a Discord that is not there --------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def no_traceback(process: Process) -> None:
    assert not [line for line in process.err if line.startswith(("Traceback", "  File"))], "\n".join(process.err)


async def test_it_waits_for_a_discord_that_is_not_there_yet(start, settings):
    port = free_port()
    process = await start(**settings | {"DISCORD_API_URL": f"http://127.0.0.1:{port}"})
    await process.says("out of reach")
    async with Playground(port=port, scene=False) as late:
        await late.until_ready(PATIENCE)
        await process.says("Ready in 1 server.")
        process.terminate()
        assert await process.ended() == 0
    no_traceback(process)


async def test_it_stops_while_it_waits_for_discord(start, settings):
    process = await start(**settings | {"DISCORD_API_URL": f"http://127.0.0.1:{free_port()}"})
    await process.says("out of reach")
    process.terminate()
    assert await process.ended() == 0
    no_traceback(process)


@pytest.mark.parametrize("moment", ["Token:", "Logged in as"])
async def test_it_stops_in_the_middle_of_the_start(start, settings, moment):
    process = await start(**settings)
    await process.says(moment)
    process.terminate()
    assert await process.ended() == 0, process.err
    no_traceback(process)


class Gate:
    """A port before the gateway: it hangs up on everybody until it is opened, then it passes on what comes."""

    def __init__(self, there: int) -> None:
        self.there = there
        self.open = False
        self.knocked = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self.open:
            self.knocked.set()
            writer.close()
            return
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self.there)
        await asyncio.gather(self._pass_on(reader, there_writer), self._pass_on(there_reader, writer))

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        writer.close()


async def test_it_waits_for_a_gateway_that_is_not_there_yet(start, settings):
    async with Playground(scene=False) as place:
        gate = Gate(int(place.url.rsplit(":", 1)[1]))
        server = await asyncio.start_server(gate.serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        place.gateway.url = f"ws://127.0.0.1:{port}/gateway"
        process = await start(**settings | {"DISCORD_API_URL": place.url})
        async with asyncio.timeout(PATIENCE):
            await gate.knocked.wait()
        gate.open = True
        await place.until_ready(PATIENCE)
        await process.says("Ready in 1 server.")
        process.terminate()
        assert await process.ended() == 0
        server.close()
    no_traceback(process)


async def test_a_rest_that_fails_at_first_is_tried_again(start, settings):
    """A proxy that answers 503 while Discord restarts, then the real thing on the same port."""
    port = free_port()
    asked = asyncio.Event()

    async def fail(request: aiohttp.web.BaseRequest) -> aiohttp.web.Response:
        asked.set()
        return aiohttp.web.json_response({"message": "503: Service Unavailable", "code": 0}, status=503)

    runner = aiohttp.web.ServerRunner(aiohttp.web.Server(fail))
    await runner.setup()
    await aiohttp.web.TCPSite(runner, "127.0.0.1", port, reuse_address=True).start()
    process = await start(**settings | {"DISCORD_API_URL": f"http://127.0.0.1:{port}"})
    async with asyncio.timeout(PATIENCE):
        await asked.wait()
    await runner.cleanup()
    async with Playground(port=port, scene=False) as place:
        await place.until_ready(PATIENCE)
        process.terminate()
        assert await process.ended() == 0
    no_traceback(process)
