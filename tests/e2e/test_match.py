"""Matches as people play them: a challenge, a board, a result, a quick match, a leaderboard."""

from __future__ import annotations

import hashlib
import json
import re

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")


# ---- the challenge ----------------------------------------------------------------------------------------------


async def test_a_challenge_says_who_what_and_how_long_and_pings_the_challenged_once(game):
    alice, bob = await game.people("Alice", "Bob")
    channel = await game.channel()
    first = await game.challenge(alice, bob, channel)
    assert "Alice challenges Bob to War" in first.text
    assert re.search(r"Classic rules, about \d+ presses each\.", first.text)
    assert re.search(r"closes <t:\d+:R>", first.text)
    assert re.search(r"SHA-256 [0-9a-f]{64}", first.text)
    assert list(first.buttons) == ["Accept", "Decline", "Cancel"]
    assert [user["id"] for user in first.raw["mentions"]] == [bob.id]
    second = await game.challenge(alice, bob, channel)
    assert second.raw["mentions"] == [], "a pair is pinged at most every ten minutes"


async def test_the_challenged_may_decline_and_nobody_else(game):
    alice, bob, cleo = await game.people("Alice", "Bob", "Cleo")
    channel = await game.channel()
    challenge = await game.challenge(alice, bob, channel)
    for stranger in (alice, cleo):
        for button in ("Accept", "Decline"):
            answer = await stranger.click(challenge, button)
            assert answer.private
            assert "for someone else" in answer.text
    declined = await bob.click(challenge, "Decline")
    assert declined.message.id == challenge.id
    assert "Bob would rather not play now" in declined.text
    assert not declined.message.buttons


async def test_the_challenger_may_take_it_back_and_nobody_else(game):
    alice, bob = await game.people("Alice", "Bob")
    channel = await game.channel()
    challenge = await game.challenge(alice, bob, channel)
    answer = await bob.click(challenge, "Cancel")
    assert answer.private
    assert "Only Alice" in answer.text
    cancelled = await alice.click(challenge, "Cancel")
    assert "taken back" in cancelled.text
    assert not cancelled.message.buttons
    assert (await game.challenge(alice, bob, channel)).buttons, "it holds nothing any more"


async def test_a_challenge_that_nobody_answers_expires(game):
    alice, bob = await game.people("Alice", "Bob")
    channel = await game.channel()
    challenge = await game.challenge(alice, bob, channel)
    match_id = game.match_id(challenge)
    await game.time_is_up(match_id)

    async def expired():
        message = await game.message(channel, challenge.id)
        return None if message.buttons else message

    assert "Nobody answered in time" in (await game.until(expired)).text
    late = await bob.click(challenge.id, challenge.buttons["Accept"])
    assert not late.message.buttons
    assert game.row("SELECT status FROM matches WHERE id = ?", match_id)["status"] == "void"


async def test_accepting_posts_the_board_anew_and_closes_the_challenge_with_a_link_to_it(game):
    alice, bob = await game.people("Alice", "Bob")
    channel = await game.channel()
    challenge = await game.challenge(alice, bob, channel)
    accepted = await bob.click(challenge, "Accept")
    board = accepted.message
    assert not board.private
    assert board.id != challenge.id
    assert board.raw["interaction_metadata"]["id"] == accepted.record["id"], "anyone can read the client seed"
    stored = game.row("SELECT client_seed FROM matches WHERE channel_id = ?", int(channel))
    assert stored["client_seed"] == accepted.record["id"]
    commitment = re.search("[0-9a-f]{64}", challenge.text)[0]
    assert f"seed {commitment[:12]}…" in board.text

    async def closed():
        message = await game.message(channel, challenge.id)
        return None if message.buttons else message

    left = await game.until(closed)
    assert f"/{channel}/{board.id}" in left.text
    assert commitment in left.text, "who checks the deal later finds the whole commitment"


async def test_after_a_decline_there_need_be_no_more_challenges(game):
    alice, bob, cleo = await game.people("Alice", "Bob", "Cleo")
    channel = await game.channel()
    declined = await bob.click(await game.challenge(alice, bob, channel), "Decline")
    assert declined.message is not None
    assert "would rather not play now" in declined.message.text

    async def asked():
        return next((each for each in await bob.sees(channel) if "No more challenges from Alice?" in each.text), None)

    question = await game.until(asked)
    assert question.private
    assert list(question.buttons) == ["None for a day", "None for good", "From nobody"]
    said = await bob.click(question, "None for good")
    assert "Alice cannot challenge you any more" in said.text
    refused = await alice.command(channel, "war challenge", opponent=bob)
    assert refused.private
    assert "Bob takes no challenges at the moment" in refused.text
    assert (await cleo.command(channel, "war challenge", opponent=bob)).message.buttons

    helped = await bob.command(channel, "war help")
    assert "You take no challenges from some people" in helped.text
    again = await bob.click(helped.message, "Take challenges again")
    assert "Anybody can challenge you again" in again.text
    assert "You take no challenges" not in (await bob.command(channel, "war help")).text
    assert "Accept" in (await alice.command(channel, "war challenge", opponent=bob)).message.buttons


