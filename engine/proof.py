"""The proof of a match: what it was made of, in one JSON text that anyone can check by playing it again.

It holds no names and no user ids. docs/fairness.md says what it shows and what it cannot show.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from engine.errors import (
    ActError,
    DealError,
    EngineError,
    MatchOver,
    ProofError,
    ProofFault,
    RulesError,
    SeedError,
)
from engine.facts import Act, Outcome, Termination
from engine.rules import Rules
from engine.shuffle import commitment
from engine.war import War

FORMAT = 1
MAX_PROOF_BYTES = 1 << 16
"""A proof is about 1 KiB; whatever is larger than this is refused unread."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A finished match, with the server seed revealed. Make it with `Proof.of` or read it with `from_bytes`.

    commitment        SHA-256 of the server seed, as it was shown
    committed_before  whether it was shown before the client seed existed. Where it was not, the proof shows
                      that the match follows the seeds, not that the server seed was fixed first
    deal              the codes of each seat's cards as dealt, top card first
    digest            SHA-256 of the JSON text before it: a slip of a byte shows, even one that plays the same
    """

    commitment: str
    committed_before: bool
    server_seed: bytes
    client_seed: str
    rules: Rules
    seats: int
    acts: tuple[Act, ...]
    steps: int
    deal: tuple[tuple[str, ...], ...]
    outcome: Outcome
    digest: str = ""

    @classmethod
    def of(
        cls,
        rules: Rules,
        seats: int,
        server_seed: bytes,
        client_seed: str,
        acts: Iterable[Act],
        steps: int,
        *,
        committed_before: bool,
    ) -> Proof:
        """The proof of the match that these make, played again here.

        Raises ProofError when the match is not over after `steps` steps (until then its server seed must stay
        secret), and what `War.replay` raises.
        """
        war = War.replay(rules, seats, server_seed, client_seed, acts, steps)
        if war.outcome is None:
            raise ProofError("steps", f"The match is not over after {steps} steps; its seed stays secret until then.")
        bare = cls(
            commitment(server_seed),
            committed_before,
            server_seed,
            client_seed,
            rules,
            seats,
            war.acts,
            steps,
            _codes(war),
            war.outcome,
        )
        return replace(bare, digest=bare.computed_digest())

    def to_json(self) -> str:
        """The one way to write this proof: ASCII, no spaces, the names in this order."""
        return _dump({**self._body(), "digest": self.digest})

    def to_bytes(self) -> bytes:
        """`to_json` as a file."""
        return self.to_json().encode()

    def computed_digest(self) -> str:
        """SHA-256, in hex, of the JSON text without its digest."""
        return hashlib.sha256(_dump(self._body()).encode()).hexdigest()

    @classmethod
    def from_json(cls, text: str) -> Proof:
        """As `from_bytes`."""
        return cls.from_bytes(text.encode(errors="surrogatepass"))

    @classmethod
    def from_bytes(cls, data: bytes) -> Proof:
        """Read a proof, byte for byte as `to_bytes` wrote it. This does not `verify` it.

        Raises ProofError for anything else: too large, no JSON, a name missing, unknown or twice, a value of
        the wrong type, other spacing or order.
        """
        if len(data) > MAX_PROOF_BYTES:
            raise ProofError("too-big", f"A proof has at most {MAX_PROOF_BYTES:,} bytes; this has {len(data):,}.")
        try:
            tree = json.loads(data.decode("ascii"))
        except (ValueError, RecursionError) as error:
            raise ProofError("not-json", f"This is no JSON text: {str(error)[:100]}.") from None
        proof = _read(tree)
        if proof.to_bytes() != data:
            reason = "it holds a name twice, or other spaces, order or spelling of values"
            raise ProofError("not-canonical", f"This is not the text that the bot writes: {reason}.")
        return proof

    def verify(self) -> War:
        """Play the match again and compare; returns it at its end. Raises ProofError with what differs."""
        if commitment(self.server_seed) != self.commitment:
            raise ProofError("commitment", "The commitment is not the SHA-256 of the server seed.")
        try:
            war = War.deal(self.rules, self.seats, self.server_seed, self.client_seed)
        except RulesError as error:
            raise ProofError("rules", f"Nobody can play by the proof's rules: {error}") from error
        except SeedError as error:
            raise ProofError("deal", f"No match can be dealt from the proof's seeds: {error}") from error
        if _codes(war) != self.deal:
            raise ProofError("deal", "The seeds deal other cards than the proof says.")
        try:
            for _ in war.play(self.acts, self.steps):
                pass
        except ActError as error:
            raise ProofError("acts", f"The acts do not fit the match: {error}") from error
        except (DealError, MatchOver) as error:
            raise ProofError("steps", f"The match has no step {self.steps}: {error}") from error
        if war.outcome is None:
            raise ProofError("steps", f"The match is not over after {self.steps} steps.")
        if war.outcome != self.outcome:
            raise ProofError("outcome", "The match ends otherwise than the proof says.")
        if self.computed_digest() != self.digest:
            raise ProofError("digest", "The proof was altered: its digest is not that of its text.")
        return war

    def _body(self) -> dict[str, object]:
        outcome = self.outcome
        return {
            "format": FORMAT,
            "commitment": self.commitment,
            "committed_before": self.committed_before,
            "server_seed": self.server_seed.hex(),
            "client_seed": self.client_seed,
            "rules": self.rules.to_dict(),
            "seats": self.seats,
            "acts": [[act.step, act.seat, act.kind] for act in self.acts],
            "steps": self.steps,
            "deal": self.deal,
            "outcome": {
                "termination": outcome.termination,
                "placings": outcome.placings,
                "counts": outcome.counts,
                "rounds": outcome.rounds,
            },
        }


def _codes(war: War) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(card.code for card in pile) for pile in war.dealt)


def _dump(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)


# -- reading: each helper takes what JSON gave and returns what it must be, or says what is wrong ------------


def _read(tree: object) -> Proof:
    names = [
        "format",
        "commitment",
        "committed_before",
        "server_seed",
        "client_seed",
        "rules",
        "seats",
        "acts",
    ]
    fields = _names(tree, "proof", [*names, "steps", "deal", "outcome", "digest"])
    if fields["format"] != FORMAT:
        raise ProofError("format", f"Only format {FORMAT} can be read here; this proof has another.")
    ending = _names(fields["outcome"], "outcome", ["termination", "placings", "counts", "rounds"])
    steps = _is(fields["steps"], int, "steps")
    try:
        return Proof(
            commitment=_is(fields["commitment"], str, "commitment"),
            committed_before=_is(fields["committed_before"], bool, "committed_before"),
            server_seed=bytes.fromhex(_is(fields["server_seed"], str, "server_seed")),
            client_seed=_is(fields["client_seed"], str, "client_seed"),
            rules=Rules.from_dict(_is(fields["rules"], dict, "rules")),
            seats=_is(fields["seats"], int, "seats"),
            acts=tuple(Act.parse(act) for act in _list(fields["acts"], list, "acts")),
            steps=steps,
            deal=tuple(tuple(_list(pile, str, "deal")) for pile in _list(fields["deal"], list, "deal")),
            outcome=Outcome(
                Termination(_is(ending["termination"], str, "termination")),
                tuple(_list(ending["placings"], int, "placings")),
                tuple(_list(ending["counts"], int, "counts")),
                _is(ending["rounds"], int, "rounds"),
                steps,
            ),
            digest=_is(fields["digest"], str, "digest"),
        )
    except ProofError:
        raise
    except (EngineError, ValueError) as error:
        fault: ProofFault = "rules" if isinstance(error, RulesError) else "shape"
        raise ProofError(fault, f"A value of the proof cannot be: {str(error).rstrip('.')}.") from error


def _names(value: object, where: str, names: list[str]) -> Mapping[str, object]:
    fields: dict[str, object] = _is(value, dict, where)
    if set(fields) != set(names):
        odd = ", ".join(sorted(set(fields) ^ set(names)))
        raise ProofError("shape", f"The {where} has names missing or unknown: {odd:.80}.")
    return fields


def _is(value: object, kind: type[Any], name: str) -> Any:
    if type(value) is not kind:
        raise ProofError("shape", f"The value of {name!r} must be of type {kind.__name__}, not {value!r:.40}.")
    return value


def _list(value: object, kind: type[Any], name: str) -> list[Any]:
    return [_is(item, kind, name) for item in cast("list[object]", _is(value, list, name))]
