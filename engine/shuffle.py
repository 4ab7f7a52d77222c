"""From two seeds to every chance of a match: docs/fairness.md has this algorithm in words, with test vectors.

The server seed is drawn before the match and shown only as its SHA-256; the client seed comes after that.
Blocks of HMAC-SHA512(server seed, "client seed:counter"), counter 0, 1, 2, ..., are cut into 16-bit big-
endian words; each choice takes the next word that serves.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterator
from functools import partial
from itertools import chain, count
from random import Random
from typing import TypeVar

from engine.cards import deck
from engine.errors import SeedError
from engine.rules import Rules

SERVER_SEED_BYTES = 32
MAX_CLIENT_SEED = 200
WORD_VALUES = 1 << 16

_WORDS_OF_A_BLOCK = struct.Struct(">32H")  # SHA-512 gives 64 bytes
_WORDS_OF_A_GULP = struct.Struct(">512H")

T = TypeVar("T")


def commitment(server_seed: bytes) -> str:
    """What is shown before the match: the SHA-256 of the server seed, 64 hex digits.

    >>> commitment(bytes(32))[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(server_seed).hexdigest()


class Chance:
    """Unbiased choices made of `words`, an endless iterator of 16-bit numbers (0 to 65,535)."""

    __slots__ = ("_next_word",)

    def __init__(self, words: Iterator[int]) -> None:
        self._next_word = words.__next__

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each as likely; n is 1 to 65,536.

        The 65,536 values of a word are cut into n shares of equal size; the number is the share that the
        word falls into. A word in the remainder, above the largest multiple of n, belongs to none and is
        thrown away.
        """
        share = WORD_VALUES // n
        while True:
            number = self._next_word() // share
            if number < n:
                return number

    def shuffle(self, items: list[T]) -> None:
        """Shuffle in place: Fisher and Yates, from the end. A list of n (at most 64) takes n - 1 choices."""
        next_word = self._next_word
        if len(items) == 2:
            # By far the most common: the pot of a plain round between two.
            if next_word() < WORD_VALUES // 2:
                items.reverse()
            return
        for last in range(len(items) - 1, 0, -1):
            # `below(last + 1)` written out: a match makes hundreds of these choices.
            share = _SHARES[last]
            chosen = next_word() // share
            while chosen > last:
                chosen = next_word() // share
            items[last], items[chosen] = items[chosen], items[last]


_SHARES = tuple(WORD_VALUES // (last + 1) for last in range(64))


class Stream(Chance):
    """The one source of chance of a match, made of its two seeds.

    `server_seed` is 32 bytes, `client_seed` a text of 1 to 200 characters. Raises SeedError for others.

    >>> stream = Stream(bytes(32), "example")
    >>> [stream.below(52) for _ in range(5)]
    [17, 17, 29, 37, 25]
    """

    __slots__ = ()

    def __init__(self, server_seed: bytes, client_seed: str) -> None:
        _check_seeds(server_seed, client_seed)
        keyed = hmac.new(server_seed, f"{client_seed}:".encode(), "sha512")
        # chain and map run in C: a word costs no Python call, a block of 32 costs one.
        super().__init__(chain.from_iterable(map(partial(_block, keyed), count())))


class FastChance(Chance):
    """Chance for simulations, from Python's own generator: faster than a Stream, and proof of nothing.

    The same `seed` gives the same choices on every machine.
    """

    __slots__ = ()

    def __init__(self, seed: int) -> None:
        source = Random(seed)
        gulps = (_WORDS_OF_A_GULP.unpack(source.randbytes(_WORDS_OF_A_GULP.size)) for _ in count())
        super().__init__(chain.from_iterable(gulps))


def _block(keyed: hmac.HMAC, counter: int) -> tuple[int, ...]:
    """Words 32·counter to 32·counter + 31 of the stream. `keyed` has read the message up to the counter."""
    block = keyed.copy()
    block.update(b"%d" % counter)
    return _WORDS_OF_A_BLOCK.unpack(block.digest())


def _check_seeds(server_seed: object, client_seed: object) -> None:
    if not isinstance(server_seed, bytes) or len(server_seed) != SERVER_SEED_BYTES:
        raise SeedError("server_seed", f"The server seed must be {SERVER_SEED_BYTES} bytes (64 hex digits).")
    if not isinstance(client_seed, str) or not 1 <= len(client_seed) <= MAX_CLIENT_SEED:
        raise SeedError("client_seed", f"The client seed must be a text of 1 to {MAX_CLIENT_SEED} characters.")
    if any("\ud800" <= letter <= "\udfff" for letter in client_seed):
        raise SeedError("client_seed", "The client seed holds half of a character; use whole ones.")


def dealt(rules: Rules, seats: int, chance: Chance) -> tuple[list[list[int]], list[int]]:
    """Shuffle the deck of `rules` and deal it: each seat's pile, top card first, and what came out uneven.

    The top of the deck goes to seat 0, the next card to seat 1 and so on; the first card a seat gets is the
    top of its pile. Raises RulesError when `seats` cannot play by these rules.
    """
    rules.check(seats)
    cards = deck(rules.low_rank)
    chance.shuffle(cards)
    even = len(cards) - len(cards) % seats
    return [cards[seat:even:seats] for seat in range(seats)], cards[even:]
