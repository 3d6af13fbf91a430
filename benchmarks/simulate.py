"""Simulated rounds per second: our kernel for one seat compared with the same loop in C, tables,
two cores.

The C loop is compiled here by the available `cc`, with -O3 -march=native. It reads the same
tables, draws the same words and must give the same counts. Both run on one thread of this
process in turn; the best of several runs counts. Times are CPU times, so that other work on the
machine matters less; two cores are timed by wall clock.

Games against a dealer's hand are compared with only drawing their cards, the least that any
simulation must do. Best play is solved first, which can take a minute.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

import pitbook
from pitbook.money import Cents
from pitbook.simulation.job import Job
from pitbook.simulation.kernel_tables import KernelTable, OneSeatTables
from pitbook.simulation.kernels.cards import BATCH, deal_rounds
from pitbook.simulation.kernels.table_positions import BOARD, HAND, KEPT, SEATS
from pitbook.simulation.plan import plan
from pitbook.simulation.prepare import prepare_job
from pitbook.simulation.run import core_count

Ints = NDArray[np.int64]

SEED = 52
TIMES = 5
TRIES_MAX = 40
ROUNDS = 2**25
TABLE_ROUNDS = 2**20
DUEL_ROUNDS = 2**18
C_RATIO_MIN = 0.6
RATE_MIN = 60e6
TABLE_RATE_MIN = 5e6
PAIR_RATIO_MIN = 1.8
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
DUEL_RATE_MIN = 0.5e6

C = r"""
#include <stdint.h>
#define MASK 0xFFFFFFFFull
#define BATCH 512

static inline void philox(uint64_t n, uint64_t attempt, uint64_t key, uint32_t *w) {
  uint32_t a = (uint32_t)n, b = (uint32_t)(n >> 32), c = (uint32_t)attempt, d = 0;
  uint32_t low = (uint32_t)key, high = (uint32_t)(key >> 32);
  for (int turn = 0; turn < 10; ++turn) {
    uint64_t first = 0xD2511F53ull * a, second = 0xCD9E8D57ull * c;
    uint32_t e = (uint32_t)(second >> 32) ^ b ^ low, f = (uint32_t)(first >> 32) ^ d ^ high;
    a = e; b = (uint32_t)second; c = f; d = (uint32_t)first;
    low += 0x9E3779B9u; high += 0xBB67AE85u;
  }
  w[0] = a; w[1] = b; w[2] = c; w[3] = d;
}

static uint32_t below(uint64_t number, int word, uint64_t key, uint64_t size) {
  for (uint64_t attempt = 0;; ++attempt) {
    uint32_t w[4];
    philox(number / 2, attempt, key, w);
    uint64_t drawn = w[2 * (number & 1) + word] * size;
    if ((drawn & MASK) >= (1ull << 32) % size) return (uint32_t)(drawn >> 32);
  }
}

