"""A sweep by flop and pair, kept on disk for the next process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import DECK
from pitbook.exact.methods.boards.counting import FlopPairs, River, Swept, laid_out
from pitbook.exact.methods.boards.sweeping import SECONDS, swept
from pitbook.exact.methods.duels.kept import kept
from pitbook.exact.methods.duels.machine import needed

__all__ = ["Rows", "full_deck", "kept_rows", "rows_of", "structure", "swept_once"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Rows:
    """A sweep, and of every row the hole cards that it is of."""

    swept: Swept
    hole: NDArray[np.int16]  # The number of a pair up to suits.
    pairs: Ints  # By that number, two cards.


def rows_of(river: River, laid: FlopPairs | None) -> Rows | None:
    """The sweep of a deck, a full one where none is named; None where too much would be listed."""
    return kept_rows(river) if laid is None else _made(laid, river)


def _made(laid: FlopPairs, river: River, outs_max: int | None = None) -> Rows | None:
    needed()
    found = swept(laid, river, outs_max)
    if found is None:
        return None
    firsts, hole = np.unique(_least(laid)[laid.pairs[:, 0], laid.pairs[:, 1]], return_inverse=True)
    pairs = np.stack([firsts // 52, firsts % 52], axis=1)
    return Rows(found, hole.astype(np.int16), pairs)


def swept_once(laid: FlopPairs, river: River, outs_max: int | None = None) -> Rows:
    """The sweep for a player's own rules, not kept: the next ones are others."""
    found = _made(laid, river, outs_max)
    assert found is not None  # Nothing is listed.
    return found


def _least(laid: FlopPairs) -> Ints:
    """By two cards, the lowest pair that suits make of them."""
    one, two = (laid.swaps[:, side] for side in np.indices((52, 52)))
    found: Ints = (np.minimum(one, two) * 52 + np.maximum(one, two)).min(axis=0)
    return found


def structure(river: River) -> tuple[str, River]:
    """What a sweep is kept by."""
    return "boards", river


@lru_cache(maxsize=2)
def kept_rows(river: River) -> Rows | None:
    """The sweep of a full deck; columns in which nothing is counted are not written."""

    def make() -> Mapping[str, NDArray[Any]]:
        rows = _made(full_deck(), river)
        if rows is None:
            return {}
        some = np.flatnonzero(rows.swept.other.max(axis=0))
        narrow = rows.swept._replace(other=np.ascontiguousarray(rows.swept.other[:, some]))
        return {**narrow._asdict(), "some": some, "hole": rows.hole, "pairs": rows.pairs}

    found = kept(structure(river), make, SECONDS)
    if not found:
        return None
    other = np.zeros_like(found["every"])
    other[:, found["some"]] = found["other"]
    parts = {name: found[name] for name in Swept._fields}
    return Rows(Swept(**{**parts, "other": other}), found["hole"], found["pairs"])


@lru_cache(maxsize=1)
def full_deck() -> FlopPairs:
    """The flops and pairs of one deck."""
    return laid_out(DECK)
