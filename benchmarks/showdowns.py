"""Hands against a dealer's: first figures and a changed pay table beside a plain NumPy sweep.

All of it in one run, with nothing kept from before but machine code. The floor is what comes to
mind first: for each board or each hand, up to suits, rank both sides with NumPy and compare them.
It is timed on a few and scaled to all; ours is timed whole, on the threads that it takes. Beside
the clock stand processor seconds, which other work on the machine lengthens less.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import DECK, Card
from pitbook.exact.compare import with_pays
from pitbook.exact.methods.choose import choose_method
from pitbook.exact.methods.dealer import boards_solve, pairs_solve
from pitbook.exact.methods.dealer.stored_counts import counts_folder
from pitbook.exact.methods.dealer.strength import KEYS, Strength, strength_of
from pitbook.exact.methods.dealer.structure import DealerGame, as_dealer_game
from pitbook.hands.card_sets import choices
from pitbook.money import Odds
from pitbook.sheets.library import Library
from pitbook.sheets.model import Sheet

SEED = 21
FOLDER = "pitbook.exact.methods.dealer.stored_counts.counts_folder"
UTH = "pennsylvania/ultimate-texas-holdem"
SHEETS = (
    "pennsylvania/three-card-poker",
    "classic/ultimate-three-card-poker",
    "pennsylvania/crazy-4-poker",
    "classic/caribbean-stud",
    "pennsylvania/four-card-poker",
    "classic/casino-holdem",
    UTH,
    "classic/casino-war",
)
FIRST_MAX, UTH_MAX, CHANGED_MAX = 20.0, 60.0, 1.0
BOARDS, UP_TO_SUITS = 200, 134_459
HANDS = 4

Ints = NDArray[np.int64]


def main() -> int:
    missed = []
    print(f"seed {SEED}; {os.cpu_count()} processors")
    print(f"{'sheet':<36}{'edge':>9}{'first':>19}{'changed':>19}{'floor':>14}")
    for sheet_id in SHEETS:
        sheet = Library().load(sheet_id, date(2026, 1, 1))
        with nothing_kept():
            first, edge = timed(lambda: figures(sheet))  # noqa: B023
            changed, _ = timed(lambda: figures(other(sheet)))  # noqa: B023
        floor = plain(sheet)
        times = f"{told(first)}{told(changed)}{floor.processor:>13,.0f}s"
        print(f"{sheet_id:<36}{edge:>9.4%}{times}", flush=True)
        most = UTH_MAX if sheet_id == UTH else FIRST_MAX
        missed += [f"{sheet_id} first"] if first.clock > most else []
        missed += [f"{sheet_id} changed"] if changed.clock > CHANGED_MAX else []
    print(f"missed: {', '.join(missed)}" if missed else "all within their limits")
    return 1 if missed else 0


@contextmanager
def nothing_kept() -> Iterator[None]:
    """Counts are written to a folder that is empty before, and nothing is remembered."""
    with TemporaryDirectory() as place, patch(FOLDER, lambda what: Path(place)):
        pairs_solve.deck_counts.cache_clear()
        boards_solve.stored_rows.cache_clear()
        yield


def figures(sheet: Sheet) -> float:
    game, method = choose_method(sheet)
    return float(method.figures(game, None).house_edge)


def other(sheet: Sheet) -> Sheet:
    """The sheet with its highest line paid one more."""
    pays = dict(sheet.main.pays)
    line = next(iter(pays))
    pay = pays[line]
    assert isinstance(pay, Odds)
    return with_pays(sheet, "main", {**pays, line: Odds(pay.to + pay.one, pay.one)})


class Taken(NamedTuple):
    """Seconds by the clock, and of the processors."""

    clock: float
    processor: float


def told(taken: Taken) -> str:
    return f"{taken.clock:>9.2f}s ({taken.processor:5.2f}s)"


def timed(run: Callable[[], float]) -> tuple[Taken, float]:
    start, used = perf_counter(), process_time()
    found = run()
    return Taken(perf_counter() - start, process_time() - used), found


# The floor --------------------------------------------------------------------------------------


def plain(sheet: Sheet) -> Taken:
    """Seconds for every showdown by NumPy, scaled from a few boards or hands."""
    game, _ = choose_method(sheet)
    fight, luck = as_dealer_game(game), Random(SEED)
    if fight is None:
        return Taken(0.0, 0.0)  # Single cards: there is nothing to sweep.
    if fight.common:
        table = strength_of(fight.best, fight.common + 2, fight.ace)
        boards = [luck.sample(DECK, 5) for _ in range(BOARDS)]
        taken, _ = timed(lambda: float(sum(_board(table, board) for board in boards)))
        return scaled(taken, UP_TO_SUITS / BOARDS)
    up = game.stages[0].opens[1]
    choices(52 - fight.own - up, fight.other - up)  # What is chosen is listed beforehand.
    hands = [luck.sample(DECK, fight.own + up) for _ in range(HANDS)]
    taken, _ = timed(lambda: float(sum(_hand(fight, hand, up) for hand in hands)))
    hands_in_all = (UP_TO_SUITS if fight.own == 5 else 1_755) * (47 if up else 1)
    return scaled(taken, hands_in_all / HANDS)


def scaled(taken: Taken, times: float) -> Taken:
    return Taken(taken.clock * times, taken.processor * times)


def _board(table: Strength, board: list[Card]) -> int:
    """All pairs of hole cards against all of the dealer's: who is ahead, cards shared left out."""
    left = [card for card in DECK if card not in board]
    pairs = np.array(left)[choices(len(left), 2)]
    classes = ranked(table, np.concatenate([np.tile(board, (len(pairs), 1)), pairs], axis=1))
    order = np.sort(classes)
    weaker = np.searchsorted(order, classes)
    level = np.searchsorted(order, classes, side="right")
    for column in range(2):  # Inclusion and exclusion, card by card.
        for card in left:
            holds = (pairs == card).any(axis=1)
            some = np.sort(classes[holds])
            mine = pairs[:, column] == card
            weaker[mine] -= np.searchsorted(some, classes[mine])
            level[mine] -= np.searchsorted(some, classes[mine], side="right")
    return int(weaker.sum() + level.sum())


def _hand(fight: DealerGame, hand: list[Card], up: int) -> int:
    """One hand against every hand that the dealer can have."""
    left = np.array([card for card in DECK if card not in hand])
    closed = fight.other - up
    some = left[choices(len(left), closed)]
    seen = np.tile(hand[fight.own :], (len(some), 1)).astype(np.int64)
    classes = ranked(
        strength_of(fight.best, fight.other, fight.ace), np.concatenate([some, seen], axis=1)
    )
    own = ranked(strength_of(fight.best, fight.own, fight.ace), np.array([hand[: fight.own]]))
    return int((classes < own[0]).sum())


def ranked(table: Strength, hands: Ints) -> Ints:
    keys = np.array(KEYS)[hands >> 2].sum(axis=1)
    best = table.by_ranks[keys]
    for suit in range(4):
        bits = np.where(hands & 3 == suit, 1 << (hands >> 2), 0).sum(axis=1)
        best = np.maximum(best, table.by_suit[bits])
    return np.asarray(best, np.int64)


if __name__ == "__main__":
    assert counts_folder("counting") is not None
    sys.exit(main())
