"""Counts made in a process of their own, and kept: `python -m pitbook.exact.methods.counted`.

What is wanted comes on standard input, as `written` has it. It gives way to all other work of the
machine, and ends at once where it is told to, with nothing half written.
"""

from __future__ import annotations

import ast
import os
import signal
import sys
from types import FrameType
from typing import Any

from pitbook.cards import DECK
from pitbook.exact.methods.boards import rows as boards
from pitbook.exact.methods.boards.advice import worths_at
from pitbook.exact.methods.boards.counting import River
from pitbook.exact.methods.boards.method import BOARDS
from pitbook.exact.methods.boards.solving import plan_of, solve
from pitbook.exact.methods.duels.kept import is_kept, kept
from pitbook.exact.methods.duels.terms import Terms
from pitbook.exact.methods.method import Method
from pitbook.exact.methods.pairs import solving as pairs
from pitbook.exact.methods.pairs.advice import worths_at as worths_with
from pitbook.exact.methods.pairs.counting import Shape
from pitbook.exact.methods.pairs.method import PAIRS
from pitbook.exact.methods.pairs.structure import shape
from pitbook.rules.bind import bind
from pitbook.rules.game import Game
from pitbook.sheets.library import Library

__all__ = ["make", "written"]

NICE = 10
NO_DISK = 3


def written(order: tuple[object, ...]) -> str:
    """Which counts, as text: plain values."""
    return repr(tuple(tuple(part) if isinstance(part, tuple) else part for part in order))


def make(text: str) -> None:
    """Make the counts if they are not stored yet; exit with a code if no disk can store them."""
    structure: tuple[Any, ...] = ast.literal_eval(text)
    kind, values = structure[0], structure[1:]
    if kind == "boards":
        structure = boards.structure(River(*values[0]))
        boards.kept_rows(River(*values[0]))
    elif kind == "pairs":
        structure = pairs.structure(Shape(*values[0]))
        pairs.counts_of(Shape(*values[0]))
    elif structure == boards.FLOPS:
        boards.full_deck()
    else:
        kept(structure, COMPILERS[values[0]], 0.0)
    if not is_kept(structure):
        raise SystemExit(NO_DISK)


def _compile_pairs() -> dict[str, Any]:
    game = _game_of(PAIRS)
    terms = Terms(game)
    assert pairs.solve(terms, FEW).met
    player_cards, dealer_cards = game.places[0].cards, game.places[-1].cards
    up = FEW[player_cards : player_cards + shape(game).up]
    worths_with(terms, FEW[:player_cards], up, DECK[player_cards + dealer_cards + 1 :])
    return {}


def _compile_boards() -> dict[str, Any]:
    terms = Terms(_game_of(BOARDS))
    assert solve(terms, FEW).deals.all()
    plan, gone = plan_of(terms), DECK[len(FEW) :]
    for street, deal in enumerate(plan.streets):
        worths_at(plan, street, FEW[:2], FEW[2 : 2 + deal.seen], gone)
    return {}


def _game_of(method: Method) -> Game:
    """Of the bundled games that a method fits, the one with the most decisions."""
    sheets = (entry.sheet for entry in Library().entries())
    games = map(bind, filter(None, sheets))
    return max(filter(method.fits, games), key=lambda game: len(game.stages))


COMPILERS = {"pairs": _compile_pairs, "boards": _compile_boards}
FEW = DECK[:12]


def _end(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _end)
    if hasattr(os, "nice"):
        os.nice(NICE)
    make(sys.stdin.read())
