"""The arrays that kernels read, and the parts that every method builds the same way."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.rules.pricing import pay_by_kind
from pitbook.simulate.cells import Cells
from pitbook.simulate.dealing import words_for, words_kept
from pitbook.simulate.kernels import layout
from pitbook.simulate.plan import Plan

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


class Alike(NamedTuple):
    """For each kind its group, and for each group a kind that stands for it."""

    group: list[int]
    first: list[int]


def paid_alike(plan: Plan, hand: str) -> Alike:
    """The groups of a hand of the game, by all wagers of the plan that look at it."""
    made = {"main", *dict(plan.side)}
    wagers = [one.wager for one in plan.game.asked if one.hand == hand and one.wager in made]
    if not wagers:
        return Alike([0], [0])
    pays = list(zip(*(pay_by_kind(plan.sheet, wager) for wager in wagers), strict=True))
    numbers: dict[object, int] = {}
    group = [numbers.setdefault(row, len(numbers)) for row in pays]
    return Alike(group, [group.index(number) for number in range(len(numbers))])
