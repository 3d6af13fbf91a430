"""The answers for games of points: one declaration, and two duels with the dealer's hands."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb

from pitbook.exact.figures import Figures
from pitbook.exact.methods.method import Method, Rates
from pitbook.exact.methods.points.advice import advise
from pitbook.exact.methods.points.dealer_totals import step_seconds, ways_to_hold
from pitbook.exact.methods.points.followed import follow, follow_rules
from pitbook.exact.methods.points.solving import solve_game
from pitbook.exact.methods.points.strategies import entries, strategy_names
from pitbook.exact.methods.points.structure import pointed, pointed_of
from pitbook.exact.methods.points.whole_round import round_figures
from pitbook.exact.stakes import beside_one_dollar, exact_stake
from pitbook.money import Cents
from pitbook.rules.game import Game
from pitbook.text import say

__all__ = ["POINTS"]

PAIRS_MAX = 150_000_000  # Of a player's and a dealer's hand; a few seconds.


def _work(game: Game) -> str | None:
    own, dealers = (comb(12 + place.cards, place.cards) for place in game.places)
    large = own * dealers > PAIRS_MAX
    return say("exact.large.hands", own=own, dealers=dealers) if large else None


def _seconds(game: Game) -> float:
    form = pointed(game).shape
    return 1 + ways_to_hold(form) * step_seconds(form)


def _expected(game: Game, ante: Cents | None) -> Fraction:
    return solve_game(game, ante).expected


def _kept(game: Game, ante: Cents | None, room: int | None) -> Fraction:
    return solve_game(game, ante, purse=_purse(game, ante, room)).expected


def _purse(game: Game, ante: Cents | None, room: int | None) -> Cents | None:
    return None if room is None else Cents(room * (ante or exact_stake(game)))


def _figures(game: Game, ante: Cents | None) -> Figures:
    return follow(game, "best", ante).figures


def _rates(game: Game, ante: Cents | None) -> Rates:
    """How often each declaration wins."""
    figures = _figures(game, ante)
    found: dict[int | str, Fraction] = {}
    for row in figures.rows:
        share = Fraction(row.count if row.result == "win" else 0, figures.rounds)
        found[row.outcome] = found.get(row.outcome, Fraction(0)) + share
    return found


def _whole_round(
    game: Game, ante: Cents | None, side: Mapping[str, Cents], room: int | None
) -> Figures:
    _, stakes = beside_one_dollar(game, ante, side)
    return round_figures(solve_game(game, ante, purse=_purse(game, ante, room)), stakes)


POINTS = Method(
    name="points",
    fits=lambda game: pointed_of(game) is not None,
    work=_work,
    seconds=_seconds,
    spot_seconds=lambda game: 2.0,
    expected=_expected,
    kept=_kept,
    figures=_figures,
    kept_figures=_figures,
    rates=_rates,
    fold_rates=None,
    whole_round=_whole_round,
    advise=advise,
    names=strategy_names,
    follow=follow,
    follow_rules=follow_rules,
    entries=entries,
)
