"""The parts of a table that every method builds alike."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.simulate.counts.cells import Cells
from pitbook.simulate.kernels import layout
from pitbook.simulate.plans.plan import Plan
from pitbook.simulate.plans.tables import Arrays, KernelTable
from pitbook.simulate.rounds.dealing import words_for, words_kept

Ints = NDArray[np.int64]

WINDOW_MAX = 2**20  # Nets of a round that are counted in place; those above are told one by one.


def table(cells: Cells, listed: dict[str, int], parts: Mapping[str, Any]) -> KernelTable:
    """A method's table from its numbers by name and its own arrays, every cell priced."""
    plan, step = cells.plan, cells.step
    nets = cells.nets // step
    floor, spread = plan.seats * int(nets.min()), int(nets.max()) - int(nets.min())
    words, sizes, fresh = _drawn(plan)
    arrays = Arrays(
        numbers=_numbers(plan, {**listed, "FLOOR": floor}),
        words=words,
        sizes=sizes,
        fresh=fresh,
        **parts,
        nets=nets,
        due=cells.due,
        due_max=cells.due_max,
    )
    window = min(plan.seats * spread + 1, WINDOW_MAX) if plan.seats > 1 else 0
    return KernelTable(arrays, step, floor, window)


def _numbers(plan: Plan, own: dict[str, int]) -> Ints:
    """The whole numbers of a table, in the places that `layout` names."""
    shape, rate = plan.shape, plan.strategy.mistakes
    given = {
        "SEATS": shape.seats,
        "HAND": shape.hand,
        "BOARD": shape.board,
        "SHOE": shape.shoe,
        "ALONE": int(shape.alone),
        "KEPT": words_kept(len(words_for(shape.cards, shape.shoe))),
        "ERR": rate.numerator,
        "ERR_OF": rate.denominator,
        **own,
    }
    listed = np.zeros(layout.LENGTH, np.int64)
    for name, value in given.items():
        listed[layout.NAMES[name]] = value
    return listed


def _drawn(plan: Plan) -> tuple[Ints, NDArray[np.uint64], NDArray[np.uint8]]:
    """The words of a round, what they are scaled to, and the shoe they draw from."""
    shape = plan.shape
    sizes = (shape.shoe - np.arange(shape.cards)).astype(np.uint64)
    rows, first = [], 0
    for word in words_for(shape.cards, shape.shoe):
        rows.append((first, first + len(word), 2**32 % prod(word)))
        first += len(word)
    return np.array(rows, np.int64), sizes, (np.arange(shape.shoe) % 52).astype(np.uint8)


def packed(parts: list[Any], kind: Any) -> tuple[NDArray[Any], list[int]]:
    """Arrays one behind the other, and where each begins."""
    flat = [np.asarray(part).ravel() for part in parts]
    starts = np.cumsum([0, *(len(part) for part in flat)]).tolist()
    whole = np.concatenate(flat) if flat else np.zeros(0)
    return whole.astype(kind), starts[:-1]
