"""The proof: it holds for the match it tells of, and for no other text."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import replace

import pytest

from engine.errors import ProofError, RulesError
from engine.facts import Act, Outcome, Termination
from engine.proof import MAX_PROOF_BYTES, Proof
from engine.rules import Rules
from engine.shuffle import commitment
from engine.war import War

SEED = bytes(range(32))
ACTS = (Act(3, 2, "agree"), Act(5, 1, "forfeit"))


def prove(rules: Rules | None = None, seats: int = 3, acts: tuple[Act, ...] = ACTS) -> Proof:
    rules = rules or Rules(low_rank=9)
    war = War.deal(rules, seats, SEED, "client")
    for _ in war.play(acts):
        pass
    return Proof.of(rules, seats, SEED, "client", acts, war.steps, committed_before=True)


@pytest.fixture(scope="module")
def proof() -> Proof:
    return prove()


def altered(proof: Proof, **values: object) -> bytes:
    """The proof with other values in its JSON, the digest made to fit: what a forger would write."""
    tree = {**json.loads(proof.to_json()), **values}
    del tree["digest"]
    body = json.dumps(tree, separators=(",", ":"))
    tree["digest"] = hashlib.sha256(body.encode()).hexdigest()
    return json.dumps(tree, separators=(",", ":")).encode()


def fault_of(data: bytes) -> str:
    with pytest.raises(ProofError) as caught:
        Proof.from_bytes(data).verify()
    assert str(caught.value).endswith(".")
    return caught.value.fault


def test_it_reads_back_the_same_and_verifies(proof: Proof) -> None:
    again = Proof.from_bytes(proof.to_bytes())
    assert again == proof == Proof.from_json(proof.to_json())
    war = again.verify()
    assert war.outcome == proof.outcome
    assert war.acts == ACTS


def test_it_shows_the_seed_its_commitment_and_the_deal(proof: Proof) -> None:
    tree = json.loads(proof.to_json())
    assert tree["server_seed"] == SEED.hex()
    assert tree["commitment"] == commitment(SEED)
    assert tree["committed_before"] is True
    assert tree["deal"] == [
        [card.code for card in pile] for pile in War.deal(Rules(low_rank=9), 3, SEED, "client").dealt
    ]
    assert sorted(tree) == sorted(
        [
            "format",
            "commitment",
            "committed_before",
            "server_seed",
            "client_seed",
            "rules",
            "seats",
            "acts",
            "steps",
            "deal",
            "outcome",
            "digest",
        ]
    )


def test_no_byte_can_be_another(proof: Proof) -> None:
    """Every position, each with a neighbouring, a plausible and a wild other byte."""
    data = proof.to_bytes()
    faults: Counter[str] = Counter()
    for place, byte in enumerate(data):
        for other in {byte ^ 1, byte ^ 0x80, ord("0") if byte != ord("0") else ord("1")}:
            faults[fault_of(data[:place] + bytes([other]) + data[place + 1 :])] += 1
    # The tampering reaches every check that a single byte can reach, not only the digest.
    assert {"not-json", "shape", "commitment", "rules", "deal", "acts", "outcome", "digest"} <= set(faults)


def test_no_byte_can_be_left_out_or_added(proof: Proof) -> None:
    data = proof.to_bytes()
    for place in range(len(data)):
        fault_of(data[:place] + data[place + 1 :])
        fault_of(data[:place])
        fault_of(data[:place] + b" " + data[place:])
        fault_of(data[:place] + b"0" + data[place:])
    assert fault_of(data + b"\n") == "not-canonical"
    assert fault_of(data + data) == "not-json"


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ({"format": 2}, "format"),
        ({"commitment": "0" * 64}, "commitment"),
        ({"server_seed": "00" * 32}, "commitment"),
        ({"server_seed": "00" * 31, "commitment": commitment(bytes(31))}, "deal"),
        ({"server_seed": "zz"}, "shape"),
        ({"server_seed": SEED.hex().upper()}, "not-canonical"),
        ({"client_seed": "other"}, "deal"),
        ({"client_seed": ""}, "deal"),
        ({"client_seed": "x" * 500}, "deal"),
        ({"committed_before": 1}, "shape"),
        ({"committed_before": "true"}, "shape"),
        ({"rules": Rules(low_rank=9, version=1).to_dict() | {"version": 2}}, "rules"),
        ({"rules": Rules(low_rank=9).to_dict() | {"shortage": "equal"}}, "rules"),
        ({"rules": Rules(low_rank=9).to_dict() | {"jokers": 2}}, "rules"),
        ({"rules": {}}, "rules"),
        ({"rules": []}, "shape"),
        ({"rules": Rules(low_rank=9, face_down=0).to_dict()}, "steps"),
        ({"rules": Rules(low_rank=2).to_dict()}, "deal"),
        ({"seats": 2}, "deal"),
        ({"seats": 7}, "rules"),
        ({"seats": 3.0}, "shape"),
        ({"acts": []}, "steps"),
        ({"acts": [[3, 2, "agree"], [5, 0, "forfeit"]]}, "steps"),
        ({"acts": [[5, 1, "forfeit"], [3, 2, "agree"]]}, "acts"),
        ({"acts": [[3, 2, "agree"], [5, 9, "forfeit"]]}, "acts"),
        ({"acts": [[10**9, 2, "agree"]]}, "acts"),
        ({"acts": [[3, 2, "resign"]]}, "shape"),
        ({"acts": [[3, 2]]}, "shape"),
        ({"acts": {}}, "shape"),
        ({"steps": 6}, "steps"),
        ({"steps": -1}, "steps"),
        ({"steps": 10**18}, "steps"),
        ({"steps": True}, "shape"),
        ({"deal": []}, "deal"),
        ({"deal": [["QS"], ["7D"], ["3C"]]}, "deal"),
        ({"deal": [[1]]}, "shape"),
        ({"outcome": {}}, "shape"),
        ({"outcome": {"termination": "won", "placings": [], "counts": [], "rounds": 1}}, "shape"),
        ({"outcome": {"termination": "draw", "placings": [1, 1, 1], "counts": [0, 0, 0], "rounds": 9}}, "outcome"),
        ({"name": "somebody"}, "shape"),
    ],
)
def test_a_forged_proof_fails_with_its_reason(proof: Proof, values: dict[str, object], fault: str) -> None:
    assert fault_of(altered(proof, **values)) == fault


def test_the_digest_catches_what_plays_the_same(proof: Proof) -> None:
    longer = replace(proof, rules=replace(proof.rules, max_rounds=5001))
    assert fault_of(longer.to_bytes()) == "digest"
    assert fault_of(replace(proof, committed_before=False).to_bytes()) == "digest"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"{",
        b"[" * 20_000,
        b'{"a":' * 10_000,
        b"1" * 5000,
        b"NaN",
        '{"formät":1}'.encode(),
    ],
)
def test_what_is_no_proof_is_refused(data: bytes) -> None:
    with pytest.raises(ProofError):
        Proof.from_bytes(data)


def test_a_name_twice_is_refused(proof: Proof) -> None:
    data = proof.to_bytes().replace(b'{"format":1,', b'{"format":1,"format":1,')
    assert fault_of(data) == "not-canonical"


def test_what_is_too_large_is_refused_unread() -> None:
    assert fault_of(b" " * (MAX_PROOF_BYTES + 1)) == "too-big"


def test_a_text_with_half_a_character_is_refused(proof: Proof) -> None:
    with pytest.raises(ProofError):
        Proof.from_json(proof.to_json().replace("client", "\ud800", 1))


def test_a_seed_stays_secret_while_the_match_goes_on() -> None:
    with pytest.raises(ProofError, match="not over") as caught:
        Proof.of(Rules(), 2, SEED, "x", [], 10, committed_before=True)
    assert caught.value.fault == "steps"


def test_a_proof_needs_rules_that_can_be_played() -> None:
    with pytest.raises(RulesError):
        Proof.of(Rules(shortage="keep"), 3, SEED, "x", [], 10, committed_before=True)


@pytest.mark.parametrize("client", ["1234567890123456789", "äöü ♠ 日本", '"\\\n\t', "\x00\x7f"])
def test_any_client_seed_has_one_way_to_be_written(client: str) -> None:
    war = War.deal(Rules(low_rank=12), 2, SEED, client)
    for _ in war.play():
        pass
    proof = Proof.of(Rules(low_rank=12), 2, SEED, client, [], war.steps, committed_before=False)
    assert proof.to_bytes().isascii()
    Proof.from_bytes(proof.to_bytes()).verify()


def test_an_agreed_match_before_the_first_step_has_a_proof() -> None:
    proof = prove(acts=tuple(Act(0, seat, "agree") for seat in range(3)))
    assert proof.verify().outcome == Outcome(Termination.AGREED, (1, 1, 1), (8, 8, 8), 0, 0)
