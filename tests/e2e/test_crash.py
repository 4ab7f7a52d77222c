"""SIGKILL at random moments of many matches at once: what was acknowledged is stored, and nothing was done twice.

Rooms play by a script of their own: tables for two and for three, challenges, rematches, offers to end, forfeits, quick
matches against the house and between two. In each round every room makes a move or two that are answered, then one that
the kill may come before, into or after; what was answered is held against the database. `CRASH_KILLS` says how often.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")

KILLS = int(os.environ.get("CRASH_KILLS", "20"))
WAVES = 2
"""Moves of every room between a start and the move that the kill meets."""
LATEST = 0.08
"""Seconds after which the process is killed at the latest; a move takes some 20 ms."""


@pytest.fixture(scope="module")
def bot_settings() -> dict[str, str]:
    """Nothing moves but by what is pressed."""
    return {"TURN_SECONDS": "3600", "NUDGE_SECONDS": "3600"}


@dataclass
class Move:
    """Something that was sent, and what must be true once it was acknowledged."""

    interaction: str
    kept: Callable[[Any], bool]
    what: str


class Room:
    """A channel in which a few people play, and what they do next, by what the database says."""

    def __init__(self, game: Any, chance: random.Random, channel: str, people: list[Any], anchor: Any) -> None:
        self.game = game
        self.chance = chance
        self.channel = channel
        self.people = people
        self.anchor = anchor
        self.seen: dict[int, Any] = {}

    def latest(self) -> Any:
        """The match that was opened here last, rematches that nobody has asked for aside."""
        rows = self.game.rows(
            "SELECT * FROM matches WHERE channel_id = ? AND NOT (status = 'waiting' AND rematch_of IS NOT NULL)"
            " ORDER BY status IN ('live', 'waiting') DESC, id DESC LIMIT 1",
            int(self.channel),
        )
        return rows[0] if rows else None

    def row(self, match_id: int) -> Any:
        return self.game.row("SELECT * FROM matches WHERE id = ?", match_id)

    def seats(self, match_id: int) -> dict[int, Any]:
        """Who sits where."""
        found = "SELECT s.seat, p.user_id FROM match_seats s JOIN people p ON p.id = s.person_id WHERE match_id = ?"
        rows = self.game.rows(found, match_id)
        by_id = {int(person.id): person for person in self.people}
        return {row["seat"]: by_id[row["user_id"]] for row in rows}

    async def moves(self) -> list[Move]:
        """Everybody's next move, sent and not waited for."""
        match = self.latest()
        if match is None or match["status"] in ("over", "void"):
            return await self.begin(match)
        if match["status"] == "waiting":
            return await self.answer(match)
        return await self.play(match)

    async def begin(self, before: Any) -> list[Move]:
        if before is not None and before["kind"] == "match" and self.chance.random() < 0.5:
            waiting = self.game.rows("SELECT id FROM matches WHERE rematch_of = ? AND status = 'waiting'", before["id"])
            if waiting:
                return [await self.rematch(person, waiting[0]["id"]) for person in self.people]
        return [await self.open()]

    async def open(self) -> Move:
        raise NotImplementedError

    async def answer(self, match: Any) -> list[Move]:
        raise NotImplementedError

    async def command(self, person: Any, words: str, kept: Callable[[Any], bool], **options: Any) -> Move:
        return Move(await self.game.send_command(person, self.channel, words, **options), kept, words)

    async def click(self, person: Any, custom_id: str, kept: Callable[[Any], bool], message: str | None = None) -> Move:
        """By custom_id, on whatever message: the server checks who, where, and on which board."""
        return Move(await self.game.send_click(person, message or self.anchor.id, custom_id), kept, custom_id)

    async def rematch(self, person: Any, match_id: int) -> Move:
        joined = self.game.row(
            "SELECT s.joined FROM match_seats s JOIN people p ON p.id = s.person_id WHERE match_id = ? AND user_id = ?",
            match_id,
            int(person.id),
        )["joined"]

        def kept(_: Any) -> bool:
            row = self.row(match_id)
            return row["status"] != "waiting" or bool(row["ready"] >> joined & 1)

        return await self.click(person, f"war:rematch:{match_id}", kept)

    async def play(self, match: Any) -> list[Move]:
        """Mostly all press; now and then somebody would end it, or gives up."""
        match_id, turn = match["id"], match["turn"]
        self.seen[match_id] = match
        seats = {seat: who for seat, who in self.seats(match_id).items() if not match["out"] >> seat & 1}
        dice = self.chance.random()
        some = self.chance.choice(sorted(seats))
        if dice < 0.05:
            return [await self.click(seats[some], f"war:giveup:{match_id}:{turn}", self.is_out(match_id, some))]
        moves: list[Move] = []
        if dice < 0.25:
            custom_id = f"war:offer:{match_id}:{turn}"
            moves.append(await self.click(seats[some], custom_id, self.has(match_id, turn, some, "offer")))
        name = "finish" if dice > 0.85 else "flip"
        board = None if match["message_id"] is None else str(match["message_id"])
        for seat, who in seats.items():
            kept = self.has(match_id, turn, seat, "ready")
            moves.append(await self.click(who, f"war:{name}:{match_id}:{turn}", kept, board))
        return moves

    def has(self, match_id: int, turn: int, seat: int, mask: str) -> Callable[[Any], bool]:
        """The press is stored, or the turn that it was for is over."""

        def kept(answer: Any) -> bool:
            row = self.row(match_id)
            return answer.private or row["turn"] > turn or row["status"] == "over" or bool(row[mask] >> seat & 1)

        return kept

    def is_out(self, match_id: int, seat: int) -> Callable[[Any], bool]:
        def kept(_: Any) -> bool:
            row = self.row(match_id)
            return row["status"] == "over" or bool(row["out"] >> seat & 1)

        return kept

    def nothing_twice(self) -> None:
        """Since the match was last seen at most one turn was played, and without a turn no card was turned."""
        for match_id, before in self.seen.items():
            after = self.row(match_id)
            # Who would see the end is ready for every turn: when the others go out, the next one is played at once.
            at_once = after["fast"] and after["out"] != before["out"]
            assert 0 <= after["turn"] - before["turn"] <= (2 if at_once else 1), (dict(before), dict(after))
            assert after["steps"] >= before["steps"]
            if after["turn"] == before["turn"] and after["status"] == "live":
                assert after["steps"] == before["steps"]
        self.seen.clear()


