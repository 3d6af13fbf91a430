"""The short strategy of a board: cards that beat a hand, counted again one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from tests.exact.fights import UTH
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

FEW = tuple(cards("As Ks Qs Js 9s 8s Ah Kd Kc 9h 7d"))  # Flushes, straights and pairs come up.


@pytest.mark.long
@pytest.mark.parametrize("outs_max", [0, 1, 2, 3])
def test_a_hand_is_given_up_that_more_unseen_cards_beat(outs_max: int) -> None:
    plan = plan_of(Terms(compile_game(sheet_of(text_of(UTH))), None))
    ace = plan.terms.fight.ace
    counts = [
        _outs(list(board), list(pair), ace)
        for board in combinations(FEW, 5)
        for pair in combinations([card for card in FEW if card not in board], 2)
    ]
    given_up = Fraction(sum(one > outs_max for one in counts), len(counts))
    swept = sweep_uncached(list_flops(FEW), plan.river(listing=False), outs_max).swept
    assert Fraction(int(swept.other.sum()), int(swept.every.sum())) == given_up
    assert 0 < given_up < 1


def _outs(board: list[Card], pair: list[Card], ace: Ace) -> int:
    own = best_rank((*board, *pair), 5, ace)
    unseen = [card for card in FEW if card not in board and card not in pair]
    return sum(best_rank((*board, card), 5, ace) > own for card in unseen)


@pytest.mark.slow
def test_the_rivers_rule_of_ultimate_texas_holdem_is_the_known_one() -> None:
    """Wizard of Odds: raise with fewer than 21 outs of the dealer's; all of it 2.43%."""
    followed = follow(sheet_of(text_of(UTH)))
    assert isinstance(followed, DealerStrategy)
    solution = followed.solution
    assert isinstance(solution, Solution)
    short = short_strategy(solution)
    assert short.outs_max == 20
    assert f"{float(-short.expected):.4%}" == "2.4202%"
    assert short.flop is not None
    assert solution.before is not None
    for other in (19, 21):
        rows = sweep_uncached(stored_flops(), solution.plan.river(listing=False), other)
        said = RuleDecisions(solution.before.best, short.flop.made, ())
        assert solve_decisions(solution.plan, rows, said).expected < short.expected
