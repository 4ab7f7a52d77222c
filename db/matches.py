"""Matches: stored as what they are a function of (engine/proof.py), with the table around them.

A match lives here; whatever memory holds of it is a cache. Presses are single statements that commute; what moves a
match on is a compare and swap on `version`; starting and finishing are transactions. Statements are in the dialect that
SQLite and PostgreSQL share.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from db import standings
from db.database import Database, Row, Statements
from db.people import Person
from engine.facts import Act, Outcome
from engine.rules import Rules
from engine.table import Pace, Table

Kind = Literal["match", "quick", "house"]
"""Played with buttons · played at once between two people · played at once against the house."""

Status = Literal["waiting", "live", "paused", "over", "void"]

Withdrawal = Literal["declined", "cancelled", "expired"]
"""Why a match that waited was closed; stored as its termination."""


@dataclass(frozen=True, slots=True)
class Player:
    """A person at a match. `seat` is None until the deal; the rest until the end."""

    person: Person
    joined: int
    seat: int | None
    placing: int | None = None
    cards: int | None = None
    result: str | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """One row of `matches` with its players, in seat order (in joining order before the deal)."""

    id: int
    guild_id: int
    channel_id: int
    message_id: int | None
    kind: Kind
    status: Status
    invited: Person | None
    rematch_of: int | None
    rules: Rules
    server_seed: bytes
    committed: bool
    client_seed: str | None
    acts: tuple[Act, ...]
    steps: int
    told_from: int
    table: Table
    version: int
    deadline_at: int | None
    created_at: int
    started_at: int | None
    ended_at: int | None
    termination: str | None
    rounds: int | None
    counted: bool
    players: tuple[Player, ...]

    @property
    def host(self) -> Person:
        """Who opened it, or whom that role has passed to: who joined first of those there. The host deals."""
        return min(self.players, key=lambda player: player.joined).person

    def player_of(self, user_id: int) -> Player | None:
        """The player whose user that is, if any."""
        return next((player for player in self.players if player.person.user_id == user_id), None)


_COLUMNS = (
    "id, guild_id, channel_id, message_id, kind, status, invited_id, rematch_of, rules, server_seed, committed,"
    " client_seed, acts, steps, told_from, seats, turn, out, ready, slow, fast, auto, missed, pressed, offer, version,"
    " deadline_at,"
    " created_at, started_at, ended_at, termination, rounds, counted"
)


def _acts_text(acts: Sequence[Act]) -> str:
    return json.dumps([[act.step, act.seat, act.kind] for act in acts], separators=(",", ":"))


def _match(row: Row, invited: Person | None, players: tuple[Player, ...]) -> Match:
    table = Table(
        seats=row["seats"],
        turn=row["turn"],
        out=row["out"],
        ready=row["ready"],
        slow=row["slow"],
        fast=row["fast"],
        auto=row["auto"],
        missed=row["missed"],
        pressed=row["pressed"],
        offer=row["offer"],
    )
    return Match(
        id=row["id"],
        guild_id=row["guild_id"],
        channel_id=row["channel_id"],
        message_id=row["message_id"],
        kind=row["kind"],
        status=row["status"],
        invited=invited,
        rematch_of=row["rematch_of"],
        rules=Rules.from_dict(json.loads(row["rules"])),
        server_seed=row["server_seed"],
        committed=bool(row["committed"]),
        client_seed=row["client_seed"],
        acts=tuple(Act(step, seat, kind) for step, seat, kind in json.loads(row["acts"])),
        steps=row["steps"],
        told_from=row["told_from"],
        table=table,
        version=row["version"],
        deadline_at=row["deadline_at"],
        created_at=row["created_at"],
        started_at=row["started_at"],
        ended_at=row["ended_at"],
        termination=row["termination"],
        rounds=row["rounds"],
        counted=bool(row["counted"]),
        players=players,
    )


async def _players(db: Statements, match_id: int) -> tuple[Player, ...]:
    rows = await db.fetch(
        "SELECT m.person_id, p.user_id, p.name, p.back, p.emblem, m.joined, m.seat, m.placing, m.cards, m.result"
        " FROM match_seats m JOIN people p ON p.id = m.person_id WHERE m.match_id = $1 ORDER BY m.seat, m.joined",
        match_id,
    )
    return tuple(
        Player(
            person=Person(row["person_id"], row["user_id"], row["name"], row["back"], row["emblem"]),
            joined=row["joined"],
            seat=row["seat"],
            placing=row["placing"],
            cards=row["cards"],
            result=row["result"],
        )
        for row in rows
    )


async def _invited(db: Statements, row: Row) -> Person | None:
    if row["invited_id"] is None:
        return None
    found = await db.fetch_one("SELECT id, user_id, name FROM people WHERE id = $1", row["invited_id"])
    return None if found is None else Person(found["id"], found["user_id"], found["name"])


async def _whole(db: Statements, row: Row, known: Match | None) -> Match:
    """The match of that row. `known` is an earlier reading of it: who plays does not change after the deal."""
    if known is not None and known.players and known.players[0].seat is not None:
        return _match(row, known.invited, known.players)
    return _match(row, await _invited(db, row), await _players(db, row["id"]))


# ---- reading ----------------------------------------------------------------------------------------------------


async def by_id(db: Statements, match_id: int) -> Match | None:
    row = await db.fetch_one(f"SELECT {_COLUMNS} FROM matches WHERE id = $1", match_id)
    return None if row is None else await _whole(db, row, None)


async def on_in_channel(db: Statements, channel_id: int) -> Match | None:
    """The live or paused match of a channel; there is at most one."""
    row = await db.fetch_one(
        f"SELECT {_COLUMNS} FROM matches WHERE channel_id = $1 AND status IN ('live', 'paused')", channel_id
    )
    return None if row is None else await _whole(db, row, None)


async def of_person(db: Statements, guild_id: int, person_id: int) -> Match | None:
    """The live or paused match that somebody plays in this server; there is at most one."""
    row = await db.fetch_one(
        "SELECT match_id FROM match_seats WHERE guild_id = $1 AND person_id = $2 AND playing = 1",
        guild_id,
        person_id,
    )
    return None if row is None else await by_id(db, row["match_id"])


async def waiting_of_host(db: Statements, guild_id: int, person_id: int) -> int:
    """How many challenges somebody has waiting in this server."""
    row = await db.fetch_one(
        "SELECT count(*) AS n FROM matches m JOIN match_seats s ON s.match_id = m.id"
        " WHERE m.status = 'waiting' AND m.rematch_of IS NULL AND m.guild_id = $1 AND s.person_id = $2"
        " AND s.joined = 0",
        guild_id,
        person_id,
    )
    return 0 if row is None else row["n"]


async def waiting_in_channel(db: Statements, channel_id: int) -> int:
    """How many challenges wait in a channel."""
    row = await db.fetch_one(
        "SELECT count(*) AS n FROM matches WHERE status = 'waiting' AND rematch_of IS NULL AND channel_id = $1",
        channel_id,
    )
    return 0 if row is None else row["n"]


async def pair_challenged_since(db: Statements, one_id: int, other_id: int, since: int) -> bool:
    """Whether either of the two has challenged the other since that time (ms)."""
    row = await db.fetch_one(
        "SELECT 1 AS found FROM matches m JOIN match_seats s ON s.match_id = m.id AND s.joined = 0"
        " WHERE m.created_at > $3 AND ((m.invited_id = $1 AND s.person_id = $2)"
        " OR (m.invited_id = $2 AND s.person_id = $1)) LIMIT 1",
        one_id,
        other_id,
        since,
    )
    return row is not None


async def due(db: Statements, now: int) -> list[tuple[int, int, int]]:
    """All matches whose deadline has passed, the oldest first: (match id, guild id, channel id).

    No limit: those that cannot be moved on now would come first for ever and hide the rest.
    """
    rows = await db.fetch(
        "SELECT id, guild_id, channel_id FROM matches WHERE deadline_at <= $1 ORDER BY deadline_at", now
    )
    return [(row["id"], row["guild_id"], row["channel_id"]) for row in rows]


async def places(db: Statements) -> list[tuple[int, int]]:
    """Where unfinished matches are: (guild id, channel id)."""
    rows = await db.fetch(
        "SELECT DISTINCT guild_id, channel_id FROM matches WHERE status IN ('waiting', 'live', 'paused')"
        " ORDER BY guild_id, channel_id"
    )
    return [(row["guild_id"], row["channel_id"]) for row in rows]


async def interrupted(db: Statements) -> list[int]:
    """Live matches that a stop may have caught between two steps: all have pressed but the turn was not played,
    somebody would finish, or the board has not been posted."""
    rows = await db.fetch(
        "SELECT id FROM matches WHERE status = 'live' AND (message_id IS NULL"
        " OR (ready | auto | out) = (1 << seats) - 1 OR (offer | out) = (1 << seats) - 1"
        " OR (fast & ~auto & ~out) <> 0) ORDER BY id"
    )
    return [row["id"] for row in rows]


async def lately_moved(db: Statements, live_since: int, ended_since: int) -> list[int]:
    """Matches whose message a stop may have left behind: live ones whose deadline was still to come, and those that
    ended lately (times in ms)."""
    rows = await db.fetch(
        "SELECT id FROM matches WHERE message_id IS NOT NULL AND client_seed IS NOT NULL"
        " AND ((status = 'live' AND deadline_at >= $1) OR (status IN ('over', 'void') AND ended_at >= $2)) ORDER BY id",
        live_since,
        ended_since,
    )
    return [row["id"] for row in rows]


async def wins_in_a_row(db: Statements, last: Match, winner_id: int, loser_id: int) -> int:
    """How many matches of two, up to and with `last`, the one has won against the other without a break."""
    row = await db.fetch_one(
        "SELECT count(*) AS n FROM match_seats w JOIN match_seats l ON l.match_id = w.match_id"
        " JOIN matches m ON m.id = w.match_id"
        " WHERE w.person_id = $1 AND l.person_id = $2 AND m.guild_id = $3 AND m.kind = $4 AND m.status = 'over'"
        " AND m.seats = 2 AND m.id <= $5 AND w.result = 'win' AND m.id > COALESCE((SELECT max(b.match_id)"
        " FROM match_seats b JOIN match_seats o ON o.match_id = b.match_id JOIN matches x ON x.id = b.match_id"
        " WHERE b.person_id = $1 AND o.person_id = $2 AND x.guild_id = $3 AND x.kind = $4 AND x.status = 'over'"
        " AND x.seats = 2 AND x.id <= $5 AND b.result <> 'win'), 0)",
        winner_id,
        loser_id,
        last.guild_id,
        last.kind,
        last.id,
    )
    return 0 if row is None else row["n"]


async def ids_of_channel(db: Statements, channel_id: int) -> list[int]:
    """Ids of the unfinished matches of a channel."""
    rows = await db.fetch(
        "SELECT id FROM matches WHERE channel_id = $1 AND status IN ('waiting', 'live', 'paused') ORDER BY id",
        channel_id,
    )
    return [row["id"] for row in rows]


async def ids_of_guild(db: Statements, guild_id: int) -> list[int]:
    """Ids of the unfinished matches of a server."""
    rows = await db.fetch(
        "SELECT id FROM matches WHERE guild_id = $1 AND status IN ('waiting', 'live', 'paused') ORDER BY id",
        guild_id,
    )
    return [row["id"] for row in rows]


async def guilds_of_unfinished(db: Statements) -> list[int]:
    """The servers that have unfinished matches."""
    rows = await db.fetch(
        "SELECT DISTINCT guild_id FROM matches WHERE status IN ('waiting', 'live', 'paused') ORDER BY guild_id"
    )
    return [row["guild_id"] for row in rows]


async def ids_started(db: Statements) -> list[int]:
    """Ids of all matches that were dealt, whatever became of them."""
    rows = await db.fetch("SELECT id FROM matches WHERE client_seed IS NOT NULL ORDER BY id")
    return [row["id"] for row in rows]


async def wrongly_held(db: Statements) -> list[tuple[int, int | None, bool]]:
    """Players who are marked as playing and are not, or the reverse: (match id, seat, whether marked)."""
    rows = await db.fetch(
        "SELECT s.match_id, s.seat, s.playing FROM match_seats s JOIN matches m ON m.id = s.match_id"
        " WHERE s.playing <> CASE WHEN m.status IN ('live', 'paused') AND ((m.out >> s.seat) & 1) = 0 THEN 1 ELSE 0 END"
        " ORDER BY s.match_id, s.seat"
    )
    return [(row["match_id"], row["seat"], bool(row["playing"])) for row in rows]


# ---- before the deal --------------------------------------------------------------------------------------------


async def open_challenge(
    db: Database,
    *,
    guild_id: int,
    channel_id: int,
    kind: Kind,
    host: Person,
    invited: Person | None,
    rules: Rules,
    server_seed: bytes,
    now: int,
    deadline_at: int,
    most_of_host: int,
    most_in_channel: int,
) -> Match | Literal["host-full", "channel-full"]:
    """A challenge that waits. It holds nothing: not the channel, not its players. So many may wait at most; the count
    and the new one are one transaction."""
    async with db.transaction() as tx:
        if await waiting_of_host(tx, guild_id, host.id) >= most_of_host:
            return "host-full"
        if await waiting_in_channel(tx, channel_id) >= most_in_channel:
            return "channel-full"
        rows = await tx.execute(
            "INSERT INTO matches (guild_id, channel_id, kind, status, invited_id, rules, server_seed, committed,"
            " deadline_at, created_at) VALUES ($1, $2, $3, 'waiting', $4, $5, $6, 1, $7, $8) RETURNING " + _COLUMNS,
            guild_id,
            channel_id,
            kind,
            None if invited is None else invited.id,
            json.dumps(rules.to_dict()),
            server_seed,
            deadline_at,
            now,
        )
        await sit(tx, rows[0]["id"], guild_id, host, joined=0)
        return await _whole(tx, rows[0], None)


async def sit(db: Statements, match_id: int, guild_id: int, person: Person, joined: int) -> None:
    await db.execute(
        "INSERT INTO match_seats (match_id, person_id, guild_id, joined) VALUES ($1, $2, $3, $4)",
        match_id,
        person.id,
        guild_id,
        joined,
    )


Joined = Literal["joined", "sat-before", "full", "gone"]


async def join(db: Database, match_id: int, person: Person, most: int) -> Joined:
    """Somebody sits down at an open table with fewer than `most` players. The count and the seat are one transaction,
    so two who press at once for the last seat do not both get it."""
    async with db.transaction() as tx:
        rows = await tx.execute(
            "UPDATE matches SET version = version + 1 WHERE id = $1 AND status = 'waiting' AND invited_id IS NULL"
            " AND rematch_of IS NULL"
            " RETURNING guild_id",
            match_id,
        )
        if not rows:
            return "gone"
        sitting = await tx.fetch("SELECT person_id, joined FROM match_seats WHERE match_id = $1", match_id)
        if any(row["person_id"] == person.id for row in sitting):
            return "sat-before"
        if len(sitting) >= most:
            return "full"
        last = max((row["joined"] for row in sitting), default=-1)
        await sit(tx, match_id, rows[0]["guild_id"], person, joined=last + 1)
        return "joined"


async def leave(db: Database, match_id: int, person_id: int, now: int) -> Match | None:
    """Somebody gets up from an open table. Who joined next becomes the host when the host leaves; the last one to leave
    closes the table. None when the table no longer waits or that person does not sit there."""
    async with db.transaction() as tx:
        gone = await tx.execute(
            "DELETE FROM match_seats WHERE match_id = $1 AND person_id = $2 AND EXISTS"
            " (SELECT 1 FROM matches WHERE id = $1 AND status = 'waiting' AND invited_id IS NULL"
            " AND rematch_of IS NULL) RETURNING joined",
            match_id,
            person_id,
        )
        if not gone:
            return None
        sitting = await tx.fetch(
            "SELECT person_id, joined FROM match_seats WHERE match_id = $1 ORDER BY joined", match_id
        )
        if not sitting:
            await tx.execute(
                "UPDATE matches SET status = 'void', ended_at = $2, deadline_at = NULL, version = version + 1"
                " WHERE id = $1",
                match_id,
                now,
            )
        elif sitting[0]["joined"] != 0:
            await tx.execute(
                "UPDATE match_seats SET joined = 0 WHERE match_id = $1 AND person_id = $2",
                match_id,
                sitting[0]["person_id"],
            )
        return await by_id(tx, match_id)


async def withdraw(db: Database, match_id: int, now: int, how: Withdrawal) -> Match | None:
    """Close a challenge that waits. None when it no longer waits."""
    rows = await db.execute(
        "UPDATE matches SET status = 'void', ended_at = $2, deadline_at = NULL, termination = $3,"
        " version = version + 1 WHERE id = $1 AND status = 'waiting' RETURNING " + _COLUMNS,
        match_id,
        now,
        how,
    )
    return await _whole(db, rows[0], None) if rows else None


async def start(
    db: Database,
    match_id: int,
    *,
    joining: Person | None,
    client_seed: str,
    now: int,
    deadline_at: int | None,
) -> Match | None:
    """Deal: the waiting match becomes live and takes its channel and its players. None when it no longer waits, or
    when fewer than two sit there by now.

    `joining` sits down first (the challenged). Raises `UniqueViolation` when the channel or a player is taken.
    """
    async with db.transaction() as tx:
        rows = await tx.execute(
            "UPDATE matches SET version = version + 1 WHERE id = $1 AND status = 'waiting' RETURNING guild_id", match_id
        )
        if not rows:
            return None
        if joining is not None:
            await sit(tx, match_id, rows[0]["guild_id"], joining, joined=1)
        sitting = await tx.fetch_one("SELECT count(*) AS n FROM match_seats WHERE match_id = $1", match_id)
        if sitting is None or sitting["n"] < 2:
            return None
        seats = await _seat_all(tx, match_id, playing=True)
        rows = await tx.execute(
            "UPDATE matches SET status = 'live', ready = 0, seats = $2, client_seed = $3, started_at = $4,"
            f" deadline_at = $5, message_id = NULL WHERE id = $1 RETURNING {_COLUMNS}",
            match_id,
            seats,
            client_seed,
            now,
            deadline_at,
        )
        return await _whole(tx, rows[0], None)


async def _seat_all(tx: Statements, match_id: int, *, playing: bool) -> int:
    """Number the seats from the dealer's left, so that the host, who deals, is the last (rule 4). How many they are."""
    people = await tx.fetch("SELECT person_id FROM match_seats WHERE match_id = $1 ORDER BY joined", match_id)
    for order, row in enumerate(people):
        await tx.execute(
            "UPDATE match_seats SET seat = $3, playing = $4 WHERE match_id = $1 AND person_id = $2",
            match_id,
            row["person_id"],
            (order - 1) % len(people),
            int(playing),
        )
    return len(people)


