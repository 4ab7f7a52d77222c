"""Challenges through the host: who may ask, answer and take back, and what happens when two things happen at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.host import Click, Place, User
from bot.refusals import ChannelBusy, PlayerBusy, Refusal, StaleTurn
from db.matches import Match
from engine.shuffle import commitment

ELSEWHERE = Place(guild_id=1, channel_id=12)
ANOTHER_SERVER = Place(guild_id=2, channel_id=20)


async def test_a_challenge_waits_for_its_answer_with_a_seed_drawn_before(game: Any) -> None:
    opened = await game.challenge()
    match = opened.match
    assert (match.status, match.committed, match.client_seed) == ("waiting", True, None)
    assert match.deadline_at == game.now + 900_000
    assert opened.ping
    assert match.server_seed == (1).to_bytes(32, "big")


async def test_rule_01_nobody_plays_without_having_agreed(game: Any) -> None:
    await game.challenge()
    assert await game.host.match_in(game.here.channel_id) is None


async def test_oneself_and_a_bot_cannot_be_challenged(game: Any) -> None:
    with pytest.raises(Refusal, match="refuse-challenge-self"):
        await game.challenge(game.alice, game.alice)
    with pytest.raises(Refusal, match="refuse-challenge-bot"):
        await game.challenge(game.alice, game.bob, bot=True)
    assert await game.db.fetch("SELECT * FROM matches") == []


async def test_a_challenge_in_a_channel_with_a_match_says_which_match_is_on(game: Any) -> None:
    on = await game.deal()
    with pytest.raises(ChannelBusy) as caught:
        await game.challenge(game.cleo, game.users[3])
    assert caught.value.match.id == on.id


async def test_a_challenge_by_or_to_somebody_who_plays_says_who_and_where(game: Any) -> None:
    on = await game.deal()
    with pytest.raises(PlayerBusy) as caught:
        await game.challenge(game.alice, game.cleo, game.there)
    assert (caught.value.match.id, caught.value.key) == (on.id, "refuse-you-are-busy")
    with pytest.raises(PlayerBusy) as caught:
        await game.challenge(game.cleo, game.alice, game.there)
    assert (caught.value.match.id, caught.value.key) == (on.id, "refuse-they-are-busy")
    assert caught.value.values["name"].user_id == game.alice.id


async def test_a_player_is_free_in_another_server(game: Any) -> None:
    await game.deal()
    assert (await game.challenge(game.alice, game.bob, ANOTHER_SERVER)).match.status == "waiting"


async def test_two_challenges_wait_per_player_and_five_per_channel(game: Any) -> None:
    await game.challenge(game.alice, game.bob)
    await game.challenge(game.alice, game.cleo)
    with pytest.raises(Refusal, match="refuse-too-many-yours"):
        await game.challenge(game.alice, game.users[3], game.there)
    for one in (1, 2):
        await game.challenge(game.users[one], game.users[5])
    await game.challenge(game.users[3], game.users[5])
    with pytest.raises(Refusal, match="refuse-too-many-here"):
        await game.challenge(game.users[4], game.users[5])
    await game.challenge(game.users[4], game.users[5], game.there)


async def test_two_challenges_by_one_player_at_once_do_not_go_beyond_what_may_wait(game: Any) -> None:
    await game.challenge(game.alice, game.bob)
    others = await asyncio.gather(
        *(game.challenge(game.alice, user) for user in game.users[2:6]), return_exceptions=True
    )
    assert sorted(type(other).__name__ for other in others) == ["Challenge", "Refusal", "Refusal", "Refusal"]


async def test_a_pair_is_pinged_once_in_ten_minutes(game: Any) -> None:
    assert (await game.challenge()).ping
    game.now += 599_000
    assert not (await game.challenge()).ping
    assert (await game.challenge(game.bob, game.cleo)).ping  # another pair
    game.now += 601_000
    await game.host.time_is_up(1)
    await game.host.time_is_up(2)
    game.now += 300_000
    assert (await game.challenge()).ping


async def test_a_pair_is_pinged_once_whoever_asks(game: Any) -> None:
    assert (await game.challenge(game.alice, game.bob)).ping
    assert not (await game.challenge(game.bob, game.alice)).ping


# ---- the answer -----------------------------------------------------------------------------------------


async def test_rule_03_accepting_deals_26_cards_to_each(game: Any) -> None:
    match = await game.deal()
    board = await game.board(match)
    assert (board.counts, board.pot, board.told, board.outcome) == ((26, 26), 0, (), None)
    assert (match.status, match.client_seed, match.deadline_at) == ("live", "99", game.now + 45_000)
    assert board.commitment == commitment(match.server_seed)


async def test_rule_02_the_deck_has_52_cards_each_once(game: Any) -> None:
    match = await game.deal()
    cards = [card for pile in game.war(match).dealt for card in pile]
    assert len(cards) == len(set(cards)) == 52


async def test_rule_04_the_challenger_deals(game: Any) -> None:
    match = await game.deal(game.alice, game.bob)
    assert await game.seat(match, game.alice) == 1
    assert await game.seat(match, game.bob) == 0


@pytest.mark.parametrize("answer", ["accept", "decline"])
async def test_only_the_challenged_answers(game: Any, answer: str) -> None:
    match = (await game.challenge()).match
    for user in (game.alice, game.cleo):
        call = getattr(game.host, answer)
        extra = {"client_seed": "1"} if answer == "accept" else {}
        with pytest.raises(Refusal, match="refuse-not-challenged"):
            await call(game.click(match, user), user, **extra)
    assert (await game.host.match(match.id)).status == "waiting"


async def test_only_the_challenger_takes_it_back(game: Any) -> None:
    match = (await game.challenge()).match
    for user in (game.bob, game.cleo):
        with pytest.raises(Refusal, match="refuse-not-host") as caught:
            await game.host.cancel(game.click(match, user), user)
        assert caught.value.values["name"].name == "Alice"
    assert (await game.host.cancel(game.click(match, game.alice), game.alice)).termination == "cancelled"


async def test_a_challenge_in_another_channel_or_that_never_was_is_not_answered(game: Any) -> None:
    match = (await game.challenge()).match
    forged = Click(match.id, 0, game.bob.id, channel_id=11, message_id=0)
    for click in (forged, Click(999, 0, game.bob.id, 10, 0), Click(2**63 - 1, 0, game.bob.id, 10, 0)):
        for call in (
            game.host.accept(click, game.bob, client_seed="1"),
            game.host.decline(click, game.bob),
            game.host.cancel(click, game.bob),
        ):
            with pytest.raises(Refusal, match="refuse-no-such-match"):
                await call


async def answered(game: Any, how: str, match: Match) -> None:
    if how == "accepted":
        await game.host.accept(game.click(match, game.bob), game.bob, client_seed="99")
    elif how == "declined":
        await game.host.decline(game.click(match, game.bob), game.bob)
    elif how == "cancelled":
        await game.host.cancel(game.click(match, game.alice), game.alice)
    else:
        await game.wait(901)


@pytest.mark.parametrize("how", ["accepted", "declined", "cancelled", "expired"])
async def test_what_was_answered_is_not_answered_again_and_says_what_became_of_it(game: Any, how: str) -> None:
    match = (await game.challenge()).match
    await answered(game, how, match)
    for call in (
        game.host.accept(game.click(match, game.bob), game.bob, client_seed="1"),
        game.host.decline(game.click(match, game.bob), game.bob),
        game.host.cancel(game.click(match, game.alice), game.alice),
    ):
        with pytest.raises(StaleTurn) as caught:
            await call
        stored = caught.value.match
        assert (stored.status, stored.termination) == (("live", None) if how == "accepted" else ("void", how))


async def test_a_challenge_expires_after_15_minutes_and_is_told(game: Any) -> None:
    match = (await game.challenge()).match
    await game.wait(899)
    assert (await game.host.match(match.id)).status == "waiting"
    await game.wait(1)
    assert [(told.id, told.status, told.termination) for told in game.told] == [(match.id, "void", "expired")]


async def test_accepting_twice_at_once_deals_once(game: Any) -> None:
    match = (await game.challenge()).match
    click = game.click(match, game.bob)
    results = await asyncio.gather(
        *(game.host.accept(click, game.bob, client_seed=str(seed)) for seed in range(3)), return_exceptions=True
    )
    assert sorted(type(result).__name__ for result in results) == ["Match", "StaleTurn", "StaleTurn"]
    dealt = next(result for result in results if isinstance(result, Match))
    assert (await game.host.match(match.id)).client_seed == dealt.client_seed


async def test_accepting_and_taking_back_at_once_do_one_of_the_two(game: Any) -> None:
    match = (await game.challenge()).match
    results = await asyncio.gather(
        game.host.accept(game.click(match, game.bob), game.bob, client_seed="99"),
        game.host.cancel(game.click(match, game.alice), game.alice),
        return_exceptions=True,
    )
    assert sorted(type(result).__name__ for result in results) == ["Match", "StaleTurn"]


async def test_who_accepts_in_a_taken_channel_reads_so_and_the_challenge_goes_on_waiting(game: Any) -> None:
    late = (await game.challenge(game.cleo, game.users[3])).match
    on = await game.deal()
    with pytest.raises(ChannelBusy) as caught:
        await game.host.accept(game.click(late, game.users[3]), game.users[3], client_seed="1")
    assert caught.value.match.id == on.id
    assert (await game.host.match(late.id)).status == "waiting"
    await game.to_end(on)
    dealt = await game.host.accept(game.click(late, game.users[3]), game.users[3], client_seed="1")
    assert dealt.status == "live"


@pytest.mark.parametrize("busy", ["Alice", "Cleo"])
async def test_who_accepts_while_one_of_the_two_plays_reads_so(game: Any, busy: str) -> None:
    late = (await game.challenge(game.alice, game.cleo, game.there)).match
    await game.deal(game.alice if busy == "Alice" else game.cleo, game.bob)
    with pytest.raises(PlayerBusy) as caught:
        await game.host.accept(game.click(late, game.cleo), game.cleo, client_seed="1")
    assert caught.value.key == ("refuse-they-are-busy" if busy == "Alice" else "refuse-you-are-busy")
    assert (await game.host.match(late.id)).status == "waiting"


async def test_two_challenges_of_one_channel_accepted_at_once_deal_one_match(game: Any) -> None:
    first = (await game.challenge(game.alice, game.bob)).match
    second = (await game.challenge(game.cleo, game.users[3])).match
    results = await asyncio.gather(
        game.host.accept(game.click(first, game.bob), game.bob, client_seed="1"),
        game.host.accept(game.click(second, game.users[3]), game.users[3], client_seed="2"),
        return_exceptions=True,
    )
    assert sorted(type(result).__name__ for result in results) == ["ChannelBusy", "Match"]


async def test_a_challenge_that_discord_never_showed_is_put_away(game: Any) -> None:
    match = (await game.challenge()).match
    await game.host.unsent(match)
    assert (await game.host.match(match.id)).status == "void"


async def test_the_id_of_a_challenges_message_does_not_become_the_boards(game: Any) -> None:
    """Discord shows the challenge, Bob accepts, and only then does its answer with the message's id arrive."""
    waiting = (await game.challenge()).match
    dealt = await game.host.accept(game.click(waiting, game.bob), game.bob, client_seed="1")
    await game.host.shown(dealt, 2000)
    await game.host.shown(waiting, 1000)
    assert (await game.host.match(dealt.id)).message_id == 2000


