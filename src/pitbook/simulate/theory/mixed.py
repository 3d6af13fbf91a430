"""How rounds end when a strategy is followed, and when some of its decisions go wrong.

Without mistakes probabilities are fractions, counted by `exact`. With them they are worked forward
in floating point, good to about fifteen digits.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.ladder.strategies import LadderStrategy
from pitbook.exact.methods.ladder.structure import Purse
from pitbook.exact.methods.ladder.transitions import class_sizes, kind_counts, transition
from pitbook.exact.methods.points.strategies import PointsStrategy
from pitbook.hands.ranking import classes
from pitbook.rules.plays import Play

Floats = NDArray[np.float64]
Number = Fraction | float


class End(NamedTuple):
    """A way to end: with these bets at stake, shown down with a kind or folded (None)."""

    purse: Purse
    kind: int | None
    likely: Number


def endings(followed: LadderStrategy, mistakes: Fraction) -> Iterator[End]:
    """Every way a seat that follows it by class ends."""
    if mistakes:
        yield from _erring(followed, float(mistakes))
        return
    rounds = sum(one.count for one in followed.endings)
    for one in followed.endings:
        yield End(one.purse, one.kind, Fraction(one.count, rounds))


def _erring(followed: LadderStrategy, rate: float) -> Iterator[End]:
    solution = followed.solution
    terms, ace = solution.terms, solution.ace
    ways = class_sizes(solution.seen[0], ace)
    reached: dict[Purse, Floats] = {terms.purses[0][0]: ways / ways.sum()}
    last = len(solution.streets) - 1
    for street in range(last + 1):
        following: dict[Purse, Floats] = {}
        for purse, weights in reached.items():
            choice, best = solution.streets[street][purse], followed.policy[street][purse]
            for place, play in enumerate(choice.plays):
                made = weights * _shares(len(choice.plays), best == place, rate)
                if play.folds:
                    yield End(purse, None, float(made.sum()))
                    continue
                bigger = terms.purse_after(street, purse, play)
                following[bigger] = following.get(bigger, 0) + made
        if street == last:
            yield from _shown(following, kind_counts(solution.seen[street], ace))
            return
        step = transition(
            solution.seen[street], solution.seen[street + 1] - solution.seen[street], ace
        )
        size = len(classes(solution.seen[street + 1], ace))
        reached = {purse: _carried(made, step, size) for purse, made in following.items()}


def _shares(plays: int, best: Any, rate: float) -> Any:
    """How often a play is made where it is the best one, and where it is another."""
    if plays == 1:
        return 1.0
    return np.where(best, 1 - rate, rate / (plays - 1))


def _carried(weights: Floats, step: Any, size: int) -> Floats:
    spread = weights[:, None] * (step.ways / step.ways.sum(axis=1, keepdims=True))
    after: Any = np.bincount(step.targets.ravel(), spread.ravel(), minlength=size)
    return np.asarray(after, np.float64)


def _shown(reached: dict[Purse, Floats], counts: Any) -> Iterator[End]:
    shares = counts / counts.sum(axis=1, keepdims=True)
    for purse, weights in reached.items():
        for kind, likely in enumerate((weights @ shares).tolist()):
            if likely:
                yield End(purse, kind, likely)


def declarations(
    followed: PointsStrategy, mistakes: Fraction
) -> Iterator[tuple[Play, int, Fraction]]:
    """Every declaration, who is ahead (0 the player, 1 nobody, 2 the dealer), and how likely."""
    solution = followed.solution
    deals = sum(spot.ways for spot in solution.spots)
    for spot in solution.spots:
        best, plays = followed.plays[spot.ranks], tuple(spot.worth)
        wrong = mistakes / (len(plays) - 1) if len(plays) > 1 else Fraction(0)
        for play in plays if mistakes else (best,):
            made = 1 - wrong * (len(plays) - 1) if play == best else wrong
            tally = solution.ahead[spot.ranks][play.said]
            for place, ways in enumerate(tally):
                if ways:
                    yield play, place, made * Fraction(spot.ways * ways, deals * sum(tally))