# ---- while it is live -------------------------------------------------------------------------------------------


async def set_message(db: Database, match_id: int, message_id: int, *, dealt: bool) -> None:
    """Remember the message that shows the match: its board when it was `dealt`, else what waits for an answer.

    Discord may say the id of a challenge only after it was accepted; that message is not the board.
    """
    await db.execute(
        "UPDATE matches SET message_id = $2 WHERE id = $1 AND CASE WHEN started_at IS NULL THEN 0 ELSE 1 END = $3",
        match_id,
        message_id,
        int(dealt),
    )


async def press(
    db: Database, known: Match, *, turn: int, message_id: int, seat: int, pace: Pace | None, deadline_at: int
) -> Match | None:
    """`Table.press` as one statement, so that presses of the same millisecond all count.

    The first press of a turn sets the deadline for the others; pressing again does not put it off. None when nothing
    changed: the turn or the board is another one, the match is not live, or the same was said before.
    """
    bit = 1 << seat
    rows = await db.execute(
        "UPDATE matches SET ready = ready | $4, pressed = pressed | $4, auto = auto & ~$4, missed = missed & ~$4,"
        " slow = (slow & ~$5) | $6, fast = (fast & ~$4) | $7,"
        " deadline_at = CASE WHEN (ready & ~fast) = 0 AND (ready & $4) = 0 THEN $8 ELSE deadline_at END"
        " WHERE id = $1 AND turn = $2 AND status = 'live' AND (message_id = $3 OR message_id IS NULL)"
        " AND (out & $4) = 0"
        " AND ((ready & $4) = 0 OR slow <> (slow & ~$5) | $6 OR fast <> (fast & ~$4) | $7 OR (auto & $4) <> 0)"
        " RETURNING " + _COLUMNS,
        known.id,
        turn,
        message_id,
        bit,
        0 if pace in (None, Pace.CARD) else bit,
        bit if pace is Pace.CARD else 0,
        bit if pace is Pace.FINISH else 0,
        deadline_at,
    )
    return await _whole(db, rows[0], known) if rows else None


