"""Matches played in bulk, without facts: for simulations and for chances of winning.

Suits never count, so cards are bare ranks here, and any whole numbers serve as ranks. With the same `Chance`
the result is that of `War`: a test holds them equal over every rule.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from engine.facts import Termination
from engine.muster import muster
from engine.placings import Exit, placings
from engine.pot import arranged
from engine.rules import Rules
from engine.shuffle import Chance, dealt

_top: Callable[[deque[int]], int] = deque[int].popleft


@dataclass(frozen=True, slots=True)
class Playout:
    """The end of a match, as in :class:`engine.facts.Outcome`, with what simulations count.

    ties      how many ties there were at each depth: first all wars that began, then those that became double
              wars, then triple ones and so on
    carried   how often nobody at war could win the pot: it was carried to the next round, fell to the one
              player left with cards, or stayed on the table in a draw
    piles     the ranks in each pile at the end, top card first
    """

    termination: Termination
    placings: tuple[int, ...]
    counts: tuple[int, ...]
    rounds: int
    ties: tuple[int, ...]
    carried: int
    piles: tuple[tuple[int, ...], ...]

    @property
    def wars(self) -> int:
        """Ties in the whole match: a double war counts two."""
        return sum(self.ties)

    @property
    def winner(self) -> int | None:
        """The seat that is alone in first place, or None when the first place is shared."""
        return self.placings.index(1) if self.placings.count(1) == 1 else None


def playout(rules: Rules, seats: int, chance: Chance) -> Playout:
    """Shuffle, deal and play one match to its end. Raises RulesError when `seats` cannot play by these rules.

    >>> from engine.shuffle import Stream
    >>> playout(Rules(), 2, Stream(bytes(32), "example")).rounds
    122
    """
    piles, leftover = dealt(rules, seats, chance)
    under = [card >> 2 for card in leftover] if rules.leftover == "first-pot" else []
    return play_ranks(rules, [[card >> 2 for card in pile] for pile in piles], chance, under)


def play_ranks(rules: Rules, piles: Sequence[Iterable[int]], chance: Chance, under: Sequence[int] = ()) -> Playout:
    """Play piles of ranks, top card first and none empty; `under` lies on the table and is nobody's."""
    hands = [deque(pile) for pile in piles]
    seats = list(range(len(hands)))  # those still in
    held = hands.copy()  # and their piles, in the same order
    pot = list(under)  # cards on the table from before the round
    exits: list[Exit] = []
    depths: Counter[int] = Counter()
    carried = 0
    rounds = 0
    duel = len(hands) == 2
    first, second = hands[0].popleft, hands[1].popleft
    draw: tuple[int, ...] = ()
    in_any_order = rules.order == "random"
    shuffle = chance.shuffle
    for rounds in range(1, rules.max_rounds + 1):
        if duel:  # two are the most common, and need no search for the highest
            highest, other = first(), second()
            table = [highest, other]
            alone = highest != other
            place = highest < other
        else:
            table = [*map(_top, held)]
            highest = max(table)
            alone = table.count(highest) == 1
            place = table.index(highest)
        if alone:
            if in_any_order:  # as `arranged` would, without its call
                pot += table
                shuffle(pot)
            else:
                pot = arranged(rules.order, table, seats, pot, seats[place], chance)
            held[place].extend(pot)
            pot = []
            if all(held):
                continue
            owners = seats
        else:
            owners = seats.copy()
            tied = [seat for seat, rank in zip(seats, table, strict=True) if rank == highest]
            winner, draw, ties = _fight(rules, hands, tied, highest, table, owners)
            depths[ties] += 1
            if winner is None:
                carried += 1
                left = [seat for seat in seats if hands[seat]]
                if len(left) == 1:  # one player left with cards takes whatever lies on the table
                    winner = left[0]
            if winner is None:
                pot += table
            else:
                hands[winner].extend(arranged(rules.order, table, owners, pot, winner, chance))
                pot = []
        if not all(held):
            exits += [Exit(seat, rounds, owners.count(seat)) for seat in seats if not hands[seat]]
            seats = [seat for seat in seats if hands[seat]]
            held = [hands[seat] for seat in seats]
            if len(seats) < 2:
                break
    counts = tuple(map(len, hands))
    return Playout(
        _termination(len(seats)),
        placings(counts, seats, exits, () if seats else draw),
        counts,
        rounds,
        tuple(
            sum(depths[depth] for depth in depths if depth >= least) for least in range(1, max(depths, default=0) + 1)
        ),
        carried,
        tuple(map(tuple, hands)),
    )


def _fight(
    rules: Rules, hands: list[deque[int]], tied: list[int], rank: int, table: list[int], owners: list[int]
) -> tuple[int | None, tuple[int, ...], int]:
    """The wars of one round: `tied` seats have turned `rank`. What they lay is added to the table.

    Returns the winner or None when nobody can fight on, who draws if nobody has cards, and how many ties there
    were.
    """
    faces = dict.fromkeys(tied, rank)
    ties = 0
    while len(tied) > 1:
        ties += 1
        plan = muster(rules, {seat: len(hands[seat]) for seat in tied})
        for seat, number, turns in plan.lays:
            hand = hands[seat]
            table += [hand.popleft() for _ in range(number)]
            owners += [seat] * number
            if turns and number:
                faces[seat] = table[-1]
        if len(plan.fighters) < 2:
            return (plan.fighters[0] if plan.fighters else None), plan.draw, ties
        highest = max([faces[seat] for seat in plan.fighters])
        tied = [seat for seat in plan.fighters if faces[seat] == highest]
    return tied[0], (), ties


def _termination(left: int) -> Termination:
    """How a match without acts ended, from the number of seats left in."""
    if left > 1:
        return Termination.ROUND_CAP
    return Termination.ALL_CARDS if left else Termination.DRAW
