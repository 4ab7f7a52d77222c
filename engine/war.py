"""The card game War as a state machine: deal, step, act, outcome. docs/rules.md has the rules in words.

A match is a function of its two seeds, its rules and its acts: the same ones always give the same battles.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import getitem

from engine.cards import CARDS, Card, card_of
from engine.custom import indices_of
from engine.errors import DealError, MatchOver
from engine.facts import Act, Battle, Drop, Outcome, Round, Termination, rounds_of
from engine.muster import muster
from engine.placings import Exit, placings
from engine.pot import arranged
from engine.rules import MAX_SEATS, Rules
from engine.shuffle import Chance, Stream, dealt

__all__ = ["Act", "Battle", "Drop", "Outcome", "Round", "Termination", "War", "rounds_of"]

# Made and looked up once, for the path that nearly every step takes.
_TURNED = [[(seat, card) for card in CARDS] for seat in range(MAX_SEATS)]
_top: Callable[[deque[int]], int] = deque[int].popleft
_item: Callable[[Sequence[tuple[int, Card]], int], tuple[int, Card]] = getitem


class War:
    """One match. Make it with `War.deal`, `War.from_piles` or `War.replay`.

    >>> war = War.deal(Rules(), 2, bytes(32), "example")
    >>> battle = war.step()
    >>> [(seat, str(card)) for seat, card in battle.turned], battle.winner, battle.counts
    ([(0, '6♠'), (1, '9♥')], 1, (25, 27))
    """

    __slots__ = (
        "_acts",
        "_agreed",
        "_alive",
        "_chance",
        "_dealt",
        "_depth",
        "_exits",
        "_hands",
        "_in_any_order",
        "_max_rounds",
        "_outcome",
        "_owners",
        "_piles",
        "_ranks",
        "_rounds",
        "_shuffle",
        "_steps",
        "_table",
        "_tied",
        "_turnable",
        "_under",
        "rules",
    )

    def __init__(self, rules: Rules, piles: Sequence[Sequence[int]], under: Sequence[int], chance: Chance) -> None:
        """`piles` are card indices, top first; `under` lies on the table, nobody's. Nothing is checked."""
        self.rules = rules
        self._max_rounds = rules.max_rounds
        self._in_any_order = rules.order == "random"
        self._chance = chance
        self._shuffle = chance.shuffle
        self._dealt = tuple(tuple(pile) for pile in piles)
        self._piles = [deque(pile) for pile in piles]
        self._keep(range(len(piles)))
        self._under = list(under)  # leftover, carried and forfeited cards: part of the next pot
        self._table: list[int] = []  # this round's cards by depth, at each depth in seat order
        self._owners: list[int] = []  # whose they are, one by one
        self._ranks: dict[int, int] = {}  # while seats tie: the rank that each of them turned last
        self._tied: tuple[int, ...] = ()
        self._depth = 0
        self._steps = 0
        self._rounds = 0
        self._exits: list[Exit] = []
        self._acts: list[Act] = []
        self._agreed: set[int] = set()
        self._outcome: Outcome | None = None

    @classmethod
    def deal(cls, rules: Rules, seats: int, server_seed: bytes, client_seed: str) -> War:
        """A new match for 2 to 6 seats, numbered from the dealer's left.

        Raises RulesError when so many cannot play by these rules, SeedError for seeds of the wrong shape.
        """
        stream = Stream(server_seed, client_seed)
        piles, leftover = dealt(rules, seats, stream)
        return cls(rules, piles, leftover if rules.leftover == "first-pot" else [], stream)

    @classmethod
    def from_piles(
        cls,
        rules: Rules,
        piles: Sequence[Sequence[Card]],
        server_seed: bytes,
        client_seed: str,
        *,
        even: bool = False,
    ) -> War:
        """A match with these piles, top card first; they need not make a whole deck.

        `even` insists on rule 3. `rules.low_rank` describes the deck that is dealt and does not bind custom
        piles. Raises DealError for an empty pile, a card twice, something that is no card and, with `even`,
        piles that differ in size; RulesError and SeedError as `deal` does.
        """
        rules.check(len(piles))
        return cls(rules, indices_of(piles, even), [], Stream(server_seed, client_seed))

    @classmethod
    def replay(
        cls, rules: Rules, seats: int, server_seed: bytes, client_seed: str, acts: Iterable[Act], steps: int
    ) -> War:
        """The match as it stood after `steps` steps and all of `acts`, which are in the order they happened.

        Raises ActError for an act that cannot be, MatchOver when the match ends before, and what `deal`
        raises.
        """
        war = cls.deal(rules, seats, server_seed, client_seed)
        for _ in war.play(acts, steps):
            pass
        return war

    # -- what can be seen ------------------------------------------------------------------------------------

    @property
    def seats(self) -> int:
        """How many seats the match began with, 2 to 6."""
        return len(self._piles)

    @property
    def counts(self) -> tuple[int, ...]:
        """Cards in each seat's pile; what lies on the table is in `pot_size`."""
        return tuple(map(len, self._piles))

    @property
    def piles(self) -> tuple[tuple[Card, ...], ...]:
        """Each seat's pile as it stands, top card first."""
        return tuple(tuple(map(card_of, pile)) for pile in self._piles)

    @property
    def dealt(self) -> tuple[tuple[Card, ...], ...]:
        """Each seat's pile as it was dealt, top card first."""
        return tuple(tuple(map(card_of, pile)) for pile in self._dealt)

    @property
    def pot_size(self) -> int:
        """Cards on the table, face-up and face-down, nobody's among them."""
        return len(self._under) + len(self._table)

    @property
    def steps(self) -> int:
        """Battles played so far."""
        return self._steps

    @property
    def rounds(self) -> int:
        """Rounds begun so far."""
        return self._rounds

    @property
    def alive(self) -> tuple[int, ...]:
        """The seats still in the match. A seat leaves it at the end of a round, or when it forfeits."""
        return tuple(self._alive)

    @property
    def tied(self) -> tuple[int, ...]:
        """The seats now at war; empty when the next step begins a round."""
        return self._tied

    @property
    def agreed(self) -> frozenset[int]:
        """The seats that agree to end here and now; the next step takes it back."""
        return frozenset(self._agreed)

    @property
    def acts(self) -> tuple[Act, ...]:
        """Forfeits and agreements, in the order they happened."""
        return tuple(self._acts)

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, or None while it goes on."""
        return self._outcome

    # -- play ------------------------------------------------------------------------------------------------

    def play(self, acts: Iterable[Act] = (), steps: int | None = None) -> Iterator[Battle]:
        """Play on, with each act after as many steps as it says: up to `steps` steps in all, or to the end.

        Raises ActError for an act that cannot be or whose step never comes, MatchOver when the match ends
        before `steps`.
        """
        if steps is not None and steps < self._steps:
            raise DealError(f"{steps} steps cannot be played: the match is already at step {self._steps}.")
        for act in acts:
            target = act.step if steps is None else min(act.step, steps)
            while self._outcome is None and self._steps < target:
                yield self.step()
            if self._steps < act.step:
                act.refuse(f"the match went no further than step {self._steps}")
            self.act(act)
        while self._outcome is None and self._steps != steps:
            yield self.step()
        if self._outcome is not None and steps is not None and self._steps < steps:
            raise MatchOver(self._outcome.termination, self._steps)

    def act(self, act: Act) -> None:
        """Forfeit, or agree to end early. The last agreement, or the forfeit of all but one, ends the match.

        A forfeiting seat's cards go face-down under the next pot, and its place in a war is gone.
        Raises ActError when the act is not for now or the seat is out, MatchOver after the end.
        """
        if self._outcome is not None:
            raise MatchOver(self._outcome.termination, self._steps)
        if act.step != self._steps:
            act.refuse(f"the match is at step {self._steps}")
        if act.seat not in self._alive:
            act.refuse("that seat is not in the match")
        if act.kind == "forfeit":
            self._forfeit(act.seat)
        elif act.seat in self._agreed:
            act.refuse("that seat has already agreed")
        else:
            self._agreed.add(act.seat)
        self._acts.append(act)
        if self._outcome is None and self._agreed.issuperset(self._alive):
            self._end(Termination.AGREED)

    def step(self) -> Battle:
        """Play one battle: everyone turns a card, or those who tie fight their war. Raises MatchOver."""
        if self._outcome is not None:
            raise MatchOver(self._outcome.termination, self._steps)
        self._steps = step = self._steps + 1
        if self._agreed:
            self._agreed.clear()
        if self._table:
            return self._fight()
        # A new round. Nine steps of ten end right here without a tie, so this path is written out.
        self._rounds = number = self._rounds + 1
        piles = self._piles
        seats = self._alive
        cards = [*map(_top, self._hands)]
        turned = tuple(map(_item, self._turnable, cards))
        if len(cards) == 2:  # the most common, and faster than to sort
            second, highest = cards
            if second > highest:
                second, highest = highest, second
        else:
            *_, second, highest = sorted(cards)
        if second >> 2 == highest >> 2:
            self._table = cards
            self._owners = seats.copy()
            self._depth = 0
            self._ranks = {seat: card >> 2 for seat, card in zip(seats, cards, strict=True)}
            tied = tuple([seat for seat in seats if self._ranks[seat] == highest >> 2])
            return self._settle(turned, (), tied)
        winner = seats[cards.index(highest)]
        if self._in_any_order:  # as `arranged` would, without its call
            pot = self._under + cards if self._under else cards
            self._shuffle(pot)
        else:
            pot = arranged(self.rules.order, cards, seats, self._under, winner, self._chance)
        piles[winner].extend(pot)
        if self._under:
            self._under = []
        counts = tuple(map(len, piles))
        ongoing = all(self._hands) and number < self._max_rounds
        out = () if ongoing else self._end_round(seats, counts)
        fields = (step, number, 0, turned, (), (), winner, 0, len(pot), counts, (), out)
        return Battle._make(fields)  # two thirds of the time of Battle(*fields)

    def _fight(self) -> Battle:
        """The war of the tied seats: who cannot go on drops out, the others lay and turn."""
        self._depth += 1
        plan = muster(self.rules, {seat: len(self._piles[seat]) for seat in self._tied})
        turned: list[tuple[int, Card]] = []
        down: list[tuple[int, int]] = []
        for seat, number, turns in plan.lays:
            pile = self._piles[seat]
            self._table += [pile.popleft() for _ in range(number)]
            self._owners += [seat] * number
            if turns and number:
                card = self._table[-1]
                self._ranks[seat] = card >> 2
                turned.append((seat, card_of(card)))
                number -= 1
            if number:
                down.append((seat, number))
        best = plan.fighters
        if len(best) > 1:
            # Under `keep` a seat may lay none: then the card it turned last goes on comparing.
            ranks = [self._ranks[seat] for seat in best]
            highest = max(ranks)
            best = tuple([seat for seat, rank in zip(best, ranks, strict=True) if rank == highest])
        return self._settle(tuple(turned), tuple(down), best, plan.drops, plan.draw)

    # -- the end of a battle, of a round, of the match -------------------------------------------------------

    def _settle(
        self,
        turned: tuple[tuple[int, Card], ...],
        face_down: tuple[tuple[int, int], ...],
        best: tuple[int, ...],
        drops: tuple[Drop, ...] = (),
        draw: tuple[int, ...] = (),
    ) -> Battle:
        """Several `best` seats are at war, one takes the pot, none leaves it to the next round.

        `draw` are the seats that share the first place if nobody is left with cards.
        """
        winner: int | None = None
        taken = 0
        out: tuple[int, ...] = ()
        self._tied = best if len(best) > 1 else ()
        if not self._tied:
            holders = best or tuple(seat for seat in self._alive if self._piles[seat])
            played = self._owners
            if len(holders) == 1:
                winner = holders[0]
                taken = self._take(winner)
            else:
                self._carry()
            out = self._end_round(played, self.counts, draw)
        return Battle(
            self._steps,
            self._rounds,
            self._depth,
            turned,
            face_down,
            self._tied,
            winner,
            self.pot_size,
            taken,
            self.counts,
            drops,
            out,
        )

    def _take(self, winner: int) -> int:
        """Put the whole pot under the winner's pile, in the order of the rules; returns how many cards."""
        pot = arranged(self.rules.order, self._table, self._owners, self._under, winner, self._chance)
        self._piles[winner].extend(pot)
        self._under = []
        self._table = []
        return len(pot)

    def _carry(self) -> None:
        """Leave the pot on the table for the next round; from now on it is nobody's."""
        self._under += self._table
        self._table = []

    def _end_round(self, played: list[int], counts: tuple[int, ...], draw: tuple[int, ...] = ()) -> tuple[int, ...]:
        """Who has no cards is out; see whether the match is over. Returns the seats that are out now.

        `played` has the owner of each card of this round: a seat that is out has played all that it held.
        """
        out = tuple(seat for seat in self._alive if not counts[seat])
        self._exits.extend(Exit(seat, self._rounds, played.count(seat)) for seat in out)
        self._keep(seat for seat in self._alive if counts[seat])
        if not self._alive:
            # Forfeits can leave nobody of those who tied: then all who held on to the end share the place.
            self._end(Termination.DRAW, draw or out)
        elif len(self._alive) == 1:
            self._end(Termination.ALL_CARDS)
        elif self._rounds >= self._max_rounds:
            self._end(Termination.ROUND_CAP)
        return out

    def _keep(self, alive: Iterable[int]) -> None:
        """From now on only these seats are in the match."""
        self._alive = list(alive)
        self._hands = [self._piles[seat] for seat in self._alive]
        self._turnable = [_TURNED[seat] for seat in self._alive]

    def _forfeit(self, seat: int) -> None:
        # Between two rounds the cards go under the next round's pot, so that is the round of this exit.
        in_round = bool(self._table)
        held = len(self._piles[seat]) + (self._owners.count(seat) if in_round else 0)
        self._exits.append(Exit(seat, self._rounds + (not in_round), held, forfeited=True))
        self._keep(other for other in self._alive if other != seat)
        self._agreed.discard(seat)
        self._tied = tuple(other for other in self._tied if other != seat)
        self._under.extend(self._piles[seat])
        self._piles[seat].clear()
        if len(self._alive) == 1:
            self._take(self._alive[0])
            self._end(Termination.FORFEIT)

    def _end(self, termination: Termination, first: tuple[int, ...] = ()) -> None:
        self._tied = ()
        counts = self.counts
        ranking = placings(counts, self._alive, self._exits, first)
        self._outcome = Outcome(termination, ranking, counts, self._rounds, self._steps)
