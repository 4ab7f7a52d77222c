"""The animated match: short, small, harmless to the eye, and true to the match."""

from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageSequence

from bot.pictures.animated import animated, draw_scene
from bot.pictures.errors import PictureError
from bot.pictures.flair import Flair, default_flairs
from bot.pictures.gif import Gif
from bot.pictures.reel import Poster, reel
from bot.pictures.sprites import HEIGHT, WIDTH
from bot.pictures.table import draw_table
from bot.pictures.view import TableView
from engine.facts import Outcome, Termination
from engine.rules import PRESETS, Rules

MOST_BYTES = 1_000_000
FLASHES_A_SECOND = 3
ANY_MATCH = settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
TILES = (5, 3)
"""A tile of 160 x 150 px is about what WCAG 2.3.1 calls a small safe area: a quarter of 341 x 256 px."""


@ANY_MATCH
@given(seats=st.integers(2, 6), number=st.integers(0, 10_000), preset=st.sampled_from(sorted(PRESETS)))
def test_any_match_is_short_small_and_does_not_flash(sprites, play, seats, number, preset):
    played = play(seats, number, preset)
    data = animated(played.battles, default_flairs(seats), played.war.outcome, sprites)
    assert len(data) < MOST_BYTES
    frames = decoded(data)
    assert sum(held for _, held in frames) < 15_000
    assert len(frames) <= 60
    assert most_flashes(frames) <= FLASHES_A_SECOND


def decoded(data: bytes) -> list[tuple[Image.Image, int]]:
    """Each frame as it is seen, RGB, and how long, in ms."""
    image = Image.open(BytesIO(data))
    assert (image.format, image.size) == ("GIF", (WIDTH, HEIGHT))
    return [(frame.convert("RGB"), frame.info["duration"]) for frame in ImageSequence.Iterator(image)]


def most_flashes(frames: list[tuple[Image.Image, int]]) -> int:
    """The most flashes within a second in any tile: pairs of opposite changes of a tenth of the brightest light."""
    linear = [round(255 * (value / 255) ** 2.2) for value in range(256)] * 3
    lights = [
        list(frame.point(linear).convert("L").resize(TILES, Image.Resampling.BOX).tobytes()) for frame, _ in frames
    ]
    starts = [sum(held for _, held in frames[:index]) for index in range(len(frames))]
    worst = 0
    for tile in range(TILES[0] * TILES[1]):
        turns: list[int] = []
        direction, extreme = 0, lights[0][tile]
        for index in range(1, len(frames)):
            light = lights[index][tile]
            if abs(light - extreme) >= 25.5:
                sign = 1 if light > extreme else -1
                if sign != direction:
                    turns.append(starts[index])
                direction, extreme = sign, light
            elif (light - extreme) * direction > 0:
                extreme = light
        for start in turns:
            worst = max(worst, sum(1 for turn in turns if start <= turn < start + 1000) // 2)
    return worst


def test_the_measure_of_flashes_finds_what_flashes():
    black, white = (Image.new("RGB", (WIDTH, HEIGHT), shade) for shade in ("black", "white"))
    assert most_flashes([(black, 100), (white, 100)] * 10) > FLASHES_A_SECOND
    assert most_flashes([(black, 500), (white, 500)] * 10) <= 1


def test_matches_of_every_length_fit(sprites, play):
    shortest = min((play(2, number, "blitz") for number in range(40)), key=lambda played: played.war.rounds)
    longest = play(2, 276, Rules(order="table"))  # goes round for ever, and ends by the cap
    assert shortest.war.rounds < 25
    assert longest.war.rounds > 3_000
    for played in (shortest, longest):
        data = animated(played.battles, default_flairs(2), played.war.outcome, sprites)
        assert len(data) < MOST_BYTES
        assert 5_000 < sum(held for _, held in decoded(data)) < 15_000


def test_the_poster_tells_nothing_of_the_match(sprites, play):
    posters = set()
    for number in range(6):
        played = play(2, number)
        posters.add(decoded(animated(played.battles, default_flairs(2), played.war.outcome, sprites))[0][0].tobytes())
    assert len(posters) == 1


def test_the_poster_shows_the_players_flair(sprites):
    one = draw_scene(Poster((Flair("waves", "moon"), Flair())), sprites)
    other = draw_scene(Poster((Flair("stars", "moon"), Flair())), sprites)
    assert one.image.tobytes() != other.image.tobytes()
    assert [box for box in one.vital if not box.inside] == []


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_what_is_played_back_is_what_was_drawn(sprites, play, seats):
    played = play(seats, 4)
    shots = reel(played.battles, default_flairs(seats), played.war.outcome)
    drawn = []
    for shot in shots:
        canvas = draw_scene(shot.scene, sprites)
        assert [box for box in canvas.vital if not box.inside] == []
        seen = canvas.image.convert("RGB").tobytes()
        if not drawn or drawn[-1] != seen:
            drawn.append(seen)
    frames = decoded(animated(played.battles, default_flairs(seats), played.war.outcome, sprites))
    assert [frame.tobytes() for frame, _ in frames] == drawn


def test_the_last_frame_is_the_result_and_is_held(sprites, play):
    played = play(3, 2)
    frames = decoded(animated(played.battles, default_flairs(3), played.war.outcome, sprites))
    result = reel(played.battles, default_flairs(3), played.war.outcome)[-1].scene
    assert isinstance(result, TableView)
    assert result.first == (played.war.outcome.winner,)
    assert frames[-1][0].tobytes() == draw_table(result, sprites).image.convert("RGB").tobytes()
    assert frames[-1][1] >= 1_500


def test_it_plays_once(sprites, play):
    played = play(2, 2)
    data = animated(played.battles, default_flairs(2), played.war.outcome, sprites)
    assert data.startswith(b"GIF89a")
    assert b"NETSCAPE" not in data
    assert "loop" not in Image.open(BytesIO(data)).info


def test_the_longest_war_of_a_match_is_among_the_scenes(play):
    for number in range(8):
        played = play(2, number)
        shots = reel(played.battles, default_flairs(2), played.war.outcome)
        shown = max(shot.scene.wars for shot in shots if isinstance(shot.scene, TableView))
        assert shown == max(battle.depth + bool(battle.tied) for battle in played.battles)


def test_the_same_match_is_the_same_bytes(sprites, play):
    played = play(4, 5)
    twice = {animated(played.battles, default_flairs(4), played.war.outcome, sprites) for _ in range(2)}
    assert len(twice) == 1


def test_without_battles_there_is_nothing_to_animate(sprites):
    outcome = Outcome(Termination.AGREED, (1, 1), (26, 26), 0, 0)
    with pytest.raises(PictureError, match="animated"):
        animated((), default_flairs(2), outcome, sprites)


def test_a_picture_shown_twice_is_one_frame_held_longer(sprites):
    gif = Gif()
    image = sprites.felts["calm"]
    gif.add(image, 10)
    gif.add(image.copy(), 15)
    frames = decoded(gif.data())
    assert [held for _, held in frames] == [250]
    assert frames[0][0].tobytes() == image.convert("RGB").tobytes()