async def agree(db: Database, known: Match, *, turn: int, message_id: int | None, seat: int) -> Match | None:
    """`Table.agree` as one statement. None when nothing changed. `message_id` is the board it was said on, None for a
    menu beside it."""
    rows = await db.execute(
        "UPDATE matches SET offer = offer | $3, pressed = pressed | $3, auto = auto & ~$3, missed = missed & ~$3"
        " WHERE id = $1 AND turn = $2 AND status = 'live' AND (offer & $3) = 0 AND (out & $3) = 0"
        " AND ($4 IS NULL OR message_id = $4 OR message_id IS NULL) RETURNING " + _COLUMNS,
        known.id,
        turn,
        1 << seat,
        message_id,
    )
    return await _whole(db, rows[0], known) if rows else None


async def withdraw_offer(db: Database, known: Match, *, turn: int, message_id: int, seat: int) -> Match | None:
    """Take the offer to end off the table: who sits there refused. None when nothing changed."""
    rows = await db.execute(
        "UPDATE matches SET offer = 0 WHERE id = $1 AND turn = $2 AND status = 'live' AND offer <> 0"
        " AND (message_id = $3 OR message_id IS NULL) AND (out & $4) = 0 RETURNING " + _COLUMNS,
        known.id,
        turn,
        message_id,
        1 << seat,
    )
    return await _whole(db, rows[0], known) if rows else None


