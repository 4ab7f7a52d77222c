"""What must hold in every match, over random rules, seats, deals and acts."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import CARDS
from engine.errors import EngineError
from engine.facts import Act, Battle, rounds_of
from engine.proof import Proof
from engine.rules import Rules
from engine.war import Termination, War

SEED = bytes(range(32))

rules_for_many = st.builds(
    Rules,
    face_down=st.integers(0, 5),
    shortage=st.sampled_from(["last", "lose"]),
    order=st.sampled_from(["random", "winner-first", "loser-first", "table"]),
    low_rank=st.integers(2, 12),
    leftover=st.sampled_from(["first-pot", "aside"]),
    max_rounds=st.sampled_from([1, 2, 30, 300]),
)
rules_for_two = st.builds(
    Rules,
    face_down=st.integers(0, 5),
    shortage=st.sampled_from(["last", "lose", "equal", "keep"]),
    order=st.sampled_from(["random", "winner-first", "loser-first", "table"]),
    low_rank=st.integers(2, 13),
    max_rounds=st.sampled_from([1, 2, 30, 300]),
)
# (how many steps later, which seat modulo those still in, what)
happenings = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 5), st.sampled_from(["forfeit", "agree", "agree"])), max_size=12
)


@st.composite
def dealt_wars(draw: st.DrawFn) -> Callable[[], War]:
    seats = draw(st.integers(2, 6))
    rules = draw(rules_for_two if seats == 2 else rules_for_many)
    client = draw(st.text("0123456789", min_size=1, max_size=4))
    return lambda: War.deal(rules, seats, SEED, client)


@st.composite
def custom_wars(draw: st.DrawFn) -> Callable[[], War]:
    seats = draw(st.integers(2, 6))
    rules = draw(rules_for_two if seats == 2 else rules_for_many)
    deck = draw(st.permutations(range(draw(st.integers(seats, 24)))))
    cuts = draw(st.lists(st.integers(1, len(deck) - 1), min_size=seats - 1, max_size=seats - 1, unique=True))
    ends = [0, *sorted(cuts), len(deck)]
    piles = [[CARDS[card] for card in deck[start:end]] for start, end in itertools.pairwise(ends)]
    return lambda: War.from_piles(rules, piles, SEED, "custom")


def play_with(war: War, happens: list[tuple[int, int, str]]) -> list[Battle]:
    """Play to the end; what happens, happens to somebody who is still in and is refused only where it must be."""
    battles: list[Battle] = []
    for later, seat, kind in happens:
        for _ in range(later):
            if war.outcome is None:
                battles.append(war.step())
        if war.outcome is not None:
            break
        chosen = war.alive[seat % len(war.alive)]
        if kind == "agree" and chosen in war.agreed:
            continue
        war.act(Act(war.steps, chosen, kind))  # type: ignore[arg-type]
    return [*battles, *war.play()]


def assert_sound(war: War, battles: list[Battle], in_play: int) -> None:
    outcome = war.outcome
    assert outcome is not None
    seats = range(war.seats)
    # Cards are conserved, each of them, and what the facts say about the pot is what lies there.
    assert sum(war.counts) + war.pot_size == in_play
    held = [card for pile in war.piles for card in pile]
    assert len(set(held)) == len(held) == sum(war.counts)
    for battle in battles:
        assert sum(battle.counts) + battle.pot <= in_play
        assert (battle.taken > 0) == (battle.winner is not None)
        assert not (battle.tied and (battle.winner is not None or battle.out))
        laid = {seat for seat, _ in battle.turned} | {seat for seat, _ in battle.face_down}
        assert set(battle.tied) <= set(seats)
        assert battle.winner is None or battle.counts[battle.winner] >= battle.taken
        assert all(battle.counts[seat] == 0 for seat in battle.out)
        assert laid <= set(seats)
    # Steps and rounds are numbered without a gap.
    assert [battle.step for battle in battles] == list(range(1, outcome.steps + 1))
    grouped = list(rounds_of(battles))
    assert [whole.number for whole in grouped] == list(range(1, outcome.rounds + 1))
    for whole in grouped:
        assert [battle.depth for battle in whole.battles] == list(range(len(whole.battles)))
        assert all(battle.tied for battle in whole.battles[:-1])
    # Placings are a ranking: sorted, each is 1 + the number of better ones.
    ranked = sorted(outcome.placings)
    assert ranked == [1 + ranked.index(place) for place in ranked]
    results = [outcome.result(seat) for seat in seats]
    assert results.count("win") == (outcome.winner is not None)
    assert (results.count("draw") >= 2) == (outcome.winner is None)
    assert outcome.counts == war.counts
    # Each ending is what it says.
    with_cards = [seat for seat in seats if outcome.counts[seat]]
    match outcome.termination:
        case Termination.ALL_CARDS:
            assert [outcome.winner] == with_cards == list(war.alive)
            assert war.pot_size == 0
        case Termination.FORFEIT:
            assert [outcome.winner] == list(war.alive)
            assert war.acts[-1].kind == "forfeit"
            assert outcome.counts[war.alive[0]] == in_play
        case Termination.DRAW:
            assert with_cards == []
            assert outcome.placings.count(1) > 1
        case Termination.AGREED:
            assert war.agreed == set(war.alive)
        case Termination.ROUND_CAP:
            assert outcome.rounds == war.rules.max_rounds


@given(dealt_wars(), happenings)
def test_a_dealt_match_is_sound_and_replays(make: Callable[[], War], happens: list[tuple[int, int, str]]) -> None:
    war = make()
    in_play = sum(war.counts) + war.pot_size
    battles = play_with(war, happens)
    assert_sound(war, battles, in_play)
    again = make()
    assert list(again.play(war.acts, war.steps)) == battles
    assert (again.outcome, again.piles, again.acts) == (war.outcome, war.piles, war.acts)


@given(custom_wars(), happenings)
def test_a_custom_match_is_sound_and_replays(make: Callable[[], War], happens: list[tuple[int, int, str]]) -> None:
    war = make()
    in_play = sum(war.counts)
    battles = play_with(war, happens)
    assert_sound(war, battles, in_play)
    again = make()
    assert list(again.play(war.acts, war.steps)) == battles


@given(dealt_wars(), st.integers(0, 40))
def test_stopped_and_replayed_it_goes_on_as_if_it_had_not_stopped(make: Callable[[], War], steps: int) -> None:
    war = make()
    for _ in range(steps):
        if war.outcome is None:
            war.step()
    again = make()
    for _ in again.play((), war.steps):
        pass
    assert (again.piles, again.tied, again.pot_size) == (war.piles, war.tied, war.pot_size)
    assert list(again.play()) == list(war.play())


junk = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.lists(st.integers(), max_size=3)
)
cards = st.lists(st.lists(st.sampled_from(CARDS) | junk, max_size=5), max_size=8)


@settings(max_examples=200)
@given(
    st.dictionaries(st.sampled_from([*Rules().to_dict(), "jokers"]), junk | st.sampled_from(["lose", "table"])),
    cards,
    st.lists(st.lists(junk | st.sampled_from(["forfeit", "agree"]), max_size=4), max_size=3),
    st.integers(-3, 2000) | st.none(),
)
def test_any_input_gives_a_result_or_an_engine_error(
    rules: dict[str, Any], piles: list[list[Any]], acts: list[list[Any]], steps: int | None
) -> None:
    refusal = "."
    try:
        war = War.from_piles(Rules.from_dict(rules, partial=True), piles, SEED, "x")
        assert len(list(war.play([Act.parse(act) for act in acts], steps))) == war.steps
    except EngineError as error:
        refusal = str(error)
    assert refusal.endswith(".")
    assert len(refusal) < 400


@given(dealt_wars(), happenings, st.booleans(), st.data())
def test_a_proof_verifies_and_no_other_text_does(
    make: Callable[[], War], happens: list[tuple[int, int, str]], before: bool, data: st.DataObject
) -> None:
    war = make()
    play_with(war, happens)
    # The client seed is only known to the war's maker; deal anew with one that is known here.
    again = War.deal(war.rules, war.seats, SEED, "proof")
    play_with(again, happens)
    proof = Proof.of(war.rules, war.seats, SEED, "proof", again.acts, again.steps, committed_before=before)
    text = proof.to_bytes()
    assert Proof.from_bytes(text) == proof
    assert proof.verify().outcome == again.outcome
    place = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.integers(0, 255).filter(lambda byte: byte != text[place]))
    changed = text[:place] + bytes([other]) + text[place + 1 :]
    try:
        Proof.from_bytes(changed).verify()
    except EngineError:
        return
    raise AssertionError(f"byte {place} can be {other}")
