"""A fresh database in a real file, folders of migrations made up by a test, and real second processes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from db.database import Database, connect

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
