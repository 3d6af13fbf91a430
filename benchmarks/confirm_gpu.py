"""A thousand million rounds of each sheet on a GPU, every wager beside its exact figure.

    python -m benchmarks.confirm_gpu                                   both on this machine
    python -m benchmarks.confirm_gpu --prepare jobs.gz [SHEET ...]    where Pitbook is installed
    python -m benchmarks.confirm_gpu --play jobs.gz --out played.gz  needs NumPy and CuPy alone
    python -m benchmarks.confirm_gpu --judge jobs.gz played.gz       where Pitbook is installed

What is prepared holds best play, each wager's result in every cell, and its exact mean and
deviation, so that the GPU's machine prints mean, standard error, exact figure and z by itself. To
judge is to hold every outcome of every wager against the exact side, as `simulate --check` does.
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

from pitbook.simulate import gpu
from pitbook.simulate.job import Job, Tally

if TYPE_CHECKING:
    from pitbook.simulate.plan import Plan

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
SEED, ROUNDS, PIECE = 2026, 10**9, 2**25
MAIN = "main game"
STRAYS = 4.5  # Standard errors that luck does not come to in a hundred figures.


class Wager(NamedTuple):
    """A wager's result in each cell, in cents, and the exact mean and variance of a round."""

    name: str
    nets: NDArray[np.int64]
    mean: Fraction
    variance: Fraction


class Prepared(NamedTuple):
    """A sheet's job with all its side wagers, and what is expected of each wager."""

    sheet: str
    job: Job
    wagers: tuple[Wager, ...]


def main() -> int:
    asked = argparse.ArgumentParser()
    asked.add_argument("--prepare", type=Path)
    asked.add_argument("--play", type=Path)
    asked.add_argument("--judge", type=Path, nargs=2)
    asked.add_argument("--out", type=Path)
    asked.add_argument("--rounds", type=float, default=ROUNDS)
    asked.add_argument("--here", action="store_true", help="play on the processor, to try it out")
    asked.add_argument("sheets", nargs="*", default=SHEETS)
    given = asked.parse_args()
    if given.prepare:
        write(given.prepare, [prepared(sheet) for sheet in given.sheets])
        return 0
    if given.judge:
        return judged(*map(read, given.judge))
    if not given.here and (why := no_gpu()):
        print(f"left out: there is no GPU that CuPy can use here ({why})")
        return 0
    kept, strayed = {}, 0
    for one in read(given.play) if given.play else map(prepared, given.sheets):
        began = perf_counter()
        kept[one.sheet] = tally = played(one.job, int(given.rounds), here=given.here)
        strayed += told(one, tally, perf_counter() - began)
        if given.out:
            write(given.out, kept)
    return 1 if strayed else 0


def no_gpu() -> str | None:
    """Why there is none to play on; None where there is."""
    try:
        import_module("cupy").cuda.runtime.getDeviceCount()
    except Exception as error:  # noqa: BLE001  CuPy's errors are its own.
        return str(error)
    return None


def write(path: Path, what: object) -> None:
    path.write_bytes(gzip.compress(pickle.dumps(what), 6))


def read(path: Path) -> Any:
    return pickle.loads(gzip.decompress(path.read_bytes()))


def planned(sheet: str, *, side: bool = True) -> Plan:
    import pitbook  # noqa: PLC0415  Where the GPU is, only NumPy and CuPy need be.
    from pitbook.simulate.plan import plan  # noqa: PLC0415

    rules = pitbook.load(sheet)
    every = {wager: rule.stake.min for wager, rule in rules.side.items()} if side else {}
    return plan(rules, side=every, seed=SEED)


def prepared(sheet: str) -> Prepared:
    """Best play worked out, and every wager's exact figures."""
    from pitbook.simulate.prepare import ready  # noqa: PLC0415

    made = ready(planned(sheet))
    assert isinstance(made.job, Job)
    cells = [cell.lines for cell in made.cells.every]
    side = dict(made.plan.side)
    found = []
    for name, law in laws(sheet).items():
        nets = np.array(
            [sum(line.net for line in lines if _is(line.wager, name, side)) for lines in cells],
            np.int64,
        )
        mean = sum((net * likely for net, likely in law.items()), Fraction(0))
        square = sum((net * net * likely for net, likely in law.items()), Fraction(0))
        found.append(Wager(name, nets, mean, square - mean * mean))
    print(f"{sheet}: {len(cells)} cells, {', '.join(one.name for one in found)}", flush=True)
    return Prepared(sheet, made.job, tuple(found))


