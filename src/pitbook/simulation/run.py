"""Plays a plan on this machine's cores, a GPU or a Ray cluster, and saves its totals."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pitbook.simulation.job import Job, Tally
from pitbook.simulation.plan import Plan, SimulationError
from pitbook.simulation.prepare import ReadyPlan, expect_strategy, prepare_job
from pitbook.simulation.totals import Totals, totals_from_document
from pitbook.text import say


def core_count() -> int:
    """Number of cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # Not every system reports CPU affinity.
        return os.cpu_count() or 1


def play_pieces(
    play: Callable[[int, int], Tally], pieces: Iterable[tuple[int, int]], workers: int
) -> Iterator[Tally]:
    """Play pieces of rounds on this many cores; yields tallies as they finish."""
    pending = iter(pieces)
    running: set[Future[Tally]] = set()
    with ThreadPoolExecutor(workers, thread_name_prefix="rounds") as pool:
        try:
            while True:
                while len(running) < 2 * workers and (piece := next(pending, None)):
                    running.add(pool.submit(play, *piece))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


FORMAT = 1


def save_totals(path: Path, totals: Totals) -> None:
    """Write the totals atomically."""
    document = {
        "format": FORMAT,
        "plan": totals.ready.plan.document(),
        "digest": totals.ready.job.digest,
        "totals": totals.document(),
    }
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        partial.write_text(json.dumps(document, separators=(",", ":")) + "\n", encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise SimulationError(
            say("simulate.kept.unwritable", path=path, why=error.strerror)
        ) from None


def load_totals(path: Path, ready: ReadyPlan) -> Totals:
    """Load the totals from a file, or empty totals if there is none; raises for another plan's
    file.
    """
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
        _require_same_plan(path, ready, document)
        return totals_from_document(ready, document["totals"])
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        raise SimulationError(say("simulate.kept.no-totals", path=path)) from None


def _require_same_plan(path: Path, ready: ReadyPlan, document: dict[str, Any]) -> None:
    our_plan, their_plan = ready.plan.document(), document["plan"]
    for name, value in our_plan.items():
        if their_plan[name] != value:
            raise SimulationError(
                say(
                    "simulate.kept.other-plan",
                    path=path,
                    name=name,
                    theirs=their_plan[name],
                    value=value,
                )
            )
    if document["digest"] != ready.job.digest:
        raise SimulationError(say("simulate.kept.other-rules", path=path))


Backend = Literal["local", "ray", "gpu"]

ROUNDS_MAX = 2**50  # Counts fit in 64-bit integers, whatever a cap withholds.


def run(
    plan: Plan,
    rounds: int,
    *,
    on: Backend = "local",
    workers: int | None = None,
    address: str | None = None,
) -> Totals:
    """The totals of a plan's first rounds."""
    totals = Totals(prepare_job(plan))
    play_on(totals, rounds, on=on, workers=workers, address=address)
    return totals


def play_on(
    totals: Totals,
    rounds: int,
    *,
    on: Backend = "local",
    workers: int | None = None,
    address: str | None = None,
    piece: int | None = None,
    parquet: Path | None = None,
    on_progress: Callable[[Totals], object] | None = None,
) -> None:
    """Play the rounds that the totals lack; `on_progress` is called after every piece.

    After an interruption the totals hold the pieces that were finished.
    """
    if not 1 <= rounds <= ROUNDS_MAX:
        raise SimulationError(say("simulate.rounds", most=ROUNDS_MAX, given=rounds))
    expect_strategy(totals.ready.plan, rounds)
    for tally in _tallies(totals, rounds, on, workers, address, piece, parquet):
        totals.add(tally)
        if on_progress is not None:
            on_progress(totals)


def _tallies(  # noqa: PLR0917
    totals: Totals,
    rounds: int,
    on: Backend,
    workers: int | None,
    address: str | None,
    piece: int | None,
    parquet: Path | None,
) -> Iterator[Tally]:
    job = totals.ready.job
    if on == "gpu":
        if not isinstance(job, Job):
            raise SimulationError(say("simulate.no-gpu-kernel"))
        from pitbook.simulation import gpu  # noqa: PLC0415  Reads the kernels' text.

        return gpu.play(job, totals.done.remaining(0, rounds, piece or gpu.piece_size(job)))
    if on == "ray":
        from pitbook.simulation import ray_cluster as on_ray  # noqa: PLC0415  Imports Ray.

        return on_ray.play(
            job, totals.done.remaining(0, rounds, piece or 8 * job.chunk), address=address
        )
    worker_count = core_count() if workers is None else workers
    if not 1 <= worker_count <= 1024:
        raise SimulationError(say("simulate.workers", given=worker_count))
    if parquet is not None:
        from pitbook.simulation.parquet import PIECE_ROUNDS, write_pieces  # noqa: PLC0415

        return write_pieces(
            totals.ready,
            totals.done.remaining(0, rounds, piece or PIECE_ROUNDS),
            worker_count,
            parquet,
        )
    return play_pieces(job.play, totals.done.remaining(0, rounds, piece or job.chunk), worker_count)


def round_nets(plan: Plan | ReadyPlan, start: int, stop: int) -> NDArray[np.int64]:
    """Net of all seats together in each round, in cents, after every cap."""
    prepared = prepare_job(plan) if isinstance(plan, Plan) else plan
    cells = prepared.cells
    trace = prepared.job.trace(start, stop)
    totals: NDArray[np.int64] = cells.nets[trace].sum(axis=1)
    for row in cells.capped_rows(trace):
        totals[row] -= sum(cells.apply_shared_caps(trace[row]).withheld)
    return totals
