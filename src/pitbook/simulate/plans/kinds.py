"""Kinds of cards that every wager in play pays alike: no simulation need tell them apart."""

from __future__ import annotations

from typing import NamedTuple

from pitbook.rules.pricing import pay_by_kind
from pitbook.simulate.plans.plan import Plan


class Alike(NamedTuple):
    """For each kind its group, and for each group a kind that stands for it."""

    group: list[int]
    first: list[int]


def paid_alike(plan: Plan, hand: str) -> Alike:
    """The groups of a hand of the game, by all wagers of the plan that look at it."""
    made = {"main", *dict(plan.side)}
    wagers = [one.wager for one in plan.game.asked if one.hand == hand and one.wager in made]
    if not wagers:
        return Alike([0], [0])
    pays = list(zip(*(pay_by_kind(plan.sheet, wager) for wager in wagers), strict=True))
    numbers: dict[object, int] = {}
    group = [numbers.setdefault(row, len(numbers)) for row in pays]
    return Alike(group, [group.index(number) for number in range(len(numbers))])
