"""The answers for hold'em against a dealer: a sweep over all boards, then products."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from importlib.util import find_spec

from pitbook.exact.figures import Figures
from pitbook.exact.methods.boards.advice import advise, solved
from pitbook.exact.methods.boards.rows import structure
from pitbook.exact.methods.boards.solving import plan_of, solve
from pitbook.exact.methods.boards.strategies import entries, follow, follow_rules
from pitbook.exact.methods.boards.structure import streets_of
from pitbook.exact.methods.duels.answers import names, refuse_together, shares
from pitbook.exact.methods.duels.kept import is_kept
from pitbook.exact.methods.duels.terms import Terms, told_apart
from pitbook.exact.methods.method import Method, Rates
from pitbook.game.description import Game
from pitbook.money import Cents

__all__ = ["BOARDS"]

FLOPS_AND_PAIRS = 1_286_792  # Up to suits.


def _work(game: Game) -> str | None:
    """A sweep over all boards, where none was made before."""
    if not find_spec("numba"):
        return "boards are swept by Numba alone"
    if is_kept(structure(plan_of(Terms(game)).river())):
        return None
    return f"{FLOPS_AND_PAIRS:,} flops and pairs of cards are followed to every board"


def _expected(game: Game, ante: Cents | None) -> Fraction:
    return solve(Terms(game, ante)).expected


def _kept(game: Game, ante: Cents | None, room: int | None) -> Fraction:
    return solved(game, ante, room).expected


def _figures(game: Game, ante: Cents | None) -> Figures:
    return solve(Terms(game, ante)).figures


def _kept_figures(game: Game, ante: Cents | None) -> Figures:
    return solved(game, ante, None).figures


def _rates(game: Game, ante: Cents | None) -> Rates:
    """How often each outcome wins or pushes, and how often a kind is told apart by its pay."""
    solution = solved(game, ante, None)
    found, cells = dict(shares(solution.figures)), solution.plan.cells
    for counts in solution.met.values():
        for cell, (kind, _) in enumerate(cells.shown):
            if sum(cell in row for row in cells.cells) == 1:
                share = Fraction(counts[cell], solution.rounds)
                found[kind] = found.get(kind, Fraction(0)) + share
    return found


def _fold_rates(game: Game, ante: Cents | None) -> dict[str, Fraction]:
    return solved(game, ante, None).fold_rates


def _whole_round(
    game: Game, ante: Cents | None, side: Mapping[str, Cents], room: int | None
) -> Figures:
    refuse_together(game, told_apart(game, side))
    terms = Terms(game, ante, side)
    if room is not None:
        terms = Terms(game, ante, side, Cents(room * terms.stake))
    return solve(terms).round_figures()


BOARDS = Method(
    name="boards",
    fits=lambda game: streets_of(game) is not None,
    work=_work,
    expected=_expected,
    kept=_kept,
    figures=_figures,
    kept_figures=_kept_figures,
    rates=_rates,
    fold_rates=_fold_rates,
    whole_round=_whole_round,
    advise=advise,
    names=names,
    follow=follow,
    follow_rules=follow_rules,
    entries=entries,
)
