"""How a seat's round can end: its lines and net, priced once and then counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import gcd
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.money import Cents, odds
from pitbook.rules.game import Seat, Showdown
from pitbook.rules.limits import apply_limits
from pitbook.rules.plays import Play
from pitbook.rules.settlement import AppliedCap, Line, Settlement
from pitbook.sheets.model import Sheet
from pitbook.simulate.plan import Plan

Ints = NDArray[np.int64]


class Cell(NamedTuple):
    """The lines of a seat, and the caps that cut them."""

    lines: tuple[Line, ...]
    bites: tuple[AppliedCap, ...]

    @property
    def net(self) -> Cents:
        """What the seat wins or loses."""
        return Settlement(1, self.lines).net

    @property
    def staked(self) -> Cents:
        """All that the seat has put on the table."""
        return Cents(sum(line.stake for line in self.lines))


class SharedCap(NamedTuple):
    """What a cap on the round makes of cells that meet."""

    lines: tuple[tuple[Line, ...], ...]
    bites: tuple[AppliedCap, ...]
    withheld: tuple[int, ...]  # By seat, in cents.


class _Figures(NamedTuple):
    nets: Ints
    due: Ints


class Cells:
    """The cells of a plan, numbered as they are met."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._numbers: dict[tuple[Any, ...], int] = {}
        self.every: list[Cell] = []
        own, shared = _apart(plan.sheet, shared=plan.seats > 1)
        self._own, self._shared = own, shared
        self._lock = Lock()
        self._figures = _Figures(np.zeros(0, np.int64), np.zeros((0, 0), np.int64))
        self._known = lru_cache(maxsize=65_536)(self._together)

    def number(self, plays: tuple[Play, ...], showdown: Showdown) -> int:
        """The cell of a seat that made these plays and met this showdown."""
        seat = self.plan.seat
        for play in plays:
            seat = seat.made(play)
        before = self.plan.game.price(showdown, seat)
        cell = self._capped(before)
        # Caps can make equal lines of unequal ones: what they took is part of what happened.
        return self._numbered(cell, cell.lines if not cell.bites else (*cell.lines, *before))

    def met_by(self, seat: Seat, showdown: Showdown) -> int:
        """The cell of a seat as it was played; here cells of equal lines and bites are one."""
        return self.take(self._capped(self.plan.game.price(showdown, seat)))

    def take(self, cell: Cell) -> int:
        """The number of a cell that was settled elsewhere by the same plan."""
        return self._numbered(cell, (cell,))

    def _capped(self, before: tuple[Line, ...]) -> Cell:
        (after,), bites = apply_limits(self._own, [Settlement(1, before)])
        return Cell(after.lines, bites)

    def _numbered(self, cell: Cell, key: tuple[Any, ...]) -> int:
        with self._lock:
            if key not in self._numbers:
                self._numbers[key] = len(self.every)
                self.every.append(cell)
            return self._numbers[key]

    @property
    def nets(self) -> Ints:
        """What each cell wins or loses, in cents."""
        return self._worked_out().nets

    @property
    def step(self) -> int:
        """Every cell's net is a multiple of this."""
        return gcd(*self.nets.tolist()) or 1

    @property
    def due(self) -> Ints:
        """[caps on the round, cells]: what a cell counts towards each."""
        return self._worked_out().due

    def _worked_out(self) -> _Figures:
        """The figures of every cell there is now; others may meet further ones meanwhile."""
        if len(self._figures.nets) < len(self.every):
            every, caps = tuple(self.every), self._shared.limits
            due = [[_counted(one, cell) for cell in every] for one in _each_alone(self._shared)]
            self._figures = _Figures(
                np.array([cell.net for cell in every], np.int64),
                np.array(due, np.int64).reshape(len(caps), len(every)),
            )
        return self._figures

    @property
    def due_max(self) -> Ints:
        """What each cap on the round pays at most."""
        return np.array([limit.pays_max for limit in self._shared.limits], np.int64)

    def met(self, cells: Sequence[int]) -> SharedCap:
        """The cells of all seats, from seat 1 on, under the caps that they share."""
        # A cell that counts towards no such cap changes nothing, so all of those are alike.
        counts = np.any(self.due[:, cells] > 0, axis=0).tolist()
        return self._known(
            tuple(int(cell) if one else -1 for cell, one in zip(cells, counts, strict=True))
        )

    def capped(self, trace: NDArray[Any]) -> Ints:
        """The rows of [rounds, seats] of cells in which a cap that seats share bites."""
        if not len(self.due):
            return np.zeros(0, np.int64)
        bites = (self.due[:, trace].sum(axis=2) > self.due_max[:, None]).any(axis=0)
        return np.flatnonzero(bites)

    def _together(self, cells: tuple[int, ...]) -> SharedCap:
        """The cells of all seats under the round's caps; -1 for a seat that no such cap counts."""
        seats = [seat for seat, cell in enumerate(cells) if cell >= 0]
        before = [Settlement(seat + 1, self.every[cells[seat]].lines) for seat in seats]
        after, bites = apply_limits(self._shared, before)
        lines: list[tuple[Line, ...]] = [()] * len(cells)
        withheld = [0] * len(cells)
        for one, other in zip(before, after, strict=True):
            lines[one.seat - 1] = other.lines
            withheld[one.seat - 1] = one.net - other.net
        return SharedCap(tuple(lines), bites, tuple(withheld))


def cell_document(cell: Cell) -> dict[str, Any]:
    """A cell as JSON, from which `cell_of` makes it again."""
    lines = [[*line[:4], str(line.odds) if line.odds else None, *line[5:]] for line in cell.lines]
    return {"lines": lines, "bites": [list(bite) for bite in cell.bites]}


def cell_of(document: dict[str, Any]) -> Cell:
    """A cell from its document."""
    lines = tuple(
        Line._make([*line[:4], odds(line[4]) if line[4] else None, *line[5:]])
        for line in document["lines"]
    )
    return Cell(lines, tuple(AppliedCap(*bite) for bite in document["bites"]))


def _apart(sheet: Sheet, *, shared: bool) -> tuple[Sheet, Sheet]:
    """The sheet with the caps of one seat alone, and with those that seats share."""

    def only(kept: Iterable[Any]) -> Sheet:
        return sheet.model_copy(update={"limits": tuple(kept)})

    if not shared:
        return sheet, only(())
    return (
        only(limit for limit in sheet.limits if limit.per != "round"),
        only(limit for limit in sheet.limits if limit.per == "round"),
    )


def _each_alone(sheet: Sheet) -> Iterator[Sheet]:
    """The sheet with each of its caps alone, at nothing: whatever counts towards it is told."""
    for limit in sheet.limits:
        nothing = limit.model_copy(update={"pays_max": Cents(0)})
        yield sheet.model_copy(update={"limits": (nothing,)})


def _counted(alone: Sheet, cell: Cell) -> int:
    """What a cell counts towards a cap, by the engine's own account."""
    _, bites = apply_limits(alone, [Settlement(1, cell.lines)])
    return sum(bite.due for bite in bites)
