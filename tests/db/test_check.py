"""`check` finds every kind of planted damage, and nothing in a database that is whole."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from db import live, results
from db.check import problems
from db.database import Database, connect
from engine.table import Pace, play_turn
from engine.war import War


async def found(db: Database) -> list[str]:
    return [problem async for problem in problems(db)]


@pytest.fixture
async def busy(tables: Any) -> Any:
    """A database with one match of every sort: 1 over, 2 quick, 3 house, 4 live in mid-play, 5 waiting, 6 void."""
    await tables.finish(await tables.live(1, 2))
    await tables.quick(1, 2)
    await tables.house(1)
    begun = await tables.live(3, 4)
    war = War.deal(begun.rules, 2, begun.server_seed, "123")
    play_turn(war, Pace.WAR)
    await live.advance(
        tables.db, begun, table=begun.table.next_turn(war.alive), steps=war.steps, told_from=0, acts=(), deadline_at=1
    )
    await tables.waiting(5, 6)
    void = await tables.live(7, 8, channel=99)
    await results.abandon(tables.db, void.id, 1)
    return tables


async def test_a_whole_database_has_no_problem(busy: Any) -> None:
    assert await found(busy.db) == []


async def test_an_empty_database_has_no_problem(database: Database) -> None:
    assert await found(database) == []


DAMAGE = {
    "a win more in the standings": ("UPDATE standings SET wins = wins + 1, played = played + 1", "recount gives"),
    "standings of nobody who played": (
        "INSERT INTO standings (guild_id, kind, person_id, wins, played) VALUES (1, 'match', 1, 2, 2)"
        " ON CONFLICT DO UPDATE SET wins = 2, draws = 0, losses = 0, played = 2",
        "recount gives",
    ),
    "standings taken away": ("DELETE FROM standings WHERE person_id = 2 AND kind = 'match'", "say 0 won"),
    "a match that counts no more": ("UPDATE matches SET counted = 0 WHERE id = 1", "recount gives"),
    "a match against the house that counts": ("UPDATE matches SET counted = 1 WHERE id = 3", "recount gives"),
    "the winner and the loser changed places": (
        "UPDATE match_seats SET result = CASE result WHEN 'win' THEN 'loss' ELSE 'win' END WHERE match_id = 1",
        "Match 1 has another result stored for seat 0",
    ),
    "another placing": ("UPDATE match_seats SET placing = 2 WHERE match_id = 2", "Match 2 has another result"),
    "another number of cards": ("UPDATE match_seats SET cards = 25 WHERE match_id = 1", "Match 1 has another result"),
    "a result taken away": ("UPDATE match_seats SET result = NULL WHERE match_id = 1", "Match 1 has another result"),
    "a seat taken away": ("DELETE FROM match_seats WHERE match_id = 1 AND seat = 0", "Match 1 was dealt to 2 seats"),
    "a seat too many": ("UPDATE matches SET seats = 3 WHERE id = 4", "Match 4 was dealt to 3 seats"),
    "a step less": ("UPDATE matches SET steps = steps - 1 WHERE id = 1", "Match 1 is stored as over, but its cards"),
    "a step more": ("UPDATE matches SET steps = steps + 1 WHERE id = 1", "Match 1 does not replay"),
    "a live match with more steps than its cards": (
        "UPDATE matches SET steps = 99999 WHERE id = 4",
        "Match 4 does not replay",
    ),
    "another server seed": ("UPDATE matches SET server_seed = zeroblob(32) WHERE id = 1", "Match 1"),
    "another client seed": ("UPDATE matches SET client_seed = '124' WHERE id = 2", "Match 2"),
    "an empty client seed": ("UPDATE matches SET client_seed = '' WHERE id = 4", "Match 4 does not replay"),
    "a forfeit that never was": (
        "UPDATE matches SET acts = '[[0,0,\"forfeit\"]]' WHERE id = 1",
        "Match 1 does not replay",
    ),
    "an act of a seat that does not exist": (
        "UPDATE matches SET acts = '[[0,5,\"agree\"]]' WHERE id = 4",
        "Match 4 does not replay",
    ),
    "acts that are no JSON": ("UPDATE matches SET acts = '[[' WHERE id = 4", "Match 4 does not replay"),
    "acts that are no list": ("UPDATE matches SET acts = '7' WHERE id = 4", "Match 4 does not replay"),
    "acts of another shape": ("UPDATE matches SET acts = '[[1,2]]' WHERE id = 4", "Match 4 does not replay"),
    "other rules": (
        "UPDATE matches SET rules = replace(rules, '\"face_down\": 3', '\"face_down\": 1') WHERE id = 1",
        "Match 1",
    ),
    "rules that do not exist": (
        "UPDATE matches SET rules = replace(rules, 'random', 'alphabetic') WHERE id = 4",
        "Match 4 does not replay",
    ),
    "rules that are no JSON": ("UPDATE matches SET rules = 'classic' WHERE id = 4", "Match 4 does not replay"),
    "rules that are a list": ("UPDATE matches SET rules = '[]' WHERE id = 4", "Match 4 does not replay"),
    "another end": ("UPDATE matches SET termination = 'agreed' WHERE id = 1", "Match 1 is stored as agreed"),
    "another number of rounds": ("UPDATE matches SET rounds = 1 WHERE id = 1", "Match 1 is stored as"),
    "a match ended by hand": (
        "UPDATE matches SET status = 'over', ended_at = 1, termination = 'agreed', deadline_at = NULL WHERE id = 4",
        "Match 4 is stored as over, but its cards",
    ),
    "a match that was over is live again": (
        "UPDATE matches SET status = 'live', channel_id = 555 WHERE id = 1",
        "Match 1 is over by its cards, but stored as live",
    ),
    "a seat out that holds cards": ("UPDATE matches SET out = 1 WHERE id = 4", "Match 4 stores other seats as out"),
    "a player held by a match that is over": (
        "UPDATE match_seats SET playing = 1 WHERE match_id = 1 AND seat = 0",
        "Match 1 holds the player of seat 0",
    ),
    "a player of a live match who is free for another": (
        "UPDATE match_seats SET playing = 0 WHERE match_id = 4 AND seat = 1",
        "Match 4 does not hold the player of seat 1",
    ),
}


@pytest.mark.parametrize("damage", DAMAGE)
async def test_planted_damage_is_found(busy: Any, damage: str) -> None:
    statement, said = DAMAGE[damage]
    await busy.db.execute(statement)
    sentences = await found(busy.db)
    assert any(said in sentence for sentence in sentences), sentences
    for sentence in sentences:
        assert sentence.endswith(".")
        assert "\n" not in sentence


async def test_every_problem_is_told_not_only_the_first(busy: Any) -> None:
    await busy.db.execute("UPDATE matches SET rounds = 1 WHERE id = 1")
    await busy.db.execute("UPDATE matches SET steps = steps + 1 WHERE id = 2")
    await busy.db.execute("UPDATE standings SET wins = wins + 1, played = played + 1 WHERE person_id = 1")
    sentences = await found(busy.db)
    assert len(sentences) == 4  # the two matches, and two standings of person 1: played and quick


async def test_a_dangling_key_is_found(database_path: Path, database_url: str) -> None:
    async with connect(database_url):
        pass
    raw = sqlite3.connect(database_path)
    raw.execute("PRAGMA foreign_keys = OFF")
    raw.execute("INSERT INTO standings (guild_id, kind, person_id) VALUES (1, 'match', 77)")
    raw.commit()
    raw.close()
    async with connect(database_url, hold_lock=False, migrate=False, create=False) as db:
        assert "A row of standings points at a row of people that does not exist." in await found(db)


async def test_a_damaged_file_is_told_in_sqlites_words(database_path: Path, busy: Any) -> None:
    raw = sqlite3.connect(database_path)
    raw.execute("PRAGMA ignore_check_constraints = ON")
    raw.execute("UPDATE standings SET played = 5 WHERE person_id = 1 AND kind = 'match'")
    raw.commit()
    raw.close()
    assert "The file is damaged: CHECK constraint failed in standings." in await found(busy.db)
