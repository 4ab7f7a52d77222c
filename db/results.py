"""The end of a match: result, placings, standings and the rematch that it promises, in one transaction.

Quick matches are stored here too: they end as they begin.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from db import standings
from db.database import Database, Statements
from db.invitations import seat_all, sit
from db.matches import COLUMNS, Match, acts_text, by_id, whole
from db.people import Person
from engine.facts import Act, Outcome
from engine.rules import Rules
from engine.table import Table


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
            acts_text(acts),
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
    await seat_all(tx, match_id, playing=False)
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
            + COLUMNS,
            match_id,
            now,
            int(unless_pressed),
        )
        if not rows:
            return None
        await tx.execute("UPDATE match_seats SET playing = 0 WHERE match_id = $1", match_id)
        return await whole(tx, rows[0], None)
