"""Facts of the engine as plain JSON values and as lines for a terminal: what the command line prints."""

from __future__ import annotations

from engine.facts import Battle, Outcome
from engine.simulate import Tally

Record = dict[str, object]


def battle(fact: Battle) -> Record:
    """A battle: seats are numbers from 0, cards two characters such as "TS" for the ten of spades."""
    return {
        "type": "battle",
        "step": fact.step,
        "round": fact.round,
        "depth": fact.depth,
        "turned": [[seat, card.code] for seat, card in fact.turned],
        "face_down": [list(laid) for laid in fact.face_down],
        "tied": list(fact.tied),
        "winner": fact.winner,
        "pot": fact.pot,
        "taken": fact.taken,
        "counts": list(fact.counts),
        "dropped": [[drop.seat, drop.reason] for drop in fact.dropped],
        "out": list(fact.out),
    }


def outcome(fact: Outcome) -> Record:
    """How a match ended; `winner` is null when the first place is shared."""
    return {
        "type": "outcome",
        "termination": fact.termination,
        "placings": list(fact.placings),
        "winner": fact.winner,
        "counts": list(fact.counts),
        "rounds": fact.rounds,
        "steps": fact.steps,
    }


def battle_line(fact: Battle) -> str:
    """A battle for a person at a terminal."""
    cards = "  ".join(f"{seat}: {card}" for seat, card in fact.turned)
    if fact.tied:
        what = f"WAR of seats {', '.join(map(str, fact.tied))}, {fact.pot} cards on the table"
    elif fact.winner is None:
        what = f"nobody takes the {fact.pot} cards on the table"
    else:
        what = f"seat {fact.winner} takes {fact.taken}"
    return f"{fact.round:>5}  {cards:<16} {what}; held: {' '.join(map(str, fact.counts))}"


def outcome_line(fact: Outcome) -> str:
    """How a match ended, for a person at a terminal."""
    won = "a draw" if fact.winner is None else f"seat {fact.winner} wins"
    return f"{won} ({fact.termination}) after {fact.rounds} rounds and {fact.steps} battles"


def simulation(tally: Tally) -> Record:
    """What many matches had in common.

    `double_wars` and `triple_wars` are matches in which a war was that deep or deeper, `carried` pots, `capped` and
    `draws` matches, `wins_by_seat` matches won; `wins_by_aces` (two players) the share of matches won by who was dealt
    so many aces, draws left out.
    """
    record: Record = {
        "games": tally.games,
        "rounds": {
            "mean": round(tally.mean, 3),
            "sd": round(tally.sd, 3),
            "median": tally.quantile(0.5),
            "p95": tally.quantile(0.95),
            "p99": tally.quantile(0.99),
            "min": min(tally.rounds),
            "max": max(tally.rounds),
        },
        "wars_per_game": round(sum(tally.ties.values()) / tally.games, 4),
        "double_wars": _at_least(tally, 2),
        "triple_wars": _at_least(tally, 3),
        "carried": tally.carried,
        "capped": tally.capped,
        "draws": tally.draws,
        "wins_by_seat": [tally.wins[seat] for seat in range(tally.seats)],
    }
    if tally.seats == 2:
        record["wins_by_aces"] = {str(aces): round(share, 4) for aces, share in tally.wins_by_aces().items()}
    return record


def _at_least(tally: Tally, depth: int) -> int:
    return sum(games for reached, games in tally.reached.items() if reached >= depth)


def simulation_lines(tally: Tally) -> list[str]:
    """The same for a person at a terminal."""
    games = tally.games
    lines = [
        f"{games:,} matches for {tally.seats}",
        f"rounds: mean {tally.mean:.1f}, sd {tally.sd:.1f}, median {tally.quantile(0.5)},"
        f" 95 % within {tally.quantile(0.95)}, 99 % within {tally.quantile(0.99)}, longest {max(tally.rounds)}",
        f"wars a match: {sum(tally.ties.values()) / games:.2f};"
        f" a double war in {_at_least(tally, 2) / games:.1%}, a triple one in {_at_least(tally, 3) / games:.1%}",
        f"carried pots: {tally.carried}; capped: {tally.capped}; draws: {tally.draws}",
        "won by seat: " + ", ".join(f"{tally.wins[seat] / games:.1%}" for seat in range(tally.seats)),
    ]
    if tally.seats == 2:
        shares = ", ".join(f"{aces}: {share:.1%}" for aces, share in tally.wins_by_aces().items())
        lines.append(f"won by aces dealt: {shares}")
    return lines
