"""Run slow counts in a separate process and store them.

Run it as `python -m pitbook.exact.methods.count_process`. It reads the order from standard
input, as `format_order` writes it, and prints the progress of long counts: approximate seconds of
work done. It runs at low priority and can be terminated at any time: files are written atomically.
"""

from __future__ import annotations

import ast
import os
import signal
import sys
from types import FrameType
from typing import Any

from pitbook.cards import DECK
from pitbook.exact.long_computations import WorkPhase, watch_work
from pitbook.exact.methods.dealer import boards_solve as boards
from pitbook.exact.methods.dealer import pairs_solve as pairs
from pitbook.exact.methods.dealer.boards_solve import plan_of, solve
from pitbook.exact.methods.dealer.boards_strategies import play_values_at
from pitbook.exact.methods.dealer.boards_sweep import River
from pitbook.exact.methods.dealer.method import BOARDS, PAIRS
from pitbook.exact.methods.dealer.pairs_solve import Shape, required_shape
from pitbook.exact.methods.dealer.pairs_strategies import play_values_at as pair_worths_at
from pitbook.exact.methods.dealer.stored_counts import is_stored, load_or_count
from pitbook.exact.methods.dealer.structure import Terms
from pitbook.exact.methods.method import Method
from pitbook.rules.game import Game, compile_game
from pitbook.sheets.library import Library

NICE = 10
NO_DISK = 3


def format_order(order: tuple[object, ...]) -> str:
    """The key of the counts as a Python literal."""
    return repr(tuple(tuple(part) if isinstance(part, tuple) else part for part in order))


def make_counts(text: str) -> None:
    """Make the counts if they are not stored yet; exit with a code if no disk can store them."""
    structure: tuple[Any, ...] = ast.literal_eval(text)
    kind, values = structure[0], structure[1:]
    if kind == "boards":
        structure = boards.counts_key(River(*values[0]))
        with watch_work(ProgressPrinter().watch):
            boards.stored_rows(River(*values[0]))
    elif kind == "pairs":
        structure = pairs.counts_key(Shape(*values[0]))
        with watch_work(ProgressPrinter().watch):
            pairs.deck_counts(Shape(*values[0]))
    elif structure == boards.FLOPS_KEY:
        boards.stored_flops()
    else:
        load_or_count(structure, COMPILERS[values[0]], 0.0)
    if not is_stored(structure):
        raise SystemExit(NO_DISK)


def _compile_pairs() -> dict[str, Any]:
    game = _game_of(PAIRS)
    terms = Terms(game)
    assert pairs.solve(terms, SMALL_DECK).event_counts
    player_cards, dealer_cards = game.places[0].cards, game.places[-1].cards
    up = SMALL_DECK[player_cards : player_cards + required_shape(game).up]
    pair_worths_at(terms, SMALL_DECK[:player_cards], up, DECK[player_cards + dealer_cards + 1 :])
    return {}


def _compile_boards() -> dict[str, Any]:
    terms = Terms(_game_of(BOARDS))
    assert solve(terms, SMALL_DECK).deals.all()
    plan, dead = plan_of(terms), DECK[len(SMALL_DECK) :]
    for street, deal in enumerate(plan.streets):
        play_values_at(plan, street, SMALL_DECK[:2], SMALL_DECK[2 : 2 + deal.board_cards], dead)
    return {}


def _game_of(method: Method) -> Game:
    """The bundled game with the most decisions that a method fits."""
    sheets = (entry.sheet for entry in Library().entries())
    games = map(compile_game, filter(None, sheets))
    return max(filter(method.fits, games), key=lambda game: len(game.stages))


COMPILERS = {"pairs": _compile_pairs, "boards": _compile_boards}
SMALL_DECK = DECK[:12]


class ProgressPrinter:
    """Prints the approximate seconds of work done so far, one line after each part."""

    def __init__(self) -> None:
        self._finished = 0.0  # Seconds of earlier phases.
        self._phase: WorkPhase | None = None

    def watch(self, phase: WorkPhase, parts_done: int) -> None:
        """Print the progress in a phase."""
        if self._phase is not None and phase is not self._phase:
            self._finished += self._phase.seconds
        self._phase = phase
        done = self._finished + phase.seconds * parts_done / max(1, phase.total)
        sys.stdout.write(f"{done:.3f}\n")
        sys.stdout.flush()


def _exit_on_signal(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _exit_on_signal)
    if hasattr(os, "nice"):
        os.nice(NICE)
    make_counts(sys.stdin.read())
