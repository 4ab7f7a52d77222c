"""The gateway: sessions, what each may hear, and what it hears again after a RESUME."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Callable

from aiohttp import WSCloseCode, WSMsgType, web

from playground.clock import Clock
from playground.compression import compressor
from playground.connection import PRIVILEGED, Connection, Session, frame
from playground.faults.gateway import Blow, Moments
from playground.limits import RateLimiter, SessionStarts, Window
from playground.shapes import application_shape, guild_create_shape, user_shape
from playground.sockets import abort
from playground.world import HERE, UNAVAILABLE, Json, World

log = logging.getLogger(__name__)

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, VOICE_STATE, RESUME = 0, 1, 2, 3, 4, 6
RECONNECT, REQUEST_MEMBERS, INVALID_SESSION, HELLO, HEARTBEAT_ACK = 7, 8, 9, 10, 11

UNKNOWN_OPCODE, DECODE_ERROR, NOT_AUTHENTICATED, AUTHENTICATION_FAILED = 4001, 4002, 4003, 4004
ALREADY_AUTHENTICATED, INVALID_SEQ, RATE_LIMITED, SESSION_TIMED_OUT = 4005, 4007, 4008, 4009
INVALID_SHARD, INVALID_VERSION, INVALID_INTENTS, DISALLOWED_INTENTS = 4010, 4012, 4013, 4014
ENDS_SESSION = frozenset({INVALID_SEQ, SESSION_TIMED_OUT, AUTHENTICATION_FAILED, *range(INVALID_SHARD, 4015)})
"""Close codes after which Discord wants a new session, or takes none at all."""

HEARTBEAT_MS = 41_250
RESUME_WINDOW = 180.0
"""Seconds for which a session outlives its connection."""
LARGEST_FRAME = 4096
"""Bytes a client may send in one frame (Discord's limit)."""


class Gateway:
    """Serves the gateway's socket and dispatches events to every session that may hear them."""

    def __init__(
        self,
        world: World,
        token: str,
        clock: Clock,
        moments: Moments,
        limiter: RateLimiter,
        starts: SessionStarts,
        on_change: Callable[[], None],
    ) -> None:
        self._world = world
        self._token = token
        self._clock = clock
        self._moments = moments
        self._limiter = limiter
        self.starts = starts
        self.heartbeat = HEARTBEAT_MS / 1000
        self._last_login: float | None = None
        self._on_change = on_change
        self.sessions: dict[str, Session] = {}
        self.connections: set[Connection] = set()
        self.url = ""
        self.identifies = 0
        self.resumes = 0

    @property
    def connected(self) -> bool:
        """Whether a bot has identified itself and its socket is open."""
        return any(session.connection for session in self.sessions.values())

    def dispatch(self, event: str, data: Json) -> None:
        """Tells an event to every session with its intent, also to those that may RESUME later."""
        self._forget_old_sessions()
        if self._world.presence != HERE and event not in ("GUILD_CREATE", "GUILD_DELETE"):
            return  # of a server that it is not in, or that Discord cannot reach, a bot hears nothing
        for session in self.sessions.values():
            if session.hears(event, self._world.guild_id):
                self._emit(session, event, data)

    def _emit(self, session: Session, event: str, data: Json) -> None:
        if event in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
            data = self._without_content(data)
        session.seq += 1
        text = frame(DISPATCH, data, event, session.seq)
        session.buffer.append((session.seq, text))
        if session.connection:
            session.connection.send(text)

    def _without_content(self, message: Json) -> Json:
        """What others wrote is blank without the content intent (no bot has it here); one's own is not."""
        if message["author"]["id"] == self._world.bot.id:
            return message
        return {**message, "content": "", "embeds": [], "attachments": [], "components": []}

    def _forget_old_sessions(self) -> None:
        now = self._clock()
        for session in list(self.sessions.values()):
            if session.connection is None and now - session.lost_at > RESUME_WINDOW:
                del self.sessions[session.id]

    def invalidate(self) -> None:
        """Forgets every session: the next RESUME is answered with an invalid session."""
        self.sessions.clear()
        self._on_change()

    def close_all(self, code: int = WSCloseCode.GOING_AWAY) -> None:
        for connection in self.connections:
            connection.stall(False)
            connection.close(code)

    # faults

    def stall(self, stalled: bool) -> int:
        """Stalls the connections that are open now, or lets them flow again; returns how many there are."""
        for connection in self.connections:
            connection.stall(stalled)
        return len(self.connections)

    def strike(self, blow: Blow) -> int:
        """Hits every open connection; returns how many there were."""
        struck = list(self.connections)
        for connection in struck:
            self._strike(connection, blow)
        return len(struck)

    def _strike(self, connection: Connection, blow: Blow) -> None:
        if blow.kind == "abort":
            connection.abort()
        elif blow.kind == "close":
            if blow.code in ENDS_SESSION and connection.session:
                self.sessions.pop(connection.session.id, None)
            connection.close(blow.code)
        elif blow.kind == "reconnect":
            connection.send(frame(RECONNECT))
        else:
            if not blow.resumable:
                self._drop_session(connection)
            connection.send(frame(INVALID_SESSION, blow.resumable))

    def _drop_session(self, connection: Connection) -> None:
        """The connection stays, and may identify itself anew."""
        if connection.session:
            self.sessions.pop(connection.session.id, None)
            connection.session.connection = None
            connection.session = None
            self._on_change()

    # one connection

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """The handler of the gateway's address."""
        try:
            compress = compressor(request.query.get("compress"))
        except ValueError as error:
            return web.json_response({"message": str(error), "code": 0}, status=400)
        refusal = self._moments.refusal()
        if refusal:
            if refusal == "reset":
                abort(request.transport)
            return web.json_response({"message": "503: Service Unavailable", "code": 0}, status=503)
        socket = web.WebSocketResponse(compress=False, max_msg_size=0)
        await socket.prepare(request)
        connection = Connection(socket, compress, request.transport)
        self.connections.add(connection)
        writer = asyncio.create_task(connection.write())
        connection.send(frame(HELLO, {"heartbeat_interval": round(self.heartbeat * 1000), "_trace": []}))
        if request.query.get("v", "10") != "10":
            connection.close(INVALID_VERSION)
        try:
            await self._read(connection)
        finally:
            self._lost(connection)
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)
        return socket

    async def _read(self, connection: Connection) -> None:
        while True:
            try:
                # A client that misses two heartbeats is a dead one.
                message = await connection.socket.receive(timeout=self.heartbeat * 2)
            except TimeoutError:
                await connection.socket.close(code=SESSION_TIMED_OUT)
                return
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                return
            code = self._frame_in(connection, message.data)
            if code:
                connection.close(code)

    def _lost(self, connection: Connection) -> None:
        self.connections.discard(connection)
        session = connection.session
        if session is None or session.connection is not connection:
            return
        session.connection = None
        session.lost_at = self._clock()
        farewell = connection.socket.close_code in (WSCloseCode.OK, WSCloseCode.GOING_AWAY)
        if farewell and not connection.closed_by_server:
            self.sessions.pop(session.id, None)  # the client said goodbye: it will not come back
        self._on_change()

    def _frame_in(self, connection: Connection, raw: str | bytes) -> int | None:
        """Acts on one frame; returns the close code when the client did wrong."""
        if len(raw) > LARGEST_FRAME:
            return DECODE_ERROR
        try:
            received = json.loads(raw)
            op, data = received["op"], received.get("d")
        except (ValueError, TypeError, KeyError, AttributeError):
            return DECODE_ERROR
        if not self._in_time(connection):
            return RATE_LIMITED
        if op == HEARTBEAT:
            connection.send(frame(HEARTBEAT_ACK))
            return None
        if op in (IDENTIFY, RESUME):
            blow = self._moments.at("identify" if op == IDENTIFY else "resume")
            if blow:
                if op == RESUME and blow.kind == "invalid" and not blow.resumable and isinstance(data, dict):
                    self.sessions.pop(str(data.get("session_id")), None)
                self._strike(connection, blow)
                return None
            return self._identify(connection, data) if op == IDENTIFY else self._resume(connection, data)
        if op in (PRESENCE, VOICE_STATE, REQUEST_MEMBERS):
            # Nobody sees a bot's presence here, there is no voice, and members need a privileged intent.
            return None if connection.session else NOT_AUTHENTICATED
        return UNKNOWN_OPCODE

    def _in_time(self, connection: Connection) -> bool:
        limits = self._limiter.active
        if limits is None:
            return True
        connection.frames_in = connection.frames_in or Window(limits.frames, 60.0)
        return connection.frames_in.take(self._clock())

    def _too_soon(self) -> bool:
        """Whether the last login was within the gap that max_concurrency 1 asks for."""
        limits, now, last = self._limiter.active, self._clock(), self._last_login
        self._last_login = now
        return limits is not None and last is not None and now - last < limits.login_gap

    def _identify(self, connection: Connection, data: object) -> int | None:
        self.identifies += 1
        if connection.session:
            return ALREADY_AUTHENTICATED
        if not isinstance(data, dict):
            return DECODE_ERROR
        if data.get("token") != self._token:
            return AUTHENTICATION_FAILED
        if not self.starts.take():
            return AUTHENTICATION_FAILED  # who uses up its logins has its token reset
        if self._too_soon():
            connection.send(frame(INVALID_SESSION, False))
            return None
        intents = data.get("intents")
        if not isinstance(intents, int) or intents < 0 or intents >= 1 << 26:
            return INVALID_INTENTS
        if intents & PRIVILEGED:
            return DISALLOWED_INTENTS  # nobody switched a privileged intent on for this application
        shard = data.get("shard", [0, 1])
        if not _is_shard(shard):
            return INVALID_SHARD
        session = Session(secrets.token_hex(16), intents, (shard[0], shard[1]), connection=connection)
        connection.session = session
        self.sessions[session.id] = session
        self._emit(session, "READY", self._ready(session))
        if self._world.presence == HERE and session.hears("GUILD_CREATE", self._world.guild_id):
            self._emit(session, "GUILD_CREATE", guild_create_shape(self._world))
        self._on_change()
        return None

    def _ready(self, session: Session) -> Json:
        is_member = self._world.presence in (HERE, UNAVAILABLE)
        return {
            "v": 10,
            "user": user_shape(self._world.bot) | {"verified": True, "mfa_enabled": False, "email": None},
            "guilds": [{"id": self._world.guild_id, "unavailable": True}] if is_member else [],
            "session_id": session.id,
            "resume_gateway_url": self.url,
            "session_type": "normal",
            "private_channels": [],
            "shard": list(session.shard),
            "application": {"id": application_shape(self._world)["id"], "flags": 0},
        }

    def _resume(self, connection: Connection, data: object) -> int | None:
        self.resumes += 1
        if connection.session:
            return ALREADY_AUTHENTICATED
        if not isinstance(data, dict):
            return DECODE_ERROR
        if data.get("token") != self._token:
            return AUTHENTICATION_FAILED
        self._forget_old_sessions()
        session = self.sessions.get(str(data.get("session_id")))
        seq = data.get("seq")
        if session is None:
            connection.send(frame(INVALID_SESSION, False))
            return None
        if not isinstance(seq, int) or seq > session.seq:
            return INVALID_SEQ
        if not session.can_replay_after(seq):
            del self.sessions[session.id]
            connection.send(frame(INVALID_SESSION, False))
            return None
        if session.connection:
            session.connection.close(SESSION_TIMED_OUT)  # the old socket of the same session
        connection.session = session
        session.connection = connection
        heard = seq - self._moments.rewind()
        for number, text in session.buffer:
            if number > heard:
                connection.send(text)
        self._emit(session, "RESUMED", {"_trace": []})
        self._on_change()
        return None


def _is_shard(shard: object) -> bool:
    return (
        isinstance(shard, list)
        and len(shard) == 2
        and all(isinstance(number, int) for number in shard)
        and 0 <= shard[0] < shard[1]
    )
