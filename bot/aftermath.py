"""What goes with a match besides its cards: whom spectators back, the rematch, a look back, and everyone's flair.

Use cases beside those of `bot.host`, over the same database; knows nothing of Discord either.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.host import Click, Host, QuickMatch, User
from bot.refusals import Refusal, StaleTurn
from db import favourites, matches, people, rematches
from db.database import Database
from db.matches import Match
from db.people import Person


@dataclass(frozen=True, slots=True)
class Aftermath:
    """What a result shows besides the match: its rematch, whatever has become of that, and how many spectators backed
    each seat."""

    rematch: Match | None
    backed: tuple[int, ...]
    streak: int = 0
    """For two: how many matches in a row the winner has now won against the loser."""


@dataclass(frozen=True, slots=True)
class Rematched:
    """A press on *Rematch*: `before` has ended, `rematch` waits or, once all have pressed, is live."""

    before: Match
    rematch: Match


class Company:
    """The use cases of players after a match and of spectators before it."""

    def __init__(self, db: Database, host: Host) -> None:
        self._db = db
        self._host = host

    async def aftermath(self, match: Match) -> Aftermath:
        """What the result of that match shows."""
        rematch = await rematches.of(self._db, match.id)
        backed = await favourites.counts(self._db, match.id, match.table.seats)
        return Aftermath(rematch, backed, await self._streak(match))

    async def _streak(self, match: Match) -> int:
        winners = [player.person.id for player in match.players if player.result == "win"]
        if len(match.players) != 2 or not winners or match.ended_at is None:
            return 0
        loser = next(player.person.id for player in match.players if player.person.id not in winners)
        return await matches.wins_in_a_row(self._db, match, winners[0], loser)

    async def back(self, click: Click, user: User, seat: int) -> Person:
        """A spectator backs a seat, before the first cards are turned. Gives who is backed."""
        match = await self._host.match(click.match_id)
        if match.channel_id != click.channel_id or not 0 <= seat < len(match.players):
            raise Refusal("refuse-no-such-match")
        if match.player_of(user.id) is not None:
            raise Refusal("refuse-player-backs")
        if match.status != "live" or match.steps > 0:
            raise Refusal("refuse-back-late")
        person = await people.remember(self._db, user.id, user.name)
        await favourites.choose(self._db, match.id, person.id, seat)
        return match.players[seat].person

    async def rematch(self, click: Click, user: User, *, client_seed: str) -> Rematched:
        """A player wants a rematch; the last press of all deals it. Raises `Refusal` for others and when the channel or
        a player has a match by now, `StaleTurn` when the rematch no longer waits."""
        waiting = await self._host.match(click.match_id)
        if waiting.rematch_of is None or waiting.channel_id != click.channel_id:
            raise Refusal("refuse-no-such-match")
        before = await self._host.match(waiting.rematch_of)
        player = waiting.player_of(user.id)
        if player is None:
            raise Refusal("refuse-not-a-player")
        if waiting.status != "waiting":
            raise StaleTurn(before)
        await rematches.press(self._db, waiting.id, player.joined)
        waiting = await self._host.match(waiting.id)
        if waiting.status != "waiting":
            raise StaleTurn(before)
        if waiting.table.ready != (1 << len(waiting.players)) - 1:
            return Rematched(before, waiting)
        try:
            started = await self._host.deal(waiting, asker=player.person, client_seed=client_seed)
        except StaleTurn:
            raise StaleTurn(before) from None  # the same press came twice: the button is on the result
        return Rematched(before, started)

    async def look_back(self, match_id: int, guild_id: int | None) -> QuickMatch:
        """All battles of a match of this server that has ended. Raises `Refusal` for any other."""
        match = await self._host.match(match_id)
        if match.guild_id != guild_id:
            raise Refusal("refuse-no-such-match")
        if match.status != "over":
            raise Refusal("refuse-replay-later")
        return self._host.replay(match)

    async def set_back(self, user: User, back: str | None) -> None:
        """A card back of one's own; None leaves it to the seat."""
        await people.set_back(self._db, (await self.person(user)).id, back)

    async def set_emblem(self, user: User, emblem: str | None) -> None:
        """An emblem of one's own; None leaves it to the seat."""
        await people.set_emblem(self._db, (await self.person(user)).id, emblem)

    async def person(self, user: User) -> Person:
        """Somebody with the flair they have chosen."""
        return await people.remember(self._db, user.id, user.name)
