"""A fresh database in a real file, folders of migrations made up by a test, and real second processes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from db.database import Database, connect
from db.errors import DatabaseError

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
