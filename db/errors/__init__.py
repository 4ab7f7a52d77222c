"""What can go wrong with the database, one class a kind, each with typed fields.

``str(error)`` is a sentence for a person: what is the matter and what to do next. It never holds a password
or the arguments of a statement. The tree::

    DatabaseError
      StartupError              the database can not be used as it stands; some kinds can also come later
      SchemaError               its tables and this program do not fit together
      BackupError               no copy was made
      StatementError            one statement failed and changed nothing
        ConstraintViolation     the schema forbids it: UniqueViolation, ForeignKeyViolation, ...
      TransactionError          a transaction was used so that work could mix or get lost: a bug in the caller
      DatabaseClosed            used after it was closed
"""

from db.errors.opening import (
    DatabaseCorrupt,
    DatabaseEmptyFile,
    DatabaseInUse,
    DatabaseKindUnsupported,
    DatabaseLocked,
    DatabaseLogStale,
    DatabaseLost,
    DatabaseMissing,
    DatabaseReadOnly,
    DatabaseUnavailable,
    DatabaseUrlInvalid,
    DiskFull,
    FolderMissing,
    NotOurDatabase,
    SqliteTooOld,
    StartupError,
)
from db.errors.root import (
    DatabaseError,
)
from db.errors.schema import (
    BackupError,
    BackupExists,
    BackupFailed,
    MigrationChanged,
    MigrationFailed,
    MigrationsInvalid,
    SchemaError,
    SchemaNewer,
    SchemaOutdated,
)
from db.errors.statements import (
    ArgumentInvalid,
    CheckViolation,
    ConstraintViolation,
    DatabaseClosed,
    ForeignKeyViolation,
    NotNullViolation,
    StatementError,
    TransactionAborted,
    TransactionError,
    TransactionNested,
    TransactionOver,
    UniqueViolation,
)

__all__ = [
    "ArgumentInvalid",
    "BackupError",
    "BackupExists",
    "BackupFailed",
    "CheckViolation",
    "ConstraintViolation",
    "DatabaseClosed",
    "DatabaseCorrupt",
    "DatabaseEmptyFile",
    "DatabaseError",
    "DatabaseInUse",
    "DatabaseKindUnsupported",
    "DatabaseLocked",
    "DatabaseLogStale",
    "DatabaseLost",
    "DatabaseMissing",
    "DatabaseReadOnly",
    "DatabaseUnavailable",
    "DatabaseUrlInvalid",
    "DiskFull",
    "FolderMissing",
    "ForeignKeyViolation",
    "MigrationChanged",
    "MigrationFailed",
    "MigrationsInvalid",
    "NotNullViolation",
    "NotOurDatabase",
    "SchemaError",
    "SchemaNewer",
    "SchemaOutdated",
    "SqliteTooOld",
    "StartupError",
    "StatementError",
    "TransactionAborted",
    "TransactionError",
    "TransactionNested",
    "TransactionOver",
    "UniqueViolation",
]
