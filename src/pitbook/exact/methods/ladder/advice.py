"""The value of every play at a spot on a ladder, and why the best one is best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import Card, rank
from pitbook.exact.games import main_and_side_stakes
from pitbook.exact.methods.ladder.enumerate import enumerate_spot
from pitbook.exact.methods.ladder.solve import cached_solution, preference_order, room_or_none
from pitbook.exact.methods.ladder.structure import Purse, Terms
from pitbook.exact.methods.ladder.transitions import kind_counts
from pitbook.exact.methods.method import Advice, gain_text, join_reasons, play_text
from pitbook.exact.spots import Spot
from pitbook.hands.kinds import Ace
from pitbook.hands.ranking import classes, rank_of
from pitbook.money import Cents
from pitbook.rules.game import Game
from pitbook.rules.plays import Play
from pitbook.rules.pricing import KindPay, pay_by_kind
from pitbook.sheets.aloud.words import outcome, paid
from pitbook.sheets.pays import worth
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
    pay = min(ends, key=lambda end: worth("push" if end.result == "push" else end.odds))
    if pay.result == "lose":
        return None
    sure = paid("push" if pay.result == "push" else pay.odds)
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
