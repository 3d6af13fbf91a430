"""Hands against a dealer's: first figures and a changed pay table, compared with a plain NumPy
sweep.

All in one run, with nothing cached except machine code. The baseline is the obvious way: for
each board or hand, up to suits, rank both sides with NumPy and compare them. It is timed on a
few and scaled to all; ours is timed in full, on its usual threads. CPU seconds are listed too,
because they depend less on other work on the machine.
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
from pitbook.hands.batch import choices
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
        with empty_caches():
            first_times, edge = time_run(lambda: figures(sheet))  # noqa: B023
            changed_times, _ = time_run(lambda: figures(raise_top_pay(sheet)))  # noqa: B023
        plain_run = plain_sweep_times(sheet)
        times = f"{format_times(first_times)}{format_times(changed_times)}"
        columns = f"{times}{plain_run.cpu_seconds:>13,.0f}s"
        print(f"{sheet_id:<36}{edge:>9.4%}{columns}", flush=True)
        seconds_max = UTH_MAX if sheet_id == UTH else FIRST_MAX
        missed += [f"{sheet_id} first"] if first_times.wall_seconds > seconds_max else []
        missed += [f"{sheet_id} changed"] if changed_times.wall_seconds > CHANGED_MAX else []
    print(f"missed: {', '.join(missed)}" if missed else "all within their limits")
    return 1 if missed else 0


@contextmanager
def empty_caches() -> Iterator[None]:
    """Write counts to an empty folder, and clear the caches."""
    with TemporaryDirectory() as folder, patch(FOLDER, lambda purpose: Path(folder)):
        pairs_solve.deck_counts.cache_clear()
        boards_solve.stored_rows.cache_clear()
        yield


def figures(sheet: Sheet) -> float:
    game, method = choose_method(sheet)
    return float(method.figures(game, None).house_edge)


def raise_top_pay(sheet: Sheet) -> Sheet:
    """The sheet with its highest line paying one more."""
    pays = dict(sheet.main.pays)
    line = next(iter(pays))
    pay = pays[line]
    assert isinstance(pay, Odds)
    return with_pays(sheet, "main", {**pays, line: Odds(pay.to + pay.one, pay.one)})


class RunTimes(NamedTuple):
    """Wall and CPU seconds."""

    wall_seconds: float
    cpu_seconds: float


def format_times(times: RunTimes) -> str:
    return f"{times.wall_seconds:>9.2f}s ({times.cpu_seconds:5.2f}s)"


def time_run(run: Callable[[], float]) -> tuple[RunTimes, float]:
    start, cpu_start = perf_counter(), process_time()
    figure = run()
    return RunTimes(perf_counter() - start, process_time() - cpu_start), figure


# The floor --------------------------------------------------------------------------------------


def plain_sweep_times(sheet: Sheet) -> RunTimes:
    """Seconds for every showdown by NumPy, scaled from a few boards or hands."""
    game, _ = choose_method(sheet)
    dealer_game, rng = as_dealer_game(game), Random(SEED)
    if dealer_game is None:
        return RunTimes(0.0, 0.0)  # Single cards need no sweep.
    if dealer_game.common_cards:
        table = strength_of(dealer_game.best_cards, dealer_game.common_cards + 2, dealer_game.ace)
        boards = [rng.sample(DECK, 5) for _ in range(BOARDS)]
        times, _ = time_run(lambda: float(sum(compare_board(table, board) for board in boards)))
        return scale_times(times, UP_TO_SUITS / BOARDS)
    up = game.stages[0].opens[1]
    choices(
        52 - dealer_game.player_cards - up, dealer_game.dealer_cards - up
    )  # List the choices before timing.
    hands = [rng.sample(DECK, dealer_game.player_cards + up) for _ in range(HANDS)]
    times, _ = time_run(lambda: float(sum(compare_hand(dealer_game, hand, up) for hand in hands)))
    hands_in_all = (UP_TO_SUITS if dealer_game.player_cards == 5 else 1_755) * (47 if up else 1)
    return scale_times(times, hands_in_all / HANDS)


def scale_times(run_times: RunTimes, factor: float) -> RunTimes:
    return RunTimes(run_times.wall_seconds * factor, run_times.cpu_seconds * factor)


def compare_board(table: Strength, board: list[Card]) -> int:
    """All pairs of hole cards against all dealer pairs without shared cards."""
    unseen = [card for card in DECK if card not in board]
    pairs = np.array(unseen)[choices(len(unseen), 2)]
    classes = rank_hands(table, np.concatenate([np.tile(board, (len(pairs), 1)), pairs], axis=1))
    order = np.sort(classes)
    weaker = np.searchsorted(order, classes)
    not_stronger = np.searchsorted(order, classes, side="right")
    for column in range(2):  # Inclusion and exclusion, card by card.
        for card in unseen:
            has_card = (pairs == card).any(axis=1)
            their_classes = np.sort(classes[has_card])
            has_in_column = pairs[:, column] == card
            weaker[has_in_column] -= np.searchsorted(their_classes, classes[has_in_column])
            not_stronger[has_in_column] -= np.searchsorted(
                their_classes, classes[has_in_column], side="right"
            )
    return int(weaker.sum() + not_stronger.sum())


def compare_hand(dealer_game: DealerGame, hand: list[Card], up: int) -> int:
    """One hand against every hand that the dealer can have."""
    unseen = np.array([card for card in DECK if card not in hand])
    closed = dealer_game.dealer_cards - up
    dealer_hands = unseen[choices(len(unseen), closed)]
    open_cards = np.tile(hand[dealer_game.player_cards :], (len(dealer_hands), 1)).astype(np.int64)
    classes = rank_hands(
        strength_of(dealer_game.best_cards, dealer_game.dealer_cards, dealer_game.ace),
        np.concatenate([dealer_hands, open_cards], axis=1),
    )
    player_class = rank_hands(
        strength_of(dealer_game.best_cards, dealer_game.player_cards, dealer_game.ace),
        np.array([hand[: dealer_game.player_cards]]),
    )
    return int((classes < player_class[0]).sum())


def rank_hands(table: Strength, hands: Ints) -> Ints:
    keys = np.array(KEYS)[hands >> 2].sum(axis=1)
    best = table.by_ranks[keys]
    for suit in range(4):
        bits = np.where(hands & 3 == suit, 1 << (hands >> 2), 0).sum(axis=1)
        best = np.maximum(best, table.by_suit[bits])
    return np.asarray(best, np.int64)


if __name__ == "__main__":
    assert counts_folder("counting") is not None
    sys.exit(main())
