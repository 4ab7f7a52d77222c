"""Faults of the gateway that wait for their moment: a login, a RESUME, a connection, an interaction."""

from __future__ import annotations

from dataclasses import dataclass

from playground.errors import Refused
from playground.faults.book import FaultBook
from playground.faults.form import FaultForm
from playground.faults.rest import Down


@dataclass(frozen=True, slots=True)
class Blow:
    """What hits a connection: `kind` is close, abort, reconnect or invalid; `code` is for close, `resumable` for
    invalid. `on` is "now", or the frame that it answers: "identify" or "resume"."""

    kind: str
    code: int = 4000
    resumable: bool = False
    on: str = "now"


@dataclass(frozen=True, slots=True)
class Rewind:
    """The next RESUME gets so many events once more that the client has had already."""

    events: int


@dataclass(frozen=True, slots=True)
class Redelivery:
    """When the copies of an interaction leave, in seconds after it was made."""

    after: tuple[float, ...]


class Moments:
    """What the gateway asks at each of its moments; every question counts as a hit when the answer is a fault."""

    def __init__(self, book: FaultBook) -> None:
        self._book = book

    def refusal(self) -> str | None:
        """How a new connection is refused: "status", "reset", or not at all."""
        down = self._book.first(Down, lambda each: "gateway" in each.sides)
        return down.how if down else None

    def at(self, moment: str) -> Blow | None:
        return self._book.first(Blow, lambda each: each.on == moment)

    def rewind(self) -> int:
        again = self._book.first(Rewind)
        return again.events if again else 0

    def deliveries(self) -> tuple[float, ...]:
        again = self._book.first(Redelivery)
        return again.after if again else (0.0,)


def read_blow(do: str, form: FaultForm) -> Blow:
    """`close`, `abort`, `reconnect` or `invalid`. Refused, with a sentence."""
    on = form.choice("on", ("now", "identify", "resume"), "now")
    code, resumable = 4000, False
    if do == "close":
        code = form.whole("code", 4000, least=1000, most=4999)
        if code in (1004, 1005, 1006, 1015) or 1016 <= code <= 2999:
            raise Refused(f"A close frame cannot carry the code {code}; 1000, 1001, 1011 and 3000 to 4999 can.")
    elif do == "invalid":
        resumable = form.flag("resumable", False)
    return Blow(do, code, resumable, on)
