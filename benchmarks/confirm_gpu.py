"""A billion rounds of each sheet on a GPU, compared with the exact figure of every wager.

 python -m benchmarks.confirm_gpu                                   both on this machine
 python -m benchmarks.confirm_gpu --prepare jobs.gz [SHEET ...]    where Pitbook is installed
 python -m benchmarks.confirm_gpu --play jobs.gz --out played.gz  needs only NumPy and CuPy
 python -m benchmarks.confirm_gpu --judge jobs.gz played.gz       where Pitbook is installed

The jobs file has best play, each wager's result in every cell, and its exact mean and deviation,
so that the GPU machine can print mean, standard error, exact figure and z by itself. Judging
checks every outcome of every wager against the exact figures, as `simulate --check` does.
"""

from __future__ import annotations

import argparse
import gzip
import pickle
import sys
from fractions import Fraction
from importlib import import_module
from math import sqrt
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.simulation import gpu
from pitbook.simulation.job import Job, Tally

if TYPE_CHECKING:
    from pitbook.simulation.plan import Plan

SHEETS = (
    "pennsylvania/three-card-poker",
    "pennsylvania/ultimate-texas-holdem",
    "pennsylvania/let-it-ride",
    "pennsylvania/crazy-4-poker",
    "pennsylvania/four-card-poker",
    "pennsylvania/mississippi-stud",
    "classic/caribbean-stud",
    "classic/casino-holdem",
    "classic/ultimate-three-card-poker",
    "classic/casino-war",
)
SEED, ROUNDS, BATCH_ROUNDS = 2026, 10**9, 2**25
MAIN = "main game"
Z_MAX = 4.5  # Standard errors that chance does not reach in a hundred figures.


class Wager(NamedTuple):
    """A wager's result in each cell, in cents, and the exact mean and variance of a round."""

    name: str
    nets: NDArray[np.int64]
    mean: Fraction
    variance: Fraction


class Prepared(NamedTuple):
    """A sheet's job with all its side wagers, and their exact figures."""

    sheet: str
    job: Job
    wagers: tuple[Wager, ...]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--prepare", type=Path)
    parser.add_argument("--play", type=Path)
    parser.add_argument("--judge", type=Path, nargs=2)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--rounds", type=float, default=ROUNDS)
    parser.add_argument("--here", action="store_true", help="play on the processor, to try it out")
    parser.add_argument("sheets", nargs="*", default=SHEETS)
    options = parser.parse_args()
    if options.prepare:
        write(options.prepare, [prepare(sheet) for sheet in options.sheets])
        return 0
    if options.judge:
        return judge_all(*map(read, options.judge))
    if not options.here and (why := no_gpu()):
        print(f"left out: there is no GPU that CuPy can use here ({why})")
        return 0
    tallies, outliers = {}, 0
    for job in read(options.play) if options.play else map(prepare, options.sheets):
        start = perf_counter()
        tallies[job.sheet] = tally = play_rounds(job.job, int(options.rounds), on_cpu=options.here)
        outliers += report_errors(job, tally, perf_counter() - start)
        if options.out:
            write(options.out, tallies)
    return 1 if outliers else 0


def no_gpu() -> str | None:
    """Why no GPU can be used, or None if one can."""
    try:
        import_module("cupy").cuda.runtime.getDeviceCount()
    except Exception as error:  # noqa: BLE001  CuPy's errors are its own.
        return str(error)
    return None


def write(path: Path, content: object) -> None:
    path.write_bytes(gzip.compress(pickle.dumps(content), 6))


def read(path: Path) -> Any:
    return pickle.loads(gzip.decompress(path.read_bytes()))


def make_plan(sheet: str, *, side: bool = True) -> Plan:
    import pitbook  # noqa: PLC0415  The GPU machine needs only NumPy and CuPy.
    from pitbook.simulation.plan import plan  # noqa: PLC0415

    rules = pitbook.load(sheet)
    side_stakes = {wager: rule.stake.min for wager, rule in rules.side.items()} if side else {}
    return plan(rules, side=side_stakes, seed=SEED)


def prepare(sheet: str) -> Prepared:
    """Solve best play, and compute every wager's exact figures."""
    from pitbook.simulation.prepare import prepare_job  # noqa: PLC0415

    ready_plan = prepare_job(make_plan(sheet))
    assert isinstance(ready_plan.job, Job)
    cells = [cell.lines for cell in ready_plan.cells.cells]
    side = dict(ready_plan.plan.side)
    wagers = []
    for name, probabilities in result_probabilities(sheet).items():
        nets = np.array(
            [
                sum(line.net for line in lines if _belongs_to(line.wager, name, side))
                for lines in cells
            ],
            np.int64,
        )
        mean = sum((net * probability for net, probability in probabilities.items()), Fraction(0))
        square = sum(
            (net * net * probability for net, probability in probabilities.items()), Fraction(0)
        )
        wagers.append(Wager(name, nets, mean, square - mean * mean))
    print(f"{sheet}: {len(cells)} cells, {', '.join(wager.name for wager in wagers)}", flush=True)
    return Prepared(sheet, ready_plan.job, tuple(wagers))


