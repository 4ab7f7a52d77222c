"""A whole match as a story: what was remarkable about it, as numbers of seats, rounds and cards. No text.

*Held* always means between two rounds: what lies on the table during a war is nobody's. "After round 0" is the deal.
What a match says in a headline, and how rare that is, stands in :mod:`engine.headlines`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter, lt, ne

from engine.cards import Card, Rank
from engine.facts import Battle, Outcome

FEW_CARDS = 3
"""With so many cards or fewer, a player is nearly out."""


@dataclass(frozen=True, slots=True)
class Pot:
    """A pot that somebody took: `cards` counts the winner's own."""

    round: int
    winner: int
    cards: int


@dataclass(frozen=True, slots=True)
class LongWar:
    """A round with `ties` wars on top of each other: 1 for a war, 2 for a double war.

    `winner` took its pot; None where nobody did, or where the match ended before.
    """

    round: int
    ties: int
    winner: int | None


@dataclass(frozen=True, slots=True)
class WideWar:
    """A tie of several seats at once."""

    round: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Holding:
    """What `seat` held after `round`."""

    seat: int
    cards: int
    round: int


@dataclass(frozen=True, slots=True)
class Streak:
    """`seat` took the pots of so many `rounds` in a row, the first one in round `first`."""

    seat: int
    rounds: int
    first: int


