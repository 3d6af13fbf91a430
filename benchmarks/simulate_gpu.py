"""Simulated rounds a second on a GPU, and whether it counts what the processor counts.

    python -m benchmarks.simulate_gpu                     both sides on this machine
    python -m benchmarks.simulate_gpu --prepare cases.bin the processor's side, written to a file
    python -m benchmarks.simulate_gpu --cases cases.bin   the GPU's side; needs NumPy and CuPy alone
    ... --sweep                                           rates for several sizes of a block, too

Every bundled sheet is played with one seat and with six seats, side wagers and caps that bite; of
games against a dealer's hand fewer rounds are compared, and the first run works out best play.
Totals must be equal, to the last count; rates are of the best of several runs that leave out what
is compiled and copied before.
"""

from __future__ import annotations

import argparse
import pickle
import sys
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from pitbook.simulate import gpu
from pitbook.simulate.job import Job, Tally
from pitbook.simulate.kernels.layout import BY_DUELS, LADDER
from pitbook.simulate.tables import Alone

SEED = 52
TIMES = 5
EQUAL_ROUNDS = 20_000_003  # Odd, so that both ends of a piece are met.
DUEL_ROUNDS = 2_000_003  # Of games against a dealer's hand.
PIECE = 7_000_001
DUEL_PIECES = 2**25  # Rounds of one piece that is timed.
ONE_SEAT_MIN, TABLE_MIN = 5e10, 5e9
SWEEP = {True: (256, 512, 768, 1024), False: (128, 256, 384, 512, 640, 768)}


AGAINST_THE_DEALER = (
    "pennsylvania/three-card-poker",
    "pennsylvania/crazy-4-poker",
    "pennsylvania/four-card-poker",
    "pennsylvania/ultimate-texas-holdem",
    "classic/caribbean-stud",
    "classic/casino-holdem",
    "classic/casino-war",
    "classic/ultimate-three-card-poker",
)


class Case(NamedTuple):
    """A job, and what the processor counts in its first rounds."""

    name: str
    judged: bool  # Whether its rate is one that must be reached.
    job: Job
    counted: list[Tally]


def main() -> int:
    asked = argparse.ArgumentParser()
    asked.add_argument("--prepare", type=Path)
    asked.add_argument("--cases", type=Path)
    asked.add_argument("--sweep", action="store_true")
    given = asked.parse_args()
    if given.prepare:
        cases = prepared()
        given.prepare.write_bytes(pickle.dumps(cases))
        rounds = sum(one.stop - one.start for case in cases for one in case.counted)
        print(f"{len(cases)} cases, {rounds:,} rounds in all, are in {given.prepare}")
        return 0
    try:
        cupy = import_module("cupy")
        cupy.cuda.runtime.getDeviceCount()
    except Exception as error:  # noqa: BLE001  CuPy's errors are its own.
        print(f"left out: there is no GPU that CuPy can use here ({error})")
        return 0
    cases = pickle.loads(given.cases.read_bytes()) if given.cases else prepared()
    return on_gpu(cupy, cases, sweep=given.sweep)


