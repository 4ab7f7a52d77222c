"""Layouts keep Discord's limits whatever people are called: 40 components, 4,000 characters, five buttons a row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from bot.aftermath import Aftermath
from bot.client import PERMISSIONS
from bot.gallery import Picture
from bot.host import Board, User
from bot.i18n import Catalogue
from bot.pictures.flair import BACKS, EMBLEMS
from cogs import _layout, _view_board, _view_flair, _view_invitation, _view_pages, _view_result
from cogs._layout import Layout
from cogs.emoji import beside
from db.people import HOUSE_USER_ID, Person
from db.standings import PAGE, Page, Standing
from engine.cards import CARDS, Card
from engine.rules import PRESETS, Rules
from engine.table import Pace, play_turn
from engine.war import War

TEXTS = Catalogue.load().texts(None)
LONGEST_NAME = "*_~|`>#-" * 4
NAMES = [LONGEST_NAME, "@everyone", "<@1>", "\u202eRTL", "👨\u200d👩\u200d👧" * 11, "z" + "\u0353" * 40, "", "A\nB"]


def items(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for each in components:
        yield each
        yield from items(each.get("components", []))
        if "accessory" in each:
            yield from items([each["accessory"]])


def checked(layout: Layout) -> list[dict[str, Any]]:
    """All components of a layout, which must be such as Discord takes."""
    found = list(items(layout.to_components()))
    texts = [each["content"] for each in found if each["type"] == 10]
    assert 1 <= len(found) <= 40
    assert sum(map(len, texts)) <= 4000
    assert all(text.strip() for text in texts)
    for each in found:
        if each["type"] == 1:
            assert 1 <= len(each["components"]) <= 5
        if each["type"] == 2:
            assert 1 <= len(each["label"]) <= 80
    ids = [each["custom_id"] for each in found if "custom_id" in each]
    assert len(ids) == len(set(ids))
    assert all(1 <= len(each) <= 100 for each in ids)
    assert not layout.is_dispatchable()
    assert layout.timeout is None
    return found


def text_of(layout: Layout) -> str:
    return "\n".join(each["content"] for each in checked(layout) if each["type"] == 10)


def labels(layout: Layout) -> list[str]:
    return [each["label"] for each in checked(layout) if each["type"] == 2]


PICTURE = Picture("table.png", b"")


def board_of(board: Board, drawn: Picture | None = None) -> Layout:
    """The message that shows a match, whatever became of it."""
    if board.match.status == "void":
        return _view_board.void(TEXTS, board.match)
    if board.outcome is None:
        return _view_board.board(TEXTS, board, drawn)
    return _view_result.result(TEXTS, board, Aftermath(None, (0,) * board.match.table.seats), drawn)


def hostile(board: Board) -> Board:
    """The same board with the longest and nastiest names."""
    return replace(board, match=renamed(board.match))


def renamed(match: Any, names: list[str] | None = None) -> Any:
    chosen = names or [LONGEST_NAME] * 6
    players = tuple(
        replace(player, person=replace(player.person, name=chosen[place % len(chosen)]))
        for place, player in enumerate(match.players)
    )
    invited = match.invited and replace(match.invited, name=chosen[-1])
    return replace(match, players=players, invited=invited)


# ---- the limits ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 6])
@pytest.mark.parametrize("pace", [Pace.CARD, Pace.WAR])
async def test_every_board_of_a_match_keeps_the_limits(game: Any, seats: int, pace: Pace) -> None:
    match = await game.deal_table(seats)
    boards = 0
    while match.status == "live" and boards < 20:
        board = game.host.board(match)
        table = board.match.table
        for state in (
            table,
            replace(table, offer=table.playing, ready=table.present),
            replace(table, fast=table.playing),
        ):
            for drawn in (None, PICTURE):
                checked(board_of(hostile(replace(board, match=replace(board.match, table=state))), drawn))
        checked(_view_board.more(TEXTS, renamed(match), 0, board.counts))
        checked(_view_board.forfeit_question(TEXTS, match))
        boards += 1
        for player in match.players:
            user = User(player.person.user_id, player.person.name)
            if match.status == "live" and match.table.awaited >> (player.seat or 0) & 1:
                match = await game.host.press(game.click(match, user), pace) or match
    over = match if match.status == "over" else await game.to_end(match)
    checked(board_of(hostile(await game.board(over))))
    assert boards > 3


@pytest.mark.parametrize("end", ["agreed", "forfeit", "void"])
async def test_every_end_keeps_the_limits(game: Any, end: str) -> None:
    match = await game.turn(await game.deal_table(3))
    if end == "agreed":
        for user in game.users[:3]:
            match = await game.host.agree(game.click(match, user))
    elif end == "forfeit":
        for user in game.users[:2]:
            match = await game.host.forfeit(game.click(match, user))
    else:
        await game.host.channel_gone(match.channel_id)
        match = await game.host.match(match.id)
    said = text_of(board_of(hostile(await game.board(match))))
    assert len(said) > 50


async def test_every_challenge_keeps_the_limits(game: Any) -> None:
    for kind in ("match", "quick"):
        match = (await game.challenge(kind=kind)).match
        for rules in [*PRESETS.values(), Rules(face_down=5)]:
            checked(_view_invitation.challenge(TEXTS, renamed(replace(match, rules=rules))))
        for how in ("accepted", "declined", "cancelled", "expired"):
            for url in (None, "https://discord.com/channels/1/2/3"):
                if how != "accepted" or kind == "quick" or url:
                    checked(_view_invitation.closed(TEXTS, renamed(match), how, url))


async def test_every_open_table_keeps_the_limits(game: Any) -> None:
    match = await game.host.open_table(game.here, game.alice, rules=Rules())
    for user in game.users[1:6]:
        match = await game.host.join(game.click(match, user), user)
        said = text_of(_view_invitation.open_table(TEXTS, renamed(match)))
    assert "6 of 6" in said
    for how in ("accepted", "cancelled", "expired"):
        checked(_view_invitation.closed(TEXTS, renamed(match), how, "https://discord.com/channels/1/2/3"))
    for user in game.users[:6]:
        match = await game.host.leave(game.click(match, user), user)
    checked(_view_invitation.closed(TEXTS, match, "cancelled"))


def as_longest_emoji(card: Card) -> str:
    """A card beside the application's emoji, with the longest name, the longest id and the longest text of a card."""
    assert card in CARDS
    return beside(f"<:queen_of_diamonds:{2**64 - 1}>", Card.parse("TD"))


