"""Play a plan: piece by piece, wherever there are hands to play it, into one set of totals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pitbook.simulate.counts.tally import Tally
from pitbook.simulate.counts.totals import Totals
from pitbook.simulate.plans.estimate import expect_strategy
from pitbook.simulate.plans.job import Job
from pitbook.simulate.plans.plan import Plan, SimulationError
from pitbook.simulate.plans.ready import ReadyPlan, ready
from pitbook.simulate.runners import local
from pitbook.text import say

Where = Literal["local", "ray", "gpu"]

ROUNDS_MAX = 2**50  # Counts stay whole numbers of 64 bits, whatever a cap takes.


def run(
    plan: Plan,
    rounds: int,
    *,
    on: Where = "local",
    workers: int | None = None,
    address: str | None = None,
) -> Totals:
    """The totals of a plan's first rounds."""
    totals = Totals(ready(plan))
    play_on(totals, rounds, on=on, workers=workers, address=address)
    return totals


def play_on(
    totals: Totals,
    rounds: int,
    *,
    on: Where = "local",
    workers: int | None = None,
    address: str | None = None,
    piece: int | None = None,
    parquet: Path | None = None,
    told: Callable[[Totals], object] | None = None,
) -> None:
    """Play what the totals lack of the plan's first rounds; `told` hears of every piece.

    When it is interrupted, the totals hold the pieces that were finished.
    """
    if not 1 <= rounds <= ROUNDS_MAX:
        raise SimulationError(say("simulate.rounds", most=ROUNDS_MAX, given=rounds))
    expect_strategy(totals.ready.plan, rounds)
    for tally in _tallies(totals, rounds, on, workers, address, piece, parquet):
        totals.add(tally)
        if told is not None:
            told(totals)


def _tallies(  # noqa: PLR0917
    totals: Totals,
    rounds: int,
    on: Where,
    workers: int | None,
    address: str | None,
    piece: int | None,
    parquet: Path | None,
) -> Iterator[Tally]:
    job = totals.ready.job
    if on == "gpu":
        if not isinstance(job, Job):
            raise SimulationError(say("simulate.no-gpu-kernel"))
        from pitbook.simulate.runners import gpu  # noqa: PLC0415  It reads the kernels' text.

        return gpu.played(job, totals.done.left(0, rounds, piece or gpu.piece_of(job)))
    if on == "ray":
        from pitbook.simulate.runners import on_ray  # noqa: PLC0415  It brings Ray.

        return on_ray.played(
            job, totals.done.left(0, rounds, piece or 8 * job.chunk), address=address
        )
    many = local.cores() if workers is None else workers
    if not 1 <= many <= 1024:
        raise SimulationError(say("simulate.workers", given=many))
    if parquet is not None:
        from pitbook.simulate.runners.parquet import PIECE, written  # noqa: PLC0415

        return written(totals.ready, totals.done.left(0, rounds, piece or PIECE), many, parquet)
    return local.each(job.play, totals.done.left(0, rounds, piece or job.chunk), many)


def nets(plan: Plan | ReadyPlan, start: int, stop: int) -> NDArray[np.int64]:
    """What all seats together net in each of some rounds, in cents, after every cap."""
    made = ready(plan) if isinstance(plan, Plan) else plan
    cells = made.cells
    trace = made.job.trace(start, stop)
    together: NDArray[np.int64] = cells.nets[trace].sum(axis=1)
    for row in cells.capped(trace):
        together[row] -= sum(cells.met(trace[row]).withheld)
    return together
