"""Best play on a ladder by backward induction, and the main game's figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.compiled_games import exact_ante
from pitbook.exact.long_computations import releasable_cache, require_memory, track_parts
from pitbook.exact.methods.ladder.structure import Purse, Terms, net_cents
from pitbook.exact.methods.ladder.transitions import (
    IntArray,
    class_sizes,
    draw_count,
    kind_counts,
    transition,
)
from pitbook.exact.outcome_figures import FigureRow, Figures, figures_from_rows, main_row
from pitbook.hands.kinds import Ace
from pitbook.hands.ranking import classes
from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.rules.game import compile_game
from pitbook.sheets.model import Sheet
from pitbook.text import say


@dataclass(frozen=True, eq=False)
class PurseValues:
    """One purse before one street: the value of every play in every class, and the best play."""

    plays: tuple[Play, ...]
    group_rows: tuple[Any, ...]  # For every play its worth by group of hands; a fold has one worth.
    group_worth: NDArray[Any]  # [groups], the worth of the best play.
    ways: int  # The number of ways to deal the remaining cards.
    order: list[int]  # The plays in the order in which ties are decided.
    of_class: IntArray  # [classes], the group of each class.
    numbers: type
    fixed_plays: NDArray[np.int8] | None = None  # [groups], plays to make instead of the best.

    @cached_property
    def worth(self) -> NDArray[Any]:
        """[plays, classes], in cents times `ways`."""
        rows = np.stack(np.broadcast_arrays(*self.group_rows, self.group_worth)[:-1])
        return rows.astype(self.numbers)[:, self.of_class]

    @cached_property
    def group_best(self) -> NDArray[np.int8]:
        """[groups], the best play as an index into `plays`."""
        if self.fixed_plays is not None:
            return self.fixed_plays
        return best_plays(self.group_rows, self.group_worth, self.order)

    @cached_property
    def best(self) -> NDArray[np.int8]:
        """[classes], the best play as an index into `plays`."""
        return self.group_best[self.of_class]


@dataclass(frozen=True, eq=False)
class Solution:
    """Best play of a sheet at one ante, in integers."""

    terms: Terms
    streets: tuple[dict[Purse, PurseValues], ...]
    cards_seen: tuple[int, ...]  # Cards known before each street.

    @property
    def expected(self) -> Fraction:
        """The value of a round to the player, in antes."""
        (choice,) = self.streets[0].values()
        total = int(self.terms.groups[0].hands @ choice.group_worth)
        rounds = comb(52, self.cards_seen[0]) * choice.ways
        return Fraction(total, rounds * self.terms.ante)

    @property
    def ace(self) -> Ace:
        """The ace rule of the sheet (GEN-1)."""
        return self.terms.ace


def solve(
    sheet: Sheet,
    ante: Cents | None = None,
    side: Mapping[str, Cents] | None = None,
    *,
    antes_left: int | None = None,
) -> Solution:
    """Best play in antes, or at an ante in dollars with every cap, including affected side wagers.

    `antes_left` is the number of antes that the player has for all streets; None means no limit.
    """
    stake = ante or exact_ante(sheet)
    terms = Terms(compile_game(sheet), stake, ante is not None, dict(side or {}), antes_left)
    return solve_terms(terms)


def solve_terms(terms: Terms) -> Solution:
    """Best play under these terms."""
    cards_seen, reveals = terms.ladder.cards_seen, terms.ladder.reveals
    _check_size(terms, cards_seen[-1])
    results = _nets(terms)
    levels: list[dict[Purse, PurseValues]] = []
    to_come = 1
    for street in range(len(cards_seen) - 1, -1, -1):
        to_come *= draw_count(cards_seen[street], reveals[street])
        sums = results @ terms.groups[street].ways.T
        after = dict(zip(terms.purses[street + 1], sums, strict=True))
        level = _solve_street(terms, street, after, to_come)
        levels.insert(0, level)
        results = np.array([values.group_worth for values in level.values()])
    return Solution(terms, tuple(levels), cards_seen)


def _check_size(terms: Terms, cards_seen: int) -> None:
    """Raise TooLarge if there are too many purses to store, once as floats and once as integers."""
    purse_count = terms.purse_count_max
    if not terms.separates_bets:
        return
    size = 2 * 8 * purse_count * len(classes(cards_seen, terms.ace))
    cause = say("exact.large.capped-bets", ways=purse_count)
    require_memory(size, cause, say("exact.large.without-ante"))


def plays_of(terms: Terms, street: int) -> tuple[Play, ...]:
    """The plays of a street, in the order in which solutions and policies number them."""
    return terms.plays[street]


def _nets(terms: Terms) -> NDArray[Any]:
    """[final purses, pays]: the net result of a hand in cents."""
    showdowns = [terms.showdown_of(kind) for kind in terms.kinds_by_pay]
    final_purses = terms.purses[-1]
    if terms.is_proportional:  # Price one ante, then multiply.
        ante_nets = terms.nets_of_ante(showdowns)
        units = [terms.units(purse) for purse in final_purses]
        return np.outer(units, np.array(ante_nets, terms.fast_numbers))
    nets = [
        [net_cents(terms.lines(purse, showdown)) for showdown in showdowns]
        for purse in track_parts(
            final_purses, len(final_purses), say("exact.working.ways"), seconds_each=4.5e-4
        )
    ]
    return np.array(nets, terms.fast_numbers)


def _solve_street(
    terms: Terms, street: int, after: Mapping[Purse, NDArray[Any]], ways: int
) -> dict[Purse, PurseValues]:
    level, all_plays, of_class = {}, terms.plays[street], terms.groups[street].of_class
    full_order = preference_order(terms, all_plays)
    for purse in terms.purses[street]:
        plays = terms.affordable_plays(street, purse)
        bets = [play for play in plays if not play.folds]
        next_purses = terms.purses_after(street, purse, bets)
        rows: list[Any] = [after[next_purse] for next_purse in next_purses]
        if len(rows) < len(plays):
            rows.append(terms.fold_net(purse) * ways)
        if plays[0].folds:  # Only the fold is left, whatever the cards.
            rows = [np.full_like(next(iter(after.values())), rows[0])]
        order = full_order if plays is all_plays else preference_order(terms, plays)
        best_worth = reduce(np.maximum, rows)
        level[purse] = PurseValues(
            plays, tuple(rows), best_worth, ways, order, of_class, terms.numbers
        )
    return level


def preference_order(terms: Terms, plays: tuple[Play, ...]) -> list[int]:
    """GEN-16: the plays in the order in which ties are decided: smallest bet first, fold last."""
    ties = terms.sheet.best_play.ties.value
    order = list(range(len(plays)))
    if ties == "largest-bet":
        order.sort(key=lambda place: (plays[place].folds, -place))
    elif ties == "fold":
        order.sort(key=lambda place: not plays[place].folds)
    return order


def pick_best(rows: Sequence[Any], order: list[int]) -> tuple[NDArray[Any], NDArray[np.int8]]:
    """The worth of the best play and its index; ties go to the first in the order."""
    best_worth: NDArray[Any] = reduce(np.maximum, rows)
    return best_worth, best_plays(rows, best_worth, order)


def best_plays(rows: Sequence[Any], best_worth: NDArray[Any], order: list[int]) -> NDArray[np.int8]:
    """For each class, the index of the best play; ties go to the first play in `order`."""
    indexes = np.zeros(best_worth.shape, np.int8)
    not_best: Any = True
    for place in order[:-1]:
        not_best = not_best & (rows[place] != best_worth)
        indexes += not_best
    return indexes if order == sorted(order) else np.array(order, np.int8)[indexes]


@dataclass(frozen=True)
class PurseEnding:
    """Rounds that end alike: folded before a street, or at showdown with a kind and a purse."""

    street: int | None
    purse: Purse
    kind: int | None
    count: int


Policy = Mapping[int, Mapping[Purse, NDArray[np.int8]]]


def endings(solution: Solution, policy: Policy | None = None) -> Iterator[PurseEnding]:
    """Every way a round ends under best play or another policy, with its count."""
    terms, ace = solution.terms, solution.ace
    reached: dict[Purse, IntArray] = {terms.empty_purse: class_sizes(solution.cards_seen[0], ace)}
    for street, level in enumerate(solution.streets):
        next_reached: dict[Purse, IntArray] = {}
        for purse, weights in reached.items():
            choice = level[purse]
            best = choice.best if policy is None else policy[street][purse]
            for index, play in enumerate(choice.plays):
                play_weights = np.where(best == index, weights, 0)
                if play.folds:
                    if play_weights.any():
                        yield PurseEnding(
                            street, purse, None, int(play_weights.sum()) * choice.ways
                        )
                else:
                    new_purse = terms.purse_after(street, purse, play)
                    after = _carry_weights(solution, street, play_weights)
                    next_reached[new_purse] = (
                        next_reached.get(new_purse, np.zeros_like(after)) + after
                    )
        reached = next_reached
    counts = kind_counts(solution.cards_seen[-1], ace)
    for purse, weights in reached.items():
        for kind, count in enumerate((weights @ counts).tolist()):
            if count:
                yield PurseEnding(None, purse, kind, count)


def _carry_weights(solution: Solution, street: int, weights: IntArray) -> IntArray:
    """Weights after the street's cards; the last street's cards are counted at the showdown."""
    if street + 1 == len(solution.streets):
        return weights
    reveals = solution.terms.ladder.reveals[street]
    step = transition(solution.cards_seen[street], reveals, solution.ace)
    return step.forward(weights, len(classes(solution.cards_seen[street + 1], solution.ace)))


def cached_solution(
    sheet: Sheet, ante: Cents | None = None, antes_left: int | None = None
) -> Solution:
    """The cached solution of a sheet; `antes_left` as in `solve`."""
    return _cached_solution(sheet, ante, antes_or_none(sheet, antes_left))


@releasable_cache(maxsize=64)  # A solution in use stays, however old it is.
def _cached_solution(sheet: Sheet, ante: Cents | None, antes_left: int | None) -> Solution:
    return solve(sheet, ante, antes_left=antes_left)


def antes_or_none(sheet: Sheet, antes_left: int | None) -> int | None:
    """The antes for all streets, or None if they pay for every bet.

    Bets placed before the deal are already paid.
    """
    if antes_left is None or antes_left >= sheet.units_max - 1 or compile_game(sheet).equals:
        return None
    return antes_left


def main_figures(solution: Solution, ends: Iterable[PurseEnding] | None = None) -> Figures:
    """The figures of the main game under best play, or of the given endings."""
    return figures_from_rows(_ending_rows(solution, endings(solution) if ends is None else ends))


def fold_rates(
    solution: Solution, ends: Iterable[PurseEnding] | None = None
) -> dict[str, Fraction]:
    """For each street, the share of all rounds that fold there."""
    end_list = list(endings(solution) if ends is None else ends)
    rounds = sum(ending.count for ending in end_list)
    return {
        stage.id: Fraction(
            sum(ending.count for ending in end_list if ending.street == number), rounds
        )
        for number, stage in enumerate(solution.terms.game.stages)
        if solution.terms.plays[number][-1].folds
    }


def _ending_rows(solution: Solution, ends: Iterable[PurseEnding]) -> Iterator[FigureRow]:
    terms = solution.terms
    for end in ends:
        showdown = terms.showdown_of(end.kind)
        folds = end.kind is None
        lines = terms.fold_lines(end.purse, showdown) if folds else terms.lines(end.purse, showdown)
        main = [line for line in lines if line.wager not in terms.side]
        yield main_row(main, terms.ante, end.count)
