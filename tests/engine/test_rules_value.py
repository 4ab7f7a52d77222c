"""`Rules` as a value: what it takes, what it refuses, and its plain form."""

from __future__ import annotations

import pytest

from engine.errors import RulesError
from engine.rules import PRESETS, Rules, preset_name


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("face_down", -1),
        ("face_down", 6),
        ("face_down", 3.0),
        ("face_down", True),
        ("face_down", "3"),
        ("face_down", None),
        ("shortage", "first"),
        ("shortage", ""),
        ("shortage", None),
        ("shortage", ["last"]),
        ("order", "Random"),
        ("order", 1),
        ("low_rank", 1),
        ("low_rank", 14),
        ("leftover", "second-pot"),
        ("max_rounds", 0),
        ("max_rounds", -5),
        ("max_rounds", 10**9),
        ("version", 0),
        ("version", 2),
        ("version", "1"),
    ],
)
def test_a_value_that_is_not_allowed_is_refused_by_name(field: str, value: object) -> None:
    with pytest.raises(RulesError, match=field) as caught:
        Rules.from_dict({field: value}, partial=True)
    assert (caught.value.field, caught.value.value) == (field, value)


def test_the_plain_form_comes_back_the_same() -> None:
    for rules in [*PRESETS.values(), Rules(order="table", leftover="aside", max_rounds=1, face_down=0)]:
        assert Rules.from_dict(rules.to_dict()) == rules


def test_the_plain_form_must_be_whole_and_hold_nothing_else() -> None:
    plain = Rules().to_dict()
    for name in plain:
        with pytest.raises(RulesError, match=name):
            Rules.from_dict({other: value for other, value in plain.items() if other != name})
    with pytest.raises(RulesError, match="'jokers' is no rule"):
        Rules.from_dict({**plain, "jokers": 2})
    with pytest.raises(RulesError, match="an object"):
        Rules.from_dict(["last"])  # type: ignore[arg-type]
    assert Rules.from_dict({}, partial=True) == Rules()


def test_the_presets_are_those_people_know() -> None:
    assert list(PRESETS) == ["classic", "short", "blitz", "skirmish", "merciless"]
    assert PRESETS["classic"] == Rules()
    assert [rules.deck_size for rules in PRESETS.values()] == [52, 32, 24, 52, 52]
    assert PRESETS["skirmish"].face_down == 1
    assert PRESETS["merciless"].shortage == "lose"
    for name, rules in PRESETS.items():
        assert preset_name(rules) == name
        for seats in range(2, 7):
            rules.check(seats)
    assert preset_name(Rules(face_down=2)) is None
    with pytest.raises(TypeError):
        PRESETS["mine"] = Rules()  # type: ignore[index]
