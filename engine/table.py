"""The etiquette of a table: who is ready, at what pace, who is absent, who would end early.

A `Table` is a frozen value over a `War`. Seats are sets kept as bit masks (bit 0 is seat 0), because a press must
commute: two players in the same millisecond each set their own bit, whoever comes first, and a repeated press sets
what is set. A store can do the same with one `ready = ready | bit`.

Words: a *turn* is one press that all who sit have made; it plays one or more battles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from engine.facts import Battle
from engine.war import War

FINISH_ALONE_TURNS = 20
"""From this turn on one player's wish to finish is enough."""

FINISH_ALONE_SECONDS = 360
"""The same after this time of play, in seconds."""


class Pace(StrEnum):
    """How far one turn plays."""

    CARD = "card"
    """One battle."""
    WAR = "war"
    """To the next tie, and stop there: every press settles one cliff-hanger and hangs the next."""
    FINISH = "finish"
    """To the end of the match."""


def mask(seats: Iterable[int]) -> int:
    """The seats as a bit mask.

    >>> mask([0, 2])
    5
    """
    bits = 0
    for seat in seats:
        bits |= 1 << seat
    return bits


def members(bits: int) -> Iterator[int]:
    """The seats of a bit mask, lowest first.

    >>> list(members(5))
    [0, 2]
    """
    seat = 0
    while bits >> seat:
        if bits >> seat & 1:
            yield seat
        seat += 1


@dataclass(frozen=True, slots=True)
class Table:
    """Who sits and what each has said. Every method returns a new table.

    `seats` is a number; `out`, `ready`, `slow`, `fast`, `auto`, `missed`, `pressed` and `offer` are bit masks:
    out of the match · pressed for this turn · asks for one card at a time · asks to finish · plays on auto ·
    missed the turn before · ever pressed · agrees to end early.
    """

    seats: int
    turn: int = 0
    out: int = 0
    ready: int = 0
    slow: int = 0
    fast: int = 0
    auto: int = 0
    missed: int = 0
    pressed: int = 0
    offer: int = 0

    @property
    def playing(self) -> int:
        """Those still in the match."""
        return ((1 << self.seats) - 1) & ~self.out

    @property
    def present(self) -> int:
        """Those still in the match whose owner is there."""
        return self.playing & ~self.auto

    @property
    def awaited(self) -> int:
        """Those whose press this turn still needs."""
        return self.present & ~self.ready

    @property
    def complete(self) -> bool:
        """Whether all who are there have pressed. Where nobody is there, nobody has."""
        return self.present != 0 and self.awaited == 0

    @property
    def deserted(self) -> bool:
        """Whether every seat still in is on auto: the table then plays itself out."""
        return self.present == 0

    @property
    def agreed(self) -> bool:
        """Whether all still in would end the match now (rule 11). Someone absent has not agreed."""
        return self.offer & self.playing == self.playing

    def pace(self, *, finish_alone: bool = False) -> Pace:
        """The slowest pace that those present ask for; a deserted table plays to its end.

        `finish_alone`: the match has lasted so long that one wish to finish is enough.
        """
        if self.deserted:
            return Pace.FINISH
        if finish_alone and self.fast & self.present:
            return Pace.FINISH
        if self.slow & self.present:
            return Pace.CARD
        if self.fast & self.present == self.present:
            return Pace.FINISH
        return Pace.WAR

    def press(self, seat: int, pace: Pace | None = None) -> Table:
        """The owner of `seat` is ready, and no longer absent. Without `pace` the seat keeps a slow pace that it asked
        for; a wish to finish is taken back by an ordinary press."""
        bit = 1 << seat
        slow, fast = self.slow, self.fast & ~bit
        if pace is Pace.CARD:
            slow |= bit
        elif pace is not None:
            slow &= ~bit
        if pace is Pace.FINISH:
            fast |= bit
        return replace(
            self,
            ready=self.ready | bit,
            slow=slow,
            fast=fast,
            auto=self.auto & ~bit,
            missed=self.missed & ~bit,
            pressed=self.pressed | bit,
        )

    def agree(self, seat: int) -> Table:
        """The owner of `seat` would end the match here. Whoever offers is there again."""
        bit = 1 << seat
        return replace(
            self,
            offer=self.offer | bit,
            auto=self.auto & ~bit,
            missed=self.missed & ~bit,
            pressed=self.pressed | bit,
        )

    def miss(self) -> Table:
        """The turn's time is over. Who has not pressed misses it; the second miss in a row puts a seat on auto.

        Absence never loses: in War nothing depends on who turns the card.
        """
        late = self.awaited
        return replace(self, auto=self.auto | (late & self.missed), missed=(self.missed & ~self.ready) | late)

    def next_turn(self, alive: Iterable[int]) -> Table:
        """The turn after this one, with the seats that the played battles left in.

        An offer to end does not outlive its turn. Who asked to finish is ready at once: nobody waits for them.
        """
        table = replace(self, turn=self.turn + 1, out=((1 << self.seats) - 1) & ~mask(alive), offer=0)
        return replace(table, ready=table.fast & table.present)


def play_turn(war: War, pace: Pace) -> tuple[Battle, ...]:
    """Play one turn of `war` at that pace: its battles, in order.

    Raises `MatchOver` when the match has ended before.
    """
    battles = [war.step()]
    while pace is not Pace.CARD and war.outcome is None:
        if pace is Pace.WAR and battles[-1].tied:
            break
        battles.append(war.step())
    return tuple(battles)
