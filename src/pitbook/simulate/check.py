"""Compare a simulation's totals with the exact figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import erfc, exp, lgamma, log, sqrt
from typing import Any

from pitbook.simulate.expected import Expected, expected
from pitbook.simulate.summary import MAIN, Outcome, outcome_counts
from pitbook.simulate.totals import Totals

POISSON_MAX = 1_000  # Above this, a count is treated as normally distributed.
STEPS_MAX = 100_000


def normal_tails(score: float) -> float:
    """The chance of a standard score at least as far from zero.

    >>> round(normal_tails(3.3), 5)
    0.00097
    """
    return erfc(abs(score) / sqrt(2))


def chi_square_tail(statistic: float, freedom: int) -> float:
    """The chance of a chi-square at least as large.

    >>> round(chi_square_tail(18.307, 10), 4)
    0.05
    """
    return upper_gamma(freedom / 2, statistic / 2)


def count_tails(count: int, expectation: float, share: float) -> float:
    """Two-sided probability of a count this far from its expectation, `share` being its chance per
    round.
    """
    if expectation > POISSON_MAX or share > 0.05:
        return normal_tails((count - expectation) / sqrt(expectation * (1 - share)))
    # A rare event's count: its upper tail is a lower gamma, its lower tail an upper one.
    upper = upper_gamma(count + 1, expectation)
    lower = 1 - upper_gamma(count, expectation) if count else 1.0
    return min(1.0, 2 * min(upper, lower))


def upper_gamma(shape: float, place: float) -> float:
    """The regularised upper incomplete gamma function."""
    if place <= 0:
        return 1.0
    scale = exp(shape * log(place) - place - lgamma(shape))
    if place < shape + 1:
        return max(0.0, 1 - scale * _series(shape, place))
    return scale * _fraction(shape, place)


def _series(shape: float, place: float) -> float:
    term = total = 1 / shape
    for step in range(1, STEPS_MAX):
        term *= place / (shape + step)
        total += term
        if term < total * 1e-16:
            break
    return total


def _fraction(shape: float, place: float) -> float:
    """Lentz's algorithm for the continued fraction."""
    tiny = 1e-300
    denominator = place + 1 - shape
    numerator, inverse = 1 / tiny, 1 / denominator
    fraction = inverse
    for step in range(1, STEPS_MAX):
        factor = -step * (step - shape)
        denominator += 2
        inverse = 1 / ((factor * inverse + denominator) or tiny)
        numerator = denominator + factor / numerator or tiny
        change = inverse * numerator
        fraction *= change
        if abs(change - 1) < 1e-15:
            break
    return fraction


SIGNIFICANCE = 0.001  # A correct simulation fails once in a thousand checks.
POOLED_BELOW = 10.0  # Rarer outcomes are pooled in a chi-square.


@dataclass(frozen=True)
class MeanTest:
    """A seat's mean net compared with the exact one, in cents per round."""

    seat: int
    mean: float
    expected: float
    z: float | None  # None: the result is certain, and the totals differ.
    chance: float


@dataclass(frozen=True)
class OutcomeTest:
    """Count of an outcome at a seat, compared with its expectation."""

    seat: int
    outcome: Outcome
    count: int
    expected: float
    z: float | None  # None: the outcome is certain or impossible, and the count differs.
    chance: float


@dataclass(frozen=True)
class TableTest:
    """Chi-square over the outcomes of one wager at one seat."""

    seat: int
    wager: str
    statistic: float
    freedom: int
    chance: float


@dataclass(frozen=True)
class TheoryCheck:
    """All tests and the overall verdict."""

    means: tuple[MeanTest, ...]
    outcomes: tuple[OutcomeTest, ...]
    tables: tuple[TableTest, ...]
    unknown: dict[str, str]

    @property
    def judgements(self) -> int:
        """Number of tests."""
        return len(self.means) + len(self.outcomes) + len(self.tables)

    @property
    def significance(self) -> float:
        """Probability that chance alone causes the largest deviation."""
        chances = [test.chance for test in self.means]
        chances += [test.chance for test in self.outcomes]
        chances += [test.chance for test in self.tables]
        return min(1.0, self.judgements * min(chances)) if chances else 1.0

    @property
    def agrees(self) -> bool:
        return self.significance >= SIGNIFICANCE

    def document(self) -> dict[str, Any]:
        """The check as JSON."""
        return {
            "verdict": "agrees" if self.agrees else "disagrees",
            "significance": self.significance,
            "threshold": SIGNIFICANCE,
            "judgements": self.judgements,
            "means": [vars(test) for test in self.means],
            "chi_square": [vars(test) for test in self.tables],
            "outcomes": [
                {"seat": test.seat, **test.outcome._asdict(), **_figures(test)}
                for test in self.outcomes
            ],
            "unknown": self.unknown,
        }


