"""A match as counts over time, and the round on which it turned. No drawing here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.facts import Battle, Round, rounds_of


@dataclass(frozen=True, slots=True)
class Course:
    """How a match went. `counts` has one entry more than `rounds`: the cards held before the first round, then after
    each (those on the table left out)."""

    rounds: tuple[Round, ...]
    counts: tuple[tuple[int, ...], ...]


def course_of(battles: Sequence[Battle]) -> Course:
    """The course of a match from all its battles. Raises ValueError when there are none."""
    if not battles:
        raise ValueError("A match without battles has no course to draw.")
    rounds = tuple(rounds_of(battles))
    return Course(rounds, (counts_before(battles[0]), *(each.battles[-1].counts for each in rounds)))


def counts_before(battle: Battle) -> tuple[int, ...]:
    """Cards in each seat's pile before the first battle of a round: those after it and those laid, less those taken."""
    counts = list(battle.counts)
    for seat, _ in battle.turned:
        counts[seat] += 1
    for seat, number in battle.face_down:
        counts[seat] += number
    if battle.winner is not None:
        counts[battle.winner] -= battle.taken
    return tuple(counts)


def turning_round(course: Course) -> int | None:
    """The index of the round that turned the match.

    Of the wars on the winner's way from its lowest point to the lead that it kept, this is the one with the
    biggest pot that it took. Where there is none (it led all along, or passed the others card by card), or where nobody
    leads at the end, it is the round with the biggest pot; None when no pot was taken at all.
    """
    last = course.counts[-1]
    leader = last.index(max(last))
    if last.count(max(last)) == 1:
        lead = len(course.rounds)
        while lead and _leads(course.counts[lead - 1], leader):
            lead -= 1
        lowest = min(range(lead + 1), key=lambda index: (course.counts[index][leader], -index))
        climb = range(lowest, lead)
        wars = [index for index in climb if course.rounds[index].wars and course.rounds[index].winner == leader]
        if wars:
            return max(wars, key=lambda index: course.rounds[index].taken)
    taken = [each.taken for each in course.rounds]
    return taken.index(max(taken)) if max(taken) else None


def _leads(counts: Sequence[int], seat: int) -> bool:
    return counts[seat] == max(counts) and counts.count(counts[seat]) == 1


def sampled(length: int, wanted: int) -> list[int]:
    """Indices from 0 to `length` - 1, evenly spread, at most `wanted` of them and always the first and the last.

    >>> sampled(10, 4), sampled(3, 8), sampled(1, 5)
    ([0, 3, 6, 9], [0, 1, 2], [0])
    """
    if length <= wanted:
        return list(range(length))
    return [round(step * (length - 1) / (wanted - 1)) for step in range(wanted)]
