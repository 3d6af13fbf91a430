"""The bankroll as a Markov chain over a lattice of amounts."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, exp, gcd, lcm, log, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.simulate.sessions.session import (
    GOAL,
    QUANTILES,
    RUIN,
    STOP_LOSS,
    TIME,
    BankrollMark,
    HearProgress,
    Number,
    Outlook,
    Session,
    SessionEnd,
    Spread,
)

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


NONE = 1e-250  # Chances below this are none: smaller ones make a processor crawl.
DEVIATIONS = 4.0  # So far above the start amounts are told apart at first.


def chained(session: Session, on: Lattice, told: HearProgress | None = None) -> Outlook:
    """The outlook of a session, stepped over a lattice; `told` hears how much of it is done."""
    deviations = DEVIATIONS
    while True:
        walk = _Walk(session, on, _top(session, on, deviations))
        marks = walk.walked(told)
        if None not in marks:
            return walk.outlook([one for one in marks if one is not None])
        deviations *= 2


def work(session: Session, on: Lattice, *, certain: bool) -> int:
    """About how many products the chain takes; more where nothing may be left to chance."""
    last, rounds = on.rungs[-1], session.rounds
    down = descents(last, rounds, certain=certain)[-1]
    start = on.place(session.bankroll)
    low = max(on.place(max(session.stake_min, session.leaves_at)), start - down)
    high = _top(session, on, DEVIATIONS) + down
    if session.reached_at is not None:
        high = on.place(session.reached_at)
    reach = rounds * (max(last.steps) - min(last.steps))
    return rounds * min(high - low, reach) * len(last.steps)


def error_bound(session: Session, on: Lattice) -> float:
    """No chance is further from the true one than this.

    A place takes in at most `ways` products, each of a rounded chance and a rounded factor: so each
    round adds at most `ways + 2` roundings to a chance, and each is at most 2^-53 of it. Sums over
    places are taken in pairs, over rounds one by one. Besides, a chance of AWAY is lost by counting
    players as safe, and as much by leaving out the lowest amounts.
    """
    roundings = session.rounds * (on.ways + 3) + 64
    return 1.01 * roundings * 2.0**-53 + 2 * AWAY


def _top(session: Session, on: Lattice, deviations: float) -> int:
    """The highest place that is told apart at the end; above it nobody is short."""
    last, rounds = on.rungs[-1], session.rounds
    spread = sqrt(rounds * (last.square - last.mean**2))
    drift = max(0.0, float(last.mean)) * rounds
    start = max(on.place(session.bankroll), last.first)
    return start + int(deviations * spread + drift) + 1


class _Walk:
    def __init__(self, session: Session, on: Lattice, top: int) -> None:
        self.session, self.on = session, on
        self.start = on.place(session.bankroll)
        self.kind: Any = object if on.exact else np.float64
        self.ruined = on.place(session.stake_min)
        self.stopped = max(self.ruined, on.place(session.leaves_at + 1))
        self.goal = None if session.reached_at is None else on.place(session.reached_at)
        above = descents(on.rungs[-1], session.rounds, certain=on.exact)[::-1]
        self.safe = [top + one for one in above]
        self.done = 0
        self.low, self.chances = self.start, np.ones(1, self.kind)
        # Who stops was above a round ago, so nobody stops further down than one round leads.
        self.floor = max(0, self.stopped + min(min(rung.steps) for rung in on.rungs))
        self.poor = np.zeros(self.stopped - self.floor, self.kind)
        self.rich = np.zeros(max(max(rung.steps) for rung in on.rungs) + 1, self.kind)
        self.away: Any = 0  # The weight of those who are too far up to be told apart.
        self.away_steps: Number = 0  # And their steps above the start, times their chance.
        self.ends: dict[str, list[Number]] = {RUIN: [0, 0], STOP_LOSS: [0, 0], GOAL: [0, 0]}
        self.played: Number = 0
        self.mean: Number = 0
        self.square: Number = 0

    def walked(self, told: HearProgress | None) -> list[BankrollMark | None]:
        """Every mark on the way; None where a quantile lies too far up."""
        wanted, rounds = set(self.session.marks), self.session.rounds
        found = [self._mark()]
        for _ in range(rounds):
            self._account()
            low, after = self._moved()
            self.done += 1
            if self.on.exact:
                self.poor, self.rich = self.poor * self.on.whole, self.rich * self.on.whole
                self.away *= self.on.whole
            self._sorted_out(low, after)
            if self.done in wanted:
                found.append(self._mark())
                if told is not None:
                    told(self.done, rounds)
        return found

    def _number(self, weight: Any) -> Number:
        """A weight as a chance."""
        return Fraction(int(weight), self.on.whole**self.done) if self.on.exact else float(weight)

    def _steps(self, low: int, many: int) -> NDArray[Any]:
        """How far above the start places are."""
        return np.arange(low - self.start, low - self.start + many).astype(self.kind)

    def _stretches(self) -> Iterator[tuple[LatticeRung, int, int]]:
        """The rungs that somebody stands on, and from where to where among the chances."""
        firsts = [rung.first for rung in self.on.rungs[1:]]
        end = self.low + len(self.chances)
        for rung, first_after in zip(self.on.rungs, [*firsts, end], strict=True):
            start = max(self.low, rung.first) - self.low
            stop = min(end, first_after) - self.low
            if start < stop:
                yield rung, start, stop

    def _account(self) -> None:
        """What the next round adds to the figures, before anybody moves."""
        steps = self._steps(self.low, len(self.chances))
        groups = [
            (rung, self._number(part.sum()), self._number((part * steps[start:stop]).sum()))
            for rung, start, stop in self._stretches()
            for part in [self.chances[start:stop]]
        ]
        last = self.on.rungs[-1]
        away = self._number(self.away)
        for rung, chance, first in [*groups, (last, away, self.away_steps)]:
            self.played += chance
            self.square += 2 * first * rung.mean + chance * rung.square
            self.mean += chance * rung.mean
        self.away_steps += away * last.mean

    def _moved(self) -> tuple[int, NDArray[Any]]:
        """All chances after one more round."""
        parts = list(self._stretches())
        least = min((min(rung.steps) for rung, _, _ in parts), default=0)
        most = max((max(rung.steps) for rung, _, _ in parts), default=0)
        after = np.zeros(len(self.chances) + most - least, self.kind)
        room = np.empty(len(self.chances), self.kind)
        for rung, start, stop in parts:
            part, product = self.chances[start:stop], room[start:stop]
            for step, odds in zip(rung.steps, rung.odds, strict=True):
                np.multiply(part, odds, out=product)
                after[start + step - least : stop + step - least] += product
        debt = max(0, -(self.low + least))
        assert not after[:debt].any(), "nobody bets what he has not"
        return self.low + least + debt, after[debt:]

    def _sorted_out(self, low: int, after: NDArray[Any]) -> None:
        """Who stops is set aside; the rest plays on."""
        if not self.on.exact:
            after[after < NONE] = 0
        poor = after[: max(0, self.stopped - low)]
        self.poor[low - self.floor : low - self.floor + len(poor)] += poor
        ruined = max(0, self.ruined - low)
        self._ended(RUIN, poor[:ruined])
        self._ended(STOP_LOSS, poor[ruined:])
        upper = self.safe[self.done] + 1 if self.goal is None else self.goal
        rest, over = np.split(after[len(poor) :], [max(0, upper - low - len(poor))])
        if self.goal is not None:
            self.rich[: len(over)] += over
            self._ended(GOAL, over)
        elif len(over):
            self.away += over.sum()
            self.away_steps += self._number((over * self._steps(upper, len(over))).sum())
        first, last = self._held(rest)
        self.low, self.chances = low + len(poor) + first, rest[first:last]

    def _held(self, rest: NDArray[Any]) -> tuple[int, int]:
        """From where to where anybody is; who is lowest, and hardly ever so low, is left out."""
        held = np.flatnonzero(rest)
        if not len(held):
            return 0, 0
        first = int(held[0])
        if not self.on.exact:
            first = int(np.searchsorted(np.cumsum(rest), AWAY / self.session.rounds))
        return first, int(held[-1]) + 1

    def _ended(self, how: str, weights: NDArray[Any]) -> None:
        chance = self._number(weights.sum())
        self.ends[how][0] += chance
        self.ends[how][1] += chance * self.done

    def _spread(self) -> Spread:
        rich = 0 if self.goal is None else self.goal
        parts = [(self.floor, self.poor), (self.low, self.chances), (rich, self.rich)]
        places = np.concatenate([first + np.arange(len(weights)) for first, weights in parts])
        weights = np.concatenate([weights for _, weights in parts])
        held = np.flatnonzero(weights)
        return Spread(self.on.amounts(places[held]), weights[held], self.away)

    def _mark(self) -> BankrollMark | None:
        spread = self._spread()
        found = [spread.quantile(share) for share in QUANTILES]
        known = tuple(one for one in found if one is not None)
        if len(known) < len(found):
            return None
        return BankrollMark(self.done, self._number(self.chances.sum() + self.away), known)

    def outlook(self, marks: list[BankrollMark]) -> Outlook:
        """The answer, once all rounds are played."""
        ends = {how: _end(*sums) for how, sums in self.ends.items()}
        ends[TIME] = SessionEnd(marks[-1].playing, self.session.rounds)
        unit = self.on.unit
        return Outlook(
            self.session,
            "exact" if self.on.exact else "computed",
            ends,
            played=self.played,
            mean=self.mean * unit,
            square=self.square * unit * unit,
            marks=tuple(marks),
            final=self._spread(),
            error=None if self.on.exact else error_bound(self.session, self.on),
        )


def _end(chance: Number, rounds: Number) -> SessionEnd:
    return SessionEnd(chance, rounds / chance if chance else None)
