"""From a plan to its job: the sheet's rules and the strategy, laid out for the first way that fits.

One seat that needs no card by name goes fastest, then whole tables by compiled kernels; whatever is
left is played from the description itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pitbook.simulate.counts.cells import Cells
from pitbook.simulate.methods.duels import table as duels
from pitbook.simulate.methods.ladder import automaton as alone
from pitbook.simulate.methods.ladder import table as ladder
from pitbook.simulate.methods.plain.loop import Loop
from pitbook.simulate.methods.points import table as points
from pitbook.simulate.methods.ranks import table as ranks
from pitbook.simulate.plans.job import Job
from pitbook.simulate.plans.plan import Plan
from pitbook.simulate.plans.tables import Alone, KernelTable


class Method(NamedTuple):
    """A way to play: the plans that it fits, and the tables that its kernels read."""

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
    """What a plan's workers play, and the cells that their counts speak of."""

    plan: Plan
    cells: Cells
    job: Job | Loop


def ready(plan: Plan, *, without: tuple[str, ...] = ()) -> ReadyPlan:
    """The job of a plan by the first method that fits; some can be left out by name."""
    cells = Cells(plan)
    for method in METHODS:
        if method.name not in without and method.fits(plan):
            tables = method.tables(plan, cells)
            return ReadyPlan(plan, cells, Job(plan.seed, plan.seats, len(cells.every), tables))
    return ReadyPlan(plan, cells, Loop(plan, cells))
