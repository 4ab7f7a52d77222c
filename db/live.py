"""While a match is live: presses, turns, deadlines and pauses.

Presses are single statements that commute; what moves a match on is a compare and swap on `version`.
"""

from __future__ import annotations

from collections.abc import Sequence

from db.database import Database, Statements
from db.matches import COLUMNS, Match, acts_text, whole
from engine.facts import Act
from engine.table import Pace, Table


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

    A message newer than the one that is known is the board too: it was posted anew, and its id is just being stored.
    The first press of a turn sets the deadline for the others; pressing again does not put it off. None when nothing
    changed: the turn or the board is another one, the match is not live, or the same was said before.
    """
    bit = 1 << seat
    rows = await db.execute(
        "UPDATE matches SET ready = ready | $4, pressed = pressed | $4, auto = auto & ~$4, missed = missed & ~$4,"
        " slow = (slow & ~$5) | $6, fast = (fast & ~$4) | $7,"
        " deadline_at = CASE WHEN (ready & ~fast) = 0 AND (ready & $4) = 0 THEN $8 ELSE deadline_at END"
        " WHERE id = $1 AND turn = $2 AND status = 'live' AND (message_id <= $3 OR message_id IS NULL)"
        " AND (out & $4) = 0"
        " AND ((ready & $4) = 0 OR slow <> (slow & ~$5) | $6 OR fast <> (fast & ~$4) | $7 OR (auto & $4) <> 0)"
        " RETURNING " + COLUMNS,
        known.id,
        turn,
        message_id,
        bit,
        0 if pace in (None, Pace.CARD) else bit,
        bit if pace is Pace.CARD else 0,
        bit if pace is Pace.FINISH else 0,
        deadline_at,
    )
    return await whole(db, rows[0], known) if rows else None


async def agree(db: Database, known: Match, *, turn: int, message_id: int | None, seat: int) -> Match | None:
    """`Table.agree` as one statement. None when nothing changed. `message_id` is the board it was said on, None for a
    menu beside it."""
    rows = await db.execute(
        "UPDATE matches SET offer = offer | $3, pressed = pressed | $3, auto = auto & ~$3, missed = missed & ~$3"
        " WHERE id = $1 AND turn = $2 AND status = 'live' AND (offer & $3) = 0 AND (out & $3) = 0"
        " AND ($4 IS NULL OR message_id <= $4 OR message_id IS NULL) RETURNING " + COLUMNS,
        known.id,
        turn,
        1 << seat,
        message_id,
    )
    return await whole(db, rows[0], known) if rows else None


async def withdraw_offer(db: Database, known: Match, *, turn: int, message_id: int, seat: int) -> Match | None:
    """Take the offer to end off the table: who sits there refused. None when nothing changed."""
    rows = await db.execute(
        "UPDATE matches SET offer = 0 WHERE id = $1 AND turn = $2 AND status = 'live' AND offer <> 0"
        " AND (message_id <= $3 OR message_id IS NULL) AND (out & $4) = 0 RETURNING " + COLUMNS,
        known.id,
        turn,
        message_id,
        1 << seat,
    )
    return await whole(db, rows[0], known) if rows else None


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
        " AND auto = $19 AND offer = $20 AND missed = $21 AND pressed = $22 RETURNING " + COLUMNS,
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
        acts_text(acts),
        deadline_at,
        before.table.ready,
        before.table.slow,
        before.table.fast,
        before.table.auto,
        before.table.offer,
        before.table.missed,
        before.table.pressed,
    )
    return await whole(db, rows[0], before) if rows else None


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
        " RETURNING " + COLUMNS,
        known.id,
        look_again_at,
    )
    return await whole(db, rows[0], known) if rows else None


async def resume(db: Database, known: Match, deadline_at: int) -> Match | None:
    """A paused match can be shown again. None when it is not paused."""
    rows = await db.execute(
        "UPDATE matches SET status = 'live', deadline_at = $2 WHERE id = $1 AND status = 'paused' RETURNING " + COLUMNS,
        known.id,
        deadline_at,
    )
    return await whole(db, rows[0], known) if rows else None


async def look_again(db: Database, guild_id: int, now: int) -> None:
    """Something changed in a server: what is paused there comes due."""
    await db.execute(
        "UPDATE matches SET deadline_at = $2 WHERE guild_id = $1 AND status = 'paused' AND deadline_at > $2",
        guild_id,
        now,
    )
