"""The thirteen steps of the game, each through the bot, judged by what people see on the board.

One whole match is watched card by card; the tests of single rules look at that recording. A second recording is of
matches that are played from war to war.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

import pytest
import pytest_asyncio

pytestmark = pytest.mark.asyncio(loop_scope="module")

RANKS = {"2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "10": 10, "J": 11, "Q": 12, "K": 13, "A": 14}
CARD = r"(?:10|[2-9JQKA])[♠♥♦♣]"
WON = re.compile(rf"^(\w+) wins (\d+) cards with ({CARD}) over (\w+)’s ({CARD})\.$", re.MULTILINE)
DECIDED = re.compile(
    rf"The war is decided:\*\* ({CARD}) for (\w+) over (\w+)’s ({CARD}) takes (\d+) cards\.$", re.MULTILINE
)
TIE = re.compile(
    rf"^(\w+)’s ({CARD}) and (\w+)’s ({CARD}) tie(?: as well)?, with (\d+) cards on the table", re.MULTILINE
)


@dataclass
class Battle:
    """One turning of cards, as the board told it. `taken` is 0 for a tie; `pot` is what then lay on the table."""

    turned: dict[str, str]
    winner: str | None
    taken: int
    pot: int
    on_top: bool
    """Told as a war on top of a war."""
    counts: dict[str, int]
    shown_pot: int


@dataclass
class Recording:
    """A match as it was seen, one battle a board."""

    first: object
    result: object
    battles: list[Battle] = field(default_factory=list)
    proof: dict = field(default_factory=dict)
    half_way: list = field(default_factory=list)
    """A board, and the same after only one of the two had pressed."""


def told(board) -> Battle:
    """The one battle that a board tells of."""
    common = {"counts": board.counts, "shown_pot": board.pot}
    if tie := TIE.search(board.text):
        turned = {tie[1]: tie[2], tie[3]: tie[4]}
        return Battle(turned, None, 0, int(tie[5]), "WAR ON TOP OF WAR!" in board.text, **common)
    if won := WON.search(board.text):
        return Battle({won[1]: won[3], won[4]: won[5]}, won[1], int(won[2]), 0, False, **common)
    decided = DECIDED.search(board.text)
    assert decided, board.text
    return Battle({decided[2]: decided[1], decided[3]: decided[4]}, decided[2], int(decided[5]), 0, False, **common)


def rank(card: str) -> int:
    return RANKS[card[:-1]]


async def watch(game, **options) -> Recording:
    """Plays a match card by card to its end."""
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob, **options)
    board = await match.board()
    recording = Recording(first=board, result=None)
    more = await alice.click(board, "More")
    await alice.click(more.message, "One card a press")
    presses = [bob]  # her choice was her press for the first turn
    while True:
        for person in presses[:-1]:
            await person.click(board, board.main)
            recording.half_way.append((board, await match.shows(f"Ready: {person.name}.")))
        await presses[-1].click(board, board.main)
        presses = [alice, bob]
        board = await match.after(board)
        if board.main is None:
            break
        recording.battles.append(told(board))
    recording.result = board
    proof = await alice.click(board, "Proof")
    recording.proof = json.loads(await game.download(proof.message))
    return recording


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def recording(house) -> Recording:
    """A whole classic match, card by card."""
    return await watch(house)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def double_war(house) -> tuple[object, object, object]:
    """Three boards in a row: WAR, a war on top of it, and what came after. Matches are played until one is seen."""
    for _ in range(60):
        alice, bob = await house.people("Alice", "Bob")
        match = await house.match(alice, bob, rules="short")
        boards = [await match.board()]
        while boards[-1].main is not None:
            if "WAR ON TOP OF WAR!" in boards[-1].text and "ON TOP" not in boards[-2].text:
                return boards[-2], boards[-1], await match.turn()
            boards.append(await match.turn())
    raise AssertionError("no double war in 60 matches: of a thousand such runs not one should miss it")


def battles_with_before(recording):
    """Each battle with the counts and the pot before it."""
    counts, pot = recording.first.counts, 0
    for battle in recording.battles:
        yield battle, counts, pot
        counts, pot = battle.counts, battle.pot


async def test_rule_01_two_people_play_and_nobody_else(game):
    alice, bob, cleo = await game.people("Alice", "Bob", "Cleo")
    match = await game.match(alice, bob)
    board = await match.board()
    assert list(board.counts) == ["Bob", "Alice"]
    refused = await cleo.click(board, "Deal")
    assert refused.private
    assert "You are not playing in this match" in refused.text


async def test_rule_02_a_deck_of_52_without_jokers_well_shuffled(game, recording, run_warbot):
    dealt = [card for pile in recording.proof["deal"] for card in pile]
    assert sorted(dealt) == sorted(rank + suit for rank in "23456789TJQKA" for suit in "SHDC")
    words = ("play", "--seed", recording.proof["server_seed"], "--client", recording.proof["client_seed"], "--json")
    code, out, _ = await run_warbot(*words)
    assert code == 0
    played = [json.loads(line) for line in out.splitlines()]
    seen = [[_code(battle.turned[name]) for name in ("Bob", "Alice")] for battle in recording.battles if battle.turned]
    assert [[card for _, card in battle["turned"]] for battle in played[: len(seen)]] == seen, (
        "what was dealt was shown"
    )
    alice, bob = await game.people("Alice", "Bob")
    other = await watch_only_the_deal(game, alice, bob)
    assert other != recording.proof["deal"], "another match, another order"


async def watch_only_the_deal(game, alice, bob):
    match = await game.match(alice, bob)
    board = await match.board()
    for person in (alice, bob):
        await person.click(board, "Finish")
    proof = await alice.click(await match.after(board), "Proof")
    return json.loads(await game.download(proof.message))["deal"]


def _code(card: str) -> str:
    return card[:-1].replace("10", "T") + "SHDC"["♠♥♦♣".index(card[-1])]


async def test_rule_03_the_same_number_each_and_all_are_dealt(recording):
    assert recording.first.counts == {"Bob": 26, "Alice": 26}
    assert "26 cards each" in recording.first.text
    for battle in recording.battles:
        assert sum(battle.counts.values()) + battle.pot == 52


async def test_rule_04_left_of_the_dealer_comes_first_and_all_turn_at_the_same_time(recording):
    assert list(recording.first.counts) == ["Bob", "Alice"], "the challenger deals"
    for before, half_way in recording.half_way:
        assert re.findall(CARD, half_way.text) == re.findall(CARD, before.text), "no card turns before both pressed"
        assert half_way.main == before.main
        assert "Ready: Alice." in half_way.text
    assert all(set(battle.turned) == {"Alice", "Bob"} for battle in recording.battles)


async def test_rule_05_the_highest_card_takes_all_on_the_table_and_suits_do_not_count(recording):
    for battle, before, pot in battles_with_before(recording):
        (name, card), (other, other_card) = battle.turned.items()
        if battle.winner is None:
            assert rank(card) == rank(other_card)
            assert card != other_card
            continue
        assert rank(battle.turned[battle.winner]) == max(rank(card), rank(other_card))
        assert rank(card) != rank(other_card)
        loser = other if battle.winner == name else name
        laid = before[loser] - battle.counts[loser]
        assert battle.counts[battle.winner] == 52 - battle.counts[loser]
        assert battle.taken == pot + laid + _laid(before, pot, battle.winner), "the whole table, and no card more"


def _laid(before, pot, name) -> int:
    """How many cards somebody lays in a battle: one, or in a war up to three face-down and one more."""
    return 1 if pot == 0 else min(4, before[name])


async def test_rule_05_won_cards_go_to_the_bottom(recording):
    """A card that somebody has won comes up again only when all that lay above it have been laid."""
    laid = {"Alice": 0, "Bob": 0}
    not_before: dict[tuple[str, str], int] = {}
    on_table: list[str] = []
    for battle, before, pot in battles_with_before(recording):
        for name, card in battle.turned.items():
            laid[name] += _laid(before, pot, name)
            assert laid[name] >= not_before.get((name, card), 0), f"{name}’s {card} came too early"
            not_before.pop((name, card), None)
            on_table.append(card)
        if battle.winner is not None:
            own = battle.counts[battle.winner] - battle.taken
            for card in on_table:
                not_before[battle.winner, card] = laid[battle.winner] + own + 1
            on_table.clear()


async def test_rule_06_rounds_go_on_until_a_tie_or_the_end(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    board = await match.turn()
    while board.main is not None:
        assert re.search(r"^## WAR", board.text, re.MULTILINE), "a press plays until the highest cards tie"
        assert board.main_label == "Reveal!"
        board = await match.turn()
    assert sorted(board.counts.values()) == [0, 52]


async def test_rule_07_a_tie_is_a_war_with_three_cards_face_down(recording):
    wars = [
        (tie, decided)
        for tie, decided in zip(recording.battles, recording.battles[1:], strict=False)
        if tie.winner is None and tie.pot == 2 and min(tie.counts.values()) >= 4
    ]
    assert wars, "a match without a single war between two who can afford it was never seen"
    for _, after in wars:
        on_table = after.taken or after.pot
        assert on_table == 2 + 2 * 3 + 2, "two tied, three each face-down, one each turned"


async def test_rule_08_then_one_more_each_is_turned_and_compared(recording):
    for tie, after in zip(recording.battles, recording.battles[1:], strict=False):
        if tie.winner is None:
            assert set(after.turned) == {"Alice", "Bob"}
            ranks = sorted(rank(card) for card in after.turned.values())
            assert (after.winner is None) == (ranks[0] == ranks[1])


async def test_rule_09_the_winner_takes_everything_on_the_table(recording):
    ties = [n for n, battle in enumerate(recording.battles[:-1]) if battle.winner is None]
    assert ties
    for n in ties:
        tie, after = recording.battles[n], recording.battles[n + 1]
        assert tie.shown_pot == tie.pot
        if after.winner is not None:
            laid = sum(tie.counts.values()) - sum(after.counts.values()) + after.taken
            assert after.taken == tie.pot + laid
            assert after.shown_pot == 0


async def test_rule_10_another_tie_is_another_war_on_top_of_it(double_war):
    war, on_top, after = double_war
    first, second = TIE.search(war.text), TIE.search(on_top.text)
    assert second[2][:-1] == second[4][:-1]
    laid = sum(war.counts.values()) - sum(on_top.counts.values())
    assert int(second[5]) == int(first[5]) + laid == on_top.pot, "nobody has taken anything yet"
    assert 2 <= laid <= 8
    if after.main is not None and (decided := DECIDED.search(after.text)):
        assert int(decided[5]) > on_top.pot


async def test_rule_11_it_ends_with_all_52_cards_or_when_all_agree(game, recording):
    assert sorted(recording.result.counts.values()) == [0, 52]
    assert "holds all the cards" in recording.result.text
    assert recording.proof["outcome"]["termination"] == "all-cards"


async def test_rule_12_the_most_cards_win(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    board = await match.turn()
    while board.main and len(set(board.counts.values())) == 1:
        board = await match.turn()
    result = await agree_to_end(match, board)
    most, least = sorted(board.counts, key=board.counts.get, reverse=True)
    assert f"## {most} wins the War" in result.text
    assert placings(result) == {most: 1, least: 2}
    assert result.counts == board.counts


async def test_rule_12_equal_counts_share_the_place(game):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    result = await agree_to_end(match, await match.board())
    assert "A draw between Bob and Alice" in result.text
    assert placings(result) == {"Bob": 1, "Alice": 1}
    assert result.counts == {"Bob": 26, "Alice": 26}
    stored = game.rows("SELECT placing, result FROM match_seats WHERE match_id = ?", match.id)
    assert [tuple(row) for row in stored] == [(1, "draw"), (1, "draw")]


def placings(result) -> dict[str, int]:
    """The place of each player, by name."""
    return {name: int(place) for place, name in re.findall(r"^\S+ `(\d+)` \*\*(\w+)\*\*", result.text, re.MULTILINE)}


async def agree_to_end(match, board):
    for person in (match.dealer, match.other):
        more = await person.click(board, "More")
        await person.click(more.message, "Offer to end")
    return await match.after(board)
