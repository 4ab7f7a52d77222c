"""What a match tells about itself: frozen facts, no text. Rendering lives elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, NamedTuple, NoReturn, cast

from engine.cards import Card
from engine.errors import ActError


class Termination(StrEnum):
    """Why a match ended."""

    ALL_CARDS = "all-cards"
    AGREED = "agreed"
    FORFEIT = "forfeit"
    ROUND_CAP = "round-cap"
    DRAW = "draw"


ActKind = Literal["forfeit", "agree"]
ACT_KINDS: tuple[ActKind, ...] = ("forfeit", "agree")


@dataclass(frozen=True, slots=True)
class Act:
    """What happened that is no card: a forfeit, or one player's agreement to end early.

    `step` is how many steps had been played when it happened (0 before the first), `seat` whose act it is.
    The match ends by agreement with the act that makes the agreement complete: every seat still in has agreed
    and no step was played in between.
    """

    step: int
    seat: int
    kind: ActKind

    def __post_init__(self) -> None:
        numbers: tuple[object, object] = (self.step, self.seat)  # acts come from JSON
        if any(type(number) is not int for number in numbers) or min(self.step, self.seat) < 0:
            self.refuse("step and seat are whole numbers from 0 up")
        if self.kind not in ACT_KINDS:
            self.refuse(f"the kind is one of {', '.join(ACT_KINDS)}")

    def refuse(self, reason: str) -> NoReturn:
        """Raise the ActError for this act; `reason` is the end of its sentence."""
        act = f"step {self.step!r:.20}, seat {self.seat!r:.20}, {self.kind!r:.20}"
        raise ActError(self.step, self.seat, self.kind, f"The act ({act}) cannot be: {reason}.")

    @classmethod
    def parse(cls, value: object) -> Act:
        """Read the JSON form, a list of step, seat and kind. Raises ActError for anything else.

        >>> Act.parse([12, 0, "forfeit"])
        Act(step=12, seat=0, kind='forfeit')
        """
        if not isinstance(value, list | tuple) or len(cast("list[object]", value)) != 3:
            raise ActError(None, None, None, f"An act is a list of step, seat and kind, not {value!r:.60}.")
        return cls(*cast("list[Any]", value))


DropReason = Literal["no-cards", "short"]


class Drop(NamedTuple):
    """A tied seat that could not go on in a war: it had ``no-cards`` left, or was ``short`` under `lose`."""

    seat: int
    reason: DropReason


class Battle(NamedTuple):
    """One turning of cards, or a war that was settled without turning one.

    A named tuple and not a dataclass like the other facts: a match makes some three hundred of these, and in
    Python a frozen dataclass takes four times as long to make.
    """

    step: int
    """Which step of the match this was, from 1."""
    round: int
    """Which round it belongs to, from 1."""
    depth: int
    """0 for the first turning of a round, 1 for its first war, 2 for a war on top of that."""
    turned: tuple[tuple[int, Card], ...]
    """Seat and card, in seat order, for each card turned face-up."""
    face_down: tuple[tuple[int, int], ...]
    """Seat and number of cards, in seat order, for each seat that laid cards face-down."""
    tied: tuple[int, ...]
    """The seats whose highest cards tie: the next step is their war. Empty when the round is over."""
    winner: int | None
    """Who took the pot, or None for a tie and for a pot that nobody took."""
    pot: int
    """Cards on the table after this battle: 0 when somebody took them."""
    taken: int
    """Cards the winner took, their own among them; 0 without a winner."""
    counts: tuple[int, ...]
    """Cards in each seat's pile after this battle."""
    dropped: tuple[Drop, ...]
    """Tied seats that could not go on in this war, and why."""
    out: tuple[int, ...]
    """Seats that are out of the match with the end of this round."""

    @property
    def carried(self) -> bool:
        """The round ended and nobody took the pot: it waits for the next round (or the match is drawn)."""
        return self.winner is None and not self.tied


@dataclass(frozen=True, slots=True)
class Round:
    """The battles until a pot was taken or carried: the first turning, then the wars."""

    battles: tuple[Battle, ...]

    @property
    def number(self) -> int:
        """Which round of the match, from 1."""
        return self.battles[0].round

    @property
    def wars(self) -> int:
        """Ties in this round: 0 for a plain one, 2 for a double war."""
        return sum(1 for battle in self.battles if battle.tied)

    @property
    def winner(self) -> int | None:
        """Who took the pot; None when it was carried, or when the round is not over."""
        return self.battles[-1].winner

    @property
    def taken(self) -> int:
        """Cards the winner took, carried and leftover ones among them."""
        return self.battles[-1].taken

    @property
    def over(self) -> bool:
        """Whether the round has ended. The last one of a match that ended early may not have."""
        return not self.battles[-1].tied


def rounds_of(battles: Iterable[Battle]) -> Iterator[Round]:
    """Group battles, in the order they were fought, into their rounds; the last one may be unfinished."""
    current: list[Battle] = []
    for battle in battles:
        if current and battle.round != current[0].round:
            yield Round(tuple(current))
            current = []
        current.append(battle)
    if current:
        yield Round(tuple(current))


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended. `placings` and `counts` have one number per seat.

    Placings are 1-based; equal ones share the place and the next place counts them (1, 1, 3). `counts` are
    the cards in the piles at the end; what lay on the table when a match was agreed on, capped or drawn is
    not in them. `rounds` counts those begun, `steps` the battles.
    """

    termination: Termination
    placings: tuple[int, ...]
    counts: tuple[int, ...]
    rounds: int
    steps: int

    @property
    def winner(self) -> int | None:
        """The seat that is alone in first place, or None when the first place is shared."""
        first = [seat for seat, place in enumerate(self.placings) if place == 1]
        return first[0] if len(first) == 1 else None

    def result(self, seat: int) -> Literal["win", "draw", "loss"]:
        """Sole first is a win, shared first a draw, anything else a loss.

        >>> Outcome(Termination.AGREED, (1, 3, 1), (9, 2, 9), 30, 33).result(2)
        'draw'
        """
        if self.placings[seat] != 1:
            return "loss"
        return "draw" if self.winner is None else "win"
