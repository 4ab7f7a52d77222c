"""Chances of winning: what must hold for any cards, and how near they come to playouts."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.odds import Errors, errors_of, state_of, true_chances
from engine.cards import CARDS, Card, Rank
from engine.errors import DealError
from engine.facts import Act
from engine.odds import chances, war_chances
from engine.rules import PRESETS, Rules
from engine.shuffle import FastChance
from engine.war import War

MakeWar = Callable[..., War]
SEED = bytes(range(32))
ACES = [card for card in CARDS if card.rank is Rank.ACE]
OTHERS = [card for card in CARDS if card.rank is not Rank.ACE]


@st.composite
def splits(draw: st.DrawFn, deck: list[Card]) -> list[list[Card]]:
    """Some of these cards in two to six piles, empty ones among them, but not all of them empty."""
    seats = draw(st.integers(2, 6))
    cards = draw(st.permutations(deck))[: draw(st.integers(1, len(deck)))]
    cuts = sorted(draw(st.lists(st.integers(0, len(cards)), min_size=seats - 1, max_size=seats - 1)))
    return [cards[start:end] for start, end in itertools.pairwise([0, *cuts, len(cards)])]


def assert_chances(said: tuple[float, ...]) -> None:
    assert sum(said) == pytest.approx(1)
    assert all(0 <= chance <= 1 for chance in said)


# -- what must hold -----------------------------------------------------------------------------------------------


@given(splits(list(CARDS)), st.sampled_from(list(PRESETS.values())))
def test_chances_make_one_and_only_seats_with_cards_have_any(piles: list[list[Card]], rules: Rules) -> None:
    said = chances(piles, rules)
    assert_chances(said)
    assert [chance > 0 for chance in said] == [bool(pile) for pile in piles]
    assert said == chances([pile[::-1] for pile in piles], rules) or said == pytest.approx(
        chances([pile[::-1] for pile in piles], rules)
    )


@given(splits(OTHERS), st.integers(0, 5), st.integers(0, 5), st.integers(1, 4))
def test_an_ace_more_is_a_better_chance(piles: list[list[Card]], seat: int, other: int, aces: int) -> None:
    seat, other = seat % len(piles), other % len(piles)
    piles[other] += ACES[1:aces]
    before = chances(piles)
    with_new_ace = [pile + ACES[:1] if place == seat else pile for place, pile in enumerate(piles)]
    gained = chances(with_new_ace)
    assert gained[seat] > before[seat] or before[seat] == 1
    # Taken from another seat it is worth as much to the one as it costs the other, or more.
    if other != seat and aces > 1:
        taken = [pile.copy() for pile in piles]
        taken[seat].append(taken[other].pop())
        after = chances(taken)
        assert after[seat] > before[seat]
        assert after[other] < before[other]


def test_with_fewer_cards_face_down_the_aces_count_for_more() -> None:
    piles = [[*ACES, *OTHERS[:12]], OTHERS[12:]]
    aces = [chances(piles, Rules(face_down=number))[0] for number in (1, 3)]
    assert aces[0] > aces[1] + 0.1


def test_one_seat_with_cards_has_won() -> None:
    assert chances([[], [CARDS[0]], []]) == (0, 1, 0)


def test_without_any_card_there_is_no_chance() -> None:
    with pytest.raises(DealError, match="No seat has cards"):
        chances([[], []])


def test_equal_cards_are_equal_chances() -> None:
    assert chances([CARDS[0::4], CARDS[1::4], CARDS[2::4], CARDS[3::4]]) == pytest.approx([0.25] * 4)


happenings = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 5), st.sampled_from(["forfeit", "agree"])))


@settings(max_examples=80)
@given(
    st.integers(2, 6),
    st.sampled_from(["last", "lose", "equal", "keep"]),
    st.integers(0, 5),
    st.sampled_from([2, 7, 12]),
    st.sampled_from(["first-pot", "aside"]),
    st.integers(0, 999),
    happenings,
)
def test_every_step_of_every_match_has_its_chances(
    seats: int,
    shortage: str,
    face_down: int,
    low_rank: int,
    leftover: str,
    number: int,
    happens: list[tuple[int, int, str]],
) -> None:
    if seats > 2 and shortage in ("equal", "keep"):
        shortage = "last"
    rules = Rules(
        face_down=face_down,
        shortage=shortage,  # type: ignore[arg-type]
        low_rank=low_rank,
        leftover=leftover,  # type: ignore[arg-type]
        max_rounds=60,
    )
    war = War.deal(rules, seats, SEED, str(number))
    acts = iter(happens)
    while war.outcome is None:
        for later, seat, kind in itertools.islice(acts, 1):
            for _ in range(later):
                if war.outcome is None:
                    assert_chances_of(war)
                    war.step()
            chosen = war.alive[seat % len(war.alive)] if war.alive else 0
            if war.outcome is None and not (kind == "agree" and chosen in war.agreed):
                war.act(Act(war.steps, chosen, kind))  # type: ignore[arg-type]
                assert_chances_of(war)
        if war.outcome is None:
            war.step()
            assert_chances_of(war)


def assert_chances_of(war: War) -> None:
    said = war_chances(war)
    assert_chances(said)
    for seat, chance in enumerate(said):
        if chance:
            assert seat in war.alive or war.outcome is not None
    if war.outcome is not None:
        assert [chance > 0 for chance in said] == [place == 1 for place in war.outcome.placings]
    elif not war.tied:
        assert all(said[seat] for seat in war.alive if war.counts[seat])


# -- what lies on the table ---------------------------------------------------------------------------------------


def test_between_rounds_the_chances_are_those_of_the_piles() -> None:
    war = War.deal(Rules(), 2, SEED, "1")
    assert war_chances(war) == pytest.approx(chances(war.piles))


def test_at_a_war_the_table_is_shared_as_it_is_likely_to_be_won(make_war: MakeWar) -> None:
    # The fives tie again: what lies on the table and both fives go to either.
    war = make_war("KC 9C", "KD 8C", "AC 5C", "AD 5D", face_down=0)
    war.step()
    assert war.tied == (2, 3)
    piles = [[Card.parse(code) for code in pile.split()] for pile in ("9C", "8C", "5C AC KC", "5D AD KD")]
    assert war_chances(war) == pytest.approx(chances(piles, war.rules))
    # The three beats the two: seat 3 takes it all, and seat 2 is out.
    war = make_war("KC 9C", "KD 8C", "AC 2C", "AD 3C", face_down=0)
    war.step()
    said = war_chances(war)
    assert said[2] < 0.01
    assert said[3] > 0.9


def test_leftover_cards_are_shared_by_all_who_are_in() -> None:
    war = War.deal(Rules(), 6, SEED, "1")
    assert war.pot_size == 4
    low, high = min(chances(war.piles)), max(chances(war.piles))
    said = war_chances(war)
    assert low <= min(said) <= max(said) <= high


def test_who_cannot_go_on_in_a_war_is_out(make_war: MakeWar) -> None:
    # Seat 1 has no card left for the war.
    war = make_war("AC 2C 3C", "AD", "KC 4C")
    war.step()
    assert war.tied == (0, 1)
    said = war_chances(war)
    assert said[1] == 0
    assert said[0] > 0.9
    # Under `lose`, too few are as bad as none, and what is left of them goes into the pot.
    war = make_war("AC 2C 3C 4C 5C", "AD AH", "KC 4D", shortage="lose")
    war.step()
    assert war_chances(war)[1] == 0


def test_tied_with_their_last_cards_they_draw_or_leave_it_to_the_others(make_war: MakeWar) -> None:
    war = make_war("AC", "AD")
    war.step()
    assert war_chances(war) == (0.5, 0.5)
    war = make_war("AC", "AD", "2C 3C")
    war.step()
    assert war_chances(war) == (0, 0, 1)


def test_under_keep_who_has_no_card_left_fights_on(make_war: MakeWar) -> None:
    war = make_war("AC", "AD 2C 3C", shortage="keep")
    war.step()
    assert min(war_chances(war)) > 0.4


def test_when_it_is_over_it_is_certain(make_war: MakeWar) -> None:
    war = make_war("AC", "KC", "KD")
    list(war.play())
    assert war_chances(war) == (1, 0, 0)
    war = make_war("AC 2C", "KC AD")
    list(war.play([Act(0, 0, "agree"), Act(0, 1, "agree")]))
    assert war_chances(war) == (0.5, 0.5)
    war = make_war("AC 2C", "KC AD")
    list(war.play([Act(0, 0, "forfeit")]))
    assert war_chances(war) == (0, 1)


# -- against playouts ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "states", "limit"), [(2, 20, 0.01), (4, 10, 0.02)])
def test_chances_agree_with_playouts(seats: int, states: int, limit: float) -> None:
    """With 250 playouts a state most of the error is noise, which is known and taken off; what is left may exceed
    the limit by four standard errors."""
    errors = errors_of(Rules(), seats, 250, range(20_000_000, 20_000_000 + states))
    excess = [error**2 - noise for error, noise in zip(errors.values, errors.noise, strict=True)]
    mean = sum(excess) / len(excess)
    spread = sum((value - mean) ** 2 for value in excess) ** 0.5 / len(excess)
    assert mean < limit**2 + 4 * spread
    assert mean < 0.02**2, "four standard errors are too kind a judge here"


def test_the_number_of_cards_alone_would_not_pass() -> None:
    """So that the test above can fail."""
    values: list[float] = []
    for number in range(20_000_000, 20_000_010):
        state = state_of(Rules(), 2, number)
        true = true_chances(state, 100, FastChance(number))
        total = sum(state.war.counts)
        values += [state.war.counts[seat] / total - chance for seat, chance in zip(state.alive, true, strict=True)]
    assert Errors(tuple(values), (0.0,) * len(values)).rmse > 0.05
