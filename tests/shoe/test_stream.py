"""The random stream: published test vectors, and a scaler proved fair by exhaustive trial."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import pytest

from pitbook.shoe import crypto
from pitbook.shoe.crypto import (
    below,
    deal_key,
    hkdf,
    key_bytes,
    key_stream,
    numbers,
    reduce_number,
)

SIZES = range(1, 625)  # A sheet can have at most twelve decks.


class Block(NamedTuple):
    key: str
    nonce: str
    counter: int
    stream: str


# RFC 8439: section 2.3.2, then appendix A.1.
CHACHA20 = [
    Block(
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        "000000090000004a00000000",
        1,
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e",
    ),
    Block(
        "00" * 32,
        "00" * 12,
        0,
        "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
        "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586",
    ),
    Block(
        "00" * 32,
        "00" * 12,
        1,
        "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
        "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f",
    ),
    Block(
        "00" * 31 + "01",
        "00" * 12,
        1,
        "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
        "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0",
    ),
    Block(
        "00ff" + "00" * 30,
        "00" * 12,
        2,
        "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca"
        "13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096",
    ),
    Block(
        "00" * 32,
        "00" * 11 + "02",
        0,
        "c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7"
        "8a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d",
    ),
]


@pytest.mark.parametrize("has_cryptography", [True, False])
@pytest.mark.parametrize("vector", CHACHA20)
def test_chacha20_gives_the_blocks_of_rfc_8439(
    vector: Block, has_cryptography: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crypto, "HAS_CRYPTOGRAPHY", has_cryptography)
    key, nonce = bytes.fromhex(vector.key), bytes.fromhex(vector.nonce)
    assert next(key_stream(key, nonce=nonce, counter=vector.counter)).hex() == vector.stream


def test_a_core_installation_has_the_same_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)
    spec = importlib.util.spec_from_file_location("core_crypto", crypto.__file__)
    assert spec
    assert spec.loader
    core_crypto = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(core_crypto)
    assert not core_crypto.HAS_CRYPTOGRAPHY
    assert next(core_crypto.key_stream(bytes(32))) == next(key_stream(bytes(32)))


def test_plain_python_gives_the_same_stream_and_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """A core installation has no `cryptography`."""
    keys = [bytes(32), bytes(range(32)), b"\xff" * 32]
    starts = [(key, nonce) for key in keys for nonce in (b"\0" * 12, b"nonce 12byte")]
    fast = [list(islice(key_stream(key, nonce=nonce), 3)) for key, nonce in starts]
    fast_bytes = [key_bytes(key, length) for key in keys for length in (1, 64, 65, 200)]
    monkeypatch.setattr(crypto, "HAS_CRYPTOGRAPHY", False)
    assert [list(islice(key_stream(key, nonce=nonce), 3)) for key, nonce in starts] == fast
    assert [key_bytes(key, length) for key in keys for length in (1, 64, 65, 200)] == fast_bytes


def test_the_stream_of_a_deal_starts_at_counter_0_and_runs_on() -> None:
    first, second = islice(key_stream(bytes(32)), 2)
    assert first.hex() == CHACHA20[1].stream
    assert second.hex() == CHACHA20[2].stream


def test_numbers_are_two_bytes_the_high_one_first() -> None:
    """0x76b8, 0xe0ad, ... and after the first block 0x9f07."""
    drawn = list(islice(numbers(bytes(32)), 33))
    assert drawn[:3] == [0x76B8, 0xE0AD, 0xA0F1]
    assert drawn[31:] == [0x6586, 0x9F07]


class Derived(NamedTuple):
    secret: str
    salt: str
    info: str
    length: int
    key: str


def byte_range_hex(first: int, last: int) -> str:
    return bytes(range(first, last + 1)).hex()


# RFC 5869, appendix A.1 to A.3.
HKDF_SHA256 = [
    Derived(
        "0b" * 22,
        byte_range_hex(0x00, 0x0C),
        byte_range_hex(0xF0, 0xF9),
        42,
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
    ),
    Derived(
        byte_range_hex(0x00, 0x4F),
        byte_range_hex(0x60, 0xAF),
        byte_range_hex(0xB0, 0xFF),
        82,
        "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
        "59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71"
        "cc30c58179ec3e87c14c01d5c1f3434f1d87",
    ),
    Derived(
        "0b" * 22,
        "",
        "",
        42,
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
    ),
]


@pytest.mark.parametrize("vector", HKDF_SHA256)
def test_hkdf_gives_the_keys_of_rfc_5869(vector: Derived) -> None:
    secret, salt, info = (bytes.fromhex(hex_text) for hex_text in vector[:3])
    assert hkdf(secret, salt=salt, info=info, length=vector.length).hex() == vector.key


def test_a_deal_key_is_made_from_seed_shoe_and_seats_in_seat_order() -> None:
    key = deal_key(b"s" * 32, shoe="table 1/7", seat_seeds={10: "é", 2: 'x"y'})
    info = b'pitbook deal 1[[2,"x\\"y"],[10,"\\u00e9"]]'
    assert key == hkdf(b"s" * 32, salt=b"table 1/7", info=info, length=32)
    assert deal_key(b"s" * 32, shoe="a", seat_seeds={}) == hkdf(
        b"s" * 32, salt=b"a", info=b"pitbook deal 1[]"
    )


def test_each_part_changes_the_deal_key() -> None:
    keys = [
        deal_key(seed, shoe=shoe, seat_seeds=seats)
        for seed in (b"1" * 32, b"2" * 32)
        for shoe in ("a", "b")
        for seats in ({}, {1: ""}, {1: "x"}, {2: "x"}, {1: "x", 2: "x"})
    ]
    assert len(set(keys)) == len(keys) == 20


Scaler = Callable[[Any, int], tuple[Any, Any]]  # Also applied to arrays.
ALL_NUMBERS = np.arange(65_536)


def unfair_sizes(scaler: Scaler) -> list[int]:
    """The bounds for which the 65,536 values of two bytes do not give each result equally often."""
    return [bound for bound in SIZES if not is_fair(scaler, bound)]


def is_fair(scaler: Scaler, bound: int) -> bool:
    """Whether each result is equally often, with only the remainder rejected."""
    results, used = scaler(ALL_NUMBERS, bound)
    counts = np.bincount(results[used], minlength=bound).tolist()
    return bool(counts == [65_536 // bound] * bound)


@pytest.mark.long
def test_the_scaler_is_fair_at_every_size() -> None:
    assert unfair_sizes(reduce_number) == []


@pytest.mark.parametrize("bound", [1, 51, 52, 312, 624])
def test_below_gives_what_the_scaler_allows_and_reads_on_over_the_rest(bound: int) -> None:
    two_byte_numbers = iter(range(65_536))
    results = list(iter_until_empty(lambda: below(two_byte_numbers, bound)))
    assert results == [number % bound for number in range(65_536 // bound * bound)]


@pytest.mark.slow
def test_below_is_fair_at_every_size_number_by_number() -> None:
    for bound in SIZES:
        two_byte_numbers = iter(range(65_536))
        counts = Counter(iter_until_empty(lambda: below(two_byte_numbers, bound)))  # noqa: B023
        assert counts == dict.fromkeys(range(bound), 65_536 // bound), bound


@pytest.mark.long
def test_the_proof_rejects_a_modulo_bias_that_no_statistics_would_find() -> None:
    even = [2**power for power in range(10)]
    biased = unfair_sizes(lambda number, bound: (number % bound, number >= 0))
    assert biased == [size for size in SIZES if size not in even]


@pytest.mark.long
def test_the_proof_rejects_a_scaler_that_throws_away_too_much() -> None:
    def wasteful(number: Any, bound: int) -> tuple[Any, Any]:
        return number % bound, number < 65_536 - 65_536 % bound - bound

    assert unfair_sizes(wasteful) == list(SIZES)


def iter_until_empty(draw: Callable[[], int]) -> Iterator[int]:
    """Draw until the numbers run out."""
    while True:
        try:
            yield draw()
        except StopIteration:
            return
