"""Choose the fastest method that can play a plan, and build its job."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pitbook.simulate.cells import Cells
from pitbook.simulate.job import Job
from pitbook.simulate.methods import duels, ladder, points, ranks
from pitbook.simulate.methods import one_seat as alone
from pitbook.simulate.methods.plain import Loop
from pitbook.simulate.plan import Plan
from pitbook.simulate.tables import Alone, KernelTable


class Method(NamedTuple):
    """A method to play: the plans that it fits, and the tables for its kernels."""

    name: str
    fits: Callable[[Plan], bool]
    tables: Callable[[Plan, Cells], Alone | KernelTable]


METHODS = (
    Method("alone", alone.fits, alone.automaton),
    Method("ladder", ladder.fits, ladder.ladder_table),
    Method("points", points.fits, points.points_table),
    Method("duels", duels.fits, duels.duel_table),
    Method("ranks", ranks.fits, ranks.rank_table),
)


class ReadyPlan(NamedTuple):
    """A plan with its cells and the job for its workers."""

    plan: Plan
    cells: Cells
    job: Job | Loop


def ready(plan: Plan, *, without: tuple[str, ...] = ()) -> ReadyPlan:
    """The job of a plan with the first method that fits; `without` excludes methods by name."""
    cells = Cells(plan)
    for method in METHODS:
        if method.name not in without and method.fits(plan):
            tables = method.tables(plan, cells)
            return ReadyPlan(plan, cells, Job(plan.seed, plan.seats, len(cells.cells), tables))
    return ReadyPlan(plan, cells, Loop(plan, cells))
