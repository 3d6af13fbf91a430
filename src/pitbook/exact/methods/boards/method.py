"""The answers for hold'em against a dealer: a sweep over all boards, then products."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from pitbook.exact.methods.boards.advice import SECONDS_A_BOARD, advise, solved
from pitbook.exact.methods.boards.rows import structure
from pitbook.exact.methods.boards.solving import Solution, plan_of, solve
from pitbook.exact.methods.boards.strategies import entries, follow, follow_rules
from pitbook.exact.methods.boards.structure import streets_of
from pitbook.exact.methods.duels.answers import names
from pitbook.exact.methods.duels.kept import is_kept
from pitbook.exact.methods.duels.method import Solving
from pitbook.exact.methods.duels.terms import Terms
from pitbook.exact.methods.method import Method, Rates
from pitbook.rules.game import Game
from pitbook.text import say

__all__ = ["BOARDS"]

FLOPS_AND_PAIRS = 1_286_792  # Up to suits.
SWEEP_SECONDS = 10.0


def _work(game: Game) -> str | None:
    """A sweep over all boards, where none was made before."""
    if is_kept(structure(plan_of(Terms(game)).river())):
        return None
    return say("exact.large.boards", spots=FLOPS_AND_PAIRS)


def _kinds(solution: Solution) -> Rates:
    """How often a kind comes that is told apart by its pay."""
    found: dict[int | str, Fraction] = {}
    cells = solution.plan.cells
    for counts in solution.met.values():
        for cell, (kind, _) in enumerate(cells.shown):
            if sum(cell in row for row in cells.cells) == 1:
                share = Fraction(counts[cell], solution.rounds)
                found[kind] = found.get(kind, Fraction(0)) + share
    return found


SOLVING = Solving(solve, solved, _kinds)
BOARDS = Method(
    name="boards",
    fits=lambda game: streets_of(game) is not None,
    work=_work,
    seconds=lambda game: 2 + SWEEP_SECONDS,
    spot_seconds=lambda game: 2 + SECONDS_A_BOARD * comb(50, 5),
    advise=advise,
    names=names,
    follow=follow,
    follow_rules=follow_rules,
    entries=entries,
    **SOLVING.answers(),
)
