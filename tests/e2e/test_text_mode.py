"""Boards as text: chosen by a moderator, or because the bot may not attach files; with emoji where they can be had."""

from __future__ import annotations

import re
from typing import Any

import pytest

VIEW, SEND = 1 << 10, 1 << 11
EMOJI = re.compile(r"<:(?:two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|ace)_of_[a-z]+:(\d+)>")
PLAIN = re.compile(r"(?:[2-9]|10|[JQKA])[♣♦♥♠]")
WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
NAMED = {
    f"{rank}{suit}": f"{word}_of_{name}"
    for rank, word in zip(RANKS, WORDS, strict=True)
    for suit, name in zip("♣♦♥♠", ("clubs", "diamonds", "hearts", "spades"), strict=True)
}
SETTINGS = "war-admin settings"

pytestmark = pytest.mark.asyncio(loop_scope="module")


def moderator(game: Any, person: Any) -> Any:
    """The server's owner, who may do everything; `person` is anybody, to be like."""
    return type(person)(game, game.playground.world.owner.id, game.playground.world.owner.name)


async def pace(match: Any, choice: str) -> None:
    """Chooses how much a press plays: `One card a press` is a single battle, so that the match surely lasts some turns
    and every board names cards; `A war a press` is up to the next war."""
    menu = await match.dealer.click(await match.board(), "More")
    answer = await match.dealer.click(menu.message, choice)
    assert "a press from now on" in answer.text


def uploads(game: Any) -> int:
    """How many emoji the bot has sent."""
    sent = game.playground.rest.exchanges
    return sum(1 for each in sent if each.method == "POST" and each.path.endswith("/emojis"))


async def board_with_emoji(match: Any) -> Any:
    """The board as soon as it names cards by emoji: it is posted anew until then, for nothing else moves it."""

    async def shown() -> Any:
        anew = await match.dealer.command(match.channel, "war board")
        match.message = anew.message.id
        return anew.message if EMOJI.search(anew.message.text) else None

    return await match.game.until(shown)


def said_beside(text: str) -> bool:
    """Whether every emoji of a card is followed by that card as text, and no card stands without one."""
    pairs = re.findall(f"({EMOJI.pattern})\xa0({PLAIN.pattern})", text)
    assert len(pairs) == len(EMOJI.findall(text)) == len(PLAIN.findall(text))
    return all(emoji.split(":")[1] == NAMED[card] for emoji, _, card in pairs)


async def test_who_may_not_manage_the_server_cannot_change_it(game: Any) -> None:
    [alice] = await game.people("Alice")
    channel = await game.channel()
    answer = await alice.command(channel, SETTINGS, text_mode=True)
    assert answer.private
    assert "Only who may manage this server" in answer.text
    assert game.rows("SELECT text_mode FROM guilds") == []


async def test_text_mode_takes_the_picture_away_and_brings_emoji(own_game: Any) -> None:
    game = own_game
    alice, bob = await game.people("Alice", "Bob")
    owner = moderator(game, alice)
    match = await game.match(alice, bob)
    await pace(match, "One card a press")
    pictured = await match.turn()
    assert pictured.files
    assert PLAIN.search(pictured.text)
    assert uploads(game) == 0, "nobody needs them yet"

    answer = await owner.command(match.channel, SETTINGS, text_mode=True)
    assert answer.private
    assert "shown as text" in answer.text
    board = await match.turn()
    assert not board.files
    assert _media(board) == []

    board = await board_with_emoji(match)
    assert not board.files
    assert said_beside(board.text), "an emoji is a picture: its card is written too"
    known = game.playground.world.emojis
    assert set(EMOJI.findall(board.text)) <= set(known)
    assert len(known) == uploads(game) == 53
    assert "card_back" in {each.name for each in known.values()}

    await owner.command(match.channel, SETTINGS, text_mode=False)
    board = await match.turn()
    assert board.files
    assert len(_media(board)) == 1
    assert PLAIN.search(board.text)
    assert not EMOJI.search(board.text)