# ---- a match to its end -----------------------------------------------------------------------------------------


async def test_two_people_play_to_the_end_by_buttons_and_the_leaderboard_shows_both(game):
    alice, bob = await game.people("Amalia", "Bruno")
    match = await game.match(alice, bob)
    board = await match.board()
    assert board.main_label == "Deal"
    assert board.counts == {"Amalia": 26, "Bruno": 26}
    await alice.click(board, "Deal")
    assert "Waiting for Bruno" in (await match.shows("Ready: Amalia.")).text
    result = await match.play_out()
    winner, loser = ("Amalia", "Bruno") if result.counts["Amalia"] else ("Bruno", "Amalia")
    assert f"## {winner} wins the War" in result.text
    assert f"{winner} holds all the cards" in result.text
    assert result.counts == {winner: 52, loser: 0}
    assert list(result.buttons) == ["Rematch", "Replay", "Proof"]
    assert [message.id for message in await game.messages(match.channel)][-1] == result.id, "no flood of messages"

    leaders = await bob.command(match.channel, "war leaderboard")
    assert not leaders.private
    assert f"**{winner}** · 1 won, 0 lost" in leaders.text
    assert f"**{loser}** · 0 won, 1 lost" in leaders.text
    own = next(line for line in leaders.text.splitlines() if line.startswith("Your row:"))
    assert "**Bruno**" in own
    assert list(leaders.message.buttons) == ["Show quick matches"], "there is no other page to turn to"
    for row in game.rows(
        "SELECT p.name, s.played FROM standings s JOIN people p ON p.id = s.person_id WHERE p.user_id IN (?, ?)",
        int(alice.id),
        int(bob.id),
    ):
        assert row["played"] == 1


async def test_the_proof_of_a_match_holds_and_stops_to_hold_when_a_byte_changes(game, run_warbot, tmp_path):
    alice, bob, cleo = await game.people("Alice", "Bob", "Cleo")
    match = await game.match(alice, bob, rules="blitz")
    committed = re.search("seed ([0-9a-f]{12})…", (await match.board()).text)[1]
    result = await match.play_out()
    answer = await cleo.click(result, "Proof")
    assert answer.private
    assert "shown before the match began" in answer.text
    data = await game.download(answer.message)
    proof = json.loads(data)
    assert hashlib.sha256(bytes.fromhex(proof["server_seed"])).hexdigest() == proof["commitment"]
    assert proof["commitment"].startswith(committed)
    assert proof["client_seed"] == match.stored()["client_seed"]
    file = tmp_path / "proof.json"
    file.write_bytes(data)
    code, out, err = await run_warbot("verify", str(file))
    assert (code, err) == (0, "")
    assert "The proof holds" in out
    at = len(data) // 3
    file.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
    code, out, err = await run_warbot("verify", str(file))
    assert (code, out) == (1, "")
    assert err.startswith("The proof does not hold:")
    assert err.count("\n") == 1


