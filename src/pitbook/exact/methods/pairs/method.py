"""The answers for one decision against a dealer's hand, counted by inclusion and exclusion."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from importlib.util import find_spec
from math import comb

from pitbook.exact.figures import Figures
from pitbook.exact.methods.duels.answers import names, refuse_together, shares
from pitbook.exact.methods.duels.kept import is_kept
from pitbook.exact.methods.duels.terms import Terms, told_apart
from pitbook.exact.methods.method import Method, Rates
from pitbook.exact.methods.pairs.advice import advise
from pitbook.exact.methods.pairs.counting import seconds
from pitbook.exact.methods.pairs.solving import Solution, solve, structure
from pitbook.exact.methods.pairs.strategies import entries, follow, follow_rules
from pitbook.exact.methods.pairs.structure import shape, shape_of
from pitbook.game.description import Game
from pitbook.money import Cents

__all__ = ["PAIRS"]


LONG = 2.0  # Seconds.


def _work(game: Game) -> str | None:
    """What was counted before is read; little is counted at once."""
    form = shape(game)
    if not find_spec("numba"):
        return "the dealer's hands are counted by Numba alone"
    if seconds(form) < LONG or is_kept(structure(form)):
        return None
    own, other = comb(52 - form.up, form.own), comb(52 - form.up, form.other - form.up)
    return f"{own:,} hands meet {other:,} of the dealer's"


@lru_cache(maxsize=16)
def _solved(game: Game, ante: Cents | None, room: int | None) -> Solution:
    terms = Terms(game, ante)
    if room is not None:
        terms = Terms(game, ante, purse=Cents(room * terms.stake))
    return solve(terms)


def _expected(game: Game, ante: Cents | None) -> Fraction:
    return solve(Terms(game, ante)).expected


def _kept(game: Game, ante: Cents | None, room: int | None) -> Fraction:
    return _solved(game, ante, room).expected


def _figures(game: Game, ante: Cents | None) -> Figures:
    return solve(Terms(game, ante)).figures


def _kept_figures(game: Game, ante: Cents | None) -> Figures:
    return _solved(game, ante, None).figures


def _rates(game: Game, ante: Cents | None) -> Rates:
    """How often each outcome wins or pushes, and how often each kind is played."""
    solution = _solved(game, ante, None)
    found = dict(shares(solution.figures))
    for play, sums in solution.met.items():
        for kind, events in enumerate(sums if not play.folds else ()):
            share = Fraction(sum(events), solution.rounds)
            found[kind] = found.get(kind, Fraction(0)) + share
    return found


def _fold_rates(game: Game, ante: Cents | None) -> dict[str, Fraction]:
    return {game.stages[0].id: _solved(game, ante, None).fold_rate}


def _whole_round(
    game: Game, ante: Cents | None, side: Mapping[str, Cents], room: int | None
) -> Figures:
    refuse_together(game, told_apart(game, side))
    terms = Terms(game, ante, side)
    if room is not None:
        terms = Terms(game, ante, side, Cents(room * terms.stake))
    return solve(terms).round_figures()


PAIRS = Method(
    name="pairs",
    fits=lambda game: shape_of(game) is not None,
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
