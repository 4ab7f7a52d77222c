"""The game host: what people can do, as use cases over the engine and the database. Knows nothing of Discord.

Every use case commits before it returns, so whatever is told afterwards is true.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, replace

from bot.refusals import ChannelBusy, OldBoard, PlayerBusy, Refusal, StaleTurn
from bot.wars import Played, Wars, replayed
from db import invitations, live, matches, people, results, unwelcome
from db.database import Database
from db.errors import UniqueViolation
from db.invitations import Withdrawal
from db.matches import Kind, Match, Player
from db.people import HOUSE_USER_ID, Person
from db.results import Promise
from engine.cards import Card
from engine.facts import Act, Battle, Outcome
from engine.odds import war_chances
from engine.proof import Proof
from engine.rules import MAX_SEATS, Rules
from engine.shuffle import commitment
from engine.table import FINISH_ALONE_SECONDS, FINISH_ALONE_TURNS, Pace, Table, members, play_turn
from engine.war import War

log = logging.getLogger(__name__)

WAITING_PER_HOST = 2
WAITING_PER_CHANNEL = 5
PING_EVERY_MS = 600_000
"""A pair of players is pinged at most this often."""

LOOK_AGAIN_MS = 60_000
"""How often a paused match is tried again, without any sign that it can go on."""

LATELY_MS = 120_000
"""How long before a start a match has ended whose result may not have been shown."""

KNOWN = 512
"""Live matches of which it is kept who plays in them."""


@dataclass(frozen=True, slots=True)
class User:
    """Who acts, as Discord says it: a user id and the name that people see."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody acts."""

    guild_id: int
    channel_id: int


@dataclass(frozen=True, slots=True)
class Click:
    """A press on a board: the match and the turn it was drawn for, and where it really came from."""

    match_id: int
    turn: int
    user_id: int
    channel_id: int
    message_id: int


@dataclass(frozen=True, slots=True)
class Timing:
    """How long things wait, in seconds."""

    turn: float = 45
    nudge: float = 10
    challenge: float = 900


@dataclass(frozen=True, slots=True)
class Board:
    """All that is needed to draw a match as it stands. `told` are the battles of the turn last played, or of the whole
    match when it has ended; `tied` are the seats that stand at war now; `chances` of winning and `dealt` cards are by
    seat."""

    match: Match
    commitment: str
    counts: tuple[int, ...]
    pot: int
    tied: tuple[int, ...]
    chances: tuple[float, ...]
    dealt: tuple[tuple[Card, ...], ...]
    told: tuple[Battle, ...]
    outcome: Outcome | None
    finish_alone: bool


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge just opened. `ping`: whether the challenged may be pinged."""

    match: Match
    ping: bool


@dataclass(frozen=True, slots=True)
class QuickMatch:
    """A match that played itself. `next_commitment` is for the player's next one against the house."""

    match: Match
    battles: tuple[Battle, ...]
    outcome: Outcome
    next_commitment: str | None


