"""The figures that an engine for War must reproduce: published ones, and those measured by others once.

The exact ones must come out exactly, the others within four standard errors. FIGURES_GAMES=20000 plays more matches
for each and prints measured and expected side by side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, prod, sqrt

import pytest

from engine.cards import CARDS
from engine.playout import play_ranks
from engine.rules import Rules
from engine.shuffle import FastChance, dealt
from engine.simulate import Tally
from engine.war import Battle, War

SEED = bytes(range(32))
Compare = Callable[[str, float, float, float], None]

# Mean rounds of two players, three cards face-down.
MEANS = {
    ("random", "lose"): 235.7,
    ("random", "last"): 270.2,
    ("random", "equal"): 263.3,
    ("random", "keep"): 281.8,
    ("winner-first", "lose"): 177.5,
    ("winner-first", "last"): 188.2,
    ("winner-first", "equal"): 191.1,
    ("winner-first", "keep"): 191.4,
    ("loser-first", "lose"): 180.0,
    ("loser-first", "last"): 221.0,
    ("loser-first", "equal"): 204.4,
    ("loser-first", "keep"): 239.0,
}
TABLE_MEANS = {"lose": 531.7, "last": 644.0, "equal": 667.1, "keep": 691.5}  # of the matches that end
SEATS_MEANS = {
    ("aside", 3): 276.5,
    ("aside", 5): 268.0,
    ("aside", 6): 246.2,
    ("first-pot", 3): 287.8,
    ("first-pot", 4): 290.0,
    ("first-pot", 5): 287.9,
    ("first-pot", 6): 285.9,
}
SKIRMISH = Rules(face_down=1, shortage="lose")
SHORT_SKIRMISH = Rules(face_down=1, shortage="lose", low_rank=7)
WINNER_FIRST = Rules(order="winner-first", leftover="aside")


def means_rules(order: str, shortage: str) -> Rules:
    return Rules(order=order, shortage=shortage)  # type: ignore[arg-type]


@pytest.fixture(scope="module", autouse=True)
def everything_started(request: pytest.FixtureRequest, simulations) -> None:
    """Start all simulations in the order in which the tests ask for them, so that the next ones run meanwhile.

    When only some tests were selected, they start what they need.
    """
    if sum(item.path == request.path for item in request.session.items) < 40:
        return
    simulations.start(SKIRMISH, 2)
    simulations.start(SHORT_SKIRMISH, 2)
    simulations.start(Rules(shortage="equal"), 2)
    for order, shortage in MEANS:
        simulations.start(means_rules(order, shortage), 2)
    for shortage in TABLE_MEANS:
        simulations.start(means_rules("table", shortage), 2, simulations.games // 8)
    simulations.start(WINNER_FIRST, 3, simulations.games // 4)
    for leftover, seats in SEATS_MEANS:
        simulations.start(Rules(leftover=leftover), seats)  # type: ignore[arg-type]


def compare_mean(compare: Compare, name: str, tally: Tally, figure: float) -> None:
    compare(f"{name}: mean rounds", tally.mean, figure, tally.sd / sqrt(tally.games))


def compare_share(compare: Compare, name: str, count: int, total: int, figure: float, rounded: float = 0.0) -> None:
    """`rounded` is by how much the figure itself may be off where it was published in few digits."""
    compare(name, count / total, figure, sqrt(figure * (1 - figure) / total) + rounded / 4)


def compare_quantile(compare: Compare, name: str, tally: Tally, share: float, figure: int) -> None:
    """Held against the share of matches over by then: its standard error needs no density."""
    over = sum(games for rounds, games in tally.rounds.items() if rounds <= figure)
    compare_share(compare, f"{name}: over by round {figure}", over, tally.games, share)


# -- exactly -----------------------------------------------------------------------------------------------

SPIVEY = (
    "26 46 1 7 8 27 9 28 29 47 2 10 11 30 12 31 32 48 3 13 14 33 15 34 35 49",
    "16 36 17 37 38 50 4 18 19 39 20 40 41 51 5 21 22 42 23 43 44 52 6 24 25 45",
)


def test_spiveys_deal_of_52_ranks_comes_back_after_exactly_31920_rounds() -> None:
    # Spivey, Integers 10 (2010) G02, has 1 as the highest rank: hence the minus.
    start = tuple(tuple(-int(rank) for rank in pile.split()) for pile in SPIVEY)
    assert sorted(-rank for pile in start for rank in pile) == list(range(1, 53))
    one_round, chance = Rules(order="winner-first", max_rounds=1), FastChance(0)
    piles, rounds = start, 0
    while rounds == 0 or piles != start:
        piles = play_ranks(one_round, piles, chance).piles
        rounds += 1
        assert rounds <= 31_920
    assert rounds == 31_920
    whole = play_ranks(Rules(order="winner-first", max_rounds=31_920), start, chance)
    assert (whole.piles, whole.termination, whole.wars) == (start, "round-cap", 0)


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (2, Fraction(1, 17)),
        (3, Fraction(37, 425)),
        (4, Fraction(97, 833)),
        (5, Fraction(521, 3570)),
        (6, Fraction(4909, 27965)),
    ],
)
def test_the_chance_that_the_first_round_is_a_war(seats: int, expected: Fraction) -> None:
    """Every set of ranks that can lie on the table, weighed by how many sets of cards have it, asked of the engine."""
    wars, rules, chance = 0, Rules(), FastChance(1)
    for ranks in combinations_with_replacement(range(13), seats):
        times = Counter(ranks)
        if max(times.values()) > 4:
            continue
        suits: Counter[int] = Counter()
        piles = []
        for rank in ranks:
            piles.append([rank * 4 + suits[rank]])
            suits[rank] += 1
        if War(rules, piles, [], chance).step().tied:
            wars += prod(comb(4, count) for count in times.values())
    assert Fraction(wars, comb(52, seats)) == expected


def arrangements(ranks: Counter[int], size: int) -> Iterator[tuple[int, ...]]:
    """All distinct orders of these ranks; each is as likely as any other."""
    if not size:
        yield ()
        return
    for rank in [rank for rank, left in ranks.items() if left]:
        ranks[rank] -= 1
        for rest in arrangements(ranks, size - 1):
            yield (rank, *rest)
        ranks[rank] += 1


@pytest.mark.parametrize(("ranks", "suits", "expected"), [(4, 2, Fraction(1, 28)), (2, 4, Fraction(1, 70))])
def test_norvigs_small_decks_the_chance_that_one_player_sweeps(ranks: int, suits: int, expected: Fraction) -> None:
    sweeps = total = 0
    for order in arrangements(Counter(dict.fromkeys(range(ranks), suits)), 8):
        used: Counter[int] = Counter()
        deck = []
        for rank in order:
            deck.append(CARDS[rank * 4 + used[rank]])
            used[rank] += 1
        war = War.from_piles(Rules(), [deck[:4], deck[4:]], SEED, "x")
        sweeps += all(war.step().winner == 0 for _ in range(4))
        total += 1
    assert Fraction(sweeps, total) == expected


# -- published ---------------------------------------------------------------------------------------------


def test_jouets_and_war_simulator_52_cards_one_face_down_lose(simulations, compare: Compare) -> None:
    tally = simulations.tally(SKIRMISH, 2)
    compare_mean(compare, "52 cards, down 1, lose", tally, 441.4)
    for share, rounds in ((0.025, 70), (0.5, 334), (0.95, 1160), (0.975, 1414), (0.99, 1750)):
        compare_quantile(compare, "52 cards, down 1, lose", tally, share, rounds)


def test_jouets_32_cards(simulations, compare: Compare) -> None:
    tally = simulations.tally(SHORT_SKIRMISH, 2)
    compare_mean(compare, "32 cards, down 1, lose", tally, 126.5)
    for share, rounds in ((0.025, 20), (0.5, 96), (0.975, 404)):
        compare_quantile(compare, "32 cards, down 1, lose", tally, share, rounds)


@pytest.mark.parametrize(("face_down", "figure"), [(1, 0.809), (2, 0.717), (3, 0.655)])
def test_hectorpefo_four_aces_against_the_other_48(
    simulations, compare: Compare, face_down: int, figure: float
) -> None:
    rules, chance = Rules(face_down=face_down, shortage="lose"), FastChance(10 + face_down)
    others = [rank for rank in range(12) for _ in range(4)]
    wins = 0
    for _ in range(simulations.games):
        chance.shuffle(others)
        wins += play_ranks(rules, [[12] * 4, others], chance).winner == 0
    compare_share(compare, f"four aces win, down {face_down}", wins, simulations.games, figure)


def test_glesica_how_many_matches_end_in_each_bin_of_74_rounds(simulations, compare: Compare) -> None:
    tally = simulations.tally(Rules(shortage="equal"), 2)
    for number, figure in enumerate((0.1170, 0.2439, 0.1878, 0.1326)):
        inside = sum(games for rounds, games in tally.rounds.items() if rounds // 74 == number)
        compare_share(compare, f"equal: ends in bin {number + 1} of 74 rounds", inside, tally.games, figure)


def test_math_se_1752876_how_much_the_loser_ever_held(simulations, compare: Compare) -> None:
    rules = Rules(order="winner-first", shortage="lose")
    most_held = []
    for number in range(simulations.games // 2):
        war, battles = match_with_facts(rules, 2, number)
        loser = 1 - war.outcome.winner
        most_held.append(max(26, *(battle.counts[loser] for battle in battles if not battle.tied)))
    for cards, figure in ((27, 0.1175), (32, 0.4392), (40, 0.7649), (50, 0.9897)):
        never = sum(held < cards for held in most_held)
        compare_share(compare, f"the loser never held {cards} cards", never, len(most_held), figure)


@pytest.mark.parametrize("order", ["random", "winner-first", "loser-first"])
def test_lakshtanov_and_roshchina_orders_that_mix_end(simulations, order: str) -> None:
    assert simulations.tally(means_rules(order, "last"), 2).capped == 0


# -- measured once by others -------------------------------------------------------------------------------


@pytest.mark.parametrize(("order", "shortage"), MEANS)
def test_mean_rounds_of_two_players(simulations, compare: Compare, order: str, shortage: str) -> None:
    tally = simulations.tally(means_rules(order, shortage), 2)
    compare_mean(compare, f"{order}, {shortage}", tally, MEANS[order, shortage])
    assert tally.capped == 0


@pytest.mark.parametrize("shortage", TABLE_MEANS)
def test_in_table_order_some_matches_never_end(simulations, compare: Compare, shortage: str) -> None:
    tally = simulations.tally(means_rules("table", shortage), 2, simulations.games // 8)
    ended = Tally(2, tally.games - tally.capped, tally.rounds.copy())
    del ended.rounds[5000]
    compare_mean(compare, f"table, {shortage}, ended", ended, TABLE_MEANS[shortage])
    share = tally.capped / tally.games
    slack = 4 * sqrt(0.12 * 0.88 / tally.games)
    assert 0.110 - slack <= share <= 0.134 + slack


def test_winner_first_with_three_players_never_ends_in_one_deal_of_seven(simulations, compare: Compare) -> None:
    # With 51 cards, that is: with the 52nd in the first pot it was never seen.
    tally = simulations.tally(WINNER_FIRST, 3, simulations.games // 4)
    compare_share(compare, "winner-first, 3 seats: never ends", tally.capped, tally.games, 0.145, 0.005)


def test_the_defaults_in_detail(simulations, compare: Compare) -> None:
    tally = simulations.tally(Rules(), 2)
    compare_mean(compare, "defaults", tally, 270.17)
    for share, rounds in ((0.5, 204), (0.95, 710), (0.99, 1068)):
        compare_quantile(compare, "defaults", tally, share, rounds)
    # The error of a standard deviation, for a distribution with the tail of an exponential: sd · sqrt(2 / N).
    compare("defaults: sd of rounds", tally.sd, 221.7, 221.7 * sqrt(2 / tally.games))
    # Wars grow with rounds: their error is that of the mean rounds, scaled.
    compare(
        "defaults: wars a game", tally.ties.total() / tally.games, 17.03, 17.03 * tally.sd / 270.17 / sqrt(tally.games)
    )
    for aces, figure in zip(range(5), (0.2245, 0.3604, 0.5, 0.6396, 0.7755), strict=True):
        seats = tally.aces[aces, True] + tally.aces[aces, False]
        # The two seats of a match decide each other: half as many are independent.
        name, error = f"defaults: wins with {aces} aces", sqrt(figure * (1 - figure) / (seats / 2))
        compare(name, tally.wins_by_aces()[aces], figure, error)


def test_how_rare_deep_wars_are(simulations, compare: Compare) -> None:
    tally = simulations.tally(Rules(), 2)
    for depth, name, figure, rounded in (
        (2, "double", 0.56, 0.005),
        (3, "triple", 1 / 19, 0),
        (4, "quadruple", 1 / 267, 0),
    ):
        reached = sum(games for deepest, games in tally.reached.items() if deepest >= depth)
        compare_share(compare, f"defaults: a {name} war in the match", reached, tally.games, figure, rounded)


def test_how_rare_it_is_to_win_from_few_cards(simulations, compare: Compare) -> None:
    games = simulations.games // 2
    fewest = []
    for number in range(games):
        war, battles = match_with_facts(Rules(), 2, number)
        winner = war.outcome.winner
        if winner is not None:
            fewest.append(min(battle.counts[winner] for battle in battles if not battle.tied))
    compare_share(compare, "defaults: won from one card", sum(held <= 1 for held in fewest), games, 1 / 68)
    compare_share(compare, "defaults: won from three or fewer", sum(held <= 3 for held in fewest), games, 1 / 18)


@pytest.mark.parametrize(("leftover", "seats"), SEATS_MEANS)
def test_mean_rounds_of_three_to_six(simulations, compare: Compare, leftover: str, seats: int) -> None:
    tally = simulations.tally(Rules(leftover=leftover), seats)  # type: ignore[arg-type]
    compare_mean(compare, f"{leftover}, {seats} seats", tally, SEATS_MEANS[leftover, seats])


def test_with_four_seats_nothing_is_left_over() -> None:
    chance = FastChance(1)
    assert dealt(Rules(), 4, chance)[1] == []  # so that the row of `aside` is that of `first-pot`


@pytest.mark.parametrize(("seats", "figure"), [(3, 1 / 1900), (6, 1 / 53)])
def test_how_often_a_pot_is_carried(simulations, compare: Compare, seats: int, figure: float) -> None:
    tally = simulations.tally(Rules(), seats)
    compare_share(compare, f"{seats} seats: pots carried a game", tally.carried, tally.games, figure)


def test_of_100_six_seat_games_15_wars_have_every_tied_player_short(simulations, compare: Compare) -> None:
    games = simulations.games // 4
    short = 0
    for number in range(games):
        _, battles = match_with_facts(Rules(), 6, number)
        short += sum(all(battle.counts[seat] < 4 for seat in battle.tied) for battle in battles if battle.tied)
    # A count of rare things: its variance is about its mean.
    compare("6 seats: wars with every tied player short, a game", short / games, 0.146, sqrt(0.146 / games))


def match_with_facts(rules: Rules, seats: int, number: int) -> tuple[War, list[Battle]]:
    """A match of the real engine, on the fast chance."""
    piles, leftover = dealt(rules, seats, chance := FastChance(number))
    war = War(rules, piles, leftover if rules.leftover == "first-pot" else [], chance)
    return war, list(war.play())
