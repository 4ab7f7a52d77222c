"""A client's connection to the gateway, and the session behind it."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from dataclasses import dataclass, field

from aiohttp import web

from playground.compression import Compress
from playground.limits import Window
from playground.sockets import abort

GUILDS, GUILD_MEMBERS, GUILD_PRESENCES = 1 << 0, 1 << 1, 1 << 8
GUILD_MESSAGES, MESSAGE_CONTENT = 1 << 9, 1 << 15
PRIVILEGED = GUILD_MEMBERS | GUILD_PRESENCES | MESSAGE_CONTENT

EVENT_INTENT = {
    "GUILD_CREATE": GUILDS,
    "GUILD_DELETE": GUILDS,
    "GUILD_ROLE_UPDATE": GUILDS,
    "CHANNEL_CREATE": GUILDS,
    "CHANNEL_UPDATE": GUILDS,
    "CHANNEL_DELETE": GUILDS,
    "THREAD_CREATE": GUILDS,
    "THREAD_UPDATE": GUILDS,
    "THREAD_DELETE": GUILDS,
    "GUILD_MEMBER_ADD": GUILD_MEMBERS,
    "GUILD_MEMBER_UPDATE": GUILD_MEMBERS,
    "GUILD_MEMBER_REMOVE": GUILD_MEMBERS,
    "MESSAGE_CREATE": GUILD_MESSAGES,
    "MESSAGE_UPDATE": GUILD_MESSAGES,
    "MESSAGE_DELETE": GUILD_MESSAGES,
}
"""Which intent an event needs; one that is not named (READY, INTERACTION_CREATE) reaches everyone."""

REPLAY = 1000
"""How many events a session keeps for a RESUME."""


@dataclass(slots=True)
class Session:
    """One IDENTIFY and what followed: it lives on, without a connection, until the resume window ends.

    `buffer` holds the newest events as (sequence number, frame), as they were when they were sent.
    """

    id: str
    intents: int
    shard: tuple[int, int]
    seq: int = 0
    buffer: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=REPLAY))
    connection: Connection | None = None
    lost_at: float = 0.0

    def hears(self, event: str, guild_id: str) -> bool:
        needed = EVENT_INTENT.get(event, 0)
        shard, shards = self.shard
        return self.intents & needed == needed and (int(guild_id) >> 22) % shards == shard

    def can_replay_after(self, seq: int) -> bool:
        oldest = self.buffer[0][0] if self.buffer else self.seq + 1
        return oldest - 1 <= seq <= self.seq


class Connection:
    """One socket. Frames leave in order through one queue and one writer: `send` never waits."""

    def __init__(
        self, socket: web.WebSocketResponse, compress: Compress | None, transport: asyncio.BaseTransport | None
    ) -> None:
        self.socket = socket
        self.session: Session | None = None
        self.closed_by_server = False
        self.frames_in: Window | None = None
        self._transport = transport
        self._compress = compress
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._frames: asyncio.Queue[str | int] = asyncio.Queue()

    def send(self, frame: str) -> None:
        """Every frame of the server goes through here."""
        self._frames.put_nowait(frame)

    def close(self, code: int) -> None:
        """Closes the socket with `code`, after the frames before it."""
        self.closed_by_server = True
        self._frames.put_nowait(code)

    def abort(self) -> None:
        """Cuts the socket without a close frame; what is queued is lost."""
        abort(self._transport)

    def stall(self, stalled: bool) -> None:
        """While it stalls nothing leaves, heartbeat acks neither; what was queued meanwhile leaves afterwards."""
        if stalled:
            self._flowing.clear()
        else:
            self._flowing.set()

    async def write(self) -> None:
        """Sends the queued frames until the socket closes."""
        while True:
            text = await self._frames.get()
            await self._flowing.wait()
            if isinstance(text, int):
                await self.socket.close(code=text)
                return
            try:
                if self._compress:
                    await self.socket.send_bytes(self._compress(text.encode()))
                else:
                    await self.socket.send_str(text)
            except ConnectionError:
                return  # the reader sees the same loss and keeps the session for a RESUME


def frame(op: int, data: object = None, event: str | None = None, seq: int | None = None) -> str:
    """A gateway frame as JSON text."""
    return json.dumps({"op": op, "d": data, "t": event, "s": seq}, separators=(",", ":"))
