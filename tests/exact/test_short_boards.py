"""The short strategy on a board: cards that beat a hand, counted again one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from tests.exact.duels import UTH
from tests.sheets.samples import sheet_of, text_of

from pitbook.cards import Card, cards
from pitbook.exact.methods.dealer.boards_solve import (
    RuleDecisions,
    Solution,
    plan_of,
    solve_decisions,
    stored_flops,
    sweep_uncached,
)
from pitbook.exact.methods.dealer.boards_strategies import short_strategy
from pitbook.exact.methods.dealer.boards_sweep import list_flops
from pitbook.exact.methods.dealer.common import DealerStrategy
from pitbook.exact.methods.dealer.structure import Terms
from pitbook.exact.strategies import follow
from pitbook.hands.kinds import Ace
from pitbook.hands.ranking import best_rank
from pitbook.rules.game import compile_game

SMALL_DECK = tuple(cards("As Ks Qs Js 9s 8s Ah Kd Kc 9h 7d"))  # Flushes, straights and pairs occur.


@pytest.mark.long
@pytest.mark.parametrize("outs_max", [0, 1, 2, 3])
def test_hand_folds_if_more_unseen_cards_beat_it(outs_max: int) -> None:
    plan = plan_of(Terms(compile_game(sheet_of(text_of(UTH))), None))
    ace = plan.terms.dealer_game.ace
    counts = [
        _outs(list(board), list(pair), ace)
        for board in combinations(SMALL_DECK, 5)
        for pair in combinations([card for card in SMALL_DECK if card not in board], 2)
    ]
    fold_share = Fraction(sum(outs > outs_max for outs in counts), len(counts))
    counts_swept = sweep_uncached(list_flops(SMALL_DECK), plan.river(listing=False), outs_max).swept
    assert Fraction(int(counts_swept.other.sum()), int(counts_swept.every.sum())) == fold_share
    assert 0 < fold_share < 1


def _outs(board: list[Card], pair: list[Card], ace: Ace) -> int:
    hand_rank = best_rank((*board, *pair), 5, ace)
    unseen = [card for card in SMALL_DECK if card not in board and card not in pair]
    return sum(best_rank((*board, card), 5, ace) > hand_rank for card in unseen)


@pytest.mark.slow
def test_ultimate_texas_holdem_river_rule_matches_published() -> None:
    """Wizard of Odds: raise with fewer than 21 dealer outs; the whole strategy costs 2.43%."""
    strategy = follow(sheet_of(text_of(UTH)))
    assert isinstance(strategy, DealerStrategy)
    solution = strategy.solution
    assert isinstance(solution, Solution)
    short = short_strategy(solution)
    assert short.outs_max == 20
    assert f"{float(-short.expected):.4%}" == "2.4202%"
    assert short.flop is not None
    assert solution.before_flop is not None
    for outs_max in (19, 21):
        rows = sweep_uncached(stored_flops(), solution.plan.river(listing=False), outs_max)
        decisions = RuleDecisions(solution.before_flop.best, short.flop.choices, ())
        assert solve_decisions(solution.plan, rows, decisions).expected < short.expected
