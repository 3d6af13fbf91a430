"""Amounts as places on a lattice, and where a round leads from each of them."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, exp, gcd, lcm, log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.simulate.sessions.outlook import Number
from pitbook.simulate.sessions.session import Session

AWAY = 1e-15  # The chance that a player who is counted as safe comes down again.


class LatticeRung(NamedTuple):
    """A stretch of places from which rounds are played alike: where they lead, and how often."""

    first: int  # The stretch goes on to the first place of the next one.
    steps: tuple[int, ...]
    odds: tuple[Any, ...]  # Floats, or whole numbers that add up to the lattice's `whole`.
    mean: Number  # Of the steps.
    square: Number


class Lattice(NamedTuple):
    """Place p is the bankroll `base + p * unit` in cents; rungs rise, the last has no end."""

    unit: int
    base: int
    whole: int  # 1 where odds are floats.
    rungs: tuple[LatticeRung, ...]

    @property
    def exact(self) -> bool:
        """Whether odds are whole numbers."""
        return isinstance(self.rungs[0].odds[0], int)

    @property
    def ways(self) -> int:
        """At most so many steps lead to one place."""
        return sum(len(rung.steps) for rung in self.rungs)

    def place(self, amount: int) -> int:
        """The lowest place with at least this amount."""
        return -((self.base - amount) // self.unit)

    def amounts(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Places as cents."""
        return self.base + places * self.unit


def lattice(session: Session, *, exact: bool) -> Lattice:
    """The lattice of a session; in whole numbers, or in floating point."""
    nets = session.nets
    unit = gcd(*(net for one in nets for net in one)) or 1
    whole = lcm(*(odds.denominator for one in nets for odds in one.values())) if exact else 1
    flat = Lattice(unit, session.bankroll % unit, whole, ())
    places = [flat.place(level.least) for level in session.played_at]
    rungs = tuple(
        _rung(flat, place, one, exact=exact) for place, one in zip(places, nets, strict=True)
    )
    return flat._replace(rungs=rungs)


def _rung(flat: Lattice, first: int, nets: dict[int, Fraction], *, exact: bool) -> LatticeRung:
    steps = tuple(net // flat.unit for net in nets)
    odds = tuple(int(one * flat.whole) if exact else float(one) for one in nets.values())
    mean = sum((step * one for step, one in zip(steps, nets.values(), strict=True)), Fraction(0))
    square = sum((step**2 * one for step, one in zip(steps, nets.values(), strict=True)), mean * 0)
    number = Fraction if exact else float
    return LatticeRung(first, steps, odds, number(mean), number(square))


def descents(rung: LatticeRung, rounds: int, *, certain: bool) -> list[int]:
    """For 0, 1, ... rounds the places that a player does not lose in them, ever on the way.

    Certain, or but for a chance of AWAY: Chernoff's bound on the sum of the rounds, which Doob's
    inequality makes one on all of its beginnings.
    """
    worst = max(0, -min(rung.steps))
    sure = [worst * number for number in range(rounds + 1)]
    if certain or not worst:
        return sure
    pairs = list(zip(rung.steps, rung.odds, strict=True))
    tilts = [2.0**place / worst for place in range(-16, 4)]
    growth = [
        max(0.0, log(sum(odds * exp(-tilt * step) for step, odds in pairs))) for tilt in tilts
    ]
    likely = (
        min((number * grown - log(AWAY)) / tilt for tilt, grown in zip(tilts, growth, strict=True))
        for number in range(rounds + 1)
    )
    return [min(one, ceil(other)) for one, other in zip(sure, likely, strict=True)]
