"""What meets in the same millisecond: whoever is first, all are answered and the match is one that could have been.

Presses of a race are sent without waiting between them, in an order that chance decides. `RACE_ROUNDS` says how often
each race is run; 75 make more than 1,000 races in all.
"""

from __future__ import annotations

import asyncio
import os
import random
from typing import Any

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")

ROUNDS = int(os.environ.get("RACE_ROUNDS", "2"))


@pytest.fixture(scope="module")
def bot_settings() -> dict[str, str]:
    """Nothing moves but by what is pressed."""
    return {"TURN_SECONDS": "3600", "NUDGE_SECONDS": "3600"}


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.node.name)


async def at_once(game: Any, *presses: tuple[Any, Any, str]) -> list[Any]:
    """Presses (person, message, button) that leave together. All must be answered; the answers, in the same order."""
    click = game.playground.people.click
    sent = [
        click(who.id, message.id, message.buttons.get(button, button), None, True).id
        for who, message, button in presses
    ]
    return await asyncio.gather(*(game.answer(each) for each in sent))


async def shuffled(game: Any, chance: random.Random, *presses: tuple[Any, Any, str]) -> list[Any]:
    """The same in an order that chance decides; the answers as the presses were named."""
    order = list(range(len(presses)))
    chance.shuffle(order)
    answers = await at_once(game, *(presses[place] for place in order))
    return [answers[order.index(place)] for place in range(len(presses))]


async def boards(game: Any, channel: str) -> list[Any]:
    """The messages of a channel on which a match is on."""
    return [message for message in await game.messages(channel) if message.main]


async def newest(match: Any) -> Any:
    """The board once it shows what is stored."""

    async def shown() -> Any:
        stored, board = match.stored(), await match.board()
        main = f"war:flip:{match.id}:{stored['turn']}" if stored["status"] == "live" else None
        return board if board.main == main else None

    return await match.game.until(shown)


async def finish(match: Any) -> Any:
    """Both would see the end. Returns the result."""
    board = await newest(match)
    await at_once(match.game, (match.dealer, board, "Finish"), (match.other, board, "Finish"))
    return await newest(match)


def status(game: Any, match_id: int) -> str:
    return game.row("SELECT status FROM matches WHERE id = ?", match_id)["status"]


def refused(answer: Any, words: str) -> bool:
    return answer.private and words in answer.text


async def test_the_same_click_two_to_twenty_times_counts_once(game, chance):
    match = await game.match(*await game.people("Alice", "Bob"))
    for _ in range(ROUNDS):
        board = await newest(match)
        turn = match.stored()["turn"]
        many = chance.randint(2, 20)
        answers = await at_once(game, *[(match.dealer, board, board.main)] * many)
        assert not any(answer.private for answer in answers), "nobody is told off for it"
        assert (match.stored()["turn"], match.stored()["ready"]) == (turn, 0b10)
        answers = await at_once(game, *[(match.other, board, board.main)] * many)
        assert not any(answer.private for answer in answers)
        assert match.stored()["turn"] == turn + 1
        if (await newest(match)).main is None:
            match = await game.match(*await game.people("Alice", "Bob"))


async def test_two_players_in_the_same_millisecond_both_count(game, chance):
    match = await game.match(*await game.people("Alice", "Bob"))
    for _ in range(ROUNDS):
        board = await newest(match)
        turn = match.stored()["turn"]
        pair = [(match.dealer, board, board.main), (match.other, board, board.main)]
        answers = await shuffled(game, chance, *pair * chance.randint(1, 3))
        assert not any(answer.private for answer in answers)
        assert match.stored()["turn"] == turn + 1
        if (await newest(match)).main is None:
            match = await game.match(*await game.people("Alice", "Bob"))


async def test_accept_with_cancel_either_deals_or_closes(game, chance):
    alice, bob = await game.people("Alice", "Bob")
    channel = await game.channel()
    for _ in range(ROUNDS):
        challenge = await game.challenge(alice, bob, channel)
        match_id = game.match_id(challenge)
        accepted, _ = await shuffled(game, chance, (bob, challenge, "Accept"), (alice, challenge, "Cancel"))
        if status(game, match_id) == "live":
            assert accepted.message.main == f"war:flip:{match_id}:0"
            await forfeit(game, alice, accepted.message)
        else:
            row = game.row("SELECT status, termination, client_seed FROM matches WHERE id = ?", match_id)
            assert tuple(row) == ("void", "cancelled", None)
            assert await boards(game, channel) == []


async def forfeit(game: Any, person: Any, board: Any) -> None:
    await person.click(await forfeit_question(person, board), "Yes, forfeit")


async def forfeit_question(person: Any, board: Any) -> Any:
    """The private message that asks once more."""
    menu = (await person.click(board, "More")).message
    return (await person.click(menu, "Forfeit")).message


