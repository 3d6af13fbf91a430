"""The pairs method: one decision against a dealer's hand."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from pitbook.exact.methods.dealer.common import DealerAnswers, cache_solutions, strategy_names
from pitbook.exact.methods.dealer.pairs_advice import advise
from pitbook.exact.methods.dealer.pairs_solve import (
    Solution,
    combined_figures,
    counts_key,
    required_shape,
    seconds,
    shape_of,
    solve,
)
from pitbook.exact.methods.dealer.pairs_strategies import follow, follow_rules, strategy_lines
from pitbook.exact.methods.dealer.stored_counts import is_stored
from pitbook.exact.methods.method import Method, Rates
from pitbook.rules.game import Game
from pitbook.text import say

SLOW_SECONDS = 2.0  # Seconds.


def _slow_work(game: Game) -> str | None:
    """What was counted before is read; little is counted at once."""
    form = required_shape(game)
    if seconds(form) < SLOW_SECONDS or is_stored(counts_key(form)):
        return None
    own, other = comb(52 - form.up, form.own), comb(52 - form.up, form.other - form.up)
    return say("exact.large.hands", own=own, dealers=other)


def _seconds(game: Game) -> float:
    return 1 + seconds(required_shape(game))


def _kind_rates(solution: Solution) -> Rates:
    """How often each kind is played."""
    found: dict[int | str, Fraction] = {}
    for play, sums in solution.event_counts.items():
        for kind, events in enumerate(sums if not play.folds else ()):
            found[kind] = found.get(kind, Fraction(0)) + Fraction(sum(events), solution.rounds)
    return found


ANSWERS = DealerAnswers(solve, cache_solutions(solve), _kind_rates, combined_figures)
PAIRS = Method(
    name="pairs",
    fits=lambda game: shape_of(game) is not None,
    slow_work=_slow_work,
    seconds=_seconds,
    spot_seconds=lambda game: 2.0,
    advise=advise,
    names=strategy_names,
    follow=follow,
    follow_rules=follow_rules,
    entries=strategy_lines,
    **ANSWERS.answers(),
)