@pytest.mark.parametrize("pace", [Pace.CARD, Pace.WAR])
async def test_text_boards_for_six_with_emoji_keep_the_limits(game: Any, pace: Pace) -> None:
    match = await game.deal_table(6)
    written = 0
    while match.status == "live":
        board = game.host.board(match)
        table = replace(board.match.table, offer=match.table.playing, ready=match.table.present)
        worst = hostile(replace(board, match=replace(board.match, table=table)))
        said = text_of(_view_board.board(TEXTS, worst, None, as_longest_emoji))
        written += said.count("<:queen_of_diamonds:")
        for player in match.players:
            if match.status == "live" and match.table.awaited >> (player.seat or 0) & 1:
                user = User(player.person.user_id, player.person.name)
                match = await game.host.press(game.click(match, user), pace) or match
    assert written > 5
    played = game.host.replay(renamed(match))
    for step in range(1, len(played.battles) + 1):
        text_of(_view_result.moment(TEXTS, _view_result.moment_of(played, step), None, as_longest_emoji))


async def test_the_longest_turn_in_emoji_keeps_the_limits(game: Any) -> None:
    """The most cards that a turn can tell: a settled war between all four aces, and a tie of all four jacks."""
    board = hostile(await game.board(await game.deal_table(6)))
    rows = ("AC AD AH AS 2C 2D", "4C 4D 4H 4S", "5C 5D 5H 5S", "6C 6D 6H 6S", "KC QD QH QS", "JC JD JH JS 3C 3D")
    piles: list[list[Card]] = [[], [], [], [], [], []]
    for row in rows:
        for pile, code in zip(piles, row.split(), strict=False):
            pile.append(Card.parse(code))
    war = War.from_piles(Rules(order="table"), piles, bytes(32), "two great wars")
    assert len(play_turn(war, Pace.WAR)[-1].tied) == 4
    told = tuple(play_turn(war, Pace.WAR))
    assert (len(told[0].turned), len(told[-1].tied)) == (4, 4)
    said = text_of(_view_board.board(TEXTS, replace(board, told=told), None, as_longest_emoji))
    assert said.count("<:queen_of_diamonds:") == 8