@dataclass(frozen=True, slots=True)
class LastStand:
    """The runner-up's last fight: down to `cards` (at most FEW_CARDS) after `round` for the first time, it held out
    `rounds` more rounds and got back to `peak` cards on the way."""

    seat: int
    cards: int
    round: int
    rounds: int
    peak: int


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The battle after which the winner led for good."""

    step: int
    round: int


@dataclass(frozen=True, slots=True)
class Story:
    """What there is to tell about a match. A field is None where it did not happen, or where nobody won.

    biggest_pot    the first one of its size
    longest_war    the first one of its length
    widest_war     the first one of most seats tied at once
    first_blood    the first pot that was fought over in a war
    streak         the first longest one; a pot that nobody took ends it
    lead_changes   how often another seat than before came to hold more cards than each of the others
    led            rounds after which each seat led alone
    behind         rounds after which somebody held more cards than the eventual winner
    turning_point  None also where the winner was not in the lead at the end (the leader has forfeited)
    escape         the fewest cards that the winner ever held, the last time it was so few
    near_miss      the most that anybody else ever held, the last time it was so many
    last_stand     of the seat alone in second place, if it was ever nearly out
    margin         cards between first and second place in the end: how close the finish of a match was that ended
                   early; all cards otherwise
    aces_dealt     to each seat
    aces_taken     how often each seat took an ace from somebody, as far as faces told: of cards laid face-down nobody
                   can say
    carried        pots that nobody took
    forfeits       seats that forfeited
    """

    biggest_pot: Pot | None
    longest_war: LongWar | None
    widest_war: WideWar | None
    first_blood: Pot | None
    streak: Streak | None
    lead_changes: int
    led: tuple[int, ...]
    behind: int | None
    turning_point: TurningPoint | None
    escape: Holding | None
    near_miss: Holding | None
    last_stand: LastStand | None
    margin: int
    aces_dealt: tuple[int, ...]
    aces_taken: tuple[int, ...]
    carried: int
    forfeits: int

    @property
    def seats(self) -> int:
        """How many played."""
        return len(self.led)


def story_of(battles: Sequence[Battle], dealt: Sequence[Sequence[Card]], outcome: Outcome) -> Story:
    """The story of a match that is over: all its battles, the piles as they were dealt (`War.dealt`), its outcome.

    >>> from engine.war import Rules, War
    >>> war = War.deal(Rules(), 2, bytes(32), "example")
    >>> story = story_of(list(war.play()), war.dealt, war.outcome)
    >>> story.longest_war, story.escape, story.lead_changes
    (LongWar(round=47, ties=2, winner=1), Holding(seat=1, cards=17, round=21), 2)
    """
    winner = outcome.winner
    ends = [battle for battle in battles if not battle.tied]
    # What each seat held, round by round; the deal comes first.
    rounds = [0, *[battle.round for battle in ends]]
    held = [tuple(map(len, dealt)), *[battle.counts for battle in ends]]
    holdings = list(zip(*held, strict=True))
    most = list(map(max, held))
    leaders = [
        counts.index(number) if counts.count(number) == 1 else None for counts, number in zip(held, most, strict=True)
    ]
    after_rounds = leaders[1:]
    return Story(
        biggest_pot=_biggest_pot(ends),
        longest_war=_longest_war(battles),
        widest_war=_widest_war(battles),
        first_blood=_first_blood(ends),
        streak=_streak(ends),
        lead_changes=_lead_changes(after_rounds),
        led=tuple(after_rounds.count(seat) for seat in range(len(dealt))),
        behind=None if winner is None else sum(map(lt, holdings[winner], most)),
        turning_point=None if winner is None else _turning_point(ends, after_rounds, winner),
        escape=None if winner is None else _last_time(winner, holdings[winner], rounds, min(holdings[winner])),
        near_miss=_near_miss(winner, holdings, rounds),
        last_stand=_last_stand(outcome, holdings, rounds),
        margin=_margin(outcome),
        aces_dealt=tuple(sum(1 for card in pile if card.rank is Rank.ACE) for pile in dealt),
        aces_taken=_aces_taken(battles, dealt),
        carried=sum(1 for battle in ends if battle.winner is None),
        forfeits=_forfeits(battles, outcome),
    )


def _biggest_pot(ends: Sequence[Battle]) -> Pot | None:
    biggest = max(ends, key=attrgetter("taken"), default=None)
    if biggest is None or biggest.winner is None:
        return None
    return Pot(biggest.round, biggest.winner, biggest.taken)


def _longest_war(battles: Sequence[Battle]) -> LongWar | None:
    deepest = max((battle for battle in battles if battle.tied), key=attrgetter("depth"), default=None)
    if deepest is None:
        return None
    # The next battle ends that round: were it a tie too, it would be the deeper one.
    place = deepest.step - battles[0].step + 1
    return LongWar(deepest.round, deepest.depth + 1, battles[place].winner if place < len(battles) else None)


def _widest_war(battles: Sequence[Battle]) -> WideWar | None:
    widest = max((battle for battle in battles if battle.tied), key=lambda battle: len(battle.tied), default=None)
    return None if widest is None else WideWar(widest.round, widest.tied)


def _first_blood(ends: Sequence[Battle]) -> Pot | None:
    for battle in ends:
        if battle.depth and battle.winner is not None:
            return Pot(battle.round, battle.winner, battle.taken)
    return None


def _streak(ends: Sequence[Battle]) -> Streak | None:
    longest: Streak | None = None
    first = 0
    for place, battle in enumerate(ends, 1):
        if place < len(ends) and ends[place].winner == battle.winner:
            continue
        if battle.winner is not None and (longest is None or place - first > longest.rounds):
            longest = Streak(battle.winner, place - first, ends[first].round)
        first = place
    return longest


def _lead_changes(leaders: Sequence[int | None]) -> int:
    """Shared leads are passed over: back to the same leader is no change."""
    alone = [leader for leader in leaders if leader is not None]
    return sum(map(ne, alone, alone[1:]))


def _turning_point(ends: Sequence[Battle], leaders: Sequence[int | None], winner: int) -> TurningPoint | None:
    place = len(ends)
    while place and leaders[place - 1] == winner:
        place -= 1
    if place == len(ends):
        return None
    return TurningPoint(ends[place].step, ends[place].round)


def _last_time(seat: int, holdings: Sequence[int], rounds: Sequence[int], cards: int) -> Holding:
    """When `seat` last held so many cards."""
    return Holding(seat, cards, rounds[-1 - holdings[::-1].index(cards)])


def _near_miss(winner: int | None, holdings: Sequence[Sequence[int]], rounds: Sequence[int]) -> Holding:
    peaks = [_last_time(seat, numbers, rounds, max(numbers)) for seat, numbers in enumerate(holdings) if seat != winner]
    return max(peaks, key=lambda peak: (peak.cards, peak.round))


def _last_stand(outcome: Outcome, holdings: Sequence[Sequence[int]], rounds: Sequence[int]) -> LastStand | None:
    if outcome.placings.count(2) != 1:
        return None
    seat = outcome.placings.index(2)
    numbers = holdings[seat]
    for place, number in enumerate(numbers):
        if 0 < number <= FEW_CARDS:
            end = numbers.index(0) if 0 in numbers else len(numbers) - 1
            return LastStand(seat, number, rounds[place], rounds[end] - rounds[place], max(numbers[place:]))
    return None


def _margin(outcome: Outcome) -> int:
    if outcome.winner is None:
        return 0
    others = [count for seat, count in enumerate(outcome.counts) if seat != outcome.winner]
    return outcome.counts[outcome.winner] - max(others)


def _aces_taken(battles: Sequence[Battle], dealt: Sequence[Sequence[Card]]) -> tuple[int, ...]:
    """An ace was taken when another seat than its last known owner turns it, or when another seat wins it."""
    ace = Rank.ACE
    owners = {card: seat for seat, pile in enumerate(dealt) for card in pile if card.rank is ace}
    winners = {battle.round: battle.winner for battle in battles if battle.winner is not None}
    taken = [0] * len(dealt)
    shown = [(battle.round, seat, card) for battle in battles for seat, card in battle.turned if card.rank is ace]
    for number, seat, card in shown:
        if owners.get(card, seat) != seat:
            taken[seat] += 1
        owners[card] = seat
        # A pot that nobody took goes with that of a later round.
        winner = winners.get(number)
        while winner is None and number < battles[-1].round:
            number += 1
            winner = winners.get(number)
        if winner is not None and winner != seat:
            taken[winner] += 1
            owners[card] = winner
    return tuple(taken)


def _forfeits(battles: Sequence[Battle], outcome: Outcome) -> int:
    """Who has lost all cards without being beaten out of them has forfeited."""
    beaten = {seat for battle in battles if battle.out for seat in battle.out}
    return sum(
        1 for seat, count in enumerate(outcome.counts) if not count and seat not in beaten and seat != outcome.winner
    )
