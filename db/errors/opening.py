"""The file itself: it is missing, damaged, locked, somebody else's, or there is no room."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from db.errors.root import DatabaseError


def _named(paths: tuple[Path, ...]) -> str:
    return " and ".join(str(path) for path in paths)


def _restore_hint(backups: tuple[Path, ...]) -> str:
    found = f" (found here: {', '.join(str(path) for path in backups)})" if backups else ""
    return f"Put a backup in its place{found}"


class StartupError(DatabaseError):
    """The database can not be used as it stands; nothing was changed."""


@dataclass(eq=False)
class DatabaseUrlInvalid(StartupError):
    """The URL names no database. The URL itself is not repeated: it may hold a password."""

    reason: str

    def __str__(self) -> str:
        return (
            f"DATABASE_URL is not usable: {self.reason}. "
            "Write sqlite:///warbot.db for a file in this folder, or sqlite:////full/path/warbot.db."
        )


@dataclass(eq=False)
class DatabaseKindUnsupported(StartupError):
    """A database of a kind that this version does not speak."""

    scheme: str

    def __str__(self) -> str:
        return (
            f"DATABASE_URL starts with {self.scheme}://, but this version knows SQLite only. "
            "Write sqlite:///warbot.db for a file in this folder, or sqlite:////full/path/warbot.db."
        )


@dataclass(eq=False)
class SqliteTooOld(StartupError):
    """The SQLite library that Python was built with lacks STRICT tables."""

    found: str
    needed: str

    def __str__(self) -> str:
        return (
            f"This Python comes with SQLite {self.found}, but {self.needed} or newer is needed. "
            "Use a newer Python or a newer system."
        )


@dataclass(eq=False)
class FolderMissing(StartupError):
    """The folder that the database should lie in does not exist."""

    path: Path
    folder: Path

    def __str__(self) -> str:
        return (
            f"The folder {self.folder} for {self.path.name} does not exist. "
            "Create it, or name another one (for the bot's database: in DATABASE_URL)."
        )


@dataclass(eq=False)
class DatabaseMissing(StartupError):
    """There is no file, and creating one was not asked for."""

    path: Path

    def __str__(self) -> str:
        return f"There is no database at {self.path}. Check DATABASE_URL, or start the bot once to create it."


@dataclass(eq=False)
class DatabaseLost(StartupError):
    """The file is missing, but ``traces`` show that there was one: a new one would hide the loss."""

    path: Path
    traces: tuple[Path, ...]
    backups: tuple[Path, ...] = ()

    def __str__(self) -> str:
        return (
            f"The database {self.path} is gone, though {_named(self.traces)} shows that it was here before. "
            f"{_restore_hint(self.backups)}, or remove {_named(self.traces)} to start with an empty one."
        )


@dataclass(eq=False)
class DatabaseLogStale(StartupError):
    """A backup was put in place of the file, but the log of what came after the old one (``log``) still lies beside it:
    SQLite would write it into the backup."""

    path: Path
    log: Path

    def __str__(self) -> str:
        return (
            f"The database {self.path} is younger than {self.log}, which holds changes of the file that was here "
            "before. "
            f"If you have put a backup in place, remove {self.log}; if you have only touched the file, touch both."
        )


@dataclass(eq=False)
class DatabaseEmptyFile(StartupError):
    """The file has zero bytes, as after a full disk or a copy that broke off."""

    path: Path
    traces: tuple[Path, ...] = ()
    backups: tuple[Path, ...] = ()

    def __str__(self) -> str:
        return (
            f"The database {self.path} is an empty file (0 bytes). {_restore_hint(self.backups)}, "
            f"or remove {_named((self.path, *self.traces))} to start with an empty one."
        )


@dataclass(eq=False)
class DatabaseCorrupt(StartupError):
    """The file is damaged or no SQLite file; ``detail`` is SQLite's own finding. Can also come later."""

    path: Path
    detail: str
    backups: tuple[Path, ...] = ()

    def __str__(self) -> str:
        return (
            f"The database {self.path} is damaged or is no SQLite database ({self.detail}). "
            f"Keep a copy of it as it is. {_restore_hint(self.backups)}."
        )


@dataclass(eq=False)
class NotOurDatabase(StartupError):
    """A sound SQLite file that belongs to another program (its ``application_id`` is not ours)."""

    path: Path
    application_id: int

    def __str__(self) -> str:
        return (
            f"{self.path} is a database of another program (application_id {self.application_id}). "
            "It was left as it is: change DATABASE_URL to a file of the bot's own."
        )


@dataclass(eq=False)
class DatabaseReadOnly(StartupError):
    """The file or its folder may not be written. ``path`` is the one of both. Can also come later."""

    path: Path
    reason: str

    def __str__(self) -> str:
        return (
            f"{self.path} can not be written ({self.reason}). SQLite needs to write to the database and "
            "to its folder: change the owner or the permissions, or change DATABASE_URL."
        )


@dataclass(eq=False)
class DatabaseInUse(StartupError):
    """Another bot holds ``<database>.lock``. ``pid`` is its process, where it is known."""

    path: Path
    lock: Path
    pid: int | None

    def __str__(self) -> str:
        who = f"process {self.pid}" if self.pid else "another process"
        return (
            f"A bot already runs on the database {self.path} ({who} holds {self.lock.name}). "
            "Stop it first, or give this one a DATABASE_URL of its own."
        )


@dataclass(eq=False)
class DatabaseLocked(StartupError):
    """Another program kept the file locked for longer than ``waited`` seconds.

    Can also come later: the statement or transaction has changed nothing and may be tried again.
    """

    path: Path
    waited: float

    def __str__(self) -> str:
        return (
            f"Another program has kept the database {self.path} locked for more than {self.waited:g} s. "
            "Close it (a database browser or a script, perhaps) and try again."
        )


@dataclass(eq=False)
class DiskFull(StartupError):
    """No room left for the write, which changed nothing. Can also come later."""

    path: Path

    def __str__(self) -> str:
        return f"There is no room left on the disk of {self.path}. Nothing was changed: make room and try again."


@dataclass(eq=False)
class DatabaseUnavailable(StartupError):
    """The system failed to open, read or write the file. Can also come later."""

    path: Path
    detail: str

    def __str__(self) -> str:
        return f"The database {self.path} can not be used: {self.detail}. Check the disk and the path."