void rounds(uint64_t start, uint64_t stop, uint64_t key, const uint16_t *begin,
            const uint16_t *third, const uint16_t *fourth, const uint8_t *fifth, uint64_t labels,
            int64_t *counts, uint64_t ends) {
  static uint32_t words[4][BATCH];
  for (uint64_t number = start; number < stop; number += 2 * BATCH) {
    for (uint64_t place = 0; place < BATCH; ++place) {
      uint64_t n = number / 2 + place, a = n & MASK, b = n >> 32, c = 0, d = 0;
      uint64_t low = key & MASK, high = key >> 32;
#pragma GCC unroll 10
      for (int turn = 0; turn < 10; ++turn) {
        uint64_t first = 0xD2511F53ull * a, second = 0xCD9E8D57ull * c;
        a = (second >> 32) ^ b ^ low; b = second & MASK;
        c = (first >> 32) ^ d ^ high; d = first & MASK;
        low = (low + 0x9E3779B9) & MASK; high = (high + 0xBB67AE85) & MASK;
      }
      words[0][place] = a; words[1][place] = b; words[2][place] = c; words[3][place] = d;
    }
    for (uint64_t place = 0; place < BATCH; ++place) {
      for (int half = 0; half < 2; ++half) {
        uint64_t scaled = words[2 * half][place] * 2652ull;
        uint64_t state = begin[scaled >> 32];
        scaled = (scaled & MASK) * 50;
        state = third[state * 50 + (scaled >> 32)];
        scaled = (scaled & MASK) * 49;
        uint64_t packed = fourth[state * 49 + (scaled >> 32)];
        uint64_t other = words[2 * half + 1][place] * 48ull;
        uint64_t end = (packed >> 12) * labels + fifth[(packed & 4095) * 48 + (other >> 32)];
        if ((scaled & MASK) < 185896 || (other & MASK) < 16) {
          uint64_t one = number + 2 * place + half;
          uint32_t index = below(one, 0, key, 6497400), last = below(one, 1, key, 48);
          state = third[begin[index / 2450] * 50ull + index / 49 % 50];
          packed = fourth[state * 49 + index % 49];
          end = (packed >> 12) * labels + fifth[(packed & 4095) * 48 + last];
        }
        counts[half * ends + end] += 1;
      }
    }
  }
}
"""


def main() -> int:
    stud = pitbook.load("catfish-bend/mississippi-stud")
    hi_lo = pitbook.load("catfish-bend/matchem-hi-lo")
    bonuses = {"matchem-bonus": Cents(5_00), "poker-bonus": Cents(5_00)}
    single_job = prepare_job(plan(stud, seed=SEED)).job
    table_job = prepare_job(
        plan(stud, seed=SEED, seats=6, ante=Cents(100_00), side={"three-card-bonus": Cents(5_00)})
    ).job
    hi_lo_job = prepare_job(plan(hi_lo, seed=SEED, seats=6, side=bonuses)).job
    assert isinstance(single_job, Job)
    print(f"seed {SEED}, best of {TIMES}; {core_count()} cores here")
    missed: list[str] = []
    pitbook_rate, c_rate = compare_with_c(single_job)
    print_rate("one seat", pitbook_rate)
    if c_rate:
        print_rate("the same loop in C", c_rate)
        print(f"ours is {pitbook_rate / c_rate:.2f} of C; it must be {C_RATIO_MIN}")
        missed += [] if pitbook_rate / c_rate >= C_RATIO_MIN else ["C"]
    else:
        print("no C compiler here: the same loop in C is left out")
    missed += [] if pitbook_rate >= RATE_MIN else ["one seat"]
    table_rate = best_rate(lambda: table_job.play(0, TABLE_ROUNDS)) * TABLE_ROUNDS
    print_rate("six seats, bonus, caps at $100", table_rate)
    missed += [] if table_rate >= TABLE_RATE_MIN else ["six seats"]
    print_rate(
        "Match'em Hi-Lo, six spots, bonuses",
        best_rate(lambda: hi_lo_job.play(0, TABLE_ROUNDS)) * TABLE_ROUNDS,
    )
    for name in DEALER_GAMES:
        missed += measure_dealer_game(name)
    missed += measure_two_cores(single_job) if core_count() > 1 else []
    print(f"missed: {', '.join(missed)}" if missed else "all within their limits")
    return 1 if missed else 0


def measure_dealer_game(name: str) -> list[str]:
    """One seat and six, in turn with only drawing the same cards."""
    sheet = pitbook.load(name)
    all_side_stakes = {wager: rule.stake.min for wager, rule in sheet.side.items()}
    missed = []
    for seats, side in ((1, {}), (6, all_side_stakes)):
        job = prepare_job(plan(sheet, seed=SEED, seats=seats, side=side)).job
        assert isinstance(job, Job)
        draws = draws_only(job)
        job.play(0, 1), draws()
        job_rates, draw_rates = [], []
        for _ in range(TIMES):
            job_rates.append(DUEL_ROUNDS / elapsed(partial(job.play, 0, DUEL_ROUNDS)))
            draw_rates.append(DUEL_ROUNDS / elapsed(draws))
        job_rate, draw_rate = max(job_rates), max(draw_rates)
        print(
            f"{name + ', ' + str(seats):<38}{job_rate / 1e6:10.2f} million rounds/s; "
            f"its draws alone {draw_rate / 1e6:.1f}, {draw_rate / job_rate:.1f} times as many"
        )
        missed += [] if job_rate >= DUEL_RATE_MIN / seats else [f"{name}, {seats}"]
    return missed


def draws_only(job: Job) -> Callable[[], object]:
    """A function that deals the cards of the same rounds without evaluating them."""
    assert isinstance(job.tables, KernelTable)
    arrays, key = job.tables.arrays, np.uint64(job.seed)
    numbers = arrays.numbers
    cards = int(numbers[SEATS] * numbers[HAND] + numbers[BOARD])
    words = np.empty((4, BATCH * int(numbers[KEPT]) // 4 + 1), np.uint32)
    scratch = np.zeros((BATCH, cards), np.uint16)

    return partial(draw_cards, DUEL_ROUNDS, key, arrays, (words, scratch))


@numba.njit(nogil=True)
def draw_cards(stop: int, key: Any, arrays: Any, scratch: Any) -> None:
    for number in range(0, stop, BATCH):
        deal_rounds(number, key, arrays, scratch[0], scratch[1])


def print_rate(label: str, rate: float) -> None:
    print(f"{label:<38}{rate / 1e6:10.1f} million rounds/s")


def best_rate(run: Callable[[], object]) -> float:
    """Runs per second of CPU time, the best of several."""
    run()
    return max(1 / elapsed(run) for _ in range(TIMES))


def elapsed(run: Callable[[], object]) -> float:
    start = thread_time()
    run()
    return thread_time() - start


def compare_with_c(job: Job) -> tuple[float, float | None]:
    """Rounds per second of ours and of C, run in turn on the same rounds."""
    loop = compile_c_loop(job)
    if loop is None:
        return best_rate(lambda: job.play(0, ROUNDS)) * ROUNDS, None
    assert (loop() == count_cells(job)).all(), "C comes to other counts"
    pitbook_rates, c_rates = [], []
    for _ in range(TIMES):
        pitbook_rates.append(ROUNDS / elapsed(lambda: job.play(0, ROUNDS)))
        c_rates.append(ROUNDS / elapsed(loop))
    return max(pitbook_rates), max(c_rates)


def count_cells(job: Job) -> Ints:
    counts: Ints = job.play(0, ROUNDS).counts[0]
    return counts


def compile_c_loop(job: Job) -> Callable[[], Ints] | None:
    """The loop in C, compiled and loaded; None without a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    tables = job.tables
    assert isinstance(tables, OneSeatTables)
    if compiler is None:
        return None
    folder = Path(tempfile.mkdtemp())
    source, library = folder / "rounds.c", folder / "rounds.so"
    source.write_text(C)
    command = [compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", library, source]
    subprocess.run([str(part) for part in command], check=True)
    rounds = ctypes.CDLL(str(library)).rounds
    shutil.rmtree(folder)
    labels, ends = tables.cell_of.shape[1], tables.cell_of.size
    steps = [tables.start, tables.third, tables.fourth, tables.fifth]

    def run() -> Ints:
        counts = np.zeros((2, ends), np.int64)
        numbers = (ctypes.c_uint64(number) for number in (0, ROUNDS, job.seed))
        arrays = (ctypes.c_void_p(table.ctypes.data) for table in steps)
        end_arguments = (
            ctypes.c_uint64(labels),
            ctypes.c_void_p(counts.ctypes.data),
            ctypes.c_uint64(ends),
        )
        rounds(*numbers, *arrays, *end_arguments)
        cells = np.zeros(job.cells, np.int64)
        np.add.at(cells, tables.cell_of.ravel(), counts.sum(axis=0))
        return cells

    return run


def measure_two_cores(job: Job) -> list[str]:
    """Two cores compared with one by wall clock, in turn; a busy machine gets more tries."""
    single_times, double_times, ratio = [], [], 0.0
    with ThreadPoolExecutor(2) as pool:
        for turn in range(TRIES_MAX):
            start = perf_counter()
            job.play(0, ROUNDS)
            middle = perf_counter()
            list(pool.map(lambda bounds: job.play(*bounds), [(0, ROUNDS), (ROUNDS, 2 * ROUNDS)]))
            single_times.append(middle - start)
            double_times.append(perf_counter() - middle)
            ratio = 2 * min(single_times) / min(double_times)
            if turn + 1 >= TIMES and ratio >= PAIR_RATIO_MIN:
                break
    print(f"two cores are {ratio:.2f} times one; they must be {PAIR_RATIO_MIN}")
    return [] if ratio >= PAIR_RATIO_MIN else ["two cores"]


if __name__ == "__main__":
    sys.exit(main())
