"""A whole hi-lo round: Bet, double and bonuses on the same cards, their dependence counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import Card, rank
from pitbook.exact.figures import Figures, Row, figures
from pitbook.exact.methods.ladder.rungs import hole_ways
from pitbook.exact.methods.ladder.terms import net
from pitbook.exact.methods.points.dealer_totals import Shape
from pitbook.exact.methods.points.solving import (
    HiLoSolution,
    Ranks,
    dealer_ways,
    dealers,
    shape,
    tallied,
)
from pitbook.exact.working import tracked
from pitbook.families.hi_lo.compile import HiLoGame, Showdown
from pitbook.game.description import Seat
from pitbook.game.limits import limits
from pitbook.game.settlement import Settlement
from pitbook.hands import batch
from pitbook.hands.kinds import Ace
from pitbook.hands.points import total
from pitbook.hands.ranking import classes
from pitbook.money import Cents

SIGNS = (1, 0, -1)


def hi_lo_round(solution: HiLoSolution, side: Mapping[str, Cents]) -> Figures:
    """The figures of a round with the main game under best play and the chosen bonuses, in Bets."""
    return figures(_rows(solution, dict(side)))


def _rows(solution: HiLoSolution, side: dict[str, Cents]) -> Iterator[Row]:
    sheet, game = solution.sheet, HiLoGame(solution.sheet)
    form, ace = shape(sheet), sheet.payouts.ace_in_straights.value
    looks = {sheet.side[wager].looks_at for wager in side}
    ranked = "hand" in looks
    hand_counts = kinds_by_ranks(form.player, sheet.deck.decks, ace) if ranked else {}
    priced: dict[tuple[str, int, int, int], Row] = {}
    each = len(dealers(form).hands.ranks) * 7e-8 if "dealer-match" in looks else 1e-4
    spots, of = solution.spots, "hands of the player"
    for spot in tracked(spots, len(spots), of, each=each):
        declared = spot.best.removesuffix("+double")
        kinds = hand_counts[spot.ranks] if ranked else {0: spot.ways}
        met = _met(form, spot.ranks, declared)
        if "dealer-match" not in looks:
            met = met.sum(axis=1, keepdims=True)
        for (sign, matches), ways in np.ndenumerate(met):
            for kind, own in kinds.items() if ways else ():
                key = (spot.best, sign, matches, kind)
                if key not in priced:
                    priced[key] = _priced(solution, game, side, key)
                row = priced[key]
                yield Row(row.outcome, row.units, row.result, row.net, own * int(ways))


def _priced(
    solution: HiLoSolution, game: HiLoGame, side: dict[str, Cents], key: tuple[str, int, int, int]
) -> Row:
    play, sign, matches, kind = key
    seat = Seat(1, "", (("bet", solution.ante),), tuple(side.items()))
    known = game.play(0, play)
    assert known is not None
    ahead = SIGNS[sign]
    shown = Showdown(0, ahead, ahead, 0, matches, kind)
    settlement = Settlement(1, game.price(shown, seat.made(known)))
    if solution.capped:
        (settlement,), _ = limits(solution.sheet, [settlement])
    won = Fraction(net(settlement.lines), solution.ante)
    at_stake = Fraction(sum(line.stake for line in settlement.lines), solution.ante)
    units = int(at_stake) if at_stake.denominator == 1 else at_stake
    outcome = " + ".join(dict.fromkeys(str(line.outcome) for line in settlement.lines))
    return Row(outcome, units, "win" if won > 0 else "lose" if won < 0 else "push", won, 0)


@lru_cache(maxsize=4096)
def _met(form: Shape, ranks: Ranks, declared: str) -> NDArray[Any]:
    """Ways of the dealer's hand by [ahead, level, behind] and by the number of matches."""
    dealer = dealers(form)
    held = np.bincount(ranks, minlength=13)
    weights = dealer_ways(dealer.hands, held, form.copies)
    cards = [Card(4 * one) for one in ranks]
    if declared == "low":
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
