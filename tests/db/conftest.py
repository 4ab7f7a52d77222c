"""A fresh database in a real file, folders of migrations made up by a test, and real second processes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from db import invitations, people, results
from db.database import Database, connect
from db.errors import DatabaseError
from db.matches import Kind, Match
from db.people import Person
from engine.rules import Rules
from engine.table import Pace, Table, play_turn
from engine.war import War

PLAYERS = """
    CREATE TABLE players (
        id     INTEGER PRIMARY KEY,
        name   TEXT    NOT NULL,
        wins   INTEGER NOT NULL DEFAULT 0 CONSTRAINT wins_are_counted_up CHECK (wins >= 0),
        photo  BLOB
    ) STRICT;
    CREATE UNIQUE INDEX players_by_name ON players (name);
    CREATE UNIQUE INDEX photos_by_size ON players (length(photo)) WHERE length(photo) > 100;
    CREATE TABLE seats (
        player  INTEGER NOT NULL REFERENCES players (id),
        chair   INTEGER NOT NULL REFERENCES players (id) DEFERRABLE INITIALLY DEFERRED,
        UNIQUE (player, chair)
    ) STRICT;
"""

ROOT = Path(__file__).parents[2]


@pytest.fixture
def database_path(tmp_path: Path) -> Path:
    """Where the test's database lies, or will lie."""
    return tmp_path / "warbot.db"


@pytest.fixture
def database_url(database_path: Path) -> str:
    return f"sqlite:///{database_path}"


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """An open, empty database with the real schema."""
    async with connect(database_url) as opened:
        yield opened


@pytest.fixture
def write_migrations(tmp_path: Path) -> Callable[..., Path]:
    """``write_migrations("CREATE ...;", "ALTER ...;")`` gives a folder with them as 0001, 0002, ..."""

    def write(*texts: str) -> Path:
        folder = tmp_path / "migrations"
        folder.mkdir(exist_ok=True)
        for old in folder.glob("*.sql"):
            old.unlink()
        for number, text in enumerate(texts, 1):
            (folder / f"{number:04}_step.sql").write_text(text, encoding="utf-8")
        return folder

    return write


@pytest.fixture
def players_schema(write_migrations: Callable[..., Path]) -> Path:
    """A folder of migrations whose only file is PLAYERS."""
    return write_migrations(PLAYERS)


@pytest.fixture
async def table(database_url: str, players_schema: Path) -> AsyncIterator[Database]:
    """A database with the tables of PLAYERS and one player, Alice, with id 1."""
    async with connect(database_url, migrations=players_schema) as opened:
        await opened.execute("INSERT INTO players (name) VALUES ($1)", "Alice")
        yield opened


@pytest.fixture
def start_process() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """``start_process(code, *arguments)`` runs Python code in another process, which is killed in the end."""
    running: list[subprocess.Popen[str]] = []

    def start(code: str, *arguments: object) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", code, *map(str, arguments)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        running.append(process)
        return process

    yield start
    for process in running:
        process.kill()
        process.communicate()


@pytest.fixture
def create() -> Callable[..., Awaitable[None]]:
    """``await create(path, "Alice")`` makes a database with the real schema and people in it, and closes it."""

    async def create(path: Path, *people: str) -> None:
        """A database with the real schema, closed again; ``people`` are in it."""
        async with connect(f"sqlite:///{path}") as database:
            for number, name in enumerate(people):
                await database.execute("INSERT INTO people (user_id, name) VALUES ($1, $2)", number, name)

    return create


@pytest.fixture
def refused() -> Callable[..., Awaitable[DatabaseError]]:
    """``await refused(path, DatabaseLost)`` opens, expects that error, looks at its sentence and gives it."""

    async def refused(path: Path, kind: type[DatabaseError], *, hold_lock: bool = True) -> DatabaseError:
        """The error with which ``path`` is refused, as a bot opens it or (without the lock) as a check does."""
        with pytest.raises(kind) as caught:
            async with connect(f"sqlite:///{path}", hold_lock=hold_lock, create=hold_lock):
                pass
        sentence = str(caught.value)
        assert sentence.endswith(".")
        assert "\n" not in sentence
        return caught.value

    return refused


