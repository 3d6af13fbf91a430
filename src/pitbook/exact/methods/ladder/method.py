"""The ladder method: own cards and a board, one deck, paid by kind of hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import Card, rank
from pitbook.exact.figures import Figures
from pitbook.exact.games import exact_stake, main_and_side_stakes
from pitbook.exact.methods.ladder.enumerate import enumerate_spot, round_figures
from pitbook.exact.methods.ladder.solve import (
    Solution,
    cached_solution,
    endings,
    fold_rates,
    main_figures,
    preference_order,
    room_or_none,
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
from pitbook.exact.spots import Spot
from pitbook.hands.kinds import Ace
from pitbook.hands.ranking import classes, rank_of
from pitbook.money import Cents
from pitbook.rules.game import Game
from pitbook.rules.plays import Play
from pitbook.rules.pricing import KindPay, pay_by_kind
from pitbook.sheets.pay_tables import pay_value
from pitbook.sheets.prose.words import outcome, pay_words
from pitbook.text import Sentence, say


def advise(game: Game, spot: Spot) -> Advice:
    """The exact value of every play, with the side wagers that it touches."""
    sheet = game.sheet
    stake, side = main_and_side_stakes(game, spot.ante, spot.side or {})
    every = Terms(game, stake, spot.ante is not None, side)
    # A side wager that plays on whatever is done adds the same to every play: it is left out.
    touched = {wager: side[wager] for wager in every.affected_side_wagers}
    terms = every if touched == side else replace(every, side=touched)
    street = len(spot.bets)
    purse = terms.nothing_bet
    for stage, bet in enumerate(spot.bets):
        made = game.play(stage, bet)
        assert made is not None
        purse = terms.purse_after(stage, purse, made)
    if spot.purse is not None:
        terms = replace(terms, room=room_or_none(sheet, sum(purse) + spot.purse // stake))
    ace, seen = terms.ace, spot.cards + spot.community
    place = rank_of(seen, ace) if len(seen) > 1 else _class_index(seen[0], ace)
    full_deck = kind_counts(len(seen), ace)[place]
    if spot.dead or terms.side:
        found = enumerate_spot(terms, spot, purse=purse, street=street)
        plays, worth, ways = found.plays, found.worth, found.ways
        kinds = np.bincount(found.kinds, minlength=len(full_deck))
    else:
        choice = cached_solution(sheet, spot.ante, terms.room).streets[street][purse]
        plays, ways, kinds = choice.plays, choice.ways, full_deck
        worth = tuple(int(one) for one in choice.worth[:, place])
    values = {p: Fraction(w, ways * stake) for p, w in zip(plays, worth, strict=True)}
    best = max((plays[place] for place in preference_order(terms, plays)), key=values.__getitem__)
    ordered = {play: values[play] for play in sorted(values, key=lambda play: not play.folds)}
    chips = chips_left(terms, street, purse, spot.purse)
    return Advice(ordered, best, explain_play(terms, ordered, best, kinds, full_deck, chips=chips))


def _class_index(card: Card, ace: Ace) -> int:
    return next(n for n, one in enumerate(classes(1, ace)) if one.ranks[0] == rank(card))


def explain_play(
    terms: Terms,
    values: Mapping[Play, Fraction],
    best: Play,
    kinds: NDArray[Any],
    of_a_full_deck: NDArray[Any],
    *,
    chips: ChipsLeft | None = None,
) -> Sentence:
    """What is made already, how the rest can come, what is left to bet, what other plays cost."""
    if chips is not None and not chips.reaches:
        return join_reasons([chips.text, _compare_plays(terms, values, best)])
    pays = pay_by_kind(terms.sheet, "main")
    ends = [(pays[kind], int(count)) for kind, count in enumerate(kinds) if count]
    # Dead cards can make a hand sure that is not made.
    made = _made_hand([pay for pay, count in zip(pays, of_a_full_deck, strict=True) if count])
    parts: list[str] = [made] if made else []
    won, pushed, lost = (sum(n for pay, n in ends if pay.result == one) for one in _RESULTS)
    ways = {"all": won + pushed + lost, "won": won, "pushed": pushed, "lost": lost}
    parts.append(say("exact.why.ends", **ways))
    parts += [chips.text] if chips else []
    parts.append(_compare_plays(terms, values, best))
    return join_reasons(parts)


class ChipsLeft(NamedTuple):
    """What is left to bet with, and whether it takes the hand to its showdown."""

    text: Sentence
    reaches: bool


def chips_left(terms: Terms, street: int, purse: Purse, left: Cents | None) -> ChipsLeft | None:
    """What is left to bet with, where that does not pay for every bet still to come."""
    if left is None or terms.room is None:
        return None
    room, bets = terms.room - sum(purse), terms.bets[street:]
    least = sum(min(one, default=0) for one in bets)
    if room >= sum(max(one, default=0) for one in bets):
        return None
    if room >= least:
        return ChipsLeft(say("exact.why.not-every-bet", left=left), reaches=True)
    cost = least * terms.ante
    return ChipsLeft(say("exact.why.no-showdown", left=left, cost=cost), reaches=False)


_RESULTS = ("win", "push", "lose")


def _made_hand(ends: list[KindPay]) -> Sentence | None:
    """What the hand cannot lose any more."""
    pay = min(ends, key=lambda end: pay_value("push" if end.result == "push" else end.odds))
    if pay.result == "lose":
        return None
    sure = pay_words("push" if pay.result == "push" else pay.odds)
    return say("exact.why.made", hand=outcome(pay.outcome), sure=sure)


def _compare_plays(terms: Terms, values: Mapping[Play, Fraction], best: Play) -> Sentence:
    if len(values) == 1:
        return say("exact.why.only", best=play_text(best))
    others = [play for play in values if play != best]
    other = next(
        (play for play in others if play.folds), max(others, key=lambda play: values[play])
    )
    gained, unit = values[best] - values[other], terms.sheet.unit[1]
    if best.folds:
        saved = {"gained": f"{float(gained):.4f}", "unit": unit}
        return say("exact.why.fold-saves", other=play_text(other), **saved)
    versus = say("exact.why.a-fold") if other.folds else play_text(other)
    return gain_text(gained, unit, best, versus)


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
