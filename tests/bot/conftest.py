"""A host over a real SQLite file, with a clock that a test sets and seeds that it knows."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.host import Board, Challenge, Click, Host, Place, QuickMatch, Timing, User
from db.database import Database, connect
from db.matches import Kind, Match
from engine.rules import Rules
from engine.table import Pace
from engine.war import War

USERS = [User(number, name) for number, name in enumerate(["Alice", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus"], 1)]
ALICE, BOB = USERS[:2]
HERE = Place(guild_id=1, channel_id=10)
THERE = Place(guild_id=1, channel_id=11)
START = 1_700_000_000_000


class Game:
    """What a process is to a match, without Discord. `now` is the wall clock in ms; `told` are the matches that moved
    by themselves."""

    alice, bob, cleo = USERS[:3]
    users = USERS
    here, there = HERE, THERE

    def __init__(self, url: str) -> None:
        self._url = url
        self._stack = AsyncExitStack()
        self.now = START
        self.seeds = 0
        self.messages = 1000
        self.told: list[Match] = []
        self.db: Database
        self.host: Host

    async def open(self) -> None:
        self.db = await self._stack.enter_async_context(connect(self._url))
        self.host = self.another_host()

    async def close(self) -> None:
        await self._stack.aclose()

    async def restart(self) -> None:
        """A new process on the same file: nothing is left of what memory held."""
        await self.close()
        self._stack = AsyncExitStack()
        self.told = []
        await self.open()
        await self.host.look_around()

    def another_host(self) -> Host:
        host = Host(self.db, timing=Timing(), now=lambda: self.now, draw_seed=self._draw_seed)
        host.on_change(self._tell)
        return host

    def _draw_seed(self) -> bytes:
        self.seeds += 1
        return self.seeds.to_bytes(32, "big")

    async def _tell(self, match: Match) -> None:
        self.told.append(match)

    # ---- what people do ---------------------------------------------------------------------------------------

    async def challenge(
        self, one: User = ALICE, other: User = BOB, place: Place = HERE, *, kind: Kind = "match", bot: bool = False
    ) -> Challenge:
        return await self.host.challenge(place, one, other, opponent_is_bot=bot, rules=Rules(), kind=kind)

    def click(self, match: Match, user: User, *, turn: int | None = None, message: int | None = None) -> Click:
        """A press on the message that shows the match, as it was drawn for the state given."""
        return Click(
            match_id=match.id,
            turn=match.table.turn if turn is None else turn,
            user_id=user.id,
            channel_id=match.channel_id,
            message_id=(match.message_id or 0) if message is None else message,
        )

    async def show(self, match: Match) -> Match:
        """Discord shows the match on a new message."""
        self.messages += 1
        await self.host.shown(match, self.messages)
        return await self.host.match(match.id)

    async def deal(self, one: User = ALICE, other: User = BOB, place: Place = HERE, *, seed: str = "99") -> Match:
        """A match between two whose board is shown. Alice deals and sits last: Bob is seat 0, Alice seat 1."""
        waiting = (await self.challenge(one, other, place)).match
        return await self.show(await self.host.accept(self.click(waiting, other), other, client_seed=seed))

    async def deal_table(self, seats: int, place: Place = HERE) -> Match:
        """A match for several, whom Alice has asked to her open table."""
        waiting = await self.host.open_table(place, ALICE, rules=Rules())
        for user in USERS[1:seats]:
            await self.host.join(self.click(waiting, user), user)
        return await self.show(await self.host.start(self.click(waiting, ALICE), ALICE, client_seed="99"))

    async def press(self, match: Match, user: User, pace: Pace | None = None) -> Match | None:
        """A press on the board as it is now."""
        return await self.host.press(self.click(await self.host.match(match.id), user), pace)

    async def turn(self, match: Match) -> Match:
        """All at the table press."""
        match = await self.host.match(match.id)
        turn = match.table.turn
        for player in match.players:
            user = User(player.person.user_id, player.person.name)
            if match.status == "live" and match.table.turn == turn and match.table.awaited >> (player.seat or 0) & 1:
                match = await self.host.press(self.click(match, user)) or match
        return match

    async def to_end(self, match: Match) -> Match:
        while (match := await self.turn(match)).status == "live":
            pass
        return match

    async def wait(self, seconds: float) -> None:
        """Time passes, and the sweeper plays what is due by then, deadline by deadline."""
        until = self.now + int(seconds * 1000)
        while True:
            rows = await self.db.fetch("SELECT min(deadline_at) AS next FROM matches WHERE deadline_at <= $1", until)
            if rows[0]["next"] is None:
                break
            self.now = max(self.now, rows[0]["next"])
            for match_id, *_ in await self.host.due():
                await self.host.time_is_up(match_id)
        self.now = until

    async def board(self, match: Match) -> Board:
        return self.host.board(await self.host.match(match.id))

    async def quick(self, user: User = ALICE, seed: str = "99") -> QuickMatch:
        return await self.host.quick(HERE, user, client_seed=seed, rules=Rules())

    def war(self, match: Match) -> War:
        """The same match, dealt by itself."""
        assert match.client_seed is not None
        return War.deal(match.rules, match.table.seats, match.server_seed, match.client_seed)

    async def seat(self, match: Match, user: User) -> int:
        player = (await self.host.match(match.id)).player_of(user.id)
        assert player is not None
        assert player.seat is not None
        return player.seat


@pytest.fixture
async def game(tmp_path: Path) -> AsyncIterator[Game]:
    game = Game(f"sqlite:///{tmp_path / 'warbot.db'}")
    await game.open()
    yield game
    await game.close()
