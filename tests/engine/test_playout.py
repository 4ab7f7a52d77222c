"""`playout` is `War` without facts: equal over every choice of the rules and every number of seats."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import CARDS
from engine.facts import rounds_of
from engine.playout import Playout, play_ranks, playout
from engine.rules import Rules
from engine.shuffle import FastChance, Stream
from engine.simulate import Tally, simulate
from engine.war import Battle, War

SEED = bytes(range(32))
SHORTAGES = {2: ("last", "lose", "equal", "keep")} | dict.fromkeys((3, 4, 5, 6), ("last", "lose"))
ORDERS = ("random", "winner-first", "loser-first", "table")


def assert_equal(war: War, battles: list[Battle], played: Playout) -> None:
    outcome = war.outcome
    assert outcome is not None
    assert played.termination is outcome.termination
    assert played.placings == outcome.placings
    assert (played.counts, played.rounds, played.winner) == (outcome.counts, outcome.rounds, outcome.winner)
    unwon = [
        battle
        for before, battle in itertools.pairwise(battles)
        if before.tied and not battle.tied and battle.winner not in before.tied
    ]
    assert played.carried == len(unwon) >= sum(battle.carried for battle in battles)
    wars = [whole.wars for whole in rounds_of(battles)]
    assert played.ties == tuple(sum(ties >= depth for ties in wars) for depth in range(1, max(wars) + 1))
    assert played.wars == sum(wars)
    assert played.piles == tuple(tuple(card.rank - 2 for card in pile) for pile in war.piles)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("order", ORDERS)
def test_it_is_equal_over_every_choice(seats: int, order: str) -> None:
    choices = itertools.product(SHORTAGES[seats], range(6), (2, 9, 12), ("first-pot", "aside"))
    for number, (shortage, face_down, low_rank, leftover) in enumerate(choices):
        rules = Rules(
            face_down=face_down,
            shortage=shortage,
            order=order,  # type: ignore[arg-type]
            low_rank=low_rank,
            leftover=leftover,
            max_rounds=150,
        )
        war = War.deal(rules, seats, SEED, str(number))
        assert_equal(war, list(war.play()), playout(rules, seats, Stream(SEED, str(number))))


@st.composite
def small_deals(draw: st.DrawFn) -> tuple[Rules, list[list[int]]]:
    """Few cards of few ranks in uneven piles: where ties, shortages and carried pots are the rule."""
    seats = draw(st.integers(2, 6))
    ranks = draw(st.integers(1, 4))
    deck = draw(st.permutations(range(max(ranks * 4, seats))))
    cuts = sorted(draw(st.lists(st.integers(1, len(deck) - 1), min_size=seats - 1, max_size=seats - 1, unique=True)))
    rules = Rules(
        face_down=draw(st.integers(0, 5)),
        shortage=draw(st.sampled_from(SHORTAGES[seats])),
        order=draw(st.sampled_from(ORDERS)),  # type: ignore[arg-type]
        max_rounds=draw(st.sampled_from((1, 5, 60))),
    )
    return rules, [deck[start:end] for start, end in itertools.pairwise([0, *cuts, len(deck)])]


@given(small_deals(), st.integers(0, 1000))
def test_it_is_equal_on_small_deals_where_everything_happens(deal: tuple[Rules, list[list[int]]], number: int) -> None:
    rules, piles = deal
    war = War.from_piles(rules, [[CARDS[card] for card in pile] for pile in piles], SEED, str(number))
    battles = list(war.play())
    ranks = [[card >> 2 for card in pile] for pile in piles]
    assert_equal(war, battles, play_ranks(rules, ranks, Stream(SEED, str(number))))


def test_the_small_deals_do_hold_what_they_are_for() -> None:
    """Carried pots, draws and drops of both kinds happen in such deals; else the test above would prove little."""
    seen: set[str] = set()
    source = random.Random(1)
    for number in range(300):
        deck = source.sample(range(12), 12)
        piles = [[CARDS[card] for card in pile] for pile in (deck[:1], deck[1:3], deck[3:8], deck[8:])]
        rules = Rules(shortage=source.choice(SHORTAGES[4]), face_down=source.randrange(4), max_rounds=50)
        war = War.from_piles(rules, piles, SEED, str(number))
        for battle in war.play():
            seen.update(drop.reason for drop in battle.dropped)
            seen.update(["carried"] * battle.carried)
        seen.add(war.outcome.termination)
    assert seen >= {"no-cards", "short", "carried", "draw", "all-cards"}


def test_a_playout_leaves_the_given_piles_alone() -> None:
    piles, under = [[1, 2, 3], [3, 2, 1]], [5]
    play_ranks(Rules(), piles, FastChance(1), under)
    assert (piles, under) == ([[1, 2, 3], [3, 2, 1]], [5])


def test_tallies_count_what_the_playouts_were_and_add_up() -> None:
    rules = Rules(low_rank=9, face_down=1)
    whole = simulate(rules, 3, 200, seed=5)
    chance = FastChance(5)
    played = [playout(rules, 3, chance) for _ in range(200)]
    rounds = sorted(each.rounds for each in played)
    assert sorted(whole.rounds.elements()) == rounds
    assert whole.mean == pytest.approx(sum(rounds) / 200)
    assert (whole.quantile(0.5), whole.quantile(0.95), whole.quantile(1)) == (rounds[99], rounds[189], rounds[-1])
    assert whole.ties.total() == sum(each.wars for each in played)
    assert [whole.wins[seat] for seat in range(3)] == [sum(each.winner == seat for each in played) for seat in range(3)]
    assert whole.draws == sum(each.winner is None for each in played)
    total = Tally(3)
    for seed in (1, 2):
        total += simulate(rules, 3, 50, seed)
    again = simulate(rules, 3, 50, 2)
    again += simulate(rules, 3, 50, 1)
    assert total == again
    assert total.games == 100 == total.reached.total() == total.wins.total() + total.draws
