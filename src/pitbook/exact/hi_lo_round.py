"""A whole hi-lo round: Bet, double and bonuses on the same cards, their dependence counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np

from pitbook.cards import Card, rank
from pitbook.engine.game import Seat
from pitbook.engine.limits import limits
from pitbook.engine.settlement import Settlement
from pitbook.exact.figures import Figures, Row, figures
from pitbook.exact.hi_lo import (
    HiLoSolution,
    Ints,
    Ranks,
    Shape,
    dealer_ways,
    dealers,
    hands,
    shape,
)
from pitbook.exact.terms import net
from pitbook.games.hi_lo import HiLoGame, Showdown
from pitbook.hands import batch
from pitbook.hands.kinds import Ace
from pitbook.hands.points import total
from pitbook.money import Cents

SIGNS = (1, 0, -1)


def hi_lo_round(solution: HiLoSolution, side: Mapping[str, Cents]) -> Figures:
    """The figures of a round with the main game under best play and the chosen bonuses, in Bets."""
    return figures(_rows(solution, dict(side)))


def _rows(solution: HiLoSolution, side: dict[str, Cents]) -> Iterator[Row]:
    sheet, game = solution.sheet, HiLoGame(solution.sheet)
    form, ace = shape(sheet), sheet.payouts.ace_in_straights.value
    hand_counts = kinds_by_ranks(form.player, sheet.deck.decks, ace)
    looks = {sheet.side[wager].looks_at for wager in side}
    priced: dict[tuple[str, int, int, int], Row] = {}
    for spot in solution.spots:
        declared = spot.best.removesuffix("+double")
        kinds = hand_counts[spot.ranks] if "hand" in looks else {0: spot.ways}
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
    seat = Seat(1, "", (("bet", solution.ante),), tuple(side.items()), plays=(play,))
    extra = game.bet(seat, 0, play)
    main = seat.main + (((extra.wager, extra.amount),) if extra.wager else ())
    ahead = SIGNS[sign]
    shown = Showdown(0, ahead, ahead, 0, matches, kind)
    settlement = Settlement(1, game.price(shown, seat._replace(main=main)))
    if solution.capped:
        (settlement,), _ = limits(solution.sheet, [settlement])
    won = Fraction(net(settlement.lines), solution.ante)
    at_stake = Fraction(sum(line.stake for line in settlement.lines), solution.ante)
    units = int(at_stake) if at_stake.denominator == 1 else at_stake
    outcome = " + ".join(dict.fromkeys(str(line.outcome) for line in settlement.lines))
    return Row(outcome, units, "win" if won > 0 else "lose" if won < 0 else "push", won, 0)


@lru_cache(maxsize=4096)
def _met(form: Shape, ranks: Ranks, declared: str) -> Ints:
    """Ways of the dealer's hand by [ahead, level, behind] and by the number of matches."""
    dealer = dealers(form.dealer, form.copies, form.points, form.low, form.shared)
    held = np.bincount(ranks, minlength=13)
    weights = dealer_ways(dealer.hands, held, form.copies)
    cards = [Card(4 * one) for one in ranks]
    if declared == "low":
        ahead = dealer.low - total(cards, form.points.low)
    else:
        ahead = total(cards, form.points.high) - dealer.high
    matched = dealer.hands.counts[:, held > 0].sum(axis=1)
    place = (1 - np.sign(ahead)) * (form.dealer + 1) + matched
    counts = np.bincount(place, weights, minlength=3 * (form.dealer + 1))
    return counts.astype(np.int64).reshape(3, -1)


@cache
def kinds_by_ranks(size: int, decks: int, ace: Ace) -> dict[Ranks, dict[int, int]]:
    """For every hand of ranks: in how many ways its cards make each kind."""
    if decks > 1 and size != 3:
        copies = 4 * decks
        return {one: {0: _plain_ways(one, copies)} for one in hands(size, copies).ranks}
    faces = np.array(list(combinations_with_replacement(range(52), size)), np.uint8)
    if decks == 1:
        faces = faces[(np.diff(faces.astype(int), axis=1) > 0).all(axis=1)]
    kinds = batch.kinds(faces, many_decks=decks > 1, ace=ace) if size > 1 else np.zeros(len(faces))
    found: dict[Ranks, dict[int, int]] = {}
    for row, kind in zip(faces.tolist(), kinds.tolist(), strict=True):
        ways = 1
        for face in set(row):
            ways *= comb(decks, row.count(face))
        if ways:
            own = found.setdefault(tuple(rank(Card(face)) for face in row), {})
            own[int(kind)] = own.get(int(kind), 0) + ways
    return found


def _plain_ways(ranks: Ranks, copies: int) -> int:
    ways = 1
    for one in set(ranks):
        ways *= comb(copies, ranks.count(one))
    return ways
