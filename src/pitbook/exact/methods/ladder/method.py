"""The ladder method: own cards and a board, one deck, paid by kind of hand."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from pitbook.exact.figures import Figures
from pitbook.exact.games import exact_stake, main_and_side_stakes
from pitbook.exact.methods.ladder.advice import advise
from pitbook.exact.methods.ladder.enumerate import round_figures
from pitbook.exact.methods.ladder.solve import (
    Solution,
    cached_solution,
    endings,
    fold_rates,
    main_figures,
    solve_terms,
)
from pitbook.exact.methods.ladder.strategies import (
    follow,
    follow_rules,
    strategy_lines,
    strategy_names,
)
from pitbook.exact.methods.ladder.structure import Terms, ladder_of
from pitbook.exact.methods.method import Method, Rates
from pitbook.money import Cents
from pitbook.rules.game import Game
from pitbook.text import say

SECONDS_A_BET = 5e-4  # With big integers, for every hand.
CHOICES_MAX = 20_000  # Of a sum bet so far and a bet, in numbers beyond a machine's.


def _solve(game: Game, ante: Cents | None) -> Solution:
    return solve_terms(Terms(game, ante or exact_stake(game), ante is not None, {}))


def _slow_work(game: Game) -> str | None:
    """Every sum bet so far times every multiple, over all streets, where the numbers are large."""
    bet_count, large = _bets_per_hand(game)
    return say("exact.large.bets", bets=bet_count) if large else None


def _seconds(game: Game) -> float:
    bet_count, large = _bets_per_hand(game)
    return 1 + (bet_count * SECONDS_A_BET if large else 0)


def _bets_per_hand(game: Game) -> tuple[int, bool]:
    """How many bets are evaluated per hand, and whether that needs big integers."""
    terms = Terms(game, exact_stake(game), capped=False, side={})
    purses, bet_count = {0}, 0
    for bets in terms.bets:
        bet_count += len(purses) * len(bets)
        purses = {purse + bet for purse in purses for bet in bets}
    return bet_count, terms.numbers is object and bet_count > CHOICES_MAX


def _fold_rates(game: Game, ante: Cents | None) -> dict[str, Fraction]:
    return fold_rates(cached_solution(game.sheet, ante))


def _rates(game: Game, ante: Cents | None) -> Rates:
    """How often each kind is shown down."""
    ends = list(endings(cached_solution(game.sheet, ante)))
    rounds = sum(one.count for one in ends)
    found: dict[int | str, Fraction] = {}
    for one in ends:
        if one.kind is not None:
            found[one.kind] = found.get(one.kind, Fraction(0)) + Fraction(one.count, rounds)
    return found


def _whole_round(
    game: Game, ante: Cents | None, side: Mapping[str, Cents], room: int | None
) -> Figures:
    stake, stakes = main_and_side_stakes(game, ante, side)
    return round_figures(Terms(game, stake, ante is not None, stakes, room))


LADDER = Method(
    name="ladder",
    fits=lambda game: ladder_of(game) is not None,
    slow_work=_slow_work,
    seconds=_seconds,
    spot_seconds=_seconds,
    expected=lambda game, ante: _solve(game, ante).expected,
    cached_expected=lambda game, ante, room: cached_solution(game.sheet, ante, room).expected,
    figures=lambda game, ante: main_figures(_solve(game, ante)),
    cached_figures=lambda game, ante: main_figures(cached_solution(game.sheet, ante)),
    fold_rates=_fold_rates,
    rates=_rates,
    whole_round=_whole_round,
    advise=advise,
    names=strategy_names,
    follow=follow,
    follow_rules=follow_rules,
    entries=strategy_lines,
)
