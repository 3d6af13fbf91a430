"""Derives the order in which deck positions are dealt from the seats' seeds, by a public rule.

The server fixes the deck before it knows any seed. Nothing that the server could still change
goes
into the rule: no number, name or time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import islice
from typing import NamedTuple

from pitbook.shoe.stream import below, hkdf, numbers

PURPOSE = b"pitbook order 2"
PAST = b"\x03"

Seeds = tuple[tuple[int, str], ...]  # By seat.


class Past(NamedTuple):
    """One deal of a shoe: the number of cards, and the seeds that selected them."""

    cards: int
    seeds: Seeds


def seeds_of(seeds: Mapping[int, str]) -> Seeds:
    """Seeds sorted by seat."""
    return tuple(sorted(seeds.items()))


@lru_cache(maxsize=1024)
def history(commitment: str, past: tuple[Past, ...] = ()) -> str:
    """A hash over the deck and all past deals; the commitment itself before the first deal."""
    digest = bytes.fromhex(commitment)
    for deal in past:
        digest = _add_deal(digest, deal)
    return digest.hex()


def positions(
    commitment: str, seeds: Seeds, *, size: int, past: tuple[Past, ...] = ()
) -> Iterator[int]:
    """Every position of a deck in dealing order, from the shoe's first card."""
    remaining: Sequence[int] = range(size)
    digest = bytes.fromhex(commitment)
    for deal in past:
        dealt = list(islice(_select_positions(remaining, deal.seeds, digest), deal.cards))
        yield from dealt
        remaining, digest = sorted({*remaining}.difference(dealt)), _add_deal(digest, deal)
    yield from _select_positions(remaining, seeds, digest)


def _add_deal(digest: bytes, deal: Past) -> bytes:
    """The history hash with one more deal."""
    return sha256(
        PAST + digest + deal.cards.to_bytes(2, "big") + _encode_seeds(deal.seeds)
    ).digest()


def _select_positions(remaining: Sequence[int], seeds: Seeds, digest: bytes) -> Iterator[int]:
    """The remaining positions in uniformly random order; the last one fills the gap."""
    drawn = numbers(hkdf(_encode_seeds(seeds), salt=digest, info=PURPOSE))
    open_ = list(remaining)
    while open_:
        place = below(drawn, len(open_))
        open_[place], open_[-1] = open_[-1], open_[place]
        yield open_.pop()


def _encode_seeds(seeds: Seeds) -> bytes:
    return _ENCODER.encode(seeds).encode()


_ENCODER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True)  # Slow to create.