async def test_accept_many_times_deals_once(game, chance):
    alice, bob = await game.people("Alice", "Bob")
    channel = await game.channel()
    for _ in range(ROUNDS):
        challenge = await game.challenge(alice, bob, channel)
        answers = await at_once(game, *[(bob, challenge, "Accept")] * chance.randint(2, 12))
        dealt = [answer.message for answer in answers if answer.message and answer.message.main]
        assert len({message.id for message in dealt}) == 1, "one board"
        [board] = await boards(game, channel)
        await forfeit(game, bob, board)


async def test_accept_with_accept_elsewhere_takes_a_person_once(game, chance):
    alice, bob, cleo = await game.people("Alice", "Bob", "Cleo")
    here, there = await game.channel(), await game.channel()
    for _ in range(ROUNDS):
        one, other = await game.challenge(alice, bob, here), await game.challenge(cleo, bob, there)
        await shuffled(game, chance, (bob, one, "Accept"), (bob, other, "Accept"))
        found = [status(game, game.match_id(each)) for each in (one, other)]
        assert sorted(found) == ["live", "waiting"]
        won, lost = (here, (cleo, other)) if found[0] == "live" else (there, (alice, one))
        [board] = await boards(game, won)
        await forfeit(game, bob, board)
        await lost[0].click(lost[1], "Cancel")


async def test_accept_with_accept_in_the_same_channel_takes_it_once(game, chance):
    alice, bob, cleo, dan = await game.people("Alice", "Bob", "Cleo", "Dan")
    channel = await game.channel()
    for _ in range(ROUNDS):
        one, other = await game.challenge(alice, bob, channel), await game.challenge(cleo, dan, channel)
        answers = await shuffled(game, chance, (bob, one, "Accept"), (dan, other, "Accept"))
        found = [status(game, game.match_id(each)) for each in (one, other)]
        assert sorted(found) == ["live", "waiting"]
        loser = answers[found.index("waiting")]
        assert refused(loser, "A match is on in this channel") or refused(loser, "Press again")
        [board] = await boards(game, channel)
        await forfeit(game, (bob, dan)[found.index("live")], board)
        await (alice, cleo)[found.index("waiting")].click((one, other)[found.index("waiting")], "Cancel")