async def test_quick_matches_keep_the_limits(game: Any) -> None:
    played = await game.quick()
    for shared_by in (None, "Alice"):
        for drawn in (None, PICTURE):
            one = replace(played, match=renamed(played.match))
            checked(_view_result.quick(TEXTS, one, drawn, shared_by=shared_by))
    waiting = (await game.challenge(kind="quick")).match
    over = await game.host.accept(game.click(waiting, game.bob), game.bob, client_seed="1")
    checked(_view_result.quick(TEXTS, game.host.replay(renamed(over))))
    checked(_view_result.proof(TEXTS, over))
    checked(_view_result.proof(TEXTS, played.match))
    checked(_view_board.busy(TEXTS, renamed(over)))


@pytest.mark.parametrize("seats", [2, 6])
async def test_a_result_with_a_rematch_and_its_spectators_keeps_the_limits(game: Any, seats: int) -> None:
    over = await game.to_end(await game.deal_table(seats))
    board = hostile(await game.board(over))
    for wanted in (0, 1):
        rematch = replace(over, status="waiting", table=replace(over.table, ready=wanted))
        after = Aftermath(rematch, (3,) * seats)
        assert "Rematch" in labels(_view_result.result(TEXTS, board, after, PICTURE))[0]


@pytest.mark.parametrize("seats", [2, 6])
async def test_every_moment_of_a_match_keeps_the_limits(game: Any, seats: int) -> None:
    over = await game.to_end(await game.deal_table(seats))
    played = game.host.replay(renamed(over))
    for step in range(len(played.battles) + 2):
        checked(_view_result.moment(TEXTS, _view_result.moment_of(played, step), PICTURE if step % 2 else None))


@pytest.mark.parametrize("back", [None, *BACKS])
@pytest.mark.parametrize("emblem", [None, *EMBLEMS])
def test_the_choice_of_a_flair_shows_what_is_chosen_and_what_follows_the_seat(
    back: str | None, emblem: str | None
) -> None:
    found = checked(_view_flair.flair(TEXTS, back, emblem, PICTURE))
    menus = {each["custom_id"]: each["options"] for each in found if each["type"] == 3}
    assert list(menus) == ["war:cardback", "war:emblem"], "those of messages that are there already"
    for name, chosen, values in (("war:cardback", back, BACKS), ("war:emblem", emblem, EMBLEMS)):
        assert [option["value"] for option in menus[name]] == ["seat", *values]
        assert [option["value"] for option in menus[name] if option.get("default")] == [chosen or "seat"]
        assert menus[name][0]["label"] == "By seat"
    captions = [
        before["content"]
        for before, after in pairwise(found)
        if after["type"] == 1 and before["type"] == 10 and "content" in before
    ]
    assert captions == ["**Card back**", "**Emblem**"]
    [alt] = [item["description"] for each in found if each["type"] == 12 for item in each["items"]]
    said = "\n".join(each["content"] for each in found if each["type"] == 10)
    assert "depends on the seat" in said
    by_seat = None in (back, emblem)
    assert ("on each of the six seats" in said) == ("on each of the six seats" in alt) == by_seat
    assert ("By seat" in alt) == by_seat


@pytest.mark.parametrize("kind", ["match", "quick"])
@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("number", [0, 1, 10**6 - 1])
def test_a_leaderboard_of_ten_rows_keeps_the_limits(kind: str, own: bool, number: int) -> None:
    large = 10**6
    rows = tuple(
        Standing(large, Person(place, 2**63 - 1, LONGEST_NAME), large, large, large, 3 * large) for place in range(PAGE)
    )
    page = Page(number=number, pages=10**6, rows=rows, own=rows[0] if own else None)
    checked(_view_pages.leaderboard(TEXTS, LONGEST_NAME, page, kind=kind, asker_user_id=2**63 - 1))


