"""Kinds of cards that every wager in play pays alike: no simulation need tell them apart."""

from __future__ import annotations

from typing import NamedTuple

from pitbook.families.street_stud.sheet import StreetStud
from pitbook.game.pricing import pay_by_kind
from pitbook.simulate.plan import Plan

__all__ = ["Alike", "paid_alike"]


class Alike(NamedTuple):
    """For each kind its group, and for each group a kind that stands for it."""

    group: list[int]
    first: list[int]


def paid_alike(plan: Plan, looks_at: str) -> Alike:
    """The groups of what the plan's wagers look at: "hand", "hole", "community", "dealer-match"."""
    sheet = plan.sheet
    wagers = [wager for wager, _ in plan.side if sheet.side[wager].looks_at == looks_at]
    if looks_at == "hand" and isinstance(sheet, StreetStud):
        wagers = ["main", *wagers]
    if not wagers:
        return Alike([0], [0])
    pays = list(zip(*(pay_by_kind(sheet, wager) for wager in wagers), strict=True))
    numbers: dict[object, int] = {}
    group = [numbers.setdefault(row, len(numbers)) for row in pays]
    return Alike(group, [group.index(number) for number in range(len(numbers))])