async def advance(
    db: Database,
    before: Match,
    *,
    table: Table,
    steps: int,
    told_from: int,
    acts: Sequence[Act],
    deadline_at: int | None,
) -> Match | None:
    """Put a match one turn on, if nobody else has since `before` was read: a compare and swap on version and turn.

    `ready` and `offer` are new with the turn; masks that presses may have changed since are taken from `table`, which
    is why the swap also asks that they are as they were read. Who is out with this turn may play elsewhere from now on.
    """
    left = [player.person.id for player in before.players if table.out & ~before.table.out & 1 << (player.seat or 0)]
    if not left:
        return await _advance(db, before, table, steps, told_from, acts, deadline_at)
    async with db.transaction() as tx:
        match = await _advance(tx, before, table, steps, told_from, acts, deadline_at)
        if match is not None:
            for person_id in left:
                await tx.execute(
                    "UPDATE match_seats SET playing = 0 WHERE match_id = $1 AND person_id = $2", before.id, person_id
                )
        return match


async def _advance(
    db: Statements,
    before: Match,
    table: Table,
    steps: int,
    told_from: int,
    acts: Sequence[Act],
    deadline_at: int | None,
) -> Match | None:
    rows = await db.execute(
        "UPDATE matches SET turn = $3, out = $4, ready = $5, slow = $6, fast = $7, auto = $8,"
        " missed = $9, pressed = $10, offer = $11, steps = $12, told_from = $13, acts = $14,"
        " deadline_at = $15, version = version + 1"
        " WHERE id = $1 AND version = $2 AND status = 'live' AND ready = $16 AND slow = $17 AND fast = $18"
        " AND auto = $19 AND offer = $20 AND missed = $21 AND pressed = $22 RETURNING " + _COLUMNS,
        before.id,
        before.version,
        table.turn,
        table.out,
        table.ready,
        table.slow,
        table.fast,
        table.auto,
        table.missed,
        table.pressed,
        table.offer,
        steps,
        told_from,
        _acts_text(acts),
        deadline_at,
        before.table.ready,
        before.table.slow,
        before.table.fast,
        before.table.auto,
        before.table.offer,
        before.table.missed,
        before.table.pressed,
    )
    return await _whole(db, rows[0], before) if rows else None


