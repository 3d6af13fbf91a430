"""An outcome table has one canonical form for every method and order of counting."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

from pitbook.exact.outcome_figures import FigureRow, figures_from_rows


def test_rows_of_equal_net_have_a_fixed_order() -> None:
    """A win that returns only the stake nets zero like a push, but is not one."""
    rows = [
        FigureRow("low", 1, "win", Fraction(0), 4),
        FigureRow("low", 1, "push", Fraction(0), 3),
        FigureRow("low", 1, "win", Fraction(0), 1),
    ]
    (rows_merged,) = {figures_from_rows(row_order).rows for row_order in permutations(rows)}
    assert [(row.result, row.count) for row in rows_merged] == [("push", 3), ("win", 5)]
