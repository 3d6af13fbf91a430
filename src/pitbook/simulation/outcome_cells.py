"""Cells: the distinct ways a seat's round can end. Each is priced once and then counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import gcd
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.money import Cents, odds
from pitbook.rules.actions import Play
from pitbook.rules.game import Seat, Showdown
from pitbook.rules.payout_caps import apply_payout_caps
from pitbook.rules.settlement_lines import AppliedCap, Line, Settlement
from pitbook.sheets.model import Sheet
from pitbook.simulation.plan import Plan

Ints = NDArray[np.int64]


class Cell(NamedTuple):
    """A seat's settled lines and the caps applied to them."""

    lines: tuple[Line, ...]
    applied_caps: tuple[AppliedCap, ...]

    @property
    def net(self) -> Cents:
        return Settlement(1, self.lines).net

    @property
    def total_bet(self) -> Cents:
        return Cents(sum(line.stake for line in self.lines))


class SharedCap(NamedTuple):
    """The result of a round's shared cap for the cells of all seats."""

    lines: tuple[tuple[Line, ...], ...]
    applied_caps: tuple[AppliedCap, ...]
    withheld: tuple[int, ...]  # By seat, in cents.


class _Figures(NamedTuple):
    nets: Ints
    due: Ints


class Cells:
    """The cells of a plan, numbered in the order they first occur."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._numbers: dict[tuple[Any, ...], int] = {}
        self.cells: list[Cell] = []
        seat_sheet, round_sheet = _split_limits(plan.sheet, shared=plan.seats > 1)
        self._seat_sheet, self._round_sheet = seat_sheet, round_sheet
        self._lock = Lock()
        self._figures = _Figures(np.zeros(0, np.int64), np.zeros((0, 0), np.int64))
        self._cached_shared_cap = lru_cache(maxsize=65_536)(self._shared_cap)

    def number(self, plays: tuple[Play, ...], showdown: Showdown) -> int:
        """Number of the cell for these plays and this showdown."""
        seat = self.plan.seat
        for play in plays:
            seat = seat.after_play(play)
        uncapped = self.plan.game.price(showdown, seat)
        cell = self._apply_seat_caps(uncapped)
        # Different lines can be equal once capped, so the uncapped lines are part of the key.
        return self._number(cell, cell.lines if not cell.applied_caps else (*cell.lines, *uncapped))

    def number_for(self, seat: Seat, showdown: Showdown) -> int:
        """Number of the cell for a seat as played; equal lines and caps share one cell."""
        return self.number_of(self._apply_seat_caps(self.plan.game.price(showdown, seat)))

    def number_of(self, cell: Cell) -> int:
        """Number of a cell that the same plan settled elsewhere."""
        return self._number(cell, (cell,))

    def _apply_seat_caps(self, uncapped: tuple[Line, ...]) -> Cell:
        (capped,), applied = apply_payout_caps(self._seat_sheet, [Settlement(1, uncapped)])
        return Cell(capped.lines, applied)

    def _number(self, cell: Cell, key: tuple[Any, ...]) -> int:
        with self._lock:
            if key not in self._numbers:
                self._numbers[key] = len(self.cells)
                self.cells.append(cell)
            return self._numbers[key]

    @property
    def nets(self) -> Ints:
        """Net of each cell, in cents."""
        return self._compute_figures().nets

    @property
    def step(self) -> int:
        """Greatest common divisor of all nets."""
        return gcd(*self.nets.tolist()) or 1

    @property
    def due(self) -> Ints:
        """[caps on the round, cells]: amount of a cell that counts toward each cap."""
        return self._compute_figures().due

    def _compute_figures(self) -> _Figures:
        """Figures of all cells so far; other threads may add cells meanwhile."""
        if len(self._figures.nets) < len(self.cells):
            cells, caps = tuple(self.cells), self._round_sheet.limits
            due = [
                [_amount_due(single_cap, cell) for cell in cells]
                for single_cap in _single_cap_sheets(self._round_sheet)
            ]
            self._figures = _Figures(
                np.array([cell.net for cell in cells], np.int64),
                np.array(due, np.int64).reshape(len(caps), len(cells)),
            )
        return self._figures

    @property
    def due_max(self) -> Ints:
        """Maximum that each cap on the round pays."""
        return np.array([limit.pays_max for limit in self._round_sheet.limits], np.int64)

    def apply_shared_caps(self, cells: Sequence[int]) -> SharedCap:
        """Apply the round's shared caps to the cells of all seats, seat 1 first."""
        # A cell that counts toward no shared cap changes nothing, so all of those are alike.
        counts = np.any(self.due[:, cells] > 0, axis=0).tolist()
        return self._cached_shared_cap(
            tuple(
                int(cell) if is_counted else -1
                for cell, is_counted in zip(cells, counts, strict=True)
            )
        )

    def capped_rows(self, trace: NDArray[Any]) -> Ints:
        """Rows of [rounds, seats] of cells in which a shared cap applies."""
        if not len(self.due):
            return np.zeros(0, np.int64)
        is_capped = (self.due[:, trace].sum(axis=2) > self.due_max[:, None]).any(axis=0)
        return np.flatnonzero(is_capped)

    def _shared_cap(self, cells: tuple[int, ...]) -> SharedCap:
        """Apply the round's caps to the cells of all seats; -1 for a seat that counts toward
        none.
        """
        seats = [seat for seat, cell in enumerate(cells) if cell >= 0]
        uncapped = [Settlement(seat + 1, self.cells[cells[seat]].lines) for seat in seats]
        capped, applied = apply_payout_caps(self._round_sheet, uncapped)
        lines: list[tuple[Line, ...]] = [()] * len(cells)
        withheld_cents = [0] * len(cells)
        for before, after in zip(uncapped, capped, strict=True):
            lines[before.seat - 1] = after.lines
            withheld_cents[before.seat - 1] = before.net - after.net
        return SharedCap(tuple(lines), applied, tuple(withheld_cents))


