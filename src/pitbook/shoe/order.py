"""Which position of the deck is dealt next: the seats' seeds decide, by a rule that anybody knows.

The house has fixed the deck before it knows a seed, and afterwards has nothing left to choose: not
a number, not a name, not a time goes into the rule that it could still change.
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
    """One deal of a shoe: how many cards it took, and the seeds that chose them."""

    cards: int
    seeds: Seeds


def seeds_of(given: Mapping[int, str]) -> Seeds:
    """Seeds in the order of their seats."""
    return tuple(sorted(given.items()))


@lru_cache(maxsize=1024)
def history(commitment: str, past: tuple[Past, ...] = ()) -> str:
    """A hash over the deck and all that was dealt from it: the commitment while that is nothing."""
    told = bytes.fromhex(commitment)
    for one in past:
        told = _after(told, one)
    return told.hex()


def positions(
    commitment: str, seeds: Seeds, *, size: int, past: tuple[Past, ...] = ()
) -> Iterator[int]:
    """Every position of a deck in the order in which it is dealt, from the shoe's first card on."""
    left: Sequence[int] = range(size)
    told = bytes.fromhex(commitment)
    for one in past:
        taken = list(islice(_chosen(left, one.seeds, told), one.cards))
        yield from taken
        left, told = sorted({*left}.difference(taken)), _after(told, one)
    yield from _chosen(left, seeds, told)


def _after(told: bytes, one: Past) -> bytes:
    """The history with one more deal."""
    return sha256(PAST + told + one.cards.to_bytes(2, "big") + _written(one.seeds)).digest()


def _chosen(left: Sequence[int], seeds: Seeds, told: bytes) -> Iterator[int]:
    """The positions that are left, each as likely as another; the last one fills the gap."""
    drawn = numbers(hkdf(_written(seeds), salt=told, info=PURPOSE))
    open_ = list(left)
    while open_:
        place = below(drawn, len(open_))
        open_[place], open_[-1] = open_[-1], open_[place]
        yield open_.pop()


def _written(seeds: Seeds) -> bytes:
    return _ENCODER.encode(seeds).encode()


_ENCODER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True)  # Made once: it takes longer.