async def test_accept_with_expiry_either_deals_or_closes(game, chance):
    """The sweeper looks once a second; people accept all around that moment."""
    await game.clock_runs()

    async def accept(person: Any, challenge: Any, moment: float) -> Any:
        await asyncio.sleep(moment)
        return (await at_once(game, (person, challenge, "Accept")))[0]

    for _ in range(-(-ROUNDS // 4)):
        pairs = [await game.people("Alice", "Bob") for _ in range(4)]
        waiting = [await game.challenge(*pair, await game.channel()) for pair in pairs]
        ids = [game.match_id(challenge) for challenge in waiting]
        game.write(f"UPDATE matches SET deadline_at = 1 WHERE id IN ({', '.join(map(str, ids))})")
        moments = [chance.uniform(0, 1.0) for _ in waiting]
        answers = await asyncio.gather(*map(accept, (pair[1] for pair in pairs), waiting, moments))
        for match_id, answer in zip(ids, answers, strict=True):
            row = game.row("SELECT status, termination FROM matches WHERE id = ?", match_id)
            if row["status"] == "live":
                assert answer.message.main == f"war:flip:{match_id}:0"
            else:
                assert tuple(row) == ("void", "expired")
                assert "Nobody answered in time" in answer.text


async def test_an_offer_with_the_turn_is_gone_with_it(game, chance):
    match = await game.match(*await game.people("Alice", "Bob"))
    for _ in range(ROUNDS):
        board = await newest(match)
        turn = match.stored()["turn"]
        menu = (await match.other.click(board, "More")).message
        await match.other.click(board, board.main)
        await shuffled(game, chance, (match.dealer, board, board.main), (match.other, menu, "Offer to end"))
        stored = match.stored()
        assert (stored["turn"], stored["offer"]) == (turn + 1, 0)
        if (await newest(match)).main is None:
            match = await game.match(*await game.people("Alice", "Bob"))


async def test_the_last_agreement_with_the_last_press_ends_or_plays_on(game, chance):
    alice, bob = await game.people("Alice", "Bob")
    for _ in range(ROUNDS):
        match = await game.match(alice, bob)
        board = await match.board()
        menu = (await alice.click(board, "More")).message
        await alice.click(menu, "Offer to end")
        board = await match.shows("would end the match here")
        await alice.click(board, board.main)
        await shuffled(game, chance, (bob, board, board.main), (bob, board, "Agree to end"))
        stored = match.stored()
        if stored["status"] == "over":
            assert (stored["termination"], stored["turn"]) == ("agreed", 0)
        else:
            assert (stored["status"], stored["turn"], stored["offer"]) == ("live", 1, 0)
            await forfeit(game, alice, await newest(match))


async def test_a_forfeit_with_the_last_card_ends_it_once(game, chance):
    alice, bob = await game.people("Alice", "Bob")
    for _ in range(ROUNDS):
        match = await game.match(alice, bob)
        board = await match.board()
        question = await forfeit_question(alice, board)
        await alice.click(board, "Finish")
        await shuffled(game, chance, (bob, board, "Finish"), (alice, question, "Yes, forfeit"))
        stored = match.stored()
        assert stored["status"] == "over"
        results = game.rows("SELECT result FROM match_seats WHERE match_id = ? ORDER BY seat", match.id)
        if stored["termination"] == "forfeit":
            assert [row["result"] for row in results] == ["win", "loss"], "the dealer is the last seat"
        else:
            assert sorted(row["result"] for row in results) in (["loss", "win"], ["draw", "draw"])
        [rematches] = game.rows("SELECT count(*) AS n FROM matches WHERE rematch_of = ?", match.id)
        assert rematches["n"] == 1
        assert (await newest(match)).main is None


async def test_join_with_join_for_the_last_seat_seats_one(game, chance):
    channel = await game.channel()
    people = await game.people(*(f"Guest{number}" for number in range(8)))
    for _ in range(ROUNDS):
        table = (await people[0].command(channel, "war challenge")).message
        for guest in people[1:5]:
            await guest.click(table, "Join")
        late = people[5:]
        answers = await shuffled(game, chance, *[(guest, table, "Join") for guest in late])
        seats = game.rows("SELECT joined FROM match_seats WHERE match_id = ? ORDER BY joined", game.match_id(table))
        assert [row["joined"] for row in seats] == list(range(6))
        assert sum(refused(answer, "All 6 seats are taken") for answer in answers) == 2
        for guest in people:
            await guest.click(table, f"war:leave:{game.match_id(table)}")
        assert status(game, game.match_id(table)) == "void"


async def test_start_with_the_last_guest_leaving_never_deals_to_one(game, chance):
    channel = await game.channel()
    alice, bob = await game.people("Alice", "Bob")
    for _ in range(ROUNDS):
        table = (await alice.command(channel, "war challenge")).message
        match_id = game.match_id(table)
        await bob.click(table, "Join")
        await shuffled(game, chance, (alice, table, f"war:start:{match_id}"), (bob, table, "Leave"))
        seats = game.rows("SELECT seat FROM match_seats WHERE match_id = ?", match_id)
        if status(game, match_id) == "live":
            assert len(seats) == 2
            [board] = await boards(game, channel)
            await forfeit(game, bob, board)
        else:
            assert [row["seat"] for row in seats] == [None]
            await alice.click(table, f"war:leave:{match_id}")


async def test_two_rematch_presses_at_once_deal_one_rematch(game, chance):
    match = await game.match(*await game.people("Alice", "Bob"))
    for _ in range(ROUNDS):
        result = await finish(match)
        button = next(each for each in result.buttons.values() if each.startswith("war:rematch:"))
        pair = [(match.dealer, result, button), (match.other, result, button)]
        await shuffled(game, chance, *pair * chance.randint(1, 3))
        [row] = game.rows("SELECT * FROM matches WHERE rematch_of = ?", match.id)
        assert row["status"] == "live"
        [board] = await boards(game, match.channel)
        assert board.main == f"war:flip:{row['id']}:0"
        match = type(match)(game, match.channel, match.other, match.dealer, board)


async def test_a_rematch_while_another_match_takes_the_channel_waits(game, chance):
    alice, bob, cleo, dan = await game.people("Alice", "Bob", "Cleo", "Dan")
    for _ in range(ROUNDS):
        match = await game.match(alice, bob)
        result = await finish(match)
        button = next(each for each in result.buttons.values() if each.startswith("war:rematch:"))
        await alice.click(result, button)
        challenge = await game.challenge(cleo, dan, match.channel)
        answers = await shuffled(game, chance, (bob, result, button), (dan, challenge, "Accept"))
        rematch = int(button.split(":")[2])
        found = [status(game, rematch), status(game, game.match_id(challenge))]
        assert sorted(found) == ["live", "waiting"]
        loser = answers[found.index("waiting")]
        assert refused(loser, "A match is on in this channel") or refused(loser, "Press again")
        [board] = await boards(game, match.channel)
        await forfeit(game, (alice, cleo)[found.index("live")], board)
        if found[1] == "waiting":
            await cleo.click(challenge, "Cancel")