async def postpone(db: Database, not_before: int, guild_id: int | None = None) -> None:
    """After an outage every deadline becomes at least `not_before` (ms), in one server or in all."""
    await db.execute(
        "UPDATE matches SET deadline_at = $1 WHERE deadline_at < $1 AND ($2 = 0 OR guild_id = $2)",
        not_before,
        guild_id or 0,
    )


async def pause(db: Database, known: Match, look_again_at: int) -> Match | None:
    """A live match that cannot be shown waits; `look_again_at` is when to see whether it can be shown again. A paused
    one waits on. None when it is neither."""
    rows = await db.execute(
        "UPDATE matches SET status = 'paused', deadline_at = $2 WHERE id = $1 AND status IN ('live', 'paused')"
        " RETURNING " + _COLUMNS,
        known.id,
        look_again_at,
    )
    return await _whole(db, rows[0], known) if rows else None


async def resume(db: Database, known: Match, deadline_at: int) -> Match | None:
    """A paused match can be shown again. None when it is not paused."""
    rows = await db.execute(
        "UPDATE matches SET status = 'live', deadline_at = $2 WHERE id = $1 AND status = 'paused' RETURNING "
        + _COLUMNS,
        known.id,
        deadline_at,
    )
    return await _whole(db, rows[0], known) if rows else None


