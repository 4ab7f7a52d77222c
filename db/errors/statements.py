"""Single statements, and transactions used the wrong way."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from db.errors.root import DatabaseError


class StatementError(DatabaseError):
    """One statement failed and changed nothing.

    Attributes: ``sql`` the statement (without its arguments), ``reason`` what the database says.
    """

    def __init__(self, sql: str, reason: str) -> None:
        super().__init__(sql, reason)
        self.sql = sql
        self.reason = reason

    def __str__(self) -> str:
        return f"The database refused a statement: {self.reason} (in: {' '.join(self.sql.split())})"


class ArgumentInvalid(StatementError):
    """An argument that no column can hold, such as an integer beyond 64 bits or half a surrogate pair; or not
    as many arguments as placeholders.
    """


class ConstraintViolation(StatementError):
    """The schema forbids it. Also raised for a value of the wrong type and for ``RAISE`` in a trigger."""


class UniqueViolation(ConstraintViolation):
    """There is such a row already.

    Attributes: ``columns`` as ``("table.column", ...)``; ``index`` the name of the index instead, where
    SQLite knows only that (an index over an expression).
    """

    def __init__(self, sql: str, reason: str, columns: tuple[str, ...] = (), index: str | None = None) -> None:
        super().__init__(sql, reason)
        self.columns = columns
        self.index = index


class ForeignKeyViolation(ConstraintViolation):
    """A row that others need would go, or the row that this one names is not there; SQLite tells no more."""


class CheckViolation(ConstraintViolation):
    """A CHECK does not hold. ``constraint`` is its name, or its expression where it has no name."""

    def __init__(self, sql: str, reason: str, constraint: str) -> None:
        super().__init__(sql, reason)
        self.constraint = constraint


class NotNullViolation(ConstraintViolation):
    """A value is missing. ``column`` is ``"table.column"``."""

    def __init__(self, sql: str, reason: str, column: str) -> None:
        super().__init__(sql, reason)
        self.column = column


class TransactionError(DatabaseError):
    """A transaction was used in a way that could mix or lose work. This is a bug in the caller."""


class TransactionNested(TransactionError):
    """The task that holds the writer asked for it again, which would wait for ever."""

    def __str__(self) -> str:
        return "This task is inside a transaction already: use the transaction's own execute and fetch."


class TransactionOver(TransactionError):
    """A statement came after its transaction had ended."""

    def __str__(self) -> str:
        return "This transaction has ended: begin another one."


class TransactionAborted(TransactionError):
    """A statement failed in this transaction, and the block went on or ended as if it had not.

    PostgreSQL refuses that by itself; SQLite would keep half of the work, so the rule is kept here for both.
    """

    def __str__(self) -> str:
        return "A statement failed, so the whole transaction is rolled back: let the error leave the block."


@dataclass(eq=False)
class DatabaseClosed(DatabaseError):
    """Used after ``connect`` was left, or while it is being left."""

    path: Path

    def __str__(self) -> str:
        return f"The database {self.path} is closed. Start the bot again."