def _is(wager: str, name: str, side: dict[str, Any]) -> bool:
    return wager not in side if name == MAIN else wager == name


def laws(sheet: str) -> dict[str, dict[int, Fraction]]:
    """How likely each result of each wager is, exactly: the main game, its wagers, side wagers."""
    from pitbook.simulate.expected import duel_endings, expected, fought  # noqa: PLC0415
    from pitbook.simulate.methods import plain  # noqa: PLC0415

    alone, whole = planned(sheet, side=False), planned(sheet)
    nets = expected(alone).nets
    assert nets is not None
    found = {MAIN: {net: Fraction(likely) for net, likely in nets.items()}}
    ways: Any = ()
    if fought(alone) is not None:
        ways = duel_endings(alone)
    elif alone.sheet.deck.decks > 1:
        ways = plain.endings(alone, alone.game)
    for likely, lines in ways:
        for line in lines:
            law = found.setdefault(line.wager, {})
            law[line.net] = law.get(line.net, Fraction(0)) + likely
    for outcome, likely in expected(whole).rows.items():
        if outcome.wager in dict(whole.side):
            stake = dict(whole.side)[outcome.wager]
            odds = Fraction(outcome.odds.replace(":", "/")) if outcome.odds else Fraction(1)
            net = int(stake * odds * {"win": 1, "push": 0, "lose": -1}[outcome.result])
            law = found.setdefault(outcome.wager, {})
            law[net] = law.get(net, Fraction(0)) + Fraction(likely)
    return found


def played(job: Job, rounds: int, *, here: bool) -> Tally:
    """The rounds counted, on the GPU or on one core."""
    if here:
        return job.play(0, rounds)
    pieces = [(start, min(start + PIECE, rounds)) for start in range(0, rounds, PIECE)]
    found, *more = gpu.played(job, pieces)
    for one in more:
        found = found.joined(one)
    return found


def told(one: Prepared, tally: Tally, seconds: float) -> int:
    """Print each wager beside its exact figure; how many strayed too far."""
    rounds, strayed = tally.stop - tally.start, 0
    print(f"{one.sheet}: {rounds:,} rounds in {seconds:.1f} s", flush=True)
    counts = tally.counts[0].tolist()
    for wager in one.wagers:
        total = sum(count * net for count, net in zip(counts, wager.nets.tolist(), strict=True))
        error = sqrt(wager.variance / rounds)
        off = float(Fraction(total, rounds) - wager.mean)
        z = off / error if error else 0.0
        strayed += abs(z) > STRAYS
        print(
            f"  {wager.name:<18} mean {total / rounds:+14.6f}  s.e. {error:.6f}"
            f"  exact {float(wager.mean):+14.6f}  z {z:+.2f}  (cents a round)",
            flush=True,
        )
    return strayed


def judged(prepared: list[Prepared], kept: dict[str, Tally]) -> int:
    """Every outcome of every wager against the exact side; 1 where one disagrees."""
    from pitbook.simulate.check import check  # noqa: PLC0415
    from pitbook.simulate.prepare import ready  # noqa: PLC0415
    from pitbook.simulate.totals import Totals  # noqa: PLC0415

    off = 0
    for one in prepared:
        totals = Totals(ready(planned(one.sheet)))
        assert totals.ready.job.digest == one.job.digest
        totals.add(kept[one.sheet])
        found = check(totals)
        off += not found.agrees
        print(
            f"{one.sheet}: {'agrees' if found.agrees else 'DISAGREES'}, {totals.rounds:,} rounds,"
            f" {found.judgements} judgements, significance {found.significance:.3g}"
            f" {found.unknown or ''}"
        )
    return 1 if off else 0


if __name__ == "__main__":
    sys.exit(main())
