"""What people do wrong, by mistake or on purpose: each gets a private sentence or the right board, and nothing is lost
or counted twice. The module's database is checked in the end (conftest.py)."""

from __future__ import annotations

import asyncio
import json

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")

VIEW, SEND, ATTACH = 1 << 10, 1 << 11, 1 << 15
OLDER = "This button is from an older version"


def refused(answer, *words):
    """The answer is one private sentence with these words in it."""
    assert answer.private, answer
    for each in words:
        assert each in answer.text
    return answer


# ---- challenges -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["war challenge", "war quick"])
async def test_a_challenge_to_oneself(game, command):
    [alice] = await game.people("Alice")
    refused(await alice.command(await game.channel(), command, opponent=alice), "You cannot challenge yourself")


@pytest.mark.parametrize("command", ["war challenge", "war quick"])
async def test_a_challenge_to_a_bot(game, command):
    [alice] = await game.people("Alice")
    bot = game.playground.world.bot.id
    refused(await alice.command(await game.channel(), command, opponent=bot), "Bots do not play here")


async def test_a_challenge_to_or_by_someone_busy(game):
    alice, bob, cleo = await game.people("Alice", "Bob", "Cleo")
    match = await game.match(alice, bob)
    elsewhere = await game.channel()
    to_busy = await cleo.command(elsewhere, "war challenge", opponent=bob)
    refused(to_busy, "Bob is in a match right now", f"/{match.channel}/{match.message}")
    by_busy = await alice.command(elsewhere, "war challenge", opponent=cleo)
    refused(by_busy, "You are in a match already", f"/{match.channel}/{match.message}")


async def test_a_challenge_in_a_channel_where_a_match_runs(game):
    alice, bob, cleo, dan = await game.people("Alice", "Bob", "Cleo", "Dan")
    match = await game.match(alice, bob)
    answer = refused(await cleo.command(match.channel, "war challenge", opponent=dan), "are playing here")
    assert match.message in answer.message.links["Watch"]


async def test_accepting_when_the_channel_has_been_taken_meanwhile(game):
    alice, bob, cleo, dan = await game.people("Alice", "Bob", "Cleo", "Dan")
    channel = await game.channel()
    late = await game.challenge(cleo, dan, channel)
    match = await game.match(alice, bob, channel)
    refused(await dan.click(late, "Accept"), "A match is on in this channel")
    await match.play_out()
    accepted = await dan.click(late, "Accept")
    assert not accepted.private, "it went on waiting"
    assert accepted.message.main


async def test_accepting_when_a_player_has_begun_another_match_meanwhile(game):
    alice, bob, cleo = await game.people("Alice", "Bob", "Cleo")
    late = await game.challenge(alice, bob, await game.channel())
    await game.match(alice, cleo)
    refused(await bob.click(late, "Accept"), "Alice is in a match right now")


async def test_two_accept_in_one_channel_in_the_same_millisecond(game):
    for _ in range(5):
        alice, bob, cleo, dan = await game.people("Alice", "Bob", "Cleo", "Dan")
        channel = await game.channel()
        one, other = await game.challenge(alice, bob, channel), await game.challenge(cleo, dan, channel)
        answers = await asyncio.gather(bob.click(one, "Accept"), dan.click(other, "Accept"))
        assert sorted(answer.private for answer in answers) == [False, True], answers
        refused(next(answer for answer in answers if answer.private), "A match is on in this channel")
        live = game.rows("SELECT id FROM matches WHERE channel_id = ? AND status = 'live'", int(channel))
        assert len(live) == 1


async def test_accepting_twice_deals_once(game):
    alice, bob = await game.people("Alice", "Bob")
    channel = await game.channel()
    challenge = await game.challenge(alice, bob, channel)
    await asyncio.gather(*(bob.click(challenge, "Accept") for _ in range(4)))
    assert len(game.rows("SELECT id FROM matches WHERE channel_id = ? AND status = 'live'", int(channel))) == 1
    boards = [message for message in await game.messages(channel) if message.main]
    assert len(boards) == 1


