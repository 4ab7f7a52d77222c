"""Before the deal: challenges and open tables that wait, and the transaction that deals.

What waits holds nothing: not its channel, not its players.
"""

from __future__ import annotations

import json
from typing import Literal

from db.database import Database, Statements
from db.matches import COLUMNS, Kind, Match, by_id, whole
from db.people import Person
from engine.rules import Rules

Withdrawal = Literal["declined", "cancelled", "expired"]
"""Why a match that waited was closed; stored as its termination."""


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
            " deadline_at, created_at) VALUES ($1, $2, $3, 'waiting', $4, $5, $6, 1, $7, $8) RETURNING " + COLUMNS,
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
        return await whole(tx, rows[0], None)


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
        " version = version + 1 WHERE id = $1 AND status = 'waiting' RETURNING " + COLUMNS,
        match_id,
        now,
        how,
    )
    return await whole(db, rows[0], None) if rows else None


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
        seats = await seat_all(tx, match_id, playing=True)
        rows = await tx.execute(
            "UPDATE matches SET status = 'live', ready = 0, seats = $2, client_seed = $3, started_at = $4,"
            f" deadline_at = $5, message_id = NULL WHERE id = $1 RETURNING {COLUMNS}",
            match_id,
            seats,
            client_seed,
            now,
            deadline_at,
        )
        return await whole(tx, rows[0], None)


async def seat_all(tx: Statements, match_id: int, *, playing: bool) -> int:
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
