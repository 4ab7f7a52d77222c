"""What is refused at the start: the URL, a second bot, a locked, lost or missing database."""

# ruff: noqa: ASYNC240  (a test may look at a file while its loop waits)

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from db.database import connect
from db.errors import (
    DatabaseError,
    DatabaseInUse,
    DatabaseKindUnsupported,
    DatabaseLocked,
    DatabaseLogStale,
    DatabaseLost,
    DatabaseMissing,
    DatabaseUnavailable,
    DatabaseUrlInvalid,
    FolderMissing,
)

SCHEMA = "CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;"
ROOT = Path(__file__).parents[2]

Write = Callable[..., Path]
Start = Callable[..., "subprocess.Popen[str]"]
Create = Callable[..., Awaitable[None]]
Refused = Callable[..., Awaitable[DatabaseError]]


# -- the URL


@pytest.mark.parametrize(
    "url",
    [
        "",
        "warbot.db",
        "sqlite:warbot.db",
        "sqlite://",
        "sqlite:///",
        "sqlite://warbot.db",
        "sqlite:///:memory:",
        "sqlite://:memory:",
        "sqlite:///a\0b",
        "mysql://root:secret@localhost/warbot",
    ],
)
async def test_a_url_that_names_no_file_is_refused_with_the_right_form(url: str) -> None:
    with pytest.raises(DatabaseUrlInvalid, match=r"sqlite:///warbot\.db") as caught:
        async with connect(url):
            pass
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+asyncpg"])
async def test_postgresql_is_refused_without_repeating_the_password(scheme: str) -> None:
    with pytest.raises(DatabaseKindUnsupported, match="SQLite only") as caught:
        async with connect(f"{scheme}://warbot:secret@localhost/warbot"):
            pass
    assert "secret" not in str(caught.value)
    assert caught.value.scheme == scheme


async def test_three_slashes_are_a_relative_path_and_four_a_full_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with connect("sqlite:///here.db") as database:
        assert database.path == tmp_path / "here.db"
    async with connect(f"sqlite:///{tmp_path}/here.db", create=False) as database:
        assert database.path == tmp_path / "here.db"


async def test_a_name_with_odd_characters_is_taken_as_it_is_written(tmp_path: Path, create: Create) -> None:
    path = tmp_path / "a b%20?mode=memory#ä.db"
    await create(path, "Alice")
    assert path.stat().st_size > 0
    async with connect(f"sqlite:///{path}", create=False) as database:
        assert len(await database.fetch("SELECT 1 FROM people")) == 1


# -- one bot per database

RUN = """
import asyncio, sys
from db.database import connect

async def main():
    async with connect(sys.argv[1]) as database:
        await database.execute("INSERT INTO people (user_id, name) VALUES (7, 'Grace')")
        print("running", flush=True)
        sys.stdin.readline()

asyncio.run(main())
"""


async def test_a_second_bot_is_refused_until_the_first_one_is_killed(
    database_url: str, database_path: Path, start_process: Start, refused: Refused
) -> None:
    first = start_process(RUN, database_url)
    assert first.stdout is not None
    assert first.stdout.readline() == "running\n"
    error = await refused(database_path, DatabaseInUse)
    assert isinstance(error, DatabaseInUse)
    assert error.pid == first.pid
    assert str(first.pid) in str(error)

    async with connect(database_url, hold_lock=False, create=False) as beside:
        assert [row["name"] for row in await beside.fetch("SELECT name FROM people")] == ["Grace"]
        first.send_signal(signal.SIGKILL)
        first.wait(10)
    async with connect(database_url) as second:
        assert [row["name"] for row in await second.fetch("SELECT name FROM people")] == ["Grace"]


async def test_a_second_connect_in_the_same_process_is_refused_too(
    database_url: str, database_path: Path, refused: Refused
) -> None:
    async with connect(database_url):
        await refused(database_path, DatabaseInUse)
    async with connect(database_url):
        pass


async def test_two_names_of_one_file_share_the_lock(tmp_path: Path, database_url: str, refused: Refused) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "warbot.db")
    async with connect(database_url):
        await refused(tmp_path / "link.db", DatabaseInUse)


COUNT = """
import asyncio, sys
from db.database import connect

async def main():
    async with connect(sys.argv[1]) as database:
        await database.execute("INSERT INTO people (user_id, name) VALUES (0, 'counter')")
        for number in range(1, 1_000_000):
            await database.execute("UPDATE people SET user_id = $1", number)
            print(number, flush=True)

asyncio.run(main())
"""


@pytest.mark.parametrize("lines", [1, 20, 300])
async def test_what_was_acknowledged_survives_sigkill(database_url: str, start_process: Start, lines: int) -> None:
    process = start_process(COUNT, database_url)
    assert process.stdout is not None
    for _ in range(lines):
        process.stdout.readline()
    process.kill()
    acknowledged = max([lines, *(int(line) for line in process.stdout.read().split())])
    async with connect(database_url) as database:
        row = await database.fetch_one("SELECT user_id FROM people")
        assert row is not None
        assert row["user_id"] in (
            acknowledged,
            acknowledged + 1,
        )  # the last one may not have been printed yet


# -- locked by another program

HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]:
    connection.execute(statement).fetchall()
