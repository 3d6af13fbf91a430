"""Short strategies with one decision: bets that each go down to a lowest hand.

By the own hand alone; or, where the dealer shows a card, against each rank of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.ladder.strategies import class_name
from pitbook.exact.methods.pairs.solving import Solution
from pitbook.hands.ranking import classes
from pitbook.rules.plays import Play

__all__ = ["ByCard", "ShortStrategy", "by_card", "short_strategy"]

NEVER = -(10**40)  # What a play is worth that may not be made.


class ShortStrategy(NamedTuple):
    """Hands from the highest to the lowest, run by run with its play; of a whole round."""

    runs: tuple[tuple[str, str, Play], ...]
    expected: Fraction


class ByCard(NamedTuple):
    """By rank that the dealer shows, the highest first: each play with the lowest hand for it."""

    rows: tuple[tuple[int, tuple[tuple[Play, str], ...]], ...]
    expected: Fraction


def short_strategy(solution: Solution) -> ShortStrategy:
    """The best of all strategies whose bets fall with the hand, whatever the dealer shows."""
    rows = np.arange(len(solution.chosen))
    made, runs = _made(solution, rows), []
    for play, some in groupby(_named(solution, made, rows), key=lambda one: one[0]):
        hands = [name for _, name in some]
        runs.append((hands[0], hands[-1], solution.plays[play]))
    every = np.array(made[::-1], np.int8)[solution.counts.classes]
    return ShortStrategy(tuple(runs), replace(solution, chosen=every).expected)


def by_card(solution: Solution) -> ByCard | None:
    """The same against every rank that the dealer may show; None where no card is shown."""
    seen = solution.counts.seen
    if len(ranks := np.unique(seen)) == 1:
        return None
    chosen, rows = solution.chosen.copy(), []
    for rank in reversed(ranks.tolist()):
        (mine,) = np.nonzero(seen == rank)
        made = _made(solution, mine)
        chosen[mine] = np.array(made[::-1], np.int8)[solution.counts.classes[mine]]
        lowest = dict(_named(solution, made, mine))  # The last of each stays.
        rows.append((rank, tuple((solution.plays[one], hand) for one, hand in lowest.items())))
    return ByCard(tuple(rows), replace(solution, chosen=chosen).expected)


def _made(solution: Solution, rows: NDArray[np.intp]) -> list[int]:
    """The play of each class of hands, the highest first, worth most over these rows."""
    order = sorted(range(len(solution.plays)), key=lambda one: -solution.plays[one].times)
    worths = _by_class(solution, rows)
    return [order[one] for one in _falling([[row[place] for place in order] for row in worths])]


def _named(
    solution: Solution, made: list[int], rows: NDArray[np.intp]
) -> Iterator[tuple[int, str]]:
    """Each play with a hand that comes in rows: A A 3 2 is never the best four of five cards."""
    fight, comes = solution.terms.fight, set(solution.counts.classes[rows].tolist())
    rising = enumerate(zip(reversed(made), classes(fight.best, fight.ace), strict=True))
    found = [(play, class_name(hand)) for number, (play, hand) in rising if number in comes]
    yield from reversed(found)


def _by_class(solution: Solution, rows: NDArray[np.intp]) -> list[list[int]]:
    """By class of own hand, the highest first, what every play is worth over the deals of rows."""
    counts, fight = solution.counts, solution.terms.fight
    ends = np.arange(len(classes(fight.best, fight.ace)) + 1)
    starts, allowed = np.searchsorted(counts.classes[rows], ends), solution.allowed[:, rows]
    worths = np.where(allowed, solution.worths[:, rows], 0)
    sums = [
        np.concatenate([[0], np.cumsum(row)]) for row in worths.astype(object) * counts.ways[rows]
    ]
    may = [np.concatenate([[0], np.cumsum(~row)]) for row in allowed]
    return [
        [
            int(total[end] - total[start]) if not ban[end] - ban[start] else NEVER
            for total, ban in zip(sums, may, strict=True)
        ]
        for start, end in reversed(list(pairwise(starts.tolist())))
    ]


def _falling(worths: list[list[int]]) -> list[int]:
    """By hand a place that never falls from one to the next, worth most in all."""
    many = len(worths[0])
    total, back = [0] * many, []
    for row in worths:
        source = [max(range(place + 1), key=lambda one: total[one]) for place in range(many)]
        total = [total[source[place]] + row[place] for place in range(many)]
        back.append(source)
    place, made = max(range(many), key=lambda one: total[one]), []
    for source in reversed(back):
        made.append(place)
        place = source[place]
    return made[::-1]
