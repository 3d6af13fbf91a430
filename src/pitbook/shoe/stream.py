"""Generates uniform random numbers for a deal from one key."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import chain
from struct import Struct

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

PURPOSE = b"pitbook deal 1"  # A change of the dealing method needs a new number.
SPAN = 2**16  # Number of values of two bytes.
BLOCK = bytes(64)

_PAIRS = Struct(">32H")


def deal_key(seed: bytes, *, shoe: str, seat_seeds: Mapping[int, str]) -> bytes:
    """The key of a shoe's deal, from the server's seed, the shoe's id and the seats' seeds."""
    seats = json.dumps(sorted(seat_seeds.items()), separators=(",", ":"), ensure_ascii=True)
    return hkdf(seed, salt=shoe.encode(), info=PURPOSE + seats.encode())


def hkdf(secret: bytes, *, salt: bytes, info: bytes, length: int = 32) -> bytes:
    """HKDF with SHA-256 (RFC 5869)."""
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(secret)


def key_stream(key: bytes, *, nonce: bytes = bytes(12), counter: int = 0) -> Iterator[bytes]:
    """The ChaCha20 key stream (RFC 8439), in blocks of 64 bytes."""
    cipher = Cipher(ChaCha20(key, counter.to_bytes(4, "little") + nonce), mode=None).encryptor()
    while True:
        yield cipher.update(BLOCK)


def key_bytes(key: bytes, length: int) -> bytes:
    """The first bytes of the key stream."""
    return Cipher(ChaCha20(key, bytes(16)), mode=None).encryptor().update(bytes(length))


def numbers(key: bytes) -> Iterator[int]:
    """The key stream as big-endian 16-bit integers."""
    return chain.from_iterable(map(_PAIRS.unpack, key_stream(key)))


def below(numbers: Iterator[int], bound: int) -> int:
    """A number below `bound`; numbers that would bias the result are discarded.

    >>> below(iter([65_535, 60]), 52)
    8
    """
    while True:
        result, unbiased = reduce_number(next(numbers), bound)
        if unbiased:
            return result


def reduce_number(number: int, bound: int) -> tuple[int, bool]:
    """Reduce a 16-bit number below `bound`; also returns whether it may be used without bias."""
    return number % bound, number < SPAN - SPAN % bound
