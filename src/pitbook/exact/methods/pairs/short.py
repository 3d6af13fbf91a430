"""A short strategy with one decision: bets by the own hand alone, each down to a lowest hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np

from pitbook.exact.methods.ladder.strategies import class_name
from pitbook.exact.methods.pairs.solving import Solution
from pitbook.game.plays import Play
from pitbook.hands.ranking import classes

__all__ = ["Short", "short_strategy"]

NEVER = -(10**40)  # What a play is worth that may not be made.


class Short(NamedTuple):
    """Hands from the highest to the lowest, run by run with its play; of a whole round."""

    runs: tuple[tuple[str, str, Play], ...]
    expected: Fraction


def short_strategy(solution: Solution) -> Short:
    """The best of all strategies whose bets fall with the hand, whatever the dealer shows."""
    order = sorted(range(len(solution.plays)), key=lambda one: -solution.plays[one].times)
    worths = _by_class(solution)
    made = _falling([[row[place] for place in order] for row in worths])
    places = np.array([order[one] for one in reversed(made)], np.int8)
    played = replace(solution, chosen=places[solution.counts.classes])
    fight = solution.terms.fight
    names = [class_name(hand) for hand in reversed(classes(fight.best, fight.ace))]
    runs = []
    for place, some in groupby(zip(made, names, strict=True), key=lambda one: one[0]):
        hands = [name for _, name in some]
        runs.append((hands[0], hands[-1], solution.plays[order[place]]))
    return Short(tuple(runs), played.expected)


def _by_class(solution: Solution) -> list[list[int]]:
    """By class of own hand, the highest first, what every play is worth over all deals."""
    counts, fight = solution.counts, solution.terms.fight
    starts = np.searchsorted(counts.classes, np.arange(len(classes(fight.best, fight.ace)) + 1))
    weighed = np.where(solution.allowed, solution.worths, 0).astype(object) * counts.ways
    sums = [np.concatenate([[0], np.cumsum(row)]) for row in weighed]
    may = [np.concatenate([[0], np.cumsum(~row)]) for row in solution.allowed]
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
