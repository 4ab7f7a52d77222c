"""Matches: stored as what they are a function of (engine/proof.py), with the table around them.

A match lives here; whatever memory holds of it is a cache. This room has the values and how they are read; beside it
`invitations` has what happens before the deal, `live` the play, `results` the end. Statements are in the dialect that
SQLite and PostgreSQL share.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from db.database import Row, Statements
from db.people import Person
from engine.facts import Act
from engine.rules import Rules
from engine.table import Table

Kind = Literal["match", "quick", "house"]
"""Played with buttons · played at once between two people · played at once against the house."""

Status = Literal["waiting", "live", "paused", "over", "void"]


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


COLUMNS = (
    "id, guild_id, channel_id, message_id, kind, status, invited_id, rematch_of, rules, server_seed, committed,"
    " client_seed, acts, steps, told_from, seats, turn, out, ready, slow, fast, auto, missed, pressed, offer, version,"
    " deadline_at,"
    " created_at, started_at, ended_at, termination, rounds, counted"
)


def acts_text(acts: Sequence[Act]) -> str:
    return json.dumps([[act.step, act.seat, act.kind] for act in acts], separators=(",", ":"))


@lru_cache(64)
def _rules(text: str) -> Rules:
    """There are a few presets, and every click reads a match."""
    return Rules.from_dict(json.loads(text))


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
        rules=_rules(row["rules"]),
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


async def whole(db: Statements, row: Row, known: Match | None) -> Match:
    """The match of that row. `known` is an earlier reading of it: who plays does not change after the deal."""
    if known is not None and known.players and known.players[0].seat is not None:
        return _match(row, known.invited, known.players)
    return _match(row, await _invited(db, row), await _players(db, row["id"]))


async def by_id(db: Statements, match_id: int) -> Match | None:
    row = await db.fetch_one(f"SELECT {COLUMNS} FROM matches WHERE id = $1", match_id)
    return None if row is None else await whole(db, row, None)


async def on_in_channel(db: Statements, channel_id: int) -> Match | None:
    """The live or paused match of a channel; there is at most one."""
    row = await db.fetch_one(
        f"SELECT {COLUMNS} FROM matches WHERE channel_id = $1 AND status IN ('live', 'paused')", channel_id
    )
    return None if row is None else await whole(db, row, None)


async def of_person(db: Statements, guild_id: int, person_id: int) -> Match | None:
    """The live or paused match that somebody plays in this server; there is at most one."""
    row = await db.fetch_one(
        "SELECT match_id FROM match_seats WHERE guild_id = $1 AND person_id = $2 AND playing = 1",
        guild_id,
        person_id,
    )
    return None if row is None else await by_id(db, row["match_id"])


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