async def test_a_new_name_is_taken_over_with_the_next_press(game: Any) -> None:
    match = (await game.challenge()).match
    dealt = await game.host.accept(game.click(match, game.bob), User(game.bob.id, "Robert"), client_seed="1")
    assert [player.person.name for player in dealt.players] == ["Robert", "Alice"]


# ---- open tables ----------------------------------------------------------------------------------------


async def test_rule_01_up_to_six_sit_at_an_open_table(game: Any) -> None:
    waiting = await game.host.open_table(game.here, game.alice, rules=(await game.challenge()).match.rules)
    for user in game.users[1:6]:
        await game.host.join(game.click(waiting, user), user)
    with pytest.raises(Refusal, match="refuse-table-full"):
        await game.host.join(game.click(waiting, game.users[6]), game.users[6])
    dealt = await game.host.start(game.click(waiting, game.alice), game.alice, client_seed="1")
    assert dealt.table.seats == 6
    board = game.host.board(dealt)
    assert (board.counts, board.pot) == ((8,) * 6, 4)


async def test_two_who_press_join_for_the_last_seat_do_not_both_get_it(game: Any) -> None:
    waiting = await game.host.open_table(game.here, game.alice, rules=(await game.challenge()).match.rules)
    for user in game.users[1:5]:
        await game.host.join(game.click(waiting, user), user)
    results = await asyncio.gather(
        *(game.host.join(game.click(waiting, user), user) for user in game.users[5:7]), return_exceptions=True
    )
    assert sorted(type(result).__name__ for result in results) == ["Match", "Refusal"]


