"""The chart of a match and the round that turned it."""

from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from bot.pictures.chart import chart, draw_chart
from bot.pictures.errors import PictureError
from bot.pictures.sprites import HEIGHT, WIDTH
from bot.pictures.turning import course_of, sampled, turning_round
from engine.facts import Battle
from engine.rules import PRESETS

MOST_BYTES = 40_000
ANY_MATCH = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


@ANY_MATCH
@given(
    seats=st.integers(2, 6),
    number=st.integers(0, 10_000),
    preset=st.sampled_from(sorted(PRESETS)),
    steps=st.one_of(st.none(), st.integers(1, 300)),
)
def test_any_match_is_charted_within_the_limits(sprites, play, seats, number, preset, steps):
    played = play(seats, number, preset, steps)
    canvas = draw_chart(played.battles, sprites)
    data = canvas.png()
    assert len(data) < MOST_BYTES
    assert [box for box in canvas.vital if not box.inside] == []
    image = Image.open(BytesIO(data))
    assert (image.format, image.mode, image.size) == ("PNG", "P", (WIDTH, HEIGHT))
    assert bytes(image.getpalette()) == sprites.palette.data


def test_the_same_match_is_the_same_bytes(sprites, play):
    battles = play(3, 1).battles
    assert chart(battles, sprites) == chart(battles, sprites)


def test_without_battles_there_is_no_chart(sprites):
    with pytest.raises(PictureError, match="chart"):
        chart((), sprites)


@ANY_MATCH
@given(seats=st.integers(2, 6), number=st.integers(0, 10_000), preset=st.sampled_from(sorted(PRESETS)))
def test_the_course_begins_with_what_was_dealt(play, seats, number, preset):
    played = play(seats, number, preset)
    course = course_of(played.battles)
    assert course.counts[0] == tuple(map(len, played.war.dealt))
    assert course.counts[-1] == played.war.counts


def battle(number: int, counts: tuple[int, int], winner: int | None, taken: int, tied: tuple[int, ...] = ()) -> Battle:
    return Battle(number, number, 0, (), (), tied, winner, 0 if winner is not None else 2, taken, counts, (), ())


def war_round(number: int, counts: tuple[int, int], winner: int, taken: int) -> list[Battle]:
    tie = battle(number, (0, 0), None, 0, (0, 1))
    return [tie, tie._replace(depth=1, tied=(), winner=winner, taken=taken, pot=0, counts=counts)]


def test_the_turning_round_is_the_biggest_war_on_the_winners_way_up():
    battles = [
        battle(1, (20, 32), 1, 2),
        *war_round(2, (12, 40), 1, 26),
        *war_round(3, (22, 30), 0, 10),
        *war_round(4, (40, 12), 0, 18),
        battle(5, (52, 0), 0, 2),
    ]
    course = course_of(battles)
    assert course.rounds[turning_round(course)].number == 4


def test_without_a_war_on_the_way_the_biggest_pot_is_the_turning_round():
    battles = [battle(1, (27, 25), 0, 2), *war_round(2, (22, 30), 1, 10), battle(3, (23, 29), 0, 2)]
    battles += [battle(4, (27, 25), 0, 4), battle(5, (28, 24), 0, 2)]
    course = course_of(battles)
    assert course.rounds[turning_round(course)].taken == 10


def test_when_no_pot_was_taken_nothing_turned():
    tie = battle(1, (0, 0), None, 0, (0, 1))
    assert turning_round(course_of([tie])) is None


@given(length=st.integers(1, 5000), wanted=st.integers(2, 300))
def test_samples_keep_both_ends_and_their_order(length, wanted):
    indices = sampled(length, wanted)
    assert indices[0] == 0
    assert indices[-1] == length - 1
    assert indices == sorted(set(indices))
    assert len(indices) == min(length, wanted)
