"""How likely it is that luck alone strays so far: tails of the three laws that counts follow."""

from __future__ import annotations

from math import erfc, exp, lgamma, log, sqrt

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
