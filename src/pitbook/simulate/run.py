"""Play a plan on this machine's cores, a GPU or a Ray cluster, and save its totals."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pitbook.simulate.estimate import expect_strategy
from pitbook.simulate.job import Job, Tally
from pitbook.simulate.plan import Plan, SimulationError
from pitbook.simulate.prepare import ReadyPlan, ready
from pitbook.simulate.totals import Totals, restored
from pitbook.text import say


def cores() -> int:
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # Not every system knows which cores are whose.
        return os.cpu_count() or 1


def each(
    play: Callable[[int, int], Tally], pieces: Iterable[tuple[int, int]], workers: int
) -> Iterator[Tally]:
    """Play pieces of rounds on so many cores; tallies come as they are ready."""
    waiting = iter(pieces)
    running: set[Future[Tally]] = set()
    with ThreadPoolExecutor(workers, thread_name_prefix="rounds") as pool:
        try:
            while True:
                while len(running) < 2 * workers and (piece := next(waiting, None)):
                    running.add(pool.submit(play, *piece))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for one in done:
                    yield one.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


FORMAT = 1


def keep(path: Path, totals: Totals) -> None:
    """Write the totals, whole or not at all."""
    document = {
        "format": FORMAT,
        "plan": totals.ready.plan.document(),
        "digest": totals.ready.job.digest,
        "totals": totals.document(),
    }
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_text(json.dumps(document, separators=(",", ":")) + "\n", encoding="utf-8")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise SimulationError(
            say("simulate.kept.unwritable", path=path, why=error.strerror)
        ) from None


def kept(path: Path, ready: ReadyPlan) -> Totals:
    """The totals in a file, none where there is no file; raises where they are another plan's."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Totals(ready)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else say("simulate.kept.no-text")
        raise SimulationError(say("simulate.kept.unreadable", path=path, why=reason)) from None
    try:
        document = json.loads(text)
        if document["format"] != FORMAT:
            raise SimulationError(
                say("simulate.kept.format", path=path, found=document["format"], ours=FORMAT)
            )
        _same(path, ready, document)
        return restored(ready, document["totals"])
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        raise SimulationError(say("simulate.kept.no-totals", path=path)) from None


def _same(path: Path, ready: ReadyPlan, document: dict[str, Any]) -> None:
    ours, theirs = ready.plan.document(), document["plan"]
    for name, value in ours.items():
        if theirs[name] != value:
            raise SimulationError(
                say(
                    "simulate.kept.other-plan",
                    path=path,
                    name=name,
                    theirs=theirs[name],
                    value=value,
                )
            )
    if document["digest"] != ready.job.digest:
        raise SimulationError(say("simulate.kept.other-rules", path=path))


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
        from pitbook.simulate import gpu  # noqa: PLC0415  It reads the kernels' text.

        return gpu.played(job, totals.done.left(0, rounds, piece or gpu.piece_of(job)))
    if on == "ray":
        from pitbook.simulate import ray_cluster as on_ray  # noqa: PLC0415  It brings Ray.

        return on_ray.played(
            job, totals.done.left(0, rounds, piece or 8 * job.chunk), address=address
        )
    many = cores() if workers is None else workers
    if not 1 <= many <= 1024:
        raise SimulationError(say("simulate.workers", given=many))
    if parquet is not None:
        from pitbook.simulate.parquet import PIECE, written  # noqa: PLC0415

        return written(totals.ready, totals.done.left(0, rounds, piece or PIECE), many, parquet)
    return each(job.play, totals.done.left(0, rounds, piece or job.chunk), many)


def nets(plan: Plan | ReadyPlan, start: int, stop: int) -> NDArray[np.int64]:
    """What all seats together net in each of some rounds, in cents, after every cap."""
    made = ready(plan) if isinstance(plan, Plan) else plan
    cells = made.cells
    trace = made.job.trace(start, stop)
    together: NDArray[np.int64] = cells.nets[trace].sum(axis=1)
    for row in cells.capped(trace):
        together[row] -= sum(cells.met(trace[row]).withheld)
    return together
