"""The root of the tree that `db.errors` describes."""


class DatabaseError(Exception):
    """Catch this to catch whatever the database layer raises."""
