"""`/war flair` as it is chosen: what is taken back is stored as not chosen, and the picture is one's own pile."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, MagicMock

import discord
import pytest

from bot import gallery
from bot.client import WarBot
from bot.pictures import own_pile
from bot.pictures.canvas import Canvas
from bot.pictures.flair import Flair, default_flairs
from bot.refusals import Refusal


@pytest.fixture
def cog(war_bot: WarBot, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(war_bot, "may_draw", AsyncMock(return_value=False))
    return war_bot.get_cog("FlairChoice")


def choosing(game: Any, value: str) -> Any:
    """The interaction of somebody who selects a value."""
    user = MagicMock(spec=discord.User)
    user.id, user.display_name = game.alice.id, game.alice.name
    return SimpleNamespace(
        user=user,
        data={"values": [value]},
        guild_id=1,
        channel_id=2,
        locale=discord.Locale.british_english,
        response=AsyncMock(),
    )


async def stored(game: Any) -> tuple[str | None, str | None]:
    row = await game.db.fetch_one("SELECT back, emblem FROM people WHERE user_id = $1", game.alice.id)
    return row["back"], row["emblem"]


async def test_what_is_chosen_can_be_left_to_the_seat_again(game: Any, cog: Any) -> None:
    await cog.choose_back(choosing(game, "stars"), ())
    await cog.choose_emblem(choosing(game, "moon"), ())
    assert await stored(game) == ("stars", "moon")
    await cog.choose_back(choosing(game, "seat"), ())
    assert await stored(game) == (None, "moon")
    press = choosing(game, "seat")
    await cog.choose_emblem(press, ())
    assert await stored(game) == (None, None)
    [shown] = [call.kwargs["view"].to_components() for call in press.response.edit_message.await_args_list]
    menus = [part["components"][0] for part in shown[0]["components"] if part["type"] == 1]
    assert [[each["label"] for each in menu["options"] if each.get("default")] for menu in menus] == [["By seat"]] * 2
    match = await game.deal()
    assert gallery.flairs_of(match) == default_flairs(2)


async def test_a_value_that_is_not_to_be_had_is_refused_and_changes_nothing(game: Any, cog: Any) -> None:
    await cog.choose_back(choosing(game, "waves"), ())
    with pytest.raises(Refusal):
        await cog.choose_back(choosing(game, "crown"), ())
    assert await stored(game) == ("waves", None)


@pytest.mark.parametrize(
    ("back", "emblem", "expected"),
    [
        ("waves", "bolt", [(0, Flair("waves", "bolt"))]),
        (None, None, list(enumerate(default_flairs(6)))),
        ("stars", None, [(seat, Flair("stars", each.emblem)) for seat, each in enumerate(default_flairs(6))]),
        (None, "moon", [(seat, Flair(each.back, "moon")) for seat, each in enumerate(default_flairs(6))]),
    ],
)
async def test_the_picture_is_ones_own_pile_as_a_table_would_show_it(
    monkeypatch: pytest.MonkeyPatch,
    back: str | None,
    emblem: str | None,
    expected: list[tuple[int, Flair]],
) -> None:
    seen: list[tuple[int, Flair]] = []
    canvases: list[Canvas] = []
    pile = own_pile.pile

    def watched(canvas: Canvas, size: Any, seat: int, flair: Flair, *rest: Any) -> None:
        seen.append((seat, flair))
        canvases.append(canvas)
        pile(canvas, size, seat, flair, *rest)

    monkeypatch.setattr(own_pile, "pile", watched)
    async with gallery.Gallery() as drawing:
        await drawing.warm()
        drawn = await drawing.flair(back, emblem)
    assert drawn is not None
    assert drawn.data.startswith(b"\x89PNG")
    assert len(drawn.data) < 40_000
    assert seen == expected
    assert all(box.inside for box in canvases[0].vital)
