"""The one thing to say about a match, and how rare it is: "from one card left: 1 match in 68".

A rarity is claimed only where it was measured: for the classic rules, matches that were played to their end, nobody
forfeiting. The tables below were printed by `python -m benchmarks.rarity --seats 2 --matches 60000` and
`python -m benchmarks.rarity --seats 3 4 5 6 --matches 20000`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from engine.facts import Outcome, Termination
from engine.rules import Rules
from engine.story import FEW_CARDS, Story

RARE = 4
"""What happens in more than one match of so many is nothing to boast of."""


class Kind(StrEnum):
    """What a headline is about. In brackets: whose it is, and what its number counts."""

    ONE_CARD = "one-card"
    """The winner was once down to one card [the winner, cards; `round` after which]."""
    FEW_CARDS = "few-cards"
    """The winner was once down to three cards or fewer [the winner, cards; `round` after which]."""
    NO_ACES = "no-aces"
    """The winner was dealt no ace [the winner, 0]."""
    NEVER_BEHIND = "never-behind"
    """Nobody ever held more cards than the winner [the winner, rounds]."""
    QUADRUPLE_WAR = "quadruple-war"
    """Four wars or more on top of each other [who took the pot, wars; `round` of it]."""
    TRIPLE_WAR = "triple-war"
    """Three wars on top of each other, or more [who took the pot, wars; `round` of it]."""
    FOUR_WAY_WAR = "four-way-war"
    """Four players tied at once [nobody, players; `round` of it]."""
    THREE_WAY_WAR = "three-way-war"
    """Three players tied at once, or more [nobody, players; `round` of it]."""
    CARRIED_POT = "carried-pot"
    """A war that none of the tied could fight: its pot went to the next round [nobody, how often]."""
    MARATHON = "marathon"
    """One of the longest matches [nobody, rounds]."""
    SPRINT = "sprint"
    """One of the shortest matches [nobody, rounds]."""
    SEESAW = "seesaw"
    """The lead changed more often than in most matches [nobody, changes]."""
    STREAK = "streak"
    """More pots in a row than in most matches [whose, rounds; `round` of the first]."""
    LAST_STAND = "last-stand"
    """Nearly out, the runner-up held out longer than in most matches [the runner-up, rounds; `round` it began]."""

    # Never rare: told when nothing above was.
    DOUBLE_WAR = "double-war"
    """A war on top of a war, or more [who took the pot, wars; `round` of it]."""
    PLAIN = "plain"
    """Won, and that is that [the winner, rounds]."""

    # How a match ended that was not played to its end.
    AGREED = "agreed"
    """All agreed to end it [the winner if one is ahead, cards between first and second place]."""
    FORFEIT = "forfeit"
    """All but one have forfeited [the winner, rounds]."""
    ROUND_CAP = "round-cap"
    """The last round that the rules allow was played [the winner if one is ahead, cards between first and second]."""
    DRAW = "draw"
    """Nobody had cards left [nobody, rounds]."""


_ENDINGS = {
    Termination.AGREED: Kind.AGREED,
    Termination.FORFEIT: Kind.FORFEIT,
    Termination.ROUND_CAP: Kind.ROUND_CAP,
    Termination.DRAW: Kind.DRAW,
}


@dataclass(frozen=True, slots=True)
class Headline:
    """What to say. :class:`Kind` tells for each kind whose it is (`seat`), what `number` counts and what `round` is.

    `one_in` is the rarity: one match in so many has this to tell. None where it is ordinary or was not measured.
    """

    kind: Kind
    seat: int | None
    number: int
    round: int | None = None
    one_in: int | None = None


@dataclass(frozen=True, slots=True)
class Bounds:
    """From where on something is out of the ordinary, for one number of seats: about one match in twenty."""

    marathon: int
    """Rounds at least."""
    sprint: int
    """Rounds at most."""
    seesaw: int
    """Changes of the lead at least."""
    streak: int
    """Rounds in a row at least."""
    last_stand: int
    """Rounds at least."""


BOUNDS: Mapping[int, Bounds] = MappingProxyType(
    {
        2: Bounds(marathon=700, sprint=50, seesaw=22, streak=12, last_stand=170),
        3: Bounds(marathon=700, sprint=55, seesaw=27, streak=11, last_stand=260),
        4: Bounds(marathon=700, sprint=55, seesaw=26, streak=11, last_stand=340),
        5: Bounds(marathon=700, sprint=60, seesaw=27, streak=11, last_stand=400),
        6: Bounds(marathon=700, sprint=55, seesaw=27, streak=11, last_stand=480),
    }
)

ONE_IN: Mapping[int, Mapping[Kind, int]] = MappingProxyType(
    {
        2: MappingProxyType(
            {
                Kind.ONE_CARD: 65,
                Kind.FEW_CARDS: 19,
                Kind.NO_ACES: 40,
                Kind.NEVER_BEHIND: 9,
                Kind.QUADRUPLE_WAR: 300,
                Kind.TRIPLE_WAR: 19,
                Kind.MARATHON: 19,
                Kind.SPRINT: 22,
                Kind.SEESAW: 17,
                Kind.STREAK: 22,
                Kind.LAST_STAND: 18,
            }
        ),
        3: MappingProxyType(
            {
                Kind.ONE_CARD: 33,
                Kind.FEW_CARDS: 9,
                Kind.NO_ACES: 15,
                Kind.NEVER_BEHIND: 19,
                Kind.QUADRUPLE_WAR: 310,
                Kind.TRIPLE_WAR: 16,
                Kind.THREE_WAY_WAR: 8,
                Kind.MARATHON: 17,
                Kind.SPRINT: 27,
                Kind.SEESAW: 17,
                Kind.STREAK: 12,
                Kind.LAST_STAND: 16,
            }
        ),
        4: MappingProxyType(
            {
                Kind.ONE_CARD: 24,
                Kind.FEW_CARDS: 6,
                Kind.NO_ACES: 12,
                Kind.NEVER_BEHIND: 23,
                Kind.QUADRUPLE_WAR: 390,
                Kind.TRIPLE_WAR: 16,
                Kind.FOUR_WAY_WAR: 800,
                Kind.THREE_WAY_WAR: 6,
                Kind.CARRIED_POT: 420,
                Kind.MARATHON: 18,
                Kind.SPRINT: 29,
                Kind.SEESAW: 18,
                Kind.STREAK: 13,
                Kind.LAST_STAND: 17,
            }
        ),
        5: MappingProxyType(
            {
                Kind.ONE_CARD: 17,
                Kind.FEW_CARDS: 5,
                Kind.NO_ACES: 9,
                Kind.NEVER_BEHIND: 22,
                Kind.QUADRUPLE_WAR: 330,
                Kind.TRIPLE_WAR: 16,
                Kind.FOUR_WAY_WAR: 530,
                Kind.THREE_WAY_WAR: 5,
                Kind.CARRIED_POT: 170,
                Kind.MARATHON: 17,
                Kind.SPRINT: 21,
                Kind.SEESAW: 16,
                Kind.STREAK: 13,
                Kind.LAST_STAND: 17,
            }
        ),
        6: MappingProxyType(
            {
                Kind.ONE_CARD: 14,
                Kind.NO_ACES: 8,
                Kind.NEVER_BEHIND: 17,
                Kind.QUADRUPLE_WAR: 280,
                Kind.TRIPLE_WAR: 16,
                Kind.FOUR_WAY_WAR: 420,
                Kind.THREE_WAY_WAR: 4,
                Kind.CARRIED_POT: 58,
                Kind.MARATHON: 18,
                Kind.SPRINT: 22,
                Kind.SEESAW: 17,
                Kind.STREAK: 13,
                Kind.LAST_STAND: 22,
            }
        ),
    }
)
"""For each number of seats: one match in so many."""


def headline(story: Story, outcome: Outcome, rules: Rules) -> Headline:
    """The rarest thing that happened in a match played by `rules`.

    Where nothing was rarer than one match in RARE, a plain kind without a rarity; where the match was not played to
    its end, how it ended. Other rules than the classic ones, and matches in which somebody forfeited, are told in the
    same order but without a number, and without what is only long or short by the measure of classic matches.
    """
    ending = _ENDINGS.get(outcome.termination)
    if ending is Kind.AGREED or ending is Kind.ROUND_CAP:
        return Headline(ending, outcome.winner, story.margin)
    if ending is not None:
        return Headline(ending, outcome.winner, outcome.rounds)
    measured = rules == Rules() and not story.forfeits
    one_in = ONE_IN[story.seats]
    rarest = Headline(Kind.PLAIN, outcome.winner, outcome.rounds)
    odds = RARE - 1
    for sight in sights(story, outcome, BOUNDS[story.seats] if measured else None):
        if one_in.get(sight.kind, 0) > odds:
            rarest, odds = sight, one_in[sight.kind]
        elif sight.kind is Kind.DOUBLE_WAR and rarest.kind is Kind.PLAIN:
            rarest = sight
    if measured and odds >= RARE:
        return Headline(rarest.kind, rarest.seat, rarest.number, rarest.round, odds)
    return rarest


def sights(story: Story, outcome: Outcome, bounds: Bounds | None) -> Iterator[Headline]:
    """Everything out of the ordinary in a match that was played to its end, in the order of `Kind`, rarity left out.

    What is long or short is so by `bounds`; without them it is left out.
    """
    winner, escape = outcome.winner, story.escape
    if escape is not None:
        if escape.cards == 1:
            yield Headline(Kind.ONE_CARD, winner, 1, escape.round)
        if escape.cards <= FEW_CARDS:
            yield Headline(Kind.FEW_CARDS, winner, escape.cards, escape.round)
    if winner is not None and not story.aces_dealt[winner]:
        yield Headline(Kind.NO_ACES, winner, 0)
    if story.behind == 0:
        yield Headline(Kind.NEVER_BEHIND, winner, outcome.rounds)
    yield from _wars(story)
    if story.carried:
        yield Headline(Kind.CARRIED_POT, None, story.carried)
    if bounds is not None:
        yield from _lengths(story, outcome, bounds)


def _wars(story: Story) -> Iterator[Headline]:
    longest, widest = story.longest_war, story.widest_war
    if longest is not None:
        for kind, ties in ((Kind.QUADRUPLE_WAR, 4), (Kind.TRIPLE_WAR, 3), (Kind.DOUBLE_WAR, 2)):
            if longest.ties >= ties:
                yield Headline(kind, longest.winner, longest.ties, longest.round)
    if widest is not None:
        for kind, tied in ((Kind.FOUR_WAY_WAR, 4), (Kind.THREE_WAY_WAR, 3)):
            if len(widest.seats) >= tied:
                yield Headline(kind, None, len(widest.seats), widest.round)


def _lengths(story: Story, outcome: Outcome, bounds: Bounds) -> Iterator[Headline]:
    if outcome.rounds >= bounds.marathon:
        yield Headline(Kind.MARATHON, None, outcome.rounds)
    if outcome.rounds <= bounds.sprint:
        yield Headline(Kind.SPRINT, None, outcome.rounds)
    if story.lead_changes >= bounds.seesaw:
        yield Headline(Kind.SEESAW, None, story.lead_changes)
    streak, stand = story.streak, story.last_stand
    if streak is not None and streak.rounds >= bounds.streak:
        yield Headline(Kind.STREAK, streak.seat, streak.rounds, streak.first)
    if stand is not None and stand.rounds >= bounds.last_stand:
        yield Headline(Kind.LAST_STAND, stand.seat, stand.rounds, stand.round)
