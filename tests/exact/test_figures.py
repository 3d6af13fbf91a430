"""An outcome table has one form, whichever method counted it and in whatever order."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

from pitbook.exact.figures import FigureRow, figures_from_rows


def test_rows_that_pay_alike_stand_in_one_order() -> None:
    """A win that returns no more than the stake is worth what a push is, and is none."""
    rows = [
        FigureRow("low", 1, "win", Fraction(0), 4),
        FigureRow("low", 1, "push", Fraction(0), 3),
        FigureRow("low", 1, "win", Fraction(0), 1),
    ]
    (found,) = {figures_from_rows(one).rows for one in permutations(rows)}
    assert [(row.result, row.count) for row in found] == [("push", 3), ("win", 5)]