class Pair(Room):
    """Two people and a challenge; `words` may also be a quick match, which is over when it is accepted."""

    words = "war challenge"

    async def open(self) -> Move:
        def kept(answer: Any) -> bool:
            return answer.private or self.row(self.game.match_id(answer.message))["status"] != "void"

        return await self.command(self.people[0], self.words, kept, opponent=self.people[1])

    async def answer(self, match: Any) -> list[Move]:
        def kept(_: Any) -> bool:
            return self.row(match["id"])["status"] != "waiting"

        name = "cancel" if self.chance.random() < 0.1 else "accept"
        return [await self.click(self.people[name == "accept"], f"war:{name}:{match['id']}", kept)]


class QuickPair(Pair):
    words = "war quick"


class Table(Room):
    """Three people at an open table."""

    async def open(self) -> Move:
        def kept(answer: Any) -> bool:
            return answer.private or self.row(self.game.match_id(answer.message))["status"] != "void"

        return await self.command(self.people[0], "war challenge", kept)

    async def answer(self, match: Any) -> list[Move]:
        match_id = match["id"]
        sitting = self.game.rows(
            "SELECT p.user_id FROM match_seats s JOIN people p ON p.id = s.person_id WHERE match_id = ?", match_id
        )
        there = {row["user_id"] for row in sitting}
        absent = [person for person in self.people if int(person.id) not in there]
        if not absent:

            def dealt(_: Any) -> bool:
                return self.row(match_id)["status"] != "waiting"

            return [await self.click(self.people[0], f"war:start:{match_id}", dealt)]

        def sits(person: Any) -> Callable[[Any], bool]:
            found = "SELECT 1 FROM match_seats s JOIN people p ON p.id = s.person_id WHERE match_id = ? AND user_id = ?"
            return lambda _: bool(self.game.rows(found, match_id, int(person.id)))

        return [await self.click(person, f"war:join:{match_id}", sits(person)) for person in absent]


