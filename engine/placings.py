"""Who comes in which place when a match is over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_NEVER = float("inf")


@dataclass(frozen=True, slots=True)
class Exit:
    """A seat's way out of the match: in which round, and how many cards it held before that round."""

    seat: int
    round: int
    held: int
    forfeited: bool = False


def placings(
    counts: Sequence[int], alive: Iterable[int], exits: Iterable[Exit], first: Iterable[int] = ()
) -> tuple[int, ...]:
    """1-based places, one per seat; equals share a place and the next one counts them all (1, 1, 3).

    Those still in (`alive`) come first, by their cards in `counts`. Then the later out, the better; out in
    the same round, a forfeit below the others, and then who held more before that round. `first` are seats
    that are out and share the first place all the same: those who drew the last war.

    >>> placings((30, 22, 0, 0), [0, 1], [Exit(3, 9, 4), Exit(2, 9, 7, forfeited=True)])
    (1, 2, 4, 3)
    """
    merit: dict[int, tuple[float, bool, int]] = {
        gone.seat: (gone.round, not gone.forfeited, gone.held) for gone in exits
    }
    merit.update((seat, (_NEVER, True, counts[seat])) for seat in alive)
    merit.update((seat, (_NEVER, True, 0)) for seat in first)
    return tuple(1 + sum(other > merit[seat] for other in merit.values()) for seat in range(len(counts)))
