"""The script of an animated match: which scenes it shows and for how long. Nothing here draws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.pictures.flair import Flair
from bot.pictures.turning import Course, counts_before, course_of, sampled, turning_round
from bot.pictures.view import Laid, SeatView, TableView, table_view
from engine.facts import Battle, Outcome, Round

LONGEST = 1450
"""Of the whole animation, in hundredths of a second: under 15 s."""
WARS = 3
"""Rounds that are shown card by card, at most; and battles of one of them."""
BATTLES = 4
RACES = 18
"""Frames of counts that move, in all; and at least so many between two wars."""
LEAST_RACE = 3
DEALS = 5

POSTER_HELD, DEAL_HELD, RACE_HELD = 130, 9, 11
WAR_HELD, REVEAL_HELD, LAST_CARD_HELD, RESULT_HELD = 80, 110, 90, 260


@dataclass(frozen=True, slots=True)
class Poster:
    """Who plays: backs and emblems, and a question mark. Says nothing of the result."""

    flairs: tuple[Flair, ...]


@dataclass(frozen=True, slots=True)
class Race:
    """How many cards each seat holds, out of so many, after a share of the match (0 to 1)."""

    counts: tuple[int, ...]
    cards: int
    flairs: tuple[Flair, ...]
    share: float


Scene = Poster | Race | TableView


@dataclass(frozen=True, slots=True)
class Shot:
    """A scene and how long it is held, in hundredths of a second."""

    scene: Scene
    held: int


def reel(battles: Sequence[Battle], flairs: Sequence[Flair], outcome: Outcome) -> list[Shot]:
    """The whole script, under 15 s for a match of any length. Raises ValueError when there are no battles."""
    course = course_of(battles)
    looks = tuple(flairs)
    shots = [Shot(Poster(looks), POSTER_HELD), *_deal(course, looks)]
    final = len(course.rounds) - 1
    shown = 0
    for index in _chosen(course):
        shots += _race(course, looks, shown, index)
        shots += _round(course, index, looks)
        shown = index + 1
    shots += _race(course, looks, shown, final)
    shots.append(_last_card(course, looks))
    shots += _round(course, final, looks)
    shots.append(Shot(_result(course, looks, outcome), RESULT_HELD))
    return _fitted(shots)


def _chosen(course: Course) -> list[int]:
    """The rounds to show card by card: the longest wars and the biggest pots, the one that turned the match with them.

    The last round has a place of its own.
    """
    wars = [index for index, each in enumerate(course.rounds[:-1]) if each.wars]
    turned = turning_round(course)
    wars.sort(key=lambda index: (index == turned, course.rounds[index].wars, course.rounds[index].taken), reverse=True)
    return sorted(wars[:WARS])


def _deal(course: Course, flairs: tuple[Flair, ...]) -> Iterator[Shot]:
    full = course.counts[0]
    for step in range(DEALS):
        counts = tuple(round(count * step / (DEALS - 1)) for count in full)
        yield Shot(_race_at(course, counts, flairs, 0.0), DEAL_HELD if step < DEALS - 1 else 40)


def _race(course: Course, flairs: tuple[Flair, ...], start: int, end: int) -> Iterator[Shot]:
    """Counts after the rounds from `start` to `end`, both indices of `course.counts`: the longer, the more frames."""
    frames = max(LEAST_RACE, round(RACES * (end - start) / len(course.rounds)))
    for offset in sampled(end - start + 1, frames):
        index = start + offset
        yield Shot(_race_at(course, course.counts[index], flairs, index / len(course.rounds)), RACE_HELD)


def _race_at(course: Course, counts: tuple[int, ...], flairs: tuple[Flair, ...], share: float) -> Race:
    return Race(counts, max(map(sum, course.counts)), flairs, share)


def _round(course: Course, index: int, flairs: tuple[Flair, ...]) -> Iterator[Shot]:
    """A round card by card: each tie, then what settled it. Of a very long one its beginning is left out."""
    battles = course.rounds[index].battles
    for number in range(max(0, len(battles) - BATTLES), len(battles)):
        battle = battles[number]
        view = table_view(
            counts=battle.counts,
            pot=battle.pot,
            tied=battle.tied,
            told=battles[: number + 1],
            outcome=None,
            flairs=flairs,
            out=_out(course.counts[index], battle),
        )
        yield Shot(view, WAR_HELD if battle.tied else REVEAL_HELD)


def _out(before: Sequence[int], battle: Battle) -> list[int]:
    """Seats that had no cards when the round began, and those that this battle put out."""
    return [seat for seat, count in enumerate(before) if not count or seat in battle.out]


def _last_card(course: Course, flairs: tuple[Flair, ...]) -> Shot:
    """Before the last round: everyone's next card, still face-down."""
    final: Round = course.rounds[-1]
    counts = counts_before(final.battles[0])
    turning = {seat for seat, _ in final.battles[0].turned}
    seats = tuple(
        SeatView(
            count=count - (seat in turning),
            flair=flairs[seat],
            laid=(Laid(1, None),) if seat in turning else (),
            tied=False,
            out=seat not in turning,
        )
        for seat, count in enumerate(counts)
    )
    scene = TableView(seats, len(turning), 0, 0, None, 0, None, ())
    return Shot(scene, LAST_CARD_HELD)


def _result(course: Course, flairs: tuple[Flair, ...], outcome: Outcome) -> TableView:
    final = course.rounds[-1]
    return table_view(counts=outcome.counts, pot=0, tied=(), told=final.battles, outcome=outcome, flairs=flairs, out=())


def _fitted(shots: list[Shot]) -> list[Shot]:
    """All shots shortened alike when the whole would take too long."""
    whole = sum(shot.held for shot in shots)
    if whole <= LONGEST:
        return shots
    return [replace(shot, held=max(6, shot.held * LONGEST // whole)) for shot in shots]
