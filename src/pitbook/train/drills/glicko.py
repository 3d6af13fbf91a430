"""Glicko-2: how strong somebody is and how sure that is, from who was met and what came of it.

After Mark E. Glickman, "Example of the Glicko-2 system" (glicko.net/glicko/glicko2.pdf), whose
worked example is our test. A question is met like another player: who answers it wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import exp, log, pi, sqrt
from typing import NamedTuple

__all__ = ["Opponent", "Rating", "expected", "rated"]

SCALE = 173.7178
MIDDLE = 1500.0
TAU = 0.5  # How much volatility may change.
EPSILON = 1e-6
DEVIATION_MAX = 350.0


class Rating(NamedTuple):
    """A strength, how far off it may be, and how erratic results are."""

    rating: float = MIDDLE
    deviation: float = DEVIATION_MAX
    volatility: float = 0.06


class Opponent(NamedTuple):
    """Somebody or something that was met, and what came of it: 1 won, 0 lost."""

    other: Rating
    score: float


def rated(one: Rating, met: Iterable[Opponent]) -> Rating:
    """The rating after a period in which these were met; with nobody met it is less sure."""
    games = list(met)
    phi = one.deviation / SCALE
    if not games:
        wider = sqrt(phi**2 + one.volatility**2) * SCALE
        return one._replace(deviation=min(DEVIATION_MAX, wider))
    mu = (one.rating - MIDDLE) / SCALE
    each = [(_g(game.other), _e(mu, game.other), game.score) for game in games]
    variance = 1 / sum(g**2 * e * (1 - e) for g, e, _ in each)
    gain = sum(g * (score - e) for g, e, score in each)
    sigma = _volatility(one.volatility, phi, variance, variance * gain)
    wider = phi**2 + sigma**2
    phi = 1 / sqrt(1 / wider + 1 / variance)
    return Rating(MIDDLE + SCALE * (mu + phi**2 * gain), min(DEVIATION_MAX, phi * SCALE), sigma)


def expected(one: Rating, other: Rating) -> float:
    """How often one is to win against another.

    >>> round(expected(Rating(1500, 30), Rating(1500, 30)), 2)
    0.5
    """
    return _e((one.rating - MIDDLE) / SCALE, other)


def _g(other: Rating) -> float:
    return 1 / sqrt(1 + 3 * (other.deviation / SCALE) ** 2 / pi**2)


def _e(mu: float, other: Rating) -> float:
    return 1 / (1 + exp(-_g(other) * (mu - (other.rating - MIDDLE) / SCALE)))


def _volatility(sigma: float, phi: float, variance: float, delta: float) -> float:
    """Step 5 of the paper: the root of f by the Illinois method."""
    a = log(sigma**2)

    def f(x: float) -> float:
        wide = phi**2 + variance + exp(x)
        return exp(x) * (delta**2 - wide) / (2 * wide**2) - (x - a) / TAU**2

    low = a
    if delta**2 > phi**2 + variance:
        high = log(delta**2 - phi**2 - variance)
    else:
        k = 1
        while f(a - k * TAU) < 0:
            k += 1
        high = a - k * TAU
    return exp(_root(f, low, high) / 2)


def _root(f: Callable[[float], float], a: float, b: float) -> float:
    at_a, at_b = f(a), f(b)
    while abs(b - a) > EPSILON:
        c = a + (a - b) * at_a / (at_b - at_a)
        at_c = f(c)
        if at_c * at_b <= 0:
            a, at_a = b, at_b
        else:
            at_a /= 2
        b, at_b = c, at_c
    return a
