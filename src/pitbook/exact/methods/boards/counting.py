"""How every pair of hole cards fares after every flop: counted once for a structure, then kept."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import DECK, Card
from pitbook.exact.methods.duels.strength import KEYS, strength_of
from pitbook.exact.methods.pairs.counting import suit_swaps
from pitbook.hands.kinds import Ace

__all__ = ["FlopPairs", "River", "Swept", "cards_of", "laid_out"]

Ints = NDArray[np.int64]
THREADS = 2


class River(NamedTuple):
    """What the sweep must know of a game.

    `cells` says by kind and event which counts are kept apart. `gains` says by kind and event what
    the other of the last two plays gains on the first. Kinds that are `listed` might gain less: the
    boards on which they gain anything are kept one by one.
    """

    least: int
    ace: Ace
    shapes: tuple[int, ...]  # By class.
    cells: tuple[tuple[int, ...], ...]
    gains: tuple[tuple[int, ...], ...]
    listed: tuple[bool, ...]
    prefers: bool  # Of equal plays, the other one.


class FlopPairs(NamedTuple):
    """Flops up to suits, and the pairs beside each up to the suits that it leaves alike."""

    deck: Ints
    flops: Ints  # One for all that are alike,
    ways: Ints  # and how many those are.
    starts: Ints  # By flop, its first row; then how many rows there are.
    orbit_of: NDArray[np.int16]  # By flop and two places beside it: the row among its own.
    pairs: Ints  # By row, one pair as cards,
    sizes: Ints  # and how many it stands for.
    swaps: Ints


class Swept(NamedTuple):
    """By row of flop and pair, counts by cell: of all boards, and where the other play is taken."""

    every: NDArray[np.int32]
    other: NDArray[np.int32]
    where: NDArray[np.int32]  # Boards of listed kinds: row, weight, kind, events.
    often: NDArray[np.int32]
    shapes: NDArray[np.int8]
    counts: NDArray[np.int16]


def laid_out(deck: Sequence[Card] = DECK) -> FlopPairs:
    """The flops of a deck and the pairs beside them, each up to suits."""
    swaps, cards = suit_swaps(deck).astype(np.int64), sorted(deck)
    every = np.array(list(combinations(cards, 3)), np.int64)
    images = np.sort(swaps[:, every], axis=2) @ np.array([2704, 52, 1])
    first = images.min(axis=0) == images[_identity(swaps)]
    flops, alike = every[first], (images == images[_identity(swaps)])[:, first]
    orbits, pairs, sizes, starts = [], [], [], [0]
    for flop, three in enumerate(flops.tolist()):
        rest = np.array([card for card in cards if card not in three], np.int64)
        orbit, firsts, many = _orbits(rest, swaps[alike[:, flop]])
        orbits.append(orbit)
        pairs.append(rest[np.stack([firsts // len(rest), firsts % len(rest)], axis=1)])
        sizes.append(many)
        starts.append(starts[-1] + len(firsts))
    return FlopPairs(
        np.array(cards, np.int64),
        flops,
        len(swaps) // alike.sum(axis=0),
        np.array(starts, np.int64),
        np.array(orbits),
        np.concatenate(pairs),
        np.concatenate(sizes),
        swaps,
    )


def _identity(swaps: Ints) -> int:
    return int((swaps == np.arange(52)).all(axis=1).argmax())


def _orbits(rest: Ints, swaps: Ints) -> tuple[NDArray[np.int16], Ints, Ints]:
    """By pair of places the number of its orbit; by orbit its first pair, and how many it has."""
    size, place = len(rest), np.zeros(52, np.int64)
    place[rest] = np.arange(size)
    moved = place[swaps[:, rest]]
    one, two = np.triu_indices(size, 1)
    low, high = np.minimum(moved[:, one], moved[:, two]), np.maximum(moved[:, one], moved[:, two])
    least = (low * size + high).min(axis=0)
    first, orbit, many = np.unique(least, return_inverse=True, return_counts=True)
    table = np.zeros((size, size), np.int16)
    table[one, two] = table[two, one] = orbit
    return table, first.astype(np.int64), many.astype(np.int64)


def cards_of(ace: Ace, seen: int) -> tuple[Ints, Any, Any]:
    """Keys of ranks, and the strengths of so many cards."""
    strength = strength_of(5, seen, ace)
    return np.array(KEYS, np.int64), strength.by_ranks, strength.by_suit