def prepared() -> list[Case]:
    import pitbook  # noqa: PLC0415  Where the GPU is, only NumPy and CuPy need be.
    from pitbook.money import Cents  # noqa: PLC0415
    from pitbook.simulate.plan import plan  # noqa: PLC0415
    from pitbook.simulate.prepare import ready  # noqa: PLC0415

    sheets: dict[str, tuple[int, dict[str, Cents]]] = {
        "catfish-bend/mississippi-stud": (100_00, {"three-card-bonus": Cents(5_00)}),
        "oceanfront/mississippi-stud": (4_00, {}),
        "louisiana-stud/standard": (10_00, {"three-up": Cents(5_00), "stax": Cents(5_00)}),
        "louisiana-stud/stax-required": (10_00, {"three-up": Cents(5_00), "stax": Cents(5_00)}),
        "catfish-bend/matchem-hi-lo": (
            10_00,
            {"matchem-bonus": Cents(100_00), "poker-bonus": Cents(100_00)},
        ),
    }
    cases = []
    for name, (ante, side) in sheets.items():
        sheet = pitbook.load(name)
        for seats, beside in ((1, {}), (6, side)):
            job = ready(plan(sheet, ante=Cents(ante), side=beside, seats=seats, seed=SEED)).job
            assert isinstance(job, Job)
            counted = [job.play(0, EQUAL_ROUNDS)]
            judged = sheet.deck.decks == 1
            cases.append(Case(f"{name}, seats: {seats}", judged, job, counted))
    for name in AGAINST_THE_DEALER:
        sheet = pitbook.load(name)
        every = {wager: rule.stake.min for wager, rule in sheet.side.items()}
        for seats, beside in ((1, {}), (6, every)):
            job = ready(plan(sheet, side=beside, seats=seats, seed=SEED)).job
            assert isinstance(job, Job)
            cases.append(Case(f"{name}, seats: {seats}", False, job, [job.play(0, DUEL_ROUNDS)]))
    erring = ready(
        plan(pitbook.load("oceanfront/mississippi-stud"), seats=6, strategy="best:0.05", seed=SEED)
    ).job
    assert isinstance(erring, Job)
    counted = [erring.play(0, EQUAL_ROUNDS)]
    cases.append(Case("oceanfront/mississippi-stud, seats: 6, best:0.05", False, erring, counted))
    return cases


def on_gpu(cupy: Any, cases: list[Case], *, sweep: bool) -> int:
    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    print(f"{name}, CuPy {cupy.__version__}, CUDA {cupy.cuda.runtime.runtimeGetVersion()}")
    missed = []
    for case in cases:
        same = equal(case)
        one_seat = isinstance(case.job.tables, Alone)
        rate = best_rate(cupy, case.job, None)
        wanted = (ONE_SEAT_MIN if one_seat else TABLE_MIN) if case.judged else 0
        wanted = 0 if case.job.seats == 1 and not one_seat else wanted
        told = "equal totals" if same else "OTHER TOTALS"
        print(f"{case.name:<52}{told:<14}{rate:10.3g} rounds/s", flush=True)
        missed += [] if same else [f"{case.name}: totals"]
        missed += [] if rate >= wanted else [f"{case.name}: {rate:.3g} and not {wanted:.3g}"]
        for threads in SWEEP[one_seat] if sweep else ():
            print(f"    {threads:5} threads {best_rate(cupy, case.job, threads):14.3g} rounds/s")
    print("\n".join(["missed:", *missed]) if missed else "all equal and within their limits")
    return 1 if missed else 0


def equal(case: Case) -> bool:
    """Whether the GPU, in pieces of its own, counts what the processor counted."""
    (ours,) = case.counted
    pieces = [(start, min(start + PIECE, ours.stop)) for start in range(0, ours.stop, PIECE)]
    found, *more = gpu.played(case.job, pieces)
    for one in more:
        found = found.joined(one)
    arrays = [(ours.counts, found.counts), (ours.seen, found.seen)]
    arrays += list(zip(ours.capped, found.capped, strict=True))
    arrays += list(zip(ours.above, found.above, strict=True))
    return all(one.shape == other.shape and (one == other).all() for one, other in arrays)


def is_duel(job: Job) -> bool:
    """Whether a job is of hands against a dealer's, which read larger tables."""
    tables = job.tables
    return not isinstance(tables, Alone) and tables.arrays.numbers[LADDER] == BY_DUELS


def best_rate(cupy: Any, job: Job, threads: int | None) -> float:
    """Rounds a second of the best of several pieces, the first of which is not timed."""
    size = min(gpu.piece_of(job), DUEL_PIECES) if is_duel(job) else gpu.piece_of(job)
    pieces = [(number * size, (number + 1) * size) for number in range(TIMES + 1)]
    rates = []
    try:
        playing = gpu.played(job, pieces, threads=threads)
        next(playing)
        for _ in range(TIMES):
            cupy.cuda.Device().synchronize()
            start = perf_counter()
            next(playing)
            cupy.cuda.Device().synchronize()
            rates.append(size / (perf_counter() - start))
    except Exception as error:  # noqa: BLE001  A block that is too large for the device.
        print(f"    {threads or 'usual'} threads: {error}")
        return 0.0
    return max(rates)


if __name__ == "__main__":
    sys.exit(main())
