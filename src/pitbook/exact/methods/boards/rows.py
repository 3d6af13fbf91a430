"""A sweep by flop and pair, mapped from disk."""

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

__all__ = ["FLOPS", "Rows", "full_deck", "kept_rows", "rows_of", "structure", "swept_once"]

Ints = NDArray[np.int64]
FLOPS = ("flops",)  # What the flops and pairs of one deck are kept by.
FLOPS_SECONDS = 1.0


@dataclass(frozen=True, eq=False)
class Rows:
    """A sweep, and the hole cards of every row.

    `swept.other` has only the cells in which anything is counted, and `some` says which they are.
    """

    swept: Swept
    some: Ints
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
    used_cells = np.flatnonzero(found.other.max(axis=0))
    narrow = found._replace(other=np.ascontiguousarray(found.other[:, used_cells]))
    return Rows(narrow, used_cells, hole.astype(np.int16), pairs)


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
    """The sweep of a full deck, mapped."""
    needed()

    def make() -> Mapping[str, NDArray[Any]]:
        rows = _made(full_deck(), river)
        if rows is None:
            return {}
        return {**rows.swept._asdict(), "some": rows.some, "hole": rows.hole, "pairs": rows.pairs}

    found = kept(structure(river), make, SECONDS)
    if not found:
        return None
    sweep = Swept(**{name: found[name] for name in Swept._fields})
    return Rows(sweep, found["some"], found["hole"], found["pairs"])


@lru_cache(maxsize=1)
def full_deck() -> FlopPairs:
    """The flops and pairs of one deck, mapped from disk."""
    return FlopPairs(**kept(FLOPS, lambda: laid_out(DECK)._asdict(), FLOPS_SECONDS))
