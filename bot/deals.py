"""A deal of somebody's own, from a JSON file: `warbot play --deal FILE`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from engine.cards import Card
from engine.errors import EngineError
from engine.facts import Act
from engine.rules import Rules
from engine.war import War

LARGEST = 1_000_000
"""Bytes of a file that is read at all; a real deal has a few hundred."""

NAMES = ("rules", "piles", "seed", "client", "acts")


class DealFileError(EngineError):
    """The file holds no deal; the text says what is wrong with it."""


def read(path: Path) -> tuple[War, list[Act]]:
    """The match that a file describes, before its first step, and what is to happen in it.

    The file: `{"rules": {...}, "piles": [["QS", "7D"], ...], "seed": "hex", "client": "text", "acts": [[step, seat,
    kind], ...]}`, top card first. Only the piles must be given. Raises `DealFileError` for what is no such file,
    OSError where it cannot be read, and other EngineErrors for a deal that cannot be played.
    """
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise DealFileError(f"{path.name} is larger than {LARGEST:,} bytes; a deal takes a few hundred.")
    try:
        tree: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DealFileError(f"{path.name} is not JSON: {' '.join(str(error).split())[:120]}.") from None
    if not isinstance(tree, dict):
        raise DealFileError(f'{path.name} must hold an object such as {{"piles": [["QS", "7D"], ["2C", "KH"]]}}.')
    fields = cast("dict[str, object]", tree)
    for name in fields:
        if name not in NAMES:
            raise DealFileError(f"{name[:40]!r} is no part of a deal; its parts are {', '.join(NAMES)}.")
    rules = Rules.from_dict(cast("Mapping[str, object]", fields.get("rules", {})), partial=True)
    war = War.from_piles(rules, _piles(fields), _seed(fields), _client(fields), even=True)
    return war, [Act.parse(act) for act in _list(fields.get("acts", []), "acts")]


def _list(value: object, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise DealFileError(f"{name} must be a list.")
    return cast("list[Any]", value)


def _piles(fields: Mapping[str, object]) -> list[list[Card]]:
    if "piles" not in fields:
        raise DealFileError('A deal needs "piles": a list of cards for each seat, top card first.')
    return [[Card.parse(code) for code in _list(pile, "each pile")] for pile in _list(fields["piles"], "piles")]


def _seed(fields: Mapping[str, object]) -> bytes:
    text = fields.get("seed", "00" * 32)
    if not isinstance(text, str):
        raise DealFileError("seed must be 64 hexadecimal digits.")
    return seed_of(text, "seed")


def _client(fields: Mapping[str, object]) -> str:
    text = fields.get("client", "deal")
    if not isinstance(text, str):
        raise DealFileError("client must be a text.")
    return text


def seed_of(text: str, name: str) -> bytes:
    """A server seed from its 64 hexadecimal digits. Raises `DealFileError`."""
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != 32 or len(text) != 64:
        raise DealFileError(f"{name} takes 64 hexadecimal digits, for example the server_seed of a proof.")
    return seed
