"""What is counted apart on boards: groups of kinds, and events where a group makes a difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.boards.counting import River
from pitbook.exact.methods.duels.structure import EVENTS, kinds_by_class
from pitbook.exact.methods.duels.terms import Terms
from pitbook.hands.kinds import catalogue
from pitbook.rules.game import Seat
from pitbook.rules.settlement import Line

__all__ = ["Cells", "cells_of"]

Ints = NDArray[np.int64]
# Hands below a straight are most of those that are given up; the others are few enough to list.
MANY = ("high-card", "pair", "two-pair", "three-of-a-kind")
EventLines = list[tuple[tuple[Line, ...], ...] | None]  # By event, the lines of every seat.


@dataclass(frozen=True, eq=False)
class Cells:
    """The numbers that a sweep keeps: by group of kinds and event a cell, and an example of it."""

    terms: Terms
    groups: tuple[int, ...]  # By kind.
    examples: tuple[tuple[int | None, ...], ...]  # By group and event, a kind that comes out so.
    cells: tuple[tuple[int, ...], ...]  # By group and event; 0 also where that never comes.
    shown: tuple[tuple[int, int], ...]  # By cell: kind and event.

    def nets(self, seat: Seat) -> Ints:
        """By cell, what a seat nets in cents."""
        whole = self.terms.nets(seat)
        return np.array([whole[kind, event] for kind, event in self.shown], np.int64)

    def lines(self, seat: Seat, cell: int) -> tuple[Line, ...]:
        """What a seat's wagers come to in a cell."""
        found = self.terms.lines(seat, *self.shown[cell])
        assert found is not None
        return found

    @cached_property
    def shapes(self) -> tuple[int, ...]:
        """By class, its group."""
        fight = self.terms.fight
        return tuple(self.groups[kind] for kind in kinds_by_class(fight.best, fight.ace))

    @cached_property
    def listed(self) -> tuple[bool, ...]:
        """By group, whether boards on which it might be given up are few."""
        names = [kind.name for kind in catalogue(self.terms.fight.best)]
        firsts = [self.groups.index(group) for group in range(len(self.examples))]
        return tuple(not names[kind].startswith(MANY) for kind in firsts)

    def gains(self, first: Seat, other: Seat | None) -> Ints:
        """By group and event, what one seat nets above another; 0 where that never comes."""
        found = np.full((len(self.examples), len(EVENTS)), -1, np.int64)
        if other is None:
            return found
        whole = self.terms.nets(other) - self.terms.nets(first)
        for group, event in np.ndindex(*found.shape):
            kind = self.examples[group][event]
            found[group, event] = 0 if kind is None else whole[kind, event]
        return found

    def river(self, first: Seat, other: Seat | None, *, prefers: bool, listing: bool) -> River:
        """What a sweep must know. What hands are paid that are listed is no part of it.

        Those are taken to gain as much as any hand can: the boards where they do gain are among
        the boards where they then would.
        """
        gains = self.gains(first, other)
        listed = np.array(self.listed) & (listing and other is not None)
        comes = np.array([[kind is not None for kind in row] for row in self.examples])
        most = np.where(comes, gains, np.iinfo(np.int64).min).max(axis=0)
        gains = np.where(listed[:, None] & comes, most, gains)
        gains //= gcd(*(int(one) for one in gains.ravel())) or 1
        fight, told = self.terms.fight, tuple(tuple(row) for row in gains.tolist())
        few = tuple(bool(one) for one in listed)
        return River(fight.least, fight.ace, self.shapes, self.cells, told, few, prefers)


def cells_of(terms: Terms, seats: Sequence[Seat]) -> Cells:
    """The cells of a game whose rounds end with these seats."""
    kinds = catalogue(terms.fight.best)
    groups: list[tuple[str, EventLines, list[int | None]]] = []
    numbers = []
    for kind, rule in enumerate(kinds):
        told = [_told(terms, seats, kind, event) for event in range(len(EVENTS))]
        numbers.append(_put(groups, rule.name, kind, told))
    cells: dict[Any, int] = {}
    shown: list[tuple[int, int]] = []
    table: list[tuple[int, ...]] = []
    for _, told, examples in groups:
        row = []
        for event, (lines, example) in enumerate(zip(told, examples, strict=True)):
            if example is None:
                row.append(0)
                continue
            alike = all(one[1][event] in (None, lines) for one in groups)
            key = event if alike else (event, len(table))
            if key not in cells:
                cells[key] = len(cells)
                shown.append((example, event))
            row.append(cells[key])
        table.append(tuple(row))
    kinds_shown = tuple(tuple(one[2]) for one in groups)
    return Cells(terms, tuple(numbers), kinds_shown, tuple(table), tuple(shown))


def _put(
    groups: list[tuple[str, EventLines, list[int | None]]], name: str, kind: int, told: EventLines
) -> int:
    """The group of a kind: one of its shape that is settled alike, or a new one."""
    shape = next((one for one in ("high-card", "pair") if name.startswith(one)), name)
    for number, (other, known, examples) in enumerate(groups):
        pairs = list(zip(known, told, strict=True))
        if other != shape or any(None not in pair and pair[0] != pair[1] for pair in pairs):
            continue
        for event, (old, new) in enumerate(pairs):
            if old is None and new is not None:
                known[event], examples[event] = new, kind
        return number
    groups.append((shape, told, [None if one is None else kind for one in told]))
    return len(groups) - 1


def _told(
    terms: Terms, seats: Sequence[Seat], kind: int, event: int
) -> tuple[tuple[Line, ...], ...] | None:
    found = [terms.lines(seat, kind, event) for seat in seats]
    return None if None in found else tuple(lines for lines in found if lines is not None)