def standings(*records: tuple[int, int, int], number: int = 0, pages: int = 1, kind: str = "match") -> Layout:
    """A leaderboard of people with these wins, losses and draws."""
    rows = tuple(
        Standing(place, Person(place, place, f"P{place}"), wins, draws, losses, wins + draws + losses)
        for place, (wins, losses, draws) in enumerate(records, start=1)
    )
    page = Page(number=number, pages=pages, rows=rows, own=None)
    return _view_pages.leaderboard(TEXTS, "Here", page, kind=kind, asker_user_id=1)


def test_a_leaderboard_says_what_was_won_and_lost_and_what_was_drawn_if_anything_was() -> None:
    said = text_of(standings((1, 1, 0), (0, 2, 1))).splitlines()
    assert "All time · matches at the table" in said
    assert "`1` **P1** · 1 won, 1 lost" in said
    assert "`2` **P2** · 0 won, 2 lost, 1 drawn" in said


def test_a_leaderboard_of_one_page_turns_none() -> None:
    one = standings((1, 0, 0))
    assert labels(one) == ["Show quick matches"]
    assert "Page" not in text_of(one)
    assert "5 matches a day" in text_of(one)
    many = standings((1, 0, 0), pages=2, kind="quick")
    assert labels(many) == ["Previous page", "Next page", "Show table matches"]
    assert "Page 1 of 2" in text_of(many)


def test_an_empty_leaderboard_says_how_to_begin() -> None:
    page = Page(number=0, pages=1, rows=(), own=None)
    said = text_of(_view_pages.leaderboard(TEXTS, "", page, kind="match", asker_user_id=1))
    assert "/war challenge" in said


@pytest.mark.parametrize("rules", [*PRESETS.values(), Rules(shortage="equal"), Rules(shortage="keep", order="table")])
def test_the_rules_keep_the_limits(rules: Rules) -> None:
    checked(_view_pages.rules(TEXTS, rules))


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (Rules(), "52 cards for 5 players: each gets 10, 2 are left over, and whoever wins the first round takes them"),
        (Rules(leftover="aside"), "each gets 10, 2 are left over, and nobody gets them"),
        (Rules(low_rank=5), "40 cards for 3 players: each gets 13, 1 is left over, and whoever wins"),
    ],
)
def test_the_rules_say_what_becomes_of_cards_left_over(rules: Rules, words: str) -> None:
    assert words in text_of(_view_pages.rules(TEXTS, rules))


# ---- what they say ------------------------------------------------------------------------------------------


async def test_no_name_can_ping_or_format(game: Any) -> None:
    match = await game.deal_table(6)
    board = await game.board(match)
    said = text_of(board_of(replace(board, match=renamed(match, NAMES))))
    assert "@everyone" not in said
    assert "<@1>" not in said
    assert "\u202e" not in said
    assert "\nB" not in said
    for word in ("someone", "\\<@\u200b1\\>"):
        assert word in said or len(NAMES) > len(match.players)


async def test_only_the_challenged_is_mentioned_and_only_in_the_challenge(game: Any) -> None:
    match = (await game.challenge()).match
    assert text_of(_view_invitation.challenge(TEXTS, match)).count("<@") == 1
    assert f"<@{game.bob.id}>" in text_of(_view_invitation.challenge(TEXTS, match))
    closed = text_of(_view_invitation.closed(TEXTS, match, "declined"))
    dealt = await game.host.accept(game.click(match, game.bob), game.bob, client_seed="1")
    for said in (closed, text_of(board_of(game.host.board(dealt)))):
        assert "<@" not in said


