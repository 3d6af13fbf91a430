"""What a worker brings back: counts, and the few rounds that cannot be told by a count."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from pitbook.simulate.counts.cells import Cell

Ints = NDArray[np.int64]
CountRows = tuple[Ints, Ints]  # Different rows, and how often each came.


@dataclass(frozen=True, eq=False)
class Tally:
    """Rounds `start` to `stop`, counted; whole numbers throughout, so that sums have no order."""

    start: int
    stop: int
    counts: Ints  # [seats, cells]
    seen: Ints  # Nets of whole rounds, by steps above the floor.
    capped: CountRows  # Rounds in which a shared cap bites: their net before it, then their cells.
    above: CountRows  # Nets above the window, in steps.
    cells: tuple[Cell, ...] | None = None  # The counts' own cells, where none were known before.

    @classmethod
    def of(cls, start: int, stop: int, counts: Ints, seen: Ints | None = None) -> Tally:
        """A tally without any round to tell."""
        none = np.zeros(0, np.int64)
        rows = (np.zeros((0, 1 + len(counts)), np.int64), none)
        return cls(start, stop, counts, none if seen is None else seen, rows, (none, none))

    def told(self, capped: Ints, above: Ints) -> Tally:
        """The tally with further rounds that a kernel told one by one."""
        return replace(
            self,
            capped=_merged([self.capped, _counted(capped)]),
            above=_merged([self.above, _counted(above)]),
        )

    def joined(self, other: Tally) -> Tally:
        """This tally and that of the rounds behind it."""
        assert self.stop == other.start
        return Tally(
            self.start,
            other.stop,
            self.counts + other.counts,
            self.seen + other.seen,
            _merged([self.capped, other.capped]),
            _merged([self.above, other.above]),
        )


def _counted(rows: Ints) -> CountRows:
    different, counts = np.unique(rows, axis=0, return_counts=True)
    return different, counts.astype(np.int64)


def _merged(parts: Iterable[CountRows]) -> CountRows:
    given = [part for part in parts if len(part[0])]
    if len(given) < 2:
        return given[0] if given else next(iter(parts))
    rows: Any = np.concatenate([rows for rows, _ in given])
    different, where = np.unique(rows, axis=0, return_inverse=True)
    counts = np.zeros(len(different), np.int64)
    np.add.at(counts, where.reshape(-1), np.concatenate([counts for _, counts in given]))
    return different, counts