def cell_document(cell: Cell) -> dict[str, Any]:
    """JSON of a cell; `cell_of` reads it back."""
    lines = [[*line[:4], str(line.odds) if line.odds else None, *line[5:]] for line in cell.lines]
    return {"lines": lines, "bites": [list(bite) for bite in cell.applied_caps]}


def cell_of(document: dict[str, Any]) -> Cell:
    """Read a cell from its JSON."""
    lines = tuple(
        Line._make([*line[:4], odds(line[4]) if line[4] else None, *line[5:]])
        for line in document["lines"]
    )
    return Cell(lines, tuple(AppliedCap(*bite) for bite in document["bites"]))


def _split_limits(sheet: Sheet, *, shared: bool) -> tuple[Sheet, Sheet]:
    """Split a sheet into one with the per-seat caps and one with the shared caps."""

    def with_limits(limits: Iterable[Any]) -> Sheet:
        return sheet.model_copy(update={"limits": tuple(limits)})

    if not shared:
        return sheet, with_limits(())
    return (
        with_limits(limit for limit in sheet.limits if limit.per != "round"),
        with_limits(limit for limit in sheet.limits if limit.per == "round"),
    )


def _single_cap_sheets(sheet: Sheet) -> Iterator[Sheet]:
    """The sheet with each cap alone and set to zero, so everything that counts toward it is
    reported.
    """
    for limit in sheet.limits:
        zero_limit = limit.model_copy(update={"pays_max": Cents(0)})
        yield sheet.model_copy(update={"limits": (zero_limit,)})


def _amount_due(single_cap: Sheet, cell: Cell) -> int:
    """Amount of a cell that counts toward a cap, computed by the engine."""
    _, applied = apply_payout_caps(single_cap, [Settlement(1, cell.lines)])
    return sum(bite.due for bite in applied)