async def test_the_button_follows_the_state(game: Any) -> None:
    match = await game.deal()
    assert labels(board_of(await game.board(match)))[0] == "Deal"
    match = await game.turn(match)
    board = await game.board(match)
    assert labels(board_of(board))[0] == "Reveal!"
    assert "WAR!" in text_of(board_of(board))
    await game.press(match, game.alice, Pace.CARD)
    match = await game.press(match, game.bob)
    board = await game.board(match)
    expected = "Reveal!" if board.tied else "Next card"
    assert labels(board_of(board))[0] == expected


async def test_rule_11_an_offer_shows_the_counts_and_both_answers(game: Any) -> None:
    match = await game.turn(await game.deal())
    before = labels(board_of(await game.board(match)))
    offered = await game.host.agree(game.click(match, game.alice))
    board = game.host.board(offered)
    assert [label for label in labels(board_of(board)) if label not in before] == ["Agree to end", "Play on"]
    said = text_of(board_of(board))
    assert "Alice would end the match here" in said
    for count in board.counts:
        assert f"{count} cards" in said


async def test_who_has_forfeited_is_neither_ready_nor_offering(game: Any) -> None:
    match = await game.deal_table(3)
    await game.press(match, game.bob)
    await game.host.agree(game.click(match, game.bob))
    left = await game.host.forfeit(game.click(match, game.bob))
    layout = board_of(game.host.board(left))
    said = text_of(layout)
    assert "**Bob** · gave up" in said
    assert "Bob has given up. The cards go into the pot." in said
    assert "Ready" not in said
    assert "would end" not in said
    assert "Agree to end" not in labels(layout)


async def test_a_pot_that_a_forfeit_has_grown_is_told_as_the_picture_shows_it(game: Any) -> None:
    match = await game.deal_table(3)
    while not game.host.board(match).tied:
        for person in (game.alice, game.bob, game.cleo):
            match = await game.press(match, person) or match
    left = await game.host.forfeit(game.click(match, game.bob))
    board = game.host.board(left)
    if board.tied:
        assert f"with {board.pot} cards on the table" in text_of(board_of(board))
        assert board.pot > board.told[-1].pot


async def test_an_offer_names_who_has_to_agree(game: Any) -> None:
    match = await game.turn(await game.deal())
    offered = await game.host.agree(game.click(match, game.alice))
    assert "It ends if Bob agrees" in text_of(board_of(game.host.board(offered)))


async def test_the_board_says_who_is_ready_who_is_awaited_and_who_is_away(game: Any) -> None:
    match = await game.deal_table(3)
    pressed = await game.press(match, game.alice)
    said = text_of(board_of(game.host.board(pressed)))
    assert "Ready: Alice." in said
    assert f"Waiting for Bob and Cleo. The table plays by itself <t:{pressed.deadline_at // 1000}:R>" in said
    away = replace(pressed, table=replace(pressed.table, auto=0b001))
    assert "On auto until they press again: Bob" in text_of(board_of(game.host.board(away)))


async def test_rule_12_a_result_names_the_winner_and_every_place(game: Any) -> None:
    over = await game.to_end(await game.deal())
    winner = next(player.person.name for player in over.players if player.result == "win")
    said = text_of(board_of(await game.board(over)))
    assert f"## {winner} wins the War" in said
    assert "52 cards" in said
    assert "0 cards" in said


async def test_a_board_shows_the_commitment_from_the_start(game: Any) -> None:
    waiting = (await game.challenge()).match
    shown = text_of(_view_invitation.challenge(TEXTS, waiting))
    match = await game.show(await game.host.accept(game.click(waiting, game.bob), game.bob, client_seed="1"))
    board = await game.board(match)
    assert board.commitment in shown
    assert board.commitment[:12] in text_of(board_of(board))
    assert board.commitment in text_of(_view_invitation.closed(TEXTS, match, "accepted", "https://example.com"))


def test_the_house_has_one_name_whatever_is_stored() -> None:
    assert _layout.shown_name(TEXTS, Person(1, HOUSE_USER_ID, "@everyone")) == "House"


def test_every_permission_that_is_asked_for_has_a_name() -> None:
    for name, needed in PERMISSIONS:
        if needed:
            assert TEXTS(f"permission-{name}")
