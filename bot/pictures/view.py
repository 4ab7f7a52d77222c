"""What a picture of the table shows: frozen values, made from the engine's facts. Nothing here draws.

A board has the counts, the pot, who is tied and the battles of its last turn. These may begin in the middle of a round
(the press that reveals a war) and may not reach back to its beginning: what lies on the table unseen is `loose`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from bot.pictures.flair import Flair, default_flairs
from engine.cards import Card
from engine.facts import Battle, Outcome, Round, rounds_of
from engine.rules import MAX_SEATS, MIN_SEATS


@dataclass(frozen=True, slots=True)
class Laid:
    """What one seat laid in one battle: cards face-down first, then the card it turned (None: it turned none)."""

    face_down: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat. `laid` has one entry for each battle of the round that is shown, from the first; it may end earlier
    than the round does."""

    count: int
    flair: Flair
    laid: tuple[Laid, ...]
    tied: bool
    out: bool

    @property
    def card(self) -> Card | None:
        """The card it turned last in the round that is shown."""
        return next((laid.card for laid in reversed(self.laid) if laid.card is not None), None)


@dataclass(frozen=True, slots=True)
class Settled:
    """The war that the last turn settled before it went on to what is shown: who turned what last, and who took it."""

    cards: tuple[tuple[int, Card], ...]
    winner: int | None
    taken: int


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as it stands, 2 to 6 seats. `table_view` makes one.

    pot       cards on the table now, face-up and face-down; 0 when somebody took them
    loose     those of them that lie in front of nobody: carried, left over, forfeited, or laid before what is known
    wars      ties so far in the round that is shown, those before what is known among them
    winner    who took the pot of the round that is shown, None while it is tied or when nobody did
    taken     cards that the winner took
    settled   the war before it in the same turn, or None
    first     the seats in first place once the match is over, else empty
    """

    seats: tuple[SeatView, ...]
    pot: int
    loose: int
    wars: int
    winner: int | None
    taken: int
    settled: Settled | None
    first: tuple[int, ...]

    @property
    def at_war(self) -> tuple[int, ...]:
        """The seats that stand at WAR; empty when none do."""
        return tuple(number for number, seat in enumerate(self.seats) if seat.tied)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return bool(self.first)

    @property
    def cards(self) -> int:
        """All cards of the match."""
        return sum(seat.count for seat in self.seats) + self.pot


def table_view(
    *,
    counts: Sequence[int],
    pot: int,
    tied: Collection[int],
    told: Sequence[Battle],
    outcome: Outcome | None,
    flairs: Sequence[Flair] | None = None,
    out: Collection[int] = (),
    before: Sequence[Battle] = (),
) -> TableView:
    """The view of a board: of a live match, or of one that has ended.

    `told` are the battles of the last turn (or of the whole match), `before` battles that came right before them, when
    they are at hand: those of the same round complete its fan. `out` are seats known to be out, such as those that
    forfeited; who has run out of cards is seen without it. No `flairs`: the default ones. Raises ValueError when the
    numbers of seats do not agree.
    """
    seats = len(counts)
    flairs = default_flairs(seats) if flairs is None else flairs
    if not MIN_SEATS <= seats <= MAX_SEATS or len(flairs) != seats:
        raise ValueError(f"{seats} seats with {len(flairs)} flairs cannot be shown; there are 2 to 6, each with one.")
    shown = _last_round(before, told)
    last = shown[-1] if shown else None
    laid = [_laid(shown, seat) for seat in range(seats)]
    first = () if outcome is None else tuple(seat for seat, place in enumerate(outcome.placings) if place == 1)
    return TableView(
        seats=tuple(
            SeatView(
                count=counts[seat],
                flair=flairs[seat],
                laid=laid[seat],
                tied=seat in tied,
                out=seat in out or _gone(seat, counts[seat], laid[seat], last, first),
            )
            for seat in range(seats)
        ),
        pot=pot,
        loose=_loose(pot, laid, last),
        wars=last.depth + bool(last.tied) if last else 0,
        winner=last.winner if last else None,
        taken=last.taken if last else 0,
        settled=_settled(told),
        first=first,
    )


def _loose(pot: int, laid: Iterable[Sequence[Laid]], last: Battle | None) -> int:
    """Cards of the pot that lie in front of nobody; those that are shown are not in it once somebody took them."""
    if last is not None and last.winner is not None:
        return pot
    return max(0, pot - sum(entry.face_down + (entry.card is not None) for entries in laid for entry in entries))


def _gone(seat: int, count: int, laid: Sequence[Laid], last: Battle | None, first: Collection[int]) -> bool:
    """Whether a seat is out: it has no cards and none in this round either, or the round ended without it."""
    if last is None or count or seat in first:
        return False
    return not laid or seat in last.out


def _last_round(before: Sequence[Battle], told: Sequence[Battle]) -> list[Battle]:
    battles = [*before, *told]
    shown: list[Battle] = []
    for battle in reversed(battles):
        if shown and battle.round != shown[-1].round:
            break
        shown.append(battle)
    return shown[::-1]


def _laid(shown: Iterable[Battle], seat: int) -> tuple[Laid, ...]:
    entries = [Laid(dict(battle.face_down).get(seat, 0), dict(battle.turned).get(seat)) for battle in shown]
    while entries and entries[-1] == Laid(0, None):
        entries.pop()
    return tuple(entries)


def _settled(told: Sequence[Battle]) -> Settled | None:
    """The war that hung before this turn, if the turn settled it and then went on."""
    if not told or told[0].depth == 0 or told[-1].round == told[0].round:
        return None
    opening: Round = next(iter(rounds_of(told)))
    last = opening.battles[-1]
    return Settled(last.turned, last.winner, last.taken)


# ---- what is to be seen, for those who write it out --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeatDescription:
    """What is seen of a seat: cards held, the card it turned last, and how it stands."""

    cards: int
    face_up: Card | None
    at_war: bool
    won: bool
    out: bool
    first: bool


@dataclass(frozen=True, slots=True)
class Description:
    """What the picture shows, as facts, by seat: for alt text."""

    seats: tuple[SeatDescription, ...]
    wars: int
    pot: int
    taken: int
    over: bool


def describe(view: TableView) -> Description:
    """The facts that the picture of this table shows."""
    return Description(
        seats=tuple(
            SeatDescription(
                cards=seat.count,
                face_up=seat.card,
                at_war=seat.tied,
                won=view.winner == number,
                out=seat.out,
                first=number in view.first,
            )
            for number, seat in enumerate(view.seats)
        ),
        wars=view.wars,
        pot=view.pot,
        taken=view.taken,
        over=view.over,
    )
