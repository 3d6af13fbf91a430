"""Money that comes in different amounts, and how often: mean, deviation and quantiles, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import ceil, isqrt

from pitbook.text import say


@dataclass(frozen=True)
class Distribution:
    """Amounts in cents, rising, and the rounds in which each came."""

    amounts: tuple[int, ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, counts: Mapping[int, int]) -> Distribution:
        """The distribution of a mapping from amounts to counts."""
        amounts = tuple(sorted(amount for amount, count in counts.items() if count))
        return cls(amounts, tuple(counts[amount] for amount in amounts))

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(zip(self.amounts, self.counts, strict=True))

    @cached_property
    def rounds(self) -> int:
        """Rounds counted."""
        return sum(self.counts)

    @cached_property
    def total(self) -> int:
        """All amounts together, in cents."""
        return sum(amount * count for amount, count in self)

    @property
    def mean(self) -> Fraction:
        """Cents a round."""
        return Fraction(self.total, self.rounds)

    @cached_property
    def variance(self) -> Fraction:
        """Of one round, in cents squared."""
        squares = sum(amount * amount * count for amount, count in self)
        return Fraction(squares, self.rounds) - self.mean**2

    @property
    def deviation(self) -> float:
        """The root of the variance, in cents."""
        scale = 10**12
        return isqrt(self.variance.numerator * scale**2 // self.variance.denominator) / scale

    def quantile(self, share: Fraction) -> int:
        """The least amount that at least this share of rounds does not exceed."""
        needed = max(1, ceil(share * self.rounds))
        for amount, reached in zip(self.amounts, accumulate(self.counts), strict=True):
            if reached >= needed:
                return amount
        raise AssertionError(say("simulate.share"))

    def share(self, *, above: int | None = None, below: int | None = None) -> Fraction:
        """The share of rounds above or below an amount."""
        kept = sum(
            count
            for amount, count in self
            if (above is None or amount > above) and (below is None or amount < below)
        )
        return Fraction(kept, self.rounds)
