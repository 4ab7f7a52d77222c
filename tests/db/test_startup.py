"""What is refused at the start, in which words, and that a refusal changes nothing."""

# ruff: noqa: ASYNC221, ASYNC240  (a test may look at a file while its loop waits)

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from db.database import connect
from db.errors import (
    DatabaseCorrupt,
    DatabaseEmptyFile,
    DatabaseError,
    DatabaseInUse,
    DatabaseKindUnsupported,
    DatabaseLocked,
    DatabaseLost,
    DatabaseMissing,
    DatabaseReadOnly,
    DatabaseUnavailable,
    DatabaseUrlInvalid,
    FolderMissing,
    NotOurDatabase,
    SchemaNewer,
)

SCHEMA = "CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;"
ROOT = Path(__file__).parents[2]

Write = Callable[..., Path]
Start = Callable[..., "subprocess.Popen[str]"]


async def create(path: Path, *people: str) -> None:
    """A database with the real schema, closed again; ``people`` are in it."""
    async with connect(f"sqlite:///{path}") as database:
        for number, name in enumerate(people):
            await database.execute("INSERT INTO people (user_id, name) VALUES ($1, $2)", number, name)


async def refused(path: Path, kind: type[DatabaseError], *, hold_lock: bool = True) -> DatabaseError:
    """The error with which ``path`` is refused, as a bot opens it or (without the lock) as a check does."""
    with pytest.raises(kind) as caught:
        async with connect(f"sqlite:///{path}", hold_lock=hold_lock, create=hold_lock):
            pass
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return caught.value


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


async def test_a_name_with_odd_characters_is_taken_as_it_is_written(tmp_path: Path) -> None:
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
    database_url: str, database_path: Path, start_process: Start
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
    database_url: str, database_path: Path
) -> None:
    async with connect(database_url):
        await refused(database_path, DatabaseInUse)
    async with connect(database_url):
        pass


async def test_two_names_of_one_file_share_the_lock(tmp_path: Path, database_url: str) -> None:
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
async def test_what_was_acknowledged_survives_sigkill(
    database_url: str, start_process: Start, lines: int
) -> None:
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
    database_path: Path, start_process: Start, statements: tuple[str, ...]
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


# -- damaged, empty, somebody else's


def with_text(path: Path) -> None:
    path.write_text("This is a letter, not a database.\n" * 100)