def _media(board: Any) -> list[Any]:
    """The pictures on a message."""
    [container] = board.raw["components"]
    return [item for part in container["components"] if part["type"] == 12 for item in part["items"]]


async def test_a_replay_in_text_mode_shows_emoji_too_and_a_new_process_finds_them(own_game: Any) -> None:
    game = own_game
    alice, bob = await game.people("Alice", "Bob")
    channel = await game.channel()
    owner = moderator(game, alice)
    await owner.command(channel, SETTINGS, text_mode=True)
    match = await game.match(alice, bob, channel, rules="blitz")
    await pace(match, "One card a press")
    await match.turn()
    await board_with_emoji(match)
    await game.bot("stop")
    await game.bot("start")
    await board_with_emoji(match)
    assert uploads(game) == 53, "those of the first process are used"
    await pace(match, "A war a press")
    result = await match.play_out()
    replay = await bob.click(result, "Replay")
    assert replay.private
    assert EMOJI.search(replay.text)
    assert said_beside(replay.text)
    assert not replay.message.files


async def test_missing_faces_are_uploaded_beside_those_that_are_there(own_game: Any) -> None:
    game = own_game
    alice, bob = await game.people("Alice", "Bob")
    channel = await game.channel(permissions=VIEW | SEND)
    match = await game.match(alice, bob, channel)
    await pace(match, "One card a press")
    await match.turn()
    await board_with_emoji(match)
    world = game.playground.world
    gone = [each for each in world.emojis.values() if each.name.endswith("_of_spades")]
    for each in gone:
        del world.emojis[each.id], world.files[each.id]
    await game.bot("stop")
    await game.bot("start")
    await board_with_emoji(match)
    assert len(world.emojis) == 53
    assert uploads(game) == 53 + len(gone)


@pytest.mark.parametrize(
    ("route", "fields"),
    [
        ("POST /applications/*/emojis", {"code": 30008}),
        ("POST /applications/*/emojis", {"status": 403}),
        ("GET /applications/*/emojis", {"status": 404}),
    ],
)
async def test_where_emoji_cannot_be_had_cards_stay_plain_and_nothing_breaks(
    own_game: Any, route: str, fields: dict[str, int]
) -> None:
    game = own_game
    fault = await game.call("POST", "/faults", do="status", route=route, times=None, **fields)
    alice, bob = await game.people("Alice", "Bob")
    channel = await game.channel(permissions=VIEW | SEND)
    match = await game.match(alice, bob, channel, rules="blitz")

    async def given_up() -> bool | None:
        return True if any("emoji are not to be had" in line for line in game.log) else None

    await game.until(given_up)
    board = await match.turn()
    while board.main is not None:
        assert not EMOJI.search(board.text)
        assert not board.files
        board = await match.turn()
    replay = await alice.click(board, "Replay")
    assert PLAIN.search(replay.text)
    [standing] = (await game.call("GET", "/faults"))["faults"]
    assert (standing["id"], standing["hits"]) == (fault["id"], 1), "tried once a process"
    assert sum("emoji are not to be had" in line for line in game.log) == 1


async def test_where_files_cannot_be_attached_that_is_said_once(game: Any) -> None:
    alice, bob = await game.people("Alice", "Bob")
    channel = await game.channel(permissions=VIEW | SEND)
    challenge = await game.challenge(alice, bob, channel, rules="blitz")
    assert "may not attach files" in challenge.text
    match_id = game.match_id(challenge)
    board = (await bob.click(challenge, "Accept")).message
    while board.main is not None:
        assert "attach files" not in board.text
        assert not board.files
        for person in (alice, bob):
            await person.click(board, board.main)

        async def moved(before: Any = board) -> Any:
            now = await game.message(channel, before.id)
            return now if now.main != before.main else None

        board = await game.until(moved)
    assert not board.files
    assert game.row("SELECT status FROM matches WHERE id = ?", match_id)["status"] == "over"