async def look_again(db: Database, guild_id: int, now: int) -> None:
    """Something changed in a server: what is paused there comes due."""
    await db.execute(
        "UPDATE matches SET deadline_at = $2 WHERE guild_id = $1 AND status = 'paused' AND deadline_at > $2",
        guild_id,
        now,
    )


@dataclass(frozen=True, slots=True)
class Promise:
    """What a rematch is dealt from, and until when (ms) it waits."""

    server_seed: bytes
    deadline_at: int


async def _offer_rematch(tx: Statements, before: Match, promise: Promise, now: int) -> None:
    """Put a rematch of a match that has just ended. The deal passes on: who sits left of the dealer deals next."""
    rows = await tx.execute(
        "INSERT INTO matches (guild_id, channel_id, kind, status, rules, server_seed, committed, deadline_at,"
        " created_at, rematch_of) VALUES ($1, $2, $3, 'waiting', $4, $5, 1, $6, $7, $8) RETURNING id",
        before.guild_id,
        before.channel_id,
        before.kind,
        json.dumps(before.rules.to_dict()),
        promise.server_seed,
        promise.deadline_at,
        now,
        before.id,
    )
    for player in before.players:
        await sit(tx, rows[0]["id"], before.guild_id, player.person, joined=player.seat or 0)


