"""Amounts in the house's chips, as a dealer cuts them out: the largest first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pitbook.money import Cents, money
from pitbook.sheets.model import Sheet

__all__ = ["cut", "in_chips", "one_less", "one_more"]


def cut(values: Sequence[int], amount: int) -> list[tuple[int, int]]:
    """How many of each chip make up an amount; cents that no chip is worth come last, in one.

    >>> cut([100, 500, 2500], 4633)
    [(2500, 1), (500, 4), (100, 1), (33, 1)]
    """
    stacks = []
    for value in sorted(values, reverse=True):
        count, amount = divmod(amount, value)
        if count:
            stacks.append((value, count))
    return [*stacks, (amount, 1)] if amount else stacks


def in_chips(sheet: Sheet, amount: int) -> list[list[str | int]]:
    """An amount in the chips of the sheet's house, as JSON: [["25.00", 1], ["5.00", 2]]."""
    return [list(one) for one in _cut(tuple(sheet.house.chips.values), amount)]


@lru_cache(maxsize=4_000)  # The same few wagers, again and again.
def _cut(values: tuple[int, ...], amount: int) -> tuple[tuple[str, int], ...]:
    return tuple((money(value), count) for value, count in cut(values, amount))


def one_more(now: int, chip: int, least: int) -> Cents:
    """A wager with one more chip; the first one puts the minimum at least."""
    return Cents(max(now + chip, least) if not now else now + chip)


def one_less(now: int, chip: int, least: int) -> Cents:
    """A wager with one chip less; what would lie under the minimum comes off whole."""
    return Cents(now - chip if now - chip >= least else 0)
