"""The chance of winning, from the cards that each seat holds.

Nobody sees the order of a pile, and a won pot is shuffled before it goes under one, so a chance rests on which cards
a seat holds. It is close to linear in them: a seat's chance is the points of its cards over the points of all cards
in play. The points depend on how many seats are still in, because a middling card that beats one opponent seldom
beats five. `python -m benchmarks.odds` holds the chances against playouts and derives the points again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import prod
from operator import add
from types import MappingProxyType

from engine.cards import DECK_SIZE, Card, Rank
from engine.errors import DealError
from engine.facts import Outcome
from engine.muster import muster
from engine.rules import MAX_SEATS, MIN_SEATS, Rules
from engine.war import War

# By the lowest rank of the deck: points of each rank from there up, scaled so that the whole deck has 100; a line for
# each number of seats still in, 2 to 6. Printed by `python -m benchmarks.odds derive --rules classic short blitz`, the
# first line by `python -m benchmarks.odds derive --rules classic --seats 2 --states 16000`. The points of the large
# deck are no good for the small ones: RMSE .04 to .05.
_DERIVED: Mapping[int, tuple[tuple[float, ...], ...]] = MappingProxyType(
    {
        2: (
            (-0.21, -0.30, -0.11, -0.13, -0.08, 0.07, 0.36, 0.56, 0.86, 1.39, 2.61, 5.31, 14.66),
            (-0.20, -0.32, 0.02, -0.06, -0.15, -0.08, 0.36, 0.37, 0.66, 1.10, 1.99, 4.78, 16.53),
            (-0.28, -0.09, -0.22, -0.19, -0.12, 0.06, 0.01, 0.28, 0.38, 1.02, 1.79, 4.34, 18.02),
            (-0.15, -0.43, -0.20, -0.08, 0.06, -0.07, 0.16, 0.19, 0.34, 0.58, 1.67, 4.06, 18.86),
            (-0.51, -0.48, -0.15, -0.18, -0.24, 0.04, 0.00, 0.28, 0.49, 0.72, 1.53, 4.17, 19.33),
        ),
        7: (
            (-0.33, -0.18, -0.27, 0.19, 0.79, 2.33, 5.96, 16.52),
            (-0.69, -0.29, -0.02, 0.10, 0.64, 2.11, 5.14, 18.02),
            (-0.58, -0.40, -0.11, 0.16, 0.69, 1.59, 4.37, 19.29),
            (-1.06, -0.55, -0.36, 0.15, 0.66, 1.50, 4.47, 20.19),
            (-1.19, -0.92, -0.43, 0.18, 0.67, 1.62, 4.57, 20.51),
        ),
        9: (
            (-1.09, -0.18, 0.54, 1.88, 5.77, 18.07),
            (-1.00, -0.46, 0.10, 1.48, 5.11, 19.78),
            (-1.06, -0.51, 0.17, 1.21, 4.68, 20.51),
            (-1.95, -1.23, -0.11, 1.37, 4.97, 21.95),
            (-1.70, -1.02, -0.04, 1.37, 4.79, 21.60),
        ),
    }
)
_FEW_FACE_DOWN: Mapping[int, tuple[float, ...]] = MappingProxyType(
    {
        2: (-0.21, -0.18, -0.05, -0.11, -0.09, -0.12, 0.14, 0.46, 0.24, 0.57, 1.37, 3.31, 19.66),
        3: (-0.37, -0.21, 0.06, -0.23, -0.10, 0.02, 0.03, 0.26, 0.04, 0.57, 1.04, 3.07, 20.81),
    }
)
"""The same for 52 cards and at most one face-down in a war, by seats still in (3 stands for more): there aces are
seldom lost and decide more. Printed by `... derive --rules skirmish --seats 2 --states 6000` and `--seats 3`."""
_LEAST = 0.05
"""Points of a seat whose cards come to less: while it has any, it can win. In playouts, a seat with nothing but one
two, or twenty cards under the seven, won none of 3,000."""


def chances(piles: Sequence[Sequence[Card]], rules: Rules | None = None) -> tuple[float, ...]:
    """Each seat's chance of winning between two rounds, 0 to 1, from the cards in its pile; together they make 1.

    A seat without cards is out and has none. `rules` are those of the match, the classic ones if left out: the deck
    and the cards face-down in a war count. Raises DealError when no seat has cards.

    >>> queen, king, ace = (Card.parse(text) for text in ("QS", "KS", "AS"))
    >>> [round(chance, 2) for chance in chances([[ace], [king, queen], []])]
    [0.65, 0.35, 0.0]
    """
    holders = [seat for seat, pile in enumerate(piles) if pile]
    points = _points_of(rules or Rules(), len(holders))
    return _shares(_points_held(piles, points), holders)


def war_chances(war: War) -> tuple[float, ...]:
    """Each seat's chance of winning `war` as it stands, 0 to 1; together they make 1.

    At a war, what lies on the table and what the tied are about to lay counts for each of them as far as it is likely
    to win it; who cannot go on is out. Between two rounds, carried and leftover cards count in equal shares for all
    still in. When the match is over, who came first has won; several firsts share.

    >>> [round(chance, 2) for chance in war_chances(War.deal(Rules(), 3, bytes(32), "example"))]
    [0.3, 0.46, 0.24]
    """
    if war.outcome is not None:
        return _settled(war.outcome)
    counts = war.counts
    able = [seat for seat in war.alive if counts[seat]]
    plan = muster(war.rules, {seat: counts[seat] for seat in war.tied}) if war.tied else None
    if plan is not None:
        dropped = {drop.seat for drop in plan.drops}
        able = [seat for seat in able if seat not in dropped]
    fighters = (plan and (plan.fighters or able or plan.draw)) or able or war.alive
    hopeful = {*able, *fighters}
    points = _points_of(war.rules, len(hopeful))
    piles = war.piles
    held = _points_held(piles, points)
    if war.pot_size:
        stake = _points_in_play(war, points) - sum(held)
        shares = [1 / len(fighters)] * len(fighters)
        if plan is not None:
            for seat, number, _ in plan.lays:
                laid = held[seat] * number / max(counts[seat], 1)
                held[seat] -= laid
                stake += laid
            if len(plan.fighters) > 1:
                shares = _prospects([piles[seat] for seat in fighters])
        for seat, share in zip(fighters, shares, strict=True):
            held[seat] += stake * share
    return _shares(held, hopeful)


def _prospects(piles: Sequence[Sequence[Card]]) -> list[float]:
    """Each pile's chance of winning a war in which each turns one card at random; a tie is shared. Where a pile is
    empty (a card already turned goes on comparing), all have the same chance.

    >>> aces, mixed = [Card.parse("AC")], [Card.parse("AD"), Card.parse("2C")]
    >>> _prospects([aces, mixed])
    [0.75, 0.25]
    """
    if not all(piles):
        return [1 / len(piles)] * len(piles)
    counted = [_by_rank(pile) for pile in piles]
    lower = [0] * len(piles)  # cards of each pile under the rank at hand
    wins = [0] * len(piles)  # in so many of all ways to turn a card from each
    for turned in zip(*counted, strict=True):
        for place, number in enumerate(turned):
            if number:
                wins[place] += number * prod(lower[:place]) * prod(lower[place + 1 :])
        lower = [*map(add, lower, turned)]
    ways = prod(lower)
    ties = ways - sum(wins)
    return [(won + ties / len(wins)) / ways for won in wins]


def _by_rank(pile: Sequence[Card]) -> list[int]:
    """How many cards of each rank, lowest first."""
    numbers = [0] * (Rank.ACE + 1)
    for card in pile:
        numbers[card.rank] += 1
    return numbers[Rank.TWO :]


def _points_of(rules: Rules, seats_in: int) -> Sequence[float]:
    """Points of a card by its rank, 2 to 14. A deck for which none were derived takes those of the next larger one."""
    if rules.face_down <= 1 and rules.low_rank == Rank.TWO:
        return _FEW_BY_RANK[2 if seats_in <= 2 else 3]
    deck = max(low for low in _DERIVED if low <= rules.low_rank)
    return _BY_RANK[deck][max(seats_in, MIN_SEATS)]


_BY_RANK = {
    low: {seats: (0.0,) * low + points for seats, points in zip(range(MIN_SEATS, MAX_SEATS + 1), lines, strict=True)}
    for low, lines in _DERIVED.items()
}

_FEW_BY_RANK = {seats: (0.0,) * Rank.TWO + points for seats, points in _FEW_FACE_DOWN.items()}


def _points_held(piles: Sequence[Sequence[Card]], points: Sequence[float]) -> list[float]:
    return [sum([points[card.rank] for card in pile]) for pile in piles]


def _points_in_play(war: War, points: Sequence[float]) -> float:
    """Of all cards of the match: those that were dealt. What was dealt to nobody and still is in play lies under the
    first pot; then, as with 52 cards, the whole deck is."""
    in_play = sum(war.counts) + war.pot_size
    if in_play < DECK_SIZE:
        dealt = war.dealt
        if in_play == sum(map(len, dealt)):
            return sum(_points_held(dealt, points))
    return 4 * sum(points[war.rules.low_rank :])


def _shares(held: Sequence[float], hopeful: Collection[int]) -> tuple[float, ...]:
    """Points as shares of all points; `hopeful` are the seats that can still win."""
    if not hopeful:
        raise DealError("No seat has cards; give at least one seat a card.")
    floored = [max(points, _LEAST) if seat in hopeful else 0.0 for seat, points in enumerate(held)]
    total = sum(floored)
    return tuple([points / total for points in floored])


def _settled(outcome: Outcome) -> tuple[float, ...]:
    firsts = outcome.placings.count(1)
    return tuple(1 / firsts if place == 1 else 0.0 for place in outcome.placings)
