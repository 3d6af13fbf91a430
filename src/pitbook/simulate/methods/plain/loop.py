"""Rounds of any game, played one by one from its description; cells are numbered as they are met.

Slower than the kernels by a factor of some thousands, with the same cards, tallies and totals.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.plain.method import PlainStrategy
from pitbook.rules.game import Seat, Showdown
from pitbook.simulate.counts.cells import Cells
from pitbook.simulate.counts.tally import Tally
from pitbook.simulate.methods.plain.choosing import Choosing
from pitbook.simulate.plans.plan import Plan
from pitbook.simulate.rounds.played import played

KEPT = 2**16  # Ways to end.


@dataclass(frozen=True, eq=False)
class Loop:
    """A plan that is played without tables."""

    plan: Plan
    cells_met: Cells

    window, floor, step = 0, 0, 1  # No net is counted in place: each is told, in cents.
    grows = True  # Cells come as they are met.

    def __reduce__(self) -> tuple[Any, ...]:
        return _begun, (self.plan,)  # Who plays elsewhere numbers cells of his own.

    @property
    def chunk(self) -> int:
        """Rounds that keep one core busy for about a tenth of a second; longer for best play."""
        followed = self.plan.strategy.followed
        slow = isinstance(followed, Choosing) and type(followed.followed) is PlainStrategy
        return 2**5 if slow else 2**10

    @property
    def seats(self) -> int:
        """Seats that are played."""
        return self.plan.seats

    @property
    def cells(self) -> int:
        """Cells met so far."""
        return len(self.cells_met.every)

    @property
    def digest(self) -> str:
        """A hash of all that decides how rounds go; equal jobs give equal totals."""
        said = {**self.plan.document(), "method": "plain"}
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()

    def owned(self) -> Loop:
        """The job itself: nothing in it came over a wire."""
        return self

    def trace(self, start: int, stop: int) -> NDArray[np.int32]:
        """[rounds, seats]: the cell of every seat in every round."""
        rows = [self._ends(number) for number in range(start, stop)]
        return np.array(rows, np.int32).reshape(stop - start, self.seats)

    def play(self, start: int, stop: int) -> Tally:
        """Play rounds `start` to `stop`."""
        trace, cells = self.trace(start, stop), self.cells_met
        many = len(cells.every)
        counts = np.array([np.bincount(seat, minlength=many) for seat in trace.T], np.int64)
        tally = replace(Tally.of(start, stop, counts), cells=tuple(cells.every[:many]))
        if self.seats == 1:
            return tally
        nets, capped = cells.nets[trace].sum(axis=1), cells.capped(trace)
        told = np.concatenate([nets[capped, None], trace[capped]], axis=1)
        return tally.told(told, np.delete(nets, capped))

    def _ends(self, number: int) -> list[int]:
        """The cells of one round."""
        round = played(self.plan, number)
        bare = (seat._replace(cards=(), laid=0) for seat in round.seats)
        return [self._cell(seat, shown) for seat, shown in zip(bare, round.shown, strict=True)]

    @cached_property
    def _cell(self) -> Callable[[Seat, Showdown], int]:
        return lru_cache(KEPT)(self.cells_met.met_by)


def _begun(plan: Plan) -> Loop:
    return Loop(plan, Cells(plan))