# ---- the end ----------------------------------------------------------------------------------------------------

COUNTED_A_DAY = 5
"""Matches between the same two people that count in the standings, per day (UTC) and kind."""

_DAY = 86_400_000


async def finish(
    db: Database,
    before: Match,
    *,
    table: Table,
    steps: int,
    told_from: int,
    acts: Sequence[Act],
    outcome: Outcome,
    now: int,
    rematch: Promise | None = None,
) -> Match | None:
    """Close a match: result, placings, standings, channel and players in one transaction. None when somebody else has
    moved it since `before` was read, so no win counts twice."""
    async with db.transaction() as tx:
        rows = await tx.execute(
            "UPDATE matches SET status = 'over', turn = $3, out = $4, ready = 0, offer = 0, auto = $5, pressed = $6,"
            " steps = $7, told_from = $8, acts = $9, termination = $10, rounds = $11, ended_at = $12,"
            " deadline_at = NULL, version = version + 1 WHERE id = $1 AND version = $2 AND status = 'live'"
            " RETURNING id",
            before.id,
            before.version,
            table.turn,
            table.out,
            table.auto,
            table.pressed,
            steps,
            told_from,
            _acts_text(acts),
            outcome.termination,
            outcome.rounds,
            now,
        )
        if not rows:
            return None
        if rematch is not None:
            await _offer_rematch(tx, before, rematch, now)
        return await _record_result(tx, before, outcome, now)


async def play_at_once(
    db: Database, match_id: int, *, joining: Person, client_seed: str, steps: int, outcome: Outcome, now: int
) -> Match | None:
    """A waiting quick match is accepted and over in one transaction. None when it no longer waits."""
    async with db.transaction() as tx:
        return await _play_at_once(tx, match_id, joining, client_seed, steps, outcome, now)


async def record_house_match(
    db: Database,
    *,
    guild_id: int,
    channel_id: int,
    host: Person,
    house: Person,
    rules: Rules,
    server_seed: bytes,
    committed: bool,
    client_seed: str,
    steps: int,
    outcome: Outcome,
    next_seed: bytes,
    now: int,
) -> Match | None:
    """Store a whole match against the house and promise the seed of the next one, in one transaction.

    None when another match has used the promise meanwhile: `server_seed` must be the seed that is promised, where
    `committed`, and none must be promised otherwise. So each commitment that was shown is kept by exactly one match.
    """
    async with db.transaction() as tx:
        if not await _keep_promise(tx, host.id, server_seed if committed else None, next_seed):
            return None
        rows = await tx.execute(
            "INSERT INTO matches (guild_id, channel_id, kind, status, rules, server_seed, committed, created_at)"
            " VALUES ($1, $2, 'house', 'waiting', $3, $4, $5, $6) RETURNING id",
            guild_id,
            channel_id,
            json.dumps(rules.to_dict()),
            server_seed,
            int(committed),
            now,
        )
        match_id: int = rows[0]["id"]
        await sit(tx, match_id, guild_id, host, joined=0)
        match = await _play_at_once(tx, match_id, house, client_seed, steps, outcome, now)
        assert match is not None, "it was inserted in this transaction"
        return match


