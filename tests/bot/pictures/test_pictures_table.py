"""The picture of a table: any table of any match can be drawn, within the limits, and shows what it should."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from io import BytesIO
from types import MappingProxyType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from bot.pictures.canvas import png
from bot.pictures.errors import PictureError
from bot.pictures.faces import HUGE, LARGE, MEDIUM, MINI, SIZES
from bot.pictures.flair import BACKS, EMBLEMS, MARKS, Flair
from bot.pictures.pieces import Fan
from bot.pictures.sprites import HEIGHT, WIDTH, Sprites
from bot.pictures.table import draw_table, table
from bot.pictures.view import table_view
from engine.cards import CARDS, Rank
from engine.rules import PRESETS, Rules

MOST_BYTES = 40_000
ANY_MATCH = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@ANY_MATCH
@given(
    seats=st.integers(2, 6),
    number=st.integers(0, 10_000),
    preset=st.sampled_from(sorted(PRESETS)),
    steps=st.integers(0, 400),
    told=st.integers(1, 30),
)
def test_any_table_of_any_match_is_drawn_within_the_limits(sprites, play, seats, number, preset, steps, told):
    played = play(seats, number, preset, steps)
    view = played.view(max(0, len(played.battles) - told))
    canvas = draw_table(view, sprites)
    data = table(view, sprites)
    assert len(data) < MOST_BYTES
    assert canvas.vital
    assert [box for box in canvas.vital if not box.inside] == []
    image = Image.open(BytesIO(data))
    assert (image.format, image.mode, image.size) == ("PNG", "P", (WIDTH, HEIGHT))
    assert bytes(image.getpalette()) == sprites.palette.data


@ANY_MATCH
@given(
    seats=st.integers(2, 6),
    number=st.integers(0, 10_000),
    face_down=st.integers(0, 5),
    low_rank=st.integers(2, 13),
    shortage=st.sampled_from(["last", "lose"]),
)
def test_rules_of_ones_own_are_drawn_too_at_their_longest_war(
    sprites, play, seats, number, face_down, low_rank, shortage
):
    rules = Rules(face_down=face_down, low_rank=low_rank, shortage=shortage, max_rounds=60)
    whole = play(seats, number, rules)
    deepest = max(whole.battles, key=lambda battle: battle.depth)
    view = play(seats, number, rules, deepest.step).view()
    canvas = draw_table(view, sprites)
    assert [box for box in canvas.vital if not box.inside] == []
    assert len(canvas.png()) < MOST_BYTES


def test_every_card_face_is_different_in_every_size(sprites):
    for size in SIZES:
        faces = {sprites.card(size, card).image.tobytes() for card in CARDS}
        assert len(faces) == len(CARDS) == 52


def test_ranks_are_at_least_40_px_high_in_every_size(sprites):
    paper = sprites.card(MEDIUM, CARDS[0]).image.getpixel((MEDIUM.width // 2, MEDIUM.height - 8))
    for size in SIZES:
        for rank in Rank:
            card = sprites.card(size, CARDS[(rank - 2) * 4]).image
            across = size.width if size is MINI else size.width // 2
            corner = card.crop((5, 4, across - 5, 4 + size.rank + 8))
            blank = Image.new("P", corner.size, paper)
            box = ImageChops.difference(corner, blank).getbbox()
            assert box is not None
            assert box[3] - box[1] >= 40, (size.name, rank)


def test_the_four_suits_have_four_colours(sprites):
    middles = {sprites.card(HUGE, card).image.getpixel((HUGE.width // 2, 140)) for card in CARDS[:4]}
    assert len(middles) == 4


def test_backs_emblems_and_marks_are_all_different(sprites):
    assert len({sprites.backs["huge", back, 0].image.tobytes() for back in BACKS}) == len(BACKS) >= 4
    assert len({sprites.medallions["huge", emblem, 0].image.tobytes() for emblem in EMBLEMS}) == len(EMBLEMS)
    shapes = {sprites.marks[seat, 46].mask.tobytes() for seat in range(6)}
    assert len(shapes) == len({mark.colour for mark in MARKS}) == len({mark.text for mark in MARKS}) == 6


def test_the_same_table_is_the_same_bytes_with_sprites_made_anew(sprites, play):
    view = play(4, 3, steps=30).view()
    assert table(view, sprites) == table(view, sprites) == table(view, Sprites.make())


def test_a_war_turns_the_felt_red_and_the_end_turns_it_blue(sprites, moment):
    corners = {}
    wanted = {
        "calm": lambda view: not view.at_war and not view.over,
        "war": lambda view: bool(view.at_war),
        "glory": lambda view: view.over,
    }
    for felt, condition in wanted.items():
        image = draw_table(moment(3, condition), sprites).image.convert("RGB")
        corners[felt] = image.getpixel((60, 430))
    reddest = max(corners, key=lambda felt: corners[felt][0])
    bluest = max(corners, key=lambda felt: corners[felt][2])
    assert (reddest, bluest) == ("war", "glory")


def test_a_three_way_war_rings_three_cards_and_greys_the_others(sprites, moment):
    view = moment(4, lambda view: len(view.at_war) == 3 and view.wars == 1)
    image = draw_table(view, sprites).image.convert("RGB")
    looker = next(seat for seat in range(4) if seat not in view.at_war)
    for seat in range(4):
        x = 40 + 180 * seat + 90
        paper = image.getpixel((x - LARGE.width // 2 + 8, 158 + LARGE.height // 2))
        assert (max(paper) < 160) == (seat == looker)


def test_all_ranks_of_a_triple_war_are_seen_between_two_and_among_six():
    for sizes, top, bottom in (((HUGE, LARGE, MEDIUM, MINI), 47, 403), ((MEDIUM, MINI), 158, 403)):
        for wars in range(4):
            layout = Fan.of(sizes, wars, 3, top, bottom)
            assert layout.bottom <= bottom
            for depth in range(wars):
                first_sliver = layout.height_of(depth + 1) - 3 * layout.slivers[depth]
                assert first_sliver - layout.height_of(depth) >= layout.size.rank + 4


def test_a_pile_looks_as_thick_as_it_is(sprites):
    def heights(count: int) -> int:
        view = table_view(counts=(count, 52 - count), pot=0, tied=(), told=(), outcome=None)
        boxes = draw_table(view, sprites).vital
        return max(box.bottom for box in boxes if box.right - box.left == MEDIUM.width and box.left < WIDTH / 2)

    thick = [heights(count) for count in (1, 2, 13, 26, 39, 51)]
    assert thick == sorted(thick)
    assert len(set(thick)) >= 5


def test_a_picture_that_cannot_be_drawn_is_a_picture_error_with_its_cause(sprites, play):
    torn = replace(sprites, cards=MappingProxyType({}))
    with pytest.raises(PictureError, match="table") as caught:
        table(play(2, 1, steps=1).view(), torn)
    assert isinstance(caught.value.__cause__, KeyError)


def test_unknown_flair_says_what_there_is():
    with pytest.raises(ValueError, match="stripes, diamonds, waves, stars"):
        Flair(back="gold")
    with pytest.raises(ValueError, match="crown, shield"):
        Flair(emblem="dragon")


def test_a_players_flair_is_seen_on_the_table(sprites, play):
    battles = play(2, 1, steps=1)
    pictures = set()
    for back in BACKS:
        for emblem in EMBLEMS:
            flairs = (Flair(back, emblem), Flair())
            view = table_view(
                counts=battles.war.counts, pot=0, tied=(), told=battles.battles, outcome=None, flairs=flairs
            )
            pictures.add(table(view, sprites))
    assert len(pictures) == len(BACKS) * len(EMBLEMS)


def test_the_png_is_what_was_drawn(sprites, play):
    canvas = draw_table(play(2, 9, steps=5).view(), sprites)
    decoded = Image.open(BytesIO(png(canvas.image)))
    assert decoded.tobytes() == canvas.image.tobytes()


def test_pictures_load_neither_discord_nor_the_database():
    code = (
        "import sys, bot.pictures.animated, bot.pictures.chart, bot.pictures.table;"
        "print([name for name in ('discord', 'db', 'aiosqlite', 'cogs') if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