def _belongs_to(wager: str, name: str, side: dict[str, Any]) -> bool:
    return wager not in side if name == MAIN else wager == name


def result_probabilities(sheet: str) -> dict[str, dict[int, Fraction]]:
    """The exact probability of each result of each wager: main game, main wagers, side wagers."""
    from pitbook.simulation.compare_with_exact import duel_endings, duel_solution, expected_figures  # noqa: PLC0415
    from pitbook.simulation.methods import plain  # noqa: PLC0415

    main_plan, full_plan = make_plan(sheet, side=False), make_plan(sheet)
    nets = expected_figures(main_plan).nets
    assert nets is not None
    probabilities = {MAIN: {net: Fraction(probability) for net, probability in nets.items()}}
    ways: Any = ()
    if duel_solution(main_plan) is not None:
        ways = duel_endings(main_plan)
    elif main_plan.sheet.deck.decks > 1:
        ways = plain.endings(main_plan, main_plan.game)
    for probability, lines in ways:
        for line in lines:
            wager_probabilities = probabilities.setdefault(line.wager, {})
            wager_probabilities[line.net] = (
                wager_probabilities.get(line.net, Fraction(0)) + probability
            )
    for outcome, probability in expected_figures(full_plan).rows.items():
        if outcome.wager in dict(full_plan.side):
            stake = dict(full_plan.side)[outcome.wager]
            odds = Fraction(outcome.odds.to, outcome.odds.one) if outcome.odds else Fraction(1)
            net = int(stake * odds * {"win": 1, "push": 0, "lose": -1}[outcome.result])
            wager_probabilities = probabilities.setdefault(outcome.wager, {})
            wager_probabilities[net] = wager_probabilities.get(net, Fraction(0)) + Fraction(
                probability
            )
    return probabilities


def play_rounds(job: Job, rounds: int, *, on_cpu: bool) -> Tally:
    """Play the rounds on the GPU, or on one core."""
    if on_cpu:
        return job.play(0, rounds)
    pieces = [
        (start, min(start + BATCH_ROUNDS, rounds)) for start in range(0, rounds, BATCH_ROUNDS)
    ]
    tally, *others = gpu.play(job, pieces)
    for other in others:
        tally = tally.join(other)
    return tally


def report_errors(prepared_job: Prepared, tally: Tally, seconds: float) -> int:
    """Print each wager with its exact figure; return how many differ too much."""
    rounds, outliers = tally.stop - tally.start, 0
    print(f"{prepared_job.sheet}: {rounds:,} rounds in {seconds:.1f} s", flush=True)
    counts = tally.counts[0].tolist()
    for wager in prepared_job.wagers:
        total = sum(count * net for count, net in zip(counts, wager.nets.tolist(), strict=True))
        error = sqrt(wager.variance / rounds)
        off = float(Fraction(total, rounds) - wager.mean)
        z = off / error if error else 0.0
        outliers += abs(z) > Z_MAX
        print(
            f"  {wager.name:<18} mean {total / rounds:+14.6f}  s.e. {error:.6f}"
            f"  exact {float(wager.mean):+14.6f}  z {z:+.2f}  (cents a round)",
            flush=True,
        )
    return outliers


def judge_all(jobs: list[Prepared], tallies: dict[str, Tally]) -> int:
    """Check every outcome of every wager against the exact figures; return 1 if one disagrees."""
    from pitbook.simulation.compare_with_exact import check  # noqa: PLC0415
    from pitbook.simulation.prepare import prepare_job  # noqa: PLC0415
    from pitbook.simulation.totals import Totals  # noqa: PLC0415

    failures = 0
    for job in jobs:
        totals = Totals(prepare_job(make_plan(job.sheet)))
        assert totals.ready.job.digest == job.job.digest
        totals.add(tallies[job.sheet])
        verdict = check(totals)
        failures += not verdict.agrees
        print(
            f"{job.sheet}: {'agrees' if verdict.agrees else 'DISAGREES'}, {totals.rounds:,} rounds,"
            f" {verdict.comparisons} comparisons, significance {verdict.significance:.3g}"
            f" {verdict.unknown or ''}"
        )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
