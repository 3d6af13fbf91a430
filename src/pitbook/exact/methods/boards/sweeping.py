"""The sweep over all boards: ranked by types, put to the flops within them, then to cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.boards.counting import THREADS, FlopPairs, River, Swept, cards_of
from pitbook.exact.methods.boards.types import PAIRS, RANKS, TYPES, Boards, typed_flops
from pitbook.exact.working import room_for, tracked
from pitbook.text import say

__all__ = ["swept"]

Ints = NDArray[np.int64]
PARTS = 8  # For whoever watches.
SECONDS = 4.0  # About so long for all of them.
LISTED_MAX = 4_000_000  # Boards one by one; a game with more is swept with its pays.
LISTED = 2
# Events of a hand that would not qualify in the dealer's place, or would.
INSIDE, OUTSIDE = np.array([0, 3, 4, 5]), np.array([0, 1, 2, 5])
ONE_OF, TWO_OF = np.array([(one, two) for two in range(TYPES) for one in range(two + 1)]).T
LOW, HIGH = np.sort(np.stack([ONE_OF % RANKS, TWO_OF % RANKS]), axis=0)
AS_TYPES, AS_RANKS = np.arange(PAIRS), HIGH * (HIGH + 1) // 2 + LOW  # By pair, which one.


class RankedBoards(NamedTuple):
    """By board and pair of types: four events, the class, and whether the other play is taken."""

    amounts: NDArray[np.int16]
    classes: NDArray[np.int16]
    takes: NDArray[np.int8]


class Work(NamedTuple):
    """Room to work in, for one board after the other."""

    left: Ints  # By type.
    held: Ints
    under: Ints
    slot: Ints  # By class.
    distinct: Ints  # By number of a pair.
    order: Ints


def swept(laid: FlopPairs, river: River, outs_max: int | None = None) -> Swept | None:
    """The whole sweep; None where too many boards would be listed.

    With `outs_max` the other play is made where more unseen cards than that beat a hand.
    """
    kinds = typed_flops(laid)
    cells, rows = max(map(max, river.cells)) + 1, len(laid.pairs)
    boards = sum(len(one.boards) for one in kinds.boards)
    size = PAIRS * (8 * cells * kinds.many + 11 * boards) + 8 * cells * rows
    room_for(size, say("exact.large.board-sums"), say("exact.large.no-side-wagers"))
    shape = kinds.many, PAIRS, cells
    sums = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
    plain, *suited = kinds.boards
    by_rank = _ranked(plain, river, outs_max)
    listed = [_put(plain.within, AS_TYPES, by_rank, river, sums)]
    for one in suited:
        within = one.within
        listed.append(_put(within, AS_TYPES, _ranked(one, river, outs_max), river, sums))
        within[:, 1] = np.searchsorted(plain.codes, one.codes)[within[:, 1]]
        within[:, 6] = -1
        listed.append(_put(within, AS_RANKS, by_rank, river, sums))
    few = tuple(map(np.concatenate, zip(*listed, strict=True)))
    return _by_row(sums, few, kinds.sources(laid), _often(laid))


def _often(laid: FlopPairs) -> Ints:
    """By row, how many flops and pairs are like it."""
    return np.repeat(laid.ways, np.diff(laid.starts)) * laid.sizes


def _of_classes(river: River) -> tuple[Ints, Ints, Ints]:
    """By class, its shape, and of four events their numbers and their cells."""
    shapes = np.array(river.shapes)
    inside = np.arange(len(shapes)) < river.least
    events = np.where(inside[:, None], INSIDE, OUTSIDE)
    return shapes, events, np.array(river.cells)[shapes[:, None], events]


def _ranked(boards: Boards, river: River, outs_max: int | None) -> RankedBoards:
    from pitbook.exact.methods.boards.kernels import by_outs, ranked  # noqa: PLC0415

    shapes, events, _ = _of_classes(river)
    gains = np.array(river.gains, np.int64)[shapes[:, None], events]
    rule = river.least, gains, np.array(river.listed)[shapes], river.prefers
    many = len(boards.boards)
    out = RankedBoards(
        np.zeros((many, PAIRS, 4), np.int16),
        np.zeros((many, PAIRS), np.int16),
        np.zeros((many, PAIRS), np.int8),
    )
    cards, fewer = ((boards.deck, *cards_of(river.ace, seen)) for seen in (7, 6))

    def part(some: slice) -> None:
        here = tuple(one[some] for one in out)
        ranked(boards.boards[some], cards, rule, _work(len(shapes)), here)
        if outs_max is not None:
            by_outs(boards.boards[some], fewer, outs_max, *here[1:])

    cuts = np.linspace(0, many, PARTS + 1).astype(int).tolist()
    _in_threads(part, [slice(*cut) for cut in pairwise(cuts)], "boards")
    return out


def _work(classes: int) -> Work:
    left, held, under, slot, distinct = (
        np.zeros(size, np.int64) for size in (TYPES, TYPES, TYPES, classes, PAIRS)
    )
    return Work(left, held, under, slot, distinct, np.zeros((PAIRS, 3), np.int64))


def _put(
    within: Ints, alike: Ints, found: RankedBoards, river: River, sums: tuple[Any, Any]
) -> tuple[Any, ...]:
    """Boards put to flops; returned is what is listed, by source."""
    from pitbook.exact.methods.boards.kernels import put  # noqa: PLC0415

    cells = _of_classes(river)[2]
    starts = np.flatnonzero(np.diff(within[:, 0], prepend=-1))  # No two threads share a flop.
    cuts = [*starts[:: len(starts) // PARTS + 1].tolist(), len(within)]

    def part(some: slice) -> None:
        put(within[some], alike, tuple(found), cells, sums)

    _in_threads(part, [slice(*cut) for cut in pairwise(cuts)], "flops")
    return _listed(within, alike, found, river)


def _in_threads(part: Callable[[slice], None], slices: Sequence[slice], what: str) -> None:
    each = SECONDS / PARTS / 4
    with ThreadPoolExecutor(THREADS) as pool:
        try:
            for _ in tracked(
                pool.map(part, slices),
                len(slices),
                say("exact.working.parts", what=what),
                each=each,
            ):
                pass
        finally:  # Also where whoever watches has had enough.
            pool.shutdown(cancel_futures=True)


def _listed(within: Ints, alike: Ints, found: RankedBoards, river: River) -> tuple[Any, ...]:
    """Every flop, pair and board on which a kind that is listed might take the other play."""
    shapes, events, _ = _of_classes(river)
    some = (found.takes == LISTED).any(axis=1)
    rows = within[some[within[:, 1]]]
    at, pair = np.nonzero(found.takes[rows[:, 1]][:, alike] == LISTED)
    times = _times(rows[at], ONE_OF[pair], TWO_OF[pair])
    at, pair, times = (one[times > 0] for one in (at, pair, times))
    board, like = rows[at, 1], alike[pair]
    best = found.classes[board, like]
    counts = np.zeros((len(at), 6), np.int16)
    np.put_along_axis(counts, events[best], found.amounts[board, like], axis=1)
    return rows[at, 0] * PAIRS + pair, rows[at, 6] * times, shapes[best].astype(np.int8), counts


def _times(rows: Ints, one: Ints, two: Ints) -> Ints:
    """In how many ways boards come of flops where pairs of types are held."""
    first, second = (
        np.maximum(rows[:, left] - (one == rows[:, kind]) - (two == rows[:, kind]), 0)
        for kind, left in ((2, 4), (3, 5))
    )
    found: Ints = np.where(rows[:, 2] == rows[:, 3], first * (first - 1) // 2, first * second)
    return found


def _by_row(
    sums: tuple[Any, Any], few: tuple[Any, ...], sources: Ints, often: Ints
) -> Swept | None:
    """Flops and pairs of types, put to those of cards; None where too much is listed."""
    order = np.argsort(few[0], kind="stable")
    where, times, shapes, counts = (one[order] for one in few)
    start, end = (np.searchsorted(where, sources, side=side) for side in ("left", "right"))
    many = (end - start).ravel()
    if many.sum() > LISTED_MAX:
        return None
    first = np.repeat(start.ravel() - np.cumsum(many) + many, many)
    some = first + np.arange(len(first))
    rows = np.repeat(np.arange(many.size) // sources.shape[1], many)
    weight = (often[rows] * times[some]).astype(np.int32)
    every, other = _by_sources(sums, sources, often)
    return Swept(every, other, rows.astype(np.int32), weight, shapes[some], counts[some])


def _by_sources(sums: tuple[Any, Any], sources: Ints, often: Ints) -> Iterator[Any]:
    from pitbook.exact.methods.boards.kernels import spread_out  # noqa: PLC0415

    for one in sums:
        yield spread_out(one.reshape(-1, one.shape[-1]), sources, often.astype(np.int32))
