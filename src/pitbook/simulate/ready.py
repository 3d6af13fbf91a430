"""From a plan to its job: the sheet's rules and the strategy, laid out for the kernels."""

from __future__ import annotations

from typing import NamedTuple

from pitbook.families.street_stud.sheet import StreetStud
from pitbook.simulate.automaton import automaton, fits
from pitbook.simulate.cells import Cells
from pitbook.simulate.hi_lo_table import hi_lo_table
from pitbook.simulate.job import Job
from pitbook.simulate.plan import Plan
from pitbook.simulate.stud_table import stud_table
from pitbook.simulate.tables import Alone, Table

__all__ = ["Ready", "ready"]


class Ready(NamedTuple):
    """What a plan's kernels read, and the cells that their counts speak of."""

    plan: Plan
    cells: Cells
    job: Job


def ready(plan: Plan, *, at_a_table: bool = False) -> Ready:
    """The job of a plan; one seat is played by the automaton unless a table is asked for."""
    cells = Cells(plan)
    tables: Alone | Table
    if fits(plan) and not at_a_table:
        tables = automaton(plan, cells)
    elif isinstance(plan.sheet, StreetStud):
        tables = stud_table(plan, cells)
    else:
        tables = hi_lo_table(plan, cells)
    return Ready(plan, cells, Job(plan.seed, plan.seats, len(cells.every), tables))