class Host:
    """The use cases. `now` gives milliseconds since the epoch, `draw_seed` 32 unpredictable bytes."""

    def __init__(self, db: Database, *, timing: Timing, now: Callable[[], int], draw_seed: Callable[[], bytes]) -> None:
        self._db = db
        self._timing = timing
        self._now = now
        self._draw_seed = draw_seed
        self._wars = Wars()
        self._known: OrderedDict[int, Match] = OrderedDict()
        self._left_behind: list[int] = []
        self._listeners: list[Callable[[Match], Awaitable[None]]] = []

    def on_change(self, listener: Callable[[Match], Awaitable[None]]) -> None:
        """Have `listener` told of every match that moved by the clock or by the loss of its place, not by a click."""
        self._listeners.append(listener)

    def now(self) -> int:
        """The wall clock: milliseconds since the epoch."""
        return self._now()

    # ---- looking ------------------------------------------------------------------------------------------------

    async def match(self, match_id: int) -> Match:
        """The match as it is stored now. Raises `Refusal` when there is none."""
        match = await matches.by_id(self._db, match_id)
        if match is None:
            raise Refusal("refuse-no-such-match")
        self._note(match)
        return match

    async def match_in(self, channel_id: int) -> Match | None:
        """The match that is on in a channel."""
        return await matches.on_in_channel(self._db, channel_id)

    def board(self, match: Match) -> Board:
        """The match as it stands on the table. The match must have been dealt."""
        on = match.status in ("live", "paused")
        played = self._wars.look(match) if on else replayed(match, told_from=0)
        war = played.war
        return Board(
            match=match,
            commitment=commitment(match.server_seed),
            counts=war.counts,
            pot=war.pot_size,
            tied=war.tied,
            chances=war_chances(war),
            dealt=war.dealt,
            told=played.told,
            outcome=war.outcome,
            finish_alone=self._finish_alone(match),
        )

    async def proof(self, match_id: int) -> Proof:
        """The proof of a match that has ended. Raises `Refusal` while it is on: the seed would show the cards."""
        match = await self.match(match_id)
        if match.status != "over" or match.client_seed is None:
            raise Refusal("refuse-proof-later")
        return Proof.of(
            match.rules,
            match.table.seats,
            match.server_seed,
            match.client_seed,
            match.acts,
            match.steps,
            committed_before=match.committed,
        )

    # ---- challenge ----------------------------------------------------------------------------------------------

    async def challenge(
        self, place: Place, user: User, opponent: User, *, opponent_is_bot: bool, rules: Rules, kind: Kind = "match"
    ) -> Challenge:
        """Open a challenge to one opponent. Raises `Refusal` for oneself, a bot, somebody who takes none, a busy player
        or channel, or too many challenges that wait."""
        if opponent.id == user.id:
            raise Refusal("refuse-challenge-self")
        if opponent_is_bot:
            raise Refusal("refuse-challenge-bot")
        host = await people.remember(self._db, user.id, user.name)
        invited = await people.remember(self._db, opponent.id, opponent.name)
        if await unwelcome.refused(self._db, invited.id, host.id, self._now()):
            raise Refusal("refuse-unwelcome", name=invited)
        await unwelcome.welcome(self._db, host.id, invited.id)  # who asks somebody wants to play with them
        if kind == "match":
            await self._refuse_if_busy(place, host, asker=host)
            await self._refuse_if_busy(place, invited, asker=host)
        since = self._now() - PING_EVERY_MS
        ping = not await invitations.pair_challenged_since(self._db, host.id, invited.id, since)
        return Challenge(await self._open(place, host, invited, rules, kind), ping)

    async def _open(self, place: Place, host: Person, invited: Person | None, rules: Rules, kind: Kind) -> Match:
        now = self._now()
        opened = await invitations.open_challenge(
            self._db,
            guild_id=place.guild_id,
            channel_id=place.channel_id,
            kind=kind,
            host=host,
            invited=invited,
            rules=rules,
            server_seed=self._draw_seed(),
            now=now,
            deadline_at=now + _ms(self._timing.challenge),
            most_of_host=WAITING_PER_HOST,
            most_in_channel=WAITING_PER_CHANNEL,
        )
        if opened == "host-full":
            raise Refusal("refuse-too-many-yours", most=WAITING_PER_HOST)
        if opened == "channel-full":
            raise Refusal("refuse-too-many-here", most=WAITING_PER_CHANNEL)
        return opened

    async def open_table(self, place: Place, user: User, *, rules: Rules) -> Match:
        """Open a table that anyone here may join, up to `MAX_SEATS`. Raises `Refusal` as `challenge` does."""
        host = await people.remember(self._db, user.id, user.name)
        await self._refuse_if_busy(place, host, asker=host)
        return await self._open(place, host, None, rules, "match")

    async def join(self, click: Click, user: User) -> Match:
        """Sit down at an open table. Raises `Refusal` when it is full, `StaleTurn` when it no longer waits."""
        match = await self._waiting(click)
        person = await people.remember(self._db, user.id, user.name)
        playing = await matches.of_person(self._db, match.guild_id, person.id)
        if playing is not None:
            raise PlayerBusy(playing, None)
        joined = await invitations.join(self._db, match.id, person, MAX_SEATS)
        if joined == "full":
            raise Refusal("refuse-table-full", most=MAX_SEATS)
        match = await self.match(match.id)
        if joined == "gone":
            raise StaleTurn(match)
        return match

    async def leave(self, click: Click, user: User) -> Match:
        """Get up from an open table; the host's role passes on, and the last one to leave closes the table."""
        match = await self._waiting(click)
        player = match.player_of(user.id)
        if player is None:
            raise Refusal("refuse-not-at-table")
        left = await invitations.leave(self._db, match.id, player.person.id, self._now())
        if left is None:
            raise StaleTurn(await self.match(match.id))
        return left

    async def start(self, click: Click, user: User, *, client_seed: str) -> Match:
        """The host of an open table has the cards dealt to those who sit there. Raises `Refusal` for others, for a
        table of one, and when the channel or a player has a match by now; the table then goes on waiting."""
        match = await self._waiting(click)
        if match.player_of(user.id) is None:
            raise Refusal("refuse-not-at-table")
        if match.host.user_id != user.id:
            raise Refusal("refuse-not-host-start", name=match.host)
        if len(match.players) < 2:
            raise Refusal("refuse-table-of-one")
        return await self.deal(match, asker=match.host, client_seed=client_seed)

    async def _refuse_if_busy(self, place: Place, person: Person, *, asker: Person) -> None:
        on = await matches.on_in_channel(self._db, place.channel_id)
        if on is not None:
            raise ChannelBusy(on)
        playing = await matches.of_person(self._db, place.guild_id, person.id)
        if playing is not None:
            raise PlayerBusy(playing, None if person.id == asker.id else person)

    async def shown(self, match: Match, message_id: int) -> None:
        """Remember which message shows the match."""
        await live.set_message(self._db, match.id, message_id, dealt=match.started_at is not None)

    async def accept(self, click: Click, user: User, *, client_seed: str) -> Match:
        """The challenged agrees: the cards are dealt. Raises `Refusal` for anyone else, and when the channel or one of
        the two has a match by now; the challenge then goes on waiting."""
        match = await self._waiting(click)
        if match.invited is None or match.invited.user_id != user.id:
            raise Refusal("refuse-not-challenged")
        invited = await people.remember(self._db, user.id, user.name)
        if match.kind == "quick":
            return await self._accept_quick(match, invited, client_seed)
        return await self.deal(match, asker=invited, client_seed=client_seed, joining=invited)

    async def deal(self, match: Match, *, asker: Person, client_seed: str, joining: Person | None = None) -> Match:
        """Deal the cards of a match that waits; `joining` sits down first. Raises `Refusal` when the channel or a
        player has a match by now (the match goes on waiting), `StaleTurn` when it waits no longer."""
        now = self._now()
        try:
            started = await invitations.start(
                self._db,
                match.id,
                joining=joining,
                client_seed=client_seed,
                now=now,
                deadline_at=now + _ms(self._timing.turn),
            )
        except UniqueViolation:
            place = Place(match.guild_id, match.channel_id)
            for person in [player.person for player in match.players] + ([joining] if joining else []):
                await self._refuse_if_busy(place, person, asker=asker)
            raise Refusal("refuse-try-again") from None  # what was in the way has just ended
        if started is None:
            stored = await self.match(match.id)
            if stored.status == "waiting":
                raise Refusal("refuse-table-of-one")  # the others have just left
            raise StaleTurn(stored)
        self._note(started)
        return started

    async def decline(self, click: Click, user: User) -> Match:
        """The challenged says no."""
        match = await self._waiting(click)
        if match.invited is None or match.invited.user_id != user.id:
            raise Refusal("refuse-not-challenged")
        return await self._withdraw(match, "declined")

    async def cancel(self, click: Click, user: User) -> Match:
        """The challenger takes it back."""
        match = await self._waiting(click)
        if match.host.user_id != user.id:
            raise Refusal("refuse-not-host", name=match.host)
        return await self._withdraw(match, "cancelled")

    async def unsent(self, match: Match) -> None:
        """A challenge whose message Discord certainly never showed: nobody could answer it."""
        await invitations.withdraw(self._db, match.id, self._now(), "cancelled")

    async def _waiting(self, click: Click) -> Match:
        match = await self.match(click.match_id)
        if match.channel_id != click.channel_id or match.rematch_of is not None:
            raise Refusal("refuse-no-such-match")
        if match.status != "waiting":
            raise StaleTurn(match)
        return match

    async def _withdraw(self, match: Match, how: Withdrawal) -> Match:
        closed = await invitations.withdraw(self._db, match.id, self._now(), how)
        if closed is None:
            raise StaleTurn(await self.match(match.id))
        return closed

    # ---- play ---------------------------------------------------------------------------------------------------

    async def press(self, click: Click, pace: Pace | None = None) -> Match | None:
        """A player is ready for the next turn; the last of those present plays it. None when the same press came
        before: nothing changed. Raises `StaleTurn`, `OldBoard` or `Refusal`."""
        known, player = await self._player(click)
        seat = _seat(player)
        pressed = await live.press(
            self._db,
            known,
            turn=click.turn,
            message_id=click.message_id,
            seat=seat,
            pace=pace,
            deadline_at=self._now() + _ms(self._timing.nudge),
        )
        if pressed is not None:
            return await self._settle(pressed)
        stored = await self._unmoved(click, seat, click.message_id)
        # A turn that all have pressed for and that was not played, because saving it failed, is played now.
        settled = await self._settle(stored)
        return None if settled.version == stored.version else settled

    async def set_pace(self, click: Click, pace: Pace) -> Match:
        """A player asks for another pace from a menu beside the board, which is as good as a press on it."""
        while True:
            match, _ = await self.player_at(click)
            here = replace(click, turn=match.table.turn, message_id=match.message_id or 0)
            try:
                return await self.press(here, pace) or match
            except OldBoard:
                continue  # the board was posted anew in this moment

    async def agree(self, click: Click, *, on_board: bool = True) -> Match:
        """A player offers to end here, or takes the offer; the last one ends the match (rule 11). `on_board` is false
        for a menu beside the board. Raises `StaleTurn`, `OldBoard` or `Refusal`."""
        known, player = await self._player(click)
        message_id = click.message_id if on_board else None
        agreed = await live.agree(self._db, known, turn=click.turn, message_id=message_id, seat=_seat(player))
        if agreed is None:
            agreed = await self._unmoved(click, _seat(player), message_id)
        return await self._settle(agreed)

    async def refuse_offer(self, click: Click) -> Match:
        """A player would rather play on: the offer to end is off the table."""
        known, player = await self._player(click)
        match = await live.withdraw_offer(
            self._db, known, turn=click.turn, message_id=click.message_id, seat=_seat(player)
        )
        return match or await self._unmoved(click, _seat(player), click.message_id)

    async def _unmoved(self, click: Click, seat: int, message_id: int | None) -> Match:
        """The match as it is after a press that changed nothing, where that is because the same was said before.
        Raises what else it may be."""
        stored = await self.match(click.match_id)
        if message_id is not None and stored.message_id is not None and message_id < stored.message_id:
            raise OldBoard(stored)
        _refuse_if_out(stored, seat)
        if stored.status != "live" or stored.table.turn != click.turn:
            raise StaleTurn(stored)
        return stored

    async def forfeit(self, click: Click) -> Match:
        """A player gives up, whatever turn it is by now."""
        await self._player(click)
        while True:
            match = await self.match(click.match_id)
            player = match.player_of(click.user_id)
            if match.status != "live" or player is None:
                raise StaleTurn(match)
            seat = _seat(player)
            _refuse_if_out(match, seat)
            war = self._wars.take(match)
            war.act(Act(war.steps, seat, "forfeit"))
            # Nothing was turned: the board goes on telling of the turn before.
            moved = await self._store(match, match.table, war, told_from=match.told_from, new_turn=False)
            if moved is not None:
                return await self._settle(moved)

    async def player_at(self, click: Click) -> tuple[Match, Player]:
        """The match of a click and the player who made it, for a menu. Raises `Refusal` for a stranger, `StaleTurn`
        when the match is not live."""
        match = await self.match(click.match_id)
        _, player = await self._player(click)
        if match.status != "live":
            raise StaleTurn(match)
        _refuse_if_out(match, _seat(player))
        return match, player

    async def _player(self, click: Click) -> tuple[Match, Player]:
        match = self._known.get(click.match_id) or await self.match(click.match_id)
        if match.channel_id != click.channel_id:
            raise Refusal("refuse-no-such-match")
        if match.client_seed is None:
            match = await self.match(click.match_id)
        player = match.player_of(click.user_id)
        if player is None:
            raise Refusal("refuse-not-a-player")
        if player.seat is None:
            raise StaleTurn(match)
        if match.status == "paused":  # who can press can see it
            match = await self.resume(match) or await self.match(match.id)
        return match, player

    async def _settle(self, match: Match) -> Match:
        """Play whatever is ready to be played, until the table waits for somebody or the match is over."""
        while match.status == "live":
            table = match.table
            if table.agreed:
                war = self._wars.take(match)
                _agree(war, match.table)
                moved = await self._store(match, table, war, told_from=match.told_from, new_turn=False)
            elif table.complete or (table.deserted and table.pressed):
                moved = await self._play(match, table, table.pace(finish_alone=self._finish_alone(match)))
            elif table.fast & table.present and self._finish_alone(match):
                moved = await self._play(match, table, Pace.FINISH)
            else:
                break
            match = moved or await self.match(match.id)
        self._note(match)
        return match

    async def _play(self, match: Match, table: Table, pace: Pace) -> Match | None:
        """Play one turn of the match at that pace and store it; None when somebody was faster."""
        war = self._wars.take(match)
        told = play_turn(war, pace)
        moved = await self._store(match, table.next_turn(war.alive), war, told_from=match.steps, new_turn=True)
        if moved is not None and moved.status == "live":
            self._wars.keep(match.id, Played(war, told))
        return moved

    async def _store(self, before: Match, table: Table, war: War, *, told_from: int, new_turn: bool) -> Match | None:
        if war.outcome is not None:
            return await results.finish(
                self._db,
                before,
                table=table,
                steps=war.steps,
                told_from=told_from,
                acts=war.acts,
                outcome=war.outcome,
                now=self._now(),
                rematch=Promise(self._draw_seed(), self._now() + _ms(self._timing.challenge)),
            )
        if not new_turn:
            table = replace(table, out=((1 << table.seats) - 1) & ~sum(1 << seat for seat in war.alive))
        return await live.advance(
            self._db,
            before,
            table=table,
            steps=war.steps,
            told_from=told_from,
            acts=war.acts,
            deadline_at=self._now() + _ms(self._timing.turn),
        )

    def _finish_alone(self, match: Match) -> bool:
        """Whether the match has lasted so long that one player's wish to finish is enough."""
        if match.started_at is None:
            return False
        return match.table.turn >= FINISH_ALONE_TURNS or self._now() - match.started_at >= FINISH_ALONE_SECONDS * 1000

    # ---- quick --------------------------------------------------------------------------------------------------

    async def quick(self, place: Place, user: User, *, client_seed: str, rules: Rules) -> QuickMatch:
        """Play a whole match against the house at once. It enters no standings."""
        host = await people.remember(self._db, user.id, user.name)
        house = await people.remember(self._db, HOUSE_USER_ID, "House")
        next_seed = self._draw_seed()
        while True:
            promised = await results.promised_seed(self._db, host.id)
            server_seed = promised or self._draw_seed()
            war = War.deal(rules, 2, server_seed, client_seed)
            battles = play_turn(war, Pace.FINISH)
            assert war.outcome is not None, "played to the end"
            match = await results.record_house_match(
                self._db,
                guild_id=place.guild_id,
                channel_id=place.channel_id,
                host=host,
                house=house,
                rules=rules,
                server_seed=server_seed,
                committed=promised is not None,
                client_seed=client_seed,
                steps=war.steps,
                outcome=war.outcome,
                next_seed=next_seed,
                now=self._now(),
            )
            if match is not None:  # else the same player's other quick match was faster: that promise is kept
                return QuickMatch(match, battles, war.outcome, commitment(next_seed))

    async def _accept_quick(self, match: Match, invited: Person, client_seed: str) -> Match:
        war = War.deal(match.rules, 2, match.server_seed, client_seed)
        play_turn(war, Pace.FINISH)
        assert war.outcome is not None, "played to the end"
        played = await results.play_at_once(
            self._db,
            match.id,
            joining=invited,
            client_seed=client_seed,
            steps=war.steps,
            outcome=war.outcome,
            now=self._now(),
        )
        if played is None:
            raise StaleTurn(await self.match(match.id))
        return played

    def replay(self, match: Match) -> QuickMatch:
        """All battles of a match that has ended, from what is stored."""
        played = replayed(match, told_from=0)
        assert played.war.outcome is not None, "asked of a match that is over"
        return QuickMatch(match, played.told, played.war.outcome, None)

    # ---- the clock, and the loss of a place ------------------------------------------------------------------------

    async def due(self) -> list[tuple[int, int, int]]:
        """The matches whose time is up: (match id, guild id, channel id)."""
        return await matches.due(self._db, self._now())

    async def time_is_up(self, match_id: int, *, may_show: bool = True) -> None:
        """A deadline has passed: a challenge expires; a table plays its own turn, or waits where it could not be shown;
        a paused one goes on where it can be shown again."""
        match = await self.match(match_id)
        if match.deadline_at is None or match.deadline_at > self._now():
            return
        if match.status == "waiting":
            closed = await invitations.withdraw(self._db, match.id, self._now(), "expired")
        elif not may_show:
            await self.pause(match)
            return
        elif match.status == "paused":
            closed = await self.resume(match)
        else:
            closed = await self._table_turn(match)
        if closed is not None:
            await self._tell(closed)

    async def _table_turn(self, match: Match) -> Match | None:
        table = match.table.miss()
        if table.deserted and not table.pressed:
            return await results.abandon(self._db, match.id, self._now(), unless_pressed=True)
        # The table's own turn plays to the next war; without anybody there it plays itself out.
        moved = await self._play(match, table, Pace.FINISH if table.deserted else Pace.WAR)
        return None if moved is None else await self._settle(moved)

    async def pause(self, match: Match) -> None:
        """The match cannot be shown where it is played: nothing happens to it until it can."""
        paused = await live.pause(self._db, match, self._now() + LOOK_AGAIN_MS)
        if paused is not None and match.status == "live":
            log.info("match %d is paused: it cannot be shown in its channel", match.id)
            self._note(paused)

    async def resume(self, match: Match) -> Match | None:
        """A paused match can be shown again, with a whole turn's time; None when it is not paused."""
        return await live.resume(self._db, match, self._now() + _ms(self._timing.turn))

    async def look_again(self, guild_id: int) -> None:
        """Channels, threads or permissions of a server have changed: see whether paused matches can go on."""
        await live.look_again(self._db, guild_id, self._now())

    async def look_around(self) -> None:
        """Before a start: note the matches that the last process may have left half done, for `recover`. Afterwards it
        can no longer be told: deadlines are put off, and what this process has begun looks half done as well."""
        now = self._now()
        caught = await matches.interrupted(self._db)
        moving = await matches.lately_moved(self._db, now, now - LATELY_MS)
        self._left_behind = list(dict.fromkeys([*caught, *moving]))

    async def recover(self) -> None:
        """After a start: play the turns that were complete when the process was stopped, and have posted or painted
        what it may have left behind."""
        left, self._left_behind = self._left_behind, []
        for match_id in left:
            try:
                await self._tell(await self._settle(await self.match(match_id)))
            except Exception:  # one match that cannot go on does not stop the others
                log.exception("match %d could not be taken up again", match_id)

    async def grace(self, guild_id: int | None = None) -> None:
        """After an outage nobody loses time by it: every deadline becomes at least one turn from now."""
        await live.postpone(self._db, self._now() + _ms(self._timing.turn), guild_id)

    async def channel_gone(self, channel_id: int) -> None:
        """A channel was deleted: its matches are void, without standing."""
        await self._abandon(await matches.ids_of_channel(self._db, channel_id))

    async def guild_gone(self, guild_id: int) -> None:
        """The bot was removed from a server: its matches are void, without standing."""
        await self._abandon(await matches.ids_of_guild(self._db, guild_id))

    async def only_in(self, guild_ids: Collection[int]) -> None:
        """The bot is in these servers and no others: matches of those that removed it unnoticed are void."""
        for guild_id in await matches.guilds_of_unfinished(self._db):
            if guild_id not in guild_ids:
                await self.guild_gone(guild_id)

    async def _abandon(self, match_ids: list[int]) -> None:
        for match_id in match_ids:
            await results.abandon(self._db, match_id, self._now())
            self._wars.forget(match_id)
            self._known.pop(match_id, None)

    async def _tell(self, match: Match) -> None:
        self._note(match)
        for listener in self._listeners:
            await listener(match)

    # ---- the cache ------------------------------------------------------------------------------------------------

    def _note(self, match: Match) -> None:
        """Keep who plays in a match; a click needs it before anything else."""
        if match.status != "live":
            self._known.pop(match.id, None)
            self._wars.forget(match.id)
            return
        self._known[match.id] = match
        self._known.move_to_end(match.id)
        while len(self._known) > KNOWN:
            self._known.popitem(last=False)


def _agree(war: War, table: Table) -> None:
    """Record that every player still in agreed to end here."""
    for seat in members(table.playing):
        war.act(Act(war.steps, seat, "agree"))


def _refuse_if_out(match: Match, seat: int) -> None:
    if match.status == "live" and match.table.out >> seat & 1:
        raise Refusal("refuse-you-are-out")


def _ms(seconds: float) -> int:
    return int(seconds * 1000)


def _seat(player: Player) -> int:
    assert player.seat is not None, "dealt matches have seated players"
    return player.seat