async def test_too_many_challenges(game):
    people = await game.people("Alice", "Bob", "Cleo", "Dan")
    channel = await game.channel()
    for host in people[:2]:
        for _ in range(2):
            await game.challenge(host, people[3], channel)
        refused(await host.command(channel, "war challenge", opponent=people[3]), "You have 2 challenges waiting")
    await game.challenge(people[2], people[3], channel)
    refused(await people[2].command(channel, "war challenge", opponent=people[3]), "5 challenges are waiting")


# ---- clicks -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("button", ["flip", "finish", "more", "card", "wars", "offer", "agree", "playon", "giveup"])
async def test_a_click_by_a_stranger(game, button):
    alice, bob, cleo = await game.people("Alice", "Bob", "Cleo")
    match = await game.match(alice, bob)
    before = dict(match.stored())
    answer = await cleo.click(await match.board(), f"war:{button}:{match.id}:0")
    refused(answer, "You are not playing in this match")
    assert dict(match.stored()) == before


async def test_a_click_on_an_old_board(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    old = await match.board()
    moved = (await alice.command(match.channel, "war board")).message

    async def known():
        return True if match.stored()["message_id"] == int(moved.id) else None

    await game.until(known)
    for button in ("flip", "finish", "agree", "playon"):
        answer = await bob.click(old.id, f"war:{button}:{match.id}:0")
        refused(answer, "old message", f"/{match.channel}/{moved.id}")
    assert match.stored()["ready"] == 0
    assert match.stored()["offer"] == 0
    assert (await game.message(match.channel, old.id)).main is None, "no second board came to life"


async def test_a_click_for_an_earlier_turn_gets_the_board_as_it_is(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    await match.turn()
    now = await match.turn()
    for turn in (0, 1, 2**62):
        answer = await bob.click(now, f"war:flip:{match.id}:{turn}")
        assert answer.message.main == now.main
    assert match.stored()["ready"] == 0


async def test_a_press_twice_changes_nothing_and_says_nothing(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    board = await match.board()
    await alice.click(board, "Deal")
    once = dict(match.stored())
    again = await alice.click(board, "Deal")
    assert again.quiet
    assert dict(match.stored()) == once
    assert [message.private for message in await alice.sees(match.channel)].count(True) == 0


async def test_both_players_in_the_same_millisecond(game):
    """Presses commute: each turn advances by exactly one, whoever comes first and however often."""
    turns = 0
    while turns < 40:
        alice, bob = await game.people("Alice", "Bob")
        match = await game.match(alice, bob)
        board = await match.board()
        while board.main is not None and turns < 40:
            before = match.stored()
            presses = [person.click(board, board.main) for person in (alice, bob, bob, alice)]
            for answer in await asyncio.gather(*presses):
                assert not answer.private, answer
            board = await match.after(board)
            after = match.stored()
            assert after["turn"] == before["turn"] + 1
            assert after["ready"] == 0
            assert after["told_from"] == before["steps"], "what was told begins where the last turn ended"
            turns += 1


async def test_both_agree_in_the_same_millisecond(game):
    for _ in range(5):
        alice, bob = await game.people("Alice", "Bob")
        match = await game.match(alice, bob)
        board = await match.turn()
        await asyncio.gather(*(person.click(board, f"war:agree:{match.id}:1") for person in (alice, bob, alice, bob)))
        result = await match.after(board)
        assert "agreed to end it" in result.text
        acts = json.loads(match.stored()["acts"])
        assert sorted(act[1:] for act in acts) == [[0, "agree"], [1, "agree"]]


async def test_a_forfeit_by_both_in_the_same_millisecond_has_one_winner(game):
    for _ in range(5):
        alice, bob = await game.people("Alice", "Bob")
        match = await game.match(alice, bob)
        board = await match.board()
        menus = [(await person.click(board, "More")).message for person in (alice, bob)]
        custom_id = f"war:giveup:{match.id}:0"
        await asyncio.gather(*(who.click(menu, custom_id) for who, menu in zip((alice, bob), menus, strict=True)))
        result = await match.after(board)
        assert "forfeited" in result.text
        results = game.rows("SELECT result FROM match_seats WHERE match_id = ?", match.id)
        assert sorted(row["result"] for row in results) == ["loss", "win"]


async def test_a_click_when_all_is_over(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    result = await match.play_out()
    stored = dict(match.stored())
    menu = f"war:more:{match.id}:{stored['turn']}"
    refused(await alice.click(result, menu), "The match has moved on")
    for button in ("flip", "finish", "agree", "playon"):
        answer = await alice.click(result, f"war:{button}:{match.id}:{stored['turn']}")
        assert answer.message.text == result.text
    assert dict(match.stored()) == stored
    played = "SELECT s.played FROM standings s JOIN people p ON p.id = s.person_id WHERE p.user_id = ?"
    assert game.row(played, int(alice.id))["played"] == 1


# ---- forged and ancient buttons ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "custom_id",
    [
        "war:flip:٣:1",
        f"war:flip:{'9' * 30}:1",
        "war:flip:9223372036854775808:1",
        "war:flip:1:-1",
        "war:flip:1:1\n",
        "war:flip: 1:1",
        "war:flip:1",
        "war:flip:1:1:1",
        "war:flip:1:1:1:1:1",
        "war:flip",
        "war:nosuch",
        "war:nosuch:1:2",
        "WAR:flip:1:1",
        "war:",
        "w",
        "poker:fold:7",
        "x" * 100,
    ],
)
async def test_a_custom_id_that_no_version_of_ours_would_make(game, custom_id):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    before = dict(match.stored())
    refused(await alice.click(await match.board(), custom_id), OLDER, "`/war board`")
    assert dict(match.stored()) == before


@pytest.mark.parametrize("button", ["flip", "finish", "more", "agree", "playon", "offer", "card", "giveup"])
async def test_another_matchs_id(game, button):
    alice, bob, cleo, dan = await game.people("Alice", "Bob", "Cleo", "Dan")
    mine, other = await game.match(alice, bob), await game.match(cleo, dan)
    before = dict(other.stored())
    for match_id in (other.id, 2**63 - 1, 0):
        answer = await alice.click(await mine.board(), f"war:{button}:{match_id}:0")
        refused(answer, "This match is not known here")
    assert dict(other.stored()) == before


async def test_another_channels_board(game):
    """A button of a match, on a message in another channel, pressed by somebody who plays in that match."""
    alice, bob, cleo, dan = await game.people("Alice", "Bob", "Cleo", "Dan")
    mine, other = await game.match(alice, bob), await game.match(cleo, dan)
    before = dict(mine.stored())
    answer = await alice.click(await other.board(), f"war:flip:{mine.id}:0")
    refused(answer, "This match is not known here")
    assert dict(mine.stored()) == before
    assert (await other.board()).main == f"war:flip:{other.id}:0"


@pytest.mark.parametrize("button", ["accept", "decline", "cancel"])
async def test_a_button_of_a_challenge_on_a_match_that_is_on(game, button):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    before = dict(match.stored())
    answer = await bob.click(await match.board(), f"war:{button}:{match.id}")
    assert answer.acked
    assert (await match.board()).main is not None, "the board is still there"
    assert dict(match.stored()) == before


async def test_buttons_of_the_leaderboard_with_numbers_that_are_none_of_its_own(game):
    [alice] = await game.people("Alice")
    leaders = await alice.command(await game.channel(), "war leaderboard")
    refused(await alice.click(leaders.message, "war:leaders:7:0:1"), OLDER)
    far = await alice.click(leaders.message, f"war:leaders:0:{2**63 - 1}:1")
    assert "Leaderboard" in far.text


async def test_a_share_or_a_proof_of_somebody_elses_quick_match(game):
    alice, bob, cleo = await game.people("Alice", "Bob", "Cleo")
    channel = await game.channel()
    quick = (await alice.command(channel, "war quick")).message
    own = (await bob.command(channel, "war quick")).message
    refused(await bob.click(own, quick.buttons["Share"]), "This match is not known here")
    match = await game.match(alice, cleo)
    refused(await bob.click(own, f"war:share:{match.id}"), "This match is not known here")
    refused(await bob.click(own, f"war:proof:{match.id}"), "comes with the result")


# ---- messages and permissions that are gone ---------------------------------------------------------------------


async def test_a_match_whose_message_was_deleted_is_posted_anew_by_the_board_command(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    board = await match.turn()
    await game.delete(match.channel, board.id)
    anew = await alice.command(match.channel, "war board")
    assert anew.message.main == board.main
    match.message = anew.message.id
    await match.turn()


async def test_a_match_whose_message_was_deleted_goes_on_by_the_clock_on_a_new_message(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    board = await match.turn()
    await game.delete(match.channel, board.id)
    await game.time_is_up(match.id)

    async def posted_anew():
        return next((each for each in await game.messages(match.channel) if each.main), None)

    anew = await game.until(posted_anew)
    assert anew.main != board.main, "the table has played its own turn"

    async def known():
        return True if match.stored()["message_id"] == int(anew.id) else None

    await game.until(known)
    match.message = anew.id
    await match.turn()
    assert len([message for message in await game.messages(match.channel) if message.main]) <= 1


async def test_a_challenge_whose_message_was_deleted_expires_without_a_word(game):
    alice, bob = await game.people("Alice", "Bob")
    channel = await game.channel()
    challenge = await game.challenge(alice, bob, channel)
    await game.delete(channel, challenge.id)
    await game.time_is_up(game.match_id(challenge))
    match = await game.match(alice, bob)  # by its end the bot has done what it had to do about the other
    await match.play_out()
    assert await game.messages(channel) == []


@pytest.mark.parametrize("lacking", ["Send Messages", "View Channel"])
@pytest.mark.parametrize("command", ["war challenge", "war quick"])
async def test_a_challenge_where_the_bot_may_not_play(game, lacking, command):
    alice, bob = await game.people("Alice", "Bob")
    bits = {"View Channel": VIEW, "Send Messages": SEND, "Attach Files": ATTACH}
    channel = await game.channel(permissions=sum(bits.values()) - bits[lacking])
    answer = await alice.command(channel, command, opponent=bob)
    refused(answer, f"I lack the permission {lacking}", "Ask a moderator")
    assert not game.rows("SELECT id FROM matches WHERE channel_id = ?", int(channel))


async def test_permissions_lost_in_mid_match_lose_nothing(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    await match.turn()
    await game.permit(match.channel, VIEW)
    board = await match.turn()
    refused(await alice.command(match.channel, "war board"), "I lack the permission Send Messages")
    await game.permit(match.channel, 0)
    await game.time_is_up(match.id)
    assert (match.stored()["status"], match.stored()["turn"]) == ("paused", 2), "nobody could have seen it go on"
    await game.permit(match.channel, VIEW | SEND | ATTACH)

    async def goes_on():
        return True if match.stored()["status"] == "live" else None

    await game.until(goes_on)
    anew = await alice.command(match.channel, "war board")
    assert anew.message.main == board.main
    match.message = anew.message.id
    await match.play_out()


async def test_a_hostile_name_stays_a_name(game):
    [alice] = await game.people("Alice")
    for name in ("@everyone <@1> **b**", "\u202egnp.exe", "# x\n-# y", "<t:1:R> </war:1>", "\u0301" * 30, "||`x`||"):
        [bob] = await game.people(name)
        channel = await game.channel()
        challenge = await game.challenge(alice, bob, channel)
        assert challenge.raw["mention_everyone"] is False
        assert "\u202e" not in challenge.text
        board = (await bob.click(challenge, "Accept")).message
        assert board.main
        more = await alice.click(board, "More")
        question = await alice.click(more.message, "Forfeit")
        await alice.click(question.message, "Yes, forfeit")
