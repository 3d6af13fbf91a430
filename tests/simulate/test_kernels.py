"""The kernels as Python runs them, line by line: the counts are those of the machine code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

import numpy as np
import pytest
from tests.sheets.samples import CMS, IDS, LAS, MHL
from tests.simulate.plans import ODD, alone, laid, odd, readied, six

from pitbook.simulate.kernels import ladder, one_seat, points, table
from pitbook.simulate.multisets import class_places, joined, many, number_of, one_more, ranks_of
from pitbook.simulate.plan import Plan
from pitbook.simulate.totals import Totals


@contextmanager
def in_plain_python() -> Iterator[None]:
    """Every compiled function of the kernels' modules in the form that Python runs."""
    with ExitStack() as stack:
        for module in (one_seat, ladder, points, table):
            plain = {
                name: one.py_func
                for name, one in vars(module).items()
                if hasattr(one, "py_func") and one.__module__ == module.__name__
            }
            stack.enter_context(mock.patch.multiple(module, **plain))
        for module, names in (
            (ladder, ("erred",)),
            (points, ("erred",)),
            (table, ("counted", "play_ladder", "play_points")),
        ):
            plain = {name: getattr(module, name) for name in names}
            plain = {name: getattr(one, "py_func", one) for name, one in plain.items()}
            stack.enter_context(mock.patch.multiple(module, **plain))
        yield


PLANS: list[Plan] = [
    alone(CMS),
    *(six(name) for name in (CMS, MHL)),
    six(LAS, "best:0.3"),
    six(MHL, "best:0.3"),
    odd("one seat with a bonus on the board"),
]


@pytest.mark.parametrize("plan", PLANS, ids=lambda one: f"{one.sheet.id} {one.seats}")
def test_plain_python_counts_alike(plan: Plan) -> None:
    made = laid(plan)
    quick = Totals(made)
    quick.add(made.job.play(1_001, 1_104))
    traced = made.job.trace(1_001, 1_021)
    slow = Totals(made)
    with in_plain_python():
        slow.add(made.job.play(1_001, 1_104))
        assert (made.job.trace(1_001, 1_021) == traced).all()
    assert slow.document() == quick.document()


def test_told_rounds_are_emptied_in_time() -> None:
    """A batch stops where there is no more room, and begins again at the very next round."""
    made = laid(six(CMS))
    arrays: Any = made.job.tables.arrays  # type: ignore[union-attr]
    ends = np.zeros((4, 6), np.int32)
    due = np.ones_like(arrays.due) * 10**9
    biting = arrays._replace(due=due)
    out = table.KernelCounts(
        np.zeros((6, made.job.cells), np.int64),
        np.zeros(10, np.int64),
        np.zeros((2, 7), np.int64),
        np.zeros(2, np.int64),
        np.zeros(2, np.int64),
    )
    plain: Any = table.counted
    assert plain.py_func(biting, ends, out) == 2
    assert out.marks.tolist() == [2, 0]
    assert out.counts[0, 0] == 2


@pytest.mark.long
@pytest.mark.parametrize("name", [*IDS, *ODD])
def test_traces_and_counts_say_the_same(name: str) -> None:
    made = laid(six(name)) if name in IDS else readied(name)
    trace = made.job.trace(500, 2_500)
    counts = made.job.play(500, 2_500).counts
    for seat in range(made.plan.seats):
        found = np.bincount(trace[:, seat], minlength=made.job.cells)
        assert (found == counts[seat]).all()


def test_multisets_are_numbered_without_a_gap() -> None:
    for size in range(6):
        assert (number_of(ranks_of(size)) == np.arange(many(size))).all()
    assert one_more(0).tolist() == [list(range(13))]
    together = joined(2, 3)
    assert together.shape == (91, 455)
    hand, board = ranks_of(2)[50], ranks_of(3)[321]
    both = ranks_of(5)[together[50, 321]]
    assert sorted([*hand.tolist(), *board.tolist()]) == both.tolist()
    assert (class_places(5, "high-or-low") >= 0).sum() == 7_462
