"""The sweeper: deadlines are kept, outages and clock jumps cost nobody a turn, one bad match stops no other."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from bot import clock
from bot.clock import JUMP_MS, Sweeper


class Bench:
    """A sweeper over a game, with both clocks and the sight of each server in the test's hand."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.monotonic = 500_000
        self.blind: set[int] = set()
        self.mute: set[int] = set()
        self.sweeper = Sweeper(
            game.host,
            may_act=lambda guild_id: guild_id not in self.blind,
            may_show=lambda guild_id, channel_id: channel_id not in self.mute,
            wall=lambda: game.now,
            monotonic=lambda: self.monotonic,
        )

    def pass_time(self, seconds: float) -> None:
        self.game.now += int(seconds * 1000)
        self.monotonic += int(seconds * 1000)

    async def sweep(self, after: float = 0) -> None:
        self.pass_time(after)
        await self.sweeper.sweep()


@pytest.fixture
def bench(game: Any) -> Bench:
    return Bench(game)


async def turn(game: Any, match: Any) -> int:
    return (await game.host.match(match.id)).table.turn


async def test_what_is_due_is_played_and_told(game: Any, bench: Bench) -> None:
    match = await game.deal()
    challenge = (await game.challenge(game.cleo, game.users[3], game.there)).match
    await bench.sweep(44.9)
    assert game.told == []
    await bench.sweep(0.1)
    assert [told.id for told in game.told] == [match.id]
    await bench.sweep(900)
    assert {told.id: told.status for told in game.told} == {match.id: "void", challenge.id: "void"}


async def test_after_a_jump_of_the_wall_clock_everybody_has_a_whole_turn(game: Any, bench: Bench) -> None:
    match = await game.deal()
    game.now += 3_600_000  # somebody set the clock, or the machine slept
    await bench.sweep()
    assert game.told == []
    assert (await game.host.match(match.id)).deadline_at == game.now + 45_000
    await bench.sweep(44)
    assert await turn(game, match) == 0
    await bench.sweep(1)
    assert await turn(game, match) == 1


async def test_a_jump_back_leaves_deadlines_where_they_are(game: Any, bench: Bench) -> None:
    match = await game.deal()
    game.now -= 3_600_000
    await bench.sweep()
    await bench.sweep(3_645)
    assert await turn(game, match) == 1


async def test_a_clock_that_is_set_by_less_than_the_limit_plays_on(game: Any, bench: Bench) -> None:
    match = await game.deal()
    game.now += JUMP_MS
    await bench.sweep(15)
    assert await turn(game, match) == 1


async def test_nothing_fires_in_a_server_that_cannot_see_it(game: Any, bench: Bench) -> None:
    match = await game.deal()
    elsewhere = await game.deal(game.alice, game.bob, type(game.here)(2, 20))
    bench.blind = {1}
    for _ in range(20):
        await bench.sweep(45)
    assert await turn(game, match) == 0
    assert (await game.host.match(elsewhere.id)).status == "void"  # that server was there all the time


async def test_a_server_that_sees_again_has_a_whole_turn_first(game: Any, bench: Bench) -> None:
    match = await game.deal()
    bench.blind = {1}
    await bench.sweep(600)
    bench.blind = set()
    await bench.sweep()
    assert await turn(game, match) == 0
    assert (await game.host.match(match.id)).deadline_at == game.now + 45_000
    await bench.sweep(45)
    assert await turn(game, match) == 1


async def test_a_server_that_sees_again_pays_for_it_once_and_not_hours_later(game: Any, bench: Bench) -> None:
    match = await game.deal()
    bench.blind = {1}
    await bench.sweep(45)
    bench.blind = set()
    await game.db.execute("UPDATE matches SET deadline_at = $2 WHERE id = $1", match.id, game.now + 3_600_000)
    await bench.sweep()
    await bench.sweep(3_600)
    assert await turn(game, match) == 1


async def test_a_match_that_cannot_be_moved_on_stops_no_other(
    game: Any, bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    broken = await game.deal()
    fine = await game.deal(game.cleo, game.users[3], game.there)
    await game.db.execute("UPDATE matches SET acts = '[[', deadline_at = 1 WHERE id = $1", broken.id)
    await bench.sweep(45)
    assert await turn(game, fine) == 1
    assert f"match {broken.id} could not be moved on by the clock" in caplog.text


async def test_a_hundred_matches_that_cannot_be_seen_hide_no_other(game: Any, bench: Bench) -> None:
    match = await game.deal()
    rows = await game.db.fetch("SELECT server_seed, rules FROM matches")
    for number in range(150):
        await game.db.execute(
            "INSERT INTO matches (guild_id, channel_id, kind, status, rules, server_seed, committed, deadline_at,"
            " created_at) VALUES (7, $1, 'match', 'waiting', $2, $3, 1, 1, 1)",
            number,
            rows[0]["rules"],
            rows[0]["server_seed"],
        )
    bench.blind = {7}
    await bench.sweep(45)
    assert await turn(game, match) == 1


class FirstFailure(logging.Handler):
    """Says when something was logged."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = asyncio.Event()

    def emit(self, record: logging.LogRecord) -> None:
        self.seen.set()


async def test_a_sweep_that_fails_is_not_the_last_one(game: Any, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "PERIOD", 0)
    failure, told = FirstFailure(), asyncio.Event()

    async def tell(match: Any) -> None:
        told.set()

    game.host.on_change(tell)
    clock.log.addHandler(failure)
    await game.db.execute("ALTER TABLE matches RENAME TO mislaid")
    task = asyncio.create_task(bench.sweeper.run())
    await failure.seen.wait()
    clock.log.removeHandler(failure)
    await game.db.execute("ALTER TABLE mislaid RENAME TO matches")
    match = await game.deal()
    bench.pass_time(45)
    await told.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await turn(game, match) == 1
