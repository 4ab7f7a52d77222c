"""Exit codes: one for each thing that ends the bot, so that whoever runs it can tell them apart (docs/hosting.md)."""

from __future__ import annotations

from enum import IntEnum

from db import errors


class Exit(IntEnum):
    """What a process of ours ends with."""

    OK = 0
    FAILED = 1
    """`check` or `verify` found something wrong."""
    BAD_INPUT = 2
    """The command line or a setting makes no sense."""
    TOKEN_REFUSED = 10
    INTENTS_REFUSED = 11
    GATEWAY_REFUSED = 12
    """Discord closed the connection for good: sharding, version or the like."""
    DATABASE_IN_USE = 20
    DATABASE_LOCKED = 21
    DATABASE_DAMAGED = 22
    DATABASE_EMPTY_FILE = 23
    DATABASE_READ_ONLY = 24
    DATABASE_NEWER = 25
    DATABASE_MISSING = 26
    NOT_OUR_DATABASE = 27
    DISK_FULL = 28
    MIGRATION_FAILED = 29
    DATABASE_OTHER = 30
    DATABASE_LOG_STALE = 31


_BY_ERROR: tuple[tuple[type[errors.DatabaseError], Exit], ...] = (
    (errors.DatabaseUrlInvalid, Exit.BAD_INPUT),
    (errors.DatabaseKindUnsupported, Exit.BAD_INPUT),
    (errors.FolderMissing, Exit.BAD_INPUT),
    (errors.DatabaseInUse, Exit.DATABASE_IN_USE),
    (errors.DatabaseLocked, Exit.DATABASE_LOCKED),
    (errors.DatabaseCorrupt, Exit.DATABASE_DAMAGED),
    (errors.DatabaseEmptyFile, Exit.DATABASE_EMPTY_FILE),
    (errors.DatabaseReadOnly, Exit.DATABASE_READ_ONLY),
    (errors.SchemaNewer, Exit.DATABASE_NEWER),
    (errors.DatabaseMissing, Exit.DATABASE_MISSING),
    (errors.DatabaseLost, Exit.DATABASE_MISSING),
    (errors.DatabaseLogStale, Exit.DATABASE_LOG_STALE),
    (errors.NotOurDatabase, Exit.NOT_OUR_DATABASE),
    (errors.DiskFull, Exit.DISK_FULL),
    (errors.SchemaError, Exit.MIGRATION_FAILED),
    (errors.BackupError, Exit.MIGRATION_FAILED),
)


def for_database(error: errors.DatabaseError) -> Exit:
    """The exit code of a database that cannot be used."""
    return next((code for kind, code in _BY_ERROR if isinstance(error, kind)), Exit.DATABASE_OTHER)
