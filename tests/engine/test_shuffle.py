"""The stream of chance: the algorithm of docs/fairness.md written a second time, and its evenness."""

from __future__ import annotations

import hashlib
import hmac
from itertools import islice, permutations, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import SeedError
from engine.rules import Rules
from engine.shuffle import Chance, FastChance, Stream, commitment, dealt

SEED = bytes(range(32))


def words_by_the_book(server_seed: bytes, client_seed: str):
    """The definition, as plainly as it can be put."""
    counter = 0
    while True:
        message = (client_seed + ":" + str(counter)).encode("utf-8")
        block = hmac.new(server_seed, message, hashlib.sha512).digest()
        for start in range(0, 64, 2):
            yield block[start] * 256 + block[start + 1]
        counter += 1


def below_by_the_book(words, n: int) -> int:
    largest_multiple = 65536 - 65536 % n
    for word in words:
        if word < largest_multiple:
            return word // (largest_multiple // n)
    raise AssertionError("the words never end")


@given(st.binary(min_size=32, max_size=32), st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30))
def test_the_stream_is_the_one_of_the_book(server_seed: bytes, client_seed: str) -> None:
    stream, words = Stream(server_seed, client_seed), words_by_the_book(server_seed, client_seed)
    for n in (2, 52, 3, 65536, 40000, 1, 7, 65535, *range(2, 53)):
        assert stream.below(n) == below_by_the_book(words, n)


@given(st.lists(st.integers(), max_size=64))
def test_a_shuffle_is_fisher_and_yates_from_the_end(items: list[int]) -> None:
    expected, words = items.copy(), words_by_the_book(SEED, "shuffle")
    for last in range(len(items) - 1, 0, -1):
        chosen = below_by_the_book(words, last + 1)
        expected[last], expected[chosen] = expected[chosen], expected[last]
    stream = Stream(SEED, "shuffle")
    stream.shuffle(items)
    assert items == expected
    assert stream.below(65536) == next(words)  # and both have used as many words


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 7, 10, 51, 52, 64])
def test_each_number_has_exactly_as_many_words(n: int) -> None:
    chance = Chance(iter(range(65536)))
    share = 65536 // n
    assert [chance.below(n) for _ in range(share * n)] == [number for number in range(n) for _ in range(share)]
    with pytest.raises(StopIteration):
        chance.below(n)  # the remainder, above the largest multiple, serves nobody


def test_a_word_above_the_largest_multiple_is_thrown_away_in_a_shuffle_too() -> None:
    # 65,535 is the whole remainder of 3 and of 5, and serves 2.
    chance = Chance(iter([65535, 65535, 0, 65535]))
    items = ["a", "b", "c"]
    chance.shuffle(items)
    assert items == ["c", "b", "a"]


@pytest.mark.parametrize("size", [2, 3, 4])
def test_every_order_comes_as_often(size: int) -> None:
    stream, seen, times = Stream(SEED, "orders"), dict.fromkeys(permutations(range(size)), 0), 12_000
    for _ in repeat(None, times):
        items = list(range(size))
        stream.shuffle(items)
        seen[tuple(items)] += 1
    expected = times / len(seen)
    chi_squared = sum((count - expected) ** 2 / expected for count in seen.values())
    freedom = len(seen) - 1
    assert chi_squared < freedom + 4 * (2 * freedom) ** 0.5


def test_any_bit_of_either_seed_changes_the_deal() -> None:
    deal = dealt(Rules(), 2, Stream(SEED, "41"))
    for place in range(256):
        changed = bytearray(SEED)
        changed[place // 8] ^= 1 << place % 8
        assert dealt(Rules(), 2, Stream(bytes(changed), "41")) != deal
    for client in ("40", "42", "41 ", "4", "411"):
        assert dealt(Rules(), 2, Stream(SEED, client)) != deal


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33), "0" * 32, None, bytearray(32)])
def test_a_server_seed_is_32_bytes(seed: object) -> None:
    with pytest.raises(SeedError) as caught:
        Stream(seed, "x")  # type: ignore[arg-type]
    assert caught.value.field == "server_seed"


@pytest.mark.parametrize("seed", ["", "x" * 201, 7, None, b"x", "\ud800", "a\udfffb"])
def test_a_client_seed_is_a_text_of_1_to_200(seed: object) -> None:
    with pytest.raises(SeedError) as caught:
        Stream(SEED, seed)  # type: ignore[arg-type]
    assert caught.value.field == "client_seed"


def test_the_commitment_is_the_sha_256_of_the_seed() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


def test_fast_chance_repeats_itself_and_differs_by_seed() -> None:
    def numbers(seed: int) -> list[int]:
        chance = FastChance(seed)
        return [chance.below(52) for _ in range(2000)]

    assert numbers(1) == numbers(1) != numbers(2)


def test_the_words_of_the_book_go_on_over_blocks() -> None:
    # 32 words to a block: the 33rd is the first of counter 1.
    words = list(islice(words_by_the_book(SEED, "x"), 33))
    stream = Stream(SEED, "x")
    assert [stream.below(65536) for _ in range(33)] == words
    assert words[32] == int.from_bytes(hmac.digest(SEED, b"x:1", "sha512")[:2], "big")
