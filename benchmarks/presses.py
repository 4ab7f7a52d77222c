"""How many presses a match takes, by preset and seats: the figures behind "about 15 presses each".

Run with `python -m benchmarks.presses [MATCHES]`; the medians stand in cogs/_views.py.
"""

from __future__ import annotations

import statistics
import sys

from engine.rules import PRESETS, Rules
from engine.table import Pace, play_turn
from engine.war import War

SEATS = range(2, 7)


def presses_of(rules: Rules, seats: int, number: int) -> int:
    """Turns that one match takes when everybody presses each one and nobody asks for another pace."""
    war = War.deal(rules, seats, number.to_bytes(32, "big"), "presses")
    turns = 0
    while war.outcome is None:
        play_turn(war, Pace.WAR)
        turns += 1
    return turns


def main(matches: int) -> None:
    lines = [f"presses each, median of {matches} matches; seats 2 to 6"]
    for name, rules in PRESETS.items():
        medians = [
            round(statistics.median(presses_of(rules, seats, number) for number in range(matches))) for seats in SEATS
        ]
        lines.append(f"{name:10} {' '.join(f'{median:4}' for median in medians)}")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