async def test_while_a_match_is_on_its_proof_is_refused_for_it_would_show_the_cards(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    more = await alice.click(await match.board(), "More")
    answer = await alice.click(more.message, "Proof")
    assert answer.private
    assert "comes with the result" in answer.text
    assert not answer.message.files


async def test_finish_by_both_plays_to_the_end_at_once(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    board = await match.board()
    await alice.click(board, "Finish")
    await match.shows("Would play to the end: Alice.")
    await bob.click(board, "Finish")
    result = await match.after(board)
    assert "wins the War" in result.text or "A draw" in result.text
    assert match.stored()["turn"] == 1


async def test_finish_by_one_does_not_hurry_the_other_but_never_keeps_them_waiting(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    board = await match.board()
    await alice.click(board, "Finish")
    await bob.click(board, board.main)
    board = await match.after(board)
    while board.main is not None:
        assert match.stored()["status"] == "live"
        await bob.click(board, board.main)  # alone: Alice is ready at once
        board = await match.after(board)
    assert "wins the War" in board.text


async def test_one_card_a_press_until_it_is_changed_back(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    more = await bob.click(await match.board(), "More")
    assert more.private
    assert "Now: Bob 26, Alice 26" in more.text
    changed = await bob.click(more.message, "One card a press")
    assert changed.private
    assert "One card a press from now on" in changed.text
    board = await match.board()
    for step in (1, 2, 3):
        await alice.click(board, board.main)
        if step > 1:  # the choice was Bob's press for the first turn
            await bob.click(board, board.main)
        board = await match.after(board)
        assert match.stored()["steps"] == step
    more = await bob.click(board, "More")
    assert "A war a press" in more.message.buttons
    await bob.click(more.message, "A war a press")
    await alice.click(board, board.main)
    board = await match.after(board)
    assert board.main is None or board.main_label == "Reveal!"


async def test_the_match_ends_when_both_agree(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    board = await match.turn()
    held = board.counts
    more = await alice.click(board, "More")
    offered = await alice.click(more.message, "Offer to end")
    assert offered.private

    async def shown():
        board = await match.board()
        return board if "Agree to end" in board.buttons else None

    board = await game.until(shown)
    assert "Alice would end the match here" in board.text
    await bob.click(board, "Agree to end")
    result = await match.after(board)
    assert "The players agreed to end it" in result.text
    assert result.counts == held
    most = max(held, key=held.get)
    assert f"## {most} wins the War" in result.text or len(set(held.values())) == 1


async def test_an_offer_to_end_is_refused_or_withdrawn_by_the_next_turn(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)

    async def offer(person, board):
        more = await person.click(board, "More")
        await person.click(more.message, "Offer to end")
        return await game.until(offered)

    async def offered():
        board = await match.board()
        return board if "Play on" in board.buttons else None

    board = await offer(alice, await match.board())
    await bob.click(board, "Play on")

    async def taken_off():
        board = await match.board()
        return None if "Agree to end" in board.buttons else board

    await game.until(taken_off)
    await offer(bob, await match.board())
    board = await match.turn()
    assert "Agree to end" not in board.buttons
    assert match.stored()["status"] == "live"


async def test_a_forfeit_is_asked_once_more_and_then_recorded_as_such(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    board = await match.turn()
    more = await bob.click(board, "More")
    question = await bob.click(more.message, "Forfeit")
    assert question.private
    assert "Give up the match?" in question.text
    assert match.stored()["status"] == "live"
    done = await bob.click(question.message, "Yes, forfeit")
    assert done.private
    result = await match.after(board)
    assert "## Alice wins the War" in result.text
    assert "Bob forfeited" in result.text
    stored = match.stored()
    assert (stored["termination"], json.loads(stored["acts"])[0][2]) == ("forfeit", "forfeit")


async def test_the_board_can_be_posted_anew_and_others_get_a_link(game):
    alice, bob, cleo = await game.people("Alice", "Bob", "Cleo")
    match = await game.match(alice, bob)
    old = await match.turn()
    link = await cleo.command(match.channel, "war board")
    assert link.private
    assert f"/{match.channel}/{old.id}" in link.text
    moved = await bob.command(match.channel, "war board")
    assert not moved.private
    assert moved.message.main == old.main

    async def retired():
        message = await game.message(match.channel, old.id)
        return None if message.buttons else message

    assert f"/{match.channel}/{moved.message.id}" in (await game.until(retired)).text
    match.message = moved.message.id
    await match.turn()


async def test_rules_and_help_explain_in_private(game):
    alice, bob = await game.people("Alice", "Bob")
    channel = await game.channel()
    rules = await alice.command(channel, "war rules")
    assert rules.private
    assert "3 cards face-down" in rules.text
    assert "52 cards" in rules.text
    await game.match(alice, bob, channel, rules="blitz")
    assert "24 cards" in (await alice.command(channel, "war rules")).text, "those of the match that is on here"
    help_text = await alice.command(channel, "war help")
    assert help_text.private
    for command in ("challenge", "quick", "board", "leaderboard", "rules", "flair"):
        assert f"`/war {command}`" in help_text.text
    assert "take the option `rules`" in help_text.text


async def test_a_board_where_no_match_is_on_says_how_to_start_one(game):
    [alice] = await game.people("Alice")
    answer = await alice.command(await game.channel(), "war board")
    assert answer.private
    assert "No match is on" in answer.text


# ---- quick matches ----------------------------------------------------------------------------------------------


async def test_a_quick_match_against_the_house_with_again_share_and_proof(game, run_warbot, tmp_path):
    [alice] = await game.people("Alice")
    channel = await game.channel()
    first = await alice.command(channel, "war quick")
    assert first.private
    assert list(first.message.buttons) == ["Again", "Share", "Replay", "Proof"]
    assert re.search(r"\|\|(And the winner is .+, with 52 cards\.|It is a draw\.)\|\|", first.text), (
        "the result is in a spoiler"
    )
    promised = re.search("[0-9a-f]{64}", first.text)[0]

    again = await alice.click(first.message, "Again")
    assert again.message.id == first.message.id, "it takes the place of the last one"
    assert again.private
    shared = await alice.click(again.message, "Share")
    assert not shared.message.private
    assert "Shared by Alice" in shared.text
    too_soon = await alice.click(again.message, "Share")
    assert too_soon.private
    assert "in a minute" in too_soon.text

    answer = await alice.click(again.message, "Proof")
    data = await game.download(answer.message)
    assert json.loads(data)["commitment"] == promised, "the second match kept the promise of the first"
    file = tmp_path / "proof.json"
    file.write_bytes(data)
    code, out, _ = await run_warbot("verify", str(file))
    assert code == 0
    assert "shown before the match began" in out
    file.write_bytes(data.replace(b'"seats":2', b'"seats":3'))
    assert (await run_warbot("verify", str(file)))[0] == 1
    assert "You are not on it yet" in (await alice.command(channel, "war leaderboard")).text


async def test_the_first_quick_match_says_that_no_commitment_was_shown_before_it(game):
    [alice] = await game.people("Alice")
    first = await alice.command(await game.channel(), "war quick")
    answer = await alice.click(first.message, "Proof")
    assert "no commitment was shown before" in answer.text
    assert "`warbot verify`, from the command line of this bot’s project" in answer.text


async def test_a_quick_match_against_a_member_needs_their_consent_and_is_public(game):
    alice, bob = await game.people("Quentin", "Rosa")
    channel = await game.channel()
    asked = await alice.command(channel, "war quick", opponent=bob)
    assert not asked.private
    assert "quick match" in asked.text
    assert not game.rows("SELECT id FROM matches WHERE channel_id = ? AND status = 'over'", int(channel))
    played = await bob.click(asked.message, "Accept")
    assert not played.private
    assert re.search(r"\|\|.+\|\|", played.text)
    assert list(played.message.buttons) == ["Replay", "Proof"]

    leaders = await alice.command(channel, "war leaderboard")
    assert "Quentin" not in leaders.text, "played and quick are told apart"
    quick = await alice.click(leaders.message, "Show quick matches")
    assert "Quentin" in quick.text
    assert "Rosa" in quick.text


async def test_a_quick_match_may_be_played_while_a_match_is_on(game):
    alice, bob, cleo = await game.people("Alice", "Bob", "Cleo")
    match = await game.match(alice, bob)
    busy = await cleo.command(match.channel, "war challenge", opponent=alice)
    assert busy.private
    assert "are playing here" in busy.text
    assert (await match.board()).id in busy.message.links["Watch"]
    quick = await cleo.click(busy.message, "Quick match")
    assert quick.private
    assert "A quick match: Cleo against House" in quick.text


# ---- absence ----------------------------------------------------------------------------------------------------


async def test_the_table_plays_on_without_who_is_absent_and_takes_them_back(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob, turns=5)
    board = await match.board()
    for misses in (1, 2):
        await alice.click(board, board.main)
        await match.shows("Waiting for Bob. The table plays by itself <t:")
        await game.time_is_up(match.id)
        board = await match.after(board)
        assert ("On auto until they press again: Bob." in board.text) == (misses == 2)
    await alice.click(board, board.main)
    board = await match.after(board)
    assert "Waiting for Alice." in board.text, "nobody waits for a seat on auto"
    await bob.click(board, board.main)
    assert "On auto" not in (await match.shows("Ready: Bob.")).text
    await alice.click(board, board.main)
    assert "Waiting for Bob and Alice." in (await match.after(board)).text


async def test_one_press_leaves_the_other_ten_seconds(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    dealt = match.stored()["deadline_at"]
    await alice.click(await match.board(), "Deal")
    nudged = match.stored()["deadline_at"]
    assert 30_000 < dealt - nudged < 36_000, "45 s shrink to 10 s"
    await match.shows(f"Waiting for Bob. The table plays by itself <t:{-(-nudged // 1000)}:R>")


async def test_a_match_that_nobody_ever_pressed_in_is_void(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    board = await match.board()
    await game.time_is_up(match.id)
    board = await match.after(board)
    await game.time_is_up(match.id)
    void = await match.after(board)
    assert "It counts for nobody" in void.text
    assert not void.buttons
    assert match.stored()["status"] == "void"
    assert not game.rows(
        "SELECT s.wins FROM standings s JOIN people p ON p.id = s.person_id WHERE p.user_id = ?", int(bob.id)
    )
    await game.match(alice, bob)


async def test_a_table_that_both_have_left_plays_itself_out_and_posts_the_result(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    board = await match.turn()
    while board.main is not None:
        await game.time_is_up(match.id)
        board = await match.after(board)
    assert "wins the War" in board.text
    assert match.stored()["turn"] <= 4
