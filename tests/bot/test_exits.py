"""Exit codes: one each, all in docs/hosting.md, and one for every way in which a database cannot be used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot import exits
from bot.exits import Exit, for_database
from db import errors
from db.errors import DatabaseError

HOSTING = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")


ANYTHING_ELSE = (errors.DatabaseUnavailable, errors.SqliteTooOld)
"""What DATABASE_OTHER is for."""


def kinds(base: type[DatabaseError] = DatabaseError) -> set[type[DatabaseError]]:
    return {base}.union(*(kinds(kind) for kind in base.__subclasses__()))


def test_every_exit_code_is_in_the_docs_by_number_and_name() -> None:
    documented = re.findall(r"^\| (\d+) \| `([A-Z_]+)` \| .{4,} \|$", HOSTING, re.MULTILINE)
    assert [(int(number), name) for number, name in documented] == [(code.value, code.name) for code in Exit]


def test_no_two_exits_share_a_code_and_none_is_one_that_a_shell_uses() -> None:
    assert len({code.value for code in Exit}) == len(Exit.__members__)
    assert all(0 <= code < 126 for code in Exit)


def test_every_kind_of_start_up_error_has_a_code_of_its_own_kind() -> None:
    named = {kind for kind, _ in exits._BY_ERROR}
    for kind in kinds(errors.StartupError):
        if not kind.__subclasses__() and kind not in ANYTHING_ELSE:
            assert any(issubclass(kind, known) for known in named), f"{kind.__name__} ends as DATABASE_OTHER"


def test_the_first_that_fits_is_no_wider_than_a_later_one() -> None:
    seen: list[type[DatabaseError]] = []
    for kind, _ in exits._BY_ERROR:
        assert not any(issubclass(kind, before) for before in seen), f"{kind.__name__} is never reached"
        seen.append(kind)


@pytest.mark.parametrize(("kind", "code"), exits._BY_ERROR, ids=lambda value: getattr(value, "__name__", None))
def test_an_error_gives_its_code(kind: type[DatabaseError], code: Exit) -> None:
    error = kind.__new__(kind)
    assert for_database(error) is code


def test_an_error_that_is_none_of_these_has_the_last_code() -> None:
    assert for_database(DatabaseError.__new__(DatabaseError)) is Exit.DATABASE_OTHER
