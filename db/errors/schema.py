"""The schema and its migrations, and the backups made before them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from db.errors.root import DatabaseError


class SchemaError(DatabaseError):
    """The tables in the file and the migrations of this program do not fit together."""


@dataclass(eq=False)
class SchemaNewer(SchemaError):
    """The file was written by a newer version."""

    path: Path
    found: int
    known: int

    def __str__(self) -> str:
        return (
            f"The database {self.path} has schema {self.found}, but this version knows up to {self.known}. "
            "Start the newer version of the bot, or put back a backup from before the upgrade."
        )


@dataclass(eq=False)
class SchemaOutdated(SchemaError):
    """The file needs migrations, and they may not run here (no lock is held, or they were not asked for)."""

    path: Path
    found: int
    known: int

    def __str__(self) -> str:
        return (
            f"The database {self.path} has schema {self.found}, but this version needs {self.known}. "
            "Start the bot once: it makes a backup and brings the schema up to date."
        )


@dataclass(eq=False)
class MigrationChanged(SchemaError):
    """The file records other migrations under these numbers than this program has."""

    path: Path
    version: int
    recorded: str
    file: str

    def __str__(self) -> str:
        return (
            f"The database {self.path} was migrated by {self.recorded}, which is not what {self.file} "
            "says here. Start the version of the bot that wrote it; a migration that has run is never edited."
        )


@dataclass(eq=False)
class MigrationsInvalid(SchemaError):
    """The folder itself is wrong: a gap, a number twice, an odd name, an unfinished statement."""

    folder: Path
    reason: str

    def __str__(self) -> str:
        return f"The migrations in {self.folder} are not usable: {self.reason}. Install the bot again."


@dataclass(eq=False)
class MigrationFailed(SchemaError):
    """A statement of a migration failed, and the whole file was rolled back. ``line`` is where it starts."""

    path: Path
    file: str
    line: int
    reason: str
    backup: Path | None

    def __str__(self) -> str:
        copy = f" A backup lies at {self.backup}." if self.backup else ""
        return (
            f"Migration {self.file} failed at line {self.line}: {self.reason}. "
            f"The database {self.path} is as it was before this file.{copy} "
            "Go back to the version before, and report it."
        )


class BackupError(DatabaseError):
    """No backup was made, and none is left half done."""


@dataclass(eq=False)
class BackupExists(BackupError):
    """There is a file at the target already."""

    target: Path

    def __str__(self) -> str:
        return f"{self.target} exists already and was left alone. Choose another name for the backup."


@dataclass(eq=False)
class BackupFailed(BackupError):
    """The copy could not be written or did not pass its check."""

    target: Path
    reason: str

    def __str__(self) -> str:
        return f"The backup {self.target} was not made: {self.reason}."
