"""A whole round of points: Bet, double and bonuses on the same cards, their dependence counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import Card, rank
from pitbook.exact.figures import FigureRow, Figures, figures, round_row
from pitbook.exact.methods.ladder.rungs import hole_ways
from pitbook.exact.methods.points.dealer_totals import Shape
from pitbook.exact.methods.points.solving import (
    Ranks,
    Solution,
    dealer_ways,
    dealers,
    met,
    settled,
    tallied,
)
from pitbook.exact.methods.points.structure import Pointed, pointed
from pitbook.exact.working import tracked
from pitbook.hands import batch
from pitbook.hands.kinds import Ace
from pitbook.hands.points import total
from pitbook.hands.ranking import classes
from pitbook.money import Cents
from pitbook.rules.game import Seat
from pitbook.rules.plays import Play
from pitbook.rules.pricing import Kinds
from pitbook.text import say

SIGNS = (1, 0, -1)


def round_figures(solution: Solution, side: Mapping[str, Cents]) -> Figures:
    """The figures of a round with the main game under best play and the chosen bonuses, in Bets."""
    return figures(_rows(solution, dict(side)))


def _rows(solution: Solution, side: dict[str, Cents]) -> Iterator[FigureRow]:
    game, form = solution.game, pointed(solution.game)
    shape = form.shape
    rankings = [game.looks_at(wager).ranking for wager in side]
    kinds_met = next((one for one in rankings if isinstance(one, Kinds)), None)
    matching = any(not isinstance(one, Kinds) for one in rankings)
    hand_counts = (
        kinds_by_ranks(shape.player, game.sheet.deck.decks, kinds_met.ace) if kinds_met else {}
    )
    priced: dict[tuple[Play, int, int, int], FigureRow] = {}
    each = len(dealers(shape).hands.ranks) * 7e-8 if matching else 1e-4
    spots, of = solution.spots, say("exact.working.player")
    for spot in tracked(spots, len(spots), of, each=each):
        kinds = hand_counts[spot.ranks] if kinds_met else {0: spot.ways}
        ways_met = _met(shape, spot.ranks, low=spot.best.said == form.low.name)
        if not matching:
            ways_met = ways_met.sum(axis=1, keepdims=True)
        for (sign, matches), ways in np.ndenumerate(ways_met):
            for kind, own in kinds.items() if ways else ():
                key = (spot.best, sign, matches, kind)
                if key not in priced:
                    priced[key] = _priced(solution, form, side, key)
                row = priced[key]
                yield FigureRow(row.outcome, row.units, row.result, row.net, own * int(ways))


def _priced(
    solution: Solution, form: Pointed, side: dict[str, Cents], key: tuple[Play, int, int, int]
) -> FigureRow:
    play, sign, matches, kind = key
    main = ((solution.sheet.main_id, solution.ante),)
    seat = Seat(1, "", main, tuple(side.items())).made(play)
    shown = met(solution.game, form, SIGNS[sign], matches, kind)
    lines = settled(solution.game, shown, seat, capped=solution.capped)
    return round_row(lines, solution.ante, 0)


@lru_cache(maxsize=4096)
def _met(form: Shape, ranks: Ranks, *, low: bool) -> NDArray[Any]:
    """Ways of the dealer's hand by [ahead, level, behind] and by the number of matches."""
    dealer = dealers(form)
    held = np.bincount(ranks, minlength=13)
    weights = dealer_ways(dealer.hands, held, form.copies)
    cards = [Card(4 * one) for one in ranks]
    if low:
        ahead = dealer.low - total(cards, form.points.low)
    else:
        ahead = total(cards, form.points.high) - dealer.high
    matched = dealer.hands.counts[:, held > 0].sum(axis=1)
    place = (1 - np.sign(ahead)) * (form.dealer + 1) + matched
    counts = tallied(place, weights, 3 * (form.dealer + 1))
    return np.array(counts, object).reshape(3, -1)


@cache
def kinds_by_ranks(size: int, decks: int, ace: Ace) -> dict[Ranks, dict[int, int]]:
    """For every hand of ranks: in how many ways its cards make each kind."""
    found: dict[Ranks, dict[int, int]] = {}
    if decks == 1:
        for hand, ways in zip(classes(size, ace), hole_ways(size, ace).tolist(), strict=True):
            own = found.setdefault(hand.ranks[::-1], {})
            own[hand.kind] = own.get(hand.kind, 0) + ways
        return found
    faces = np.array(list(combinations_with_replacement(range(52), size)), np.uint8)
    kinds = batch.kinds(faces, many_decks=True, ace=ace)
    for row, kind in zip(faces.tolist(), kinds.tolist(), strict=True):
        ways = 1
        for face in set(row):
            ways *= comb(decks, row.count(face))
        if ways:
            own = found.setdefault(tuple(rank(Card(face)) for face in row), {})
            own[int(kind)] = own.get(int(kind), 0) + ways
    return found