async def _keep_promise(tx: Statements, person_id: int, promised: bytes | None, next_seed: bytes) -> bool:
    """Put the next promise in the place of this one. Whether this one was still to be kept."""
    if promised is None:
        rows = await tx.execute(
            "INSERT INTO quick_seeds (person_id, server_seed) VALUES ($1, $2) ON CONFLICT (person_id) DO NOTHING"
            " RETURNING person_id",
            person_id,
            next_seed,
        )
    else:
        rows = await tx.execute(
            "UPDATE quick_seeds SET server_seed = $3 WHERE person_id = $1 AND server_seed = $2 RETURNING person_id",
            person_id,
            promised,
            next_seed,
        )
    return bool(rows)


async def _play_at_once(
    tx: Statements, match_id: int, joining: Person, client_seed: str, steps: int, outcome: Outcome, now: int
) -> Match | None:
    rows = await tx.execute(
        "UPDATE matches SET status = 'over', client_seed = $2, steps = $3, started_at = $4, ended_at = $4, seats = 2,"
        " termination = $5, rounds = $6, deadline_at = NULL, message_id = NULL, version = version + 1"
        " WHERE id = $1 AND status = 'waiting' RETURNING id, guild_id",
        match_id,
        client_seed,
        steps,
        now,
        outcome.termination,
        outcome.rounds,
    )
    if not rows:
        return None
    await sit(tx, match_id, rows[0]["guild_id"], joining, joined=1)
    await _seat_all(tx, match_id, playing=False)
    match = await by_id(tx, match_id)
    assert match is not None, "the row was updated in this transaction"
    return await _record_result(tx, match, outcome, now)


async def promised_seed(db: Statements, person_id: int) -> bytes | None:
    """The seed whose commitment somebody's last quick match has shown."""
    row = await db.fetch_one("SELECT server_seed FROM quick_seeds WHERE person_id = $1", person_id)
    return None if row is None else row["server_seed"]


async def _record_result(tx: Statements, match: Match, outcome: Outcome, now: int) -> Match:
    counted = await _counts(tx, match, now)
    if counted:
        await tx.execute("UPDATE matches SET counted = 1 WHERE id = $1", match.id)
    for player in match.players:
        assert player.seat is not None, "a match that ends was dealt"
        result = outcome.result(player.seat)
        await tx.execute(
            "UPDATE match_seats SET playing = 0, placing = $3, cards = $4, result = $5"
            " WHERE match_id = $1 AND person_id = $2",
            match.id,
            player.person.id,
            outcome.placings[player.seat],
            outcome.counts[player.seat],
            result,
        )
        if counted:
            await standings.add(tx, match.guild_id, match.kind, player.person.id, result)
    closed = await by_id(tx, match.id)
    assert closed is not None, "the row was updated in this transaction"
    return closed


async def _counts(tx: Statements, match: Match, now: int) -> bool:
    """Whether the match counts: standings are not to be farmed by two who play each other all day."""
    if match.kind == "house":
        return False
    day = now - now % _DAY
    for one in match.players:
        for other in match.players:
            if one.person.id >= other.person.id:
                continue
            row = await tx.fetch_one(
                "SELECT count(*) AS n FROM match_seats a JOIN match_seats b ON b.match_id = a.match_id"
                " JOIN matches m ON m.id = a.match_id"
                " WHERE a.person_id = $1 AND b.person_id = $2 AND m.guild_id = $3 AND m.kind = $4 AND m.counted = 1"
                " AND m.ended_at >= $5 AND m.ended_at < $6",
                one.person.id,
                other.person.id,
                match.guild_id,
                match.kind,
                day,
                day + _DAY,
            )
            if row is not None and row["n"] >= COUNTED_A_DAY:
                return False
    return True


async def abandon(db: Database, match_id: int, now: int, *, unless_pressed: bool = False) -> Match | None:
    """Close an unfinished match without a result: void. None when it has ended already, or, with `unless_pressed`,
    when somebody has ever pressed."""
    async with db.transaction() as tx:
        rows = await tx.execute(
            "UPDATE matches SET status = 'void', ended_at = $2, deadline_at = NULL, version = version + 1"
            " WHERE id = $1 AND status IN ('waiting', 'live', 'paused') AND ($3 = 0 OR pressed = 0) RETURNING "
            + _COLUMNS,
            match_id,
            now,
            int(unless_pressed),
        )
        if not rows:
            return None
        await tx.execute("UPDATE match_seats SET playing = 0 WHERE match_id = $1", match_id)
        return await _whole(tx, rows[0], None)
