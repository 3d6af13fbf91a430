"""The bankroll as a Markov chain over a lattice of amounts."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, exp, gcd, lcm, log, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.simulation.sessions.session import (
    GOAL,
    QUANTILES,
    RUIN,
    STOP_LOSS,
    TIME,
    BankrollMark,
    Number,
    Outlook,
    ProgressCallback,
    Session,
    SessionEnd,
    Spread,
)

TAIL_PROBABILITY = 1e-15  # Chance that a player counted as safe comes down again.


class LatticeRange(NamedTuple):
    """A range of places where rounds are played alike: the steps, and their odds."""

    first: int  # The range ends before the first place of the next range.
    steps: tuple[int, ...]
    odds: tuple[Any, ...]  # Floats, or integers that add up to the lattice's `denominator`.
    mean: Number  # Mean of the steps.
    square: Number


class Lattice(NamedTuple):
    """Place p is the bankroll `base + p * unit` in cents. Ranges ascend, and the last is
    unbounded.
    """

    unit: int
    base: int
    denominator: int  # 1 where odds are floats.
    ranges: tuple[LatticeRange, ...]

    @property
    def exact(self) -> bool:
        """Whether odds are integers."""
        return isinstance(self.ranges[0].odds[0], int)

    @property
    def steps_max(self) -> int:
        """Maximum number of steps that lead to one place."""
        return sum(len(band.steps) for band in self.ranges)

    def place(self, amount: int) -> int:
        """The lowest place with at least this amount."""
        return -((self.base - amount) // self.unit)

    def amounts(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Places as cents."""
        return self.base + places * self.unit


def lattice(session: Session, *, exact: bool) -> Lattice:
    """The lattice of a session, in integers or in floating point."""
    nets = session.nets
    unit = gcd(*(net for distribution in nets for net in distribution)) or 1
    denominator = (
        lcm(*(odds.denominator for distribution in nets for odds in distribution.values()))
        if exact
        else 1
    )
    flat = Lattice(unit, session.bankroll % unit, denominator, ())
    places = [flat.place(level.least) for level in session.reachable_levels]
    ranges = tuple(
        _range(flat, place, distribution, exact=exact)
        for place, distribution in zip(places, nets, strict=True)
    )
    return flat._replace(ranges=ranges)


