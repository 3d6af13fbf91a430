"""A sweep by flop and pair, kept on disk for the next process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import DECK
from pitbook.exact.methods.boards.counting import LISTED_MAX, Laid, River, Swept, laid_out, swept
from pitbook.exact.methods.duels.kept import kept
from pitbook.exact.methods.duels.machine import needed

__all__ = ["Rows", "full_deck", "kept_rows", "rows_of", "structure"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Rows:
    """A sweep, and of every row the hole cards that it is of."""

    swept: Swept
    hole: NDArray[np.int16]  # The number of a pair up to suits.
    pairs: Ints  # By that number, two cards.


def rows_of(river: River, laid: Laid | None) -> Rows | None:
    """The sweep of a deck, a full one where none is named; None where too much would be listed."""
    rows = kept_rows(river) if laid is None else _made(laid, river)
    return rows if len(rows.swept.where) < LISTED_MAX else None


def _made(laid: Laid, river: River) -> Rows:
    needed()
    images = np.sort(laid.swaps[:, laid.pairs], axis=2) @ np.array([52, 1])
    firsts, hole = np.unique(images.min(axis=0), return_inverse=True)
    pairs = np.stack([firsts // 52, firsts % 52], axis=1)
    return Rows(swept(laid, river), hole.astype(np.int16), pairs)


def structure(river: River) -> object:
    """What a sweep is kept by."""
    return "boards", river


@lru_cache(maxsize=2)
def kept_rows(river: River) -> Rows:
    """The sweep of a full deck; columns in which nothing is counted are not written."""

    def make() -> Mapping[str, NDArray[Any]]:
        rows = _made(full_deck(), river)
        some = np.flatnonzero(rows.swept.other.max(axis=0))
        narrow = rows.swept._replace(other=np.ascontiguousarray(rows.swept.other[:, some]))
        return {**narrow._asdict(), "some": some, "hole": rows.hole, "pairs": rows.pairs}

    found = kept(structure(river), make)
    other = np.zeros_like(found["every"])
    other[:, found["some"]] = found["other"]
    parts = {name: found[name] for name in Swept._fields}
    return Rows(Swept(**{**parts, "other": other}), found["hole"], found["pairs"])


@lru_cache(maxsize=1)
def full_deck() -> Laid:
    """The flops and pairs of one deck."""
    return laid_out(DECK)
