"""The kernels run in Python line by line and give the same counts as the machine code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

import numpy as np
import pytest
from tests.sheets.samples import CMS, IDS, LAS, MHL
from tests.simulation.plans import (
    ODD,
    odd_plan,
    prepare_cached,
    prepared_odd,
    single_seat_plan,
    six_seat_plan,
)

from pitbook.simulation.kernel_tables import (
    add_rank,
    class_places,
    joined_numbers,
    multiset_count,
    number_of,
    ranks_of,
)
from pitbook.simulation.kernels import ladder, points, table
from pitbook.simulation.plan import Plan
from pitbook.simulation.totals import Totals


@contextmanager
def in_plain_python() -> Iterator[None]:
    """Replace every compiled kernel by its Python function."""
    with ExitStack() as stack:
        for module in (ladder, points, table):
            plain = {
                name: kernel.py_func
                for name, kernel in vars(module).items()
                if hasattr(kernel, "py_func") and kernel.__module__ == module.__name__
            }
            stack.enter_context(mock.patch.multiple(module, **plain))
        for module, names in (
            (ladder, ("play_or_mistake",)),
            (points, ("play_or_mistake",)),
            (table, ("count_batch", "play_ladder", "play_points")),
        ):
            plain = {name: getattr(module, name) for name in names}
            plain = {name: getattr(kernel, "py_func", kernel) for name, kernel in plain.items()}
            stack.enter_context(mock.patch.multiple(module, **plain))
        yield


PLANS: list[Plan] = [
    single_seat_plan(CMS),
    *(six_seat_plan(name) for name in (CMS, MHL)),
    six_seat_plan(LAS, "best:0.3"),
    six_seat_plan(MHL, "best:0.3"),
    odd_plan("one seat with a bonus on the board"),
]


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: f"{plan.sheet.id} {plan.seats}")
def test_plain_python_counts_the_same(plan: Plan) -> None:
    ready_plan = prepare_cached(plan)
    compiled_totals = Totals(ready_plan)
    compiled_totals.add(ready_plan.job.play(1_001, 1_104))
    traced = ready_plan.job.trace(1_001, 1_021)
    python_totals = Totals(ready_plan)
    with in_plain_python():
        python_totals.add(ready_plan.job.play(1_001, 1_104))
        assert (ready_plan.job.trace(1_001, 1_021) == traced).all()
    assert python_totals.document() == compiled_totals.document()


def test_batch_stops_when_the_report_arrays_are_full() -> None:
    """The batch stops when there is no more room and resumes at the next round."""
    ready_plan = prepare_cached(six_seat_plan(CMS))
    arrays: Any = ready_plan.job.tables.arrays  # type: ignore[union-attr]
    ends = np.zeros((4, 6), np.int32)
    due = np.ones_like(arrays.due) * 10**9
    biting = arrays._replace(due=due)
    out = table.KernelCounts(
        np.zeros((6, ready_plan.job.cells), np.int64),
        np.zeros(10, np.int64),
        np.zeros((2, 7), np.int64),
        np.zeros(2, np.int64),
        np.zeros(2, np.int64),
    )
    plain: Any = table.count_batch
    assert plain.py_func(biting, ends, out) == 2
    assert out.marks.tolist() == [2, 0]
    assert out.counts[0, 0] == 2


@pytest.mark.long
@pytest.mark.parametrize("name", [*IDS, *ODD])
def test_traces_and_counts_say_the_same(name: str) -> None:
    ready_plan = prepare_cached(six_seat_plan(name)) if name in IDS else prepared_odd(name)
    trace = ready_plan.job.trace(500, 2_500)
    counts = ready_plan.job.play(500, 2_500).counts
    for seat in range(ready_plan.plan.seats):
        traced_counts = np.bincount(trace[:, seat], minlength=ready_plan.job.cells)
        assert (traced_counts == counts[seat]).all()


def test_multisets_are_numbered_without_a_gap() -> None:
    for size in range(6):
        assert (number_of(ranks_of(size)) == np.arange(multiset_count(size))).all()
    assert add_rank(0).tolist() == [list(range(13))]
    joined_table = joined_numbers(2, 3)
    assert joined_table.shape == (91, 455)
    hand, board = ranks_of(2)[50], ranks_of(3)[321]
    both = ranks_of(5)[joined_table[50, 321]]
    assert sorted([*hand.tolist(), *board.tolist()]) == both.tolist()
    assert (class_places(5, "high-or-low") >= 0).sum() == 7_462
