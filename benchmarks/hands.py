"""Ranking five-card hands: ours by the array and by the call, against two peers by the call.

All run in this one process on one thread, on the same hands, each in the form it likes best: the
peers' own cards and lists are made before the clock starts. Ours refuses a card held twice; the
peers do not look.
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
    theirs = [[deck[card] for card in row] for row in rows]
    print(f"{HANDS:,} hands, seed {SEED}, best of {ROUNDS}; tables built in {built():.0f} ms")
    runs: dict[str, Callable[[], object]] = {
        "eval7, per call": lambda: each(eval7_evaluate, theirs),
        "phevaluator, per call": lambda: each_spread(phevaluator.evaluate_cards, rows),
        "pitbook, per call": lambda: each(rank_of, rows),
        "pitbook, batch": lambda: batch.ranks(dealt),
    }
    taken = {label: best(run) * 1e9 / HANDS for label, run in runs.items()}
    ours = taken["pitbook, batch"]
    for label, nanoseconds in taken.items():
        print(f"{label:<22}{nanoseconds:9.1f} ns a hand{nanoseconds / ours:9.1f} x batch")
    return verdict({label: taken[label] / ours for label in list(taken)[:2]})


def verdict(ratios: dict[str, float]) -> int:
    slowest = min(ratios.values())
    print(f"batch is {slowest:.0f} times its nearest peer; it must be {RATIO_MIN}")
    return 0 if slowest >= RATIO_MIN else 1


def built() -> float:
    """Milliseconds until the first hand can be ranked."""
    start = perf_counter()
    classes(5)
    batch.ranks(np.array([[0, 1, 2, 3, 4]], np.uint8))
    return (perf_counter() - start) * 1e3


def best(run: Callable[[], object]) -> float:
    return min(timed(run) for _ in range(ROUNDS))


def timed(run: Callable[[], object]) -> float:
    start = perf_counter()
    run()
    return perf_counter() - start


def each(rank: Callable[..., object], hands: Iterable[object]) -> None:
    for hand in hands:
        rank(hand)


def each_spread(rank: Callable[..., object], hands: Iterable[tuple[Card, ...]]) -> None:
    for hand in hands:
        rank(*hand)


if __name__ == "__main__":
    sys.exit(main())