print("locked", flush=True)
sys.stdin.readline()
"""


@pytest.mark.parametrize(
    "statements",
    [("BEGIN IMMEDIATE",), ("PRAGMA locking_mode = EXCLUSIVE", "BEGIN IMMEDIATE")],
    ids=["for writing", "for everything"],
)
async def test_a_database_that_another_program_holds_is_refused_and_opens_when_it_is_free(
    database_path: Path, start_process: Start, statements: tuple[str, ...], create: Create, refused: Refused
) -> None:
    await create(database_path, "Alice")
    other = start_process(HOLD, database_path, *statements)
    assert other.stdout is not None
    assert other.stdout.readline() == "locked\n"
    error = await refused(database_path, DatabaseLocked)
    assert str(database_path) in str(error)
    other.communicate("\n", timeout=10)
    async with connect(f"sqlite:///{database_path}") as database:
        assert len(await database.fetch("SELECT 1 FROM people")) == 1


# -- missing, lost, never there


async def test_a_database_that_is_gone_is_not_replaced_in_silence(
    database_path: Path, create: Create, refused: Refused
) -> None:
    await create(database_path, "Alice")
    lock = database_path.with_name("warbot.db.lock")
    database_path.unlink()
    for hold_lock in (True, False):
        error = await refused(database_path, DatabaseLost, hold_lock=hold_lock)
        assert isinstance(error, DatabaseLost)
        assert error.traces == (lock,)
        assert f"remove {lock}" in str(error)
    assert not database_path.exists()
    lock.unlink()
    await create(database_path)


async def test_a_log_that_was_left_behind_means_a_lost_database_too(database_path: Path, refused: Refused) -> None:
    wal = database_path.with_name("warbot.db-wal")
    wal.write_bytes(b"something")
    backup = database_path.with_name("warbot.db.before-0002.bak")
    backup.write_bytes(b"something")
    error = await refused(database_path, DatabaseLost)
    assert isinstance(error, DatabaseLost)
    assert (error.traces, error.backups) == ((wal,), (backup,))
    assert str(backup) in str(error)
    assert wal.read_bytes() == b"something"


async def test_a_log_older_than_the_file_beside_it_is_not_written_into_a_restored_backup(
    database_path: Path, create: Create, refused: Refused
) -> None:
    await create(database_path, "Alice")
    wal = database_path.with_name("warbot.db-wal")
    wal.write_bytes(b"pages of the file that was here before")
    restored = database_path.stat().st_mtime
    os.utime(wal, (restored - 3600, restored - 3600))
    for hold_lock in (True, False):
        error = await refused(database_path, DatabaseLogStale, hold_lock=hold_lock)
        assert f"remove {wal}" in str(error)
    assert wal.exists(), "nothing is taken away"
    wal.unlink()
    async with connect(f"sqlite:///{database_path}") as database:
        assert len(await database.fetch("SELECT 1 FROM people")) == 1


async def test_a_missing_database_is_not_created_when_that_was_not_asked_for(
    database_path: Path, create: Create, refused: Refused
) -> None:
    await refused(database_path, DatabaseMissing, hold_lock=False)
    assert list(database_path.parent.iterdir()) == []
    with pytest.raises(DatabaseMissing):
        async with connect(f"sqlite:///{database_path}", create=False):
            pass
    await create(database_path)  # the lock file of that attempt is no trace of a database


async def test_only_the_holder_of_the_lock_may_create(database_url: str, database_path: Path) -> None:
    with pytest.raises(ValueError, match="create=False"):
        async with connect(database_url, hold_lock=False):
            pass
    assert not database_path.exists()


CREATE_SLOWLY = """
import asyncio, sys
from pathlib import Path
from db.database import connect

async def main():
    async with connect(sys.argv[1], migrations=Path(sys.argv[2])):
        pass

asyncio.run(main())
"""


async def test_a_bot_killed_while_it_creates_its_database_starts_well_again(
    database_url: str, database_path: Path, write_migrations: Write, start_process: Start
) -> None:
    endless = "CREATE TABLE a (x) ; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
    folder = write_migrations(SCHEMA, endless + "INSERT INTO a SELECT i FROM n WHERE i < 0;")
    process = start_process(CREATE_SLOWLY, database_url, folder)
    draft = database_path.with_name("warbot.db.new")
    while not (draft.exists() and draft.stat().st_size > 0):  # the first migration is in it
        assert process.poll() is None
    process.kill()
    process.wait(10)
    assert not database_path.exists()
    assert draft.exists()
    async with connect(database_url, migrations=write_migrations(SCHEMA)) as database:
        assert database.prepared.created
        assert not draft.exists()
        assert not draft.with_name("warbot.db.new-journal").exists()


async def test_a_missing_folder_is_named_and_nothing_is_created(tmp_path: Path, refused: Refused) -> None:
    error = await refused(tmp_path / "nowhere" / "warbot.db", FolderMissing)
    assert str(tmp_path / "nowhere") in str(error)
    (tmp_path / "file").write_text("")
    await refused(tmp_path / "file" / "warbot.db", FolderMissing)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


async def test_a_folder_or_a_pipe_in_the_place_of_the_database_is_refused(tmp_path: Path, refused: Refused) -> None:
    (tmp_path / "warbot.db").mkdir()
    assert "not a file" in str(await refused(tmp_path / "warbot.db", DatabaseUnavailable))
    os.mkfifo(tmp_path / "pipe.db")
    await refused(tmp_path / "pipe.db", DatabaseUnavailable)
    await refused(Path("/"), DatabaseUnavailable)


async def test_a_loop_of_links_is_refused(tmp_path: Path, refused: Refused) -> None:
    (tmp_path / "a.db").symlink_to(tmp_path / "b.db")
    (tmp_path / "b.db").symlink_to(tmp_path / "a.db")
    await refused(tmp_path / "a.db", DatabaseUrlInvalid)
