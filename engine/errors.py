"""One small tree of errors. Every message is a sentence for a person; the fields are for programs."""

from __future__ import annotations

from typing import Literal

ProofFault = Literal[
    "too-big",
    "not-json",
    "not-canonical",
    "shape",
    "format",
    "commitment",
    "rules",
    "deal",
    "acts",
    "steps",
    "outcome",
    "digest",
]


class EngineError(Exception):
    """Whatever the engine refuses: its message says what was wrong and what would be right."""


class RulesError(EngineError):
    """A choice that the rules do not know, or that does not go with the number of seats.

    ``field`` is the name in :class:`engine.rules.Rules` (or ``"seats"``), ``value`` what was given.
    """

    def __init__(self, field: str, value: object, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.value = value


class CardError(EngineError):
    """A text or a number that names no card. ``value`` is what was given."""

    def __init__(self, value: object, message: str) -> None:
        super().__init__(message)
        self.value = value


class DealError(EngineError):
    """Piles that cannot be played. ``seat`` is the pile at fault, where there is one."""

    def __init__(self, message: str, seat: int | None = None) -> None:
        super().__init__(message)
        self.seat = seat


class SeedError(EngineError):
    """A seed that the stream cannot take. ``field`` is ``"server_seed"`` or ``"client_seed"``."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class ActError(EngineError):
    """A forfeit or an agreement that cannot be: wrong step, wrong seat, unknown kind, or said twice.

    ``step``, ``seat`` and ``kind`` repeat the act as it was given.
    """

    def __init__(self, step: object, seat: object, kind: object, message: str) -> None:
        super().__init__(message)
        self.step = step
        self.seat = seat
        self.kind = kind


class MatchOver(EngineError):
    """The match has ended: nothing more can be played. ``termination`` says how, ``steps`` when."""

    def __init__(self, termination: str, steps: int) -> None:
        super().__init__(f"The match ended after {steps} steps ({termination}); deal a new one to play on.")
        self.termination = termination
        self.steps = steps


class ProofError(EngineError):
    """A proof that does not hold. ``fault`` names the check that failed (see :data:`ProofFault`)."""

    def __init__(self, fault: ProofFault, message: str) -> None:
        super().__init__(message)
        self.fault = fault
