"""Kept vectors: what was stored by an older version must come out the same for ever.

These files are never made anew. When a reading of the rules has to change, `Rules.version` goes up, the old
reading stays for the old version, and new vectors are added beside these.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from engine.facts import Act
from engine.proof import Proof
from engine.rules import Rules
from engine.shuffle import Stream, commitment
from engine.war import War

VECTORS = Path(__file__).parent / "vectors"
STREAMS = json.loads((VECTORS / "streams.json").read_text())
MATCHES = json.loads((VECTORS / "matches.json").read_text())


@pytest.mark.parametrize("kept", STREAMS, ids=lambda kept: kept["client_seed"])
def test_a_stream_gives_the_kept_numbers(kept: dict[str, Any]) -> None:
    seed = bytes.fromhex(kept["server_seed"])
    assert commitment(seed) == kept["commitment"]
    stream = Stream(seed, kept["client_seed"])
    assert [stream.below(65536) for _ in kept["words"]] == kept["words"]
    stream = Stream(seed, kept["client_seed"])
    assert [stream.below(n) for n in range(2, 53)] == kept["below_2_to_52"]
    stream, deck = Stream(seed, kept["client_seed"]), list(range(52))
    stream.shuffle(deck)
    assert deck == kept["shuffled_52"]


@pytest.mark.parametrize("kept", MATCHES, ids=lambda kept: kept["name"])
def test_a_stored_match_replays_the_same(kept: dict[str, Any]) -> None:
    rules = Rules.from_dict(kept["rules"])
    war = War.deal(rules, kept["seats"], bytes.fromhex(kept["server_seed"]), kept["client_seed"])
    assert [" ".join(card.code for card in pile) for pile in war.dealt] == kept["deal"]
    trace = hashlib.sha256()
    for battle in war.play([Act.parse(act) for act in kept["acts"]], kept["steps"]):
        trace.update(f"{battle.round} {battle.tied} {battle.winner} {battle.pot} {battle.counts}\n".encode())
    assert trace.hexdigest() == kept["trace"]
    assert [" ".join(card.code for card in pile) for pile in war.piles] == kept["piles"]
    outcome = war.outcome
    if kept["outcome"] is None:
        assert outcome is None
        return
    assert outcome is not None
    assert [outcome.termination, list(outcome.placings), list(outcome.counts), outcome.rounds] == kept["outcome"]


@pytest.mark.parametrize("path", sorted(VECTORS.glob("proof-*.json")), ids=lambda path: path.stem)
def test_a_kept_proof_still_verifies(path: Path) -> None:
    Proof.from_bytes(path.read_bytes()).verify()
