"""Every choice that the written rules of War leave open, with a default, checked when it is made.

docs/rules.md explains each with a worked example. A match stores its Rules with their version: when the
engine one day reads a choice differently, the version goes up and old matches keep the old reading.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from types import MappingProxyType
from typing import Any, Literal, cast, get_args

from engine.cards import DECK_SIZE, Rank
from engine.errors import RulesError

Shortage = Literal["last", "lose", "equal", "keep"]
Order = Literal["random", "winner-first", "loser-first", "table"]
Leftover = Literal["first-pot", "aside"]

MIN_SEATS, MAX_SEATS = 2, 6
MAX_FACE_DOWN = 5
MAX_ROUNDS = 100_000
VERSION = 1

_WORDS = {"shortage": get_args(Shortage), "order": get_args(Order), "leftover": get_args(Leftover)}
_TWO_SEATS_ONLY = ("equal", "keep")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How a match is played. Raises RulesError when a value is not one of those named here.

    face_down   cards each tied player lays face-down in a war, 0 to 5
    shortage    a tied player who cannot lay `face_down` + 1 cards: ``last`` lays what there is, the last
                card face-up; ``lose`` is out, the cards join the pot; for two seats also ``equal`` (both lay
                only as many as the shorter one has) and ``keep`` (the last card played goes on comparing)
    order       how a won pot goes under the winner's pile: ``random``, ``winner-first``, ``loser-first`` or
                ``table``
    low_rank    lowest rank in the deck: 2 gives 52 cards, 7 gives 32, 9 gives 24
    leftover    cards that cannot be dealt evenly: ``first-pot`` (face-down on the table, for the first
                round's winner) or ``aside`` (out of the match)
    max_rounds  after this many rounds the most cards win, 1 to 100,000
    version     of the reading of these rules; only 1 exists

    >>> Rules().shortage
    'last'
    """

    face_down: int = 3
    shortage: Shortage = "last"
    order: Order = "random"
    low_rank: int = 2
    leftover: Leftover = "first-pot"
    max_rounds: int = 5000
    version: int = VERSION

    def __post_init__(self) -> None:
        _whole("face_down", self.face_down, 0, MAX_FACE_DOWN)
        # A deck of aces alone could only tie: the king is the highest bottom.
        _whole("low_rank", self.low_rank, Rank.TWO, Rank.KING)
        _whole("max_rounds", self.max_rounds, 1, MAX_ROUNDS)
        _whole("version", self.version, VERSION, VERSION)
        for field, words in _WORDS.items():
            _word(field, getattr(self, field), words)

    @property
    def deck_size(self) -> int:
        """Cards in the whole deck: 52, or fewer when it starts above the two."""
        return DECK_SIZE - (self.low_rank - Rank.TWO) * 4

    def check(self, seats: int) -> None:
        """Raises RulesError unless `seats` players can play by these rules."""
        _whole("seats", seats, MIN_SEATS, MAX_SEATS)
        if seats > 2 and self.shortage in _TWO_SEATS_ONLY:
            raise RulesError(
                "shortage",
                self.shortage,
                f"Shortage {self.shortage!r} is for two players; with {seats}, choose 'last' or 'lose'.",
            )

    def to_dict(self) -> dict[str, int | str]:
        """Plain values, in the order of the fields, ready for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, object], *, partial: bool = False) -> Rules:
        """The inverse of `to_dict`. With `partial`, what is missing takes its default.

        Raises RulesError for a name that is unknown or missing and for a value that is not allowed.
        """
        if not isinstance(data, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] -- may come from JSON
            raise RulesError("rules", data, "Rules are an object with a value for each name.")
        names = [field.name for field in fields(cls)]
        for name in data:
            if name not in names:
                raise RulesError(
                    str(name), data[name], f"{str(name)[:40]!r} is no rule; the rules are {', '.join(names)}."
                )
        for name in names:
            if name not in data and not partial:
                raise RulesError(name, None, f"The rules lack {name!r}.")
        return cls(**cast("dict[str, Any]", dict(data)))


def _whole(field: str, value: object, low: int, high: int) -> None:
    """A bool is an int to Python, but nobody means it as a number of cards."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        span = f"must be {low}" if low == high else f"must be a whole number from {low} to {high:,}"
        raise RulesError(field, value, f"{field} {span}, not {value!r:.40}.")


def _word(field: str, value: object, words: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in words:
        raise RulesError(field, value, f"{field} must be one of {', '.join(words)}, not {value!r:.40}.")


PRESETS: Mapping[str, Rules] = MappingProxyType(
    {
        "classic": Rules(),
        "short": Rules(low_rank=7),
        "blitz": Rules(low_rank=9),
        "skirmish": Rules(face_down=1),
        "merciless": Rules(shortage="lose"),
    }
)


def preset_name(rules: Rules) -> str | None:
    """The name under which people know these rules, or None when they are nobody's preset.

    >>> preset_name(Rules(face_down=1))
    'skirmish'
    """
    return next((name for name, preset in PRESETS.items() if preset == rules), None)
