"""Files that are refused at the start, and left as they are: damaged, foreign, newer, read-only, full disk."""

# ruff: noqa: ASYNC221, ASYNC240  (a test may look at a file while its loop waits)

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from db.database import connect
from db.errors import (
    DatabaseCorrupt,
    DatabaseEmptyFile,
    DatabaseError,
    DatabaseReadOnly,
    NotOurDatabase,
    SchemaNewer,
)

SCHEMA = "CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;"
ROOT = Path(__file__).parents[2]

Write = Callable[..., Path]
Start = Callable[..., "subprocess.Popen[str]"]
Create = Callable[..., Awaitable[None]]
Refused = Callable[..., Awaitable[DatabaseError]]


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
    database_path: Path, damage: Callable[[Path], None], hold_lock: bool, create: Create, refused: Refused
) -> None:
    await create(database_path, *(f"person {number}" for number in range(200)))
    damage(database_path)
    before = database_path.read_bytes()
    error = await refused(database_path, DatabaseCorrupt, hold_lock=hold_lock)
    assert str(database_path) in str(error)
    assert "backup" in str(error)
    assert database_path.read_bytes() == before


async def test_damage_that_is_met_later_has_the_same_name(database_path: Path, create: Create) -> None:
    await create(database_path, *(f"person {number}" for number in range(2000)))
    async with connect(f"sqlite:///{database_path}") as database:
        with database_path.open("r+b") as file:
            file.seek(4096)
            file.write(b"\x55" * (database_path.stat().st_size - 4096))
        with pytest.raises(DatabaseCorrupt):
            await database.fetch("SELECT * FROM people ORDER BY name")


@pytest.mark.parametrize("hold_lock", [True, False])
async def test_a_file_of_zero_bytes_is_refused(
    database_path: Path, hold_lock: bool, create: Create, refused: Refused
) -> None:
    await create(database_path)
    os.truncate(database_path, 0)
    error = await refused(database_path, DatabaseEmptyFile, hold_lock=hold_lock)
    assert f"remove {database_path} and {database_path}.lock" in str(error)
    assert database_path.stat().st_size == 0
    database_path.unlink()
    database_path.with_name("warbot.db.lock").unlink()
    await create(database_path)


async def test_a_database_of_another_program_is_refused_and_left_as_it_is(
    database_path: Path, refused: Refused
) -> None:
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


async def test_an_sqlite_file_without_any_table_is_taken_over(database_path: Path, create: Create) -> None:
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


# -- read-only, full


async def test_a_file_that_nobody_may_write_is_refused_even_for_root(
    database_path: Path, create: Create, refused: Refused
) -> None:
    await create(database_path)
    database_path.chmod(0o444)
    for hold_lock in (True, False):
        error = await refused(database_path, DatabaseReadOnly, hold_lock=hold_lock)
        assert isinstance(error, DatabaseReadOnly)
        assert error.path == database_path
    database_path.chmod(0o644)
    await create(database_path)


async def test_a_folder_that_nobody_may_write_is_refused_even_for_root(
    tmp_path: Path, create: Create, refused: Refused
) -> None:
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
async def test_a_file_beside_it_that_may_not_be_written_is_named(
    database_path: Path, ending: str, create: Create, refused: Refused
) -> None:
    await create(database_path)
    left = database_path.with_name(database_path.name + ending)
    left.touch()
    left.chmod(0o444)
    error = await refused(database_path, DatabaseReadOnly)
    assert isinstance(error, DatabaseReadOnly)
    assert error.path == left


async def test_an_immutable_file_is_refused(database_path: Path, create: Create, refused: Refused) -> None:
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