def _range(flat: Lattice, first: int, nets: dict[int, Fraction], *, exact: bool) -> LatticeRange:
    steps = tuple(net // flat.unit for net in nets)
    odds = tuple(
        int(probability * flat.denominator) if exact else float(probability)
        for probability in nets.values()
    )
    mean = sum(
        (step * probability for step, probability in zip(steps, nets.values(), strict=True)),
        Fraction(0),
    )
    square = sum(
        (step**2 * probability for step, probability in zip(steps, nets.values(), strict=True)),
        mean * 0,
    )
    number = Fraction if exact else float
    return LatticeRange(first, steps, odds, number(mean), number(square))


def descents(band: LatticeRange, rounds: int, *, certain: bool) -> list[int]:
    """Maximum descent after 0, 1, ... rounds, in places.

    Either certain, or exceeded with a chance of at most TAIL_PROBABILITY: Chernoff's bound on the
    sum of the rounds, which Doob's inequality extends to all partial sums.
    """
    worst = max(0, -min(band.steps))
    certain_bounds = [worst * number for number in range(rounds + 1)]
    if certain or not worst:
        return certain_bounds
    pairs = list(zip(band.steps, band.odds, strict=True))
    tilts = [2.0**exponent / worst for exponent in range(-16, 4)]
    growth_rates = [
        max(0.0, log(sum(odds * exp(-tilt * step) for step, odds in pairs))) for tilt in tilts
    ]
    probable_bounds = (
        min(
            (number * growth_rate - log(TAIL_PROBABILITY)) / tilt
            for tilt, growth_rate in zip(tilts, growth_rates, strict=True)
        )
        for number in range(rounds + 1)
    )
    return [
        min(certain_bound, ceil(probable_bound))
        for certain_bound, probable_bound in zip(certain_bounds, probable_bounds, strict=True)
    ]


CHANCE_MIN = 1e-250  # Smaller chances count as zero: subnormal numbers slow a processor down.
DEVIATIONS = 4.0  # Standard deviations above the start that are tracked at first.


def compute_outlook(
    session: Session, grid: Lattice, on_progress: ProgressCallback | None = None
) -> Outlook:
    """The outlook of a session, stepped over a lattice."""
    deviations = DEVIATIONS
    while True:
        walk = _Walk(session, grid, _highest_tracked_place(session, grid, deviations))
        marks = walk.walk(on_progress)
        if None not in marks:
            return walk.outlook([mark for mark in marks if mark is not None])
        deviations *= 2


def work(session: Session, grid: Lattice, *, certain: bool) -> int:
    """Approximate number of products that the chain takes; more if the bounds must be certain."""
    last, rounds = grid.ranges[-1], session.rounds
    descent = descents(last, rounds, certain=certain)[-1]
    start = grid.place(session.bankroll)
    low = max(grid.place(max(session.stake_min, session.stop_bankroll)), start - descent)
    high = _highest_tracked_place(session, grid, DEVIATIONS) + descent
    if session.goal_bankroll is not None:
        high = grid.place(session.goal_bankroll)
    reach = rounds * (max(last.steps) - min(last.steps))
    return rounds * min(high - low, reach) * len(last.steps)


def error_bound(session: Session, grid: Lattice) -> float:
    """Maximum error of any probability.

    A place receives at most `steps_max` products, each of a rounded chance and a rounded factor, so
    each round adds at most `steps_max + 2` roundings to a chance, each at most 2^-53 of it. Sums
    over places are taken pairwise, sums over rounds one by one. Counting players as safe adds
    TAIL_PROBABILITY, and leaving out the lowest amounts adds as much.
    """
    roundings = session.rounds * (grid.steps_max + 3) + 64
    return 1.01 * roundings * 2.0**-53 + 2 * TAIL_PROBABILITY


def _highest_tracked_place(session: Session, grid: Lattice, deviations: float) -> int:
    """The highest grid place to track; a player who reaches it cannot run short."""
    last, rounds = grid.ranges[-1], session.rounds
    spread = sqrt(rounds * (last.square - last.mean**2))
    drift = max(0.0, float(last.mean)) * rounds
    start = max(grid.place(session.bankroll), last.first)
    return start + int(deviations * spread + drift) + 1


class _Walk:
    def __init__(self, session: Session, grid: Lattice, top: int) -> None:
        self.session, self.grid = session, grid
        self.start = grid.place(session.bankroll)
        self.kind: Any = object if grid.exact else np.float64
        self.ruin_place = grid.place(session.stake_min)
        self.stop_place = max(self.ruin_place, grid.place(session.stop_bankroll + 1))
        self.goal = None if session.goal_bankroll is None else grid.place(session.goal_bankroll)
        above = descents(grid.ranges[-1], session.rounds, certain=grid.exact)[::-1]
        self.safe = [top + bound for bound in above]
        self.rounds_done = 0
        self.low, self.chances = self.start, np.ones(1, self.kind)
        # A player who stops was above one round ago, so a stop is at most one round's loss below.
        self.floor = max(0, self.stop_place + min(min(band.steps) for band in grid.ranges))
        self.low_chances = np.zeros(self.stop_place - self.floor, self.kind)
        self.high_chances = np.zeros(max(max(band.steps) for band in grid.ranges) + 1, self.kind)
        self.untracked: Any = 0  # Weight of the players too far up to be tracked.
        self.untracked_steps: Number = 0  # Their steps above the start, times their chance.
        self.ends: dict[str, list[Number]] = {RUIN: [0, 0], STOP_LOSS: [0, 0], GOAL: [0, 0]}
        self.expected_rounds: Number = 0
        self.mean: Number = 0
        self.square: Number = 0

    def walk(self, on_progress: ProgressCallback | None) -> list[BankrollMark | None]:
        """Every mark; None if a quantile is too far up."""
        mark_rounds, rounds = set(self.session.marks), self.session.rounds
        marks = [self._mark()]
        for _ in range(rounds):
            self._add_expectations()
            low, after = self._move()
            self.rounds_done += 1
            if self.grid.exact:
                self.low_chances, self.high_chances = (
                    self.low_chances * self.grid.denominator,
                    self.high_chances * self.grid.denominator,
                )
                self.untracked *= self.grid.denominator
            self._remove_stopped(low, after)
            if self.rounds_done in mark_rounds:
                marks.append(self._mark())
                if on_progress is not None:
                    on_progress(self.rounds_done, rounds)
        return marks

    def _number(self, weight: Any) -> Number:
        """Convert a weight to a probability."""
        return (
            Fraction(int(weight), self.grid.denominator**self.rounds_done)
            if self.grid.exact
            else float(weight)
        )

    def _steps(self, low: int, count: int) -> NDArray[Any]:
        """Distance of places above the start."""
        return np.arange(low - self.start, low - self.start + count).astype(self.kind)

    def _occupied_ranges(self) -> Iterator[tuple[LatticeRange, int, int]]:
        """The lattice ranges that hold players, with start and stop among the chances."""
        later_starts = [band.first for band in self.grid.ranges[1:]]
        end = self.low + len(self.chances)
        for band, first_after in zip(self.grid.ranges, [*later_starts, end], strict=True):
            start = max(self.low, band.first) - self.low
            stop = min(end, first_after) - self.low
            if start < stop:
                yield band, start, stop

    def _add_expectations(self) -> None:
        """Add the next round's contribution to the expected rounds, mean and variance; call
        before `_move`.
        """
        steps = self._steps(self.low, len(self.chances))
        groups = [
            (band, self._number(part.sum()), self._number((part * steps[start:stop]).sum()))
            for band, start, stop in self._occupied_ranges()
            for part in [self.chances[start:stop]]
        ]
        last = self.grid.ranges[-1]
        untracked_chance = self._number(self.untracked)
        for band, chance, first_moment in [*groups, (last, untracked_chance, self.untracked_steps)]:
            self.expected_rounds += chance
            self.square += 2 * first_moment * band.mean + chance * band.square
            self.mean += chance * band.mean
        self.untracked_steps += untracked_chance * last.mean

    def _move(self) -> tuple[int, NDArray[Any]]:
        """All chances after one more round."""
        parts = list(self._occupied_ranges())
        lowest_step = min((min(band.steps) for band, _, _ in parts), default=0)
        highest_step = max((max(band.steps) for band, _, _ in parts), default=0)
        after = np.zeros(len(self.chances) + highest_step - lowest_step, self.kind)
        buffer = np.empty(len(self.chances), self.kind)
        for band, start, stop in parts:
            part, product = self.chances[start:stop], buffer[start:stop]
            for step, odds in zip(band.steps, band.odds, strict=True):
                np.multiply(part, odds, out=product)
                after[start + step - lowest_step : stop + step - lowest_step] += product
        debt = max(0, -(self.low + lowest_step))
        assert not after[:debt].any(), "a player bet more than the bankroll"
        return self.low + lowest_step + debt, after[debt:]

    def _remove_stopped(self, low: int, after: NDArray[Any]) -> None:
        """Set aside the players who stop; the others play on."""
        if not self.grid.exact:
            after[after < CHANCE_MIN] = 0
        stopping = after[: max(0, self.stop_place - low)]
        self.low_chances[low - self.floor : low - self.floor + len(stopping)] += stopping
        ruined_count = max(0, self.ruin_place - low)
        self._add_ending(RUIN, stopping[:ruined_count])
        self._add_ending(STOP_LOSS, stopping[ruined_count:])
        upper = self.safe[self.rounds_done] + 1 if self.goal is None else self.goal
        remaining, above = np.split(after[len(stopping) :], [max(0, upper - low - len(stopping))])
        if self.goal is not None:
            self.high_chances[: len(above)] += above
            self._add_ending(GOAL, above)
        elif len(above):
            self.untracked += above.sum()
            self.untracked_steps += self._number((above * self._steps(upper, len(above))).sum())
        first, last = self._occupied_range(remaining)
        self.low, self.chances = low + len(stopping) + first, remaining[first:last]

    def _occupied_range(self, remaining: NDArray[Any]) -> tuple[int, int]:
        """The range that holds players, leaving out the lowest amounts of negligible chance."""
        occupied = np.flatnonzero(remaining)
        if not len(occupied):
            return 0, 0
        first = int(occupied[0])
        if not self.grid.exact:
            first = int(
                np.searchsorted(np.cumsum(remaining), TAIL_PROBABILITY / self.session.rounds)
            )
        return first, int(occupied[-1]) + 1

    def _add_ending(self, reason: str, weights: NDArray[Any]) -> None:
        chance = self._number(weights.sum())
        self.ends[reason][0] += chance
        self.ends[reason][1] += chance * self.rounds_done

    def _spread(self) -> Spread:
        goal_place = 0 if self.goal is None else self.goal
        parts = [
            (self.floor, self.low_chances),
            (self.low, self.chances),
            (goal_place, self.high_chances),
        ]
        places = np.concatenate([first + np.arange(len(weights)) for first, weights in parts])
        weights = np.concatenate([weights for _, weights in parts])
        occupied = np.flatnonzero(weights)
        return Spread(self.grid.amounts(places[occupied]), weights[occupied], self.untracked)

    def _mark(self) -> BankrollMark | None:
        spread = self._spread()
        quantiles = [spread.quantile(share) for share in QUANTILES]
        tracked = tuple(quantile for quantile in quantiles if quantile is not None)
        if len(tracked) < len(quantiles):
            return None
        return BankrollMark(
            self.rounds_done, self._number(self.chances.sum() + self.untracked), tracked
        )

    def outlook(self, marks: list[BankrollMark]) -> Outlook:
        """The outlook after all rounds."""
        ends = {reason: _end(*sums) for reason, sums in self.ends.items()}
        ends[TIME] = SessionEnd(marks[-1].playing, self.session.rounds)
        unit = self.grid.unit
        return Outlook(
            self.session,
            "exact" if self.grid.exact else "computed",
            ends,
            rounds_mean=self.expected_rounds,
            mean=self.mean * unit,
            square=self.square * unit * unit,
            marks=tuple(marks),
            final=self._spread(),
            error=None if self.grid.exact else error_bound(self.session, self.grid),
        )


def _end(chance: Number, rounds: Number) -> SessionEnd:
    return SessionEnd(chance, rounds / chance if chance else None)
