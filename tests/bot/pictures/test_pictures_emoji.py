"""Cards as emoji: all of them, small, see-through around the card, and each unlike the others even at text size."""

from __future__ import annotations

import re
from collections.abc import Mapping
from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.pictures import emoji
from bot.pictures.emoji import BACK, NAMES, SIDE, card_emoji, emoji_name
from bot.pictures.errors import PictureError
from bot.pictures.palette import INKS
from engine.cards import CARDS, Card

TEXT_HEIGHT = 22
"""In px, of an emoji in a line of text."""


@pytest.fixture(scope="module")
def drawn() -> Mapping[str, bytes]:
    return card_emoji()


def opened(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data))


@pytest.mark.parametrize(
    ("card", "name"),
    [("QS", "queen_of_spades"), ("TH", "ten_of_hearts"), ("2C", "two_of_clubs"), ("AD", "ace_of_diamonds")],
)
def test_an_emoji_is_named_like_its_card(card: str, name: str) -> None:
    assert emoji_name(Card.parse(card)) == name


def test_there_are_52_faces_and_a_back_with_names_that_discord_takes(drawn: Mapping[str, bytes]) -> None:
    assert list(drawn) == list(NAMES)
    assert len(set(NAMES)) == 53
    assert NAMES[-1] == BACK == "card_back"
    assert all(re.fullmatch("[a-z_]{2,32}", name) for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_each_is_a_small_square_png_with_nothing_around_the_card(drawn: Mapping[str, bytes], name: str) -> None:
    image = opened(drawn[name])
    assert (image.format, image.mode, image.size) == ("PNG", "RGBA", (SIDE, SIDE))
    assert len(drawn[name]) < 16 * 1024, "Discord takes 256 KB"
    alpha = image.getchannel("A")
    assert [alpha.getpixel(corner) for corner in ((0, 0), (SIDE - 1, 0), (0, SIDE - 1), (SIDE - 1, SIDE - 1))] == [
        0
    ] * 4
    assert alpha.getpixel((SIDE // 2, SIDE // 2)) == 255


@pytest.mark.parametrize("ground", [(49, 51, 56), (255, 255, 255)], ids=["dark", "light"])
def test_at_the_height_of_text_no_two_look_alike_and_none_vanishes(
    drawn: Mapping[str, bytes], ground: tuple[int, int, int]
) -> None:
    shown: dict[str, Image.Image] = {}
    empty = Image.new("RGB", (TEXT_HEIGHT, TEXT_HEIGHT), ground)
    for name in NAMES:
        small = opened(drawn[name]).resize((TEXT_HEIGHT, TEXT_HEIGHT), Image.Resampling.LANCZOS)
        shown[name] = empty.copy()
        shown[name].paste(small, (0, 0), small)
    for one, other in combinations(shown, 2):
        assert difference(shown[one], shown[other]) > 2, f"{one} and {other}"
    for name, image in shown.items():
        assert difference(image, empty) > 10, name


def difference(one: Image.Image, other: Image.Image) -> float:
    """The mean difference of two pictures, 0 to 255."""
    return sum(ImageStat.Stat(ImageChops.difference(one, other)).mean) / 3


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_rank_and_suit_are_in_the_colour_of_the_suit_and_large(drawn: Mapping[str, bytes], card: Card) -> None:
    image = opened(drawn[emoji_name(card)]).convert("RGB")
    inked = [(x, y) for x in range(SIDE) for y in range(SIDE) if image.getpixel((x, y)) == INKS[card.suit]]
    left, right = min(x for x, _ in inked), max(x for x, _ in inked)
    top, bottom = min(y for _, y in inked), max(y for _, y in inked)
    assert right - left > SIDE * 0.65
    assert bottom - top > SIDE * 0.75
    assert len(inked) > SIDE * SIDE * 0.1


def test_a_drawing_that_fails_says_which_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emoji, "SUITS", ())
    with pytest.raises(PictureError, match="emoji"):
        card_emoji()