async def test_only_the_host_starts_and_not_alone(game: Any) -> None:
    waiting = await game.host.open_table(game.here, game.alice, rules=(await game.challenge()).match.rules)
    with pytest.raises(Refusal, match="refuse-table-of-one"):
        await game.host.start(game.click(waiting, game.alice), game.alice, client_seed="1")
    with pytest.raises(Refusal, match="refuse-not-at-table"):
        await game.host.start(game.click(waiting, game.bob), game.bob, client_seed="1")
    await game.host.join(game.click(waiting, game.bob), game.bob)
    with pytest.raises(Refusal, match="refuse-not-host-start"):
        await game.host.start(game.click(waiting, game.bob), game.bob, client_seed="1")


async def test_the_role_of_the_host_passes_on_when_the_host_leaves(game: Any) -> None:
    waiting = await game.host.open_table(game.here, game.alice, rules=(await game.challenge()).match.rules)
    for user in (game.bob, game.cleo):
        await game.host.join(game.click(waiting, user), user)
    left = await game.host.leave(game.click(waiting, game.alice), game.alice)
    assert left.host.user_id == game.bob.id
    with pytest.raises(Refusal, match="refuse-not-at-table"):
        await game.host.leave(game.click(waiting, game.alice), game.alice)
    dealt = await game.host.start(game.click(waiting, game.bob), game.bob, client_seed="1")
    assert [player.person.user_id for player in dealt.players] == [game.cleo.id, game.bob.id]


