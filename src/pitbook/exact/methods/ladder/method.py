"""The ladder method: a player's hand and a board, one deck, paid by kind of hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import Card, rank
from pitbook.exact.compiled_games import exact_stake, main_and_side_stakes
from pitbook.exact.methods.ladder.enumerate import enumerate_spot, round_figures
from pitbook.exact.methods.ladder.solve import (
    Solution,
    antes_or_none,
    cached_solution,
    endings,
    fold_rates,
    main_figures,
    preference_order,
    solve_terms,
)
from pitbook.exact.methods.ladder.strategies import (
    follow,
    follow_rules,
    strategy_lines,
    strategy_names,
)
from pitbook.exact.methods.ladder.structure import Purse, Terms, ladder_of
from pitbook.exact.methods.ladder.transitions import kind_counts
from pitbook.exact.methods.method import Advice, Method, Rates, gain_text, join_reasons, play_text
from pitbook.exact.outcome_figures import Figures
from pitbook.exact.spots import Spot
from pitbook.hands.kinds import Ace
from pitbook.hands.ranking import classes, rank_of
from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.rules.game import Game
from pitbook.rules.settlement_lines import KindPay, pay_by_kind
from pitbook.sheets.pay_tables import pay_value
from pitbook.sheets.phrases import outcome, pay_words
from pitbook.text import Sentence, say


def advise(game: Game, spot: Spot) -> Advice:
    """The exact value of every play, with the side wagers that it affects."""
    sheet = game.sheet
    stake, side = main_and_side_stakes(game, spot.ante, spot.side or {})
    all_terms = Terms(game, stake, spot.ante is not None, side)
    # A side wager that play does not affect adds the same to every play, so it is left out.
    affected = {wager: side[wager] for wager in all_terms.affected_side_wagers}
    terms = all_terms if affected == side else replace(all_terms, side=affected)
    street = len(spot.bets)
    purse = terms.empty_purse
    for stage, bet in enumerate(spot.bets):
        play = game.play(stage, bet)
        assert play is not None
        purse = terms.purse_after(stage, purse, play)
    if spot.purse is not None:
        terms = replace(terms, antes_left=antes_or_none(sheet, sum(purse) + spot.purse // stake))
    ace, cards_seen = terms.ace, spot.cards + spot.community
    place = rank_of(cards_seen, ace) if len(cards_seen) > 1 else _class_index(cards_seen[0], ace)
    full_deck = kind_counts(len(cards_seen), ace)[place]
    if spot.dead or terms.side:
        enumeration = enumerate_spot(terms, spot, purse=purse, street=street)
        plays, value, ways = enumeration.plays, enumeration.worth, enumeration.ways
        kinds = np.bincount(enumeration.kinds, minlength=len(full_deck))
    else:
        choice = cached_solution(sheet, spot.ante, terms.antes_left).streets[street][purse]
        plays, ways, kinds = choice.plays, choice.ways, full_deck
        value = tuple(int(worth_number) for worth_number in choice.worth[:, place])
    values = {p: Fraction(w, ways * stake) for p, w in zip(plays, value, strict=True)}
    best = max((plays[place] for place in preference_order(terms, plays)), key=values.__getitem__)
    ordered = {play: values[play] for play in sorted(values, key=lambda play: not play.folds)}
    chips = chips_left(terms, street, purse, spot.purse)
    return Advice(ordered, best, explain_play(terms, ordered, best, kinds, full_deck, chips=chips))


def _class_index(card: Card, ace: Ace) -> int:
    return next(n for n, hand in enumerate(classes(1, ace)) if hand.ranks[0] == rank(card))


def explain_play(
    terms: Terms,
    values: Mapping[Play, Fraction],
    best: Play,
    kinds: NDArray[Any],
    of_a_full_deck: NDArray[Any],
    *,
    chips: ChipsLeft | None = None,
) -> Sentence:
    """Explain a play: the made hand, what can still come, the money left, and what other plays
    cost.
    """
    if chips is not None and not chips.reaches:
        return join_reasons([chips.text, _compare_plays(terms, values, best)])
    pays = pay_by_kind(terms.sheet, "main")
    pay_counts = [(pays[kind], int(count)) for kind, count in enumerate(kinds) if count]
    # Dead cards can guarantee a hand that is not made yet.
    made_hand = _made_hand([pay for pay, count in zip(pays, of_a_full_deck, strict=True) if count])
    parts: list[str] = [made_hand] if made_hand else []
    wins, pushes, losses = (
        sum(n for pay, n in pay_counts if pay.result == result) for result in _RESULTS
    )
    ways = {"all": wins + pushes + losses, "won": wins, "pushed": pushes, "lost": losses}
    parts.append(say("exact.why.ends", **ways))
    parts += [chips.text] if chips else []
    parts.append(_compare_plays(terms, values, best))
    return join_reasons(parts)


class ChipsLeft(NamedTuple):
    """The money left to bet, and whether it pays for every bet to the showdown."""

    text: Sentence
    reaches: bool


def chips_left(terms: Terms, street: int, purse: Purse, budget: Cents | None) -> ChipsLeft | None:
    """The money left to bet, or None if it pays for every bet still to come."""
    if budget is None or terms.antes_left is None:
        return None
    antes_left, bets = terms.antes_left - sum(purse), terms.bets[street:]
    least = sum(min(street_bets, default=0) for street_bets in bets)
    if antes_left >= sum(max(street_bets, default=0) for street_bets in bets):
        return None
    if antes_left >= least:
        return ChipsLeft(say("exact.why.not-every-bet", left=budget), reaches=True)
    cost = least * terms.ante
    return ChipsLeft(say("exact.why.no-showdown", left=budget, cost=cost), reaches=False)


_RESULTS = ("win", "push", "lose")


def _made_hand(pays: list[KindPay]) -> Sentence | None:
    """The worst result the hand can still end with, if it isn't a loss."""
    pay = min(pays, key=lambda pay: pay_value("push" if pay.result == "push" else pay.odds))
    if pay.result == "lose":
        return None
    sure = pay_words("push" if pay.result == "push" else pay.odds)
    return say("exact.why.made", hand=outcome(pay.outcome), sure=sure)


