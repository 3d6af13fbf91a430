"""Best play on a ladder by backward induction, and the main game's figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, reduce
from math import comb
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.figures import FigureRow, Figures, figures_from_rows, main_row
from pitbook.exact.games import cached_game, exact_ante
from pitbook.exact.methods.ladder.structure import Purse, Terms, net_cents
from pitbook.exact.methods.ladder.transitions import (
    IntArray,
    class_sizes,
    draw_count,
    kind_counts,
    transition,
)
from pitbook.exact.work import releasable_cache, require_memory, track_parts
from pitbook.hands.kinds import Ace
from pitbook.hands.ranking import classes
from pitbook.money import Cents
from pitbook.rules.plays import Play
from pitbook.sheets.model import Sheet
from pitbook.text import say

EXACT_MAX = 2**53  # Whole numbers below it are exact in floating point.


@dataclass(frozen=True, eq=False)
class PurseWorths:
    """One purse before one street: what every play is worth in every class, and which is best."""

    plays: tuple[Play, ...]
    rows: tuple[Any, ...]  # For every play the worth of all classes; of a fold one for all.
    top: NDArray[Any]  # [classes], the worth of the best play.
    best: NDArray[np.int8]  # [classes], a place in `plays`.
    ways: int  # The orders in which the cards to come can come.

    @cached_property
    def worth(self) -> NDArray[Any]:
        """[plays, classes], in cents times `ways`."""
        return np.stack(np.broadcast_arrays(*self.rows, self.top)[:-1])


@dataclass(frozen=True, eq=False)
class Solution:
    """Best play of a sheet at one ante, in whole numbers throughout."""

    terms: Terms
    streets: tuple[dict[Purse, PurseWorths], ...]
    seen: tuple[int, ...]  # Cards known before each street.

    @property
    def expected(self) -> Fraction:
        """The value of a round to the player, in antes."""
        (choice,) = self.streets[0].values()
        ways = class_sizes(self.seen[0], self.ace)
        total = sum(map(mul, choice.top.tolist(), ways.tolist()))
        rounds = comb(52, self.seen[0]) * choice.ways
        return Fraction(total, rounds * self.terms.ante)

    @property
    def ace(self) -> Ace:
        """GEN-1 as the sheet has it."""
        return self.terms.ace


def solve(
    sheet: Sheet,
    ante: Cents | None = None,
    side: Mapping[str, Cents] | None = None,
    *,
    room: int | None = None,
) -> Solution:
    """Best play in antes, or at an ante in dollars with every cap; side wagers look at the hand.

    `room` is how many antes the player has for all streets together; None is enough for any bet.
    """
    stake = ante or exact_ante(sheet)
    terms = Terms(cached_game(sheet), stake, ante is not None, dict(side or {}), room)
    return solve_terms(terms)


def solve_terms(terms: Terms) -> Solution:
    """Best play on these terms."""
    seen, reveals, ace = terms.ladder.seen, terms.ladder.reveals, terms.ace
    _check_size(terms, seen[-1])
    after = _showdowns(terms, seen[-1])
    levels: list[dict[Purse, PurseWorths]] = []
    to_come = 1
    for street in range(len(seen) - 1, -1, -1):
        to_come *= draw_count(seen[street], reveals[street])
        level = _solve_street(terms, street, after, to_come)
        levels.insert(0, level)
        if street:
            step = transition(seen[street - 1], reveals[street - 1], ace)
            after = {purse: step.backward(one.top) for purse, one in level.items()}
    return Solution(terms, tuple(levels), seen)


def _check_size(terms: Terms, seen: int) -> None:
    """Raise TooLarge for more ways to bet than can be kept; one in floats, one in whole numbers."""
    many = terms.purses_at_most
    if not terms.keeps_bets_apart:
        return
    size = 2 * 8 * many * len(classes(seen, terms.ace))
    what = say("exact.large.capped-bets", ways=many)
    require_memory(size, what, say("exact.large.without-ante"))


def plays_of(terms: Terms, street: int) -> tuple[Play, ...]:
    """The plays of a street in the order in which solutions and policies number them."""
    return terms.plays[street]


def _showdowns(terms: Terms, seen: int) -> dict[Purse, NDArray[Any]]:
    """For every final purse and class before the last cards: the sum over all ways they come."""
    nets, ace = _nets(terms), terms.ace
    counts = kind_counts(seen, ace)
    sums: NDArray[Any]
    in_floats = terms.result_max * int(counts[0].sum()) < EXACT_MAX
    if in_floats and terms.numbers is not object:
        sums = (np.array(nets, np.float64) @ _columns(seen, ace)).astype(np.int64)
    else:
        sums = np.array(nets, terms.numbers) @ counts.T.astype(terms.numbers)
    return dict(zip(terms.purses[-1], sums, strict=True))


@cache
def _columns(seen: int, ace: Ace) -> NDArray[np.float64]:
    """Counts of kinds for products in floating point, exact while every sum is below 2^53."""
    return kind_counts(seen, ace).T.astype(np.float64)


def _nets(terms: Terms) -> list[list[int]]:
    """[final purses, kinds]: what a hand comes to in cents."""
    alike = terms.hands_alike
    each = {
        kind: terms.showdown_of(kind) for kind in alike
    }  # One hand for each line of the pay tables.
    if not terms.capped and not terms.side:
        # Without caps a hand wins in proportion to what is bet: price one ante, multiply.
        ante = {kind: net_cents(terms.lines((0,), hand)) for kind, hand in each.items()}
        one = [ante[kind] for kind in alike]
        return [[pay * units for pay in one] for units in map(terms.units, terms.purses[-1])]
    nets = []
    every = terms.purses[-1]
    for purse in track_parts(every, len(every), say("exact.working.ways"), each=4.5e-4):
        priced = {kind: net_cents(terms.lines(purse, hand)) for kind, hand in each.items()}
        nets.append([priced[kind] for kind in alike])
    return nets


def _solve_street(
    terms: Terms, street: int, after: Mapping[Purse, NDArray[Any]], ways: int
) -> dict[Purse, PurseWorths]:
    level, every = {}, terms.plays[street]
    ample = preference_order(terms, every)
    for purse in terms.purses[street]:
        plays = terms.affordable_plays(street, purse)
        bets = [one for one in plays if not one.folds]
        rows: list[Any] = [after[terms.purse_after(street, purse, one)] for one in bets]
        if len(rows) < len(plays):
            rows.append(net_cents(terms.fold_lines(purse, terms.showdown_of(None))) * ways)
        if plays[0].folds:  # A fold is all that is left, whatever the cards.
            rows = [np.full_like(next(iter(after.values())), rows[0])]
        top, best = pick_best(rows, ample if plays is every else preference_order(terms, plays))
        level[purse] = PurseWorths(plays, tuple(rows), top, best, ways)
    return level


def preference_order(terms: Terms, plays: tuple[Play, ...]) -> list[int]:
    """GEN-16: the plays in the order in which a tie is decided: the smallest bet, a fold last."""
    ties = terms.sheet.best_play.ties.value
    order = list(range(len(plays)))
    if ties == "largest-bet":
        order.sort(key=lambda place: (plays[place].folds, -place))
    elif ties == "fold":
        order.sort(key=lambda place: not plays[place].folds)
    return order


def pick_best(rows: Sequence[Any], order: list[int]) -> tuple[NDArray[Any], NDArray[np.int8]]:
    """The worth of the best play and its place, where ties go to the first in the order."""
    top: NDArray[Any] = reduce(np.maximum, rows)
    missed = np.zeros(top.shape, np.int8)
    still: Any = True
    for place in order[:-1]:
        still = still & (rows[place] != top)
        missed += still
    return top, missed if order == sorted(order) else np.array(order, np.int8)[missed]


@dataclass(frozen=True)
class PurseEnding:
    """Rounds that end alike: folded before a street or shown down with a kind, a purse at stake."""

    street: int | None
    purse: Purse
    kind: int | None
    count: int


Policy = Mapping[int, Mapping[Purse, NDArray[np.int8]]]


def endings(solution: Solution, policy: Policy | None = None) -> Iterator[PurseEnding]:
    """Every way a round ends under best play or another policy, counted out of all rounds."""
    terms, ace = solution.terms, solution.ace
    reached: dict[Purse, IntArray] = {terms.nothing_bet: class_sizes(solution.seen[0], ace)}
    for street, level in enumerate(solution.streets):
        following: dict[Purse, IntArray] = {}
        for purse, weights in reached.items():
            choice = level[purse]
            best = choice.best if policy is None else policy[street][purse]
            for place, play in enumerate(choice.plays):
                chosen = np.where(best == place, weights, 0)
                if play.folds:
                    if chosen.any():
                        yield PurseEnding(street, purse, None, int(chosen.sum()) * choice.ways)
                else:
                    bigger = terms.purse_after(street, purse, play)
                    after = _carry_weights(solution, street, chosen)
                    following[bigger] = following.get(bigger, np.zeros_like(after)) + after
        reached = following
    counts = kind_counts(solution.seen[-1], ace)
    for purse, weights in reached.items():
        for kind, count in enumerate((weights @ counts).tolist()):
            if count:
                yield PurseEnding(None, purse, kind, count)


def _carry_weights(solution: Solution, street: int, weights: IntArray) -> IntArray:
    """Weights after the street's cards; the last street's are counted at the showdown."""
    if street + 1 == len(solution.streets):
        return weights
    reveals = solution.terms.ladder.reveals[street]
    step = transition(solution.seen[street], reveals, solution.ace)
    return step.forward(weights, len(classes(solution.seen[street + 1], solution.ace)))


def cached_solution(sheet: Sheet, ante: Cents | None = None, room: int | None = None) -> Solution:
    """The solution of a sheet, kept for the next time; `room` as in `solve`."""
    return _cached_solution(sheet, ante, room_or_none(sheet, room))


@releasable_cache(maxsize=64)  # A solution in use stays, however long ago it was solved.
def _cached_solution(sheet: Sheet, ante: Cents | None, room: int | None) -> Solution:
    return solve(sheet, ante, room=room)


def room_or_none(sheet: Sheet, room: int | None) -> int | None:
    """The antes for all streets, or None where they pay for every bet.

    Bets that were placed before the deal are paid for.
    """
    if room is None or room >= sheet.units_max - 1 or cached_game(sheet).equals:
        return None
    return room


def main_figures(solution: Solution, ends: Iterable[PurseEnding] | None = None) -> Figures:
    """The figures of the main game under best play, or under the play that the endings tell."""
    return figures_from_rows(_ending_rows(solution, endings(solution) if ends is None else ends))


def fold_rates(
    solution: Solution, ends: Iterable[PurseEnding] | None = None
) -> dict[str, Fraction]:
    """For each street the share of all rounds that fold there."""
    found = list(endings(solution) if ends is None else ends)
    rounds = sum(one.count for one in found)
    return {
        stage.id: Fraction(sum(one.count for one in found if one.street == number), rounds)
        for number, stage in enumerate(solution.terms.game.stages)
        if solution.terms.plays[number][-1].folds
    }


def _ending_rows(solution: Solution, ends: Iterable[PurseEnding]) -> Iterator[FigureRow]:
    terms = solution.terms
    for end in ends:
        shown = terms.showdown_of(end.kind)
        folds = end.kind is None
        lines = terms.fold_lines(end.purse, shown) if folds else terms.lines(end.purse, shown)
        main = [line for line in lines if line.wager not in terms.side]
        yield main_row(main, terms.ante, end.count)
