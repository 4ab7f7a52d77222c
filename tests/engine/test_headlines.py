"""One headline for a match: the rarest thing in it, and a rarity only where it was measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from typing import Any

import pytest

from benchmarks.rarity import distances, rounded, watch_all
from engine.facts import Act, Battle, Outcome, Termination
from engine.headlines import BOUNDS, ONE_IN, RARE, Headline, Kind, headline, sights
from engine.rules import PRESETS, Rules
from engine.story import Holding, LastStand, LongWar, Story, Streak, WideWar, story_of
from engine.war import War

PlayOut = Callable[..., tuple[War, list[Battle]]]

# A match in which nothing happened that is worth a word.
OUTCOME = Outcome(Termination.ALL_CARDS, (1, 2), (52, 0), 200, 210)
STORY = Story(
    biggest_pot=None,
    longest_war=LongWar(round=9, ties=1, winner=0),
    widest_war=WideWar(round=9, seats=(0, 1)),
    first_blood=None,
    streak=Streak(seat=0, rounds=6, first=30),
    lead_changes=4,
    led=(150, 45),
    behind=20,
    turning_point=None,
    escape=Holding(seat=0, cards=15, round=12),
    near_miss=Holding(seat=1, cards=37, round=12),
    last_stand=LastStand(seat=1, cards=3, round=190, rounds=10, peak=6),
    margin=52,
    aces_dealt=(2, 2),
    aces_taken=(1, 2),
    carried=0,
    forfeits=0,
)
SIX = replace(STORY, led=(30, 30, 30, 30, 30, 30), aces_dealt=(1, 1, 1, 1, 0, 0))
SIX_OUTCOME = replace(OUTCOME, placings=(1, 2, 3, 4, 5, 6), counts=(52, 0, 0, 0, 0, 0))

RARITIES: list[tuple[Kind, dict[str, Any], Headline]] = [
    (Kind.ONE_CARD, {"escape": Holding(0, 1, 120)}, Headline(Kind.ONE_CARD, 0, 1, 120)),
    (Kind.FEW_CARDS, {"escape": Holding(0, 3, 120)}, Headline(Kind.FEW_CARDS, 0, 3, 120)),
    (Kind.NO_ACES, {"aces_dealt": (0, 4)}, Headline(Kind.NO_ACES, 0, 0)),
    (Kind.NEVER_BEHIND, {"behind": 0}, Headline(Kind.NEVER_BEHIND, 0, 200)),
    (Kind.QUADRUPLE_WAR, {"longest_war": LongWar(7, 5, 1)}, Headline(Kind.QUADRUPLE_WAR, 1, 5, 7)),
    (Kind.TRIPLE_WAR, {"longest_war": LongWar(7, 3, 1)}, Headline(Kind.TRIPLE_WAR, 1, 3, 7)),
    (Kind.SEESAW, {"lead_changes": 40}, Headline(Kind.SEESAW, None, 40)),
    (Kind.STREAK, {"streak": Streak(1, 17, 55)}, Headline(Kind.STREAK, 1, 17, 55)),
    (Kind.LAST_STAND, {"last_stand": LastStand(1, 2, 20, 180, 30)}, Headline(Kind.LAST_STAND, 1, 180, 20)),
]


@pytest.mark.parametrize(("kind", "change", "wanted"), RARITIES, ids=[kind for kind, _, _ in RARITIES])
def test_each_rare_kind_is_told_with_its_rarity(kind: Kind, change: dict[str, Any], wanted: Headline) -> None:
    said = headline(replace(STORY, **change), OUTCOME, Rules())
    assert said == replace(wanted, one_in=ONE_IN[2][kind])
    assert said.one_in is not None
    assert said.one_in >= RARE


@pytest.mark.parametrize(("kind", "rounds"), [(Kind.MARATHON, 900), (Kind.SPRINT, 12)])
def test_a_match_is_long_or_short_by_the_measure_of_its_seats(kind: Kind, rounds: int) -> None:
    said = headline(STORY, replace(OUTCOME, rounds=rounds), Rules())
    assert said == Headline(kind, None, rounds, one_in=ONE_IN[2][kind])


def test_what_needs_more_than_two() -> None:
    said = headline(replace(SIX, carried=2), SIX_OUTCOME, Rules())
    assert said == Headline(Kind.CARRIED_POT, None, 2, one_in=ONE_IN[6][Kind.CARRIED_POT])
    wide = {"widest_war": WideWar(round=3, seats=(0, 2, 4, 5))}
    said = headline(replace(SIX, **wide), SIX_OUTCOME, Rules())
    assert said == Headline(Kind.FOUR_WAY_WAR, None, 4, 3, ONE_IN[6][Kind.FOUR_WAY_WAR])
    three = {"widest_war": WideWar(round=3, seats=(0, 2, 4)), "led": (0, 0, 0), "aces_dealt": (2, 1, 1)}
    said = headline(replace(SIX, **three), replace(OUTCOME, placings=(1, 2, 3), counts=(52, 0, 0)), Rules())
    assert said == Headline(Kind.THREE_WAY_WAR, None, 3, 3, ONE_IN[3][Kind.THREE_WAY_WAR])


def test_an_ordinary_match_claims_no_rarity() -> None:
    assert headline(STORY, OUTCOME, Rules()) == Headline(Kind.PLAIN, 0, 200)
    double = replace(STORY, longest_war=LongWar(7, 2, 1))
    assert headline(double, OUTCOME, Rules()) == Headline(Kind.DOUBLE_WAR, 1, 2, 7)


def test_the_rarest_thing_is_told() -> None:
    story = replace(
        STORY, escape=Holding(0, 2, 120), behind=0, longest_war=LongWar(7, 4, None), streak=Streak(1, 17, 55)
    )
    happened = [sight.kind for sight in sights(story, OUTCOME, BOUNDS[2])]
    assert Kind.FEW_CARDS in happened
    assert headline(story, OUTCOME, Rules()).kind == max(happened, key=lambda kind: ONE_IN[2].get(kind, 0))


@pytest.mark.parametrize(
    ("termination", "kind", "number"),
    [
        (Termination.AGREED, Kind.AGREED, 8),
        (Termination.ROUND_CAP, Kind.ROUND_CAP, 8),
        (Termination.FORFEIT, Kind.FORFEIT, 200),
    ],
)
def test_a_match_that_was_not_played_out_tells_how_it_ended(termination: Termination, kind: Kind, number: int) -> None:
    """Even from one card: how often that is among matches that end early was never measured."""
    story = replace(STORY, margin=8, escape=Holding(0, 1, 120))
    said = headline(story, replace(OUTCOME, termination=termination, counts=(30, 22)), Rules())
    assert said == Headline(kind, 0, number)


def test_a_draw_and_an_agreement_at_equal_counts_name_nobody(play_out: PlayOut) -> None:
    war, battles = play_out("9C", "9D")
    assert told(war, battles) == Headline(Kind.DRAW, None, 1)
    war, battles = play_out("KC 2C", "QD AD", acts=[Act(0, 0, "agree"), Act(0, 1, "agree")])
    assert told(war, battles) == Headline(Kind.AGREED, None, 0)


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "classic"])
def test_other_rules_claim_no_rarity(name: str) -> None:
    story = replace(STORY, escape=Holding(0, 1, 120), streak=Streak(1, 40, 55))
    assert headline(story, OUTCOME, PRESETS[name]) == Headline(Kind.ONE_CARD, 0, 1, 120)
    # What is long for a classic match says nothing about another.
    assert headline(STORY, replace(OUTCOME, rounds=12), PRESETS[name]) == Headline(Kind.PLAIN, 0, 12)


def test_after_a_forfeit_no_rarity_is_claimed() -> None:
    story = replace(SIX, forfeits=1, carried=1)
    assert headline(story, SIX_OUTCOME, Rules()) == Headline(Kind.CARRIED_POT, None, 1)


def test_the_same_match_has_the_same_headline() -> None:
    def tell() -> list[Headline]:
        wars = [War.deal(Rules(), seats, bytes(32), "again") for seats in range(2, 7)]
        return [told(war, list(war.play())) for war in wars]

    assert tell() == tell()


def test_an_ordinary_thing_is_never_called_rare() -> None:
    for one_in in ONE_IN.values():
        assert Kind.DOUBLE_WAR not in one_in
        assert Kind.PLAIN not in one_in
        assert min(one_in.values()) >= RARE
    assert set(ONE_IN) == set(BOUNDS) == {2, 3, 4, 5, 6}


def test_rarities_are_those_of_the_reference() -> None:
    """Two players, from a million matches of another simulator; ours were fewer."""
    published = {Kind.ONE_CARD: 68, Kind.FEW_CARDS: 18, Kind.TRIPLE_WAR: 19, Kind.QUADRUPLE_WAR: 267}
    for kind, one_in in published.items():
        assert ONE_IN[2][kind] == pytest.approx(one_in, rel=0.2)


def test_a_rarity_has_two_digits_that_mean_something() -> None:
    assert [rounded(one_in) for one_in in (9.4, 67.6, 298.5, 1234.0)] == [9, 68, 300, 1200]


@pytest.mark.parametrize("seats", [2, 5])
def test_rarities_stand(seats: int) -> None:
    """Within four standard errors, in a small sample; `python -m benchmarks.rarity` takes a larger one."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        seen = watch_all(pool, seats, 500)
    far = {kind: distance for kind, distance in distances(seats, seen).items() if abs(distance) > 4}
    assert not far
    assert seen.kinds[Kind.DOUBLE_WAR] > 500 / RARE


def told(war: War, battles: Sequence[Battle]) -> Headline:
    assert war.outcome is not None
    return headline(story_of(battles, war.dealt, war.outcome), war.outcome, war.rules)
