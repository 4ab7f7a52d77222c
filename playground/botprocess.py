"""The bot as a child process: started, stopped, killed, listened to, and never left behind."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

TETHER = Path(__file__).with_name("tether.py")
STOP_GRACE = 12.0
"""Seconds that a bot has to finish after SIGTERM before it is killed."""
LAST_WORDS = 2.0
"""Seconds to read the rest of the output of a process that ended."""
TAIL = 400
"""Lines of output kept."""
LONGEST_LINE = 4000


@dataclass(frozen=True)
class BotCommand:
    """How to run the bot: the words of the command line, and what its environment has on top of ours."""

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)


def to_stderr(line: str) -> None:
    """Passes a line of the bot's output on to the terminal."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


class BotProcess:
    """One bot, at most one process at a time. `on_change` is called when it starts and when it ends."""

    def __init__(
        self,
        command: BotCommand,
        on_change: Callable[[], None] = lambda: None,
        on_line: Callable[[str], None] = to_stderr,
    ) -> None:
        self._command = command
        self._on_change = on_change
        self._on_line = on_line
        self._process: asyncio.subprocess.Process | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._one_at_a_time = asyncio.Lock()
        self.tail: deque[str] = deque(maxlen=TAIL)
        self.exit_code: int | None = None

    @property
    def pid(self) -> int | None:
        """The running process, or None."""
        if self._process is None or self._process.returncode is not None:
            return None
        return self._process.pid

    async def start(self) -> int:
        """Starts the bot (nothing happens when it runs) and returns its pid. OSError: it cannot be run."""
        async with self._one_at_a_time:
            return self.pid or await self._start()

    async def _start(self) -> int:
        await self._settle()
        self.exit_code = None
        # A pipe of our own: asyncio's would have wait() last until everyone who holds it is gone.
        ours, theirs = os.pipe()
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._words(),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=theirs,
                stderr=theirs,
                env={**os.environ, "PYTHONUNBUFFERED": "1", **self._command.env},
                # Its own session: Ctrl-C in the terminal reaches the playground alone, which stops the bot.
                start_new_session=True,
            )
        except BaseException:
            os.close(ours)
            raise
        finally:
            os.close(theirs)
        self._watcher = asyncio.create_task(self._watch(self._process, ours))
        self._on_change()
        return self._process.pid

    def _words(self) -> list[str]:
        words = list(self._command.argv)
        if sys.platform == "linux":
            return [sys.executable, "-S", "-E", str(TETHER), str(os.getpid()), *words]
        return words

    async def stop(self) -> int | None:
        """SIGTERM, and SIGKILL if it has not ended in time. Returns the exit code (negative: the signal)."""
        return await self._end(signal.SIGTERM)

    async def kill(self) -> int | None:
        """SIGKILL: no farewell, as in a power cut; also while a stop still waits for the bot to finish."""
        if self._process is not None and self._process.returncode is None:
            _signal(self._process, signal.SIGKILL)
        return await self._end(signal.SIGKILL)

    async def _end(self, number: signal.Signals) -> int | None:
        async with self._one_at_a_time:
            return await self._end_process(number)

    async def _end_process(self, number: signal.Signals) -> int | None:
        process = self._process
        if process is None:
            return self.exit_code
        if process.returncode is None:
            _signal(process, number)
            try:
                await asyncio.wait_for(process.wait(), STOP_GRACE)
            except TimeoutError:
                _signal(process, signal.SIGKILL)
        await self._settle()
        return self.exit_code

    async def _settle(self) -> None:
        """Waits until the end of the last process has been noted."""
        if self._watcher is not None:
            await self._watcher

    async def _watch(self, process: asyncio.subprocess.Process, output: int) -> None:
        reader = asyncio.create_task(self._read(output))
        await process.wait()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # what it may have started itself
        try:
            await asyncio.wait_for(reader, LAST_WORDS)
        except TimeoutError:
            self._line(b"(something that the bot started still holds its output open)")
        self.exit_code = process.returncode
        self._on_change()

    async def _read(self, output: int) -> None:
        """Passes the output on line by line; a line that never ends is cut."""
        stream = asyncio.StreamReader()
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(stream), os.fdopen(output, "rb")
        )
        rest = b""
        try:
            while chunk := await stream.read(65536):
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    self._line(line)
                if len(rest) > LONGEST_LINE:
                    self._line(rest)
                    rest = b""
        finally:
            transport.close()
        if rest:
            self._line(rest)

    def _line(self, raw: bytes) -> None:
        line = raw[:LONGEST_LINE].decode("utf-8", "replace").rstrip("\r")
        self.tail.append(line)
        self._on_line(line)


def _signal(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    """Sends a signal and nothing else. `Process.send_signal` also looks whether the process has ended, and when it has,
    takes its exit code away from asyncio, which then knows none (255)."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(process.pid, number)
