"""The card game War as a state machine: deal, step, act, outcome. docs/rules.md has the rules in words.

A match is a function of its two seeds, its rules and its acts: the same ones always give the same battles.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from engine.cards import Card, card_of
from engine.errors import DealError, MatchOver
from engine.facts import Act, Battle, Drop, Outcome, Round, Termination, rounds_of
from engine.placings import Exit, placings
from engine.rules import MAX_SEATS, Rules
from engine.shuffle import Stream, dealt

__all__ = ["Act", "Battle", "Drop", "Outcome", "Round", "Termination", "War", "rounds_of"]


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
        "_dealt",
        "_depth",
        "_exits",
        "_faces",
        "_held",
        "_outcome",
        "_owners",
        "_piles",
        "_rounds",
        "_steps",
        "_stream",
        "_table",
        "_tied",
        "_under",
        "rules",
    )

    def __init__(
        self, rules: Rules, piles: Sequence[Sequence[int]], under: Sequence[int], stream: Stream
    ) -> None:
        """`piles` are card indices, top first; `under` lies on the table, nobody's. Nothing is checked."""
        self.rules = rules
        self._stream = stream
        self._dealt = tuple(tuple(pile) for pile in piles)
        self._piles = [deque(pile) for pile in piles]
        self._alive = list(range(len(piles)))
        self._under = list(under)  # leftover, carried and forfeited cards: part of the next pot
        self._table: list[int] = []  # this round's cards by depth, at each depth in seat order
        self._owners: list[int] = []  # whose they are, one by one
        self._faces: dict[int, int] = {}  # the card that each seat turned last in this round
        self._tied: tuple[int, ...] = ()
        self._depth = 0
        self._steps = 0
        self._rounds = 0
        self._held = self.counts  # before the current round: it ranks who goes out in the same one
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
        """A match with these piles, top card first. They need not make a whole deck; `even` insists on rule
        3.

        `rules.low_rank` describes the deck that is dealt and does not bind custom piles. Raises DealError
        for an empty pile, a card twice, something that is no card and, with `even`, piles that differ in
        size; RulesError and SeedError as `deal` does.
        """
        rules.check(len(piles))
        seen: set[Card] = set()
        for seat, pile in enumerate(piles):
            if not pile:
                raise DealError(f"Seat {seat} has no cards; give every seat at least one.", seat)
            for card in pile:
                if not isinstance(card, Card):  # pyright: ignore[reportUnnecessaryIsInstance]
                    raise DealError(f"Seat {seat} holds {card!r:.40}, which is no card.", seat)
                if card in seen:
                    raise DealError(f"{card} is dealt twice; there is one of each card.", seat)
                seen.add(card)
        if even and len({len(pile) for pile in piles}) > 1:
            sizes = ", ".join(str(len(pile)) for pile in piles)
            raise DealError(f"The piles are uneven ({sizes} cards); give everyone the same number.")
        indices = [[card.index for card in pile] for pile in piles]
        return cls(rules, indices, [], Stream(server_seed, client_seed))

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
        pending = deque(acts)
        while True:
            while pending and pending[0].step <= self._steps:
                self.act(pending.popleft())
            if self._steps == steps or (steps is None and self._outcome is not None):
                break
            yield self.step()
        if pending:
            pending[0].refuse(f"the match went no further than step {self._steps}")

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
        self._steps += 1
        self._agreed.clear()
        if self._table:
            return self._fight()
        self._rounds += 1
        self._depth = 0
        return self._turn(self._alive, dict.fromkeys(self._alive, 1), ())

    def _fight(self) -> Battle:
        """The war of the tied seats: who cannot go on drops out, the others lay and turn."""
        self._depth += 1
        need = self.rules.face_down + 1
        shortage = self.rules.shortage
        size = {seat: len(self._piles[seat]) for seat in self._tied}
        fighters = list(self._tied)
        drops: list[Drop] = []
        # A seat that forfeits leave alone at war has won it, cards or not: nothing is left to turn for.
        if len(fighters) > 1 and (shortage != "keep" or not any(size.values())):
            drops = [Drop(seat, "no-cards") for seat in fighters if not size[seat]]
            fighters = [seat for seat in fighters if size[seat]]
        if len(fighters) > 1 and shortage == "lose":
            return self._fight_or_lose(fighters, size, drops)
        if len(fighters) <= 1:
            return self._settle((), (), tuple(fighters), tuple(drops), draw=self._tied)
        if shortage == "equal":
            need = min(need, *(size[seat] for seat in fighters))
        lays = {seat: min(need, size[seat]) for seat in fighters}
        return self._turn(fighters, lays, tuple(drops))

    def _fight_or_lose(self, fighters: list[int], size: dict[int, int], drops: list[Drop]) -> Battle:
        """Shortage `lose`: who cannot lay the full number is out; if that is all, the most cards win."""
        need = self.rules.face_down + 1
        able = [seat for seat in fighters if size[seat] >= need]
        best = able
        if not able:
            most = max(size[seat] for seat in fighters)
            best = [seat for seat in fighters if size[seat] == most]
        winners = able or (best if len(best) == 1 else [])
        short = [seat for seat in fighters if seat not in winners]
        for seat in short:
            self._lay(seat, size[seat])
        drops = sorted([*drops, *(Drop(seat, "short") for seat in short)])
        down = tuple((seat, size[seat]) for seat in short)
        if len(winners) <= 1:
            return self._settle((), down, tuple(winners), tuple(drops), draw=tuple(best))
        return self._turn(winners, dict.fromkeys(winners, need), tuple(drops), down)

    def _turn(
        self,
        fighters: Sequence[int],
        lays: dict[int, int],
        drops: tuple[Drop, ...],
        down: tuple[tuple[int, int], ...] = (),
    ) -> Battle:
        """Each fighter lays that many cards, the last one face-up, and the highest of the faces counts.

        Under `keep` a fighter may lay none: the card it turned last goes on comparing.
        """
        turned: list[tuple[int, Card]] = []
        hidden = list(down)
        for seat in fighters:
            number = lays[seat]
            if not number:
                continue
            self._lay(seat, number)
            card = self._table[-1]
            self._faces[seat] = card
            turned.append((seat, card_of(card)))
            if number > 1:
                hidden.append((seat, number - 1))
        ranks = {seat: self._faces[seat] >> 2 for seat in fighters}
        highest = max(ranks.values())
        best = tuple(seat for seat in fighters if ranks[seat] == highest)
        return self._settle(tuple(turned), tuple(sorted(hidden)), best, drops, draw=())

    def _lay(self, seat: int, number: int) -> None:
        """Move the top cards of a pile to the table."""
        pile = self._piles[seat]
        self._table.extend(pile.popleft() for _ in range(number))
        self._owners.extend([seat] * number)

    # -- the end of a battle, of a round, of the match -------------------------------------------------------

    def _settle(
        self,
        turned: tuple[tuple[int, Card], ...],
        down: tuple[tuple[int, int], ...],
        best: tuple[int, ...],
        drops: tuple[Drop, ...],
        draw: tuple[int, ...],
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
            if len(holders) == 1:
                winner = holders[0]
                taken = self._take(winner)
            else:
                self._carry()
            out = self._end_round(draw)
        return Battle(
            self._steps,
            self._rounds,
            self._depth,
            turned,
            down,
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
        pot = self._arranged(winner)
        self._piles[winner].extend(pot)
        self._clear([])
        return len(pot)

    def _arranged(self, winner: int) -> list[int]:
        """The pot as it goes to the bottom, first card first."""
        order = self.rules.order
        if order == "table" or order == "random":
            pot = self._under + self._table
            if order == "random":
                self._stream.shuffle(pot)
            return pot
        # The table lies in the order of play, and sorting is stable: each seat's cards stay as played.
        place_of_winner = -1 if order == "winner-first" else MAX_SEATS
        places = [place_of_winner if owner == winner else owner for owner in self._owners]
        by_owner = sorted(range(len(places)), key=places.__getitem__)
        return [self._table[index] for index in by_owner] + self._under

    def _carry(self) -> None:
        """Leave the pot on the table for the next round; from now on it is nobody's."""
        self._clear(self._under + self._table)

    def _clear(self, under: list[int]) -> None:
        self._under = under
        self._table = []
        self._owners = []
        self._faces = {}

    def _end_round(self, draw: tuple[int, ...]) -> tuple[int, ...]:
        """Who has no cards is out; see whether the match is over. Returns the seats that are out now."""
        out = tuple(seat for seat in self._alive if not self._piles[seat])
        for seat in out:
            self._alive.remove(seat)
            self._exits.append(Exit(seat, self._rounds, self._held[seat]))
        if not self._alive:
            # Forfeits can leave nobody of those who tied: then all who held on to the end share the place.
            self._end(Termination.DRAW, draw or out)
        elif len(self._alive) == 1:
            self._end(Termination.ALL_CARDS)
        elif self._rounds >= self.rules.max_rounds:
            self._end(Termination.ROUND_CAP)
        self._held = self.counts
        return out

    def _forfeit(self, seat: int) -> None:
        # Between two rounds the cards go under the next round's pot, so that is the round of this exit.
        ends_in = self._rounds if self._table else self._rounds + 1
        self._exits.append(Exit(seat, ends_in, self._held[seat], forfeited=True))
        self._alive.remove(seat)
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
