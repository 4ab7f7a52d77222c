"""The bot as a process: started, stopped, killed, and never left behind."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import aiohttp
import pytest

from playground import BotCommand, Playground
from playground.botprocess import BotProcess

ROOT = Path(__file__).resolve().parents[2]


def is_alive(pid):
    """Whether a process runs (a zombie, which only waits to be buried, does not)."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


async def gone(pid):
    async with asyncio.timeout(5):
        while is_alive(pid):  # noqa: ASYNC110  (another process's end can only be looked for)
            await asyncio.sleep(0.01)


@pytest.fixture
def lines():
    return []


@pytest.fixture
async def process(lines):
    """Runs a Python program as the bot: `process("print(1)")`."""
    running = []

    def opener(program, **env):
        bot = BotProcess(BotCommand((sys.executable, "-c", program), env), on_line=lines.append)
        running.append(bot)
        return bot

    yield opener
    for bot in running:
        await bot.kill()


SLEEP = "import time; print('up', flush=True); time.sleep(600)"


async def test_it_starts_and_stops(process, lines):
    bot = process(SLEEP)
    assert (bot.pid, bot.exit_code) == (None, None)
    pid = await bot.start()
    assert is_alive(pid)
    assert await bot.start() == pid, "one that runs is not started again"
    assert await bot.stop() == -signal.SIGTERM
    assert (bot.pid, bot.exit_code) == (None, -signal.SIGTERM)
    assert not is_alive(pid)
    assert await bot.start() != pid
    assert await bot.kill() == -signal.SIGKILL


async def test_two_starts_at_once_are_one_process(process):
    bot = process(SLEEP)
    assert len(set(await asyncio.gather(bot.start(), bot.start()))) == 1


async def test_a_kill_does_not_wait_for_a_stop_that_hangs(process, lines):
    bot = process("import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN);" + SLEEP)
    await bot.start()
    async with asyncio.timeout(5):
        while not lines:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        stopping = asyncio.create_task(bot.stop())
        await asyncio.sleep(0)
        assert await bot.kill() == -signal.SIGKILL
        assert await stopping == -signal.SIGKILL


async def test_its_output_is_passed_on_and_its_tail_kept(process, lines):
    bot = process("import sys; [print(n) for n in range(1000)]; sys.stderr.write('x' * 9000); sys.exit(3)")
    await bot.start()
    await bot._settle()
    assert bot.exit_code == 3
    assert lines[:1000] == [str(number) for number in range(1000)]
    assert {len(line) for line in lines[1000:]} <= set(range(4001))
    assert list(bot.tail) == lines[-400:]


async def test_bytes_that_are_no_text_do_no_harm(process, lines):
    bot = process("import sys; sys.stdout.buffer.write(bytes(range(128, 256)) + b'\\r\\nend')")
    await bot.start()
    await bot._settle()
    assert lines[-1] == "end"


async def test_it_gets_its_environment(process, lines):
    bot = process("import os; print(os.environ['DISCORD_API_URL'])", DISCORD_API_URL="http://here")
    await bot.start()
    await bot._settle()
    assert lines == ["http://here"]


async def test_a_command_that_is_not_there_says_so(lines):
    bot = BotProcess(BotCommand(("/nowhere/bot",)), on_line=lines.append)
    await bot.start()
    await bot._settle()
    assert bot.exit_code == 1
    assert lines == ["The bot cannot be run: /nowhere/bot: No such file or directory."]


async def test_what_the_bot_started_goes_with_it(process_bot):
    async with Playground(scene=False, bot=process_bot("child")) as opened:
        await opened.until_connected(10)
        child = int(next(line for line in opened.bot.tail if line.startswith("child")).split()[1])
        assert is_alive(child)
        await opened.control_bot("kill")
        await gone(child)


DAEMON = """
import subprocess, sys
child = [sys.executable, "-c", "import time; time.sleep(600)"]
print(subprocess.Popen(child, start_new_session=True).pid)
"""


async def test_a_daemon_that_holds_the_output_does_not_hold_up_the_end(process, lines, monkeypatch):
    monkeypatch.setattr("playground.botprocess.LAST_WORDS", 0.2)
    bot = process(DAEMON)
    await bot.start()
    await bot._settle()
    assert bot.exit_code == 0
    assert "still holds its output open" in lines[1]
    os.kill(int(lines[0]), signal.SIGKILL)


PARENT = """
import asyncio, sys
from playground import BotCommand, Playground

async def main():
    bot = lambda url: BotCommand((sys.executable, "-c", "import time; print('up'); time.sleep(600)"))
    async with Playground(scene=False, bot=bot) as opened:
        while not opened.bot.tail:
            await asyncio.sleep(0.01)
        print(opened.bot.pid, flush=True)
        await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent is gone")
async def test_a_killed_playground_leaves_no_bot_behind():
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PARENT, stdout=asyncio.subprocess.PIPE, cwd=ROOT
    )
    pid = int(await parent.stdout.readline())
    assert is_alive(pid)
    parent.kill()
    await gone(pid)
    await parent.wait()


async def test_the_interface_stops_kills_and_starts_the_bot(process_bot, script_for):
    async with (
        Playground(scene=False, bot=process_bot()) as opened,
        aiohttp.ClientSession(opened.url) as http,
    ):
        script = script_for(http)
        await opened.until_ready(10)
        first = (await script.world())["bot"]
        assert (first["connected"], first["managed"], first["pid"]) == (True, True, opened.bot.pid)

        stopped = await script.post("/bot", do="stop")
        assert (stopped["connected"], stopped["pid"], stopped["exit_code"]) == (False, None, -signal.SIGTERM)
        assert not is_alive(first["pid"])

        started = await script.post("/bot", do="start")
        assert (started["connected"], started["exit_code"]) == (True, None)
        assert started["pid"] not in (None, first["pid"])
        assert (await script.run("war challenge", opponent=await script.user("Bob")))["acked"]

        killed = await script.post("/bot", do="kill")
        assert (killed["connected"], killed["exit_code"]) == (False, -signal.SIGKILL)
        assert (await script.post("/bot", do="start"))["connected"]
        pid = opened.bot.pid
    assert not is_alive(pid), "the playground's end is the bot's"


async def test_a_bot_that_ends_at_once_is_told_with_its_last_words(process_bot, script_for):
    async with Playground(scene=False, bot=process_bot("quit")) as opened:
        with pytest.raises(RuntimeError, match=r"exit code 3(.|\n)*no, thank you"):
            await opened.until_ready(10)
        async with aiohttp.ClientSession(opened.url) as http:
            status, answer = await script_for(http).call("POST", "/bot", do="start")
    assert status == 409
    assert "no, thank you" in answer["error"]


async def test_a_deaf_bot_is_killed_in_the_end(process_bot, monkeypatch):
    monkeypatch.setattr("playground.botprocess.STOP_GRACE", 0.2)
    async with Playground(scene=False, bot=process_bot("deaf")) as opened:
        await opened.until_connected(10)
        pid = opened.bot.pid
    assert opened.bot.exit_code == -signal.SIGKILL
    assert not is_alive(pid)


async def test_ctrl_c_reaches_the_playground_alone(process):
    bot = process(SLEEP)
    pid = await bot.start()
    assert os.getsid(pid) == pid != os.getsid(0)
