"""Backups on demand: whole, checked, never over another file, also while the bot writes."""

# ruff: noqa: ASYNC240  (a test may look at a file while its loop waits)

from __future__ import annotations

import asyncio
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

import db.backup
from db.backup import back_up, give_name
from db.database import Database, connect
from db.errors import BackupExists, BackupFailed, DatabaseLocked, FolderMissing


def look(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


async def test_a_backup_is_one_sound_file_with_the_permissions_of_the_original(
    database: Database, tmp_path: Path
) -> None:
    await database.execute("INSERT INTO people (user_id, name) VALUES (1, 'Alice')")
    database.path.chmod(0o640)
    target = tmp_path / "copy.bak"
    await database.backup(target)
    assert [path.name for path in tmp_path.glob("copy*")] == ["copy.bak"]
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert look(target, "PRAGMA journal_mode") == [("delete",)]
    assert look(target, "SELECT name FROM people") == [("Alice",)]
    async with connect(f"sqlite:///{target}", create=False) as restored:
        assert len(await restored.fetch("SELECT 1 FROM people")) == 1


async def test_a_backup_made_while_tasks_write_is_one_consistent_moment(database: Database, tmp_path: Path) -> None:
    async def write(number: int) -> None:
        async with database.transaction() as transaction:
            for half in (0, 1):
                await transaction.execute("INSERT INTO people (user_id, name) VALUES ($1, 'x')", 2 * number + half)

    writing = [asyncio.create_task(write(number)) for number in range(100)]
    for number in range(5):
        await database.backup(tmp_path / f"{number}.bak")
    await asyncio.gather(*writing)
    counts = [int(str(look(tmp_path / f"{n}.bak", "SELECT count(*) FROM people")[0][0])) for n in range(5)]
    assert all(count % 2 == 0 for count in counts)
    assert counts == sorted(counts)
    assert len(await database.fetch("SELECT 1 FROM people")) == 200


async def test_a_backup_does_not_overwrite_a_file(database: Database, tmp_path: Path) -> None:
    target = tmp_path / "copy.bak"
    target.write_text("precious")
    with pytest.raises(BackupExists, match="left alone"):
        await database.backup(target)
    assert target.read_text() == "precious"
    (tmp_path / "dangling.bak").symlink_to(tmp_path / "nowhere")
    with pytest.raises(BackupExists):
        await database.backup(tmp_path / "dangling.bak")


async def test_a_backup_into_a_missing_folder_says_so(database: Database, tmp_path: Path) -> None:
    with pytest.raises(FolderMissing, match="Create it"):
        await database.backup(tmp_path / "nowhere" / "copy.bak")


async def test_a_damaged_database_gives_no_backup(database_url: str, database_path: Path) -> None:
    async with connect(database_url) as database:
        for number in range(500):
            await database.execute("INSERT INTO people (user_id, name) VALUES ($1, 'x')", number)
    with database_path.open("r+b") as file:
        file.seek(4096 * 2)
        file.write(b"\x55" * 4096)
    target = database_path.with_name("copy.bak")
    with pytest.raises(BackupFailed):
        back_up(database_path, target)
    assert not list(database_path.parent.glob("copy*"))


async def test_a_database_that_is_locked_for_everyone_gives_an_error_and_no_endless_wait(
    database_url: str, database_path: Path
) -> None:
    async with connect(database_url):
        pass
    with closing(sqlite3.connect(database_path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN IMMEDIATE")
        other.execute("DELETE FROM people")
        with pytest.raises(DatabaseLocked):
            back_up(database_path, database_path.with_name("copy.bak"))
    assert not list(database_path.parent.glob("copy*"))


async def test_a_copy_left_by_a_killed_process_is_replaced(database: Database, tmp_path: Path) -> None:
    (tmp_path / "copy.bak.partial").write_text("half of something")
    await database.backup(tmp_path / "copy.bak")
    assert look(tmp_path / "copy.bak", "PRAGMA quick_check") == [("ok",)]
    assert not (tmp_path / "copy.bak.partial").exists()


def test_a_file_system_without_hard_links_gets_its_name_by_renaming(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(db.backup.os, "link", refuse)
    (tmp_path / "draft").write_text("new")
    give_name(tmp_path / "draft", tmp_path / "named")
    assert (tmp_path / "named").read_text() == "new"
    (tmp_path / "draft").write_text("newer")
    with pytest.raises(FileExistsError):
        give_name(tmp_path / "draft", tmp_path / "named")
    assert (tmp_path / "named").read_text() == "new"