class House(Room):
    """Somebody who plays the house twice at once."""

    def count(self) -> int:
        counted = "SELECT count(*) AS n FROM matches WHERE channel_id = ? AND status = 'over'"
        return self.game.row(counted, int(self.channel))["n"]

    async def moves(self) -> list[Move]:
        self.before, self.sent, self.answered = self.count(), 2, 0

        def kept(_: Any) -> bool:
            self.answered += 1
            return self.count() >= self.before + self.answered

        return [await self.command(self.people[0], "war quick", kept) for _ in range(self.sent)]

    def nothing_twice(self) -> None:
        assert self.count() <= self.before + self.sent


async def open_rooms(game: Any, chance: random.Random) -> list[Room]:
    kinds: list[tuple[type[Room], int]] = [(Pair, 2), (Pair, 2), (Table, 3), (Table, 3), (QuickPair, 2), (House, 1)]
    rooms = []
    for kind, size in kinds:
        people, channel = await game.people(*("Ann", "Ben", "Cid")[:size]), await game.channel()
        anchor = (await people[0].command(channel, "war leaderboard")).message
        rooms.append(kind(game, chance, channel, people, anchor))
    return rooms


async def wave(rooms: list[Room]) -> list[Move]:
    """A move of every room, all at once."""
    return [move for moves in await asyncio.gather(*(room.moves() for room in rooms)) for move in moves]


def hold(rooms: list[Room], moves: list[Move], answers: list[Any]) -> int:
    """Every move that was acknowledged is stored, and nothing was done twice. How many were acknowledged."""
    for move, answer in zip(moves, answers, strict=True):
        assert not answer.acked or move.kept(answer), f"{move.what} was answered and is lost: {answer}"
    for room in rooms:
        room.nothing_twice()
    return sum(answer.acked for answer in answers)


async def shown(room: Room) -> None:
    """After a start the board ends on what is stored."""

    async def newest() -> bool | None:
        match = room.latest()
        if match is None or match["status"] != "live" or match["kind"] != "match":
            return True
        boards = [each for each in await room.game.messages(room.channel) if each.id == str(match["message_id"])]
        return True if boards and boards[0].main == f"war:flip:{match['id']}:{match['turn']}" else None

    await room.game.until(newest)


async def test_no_acknowledged_step_is_lost_and_none_is_done_twice(own_game):
    game = own_game
    chance = random.Random(52)
    rooms = await open_rooms(game, chance)
    acknowledged = unheard = 0
    for _ in range(KILLS):
        for _ in range(WAVES):
            moves = await wave(rooms)
            acknowledged += hold(rooms, moves, [await game.outcome(move.interaction) for move in moves])
        moves = await wave(rooms)
        await asyncio.sleep(chance.uniform(0, LATEST))  # the moment of the kill, not a wait for anything
        await game.bot("kill")
        answers = [await game.answer_so_far(move.interaction) for move in moves]
        answered = hold(rooms, moves, answers)
        acknowledged, unheard = acknowledged + answered, unheard + len(moves) - answered
        await game.bot("start")
        if chance.random() < 0.25:
            await game.clock_runs()  # else people press before the bot has looked at what its last life left behind
    await asyncio.gather(*(shown(room) for room in rooms))
    await game.check()  # every match replays, and the standings equal a recount
    rows = game.rows("SELECT kind, count(*) AS n FROM matches WHERE status = 'over' GROUP BY kind")
    over = {row["kind"]: row["n"] for row in rows}
    print(f"{KILLS} kills: {acknowledged} moves acknowledged, {unheard} not; matches over: {over}")  # noqa: T201
    assert set(over) == {"match", "quick", "house"}, "the script played all that it is about"
    assert unheard > KILLS / 2, "kills met moves that were under way"
