"""Challenges that somebody does not want: from one person, for a day or for good, or from everybody."""

from __future__ import annotations

from typing import Any

import pytest

from bot.host import User
from bot.refusals import Refusal
from bot.unwelcome import DAY_MS, Unwelcome, Wish
from db.matches import Match

pytestmark = pytest.mark.asyncio


async def declined(game: Any, one: User | None = None) -> Match:
    """A challenge that Bob has declined."""
    waiting = (await game.challenge(one or game.alice, game.bob)).match
    return await game.host.decline(game.click(waiting, game.bob), game.bob)


async def refuse(game: Any, wish: Wish) -> None:
    """Bob declines a challenge from Alice and says more than no."""
    await Unwelcome(game.db, game.host).refuse(game.click(await declined(game), game.bob), wish)


async def is_refused(game: Any, one: User, other: User, **kind: Any) -> bool:
    try:
        opened = await game.challenge(one, other, **kind)
    except Refusal as refusal:
        return (refusal.key, refusal.values["name"].user_id) == ("refuse-unwelcome", other.id)
    await game.host.cancel(game.click(opened.match, one), one)
    return False


async def test_for_a_day(game: Any) -> None:
    await refuse(game, Wish.DAY)
    assert await is_refused(game, game.alice, game.bob)
    assert await is_refused(game, game.alice, game.bob, kind="quick")
    assert not await is_refused(game, game.cleo, game.bob)
    game.now += DAY_MS - 1
    assert await is_refused(game, game.alice, game.bob)
    game.now += 1
    assert not await is_refused(game, game.alice, game.bob)


async def test_for_good_also_after_a_restart(game: Any) -> None:
    await refuse(game, Wish.ALWAYS)
    game.now += 400 * DAY_MS
    await game.restart()
    assert await is_refused(game, game.alice, game.bob)
    assert not await is_refused(game, game.cleo, game.bob)


async def test_from_everybody(game: Any) -> None:
    await refuse(game, Wish.EVERYONE)
    assert await is_refused(game, game.alice, game.bob)
    assert await is_refused(game, game.cleo, game.bob)
    assert not await is_refused(game, game.bob, game.cleo), "Bob may still ask others"
    assert await is_refused(game, game.cleo, game.bob), "and that changes nothing"


async def test_what_is_said_last_counts(game: Any) -> None:
    bob = Unwelcome(game.db, game.host)
    match = await declined(game)
    await bob.refuse(game.click(match, game.bob), Wish.ALWAYS)
    await bob.refuse(game.click(match, game.bob), Wish.DAY)
    game.now += DAY_MS
    assert not await is_refused(game, game.alice, game.bob)
    assert not await bob.any_of(game.bob.id)


async def test_who_challenges_somebody_takes_challenges_from_them_again(game: Any) -> None:
    await refuse(game, Wish.ALWAYS)
    assert not await is_refused(game, game.bob, game.alice)
    assert not await is_refused(game, game.alice, game.bob)


async def test_all_of_it_is_taken_back_at_once(game: Any) -> None:
    bob = Unwelcome(game.db, game.host)
    match = await declined(game)
    for wish in (Wish.ALWAYS, Wish.EVERYONE):
        await bob.refuse(game.click(match, game.bob), wish)
    assert await bob.any_of(game.bob.id)
    assert not await bob.any_of(game.alice.id)
    await bob.take_back(game.bob.id)
    assert not await bob.any_of(game.bob.id)
    assert not await is_refused(game, game.alice, game.bob)


async def test_only_who_was_challenged_can_say_so(game: Any) -> None:
    match = await declined(game)
    for user in (game.alice, game.cleo):
        with pytest.raises(Refusal, match="refuse-not-challenged"):
            await Unwelcome(game.db, game.host).refuse(game.click(match, user), Wish.EVERYONE)
    assert not await is_refused(game, game.cleo, game.alice)


async def test_an_open_table_is_open_to_whoever_wants_no_challenges(game: Any) -> None:
    await refuse(game, Wish.EVERYONE)
    match = await game.deal_table(3)
    assert match.player_of(game.bob.id) is not None
