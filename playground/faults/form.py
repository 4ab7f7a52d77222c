"""Reads a request for a fault, field by field; what is wrong is refused with a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from playground.errors import Refused
from playground.world import Json

REQUIRED: Any = object()


class FaultForm:
    """Every getter takes its field away; `end` refuses what is left, so a typing mistake does not pass unseen.

    Each has a default for a field that is absent, and without one the field must be there.
    """

    def __init__(self, given: Json) -> None:
        self.shown = dict(given)
        self._left = dict(given)
        self._known: list[str] = []

    def _take(self, name: str, default: Any) -> Any:
        self._known.append(name)
        if name in self._left:
            return self._left.pop(name)
        if default is REQUIRED:
            raise Refused(f'This fault needs the field "{name}".')
        return default

    def has(self, name: str) -> bool:
        return name in self._left

    def text(self, name: str, default: Any = REQUIRED) -> str:
        value = self._take(name, default)
        if value is not default and not isinstance(value, str):
            raise Refused(f'"{name}" is text.')
        return value

    def choice(self, name: str, choices: Sequence[str], default: Any = REQUIRED) -> str:
        value = self._take(name, default)
        if value not in choices:
            raise Refused(f'"{name}" is one of: {", ".join(choices)}.')
        return value

    def flag(self, name: str, default: Any = REQUIRED) -> bool:
        value = self._take(name, default)
        if not isinstance(value, bool):
            raise Refused(f'"{name}" is true or false.')
        return value

    def whole(self, name: str, default: Any = REQUIRED, *, least: int = 0, most: int = 2**31) -> int:
        value = self._take(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise Refused(f'"{name}" is a whole number from {least} to {most}.')
        return value

    def number(self, name: str, default: Any = REQUIRED, *, least: float = 0.0, most: float = 1e9) -> float:
        value = self._take(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            raise Refused(f'"{name}" is a number from {least:g} to {most:g}.')
        return float(value)

    def times(self, default: int | None = 1) -> int | None:
        """How often it may be hit; null: until it is deleted."""
        value = self._take("times", default)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise Refused('"times" is how often the fault is hit: 1 or more, or null for as long as it is there.')
        return value

    def lasts(self) -> float | None:
        """For how many seconds it stands; null: until it is used up or deleted."""
        self._known.append("lasts")
        return self.number("lasts") if self._left.get("lasts") is not None else self._left.pop("lasts", None)

    def names(self, name: str) -> list[str]:
        value = self._take(name, [])
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise Refused(f'"{name}" is a list of names.')
        return value

    def object(self, name: str) -> Json | None:
        value = self._take(name, None)
        if value is not None and not isinstance(value, dict):
            raise Refused(f'"{name}" is an object.')
        return value

    def anything(self, name: str, default: Any = REQUIRED) -> Any:
        return self._take(name, default)

    def end(self) -> None:
        if self._left:
            there = ", ".join(sorted(set(self._known))) or "none"
            raise Refused(f"This fault has no field {sorted(self._left)[0]!r}; there are: {there}.")
