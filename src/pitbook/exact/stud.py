"""Street-stud solved exactly: the best play for every class of cards and every stake so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.ladder import Ints, hole_ways, kind_counts, rung, ways_to_turn
from pitbook.exact.terms import Purse, Terms, exact_ante, net
from pitbook.games.street_stud import Showdown
from pitbook.hands.kinds import catalogue
from pitbook.hands.ranking import classes
from pitbook.money import Cents
from pitbook.sheets.street_stud import HAND_SIZE, StreetStud

EXACT_MAX = 2**53
FOLD = "fold"


@dataclass(frozen=True, eq=False)
class Choice:
    """One purse before one street: what every play is worth in every class, and which is best."""

    plays: tuple[str, ...]
    worth: NDArray[Any]  # [plays, classes], in cents times `ways`.
    best: NDArray[np.int8]  # [classes], a place in `plays`.
    ways: int  # The orders in which the cards to come can come.


@dataclass(frozen=True, eq=False)
class Solution:
    """Best play of a sheet at one ante, in whole numbers throughout."""

    terms: Terms
    streets: tuple[dict[Purse, Choice], ...]
    seen: tuple[int, ...]  # Cards known before each street.

    @property
    def expected(self) -> Fraction:
        """The value of a round to the player, in antes."""
        (choice,) = self.streets[0].values()
        ways = hole_ways(self.seen[0], self.ace)
        best = np.take_along_axis(choice.worth, choice.best[None].astype(np.intp), 0)[0]
        total = sum(int(one) * int(many) for one, many in zip(best, ways, strict=True))
        rounds = comb(52, self.seen[0]) * choice.ways
        return Fraction(total, rounds * self.terms.ante)

    @property
    def ace(self) -> Any:
        """GEN-1 as the sheet has it."""
        return self.terms.sheet.payouts.ace_in_straights.value


def solve(
    sheet: StreetStud, ante: Cents | None = None, side: Mapping[str, Cents] | None = None
) -> Solution:
    """Best play in antes, or at an ante in dollars with every cap; side wagers look at the hand."""
    terms = Terms(sheet, ante or exact_ante(sheet), ante is not None, dict(side or {}))
    seen = _seen(sheet)
    ace = sheet.payouts.ace_in_straights.value
    reveals = [street.reveals.value for street in sheet.streets]
    after = _showdowns(terms, seen[-1])
    levels: list[dict[Purse, Choice]] = []
    to_come = 1
    for street in range(len(sheet.streets) - 1, -1, -1):
        to_come *= ways_to_turn(seen[street], reveals[street])
        level = {
            purse: _choose(terms, street, purse, after, to_come) for purse in terms.purses[street]
        }
        levels.insert(0, level)
        if street:
            step = rung(seen[street - 1], reveals[street - 1], ace)
            after = {purse: step.expect(_best(one)) for purse, one in level.items()}
    return Solution(terms, tuple(levels), seen)


def _seen(sheet: StreetStud) -> tuple[int, ...]:
    known = [sheet.deal.hole.value]
    for street in sheet.streets[:-1]:
        known.append(known[-1] + street.reveals.value)
    return tuple(known)


def _showdowns(terms: Terms, seen: int) -> dict[Purse, NDArray[Any]]:
    """For every final purse and class before the last cards: the sum over all ways they come."""
    counts = kind_counts(seen, terms.sheet.payouts.ace_in_straights.value)
    if terms.capped or terms.side:
        return {p: _dot(counts, _pay(terms, p)) for p in terms.purses[-1]}
    # Without caps a hand wins in proportion to what is bet: price one ante, multiply.
    one: NDArray[Any] = _dot(counts, _pay(terms, (0,)))
    return {purse: one * terms.units(purse) for purse in terms.purses[-1]}


def _pay(terms: Terms, purse: Purse) -> list[int]:
    kinds = range(len(catalogue(HAND_SIZE)))
    return [net(terms.lines(purse, Showdown(kind, None, None))) for kind in kinds]


def _dot(counts: Ints, pay: list[int]) -> NDArray[Any]:
    """Exact products: in floating point where every sum is a whole number below 2^53."""
    largest = max(abs(one) for one in pay) * int(counts[0].sum())
    if largest < EXACT_MAX:
        return np.rint(counts.astype(np.float64) @ np.array(pay, np.float64)).astype(np.int64)
    exact: NDArray[Any] = counts.astype(object) @ np.array(pay, object)
    return exact


def _choose(
    terms: Terms, street: int, purse: Purse, after: dict[Purse, NDArray[Any]], ways: int
) -> Choice:
    rule = terms.sheet.streets[street]
    bets = [after[terms.add(purse, bet)] for bet in rule.bets]
    plays = [f"{bet}x" for bet in rule.bets]
    if rule.fold:
        lost = net(terms.folded(purse, Showdown(None, None, None)))
        bets.append(np.full_like(bets[0], lost * ways))
        plays.append(FOLD)
    worth = np.stack(bets)
    return Choice(tuple(plays), worth, pick(worth, plays, terms), ways)


def pick(worth: NDArray[Any], plays: list[str], terms: Terms) -> NDArray[np.int8]:
    """GEN-16: on a tie the smallest bet, unless the sheet prefers otherwise."""
    ties = terms.sheet.best_play.ties.value
    order = list(range(len(plays)))
    if ties == "largest-bet":
        order = sorted(order, key=lambda place: (plays[place] == FOLD, -place))
    elif ties == "fold":
        order = sorted(order, key=lambda place: plays[place] != FOLD)
    picked: NDArray[np.int8] = np.array(order, np.int8)[np.argmax(worth[order], axis=0)]
    return picked


def _best(choice: Choice) -> NDArray[Any]:
    best: NDArray[Any] = choice.worth.max(axis=0)
    return best


@dataclass(frozen=True)
class Ending:
    """Rounds that end alike: folded before a street or shown down with a kind, a purse at stake."""

    street: int | None
    purse: Purse
    kind: int | None
    count: int


Policy = Mapping[int, Mapping[Purse, NDArray[np.int8]]]


def endings(solution: Solution, policy: Policy | None = None) -> Iterator[Ending]:
    """Every way a round ends under best play or another policy, counted out of all rounds."""
    terms, ace = solution.terms, solution.ace
    reached: dict[Purse, Ints] = {terms.purses[0][0]: hole_ways(solution.seen[0], ace)}
    for street, level in enumerate(solution.streets):
        following: dict[Purse, Ints] = {}
        for purse, weights in reached.items():
            choice = level[purse]
            best = choice.best if policy is None else policy[street][purse]
            for place, play in enumerate(choice.plays):
                chosen = np.where(best == place, weights, 0)
                if play == FOLD:
                    if chosen.any():
                        yield Ending(street, purse, None, int(chosen.sum()) * choice.ways)
                else:
                    bigger = terms.add(purse, int(play[:-1]))
                    after = _carried(solution, street, chosen)
                    following[bigger] = following.get(bigger, np.zeros_like(after)) + after
        reached = following
    counts = kind_counts(solution.seen[-1], ace)
    for purse, weights in reached.items():
        for kind, count in enumerate((weights @ counts).tolist()):
            if count:
                yield Ending(None, purse, kind, count)


def _carried(solution: Solution, street: int, weights: Ints) -> Ints:
    """Weights after the street's cards; the last street's are counted at the showdown."""
    if street + 1 == len(solution.streets):
        return weights
    reveals = solution.terms.sheet.streets[street].reveals.value
    step = rung(solution.seen[street], reveals, solution.ace)
    return step.spread(weights, len(classes(solution.seen[street + 1], solution.ace)))