GUILD, CHANNEL, NOW = 1, 10, 1_700_000_000_000


class Tables:
    """Matches in a database, made as the bot makes them, without a bot."""

    def __init__(self, database: Database) -> None:
        self.db = database
        self._seeds = 0

    async def person(self, user_id: int) -> Person:
        return await people.remember(self.db, user_id, f"Player {user_id}")

    async def waiting(
        self,
        host: int = 1,
        invited: int | None = 2,
        *,
        channel: int = CHANNEL,
        guild: int = GUILD,
        kind: Kind = "match",
    ) -> Match:
        """A challenge from one user to another, or an open table."""
        self._seeds += 1
        match = await invitations.open_challenge(
            self.db,
            guild_id=guild,
            channel_id=channel,
            kind=kind,
            host=await self.person(host),
            invited=None if invited is None else await self.person(invited),
            rules=Rules(),
            server_seed=self._seeds.to_bytes(32, "big"),
            now=NOW,
            deadline_at=NOW + 900_000,
            most_of_host=1_000,
            most_in_channel=1_000,
        )
        assert isinstance(match, Match)
        return match

    async def live(self, host: int = 1, invited: int = 2, *, channel: int = CHANNEL, guild: int = GUILD) -> Match:
        """A match that was just dealt."""
        match = await self.waiting(host, invited, channel=channel, guild=guild)
        dealt = await invitations.start(
            self.db,
            match.id,
            joining=await self.person(invited),
            client_seed="123",
            now=NOW,
            deadline_at=NOW + 45_000,
        )
        assert dealt is not None
        return dealt

    async def live_table(self, *users: int, channel: int = CHANNEL) -> Match:
        """A match for several that was just dealt; the first user opened the table."""
        match = await self.waiting(users[0], None, channel=channel)
        for user in users[1:]:
            await invitations.join(self.db, match.id, await self.person(user), 6)
        dealt = await invitations.start(
            self.db, match.id, joining=None, client_seed="123", now=NOW, deadline_at=NOW + 45_000
        )
        assert dealt is not None
        return dealt

    def played(self, match: Match) -> tuple[War, Table]:
        """Its war played to the end, and the table after it."""
        assert match.client_seed is not None
        war = War.deal(match.rules, match.table.seats, match.server_seed, match.client_seed)
        play_turn(war, Pace.FINISH)
        return war, match.table.next_turn(war.alive)

    async def finish(self, match: Match, *, now: int = NOW + 60_000) -> Match | None:
        """Close a live match with the result of its cards."""
        war, table = self.played(match)
        assert war.outcome is not None
        return await results.finish(
            self.db, match, table=table, steps=war.steps, told_from=0, acts=(), outcome=war.outcome, now=now
        )

    async def quick(self, host: int = 1, invited: int = 2, *, now: int = NOW) -> Match | None:
        """A quick match between two people, played."""
        match = await self.waiting(host, invited, kind="quick")
        war = War.deal(match.rules, 2, match.server_seed, "123")
        play_turn(war, Pace.FINISH)
        assert war.outcome is not None
        return await results.play_at_once(
            self.db,
            match.id,
            joining=await self.person(invited),
            client_seed="123",
            steps=war.steps,
            outcome=war.outcome,
            now=now,
        )

    async def house(self, user: int = 1, *, seed: bytes = bytes(32), committed: bool = False, then: bytes = b"n" * 32):
        """A quick match against the house, or None when the promise was another one."""
        war = War.deal(Rules(), 2, seed, "123")
        play_turn(war, Pace.FINISH)
        assert war.outcome is not None
        return await results.record_house_match(
            self.db,
            guild_id=GUILD,
            channel_id=CHANNEL,
            host=await self.person(user),
            house=await self.person(people.HOUSE_USER_ID),
            rules=Rules(),
            server_seed=seed,
            committed=committed,
            client_seed="123",
            steps=war.steps,
            outcome=war.outcome,
            next_seed=then,
            now=NOW,
        )


@pytest.fixture
def tables(database: Database) -> Tables:
    return Tables(database)
