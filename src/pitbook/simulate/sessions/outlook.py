"""What will have become of a bankroll: how sessions end, what is left, and the way there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.simulate.sessions.session import Session

OutlookMethod = Literal["exact", "computed", "simulated"]
Number = Fraction | float
HearProgress = Callable[[int, int], object]  # So much is done, of so much.

QUANTILES = tuple(Fraction(share, 100) for share in (1, 5, 25, 50, 75, 95, 99))
BANDS = ((1, 5), (2, 4))  # Places in QUANTILES: nine in ten, and the middle half.


class SessionEnd(NamedTuple):
    """One way to end: how likely it is, and after how many rounds on average."""

    chance: Number
    rounds: Number | None


@dataclass(frozen=True, eq=False)
class Spread:
    """Amounts in cents, rising, and what weight each has; `above` lies beyond them all."""

    amounts: NDArray[np.int64]
    weights: NDArray[Any]
    above: Any = 0

    @cached_property
    def _sums(self) -> NDArray[Any]:
        return np.cumsum(self.weights)

    @property
    def total(self) -> Any:
        """All weight together."""
        return self._sums[-1] + self.above

    def quantile(self, share: Fraction) -> int | None:
        """The least amount that at least this share does not exceed; None where that is above."""
        needed = self.total * share.numerator
        place = int(np.searchsorted(self._sums * share.denominator, needed))
        return int(self.amounts[place]) if place < len(self.amounts) else None

    def upto(self, amount: int) -> Number:
        """The share of at most this amount."""
        place = int(np.searchsorted(self.amounts, amount, side="right"))
        return ratio(self._sums[place - 1], self.total) if place else Fraction(0)


def ratio(part: Any, whole: Any) -> Number:
    """A share: exact where both are whole numbers."""
    if isinstance(part, float | np.floating):
        return float(part / whole)
    return Fraction(int(part), int(whole))


class BankrollMark(NamedTuple):
    """After so many rounds: the share that still plays, and the quantiles of the bankroll."""

    rounds: int
    playing: Number
    quantiles: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Outlook:
    """The answer for one session, and how it was come by."""

    session: Session
    method: OutlookMethod
    ends: Mapping[str, SessionEnd]
    played: Number  # Rounds, on average.
    mean: Number  # Of the net, in cents.
    square: Number  # The mean of its square.
    marks: tuple[BankrollMark, ...]
    final: Spread
    error: float | None = None  # No chance is further from the true one.
    sessions: int | None = None  # Played, where they are simulated.
    why: str | None = field(default=None)  # Simulated for want of better, and of what.

    @property
    def deviation(self) -> float:
        """The net's standard deviation, in cents."""
        return sqrt(max(self.square - self.mean * self.mean, 0))
