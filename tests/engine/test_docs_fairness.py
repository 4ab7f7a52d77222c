"""The vectors of docs/fairness.md, read from the page: by the engine, and by the page's own words written anew."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.proof import Proof
from engine.rules import Rules
from engine.shuffle import Stream, commitment
from engine.war import War

PAGE = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text()
VECTORS = [json.loads(block) for block in re.findall(r"^```json\n(.*?)\n```", PAGE, re.MULTILINE | re.DOTALL)]
PROOF = re.search(r"^```proof\n(.*?)\n```", PAGE, re.MULTILINE).group(1)  # type: ignore[union-attr]
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "CDHS"]


def stranger_words(server_seed: bytes, client_seed: str) -> Iterator[int]:
    counter = 0
    while True:
        block = hmac.new(server_seed, f"{client_seed}:{counter}".encode(), hashlib.sha512).digest()
        yield from (block[place] * 256 + block[place + 1] for place in range(0, 64, 2))
        counter += 1


def stranger_shuffle(items: list[str], words: Iterator[int]) -> None:
    for place in range(len(items) - 1, 0, -1):
        share = 65536 // (place + 1)
        word = next(word for word in words if word < share * (place + 1))
        items[place], items[word // share] = items[word // share], items[place]


def test_the_page_has_its_vectors() -> None:
    assert len(VECTORS) == 3


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["client_seed"])
def test_the_engine_gives_the_vectors_of_the_page(vector: dict[str, Any]) -> None:
    seed, client = bytes.fromhex(vector["server_seed"]), vector["client_seed"]
    assert commitment(seed) == vector["commitment"]
    stream = Stream(seed, client)
    assert [stream.below(65536) for _ in range(8)] == vector["words"]
    stream = Stream(seed, client)
    assert [stream.below(52) for _ in range(8)] == vector["below_52"]
    stream, deck = Stream(seed, client), DECK.copy()
    stream.shuffle(deck)
    assert deck == vector["shuffled_deck"].split()
    war = War.deal(Rules(), vector["seats"], seed, client)
    assert [[card.code for card in pile] for pile in war.dealt] == [pile.split() for pile in vector["piles"]]
    for _ in war.play():
        pass
    outcome = war.outcome
    assert outcome is not None
    assert vector["outcome"] == {
        "termination": outcome.termination,
        "placings": list(outcome.placings),
        "counts": list(outcome.counts),
        "rounds": outcome.rounds,
        "steps": outcome.steps,
    }


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["client_seed"])
def test_a_stranger_gets_the_same_from_the_words_of_the_page(vector: dict[str, Any]) -> None:
    seed, client, seats = bytes.fromhex(vector["server_seed"]), vector["client_seed"], vector["seats"]
    assert hashlib.sha256(seed).hexdigest() == vector["commitment"]
    deck = DECK.copy()
    stranger_shuffle(deck, stranger_words(seed, client))
    assert deck == vector["shuffled_deck"].split()
    even = 52 // seats * seats
    assert [deck[seat:even:seats] for seat in range(seats)] == [pile.split() for pile in vector["piles"]]


def test_a_stranger_plays_a_match_of_two_to_the_same_end() -> None:
    """The rules for two under the defaults in a dozen lines, from the page alone: no code of the engine."""
    vector = VECTORS[1]
    words = stranger_words(bytes.fromhex(vector["server_seed"]), vector["client_seed"])
    deck = DECK.copy()
    stranger_shuffle(deck, words)
    piles, rounds, steps = [deck[0::2], deck[1::2]], 0, 0
    while all(piles):
        rounds += 1
        pot: list[str] = []
        lay = 1
        while True:
            steps += 1
            if not all(piles):  # tied, and somebody has no card left: the other takes the pot without turning
                winner = 0 if piles[0] else 1
                break
            faces = []
            for pile in piles:
                laid = [pile.pop(0) for _ in range(min(lay, len(pile)))]
                pot += laid
                faces.append("23456789TJQKA".index(laid[-1][0]))
            if faces[0] != faces[1]:
                winner = 0 if faces[0] > faces[1] else 1
                break
            lay = 4
        stranger_shuffle(pot, words)
        piles[winner] += pot
    outcome = vector["outcome"]
    assert [len(pile) for pile in piles] == outcome["counts"]
    assert (rounds, steps) == (outcome["rounds"], outcome["steps"])


def test_the_proof_of_the_page_verifies() -> None:
    Proof.from_json(PROOF).verify()


def test_the_page_names_every_part_of_a_proof_in_its_order() -> None:
    names = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
    assert names == list(json.loads(PROOF))
