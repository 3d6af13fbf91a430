"""Figures of a wager from its outcome table, as exact fractions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

from pitbook.money import Cents

if TYPE_CHECKING:
    from pitbook.rules.settlement_lines import Line

Units = int | Fraction


class WagerResult(NamedTuple):
    """How one of several wagers ended, in units of the first."""

    wager: str
    outcome: str
    units: Units
    result: str
    net: Fraction


@dataclass(frozen=True)
class FigureRow:
    """Rounds that end alike: the amount at stake and the net result, in units of the wager.

    `wagers` lists the result of each wager if they ended differently; the row is their sum.
    """

    outcome: str
    units: Units
    result: str
    net: Fraction
    count: int
    wagers: tuple[WagerResult, ...] = ()


@dataclass(frozen=True)
class Figures:
    """The figures of one wager, or of a whole round. `rounds` is the sum of the counts."""

    rows: tuple[FigureRow, ...]
    rounds: int

    @cached_property
    def expected(self) -> Fraction:
        """Expected value to the player for each unit of the ante, Bet or side wager."""
        return self._mean(row.net for row in self.rows)

    @property
    def house_edge(self) -> Fraction:
        """Expected loss over the ante, the Bet or the side wager."""
        return -self.expected

    @cached_property
    def average_wager(self) -> Fraction:
        """Expected total amount at stake."""
        return self._mean(Fraction(row.units) for row in self.rows)

    @property
    def element_of_risk(self) -> Fraction:
        """Expected loss over the expected total at stake."""
        return self.house_edge / self.average_wager

    @cached_property
    def variance(self) -> Fraction:
        """Variance of the net result."""
        return self._mean(row.net**2 for row in self.rows) - self.expected**2

    @property
    def standard_deviation(self) -> float:
        """The square root of the variance, correct to the last digit printed."""
        return float(_root(self.variance))

    @property
    def skewness(self) -> float:
        """The third central moment over the cube of the standard deviation; 0 without variance."""
        mean, spread = self.expected, _root(self.variance)
        if not spread:
            return 0.0
        third = self._mean((row.net - mean) ** 3 for row in self.rows)
        return float(third / spread**3)

    def volatility_index(self, standard_errors: Fraction = Fraction(164485, 100000)) -> float:
        """The half-width of the result's 90% interval over one round: 1.64485 deviations."""
        return float(_root(self.variance) * standard_errors)

    def share(self, result: str) -> Fraction:
        """The share of rounds whose net result is a win, push or loss."""
        return Fraction(
            sum(row.count for row in self.rows if _net_result(row.net) == result), self.rounds
        )

    @property
    def hit_frequency(self) -> Fraction:
        """The share of rounds with a net win; a push does not count."""
        return self.share("win")

    def _mean(self, terms: Iterable[Fraction]) -> Fraction:
        total = sum(term * row.count for term, row in zip(terms, self.rows, strict=True))
        return Fraction(total) / self.rounds


def figures_from_rows(rows: Iterable[FigureRow]) -> Figures:
    """The figures of an outcome table. Equal rows are merged; best outcomes come first."""
    merged: dict[tuple[str, Units, str, Fraction, tuple[WagerResult, ...]], int] = {}
    for row in rows:
        key = (row.outcome, row.units, row.result, row.net, row.wagers)
        merged[key] = merged.get(key, 0) + row.count
    ordered = sorted(
        (FigureRow(*key[:4], count, key[4]) for key, count in merged.items()),
        key=lambda row: (-row.net, row.outcome, row.units, row.result, row.wagers),
    )
    return Figures(tuple(ordered), sum(row.count for row in ordered))


def main_row(lines: Sequence[Line], stake: Cents, count: int) -> FigureRow:
    """The main game's wagers as a row: one outcome if all end alike, else one for each wager."""
    first = lines[0]
    alike = all(line.outcome == first.outcome and line.result == first.result for line in lines)
    if alike:
        units, net = _units_and_net(lines, stake)
        return FigureRow(str(first.outcome), units, first.result, net, count)
    wagers = tuple(
        WagerResult(line.wager, str(line.outcome), *_wager_result(line, stake)) for line in lines
    )
    return replace(round_row(lines, stake, count), wagers=wagers)


def round_row(lines: Sequence[Line], stake: Cents, count: int) -> FigureRow:
    """All wagers as one row: their outcomes joined, and the net result."""
    units, net = _units_and_net(lines, stake)
    outcome = " + ".join(dict.fromkeys(str(line.outcome) for line in lines))
    return FigureRow(outcome, units, _net_result(net), net, count)


def _wager_result(line: Line, stake: Cents) -> tuple[Units, str, Fraction]:
    units, net = _units_and_net((line,), stake)
    return units, line.result, net


def _units_and_net(lines: Sequence[Line], stake: Cents) -> tuple[Units, Fraction]:
    units, remainder = divmod(sum([line.stake for line in lines]), stake)
    net = Fraction(sum([line.net for line in lines]), stake)
    return units + Fraction(remainder, stake) if remainder else units, net


def _net_result(net: Fraction) -> str:
    return "win" if net > 0 else "lose" if net < 0 else "push"


def _root(square: Fraction) -> Fraction:
    """The square root to 30 digits, rounded down."""
    scale = 10**30
    return Fraction(isqrt(square.numerator * scale**2 // square.denominator), scale)
