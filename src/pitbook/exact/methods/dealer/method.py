"""The two methods against a dealer's hand: pairs (one decision) and boards (hold'em)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, Generic

from pitbook.exact.methods.dealer import boards_solve as boards
from pitbook.exact.methods.dealer import boards_strategies, pairs_strategies
from pitbook.exact.methods.dealer import pairs_solve as pairs
from pitbook.exact.methods.dealer.common import (
    CachedSolution,
    Solution,
    cache_solutions,
    outcome_rates,
    refuse_combined,
    strategy_names,
    terms_with_antes,
)
from pitbook.exact.methods.dealer.stored_counts import is_stored
from pitbook.exact.methods.dealer.structure import Terms, side_wagers_on_other_hands
from pitbook.exact.methods.method import Method, Rates
from pitbook.exact.outcome_figures import Figures
from pitbook.money import Cents
from pitbook.rules.game import Game
from pitbook.text import say


@dataclass(frozen=True)
class DealerAnswers(Generic[Solution]):
    """Answers to all of a method's questions, from one way to solve a game."""

    solve: Callable[[Terms], Solution]
    cached: CachedSolution[Solution]
    kind_rates: Callable[[Solution], Rates]  # How often each kind decides, in addition to outcomes.
    combined: Callable[[Terms], Figures] | None = None  # For wagers on other hands, if supported.

    def answers(self) -> dict[str, Any]:
        """The answers by the names of the Method fields."""
        return {
            "expected": lambda game, ante: self.solve(Terms(game, ante)).expected,
            "cached_expected": lambda game, ante, antes_left: (
                self.cached(game, ante, antes_left).expected
            ),
            "figures": lambda game, ante: self.solve(Terms(game, ante)).figures,
            "cached_figures": lambda game, ante: self.cached(game, ante, None).figures,
            "fold_rates": lambda game, ante: self.cached(game, ante, None).fold_rates,
            "rates": self._rates,
            "whole_round": self._whole_round,
        }

    def _rates(self, game: Game, ante: Cents | None) -> Rates:
        solution = self.cached(game, ante, None)
        rates = dict(outcome_rates(solution.figures))
        for kind, share in self.kind_rates(solution).items():
            rates[kind] = rates.get(kind, Fraction(0)) + share
        return rates

    def _whole_round(
        self, game: Game, ante: Cents | None, side: Mapping[str, Cents], antes_left: int | None
    ) -> Figures:
        terms = terms_with_antes(game, ante, side, antes_left)
        separate = side_wagers_on_other_hands(game, side)
        if separate and self.combined is not None:
            return self.combined(terms)
        refuse_combined(game, separate)
        return self.solve(terms).round_figures()


SLOW_SECONDS = 2.0


def _pairs_slow_work(game: Game) -> str | None:
    """The number of hands to count, or None if they are stored or few."""
    shape = pairs.required_shape(game)
    if pairs.seconds(shape) < SLOW_SECONDS or is_stored(pairs.counts_key(shape)):
        return None
    player_hands = comb(52 - shape.up, shape.player_cards)
    dealer_hands = comb(52 - shape.up, shape.dealer_cards - shape.up)
    return say("exact.large.hands", own=player_hands, dealers=dealer_hands)


def _pairs_seconds(game: Game) -> float:
    return 1 + pairs.seconds(pairs.required_shape(game))


def _pairs_kind_rates(solution: pairs.Solution) -> Rates:
    """How often each kind is played."""
    rates: dict[int | str, Fraction] = {}
    for play, sums in solution.event_counts.items():
        for kind, events in enumerate(sums if not play.folds else ()):
            rates[kind] = rates.get(kind, Fraction(0)) + Fraction(sum(events), solution.rounds)
    return rates


PAIRS_ANSWERS = DealerAnswers(
    pairs.solve, cache_solutions(pairs.solve), _pairs_kind_rates, pairs.combined_figures
)
PAIRS = Method(
    name="pairs",
    fits=lambda game: pairs.shape_of(game) is not None,
    slow_work=_pairs_slow_work,
    seconds=_pairs_seconds,
    spot_seconds=lambda game: 2.0,
    advise=pairs_strategies.advise,
    names=strategy_names,
    follow=pairs_strategies.follow,
    follow_rules=pairs_strategies.follow_rules,
    entries=pairs_strategies.strategy_lines,
    **PAIRS_ANSWERS.answers(),
)


FLOPS_AND_PAIRS = 1_286_792  # Up to suits.
SWEEP_SECONDS = 10.0


def _boards_slow_work(game: Game) -> str | None:
    """The number of spots to sweep, or None if the sweep is stored."""
    if is_stored(boards.counts_key(boards.plan_of(Terms(game)).river())):
        return None
    return say("exact.large.boards", spots=FLOPS_AND_PAIRS)


def _boards_kind_rates(solution: boards.Solution) -> Rates:
    """How often each kind occurs whose pay differs from all others'."""
    rates: dict[int | str, Fraction] = {}
    cells = solution.plan.cells
    for counts in solution.event_counts.values():
        for cell, (kind, _) in enumerate(cells.examples_by_cell):
            if sum(cell in row for row in cells.cells) == 1:
                share = Fraction(counts[cell], solution.rounds)
                rates[kind] = rates.get(kind, Fraction(0)) + share
    return rates


BOARDS_ANSWERS = DealerAnswers(boards.solve, boards_strategies.cached_solution, _boards_kind_rates)
BOARDS = Method(
    name="boards",
    fits=lambda game: boards.streets_of(game) is not None,
    slow_work=_boards_slow_work,
    seconds=lambda game: 2 + SWEEP_SECONDS,
    spot_seconds=lambda game: 2 + boards_strategies.SECONDS_A_BOARD * comb(50, 5),
    advise=boards_strategies.advise,
    names=strategy_names,
    follow=boards_strategies.follow,
    follow_rules=boards_strategies.follow_rules,
    entries=boards_strategies.strategy_lines,
    **BOARDS_ANSWERS.answers(),
)
