"""Ranking five-card hands: ours by array and by call, compared with two peers by call.

All run in this process on one thread, on the same hands, each in its preferred form: the peers'
cards and lists are made before timing. Ours refuses duplicate cards; the peers do not check.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from time import perf_counter

import numpy as np
import phevaluator
from eval7.cards import Card as Eval7Card
from eval7.evaluate import evaluate as eval7_evaluate

from pitbook.cards import Card, name
from pitbook.hands import batch, classes, rank_of

SEED = 52
HANDS = 200_000
ROUNDS = 5
RATIO_MIN = 20


def main() -> int:
    dealt = np.random.default_rng(SEED).random((HANDS, 52)).argpartition(5)[:, :5].astype(np.uint8)
    rows = [tuple(Card(card) for card in row) for row in dealt.tolist()]
    deck = [Eval7Card(name(Card(card))) for card in range(52)]
    eval7_hands = [[deck[card] for card in row] for row in rows]
    print(f"{HANDS:,} hands, seed {SEED}, best of {ROUNDS}; tables built in {build_ms():.0f} ms")
    runs: dict[str, Callable[[], object]] = {
        "eval7, per call": lambda: call_each(eval7_evaluate, eval7_hands),
        "phevaluator, per call": lambda: call_each_unpacked(phevaluator.evaluate_cards, rows),
        "pitbook, per call": lambda: call_each(rank_of, rows),
        "pitbook, batch": lambda: batch.ranks(dealt),
    }
    nanoseconds_by_run = {label: best(run) * 1e9 / HANDS for label, run in runs.items()}
    batch_time = nanoseconds_by_run["pitbook, batch"]
    for label, nanoseconds in nanoseconds_by_run.items():
        print(f"{label:<22}{nanoseconds:9.1f} ns a hand{nanoseconds / batch_time:9.1f} x batch")
    return verdict(
        {label: nanoseconds_by_run[label] / batch_time for label in list(nanoseconds_by_run)[:2]}
    )


def verdict(ratios: dict[str, float]) -> int:
    slowest = min(ratios.values())
    print(f"batch is {slowest:.0f} times its nearest peer; it must be {RATIO_MIN}")
    return 0 if slowest >= RATIO_MIN else 1


def build_ms() -> float:
    """Milliseconds until the first hand can be ranked."""
    start = perf_counter()
    classes(5)
    batch.ranks(np.array([[0, 1, 2, 3, 4]], np.uint8))
    return (perf_counter() - start) * 1e3


def best(run: Callable[[], object]) -> float:
    return min(time_run(run) for _ in range(ROUNDS))


def time_run(run: Callable[[], object]) -> float:
    start = perf_counter()
    run()
    return perf_counter() - start


def call_each(rank: Callable[..., object], hands: Iterable[object]) -> None:
    for hand in hands:
        rank(hand)


def call_each_unpacked(rank: Callable[..., object], hands: Iterable[tuple[Card, ...]]) -> None:
    for hand in hands:
        rank(*hand)


if __name__ == "__main__":
    sys.exit(main())
