"""What every play on a street is worth, by the cards seen or by those that are left."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from pitbook.cards import Card, rank
from pitbook.exact.methods.ladder.enumerated import enumerate_spot
from pitbook.exact.methods.ladder.rungs import kind_counts
from pitbook.exact.methods.ladder.solved import enough, solved
from pitbook.exact.methods.ladder.solving import preferred
from pitbook.exact.methods.ladder.terms import Terms
from pitbook.exact.methods.ladder.why import chips_left, why_play
from pitbook.exact.methods.method import Advice
from pitbook.exact.spots import Spot
from pitbook.exact.stakes import beside_one_dollar
from pitbook.hands.kinds import Ace
from pitbook.hands.ranking import classes, rank_of
from pitbook.rules.game import Game

__all__ = ["advise"]


def advise(game: Game, spot: Spot) -> Advice:
    """The exact value of every play, with the side wagers that it touches."""
    sheet = game.sheet
    stake, side = beside_one_dollar(game, spot.ante, spot.side or {})
    every = Terms(game, stake, spot.ante is not None, side)
    # A side wager that plays on whatever is done adds the same to every play: it is left out.
    touched = {wager: side[wager] for wager in every.touched}
    terms = every if touched == side else replace(every, side=touched)
    street = len(spot.bets)
    purse = terms.nothing_bet
    for stage, bet in enumerate(spot.bets):
        made = game.play(stage, bet)
        assert made is not None
        purse = terms.after(stage, purse, made)
    if spot.purse is not None:
        terms = replace(terms, room=enough(sheet, sum(purse) + spot.purse // stake))
    ace, seen = terms.ace, spot.cards + spot.community
    place = rank_of(seen, ace) if len(seen) > 1 else _single(seen[0], ace)
    full_deck = kind_counts(len(seen), ace)[place]
    if spot.dead or terms.side:
        found = enumerate_spot(terms, spot, purse=purse, street=street)
        plays, worth, ways = found.plays, found.worth, found.ways
        kinds = np.bincount(found.kinds, minlength=len(full_deck))
    else:
        choice = solved(sheet, spot.ante, terms.room).streets[street][purse]
        plays, ways, kinds = choice.plays, choice.ways, full_deck
        worth = tuple(int(one) for one in choice.worth[:, place])
    values = {p: Fraction(w, ways * stake) for p, w in zip(plays, worth, strict=True)}
    best = max((plays[place] for place in preferred(terms, plays)), key=values.__getitem__)
    ordered = {play: values[play] for play in sorted(values, key=lambda play: not play.folds)}
    chips = chips_left(terms, street, purse, spot.purse)
    return Advice(ordered, best, why_play(terms, ordered, best, kinds, full_deck, chips=chips))


def _single(card: Card, ace: Ace) -> int:
    return next(n for n, one in enumerate(classes(1, ace)) if one.ranks[0] == rank(card))
