"""Many matches at once, and what simulations report about them.

Tallies add up, so that work can be shared out: the sum of what several processes counted is what one would
have counted with the same seeds.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import ceil, sqrt

from engine.cards import Rank
from engine.errors import RulesError
from engine.facts import Termination
from engine.playout import play_ranks
from engine.rules import Rules
from engine.shuffle import FastChance, dealt

_ACE = Rank.ACE - Rank.TWO  # as a bare rank inside the engine


@dataclass(slots=True)
class Tally:
    """What was counted over matches of one kind; every field is a number of matches unless it says otherwise.

    rounds      matches by how many rounds they took
    ties        ties by depth, in all matches: how many wars began, how many became double, triple and so on
    reached     matches by the deepest war in them, 0 for none
    carried     pots that nobody at war could win, in all matches (see `Playout`)
    capped      ended by `max_rounds`
    draws       without a single winner
    wins        for each seat
    aces        two seats only: (aces dealt to a seat, whether it won), seats of matches that were won
    """

    seats: int
    games: int = 0
    rounds: Counter[int] = field(default_factory=Counter[int])
    ties: Counter[int] = field(default_factory=Counter[int])
    reached: Counter[int] = field(default_factory=Counter[int])
    carried: int = 0
    capped: int = 0
    draws: int = 0
    wins: Counter[int] = field(default_factory=Counter[int])
    aces: Counter[tuple[int, bool]] = field(default_factory=Counter[tuple[int, bool]])

    def __iadd__(self, other: Tally) -> Tally:
        """Add what was counted elsewhere over matches of the same kind."""
        self.games += other.games
        self.carried += other.carried
        self.capped += other.capped
        self.draws += other.draws
        self.rounds += other.rounds
        self.ties += other.ties
        self.reached += other.reached
        self.wins += other.wins
        self.aces += other.aces
        return self

    @property
    def mean(self) -> float:
        """Mean number of rounds."""
        return sum(rounds * games for rounds, games in self.rounds.items()) / self.games

    @property
    def sd(self) -> float:
        """Standard deviation of the number of rounds, of the sample; 0 for a single match."""
        mean = self.mean
        squares = sum(games * (rounds - mean) ** 2 for rounds, games in self.rounds.items())
        return sqrt(squares / (self.games - 1)) if self.games > 1 else 0.0

    def quantile(self, share: float) -> int:
        """The least number of rounds within which that share of the matches (over 0, at most 1) was over.

        >>> Tally(2, 4, Counter({10: 2, 90: 2})).quantile(0.5)
        10
        """
        wanted = ceil(share * self.games)
        seen = 0
        for rounds in sorted(self.rounds):
            seen += self.rounds[rounds]
            if seen >= wanted:
                return rounds
        raise ValueError(f"There is no quantile {share} of {self.games} matches.")

    def wins_by_aces(self) -> dict[int, float]:
        """Two seats: the share of matches won by who was dealt so many aces, draws left out."""
        dealt_to = {aces: self.aces[aces, True] + self.aces[aces, False] for aces in range(5)}
        return {aces: self.aces[aces, True] / seats for aces, seats in dealt_to.items() if seats}


def simulate(rules: Rules, seats: int, games: int, seed: int) -> Tally:
    """Play so many matches and count; the same seed counts the same.

    Raises RulesError when `seats` cannot play by these rules, or when `games` is no number of matches.
    """
    if games < 1:
        raise RulesError("games", games, f"games must be at least 1, not {games}.")
    rules.check(seats)
    chance = FastChance(seed)
    tally = Tally(seats, games)
    for _ in range(games):
        piles, leftover = dealt(rules, seats, chance)
        ranks = [[card >> 2 for card in pile] for pile in piles]
        under = [card >> 2 for card in leftover] if rules.leftover == "first-pot" else []
        played = play_ranks(rules, ranks, chance, under)
        tally.rounds[played.rounds] += 1
        tally.reached[len(played.ties)] += 1
        for depth, ties in enumerate(played.ties, 1):
            tally.ties[depth] += ties
        tally.carried += played.carried
        tally.capped += played.termination is Termination.ROUND_CAP
        winner = played.winner
        if winner is None:
            tally.draws += 1
            continue
        tally.wins[winner] += 1
        if seats == 2:
            tally.aces.update((pile.count(_ACE), seat == winner) for seat, pile in enumerate(ranks))
    return tally