async def test_a_table_whose_last_guest_leaves_while_it_is_started_goes_on_waiting(game: Any) -> None:
    waiting = await game.host.open_table(game.here, game.alice, rules=(await game.challenge()).match.rules)
    await game.host.join(game.click(waiting, game.bob), game.bob)
    results = await asyncio.gather(
        game.host.leave(game.click(waiting, game.bob), game.bob),
        game.host.start(game.click(waiting, game.alice), game.alice, client_seed="1"),
        return_exceptions=True,
    )
    stored = await game.host.match(waiting.id)
    if stored.status == "live":
        assert isinstance(results[0], StaleTurn)
    else:
        assert isinstance(results[1], Refusal)
        assert (stored.status, len(stored.players)) == ("waiting", 1)


async def test_a_seat_at_an_open_table_holds_nobody_but_who_plays_elsewhere_cannot_sit_down(game: Any) -> None:
    waiting = await game.host.open_table(game.there, game.cleo, rules=(await game.challenge()).match.rules)
    await game.host.join(game.click(waiting, game.alice), game.alice)
    await game.deal(game.alice, game.bob)
    with pytest.raises(PlayerBusy):
        await game.host.join(game.click(waiting, game.bob), game.bob)
    with pytest.raises(PlayerBusy) as caught:
        await game.host.start(game.click(waiting, game.cleo), game.cleo, client_seed="1")
    assert caught.value.values["name"].user_id == game.alice.id
    assert (await game.host.match(waiting.id)).status == "waiting"
