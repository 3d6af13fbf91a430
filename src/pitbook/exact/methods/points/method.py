"""The points method: one declaration, compared with the dealer's low or high hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import comb

from pitbook.exact.compiled_games import exact_stake, main_and_side_stakes
from pitbook.exact.methods.method import Advice, Method, Rates, join_reasons
from pitbook.exact.methods.points.solve import (
    best_play,
    count_tallies,
    play_table,
    play_value,
    round_figures,
    solve_game,
)
from pitbook.exact.methods.points.strategies import (
    follow,
    follow_rules,
    strategy_lines,
    strategy_names,
)
from pitbook.exact.methods.points.structure import (
    as_points_game,
    points_game,
    step_seconds,
    ways_to_hold,
)
from pitbook.exact.outcome_figures import Figures
from pitbook.exact.spots import Spot
from pitbook.hands.low_and_high import total
from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.rules.game import Game
from pitbook.sheets.phrases import advice_shoe_note
from pitbook.text import Sentence, say


def advise(game: Game, spot: Spot) -> Advice:
    """The exact value of every declaration, with and without the additional wager."""
    stake = spot.ante or exact_stake(game)
    tallies = count_tallies(game, spot.cards, spot.dead)
    table = play_table(game, stake, capped=spot.ante is not None, purse=spot.purse)
    values = {
        play: play_value(tallies[play.declaration], nets, stake) for play, nets in table.items()
    }
    best, points = best_play(values, game.sheet), points_game(game).shape.points
    low, high = total(spot.cards, points.low), total(spot.cards, points.high)
    why = explain_declaration(low, high, tallies, values, best)
    shoe_note = advice_shoe_note(game.sheet)
    text = say("form.spaced", parts=(why, shoe_note)) if shoe_note else why
    return Advice(values, best, text)


PAIRS_MAX = 150_000_000  # Pairs of a player's and a dealer's hand; a few seconds.


def _slow_work(game: Game) -> str | None:
    player_hands, dealer_hands = (comb(12 + place.cards, place.cards) for place in game.places)
    large = player_hands * dealer_hands > PAIRS_MAX
    return say("exact.large.hands", own=player_hands, dealers=dealer_hands) if large else None


def _seconds(game: Game) -> float:
    shape = points_game(game).shape
    return 1 + ways_to_hold(shape) * step_seconds(shape)


def _expected_value(game: Game, ante: Cents | None) -> Fraction:
    return solve_game(game, ante).expected


def _cached_expected(game: Game, ante: Cents | None, antes_left: int | None) -> Fraction:
    return solve_game(game, ante, purse=_purse(game, ante, antes_left)).expected


def _purse(game: Game, ante: Cents | None, antes_left: int | None) -> Cents | None:
    return None if antes_left is None else Cents(antes_left * (ante or exact_stake(game)))


def _figures(game: Game, ante: Cents | None) -> Figures:
    return follow(game, "best", ante).figures


def _rates(game: Game, ante: Cents | None) -> Rates:
    """How often each declaration wins."""
    figures = _figures(game, ante)
    rates: dict[int | str, Fraction] = {}
    for row in figures.rows:
        share = Fraction(row.count if row.result == "win" else 0, figures.rounds)
        rates[row.outcome] = rates.get(row.outcome, Fraction(0)) + share
    return rates


def _whole_round(
    game: Game, ante: Cents | None, side: Mapping[str, Cents], antes_left: int | None
) -> Figures:
    _, stakes = main_and_side_stakes(game, ante, side)
    return round_figures(solve_game(game, ante, purse=_purse(game, ante, antes_left)), stakes)


POINTS = Method(
    name="points",
    fits=lambda game: as_points_game(game) is not None,
    slow_work=_slow_work,
    seconds=_seconds,
    spot_seconds=lambda game: 2.0,
    expected=_expected_value,
    cached_expected=_cached_expected,
    figures=_figures,
    cached_figures=_figures,
    rates=_rates,
    fold_rates=None,
    whole_round=_whole_round,
    advise=advise,
    names=strategy_names,
    follow=follow,
    follow_rules=follow_rules,
    entries=strategy_lines,
)


def explain_declaration(
    low: int,
    high: int,
    tallies: Mapping[str, tuple[int, int, int]],
    values: Mapping[Play, Fraction],
    best: Play,
) -> Sentence:
    """The hand's points, how often it wins each way, and what doubling is worth."""
    declared = best.declaration
    wins, ties, losses = tallies[declared]
    share = _percent(Fraction(wins + ties, wins + ties + losses))
    points = {"low": low, "high": high, "apart": low != high}
    single, double = (
        _find_declaration(declared, values, raised=raised) for raised in (False, True)
    )
    assert single is not None
    text = say("exact.why.declared", declared=declared, share=share, **points)
    if double is None:
        return join_reasons([text])
    doubled = values[double] - values[single]
    worth = "wins" if doubled > 0 else "loses" if doubled < 0 else "even"
    return join_reasons([text, say("exact.why.double", worth=worth)])


def _find_declaration(declaration: str, plays: Iterable[Play], *, raised: bool) -> Play | None:
    return next(
        (play for play in plays if play.declaration == declaration and bool(play.puts) == raised),
        None,
    )


def _percent(fraction: Fraction) -> str:
    return f"{float(fraction) * 100:.2f}%"
