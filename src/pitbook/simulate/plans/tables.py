"""What kernels read: arrays and whole numbers, nothing that could not travel to another machine."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


class Arrays(NamedTuple):
    """A whole table as its kernels take it."""

    numbers: Ints  # By `layout`.
    words: Ints  # [words, 3]: its first card, the next word's, and what is drawn again below.
    sizes: NDArray[np.uint64]  # For each card, how many are left.
    fresh: NDArray[np.uint8]  # The shoe before the deal.
    sums: NDArray[Any]  # Numbers of multisets, put together.
    places: Ints  # Where they begin; see the method's table.
    small: NDArray[np.uint8]
    wide: NDArray[np.int32]  # A ladder: nodes of the bets; points: totals.
    cell_of: NDArray[np.int32]
    nets: Ints  # What each cell nets, in steps.
    due: Ints  # [caps on the round, cells], in cents.
    due_max: Ints


@dataclass(frozen=True, eq=False)
class Alone:
    """One seat of a ladder: next states by [state, place of the card among those left], flat.

    After four cards a state is a row of the last table and, above `ROW_BITS`, the bets. A cell is
    `cell_of[bets, label]`.
    """

    start: NDArray[Any]  # [52 * 51]: the first two cards at once.
    third: NDArray[Any]
    fourth: NDArray[Any]
    fifth: NDArray[np.uint8]  # Labels.
    cell_of: Ints


@dataclass(frozen=True, eq=False)
class KernelTable:
    """A whole table: its arrays, and what the nets of a round are counted in."""

    arrays: Arrays
    step: int  # Cents in a step.
    floor: int  # The least that all seats together can net, in steps.
    window: int  # Nets from there on that are counted in place.


def digest_of(part: Any) -> str:
    """A hash over the arrays and numbers of a dataclass."""
    found = hashlib.sha256()
    _feed(found, part)
    return found.hexdigest()


def _feed(found: Any, part: Any) -> None:
    if isinstance(part, np.ndarray):
        found.update(f"{part.dtype}{part.shape}".encode())
        found.update(np.ascontiguousarray(part).tobytes())
    elif hasattr(part, "__dataclass_fields__"):
        for field in fields(part):
            _feed(found, getattr(part, field.name))
    elif isinstance(part, tuple):
        for one in part:
            _feed(found, one)
    else:
        found.update(repr(part).encode())
