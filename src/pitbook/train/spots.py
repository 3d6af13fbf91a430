"""Spots to be practised again: those that cost most come back most often."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm

from pitbook.train.log import Logged

__all__ = ["missed_spot"]

Pick = Callable[[int], int]  # A number below another, each as likely.


def missed_spot(decisions: Sequence[Logged], pick: Pick) -> Logged | None:
    """One of the missed spots, each as likely as it was dear; one that was played well is known.

    Decisions come oldest first: the last one in a spot says how well it is known.
    """
    latest = {_spot(one): one for one in decisions}
    spots = [one for one in latest.values() if one.missed]
    if not spots:
        return None
    weights = _whole([one.missed for one in spots])
    left = pick(sum(weights))
    for one, weight in zip(spots, weights, strict=True):
        if left < weight:
            return one
        left -= weight
    raise AssertionError("a number below the sum of all weights lies within one of them")


def _spot(one: Logged) -> tuple[object, ...]:
    """What makes two spots the same to whoever plays them."""
    spot = one.decision
    return one.sheet["hash"], frozenset(spot.cards), frozenset(spot.board), spot.before


def _whole(weights: Sequence[Fraction]) -> list[int]:
    """The same weights as whole numbers."""
    scale = lcm(*(one.denominator for one in weights))
    return [int(one * scale) for one in weights]