def _figures(test: OutcomeTest) -> dict[str, Any]:
    return {
        "count": test.count,
        "expected": test.expected,
        "z": test.z,
        "chance": test.chance,
    }


def check(totals: Totals, exact: Expected | None = None) -> TheoryCheck:
    """Compare totals with the exact figures of their plan, or with `exact`."""
    reference = expected(totals.ready.plan) if exact is None else exact
    means: list[MeanTest] = []
    rows: list[OutcomeTest] = []
    tables: list[TableTest] = []
    for seat in range(1, totals.ready.plan.seats + 1):
        means += _mean(totals, reference, seat)
        seat_rows = [
            test for test in _outcomes(totals, reference, seat) if not _is_repeated(totals, test)
        ]
        rows += seat_rows
        tables += _tables(seat_rows, seat)
    return TheoryCheck(tuple(means), tuple(rows), tuple(tables), reference.unknown)


def _mean(totals: Totals, exact: Expected, seat: int) -> Iterator[MeanTest]:
    if exact.mean is None:
        return
    nets = totals.seat_nets(seat)
    variance = nets.variance if exact.variance is None else exact.variance
    difference = float(nets.mean - exact.mean)
    error = sqrt(float(variance) / totals.rounds)
    if error:
        z: float | None = difference / error
        chance = normal_tails(difference / error)
    else:
        z, chance = (0.0, 1.0) if not difference else (None, 0.0)
    yield MeanTest(seat, float(nets.mean), float(exact.mean), z, chance)


def _outcomes(totals: Totals, exact: Expected, seat: int) -> Iterator[OutcomeTest]:
    counts = outcome_counts(totals, seat, by_wager=exact.by_wager)
    candidates = [
        outcome
        for outcome in {**exact.rows, **counts}
        if not _unknown(totals, exact, outcome.wager)
    ]
    for outcome in candidates:
        count, share = counts.get(outcome, 0), float(exact.rows.get(outcome, 0))
        expectation = share * totals.rounds
        if share <= 0 or share >= 1:  # What cannot be, or cannot fail to be.
            matches = count == round(expectation)
            yield OutcomeTest(
                seat, outcome, count, expectation, *((0.0, 1.0) if matches else (None, 0.0))
            )
            continue
        z = (count - expectation) / sqrt(expectation * (1 - share))
        yield OutcomeTest(
            seat, outcome, count, expectation, z, count_tails(count, expectation, share)
        )


def _unknown(totals: Totals, exact: Expected, wager: str) -> bool:
    """Whether a wager has no exact figure. Main-game wagers have none if `main` has none."""
    side = dict(totals.ready.plan.side)
    if wager == MAIN and not exact.net_known:
        return True
    return wager in exact.unknown or (MAIN in exact.unknown and wager not in side)


def _is_repeated(totals: Totals, test: OutcomeTest) -> bool:
    """Whether an earlier seat reported the same: the community cards are common to all seats."""
    game, wager = totals.ready.plan.game, test.outcome.wager
    rule = next((question for question in game.asked if question.wager == wager), None)
    if test.seat == 1 or rule is None:
        return False
    return rule.survives and 0 not in game.hand(rule.hand).places


def _tables(rows: list[OutcomeTest], seat: int) -> Iterator[TableTest]:
    for wager in dict.fromkeys(row.outcome.wager for row in rows):
        counts = [(row.count, row.expected) for row in rows if row.outcome.wager == wager]
        pooled = _pool_rare(counts)
        freedom = len(pooled) - 1
        if freedom > 0:
            statistic = sum((count - many) ** 2 / many for count, many in pooled)
            chance = chi_square_tail(statistic, freedom)
            yield TableTest(seat, wager, statistic, freedom, chance)


def _pool_rare(rows: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """Pool rare rows, adding the next rarest until the pool is large enough."""
    common = sorted((row for row in rows if row[1] >= POOLED_BELOW), key=lambda row: row[1])
    rare = [row for row in rows if row[1] < POOLED_BELOW]
    pooled = (sum(count for count, _ in rare), sum(many for _, many in rare))
    while common and 0 < pooled[1] < POOLED_BELOW:
        count, many = common.pop(0)
        pooled = (pooled[0] + count, pooled[1] + many)
    return [*common, pooled] if pooled[1] else common
