"""Compare a simulation's totals with the exact figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import erfc, exp, lgamma, log, sqrt
from typing import Any

from pitbook.simulate.expected import Expected, expected
from pitbook.simulate.summary import MAIN, Outcome, outcome_counts
from pitbook.simulate.totals import Totals

POISSON_MAX = 1_000  # Above it a count is normal for every purpose here.
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
    """The chance of a count at least as far out, of rounds that each count with this share."""
    if expectation > POISSON_MAX or share > 0.05:
        return normal_tails((count - expectation) / sqrt(expectation * (1 - share)))
    # A rare event's count: its upper tail is a lower gamma, its lower tail an upper one.
    most = upper_gamma(count + 1, expectation)
    least = 1 - upper_gamma(count, expectation) if count else 1.0
    return min(1.0, 2 * min(most, least))


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
    """Lentz's way through the continued fraction."""
    tiny = 1e-300
    under = place + 1 - shape
    right, left = 1 / tiny, 1 / under
    found = left
    for step in range(1, STEPS_MAX):
        factor = -step * (step - shape)
        under += 2
        left = 1 / ((factor * left + under) or tiny)
        right = under + factor / right or tiny
        change = left * right
        found *= change
        if abs(change - 1) < 1e-15:
            break
    return found


SIGNIFICANCE = 0.001  # Luck alone strays so far once in a thousand checks.
POOLED_BELOW = 10.0  # Outcomes expected less often are put together in a chi-square.


@dataclass(frozen=True)
class MeanTest:
    """A seat's mean beside the exact one, in cents a round."""

    seat: int
    mean: float
    expected: float
    z: float | None  # None: luck has no part in it, and it is not so.
    chance: float


@dataclass(frozen=True)
class OutcomeTest:
    """How often a seat came to an outcome, beside how often it was expected to."""

    seat: int
    outcome: Outcome
    count: int
    expected: float
    z: float | None  # None: it cannot be, or cannot fail to be, and yet.
    chance: float


@dataclass(frozen=True)
class TableTest:
    """A chi-square over the outcomes of one wager at one seat."""

    seat: int
    wager: str
    statistic: float
    freedom: int
    chance: float


@dataclass(frozen=True)
class TheoryCheck:
    """Every judgement, and the verdict over all."""

    means: tuple[MeanTest, ...]
    outcomes: tuple[OutcomeTest, ...]
    tables: tuple[TableTest, ...]
    unknown: dict[str, str]

    @property
    def judgements(self) -> int:
        """How many there are."""
        return len(self.means) + len(self.outcomes) + len(self.tables)

    @property
    def significance(self) -> float:
        """The chance that luck alone strays so far anywhere."""
        chances = [one.chance for one in self.means]
        chances += [one.chance for one in self.outcomes]
        chances += [one.chance for one in self.tables]
        return min(1.0, self.judgements * min(chances)) if chances else 1.0

    @property
    def agrees(self) -> bool:
        """The verdict."""
        return self.significance >= SIGNIFICANCE

    def document(self) -> dict[str, Any]:
        """The check as JSON carries it."""
        return {
            "verdict": "agrees" if self.agrees else "disagrees",
            "significance": self.significance,
            "threshold": SIGNIFICANCE,
            "judgements": self.judgements,
            "means": [vars(one) for one in self.means],
            "chi_square": [vars(one) for one in self.tables],
            "outcomes": [
                {"seat": one.seat, **one.outcome._asdict(), **_figures(one)}
                for one in self.outcomes
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
    """Totals judged by the exact figures of their own plan, or by others."""
    against = expected(totals.ready.plan) if exact is None else exact
    means: list[MeanTest] = []
    rows: list[OutcomeTest] = []
    tables: list[TableTest] = []
    for seat in range(1, totals.ready.plan.seats + 1):
        means += _mean(totals, against, seat)
        own = [one for one in _outcomes(totals, against, seat) if not _seen(totals, one)]
        rows += own
        tables += _tables(own, seat)
    return TheoryCheck(tuple(means), tuple(rows), tuple(tables), against.unknown)


def _mean(totals: Totals, exact: Expected, seat: int) -> Iterator[MeanTest]:
    if exact.mean is None:
        return
    nets = totals.seat_nets(seat)
    variance = nets.variance if exact.variance is None else exact.variance
    off = float(nets.mean - exact.mean)
    error = sqrt(float(variance) / totals.rounds)
    if error:
        z: float | None = off / error
        chance = normal_tails(off / error)
    else:
        z, chance = (0.0, 1.0) if not off else (None, 0.0)
    yield MeanTest(seat, float(nets.mean), float(exact.mean), z, chance)


def _outcomes(totals: Totals, exact: Expected, seat: int) -> Iterator[OutcomeTest]:
    counts = outcome_counts(totals, seat, by_wager=exact.by_wager)
    judged = [one for one in {**exact.rows, **counts} if not _unknown(totals, exact, one.wager)]
    for outcome in judged:
        count, share = counts.get(outcome, 0), float(exact.rows.get(outcome, 0))
        many = share * totals.rounds
        if share <= 0 or share >= 1:  # What cannot be, or cannot fail to be.
            right = count == round(many)
            yield OutcomeTest(seat, outcome, count, many, *((0.0, 1.0) if right else (None, 0.0)))
            continue
        z = (count - many) / sqrt(many * (1 - share))
        yield OutcomeTest(seat, outcome, count, many, z, count_tails(count, many, share))


def _unknown(totals: Totals, exact: Expected, wager: str) -> bool:
    """Whether a wager has no exact figure: those of the main game have none where it has none."""
    side = dict(totals.ready.plan.side)
    if wager == MAIN and not exact.sums:
        return True
    return wager in exact.unknown or (MAIN in exact.unknown and wager not in side)


def _seen(totals: Totals, test: OutcomeTest) -> bool:
    """Whether an earlier seat has told the same: the board is everybody's."""
    game, wager = totals.ready.plan.game, test.outcome.wager
    asked = next((one for one in game.asked if one.wager == wager), None)
    if test.seat == 1 or asked is None:
        return False
    return asked.survives and 0 not in game.hand(asked.hand).places


def _tables(rows: list[OutcomeTest], seat: int) -> Iterator[TableTest]:
    for wager in dict.fromkeys(one.outcome.wager for one in rows):
        own = [(one.count, one.expected) for one in rows if one.outcome.wager == wager]
        pooled = _pooled(own)
        freedom = len(pooled) - 1
        if freedom > 0:
            statistic = sum((count - many) ** 2 / many for count, many in pooled)
            chance = chi_square_tail(statistic, freedom)
            yield TableTest(seat, wager, statistic, freedom, chance)


def _pooled(rows: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """The rows, rare ones put together, with the next rarest where they are still too rare."""
    kept = sorted((row for row in rows if row[1] >= POOLED_BELOW), key=lambda row: row[1])
    rare = [row for row in rows if row[1] < POOLED_BELOW]
    together = (sum(count for count, _ in rare), sum(many for _, many in rare))
    while kept and 0 < together[1] < POOLED_BELOW:
        count, many = kept.pop(0)
        together = (together[0] + count, together[1] + many)
    return [*kept, together] if together[1] else kept
