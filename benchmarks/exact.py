"""Exact figures: a new pay table solved, against plain NumPy going through the sets of cards.

The plain way takes each of the 1,326 starting hands, ranks it with all 19,600 boards in one array
and weighs the plays from the last street back. It is timed on a few hands and scaled up to all.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from statistics import median
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

import pitbook
from pitbook.cards import cards
from pitbook.exact.advice import advise
from pitbook.exact.compare import with_line
from pitbook.exact.service import wager_figures, whole_round
from pitbook.exact.stud import solve
from pitbook.hands import batch
from pitbook.money import Cents, Odds
from pitbook.sheets.street_stud import StreetStud

SHEET = "catfish-bend/mississippi-stud"
HANDS = ("As Kd", "9h 9c", "7d 2d")
STARTING_HANDS = 1326
DEAD = "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc"
LIMITS = {  # Milliseconds.
    "solve, new pay table": 1,
    "figures of one wager": 50,
    "whole round, joint": 300,
    "advice": 2,
    "advice, ten cards dead": 50,
    "pitbook math, from the shell": 1500,
}
FASTER_MIN = 1000
BOARDS = np.array(list(combinations(range(50), 3)))


def main() -> int:
    sheet = pitbook.load(SHEET)
    assert isinstance(sheet, StreetStud)
    tables = [changed(sheet, straight) for straight in range(4, 54)]
    assert f"{float(-solve(tables[1]).expected):.4%}" == "3.7591%"  # As published.
    taken = {
        "solve, new pay table": typical([lambda one=one: solve(one) for one in tables]),  # type: ignore[misc]
        "figures of one wager": typical([lambda: wager_figures(sheet, "main")] * 9),
        "whole round, joint": typical(
            [lambda: whole_round(sheet, None, {"three-card-bonus": Cents(100)})] * 5
        ),
        "advice": typical([lambda: advise(sheet, cards("As Kd"))] * 20),
        "advice, ten cards dead": typical(
            [lambda: advise(sheet, cards("As Kd"), dead=cards(DEAD))] * 9
        ),
        "pitbook math, from the shell": typical([shell] * 3),
    }
    plain = plainly_solved(sheet)
    faster = plain / taken["solve, new pay table"]
    print(
        f"plain enumeration          {plain:10.0f} ms, from {len(HANDS)} of {STARTING_HANDS} hands"
    )
    for name, ms in taken.items():
        print(f"{name:<30}{ms:8.2f} ms, at most {LIMITS[name]} ms")
    print(f"a solve is {faster:,.0f} times faster than plain enumeration, at least {FASTER_MIN:,}")
    return 0 if faster >= FASTER_MIN and all(ms < LIMITS[n] for n, ms in taken.items()) else 1


def changed(sheet: StreetStud, straight: int) -> StreetStud:
    pays = dict(sheet.main.pays) | {"straight": replace(Odds(1), to=straight)}
    other = with_line(sheet, "main", pays)
    assert isinstance(other, StreetStud)
    return other


def typical(runs: list[Callable[[], object]]) -> float:
    """The median in milliseconds, after one run to warm up."""
    runs[0]()
    return median(timed(run) for run in runs) * 1e3


def timed(run: Callable[[], object]) -> float:
    start = perf_counter()
    run()
    return perf_counter() - start


def shell() -> None:
    command = [sys.executable, "-m", "pitbook", "math", SHEET, "--json"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def plainly_solved(sheet: StreetStud) -> float:
    """Milliseconds for all starting hands, going through every set of cards."""
    pays = [-1.0] + [-1.0] * 4 + [0.0] * 5 + [1.0] * 4 + [2, 3, 4, 6, 10, 40, 100, 500]
    pay = np.array(pays)
    plainly(HANDS[0], pay)
    seconds = sum(timed(lambda hand=hand: plainly(hand, pay)) for hand in HANDS)  # type: ignore[misc]
    for hand in HANDS:
        exact = advise(sheet, cards(hand))
        assert np.isclose(plainly(hand, pay), float(exact.actions[exact.best]))
    return seconds * STARTING_HANDS / len(HANDS) * 1e3


def plainly(hand: str, pay: NDArray[np.float64]) -> float:
    """The value of a starting hand under best play, in antes."""
    own = np.array(cards(hand), np.uint8)
    left = np.setdiff1d(np.arange(52, dtype=np.uint8), own)
    hands = np.empty((len(BOARDS), 5), np.uint8)
    hands[:, :2], hands[:, 2:] = own, left[BOARDS]
    won = pay[batch.kinds(hands)]
    sums = np.zeros((50, 50))
    for one, two in ((0, 1), (0, 2), (1, 2)):
        pairs = BOARDS[:, one] * 50 + BOARDS[:, two]
        sums += np.bincount(pairs, won, minlength=2500).reshape(50, 50)
    mean = (sums + sums.T)[~np.eye(50, dtype=bool)].reshape(50, 49) / 48  # By the first two cards.
    river = {u: np.maximum(-u, np.maximum((u + 1) * mean, (u + 3) * mean)) for u in range(3, 8)}
    turn = {
        u: np.max([np.full(len(left), -u), *(river[u + b].mean(axis=1) for b in (1, 2, 3))], axis=0)
        for u in (2, 3, 4)
    }
    return max(-1.0, *(float(turn[1 + bet].mean()) for bet in (1, 2, 3)))


if __name__ == "__main__":
    sys.exit(main())
