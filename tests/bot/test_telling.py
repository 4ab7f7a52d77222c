"""What happened, in words: every turn of a match says how it began, what came between, and how it hangs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import telling
from bot.i18n import Catalogue
from bot.pictures.turning import course_of, turning_round
from engine.cards import Card, Rank
from engine.facts import Act, Battle, Outcome, Termination, rounds_of
from engine.headlines import Headline, Kind
from engine.rules import Rules
from engine.story import story_of
from engine.table import Pace, play_turn
from engine.war import War

TEXTS = Catalogue.load().texts(None)
NAMES = ["Bob", "Alice", "Cleo", "Dan", "Eve", "Finn"]


def cards(text: str) -> list[Card]:
    return [Card.parse(code) for code in text.split()]


def war_of(*piles: str, **rules: object) -> War:
    chosen = Rules.from_dict({"order": "table", **rules}, partial=True)
    return War.from_piles(chosen, [cards(pile) for pile in piles], bytes(32), "telling")


def told(war: War, pace: Pace = Pace.WAR) -> list[str]:
    return telling.turn(TEXTS, NAMES, war.rules, play_turn(war, pace))


# ---- turns --------------------------------------------------------------------------------------------------


def test_nothing_played_tells_nothing() -> None:
    assert telling.turn(TEXTS, NAMES, Rules(), []) == []


def test_rule_05_a_battle_names_both_cards_and_what_was_taken() -> None:
    assert told(war_of("QS 2D", "7D 3C"), Pace.CARD) == ["Bob wins 2 cards with Q♠ over Alice’s 7♦."]


def test_cards_are_written_as_the_board_writes_them() -> None:
    def show(card: Card) -> str:
        return f"<{card.code}>"

    battles = play_turn(war_of("QS 2D", "7D 3C"), Pace.CARD)
    assert telling.turn(TEXTS, NAMES, Rules(), battles, show) == ["Bob wins 2 cards with <QS> over Alice’s <7D>."]
    tied = play_turn(war_of("QS 2D 9H 4C 5C 3S", "QD 3C 8H 6H 7C 4S"), Pace.CARD)
    assert "Bob’s <QS> and Alice’s <QD> tie" in telling.turn(TEXTS, NAMES, Rules(), tied, show)[-1]


def test_several_rounds_are_one_line_with_shares() -> None:
    war = war_of("QS 2D 9H 4C", "7D 3C 8H 4H")
    assert told(war)[0] == "3 rounds: Bob took 2, Alice took 1."


def test_rule_07_a_tie_is_a_war_that_hangs() -> None:
    last = told(war_of("QS 2D 9H 4C 5C", "QD 3C 8H 6H 7C"))[-1]
    assert last.startswith("## WAR!\n")
    assert "Bob’s Q♠ and Alice’s Q♦ tie, with 2 cards on the table" in last


def test_rule_09_the_war_that_hung_is_settled_first() -> None:
    war = war_of("QS 2D 9H 4C 5C 3S 4S", "QD 3C 8H 6H 7C 5S 6S")
    told(war)
    lines = told(war)
    assert lines[0] == "**The war is decided:** 7♣ for Alice over Bob’s 5♣ takes 10 cards."
    assert lines[1] == "Then 2 rounds: Alice took 2."


def test_rule_10_a_war_on_top_of_a_war_says_so() -> None:
    war = war_of("QS 2D 9H 4C 5C 3S", "QD 3C 8H 6H 5D 7S")
    told(war)
    assert told(war)[-1].startswith("## WAR ON TOP OF WAR!\nBob’s 5♣ and Alice’s 5♦ tie as well, with 10 cards")


def test_a_tie_of_three_names_all_three() -> None:
    assert "Bob’s Q♠, Alice’s Q♦ and Cleo’s Q♥ tie" in told(war_of("QS 2D", "QD 3C", "QH 4C"))[-1]


def test_who_has_no_card_for_a_war_is_named() -> None:
    war = war_of("QS", "QD 3C")
    told(war)
    lines = told(war)
    assert lines[0] == "Bob has no card left for the war."
    assert lines[1] == "**The war is decided:** Alice alone can go on and takes 2 cards."


def test_who_is_too_short_under_merciless_rules_is_named() -> None:
    war = war_of("QS 2D 3D", "QD 3C 8H 6H 7C", shortage="lose")
    told(war)
    assert told(war)[0] == "Bob has too few cards for the war."


def test_who_is_out_of_a_table_of_three_is_named() -> None:
    assert "Cleo is out." in told(war_of("QS 5D", "7D 3C", "2H"), Pace.CARD)


# ---- a sentence beside the facts ---------------------------------------------------------------------------


def call_of(war: War) -> str:
    """The sentence after the facts of the tie that the next turn hangs on."""
    return told(war)[-1].partition(" on the table. ")[2]


def test_a_tie_is_called_in_several_ways_and_each_battle_in_one() -> None:
    def tie(after: int) -> War:
        """A tie of queens, with five cards left to each, after so many plain rounds."""
        won, lost = "KS KD KH KC 9S 9D"[: 3 * after], "2S 2D 2H 2C 3S 4S"[: 3 * after]
        return war_of(f"{won} QS 3D 3H 4H 5H 6H", f"{lost} QD 5D 6D 7D 8D 7H")

    calls = [call_of(tie(after)) for after in range(6)]
    assert len(set(calls)) == 6
    assert [call_of(tie(after)) for after in range(6)] == calls, "painted again, it says the same"


@pytest.mark.parametrize(
    ("piles", "key"),
    [
        (("QS 2D 9H", "QD 3C 8H 6H 7C 2C 4C"), "call-all-in"),
        (("AS 2D 9H 3H 4H 5H", "AD 3C 8H 6H 7C 2C 4C"), "call-aces"),
        (("2S 2D 9H 3H 4H 5H", "2H 3C 8H 6H 7C 2C 4C"), "call-twos"),
        (("QS 2D 9H 3H 4H 5H", "QD 3C 8H 6H 7C 2C 4C", "QH 3D 8D 6D 7D 4D"), "call-many"),
    ],
    ids=["all or nothing", "aces", "twos", "three at once"],
)
def test_a_tie_that_is_more_than_a_tie_is_called_so(piles: tuple[str, ...], key: str) -> None:
    values = {"name": "Bob", "cards": "2 cards", "n": 3}
    assert call_of(war_of(*piles)) in {TEXTS(key, pick=pick, **values) for pick in range(telling.WAYS)}


def test_all_or_nothing_is_what_one_war_takes_by_the_rules() -> None:
    piles = "QS 2D 9H 3H", "QD 3C 8H 6H 7C 2C 4C"
    all_in = {TEXTS("call-all-in", pick=pick, name="Bob", cards="3 cards") for pick in range(telling.WAYS)}
    assert call_of(war_of(*piles)) in all_in, "three are left, and a war takes four"
    assert call_of(war_of(*piles, face_down=1)) not in all_in, "a war takes two"


@pytest.mark.parametrize("shortage", ["last", "lose", "equal", "keep"])
def test_every_tie_is_called_whatever_is_done_about_too_few_cards(shortage: str) -> None:
    for seed in range(300):
        war = War.deal(Rules.from_dict({"shortage": shortage}, partial=True), 2, seed.to_bytes(32, "big"), "telling")
        for battle in war.play():
            if battle.tied:
                assert telling.turn(TEXTS, NAMES, war.rules, [battle])[-1].startswith("## WAR")


def test_who_has_nothing_left_is_not_said_to_fight_on() -> None:
    assert "Bob" not in call_of(war_of("QS", "QD 3C 8H 6H 7C 2C 4C"))


def test_a_great_pot_is_remarked_on_and_a_small_one_is_not() -> None:
    war = war_of("QS 2D 9H 4C 5C 3S 4S 9C KS 6C", "QD 3C 8H 6H 5D 7S 6S 8C TS 7D")
    told(war)
    told(war)
    decided, remark = told(war)[:2]
    assert decided.endswith("takes 18 cards.")
    assert remark
    assert "rounds" not in remark


@given(
    st.integers(0, 2_000), st.integers(2, 6), st.sampled_from([Pace.CARD, Pace.WAR]), st.sampled_from(["last", "lose"])
)
def test_every_turn_of_every_match_can_be_told(seed: int, seats: int, pace: Pace, shortage: str) -> None:
    rules = Rules.from_dict({"shortage": shortage, "low_rank": 9}, partial=True)
    war = War.deal(rules, seats, seed.to_bytes(32, "big"), "telling")
    for _ in range(60):
        if war.outcome is not None:
            break
        battles = play_turn(war, pace)
        lines = telling.turn(TEXTS, NAMES, rules, battles)
        assert lines
        assert all(line.strip() for line in lines)
        assert lines[-1].startswith("## WAR") == bool(battles[-1].tied)
        for seat in (seat for battle in battles for seat in battle.out):
            assert f"{NAMES[seat]} is out." in lines


@given(st.lists(st.just(0.0) | st.floats(0.001, 1.0), min_size=2, max_size=6).filter(any))
def test_chances_are_shown_as_whole_numbers_that_make_100(weights: list[float]) -> None:
    chances = [weight / sum(weights) for weight in weights]
    shown = telling.percents(chances)
    assert sum(shown) == 100
    for chance, number in zip(chances, shown, strict=True):
        if 0 < chance < 1:
            assert 0 < number < 100
        assert abs(number - chance * 100) < len(chances) + 1


# ---- the end ------------------------------------------------------------------------------------------------


def finished(war: War, *acts: Act) -> tuple[Outcome, list[Battle]]:
    battles = list(war.play(acts))
    assert war.outcome is not None
    return war.outcome, battles


def ending(outcome: Outcome, battles: list[Battle], forfeited: tuple[int, ...] = ()) -> str:
    return telling.ending(TEXTS, NAMES, outcome, battles, forfeited)


def test_the_end_by_all_cards() -> None:
    outcome, battles = finished(war_of("QS KS", "7D 3C"))
    assert ending(outcome, battles) == "Bob holds all the cards after 2 rounds and no war."


def test_rule_11_the_end_by_agreement() -> None:
    outcome, battles = finished(war_of("QS KS", "7D 3C"), Act(1, 0, "agree"), Act(1, 1, "agree"))
    assert ending(outcome, battles) == "The players agreed to end it after 1 round and no war."


def test_the_end_by_forfeit() -> None:
    outcome, battles = finished(war_of("QS KS", "7D 3C"), Act(1, 1, "forfeit"))
    assert ending(outcome, battles, (1,)) == "Alice forfeited after 1 round and no war."


def test_the_end_by_the_limit() -> None:
    outcome, battles = finished(war_of("QS KS", "7D 3C", max_rounds=1))
    assert ending(outcome, battles).startswith("The match reached its limit of 1 round")


def test_the_end_where_nobody_can_go_on() -> None:
    outcome, battles = finished(war_of("QS", "QD"))
    assert outcome.termination is Termination.DRAW
    assert ending(outcome, battles) == "Nobody could go on after 1 round and 1 war."


@given(st.integers(0, 300), st.integers(2, 6))
def test_the_story_is_true(seed: int, seats: int) -> None:
    war = War.deal(Rules(), seats, seed.to_bytes(32, "big"), "telling")
    outcome, battles = finished(war)
    story = story_of(battles, war.dealt, outcome)
    lines = telling.story(TEXTS, NAMES[:seats], story, Headline(Kind.PLAIN, outcome.winner, outcome.rounds), battles)
    rounds = list(rounds_of(battles))
    place = turning_round(course_of(battles))
    assert place is not None
    starred = rounds[place]
    assert f": {starred.taken} cards for {NAMES[starred.winner]} in round {starred.number:,}." in lines[0]
    turned_it = starred.wars and starred.winner == outcome.winner
    assert lines[0].startswith("⭐ The war that turned it" if turned_it else "⭐ The biggest pot")
    assert ("The lead changed" in lines[0]) == bool(story.lead_changes)
    aces = [sum(1 for card in pile if card.rank is Rank.ACE) for pile in war.dealt]
    for name, number in zip(NAMES, aces, strict=False):
        assert (f"{name} {number}" in lines[1]) == (number > 0)
    assert telling.wars_in(battles) == sum(each.wars for each in rounds)
    assert outcome.rounds == len(rounds)


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind not in telling.UNSAID])
def test_every_kind_of_headline_is_said_with_its_rarity(kind: Kind) -> None:
    said = telling.headline(TEXTS, NAMES, Headline(kind, 1, 7, 12, 68))
    assert said is not None
    assert said.startswith("**")
    assert said.endswith("1 match in 68.")
    ordinary = telling.headline(TEXTS, NAMES, Headline(kind, 1, 7, 12))
    assert ordinary is not None
    assert "1 match in" not in ordinary


@pytest.mark.parametrize("kind", telling.UNSAID)
def test_what_is_said_elsewhere_makes_no_headline(kind: Kind) -> None:
    assert telling.headline(TEXTS, NAMES, Headline(kind, 0, 3)) is None


# ---- small things -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "said"), [([], ""), (["A"], "A"), (["A", "B"], "A and B"), (["A", "B", "C"], "A, B and C")]
)
def test_a_list_of_names(names: list[str], said: str) -> None:
    assert telling.listed(TEXTS, names) == said


@given(st.integers(0, 52), st.sampled_from([52, 32, 24]))
def test_a_bar_is_as_long_as_ever_and_never_tells_a_lie(held: int, of: int) -> None:
    if held > of:
        return
    drawn = telling.bar(held, of)
    full = drawn.count("▰")
    assert len(drawn) == telling.BAR
    assert drawn == "▰" * full + "▱" * (telling.BAR - full)
    assert (full == 0) == (held == 0)
    assert (full == telling.BAR) == (held == of)
    assert telling.bar(min(held + 1, of), of).count("▰") >= full
