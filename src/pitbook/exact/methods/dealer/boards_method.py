"""The boards method: hold'em against a dealer, by a sweep over all boards."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from pitbook.exact.methods.dealer.boards_advice import SECONDS_A_BOARD, advise, cached_solution
from pitbook.exact.methods.dealer.boards_solve import (
    Solution,
    counts_key,
    plan_of,
    solve,
    streets_of,
)
from pitbook.exact.methods.dealer.boards_strategies import follow, follow_rules, strategy_lines
from pitbook.exact.methods.dealer.common import DealerAnswers, strategy_names
from pitbook.exact.methods.dealer.stored_counts import is_stored
from pitbook.exact.methods.dealer.structure import Terms
from pitbook.exact.methods.method import Method, Rates
from pitbook.rules.game import Game
from pitbook.text import say

FLOPS_AND_PAIRS = 1_286_792  # Up to suits.
SWEEP_SECONDS = 10.0


def _slow_work(game: Game) -> str | None:
    """A sweep over all boards, where none was made before."""
    if is_stored(counts_key(plan_of(Terms(game)).river())):
        return None
    return say("exact.large.boards", spots=FLOPS_AND_PAIRS)


def _kind_rates(solution: Solution) -> Rates:
    """How often a kind comes that is told apart by its pay."""
    found: dict[int | str, Fraction] = {}
    cells = solution.plan.cells
    for counts in solution.event_counts.values():
        for cell, (kind, _) in enumerate(cells.shown):
            if sum(cell in row for row in cells.cells) == 1:
                share = Fraction(counts[cell], solution.rounds)
                found[kind] = found.get(kind, Fraction(0)) + share
    return found


ANSWERS = DealerAnswers(solve, cached_solution, _kind_rates)
BOARDS = Method(
    name="boards",
    fits=lambda game: streets_of(game) is not None,
    slow_work=_slow_work,
    seconds=lambda game: 2 + SWEEP_SECONDS,
    spot_seconds=lambda game: 2 + SECONDS_A_BOARD * comb(50, 5),
    advise=advise,
    names=strategy_names,
    follow=follow,
    follow_rules=follow_rules,
    entries=strategy_lines,
    **ANSWERS.answers(),
)