def with_a_page_overwritten(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(4096 * 2)
        file.write(b"\x55" * 4096)


def cut_in_half(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def with_a_broken_header(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"\0" * 100)


@pytest.mark.parametrize(
    "damage",
    [with_text, with_a_page_overwritten, cut_in_half, with_a_broken_header],
    ids=lambda f: f.__name__,
)
@pytest.mark.parametrize("hold_lock", [True, False])
async def test_a_damaged_file_is_refused_and_left_as_it_is(
    database_path: Path, damage: Callable[[Path], None], hold_lock: bool
) -> None:
    await create(database_path, *(f"person {number}" for number in range(200)))
    damage(database_path)
    before = database_path.read_bytes()
    error = await refused(database_path, DatabaseCorrupt, hold_lock=hold_lock)
    assert str(database_path) in str(error)
    assert "backup" in str(error)
    assert database_path.read_bytes() == before


async def test_damage_that_is_met_later_has_the_same_name(database_path: Path) -> None:
    await create(database_path, *(f"person {number}" for number in range(2000)))
    async with connect(f"sqlite:///{database_path}") as database:
        with database_path.open("r+b") as file:
            file.seek(4096)
            file.write(b"\x55" * (database_path.stat().st_size - 4096))
        with pytest.raises(DatabaseCorrupt):
            await database.fetch("SELECT * FROM people ORDER BY name")


@pytest.mark.parametrize("hold_lock", [True, False])
async def test_a_file_of_zero_bytes_is_refused(database_path: Path, hold_lock: bool) -> None:
    await create(database_path)
    os.truncate(database_path, 0)
    error = await refused(database_path, DatabaseEmptyFile, hold_lock=hold_lock)
    assert f"remove {database_path} and {database_path}.lock" in str(error)
    assert database_path.stat().st_size == 0
    database_path.unlink()
    database_path.with_name("warbot.db.lock").unlink()
    await create(database_path)


async def test_a_database_of_another_program_is_refused_and_left_as_it_is(database_path: Path) -> None:
    with closing(sqlite3.connect(database_path)) as other:
        other.execute("CREATE TABLE bookmarks (url TEXT)")
        other.commit()
    before = database_path.read_bytes()
    assert "application_id 0" in str(await refused(database_path, NotOurDatabase))
    assert database_path.read_bytes() == before
    with closing(sqlite3.connect(database_path)) as other:
        other.execute("PRAGMA application_id = 252006673")
    error = await refused(database_path, NotOurDatabase, hold_lock=False)
    assert isinstance(error, NotOurDatabase)
    assert error.application_id == 252006673


async def test_an_sqlite_file_without_any_table_is_taken_over(database_path: Path) -> None:
    with closing(sqlite3.connect(database_path)) as other:
        other.execute("VACUUM")
    assert database_path.stat().st_size > 0
    await create(database_path, "Alice")
    await create(database_path, *())


async def test_a_newer_schema_is_refused_and_left_as_it_is(
    database_url: str, database_path: Path, write_migrations: Write
) -> None:
    async with connect(database_url, migrations=write_migrations(SCHEMA, "CREATE TABLE b (x INTEGER);")):
        pass
    before = database_path.read_bytes()
    older = write_migrations(SCHEMA)
    for hold_lock in (True, False):
        with pytest.raises(SchemaNewer, match="Start the newer version") as caught:
            async with connect(database_url, hold_lock=hold_lock, create=hold_lock, migrations=older):
                pass
        assert (caught.value.found, caught.value.known) == (2, 1)
    assert database_path.read_bytes() == before


# -- missing, lost, never there


async def test_a_database_that_is_gone_is_not_replaced_in_silence(database_path: Path) -> None:
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


async def test_a_log_that_was_left_behind_means_a_lost_database_too(database_path: Path) -> None:
    wal = database_path.with_name("warbot.db-wal")
    wal.write_bytes(b"something")
    backup = database_path.with_name("warbot.db.before-0002.bak")
    backup.write_bytes(b"something")
    error = await refused(database_path, DatabaseLost)
    assert isinstance(error, DatabaseLost)
    assert (error.traces, error.backups) == ((wal,), (backup,))
    assert str(backup) in str(error)
    assert wal.read_bytes() == b"something"


async def test_a_missing_database_is_not_created_when_that_was_not_asked_for(database_path: Path) -> None:
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


async def test_a_missing_folder_is_named_and_nothing_is_created(tmp_path: Path) -> None:
    error = await refused(tmp_path / "nowhere" / "warbot.db", FolderMissing)
    assert str(tmp_path / "nowhere") in str(error)
    (tmp_path / "file").write_text("")
    await refused(tmp_path / "file" / "warbot.db", FolderMissing)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


async def test_a_folder_or_a_pipe_in_the_place_of_the_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "warbot.db").mkdir()
    assert "not a file" in str(await refused(tmp_path / "warbot.db", DatabaseUnavailable))
    os.mkfifo(tmp_path / "pipe.db")
    await refused(tmp_path / "pipe.db", DatabaseUnavailable)
    await refused(Path("/"), DatabaseUnavailable)


async def test_a_loop_of_links_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.db").symlink_to(tmp_path / "b.db")
    (tmp_path / "b.db").symlink_to(tmp_path / "a.db")
    await refused(tmp_path / "a.db", DatabaseUrlInvalid)


# -- read-only, full


async def test_a_file_that_nobody_may_write_is_refused_even_for_root(database_path: Path) -> None:
    await create(database_path)
    database_path.chmod(0o444)
    for hold_lock in (True, False):
        error = await refused(database_path, DatabaseReadOnly, hold_lock=hold_lock)
        assert isinstance(error, DatabaseReadOnly)
        assert error.path == database_path
    database_path.chmod(0o644)
    await create(database_path)


async def test_a_folder_that_nobody_may_write_is_refused_even_for_root(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    await create(folder / "warbot.db")
    folder.chmod(0o555)
    try:
        for name in ("warbot.db", "new.db"):
            error = await refused(folder / name, DatabaseReadOnly)
            assert isinstance(error, DatabaseReadOnly)
            assert error.path == folder
    finally:
        folder.chmod(0o755)


@pytest.mark.parametrize("ending", ["-wal", "-shm"])
async def test_a_file_beside_it_that_may_not_be_written_is_named(database_path: Path, ending: str) -> None:
    await create(database_path)
    left = database_path.with_name(database_path.name + ending)
    left.touch()
    left.chmod(0o444)
    error = await refused(database_path, DatabaseReadOnly)
    assert isinstance(error, DatabaseReadOnly)
    assert error.path == left


async def test_an_immutable_file_is_refused(database_path: Path) -> None:
    await create(database_path)
    chattr = shutil.which("chattr")
    if chattr is None or subprocess.run([chattr, "+i", database_path], capture_output=True).returncode:
        pytest.skip("needs the right to make a file immutable (chattr +i), which is not given here")
    try:
        for hold_lock in (True, False):
            error = await refused(database_path, DatabaseReadOnly, hold_lock=hold_lock)
            assert "immutable" in str(error)
    finally:
        subprocess.run([chattr, "-i", database_path], check=True)


IN_A_SMALL_FILE_SYSTEM = """
import asyncio, subprocess, sys
from pathlib import Path
from db.database import connect
from db.errors import DatabaseReadOnly, DiskFull

folder = Path(sys.argv[1])

async def opening(name):
    try:
        async with connect(f"sqlite:///{folder / name}"):
            return "open"
    except (DatabaseReadOnly, DiskFull) as error:
        return type(error).__name__

def mount(options):
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)

mount("size=64k")
(folder / "ballast").write_bytes(b"x" * 40_000)
print(asyncio.run(opening("full.db")), sorted(path.name for path in folder.iterdir()))
mount("size=4m")
print(asyncio.run(opening("warbot.db")))
mount("remount,ro")
print(asyncio.run(opening("warbot.db")))
print(asyncio.run(opening("new.db")))
"""


def test_a_full_disk_and_a_read_only_file_system_are_refused(tmp_path: Path) -> None:
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "-rm", "true"], capture_output=True).returncode:
        pytest.skip("needs a mount namespace of its own (unshare -rm), which is not allowed here")
    process = subprocess.run(
        [unshare, "-rm", sys.executable, "-c", IN_A_SMALL_FILE_SYSTEM, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stderr
    assert process.stdout.splitlines() == [
        "DiskFull ['ballast', 'full.db.lock']",
        "open",
        "DatabaseReadOnly",
        "DatabaseReadOnly",
    ]
