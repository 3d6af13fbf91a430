"""Simulated rounds per second on a GPU, and whether its counts equal the processor's.

 python -m benchmarks.simulate_gpu                     both sides on this machine
 python -m benchmarks.simulate_gpu --prepare cases.bin the processor's side, written to a file
 python -m benchmarks.simulate_gpu --cases cases.bin   the GPU's side; needs only NumPy and CuPy
 ... --sweep                                           also rates for several block sizes

Every bundled sheet is played with one seat, and with six seats, side wagers and effective caps.
For games against a dealer's hand fewer rounds are compared, and the first run solves best play.
Totals must be equal, to the last count; rates are the best of several runs after a warm-up.
"""

from __future__ import annotations

import argparse
import pickle
import sys
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from pitbook.simulation import gpu
from pitbook.simulation.job import Job, Tally
from pitbook.simulation.kernel_tables import OneSeatTables
from pitbook.simulation.kernels.table_positions import BY_DUELS, LADDER

SEED = 52
TIMES = 5
EQUAL_ROUNDS = 20_000_003  # Odd, so that batches end in the middle of a pair.
DUEL_ROUNDS = 2_000_003  # For games against a dealer's hand.
BATCH_ROUNDS = 7_000_001
DUEL_BATCH_MAX = 2**25  # Rounds of one timed batch.
ONE_SEAT_MIN, TABLE_MIN = 5e10, 5e9
SWEEP = {True: (256, 512, 768, 1024), False: (128, 256, 384, 512, 640, 768)}


DEALER_GAMES = (
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
    """A job, and the processor's counts for its first rounds."""

    name: str
    has_minimum: bool  # Whether its rate must reach a minimum.
    job: Job
    tallies: list[Tally]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--prepare", type=Path)
    parser.add_argument("--cases", type=Path)
    parser.add_argument("--sweep", action="store_true")
    options = parser.parse_args()
    if options.prepare:
        cases = prepare_cases()
        options.prepare.write_bytes(pickle.dumps(cases))
        rounds = sum(tally.stop - tally.start for case in cases for tally in case.tallies)
        print(f"{len(cases)} cases, {rounds:,} rounds in all, are in {options.prepare}")
        return 0
    try:
        cupy = import_module("cupy")
        cupy.cuda.runtime.getDeviceCount()
    except Exception as error:  # noqa: BLE001  CuPy's errors are its own.
        print(f"left out: there is no GPU that CuPy can use here ({error})")
        return 0
    cases = pickle.loads(options.cases.read_bytes()) if options.cases else prepare_cases()
    return measure_gpu(cupy, cases, sweep=options.sweep)


def prepare_cases() -> list[Case]:
    import pitbook  # noqa: PLC0415  The GPU machine needs only NumPy and CuPy.
    from pitbook.money import Cents  # noqa: PLC0415
    from pitbook.simulation.plan import plan  # noqa: PLC0415
    from pitbook.simulation.prepare import prepare_job  # noqa: PLC0415

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
        for seats, side_stakes in ((1, {}), (6, side)):
            job = prepare_job(
                plan(sheet, ante=Cents(ante), side=side_stakes, seats=seats, seed=SEED)
            ).job
            assert isinstance(job, Job)
            tallies = [job.play(0, EQUAL_ROUNDS)]
            has_minimum = sheet.deck.decks == 1
            cases.append(Case(f"{name}, seats: {seats}", has_minimum, job, tallies))
    for name in DEALER_GAMES:
        sheet = pitbook.load(name)
        side_stakes_min = {wager: rule.stake.min for wager, rule in sheet.side.items()}
        for seats, side_stakes in ((1, {}), (6, side_stakes_min)):
            job = prepare_job(plan(sheet, side=side_stakes, seats=seats, seed=SEED)).job
            assert isinstance(job, Job)
            cases.append(Case(f"{name}, seats: {seats}", False, job, [job.play(0, DUEL_ROUNDS)]))
    erring_job = prepare_job(
        plan(pitbook.load("oceanfront/mississippi-stud"), seats=6, strategy="best:0.05", seed=SEED)
    ).job
    assert isinstance(erring_job, Job)
    tallies = [erring_job.play(0, EQUAL_ROUNDS)]
    cases.append(
        Case("oceanfront/mississippi-stud, seats: 6, best:0.05", False, erring_job, tallies)
    )
    return cases


def measure_gpu(cupy: Any, cases: list[Case], *, sweep: bool) -> int:
    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    print(f"{name}, CuPy {cupy.__version__}, CUDA {cupy.cuda.runtime.runtimeGetVersion()}")
    missed = []
    for case in cases:
        equal_totals = has_equal_totals(case)
        one_seat = isinstance(case.job.tables, OneSeatTables)
        rate = best_rate(cupy, case.job, None)
        rate_min = (ONE_SEAT_MIN if one_seat else TABLE_MIN) if case.has_minimum else 0
        rate_min = 0 if case.job.seats == 1 and not one_seat else rate_min
        verdict = "equal totals" if equal_totals else "OTHER TOTALS"
        print(f"{case.name:<52}{verdict:<14}{rate:10.3g} rounds/s", flush=True)
        missed += [] if equal_totals else [f"{case.name}: totals"]
        missed += [] if rate >= rate_min else [f"{case.name}: {rate:.3g} and not {rate_min:.3g}"]
        for threads in SWEEP[one_seat] if sweep else ():
            print(f"    {threads:5} threads {best_rate(cupy, case.job, threads):14.3g} rounds/s")
    print("\n".join(["missed:", *missed]) if missed else "all equal and within their limits")
    return 1 if missed else 0


def has_equal_totals(case: Case) -> bool:
    """Whether the GPU, in batches of its own, counts what the processor counted."""
    (cpu_tally,) = case.tallies
    batches = [
        (start, min(start + BATCH_ROUNDS, cpu_tally.stop))
        for start in range(0, cpu_tally.stop, BATCH_ROUNDS)
    ]
    gpu_tally, *others = gpu.play(case.job, batches)
    for other in others:
        gpu_tally = gpu_tally.join(other)
    arrays = [(cpu_tally.counts, gpu_tally.counts), (cpu_tally.net_counts, gpu_tally.net_counts)]
    arrays += list(zip(cpu_tally.capped, gpu_tally.capped, strict=True))
    arrays += list(zip(cpu_tally.above, gpu_tally.above, strict=True))
    return all(ours.shape == theirs.shape and (ours == theirs).all() for ours, theirs in arrays)


def is_duel(job: Job) -> bool:
    """Whether a job is of a game against a dealer's hand, which reads larger tables."""
    tables = job.tables
    return not isinstance(tables, OneSeatTables) and tables.arrays.numbers[LADDER] == BY_DUELS


def best_rate(cupy: Any, job: Job, threads: int | None) -> float:
    """Rounds per second of the best of several batches, after an untimed one."""
    size = min(gpu.piece_size(job), DUEL_BATCH_MAX) if is_duel(job) else gpu.piece_size(job)
    batches = [(number * size, (number + 1) * size) for number in range(TIMES + 1)]
    rates = []
    try:
        tallies = gpu.play(job, batches, threads=threads)
        next(tallies)
        for _ in range(TIMES):
            cupy.cuda.Device().synchronize()
            start = perf_counter()
            next(tallies)
            cupy.cuda.Device().synchronize()
            rates.append(size / (perf_counter() - start))
    except Exception as error:  # noqa: BLE001  The block is too large for the device.
        print(f"    {threads or 'usual'} threads: {error}")
        return 0.0
    return max(rates)


if __name__ == "__main__":
    sys.exit(main())
