"""The one door to every fault: `add` puts one up or does it at once, `all` lists, `remove` lifts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from playground.clock import ShiftedClock
from playground.errors import Refused
from playground.faults.book import Fault, FaultBook
from playground.faults.clicks import Forge
from playground.faults.form import FaultForm
from playground.faults.gateway import Blow, Redelivery, Rewind, read_blow
from playground.faults.rest import Down, read_rest_fault
from playground.gateway import Gateway
from playground.interactions import InteractionBook
from playground.limits import DISCORD_LIMITS
from playground.world import Json

REST_FAULTS = ("status", "ratelimit", "reset", "lost", "late", "delay")
BLOWS = ("close", "abort", "reconnect", "invalid")

Doer = Callable[[str, FaultForm], Json]


class OtherFaults(Protocol):
    """Faults of another part: what each is called, and what does it."""

    def doers(self) -> Mapping[str, Doer]: ...


@dataclass(frozen=True, slots=True)
class Stalled:
    """The connections of that moment are stalled until it is lifted."""


class FaultDesk:
    """`playground.faults`. Every method raises Refused with a sentence for what it cannot do."""

    def __init__(
        self, book: FaultBook, gateway: Gateway, interactions: InteractionBook, clock: ShiftedClock, *more: OtherFaults
    ) -> None:
        self._book = book
        self._gateway = gateway
        self._interactions = interactions
        self._clock = clock
        self._doers: dict[str, Doer] = {
            **dict.fromkeys(REST_FAULTS, self._rest),
            **dict.fromkeys(BLOWS, self._blow),
            "stall": self._stall,
            "replay": self._replay,
            "down": self._down,
            "clock": self._move_clock,
            "starts": self._set_starts,
            "limits": lambda _, form: self._stand(form, DISCORD_LIMITS, times=None),
            "forge": lambda _, form: self._stand(form, Forge(), times=None),
        }
        for others in more:
            self._doers |= others.doers()

    def add(self, do: str, **fields: Any) -> Json:
        """Puts a fault up, or does it at once, as POST /playground/faults does with the same fields.

        Returns its record: `{"id", "do", ... the fields, "hits", "left"}`; what is done at once has no id, and says in
        `hits` how many connections it met.
        """
        return self.post({"do": do, **fields})

    def post(self, body: Json) -> Json:
        form = FaultForm(body)
        do = form.text("do")
        doer = self._doers.get(do)
        if doer is None:
            raise Refused(f'There is no fault {do!r}; "do" is one of: {", ".join(self._doers)}.')
        return doer(do, form)

    def all(self) -> Json:
        """Every fault that stands or stood since the last DELETE, and how far the clock was moved (seconds)."""
        return {"faults": self._book.shapes(), "clock": self._clock.ahead}

    def hits(self, fault_id: str) -> int:
        """How often a fault was hit."""
        return self._known(fault_id).hits

    def _known(self, fault_id: str) -> Fault:
        fault = self._book.faults.get(fault_id)
        if fault is None:
            raise Refused(f"There is no fault {fault_id!r}; GET /playground/faults lists them.", 404)
        return fault

    def remove(self, fault_id: str | None = None) -> Json:
        """Lifts one fault, or all that stand. The clock, and what was done to the world, stay as they are."""
        gone = [self._known(fault_id)] if fault_id is not None else list(self._book.faults.values())
        shapes = [fault.shape(self._clock()) for fault in gone]
        for fault in gone:
            del self._book.faults[fault.id]
        if any(isinstance(fault.effect, Stalled) for fault in gone) and self._book.standing(Stalled) is None:
            self._gateway.stall(False)
        return {"removed": shapes}

    def _stand(self, form: FaultForm, effect: object, *, times: int | None = 1) -> Json:
        """Puts a fault up whose own fields have been read; reads those that all share."""
        allowed = form.times(times)
        probability = form.number("probability", 1.0, most=1.0)
        lasts = form.lasts()
        form.end()
        fault = self._book.add(form.shown, effect, times=allowed, probability=probability, lasts=lasts)
        return fault.shape(self._clock())

    # what each does

    def _rest(self, do: str, form: FaultForm) -> Json:
        return self._stand(form, read_rest_fault(do, form))

    def _blow(self, do: str, form: FaultForm) -> Json:
        blow: Blow = read_blow(do, form)
        if blow.on != "now":
            return self._stand(form, blow)
        form.end()
        return {**form.shown, "hits": self._gateway.strike(blow), "left": 0}

    def _stall(self, do: str, form: FaultForm) -> Json:
        lasts = form.lasts()
        form.end()
        fault = self._book.add(form.shown, Stalled())
        fault.hits = self._gateway.stall(True)
        if lasts is not None:
            asyncio.get_running_loop().call_later(lasts, self._lift, fault.id)
        return fault.shape(self._clock())

    def _lift(self, fault_id: str) -> None:
        if fault_id in self._book.faults:
            self.remove(fault_id)

    def _replay(self, do: str, form: FaultForm) -> Json:
        """An interaction once more: a known one, the next ones, or the last events at the next RESUME."""
        if form.has("interaction"):
            self._interactions.replay(form.anything("interaction"))
            form.end()
            return {**form.shown, "hits": 1, "left": 0}
        if form.has("events"):
            return self._stand(form, Rewind(form.whole("events", least=1, most=1000)))
        after = form.number("after", 0.0, most=3600)
        twice = form.flag("twice", True)
        return self._stand(form, Redelivery((0.0, after) if twice else (after,)))

    def _down(self, do: str, form: FaultForm) -> Json:
        side = form.choice("side", ("rest", "gateway", "all"))
        how = form.choice("how", ("status", "reset"), "status")
        cut = form.flag("cut", True)
        sides = ("rest", "gateway") if side == "all" else (side,)
        shape = self._stand(form, Down(sides, how), times=None)
        if cut and "gateway" in sides:
            self._gateway.strike(Blow("abort"))
        return shape

    def _set_starts(self, do: str, form: FaultForm) -> Json:
        self._gateway.starts.set_remaining(form.whole("remaining"))
        form.end()
        return {**form.shown, "limit": self._gateway.starts.shape()}

    def _move_clock(self, do: str, form: FaultForm) -> Json:
        by = form.number("by", least=-1e8, most=1e8)
        form.end()
        if self._clock.ahead + by < 0:
            raise Refused(
                f"The clock was moved forward by {self._clock.ahead:g} seconds: it goes back by that at most."
            )
        self._clock.shift(by)
        self._interactions.time_passed()
        return {**form.shown, "clock": self._clock.ahead}
