"""The engine's figures: `python -m benchmarks.engine [--games N] [--runs N]`.

Each run plays the same matches three ways, one after the other, and the figures are medians of the runs: so that
what slows the machine down for a while slows all three.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import deque
from collections.abc import Callable
from statistics import median
from time import perf_counter, process_time

from engine.playout import playout
from engine.rules import Rules
from engine.shuffle import FastChance, Stream
from engine.war import War

RATIO_WANTED = 3.0
ROUNDS_A_SECOND_WANTED = 550_000
CLIENT_SEED = "benchmark"


def main() -> None:
    """Measure and print; `--json` prints one object instead of the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine", description=__doc__)
    parser.add_argument("--games", type=int, default=150, help="matches in each run")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    figures = measure(max(1, arguments.games), max(1, arguments.runs))
    print(json.dumps(figures) if arguments.json else table(figures))  # noqa: T201


def measure(games: int, runs: int) -> dict[str, float]:
    """Medians over the runs. Rounds a second are of one core; times a match are microseconds."""
    seeds = [hashlib.sha256(f"benchmark {number}".encode()).digest() for number in range(games)]
    ways: dict[str, Callable[[bytes], int]] = {
        "with facts, real stream": play_with_facts,
        "playout, real stream": lambda seed: playout(Rules(), 2, Stream(seed, CLIENT_SEED)).rounds,
        "playout, fast chance": lambda seed: playout(Rules(), 2, FastChance(int.from_bytes(seed[:4]))).rounds,
        "playout, six seats": lambda seed: playout(Rules(), 6, Stream(seed, CLIENT_SEED)).rounds,
    }
    speeds: dict[str, list[float]] = {name: [] for name in ways}
    ratios: list[float] = []
    started = perf_counter()
    for _ in range(runs):
        for name, play in ways.items():
            speeds[name].append(rounds_a_second(play, seeds))
        ratios.append(speeds["playout, real stream"][-1] / speeds["with facts, real stream"][-1])
    figures = {f"rounds a second, {name}": round(median(values)) for name, values in speeds.items()}
    return {
        "facts against playout": round(median(ratios), 2),
        **figures,
        "milliseconds a match with facts": round(1e3 * median(match_seconds(seeds)), 3),
        "seconds of measuring": round(perf_counter() - started, 1),
    }


def play_with_facts(seed: bytes) -> int:
    """Play one match for its battles, which are made and let go."""
    war = War.deal(Rules(), 2, seed, CLIENT_SEED)
    deque(war.play(), maxlen=0)
    return war.rounds


def rounds_a_second(play: Callable[[bytes], int], seeds: list[bytes]) -> float:
    """Of one core: other processes on the machine do not count."""
    started = process_time()
    rounds = sum(map(play, seeds))
    return rounds / (process_time() - started)


def match_seconds(seeds: list[bytes]) -> list[float]:
    """How long each of these matches takes with its facts."""
    times: list[float] = []
    for seed in seeds:
        started = process_time()
        play_with_facts(seed)
        times.append(process_time() - started)
    return times


def table(figures: dict[str, float]) -> str:
    """The figures for a person, with what is wanted."""
    wanted = {
        "facts against playout": f"at most {RATIO_WANTED}",
        "rounds a second, playout, real stream": f"over {ROUNDS_A_SECOND_WANTED:,}",
    }
    lines = [f"{name:<44} {value:>12,}   {wanted.get(name, '')}".rstrip() for name, value in figures.items()]
    return "\n".join(["engine, two players, default rules unless it says otherwise", *lines])


if __name__ == "__main__":
    main()
