"""What can be wrong inside a database: damaged pages, dangling keys, matches that do not replay, standings that a
recount does not give."""

from __future__ import annotations

from collections.abc import AsyncIterator

from db import matches, standings
from db.database import Database
from db.matches import Match
from engine.errors import EngineError
from engine.table import members
from engine.war import War

NOTHING = (0, 0, 0, 0)
"""The tally of somebody who has none."""


async def problems(db: Database) -> AsyncIterator[str]:
    """A sentence for each thing that is wrong; none when all is well."""
    for row in await db.fetch("PRAGMA quick_check"):
        if row[0] != "ok":
            yield f"The file is damaged: {row[0]}."
    for row in await db.fetch("PRAGMA foreign_key_check"):
        yield f"A row of {row[0]} points at a row of {row[2]} that does not exist."
    for match_id in await matches.ids_started(db):
        wrong = await _match_problem(db, match_id)
        if wrong is not None:
            yield f"Match {match_id} {wrong}."
    for match_id, seat, held in await matches.wrongly_held(db):
        who = "a player" if seat is None else f"the player of seat {seat}"
        yield f"Match {match_id} {'holds' if held else 'does not hold'} {who}{', who is free' if held else ''}."
    stored, counted = await standings.tallies(db)
    for key in sorted(stored.keys() | counted.keys()):
        said, found = stored.get(key, NOTHING), counted.get(key, NOTHING)
        if said != found:
            guild_id, kind, person_id = key
            yield (
                f"The standings of person {person_id} in server {guild_id} ({kind}) say {_tally(said)},"
                f" a recount gives {_tally(found)}."
            )


async def repair(db: Database) -> list[str]:
    """Set the standings to what a recount of the stored results gives, in one transaction. A sentence per change."""
    changes: list[str] = []
    async with db.transaction() as tx:
        stored, counted = await standings.tallies(tx)
        for key in sorted(stored.keys() | counted.keys()):
            said, found = stored.get(key, NOTHING), counted.get(key, NOTHING)
            if said != found:
                await standings.put(tx, key, found)
                guild_id, kind, person_id = key
                changes.append(
                    f"Person {person_id} in server {guild_id} ({kind}): {_tally(said)} is now {_tally(found)}."
                )
    return changes


def _tally(row: tuple[int, int, int, int]) -> str:
    wins, draws, losses, played = row
    return f"{wins} won, {draws} drawn and {losses} lost of {played}"


async def _match_problem(db: Database, match_id: int) -> str | None:
    """What is wrong with one stored match, or None."""
    try:
        match = await matches.by_id(db, match_id)
        if match is None or match.client_seed is None:
            return None
        war = War.replay(match.rules, match.table.seats, match.server_seed, match.client_seed, match.acts, match.steps)
    except (EngineError, ValueError, TypeError, KeyError) as error:
        return f"does not replay: {str(error).rstrip('.')}"
    return _against(match, war)


def _against(match: Match, war: War) -> str | None:
    if [player.seat for player in match.players] != list(range(war.seats)):
        return f"was dealt to {war.seats} seats, but other seats are stored"
    outcome = war.outcome
    if match.status != "over":
        if outcome is not None:
            return f"is over by its cards, but stored as {match.status}"
        return None if set(members(match.table.playing)) == set(war.alive) else "stores other seats as out than it has"
    if outcome is None:
        return "is stored as over, but its cards are still in play"
    if (match.termination, match.rounds) != (outcome.termination, outcome.rounds):
        return (
            f"is stored as {match.termination} after {match.rounds} rounds,"
            f" but replays to {outcome.termination} after {outcome.rounds}"
        )
    for player in match.players:
        seat = player.seat or 0
        replayed = (outcome.placings[seat], outcome.counts[seat], outcome.result(seat))
        if (player.placing, player.cards, player.result) != replayed:
            return f"has another result stored for seat {seat} than its cards give"
    return None
