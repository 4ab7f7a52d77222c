"""The faults that stand: each waits for something to happen, is hit so often, and may end by itself."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from playground.clock import Clock
from playground.world import Json

E = TypeVar("E")


@dataclass(slots=True)
class Fault:
    """One standing fault.

    `effect` says what it does. `times` is how often it may be hit (None: until it is deleted), `probability` the
    chance that it is hit when its moment comes, `until` the moment of the playground's clock when it ends by itself.
    """

    id: str
    shown: Json
    effect: object
    times: int | None
    probability: float
    until: float | None
    dice: random.Random
    hits: int = 0

    def alive(self, now: float) -> bool:
        return (self.times is None or self.hits < self.times) and (self.until is None or now < self.until)

    def take(self, now: float) -> bool:
        """Whether it is hit this time, which counts."""
        if not self.alive(now):
            return False
        if self.probability < 1 and self.dice.random() >= self.probability:
            return False
        self.hits += 1
        return True

    def shape(self, now: float) -> Json:
        """As GET /playground/faults shows it: what was asked, how often it was hit, how often it may still be."""
        left = None if self.times is None else self.times - self.hits
        return {"id": self.id, **self.shown, "hits": self.hits, "left": left if self.alive(now) else 0}


@dataclass(slots=True)
class FaultBook:
    """All standing faults, oldest first; those that are used up stay listed until they are deleted."""

    clock: Clock
    seed: int = 7
    faults: dict[str, Fault] = field(default_factory=dict)
    _numbers: int = 0

    def add(
        self,
        shown: Json,
        effect: object,
        *,
        times: int | None = None,
        probability: float = 1.0,
        lasts: float | None = None,
    ) -> Fault:
        """`lasts`: how many seconds it stands, on the playground's clock; None: as long as `times` lets it."""
        self._numbers += 1
        fault = Fault(
            id=f"f{self._numbers}",
            shown=shown,
            effect=effect,
            times=times,
            probability=probability,
            until=None if lasts is None else self.clock() + lasts,
            dice=random.Random(f"{self.seed}:{self._numbers}"),
        )
        self.faults[fault.id] = fault
        return fault

    def shapes(self) -> list[Json]:
        now = self.clock()
        return [fault.shape(now) for fault in self.faults.values()]

    def standing(self, kind: type[E]) -> E | None:
        """The oldest living effect of that kind. Looking at it is no hit."""
        now = self.clock()
        return next((f.effect for f in self.faults.values() if isinstance(f.effect, kind) and f.alive(now)), None)

    def first(self, kind: type[E], suits: Callable[[E], bool] = lambda _: True) -> E | None:
        """The oldest effect of that kind that suits and is hit."""
        now = self.clock()
        for fault in list(self.faults.values()):
            effect = fault.effect
            if isinstance(effect, kind) and suits(effect) and fault.take(now):
                return effect
        return None

    def every(self, kind: type[E], suits: Callable[[E], bool] = lambda _: True) -> list[E]:
        """All effects of that kind that suit and are hit."""
        now = self.clock()
        found: list[E] = []
        for fault in list(self.faults.values()):
            effect = fault.effect
            if isinstance(effect, kind) and suits(effect) and fault.take(now):
                found.append(effect)
        return found