def _compare_plays(terms: Terms, values: Mapping[Play, Fraction], best: Play) -> Sentence:
    if len(values) == 1:
        return say("exact.why.only", best=play_text(best))
    others = [play for play in values if play != best]
    alternative = next(
        (play for play in others if play.folds), max(others, key=lambda play: values[play])
    )
    gain, unit = values[best] - values[alternative], terms.sheet.unit[1]
    if best.folds:
        saved = {"gained": f"{float(gain):.4f}", "unit": unit}
        return say("exact.why.fold-saves", other=play_text(alternative), **saved)
    alternative_text = say("exact.why.a-fold") if alternative.folds else play_text(alternative)
    return gain_text(gain, unit, best, alternative_text)


SECONDS_A_BET = 5e-4  # With big integers, for every hand.
CHOICES_MAX = 20_000  # Of a total bet so far and a bet, in numbers beyond 64 bits.


def _solve(game: Game, ante: Cents | None) -> Solution:
    return solve_terms(Terms(game, ante or exact_stake(game), ante is not None, {}))


def _slow_work(game: Game) -> str | None:
    """The number of bets to evaluate, or None if the numbers fit in 64 bits or there are few."""
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
    """How often each kind reaches the showdown."""
    ends = list(endings(cached_solution(game.sheet, ante)))
    rounds = sum(ending.count for ending in ends)
    rates: dict[int | str, Fraction] = {}
    for ending in ends:
        if ending.kind is not None:
            rates[ending.kind] = rates.get(ending.kind, Fraction(0)) + Fraction(
                ending.count, rounds
            )
    return rates


def _whole_round(
    game: Game, ante: Cents | None, side: Mapping[str, Cents], antes_left: int | None
) -> Figures:
    stake, stakes = main_and_side_stakes(game, ante, side)
    return round_figures(Terms(game, stake, ante is not None, stakes, antes_left))


LADDER = Method(
    name="ladder",
    fits=lambda game: ladder_of(game) is not None,
    slow_work=_slow_work,
    seconds=_seconds,
    spot_seconds=_seconds,
    expected=lambda game, ante: _solve(game, ante).expected,
    cached_expected=lambda game, ante, antes_left: (
        cached_solution(game.sheet, ante, antes_left).expected
    ),
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
