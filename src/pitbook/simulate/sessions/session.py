"""A player's session: bankroll, pace and stops, the net of a round, and the outlook."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil, floor, sqrt
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.figures import FigureRow
from pitbook.exact.methods.ladder.enumerate import DealPolicy, Deals, all_deals, round_rows
from pitbook.exact.methods.ladder.solve import plays_of
from pitbook.exact.methods.ladder.strategies import LadderStrategy
from pitbook.exact.methods.ladder.structure import Terms
from pitbook.exact.methods.points.solve import round_figures
from pitbook.exact.methods.points.strategies import PointsStrategy
from pitbook.money import Cents, money
from pitbook.rules.settlement import Settlement
from pitbook.simulate.methods import plain
from pitbook.simulate.methods.spot_strategy import Choosing
from pitbook.simulate.plan import Plan, SimulationError
from pitbook.simulate.sessions.levels import BankrollLevel, levels
from pitbook.text import say


def why_not(plan: Plan) -> str | None:
    """Why a seat's round has no exact distribution here; None where it has one."""
    if plan.strategy.mistakes:
        return say("simulate.not-exact.mistakes")
    if plan.seats > 1 and any(limit.per == "round" for limit in plan.sheet.limits):
        return say("simulate.not-exact.shared-cap")
    if isinstance(plan.strategy.followed, Choosing):
        return plain.why_not(plan)
    return None


def nets_of(plan: Plan) -> dict[int, Fraction]:
    """Every net of one seat's round in cents, and its probability."""
    assert why_not(plan) is None
    return _nets(plan, plan.strategy.followed)


@lru_cache(maxsize=128)
def _nets(plan: Plan, followed: LadderStrategy | PointsStrategy | Choosing) -> dict[int, Fraction]:
    """Plans of one name are equal, whatever is followed; so that is asked for too."""
    if isinstance(followed, Choosing):
        return _gone_through(plan)
    counts: dict[int, int] = {}
    for row in _rows(plan, followed):
        net = int(row.net * plan.ante)
        counts[net] = counts.get(net, 0) + row.count
    rounds = sum(counts.values())
    return {net: Fraction(count, rounds) for net, count in sorted(counts.items()) if count}


def _gone_through(plan: Plan) -> dict[int, Fraction]:
    chances: dict[int, Fraction] = {}
    for likely, lines in plain.endings(plan, plan.game):
        net = Settlement(1, lines).net
        chances[net] = chances.get(net, Fraction(0)) + likely
    return dict(sorted(chances.items()))


def _rows(plan: Plan, followed: LadderStrategy | PointsStrategy) -> Iterable[FigureRow]:
    if not plan.side:
        return followed.figures.rows
    return (
        _declared(plan, followed) if isinstance(followed, PointsStrategy) else _bet(plan, followed)
    )


def _declared(plan: Plan, followed: PointsStrategy) -> Iterable[FigureRow]:
    spots = tuple(
        replace(spot, best=followed.plays[spot.ranks]) for spot in followed.solution.spots
    )
    return round_figures(replace(followed.solution, spots=spots), dict(plan.side)).rows


def _bet(plan: Plan, followed: LadderStrategy) -> Iterable[FigureRow]:
    own = followed.solution.terms
    terms = replace(own, ante=plan.ante, capped=True, side=dict(plan.side))
    every = all_deals(terms)
    return round_rows(terms, every, _laid_out(terms, followed, every))


def _laid_out(terms: Terms, followed: LadderStrategy, every: Deals) -> DealPolicy:
    """The strategy over all deals; side wagers can ask for purses that are kept further apart."""
    own = followed.solution.terms
    policy: DealPolicy = []
    for street, level in enumerate(followed.policy.values()):
        seen, numbered = every.classes_at(street), plays_of(terms, street)
        policy.append({})
        for purse in terms.purses[street]:
            alike = purse if own.keeps_bets_apart else (sum(purse),)
            plays = followed.solution.streets[street][alike].plays
            places = np.array([numbered.index(play) for play in plays], np.int8)
            policy[-1][purse] = places[level[alike]][seen]
    return policy


RUIN, STOP_LOSS, GOAL, TIME = "ruin", "stop_loss", "goal", "time"  # Why a player stops.
ROUNDS_MAX = 100_000
HOURS_MAX = 120  # In longer sessions only every second hour is looked at, every third, ...
MARKS = 48  # Moments at which a fan chart looks, besides the hours.


@dataclass(frozen=True)
class Session:
    """What a player sets out with and when he stops; looked at after every round."""

    plan: Plan
    bankroll: Cents
    hours: Fraction
    hands_per_hour: int
    stop_loss: Cents | None
    goal: Cents | None

    @property
    def rounds(self) -> int:
        """Rounds until the time is up."""
        return floor(self.hours * self.hands_per_hour)

    @cached_property
    def levels(self) -> tuple[BankrollLevel, ...]:
        """How a round is played at every bankroll; below the least of all, none is."""
        return levels(self.plan)

    @property
    def stake_min(self) -> Cents:
        """The least that takes a hand to its showdown."""
        return self.levels[0].least

    @property
    def stake_max(self) -> Cents:
        """What covers every bet that the strategy makes."""
        return self.levels[-1].least

    @property
    def leaves_at(self) -> int:
        """The bankroll at or below which a stop-loss sends the player home; -1 without one."""
        return -1 if self.stop_loss is None else self.bankroll - self.stop_loss

    @property
    def reached_at(self) -> int | None:
        """The bankroll at or above which the goal is reached."""
        return None if self.goal is None else self.bankroll + self.goal

    @property
    def overlooked(self) -> tuple[str, ...]:
        """Side wagers that matter to a decision; seats play by the main game all the same."""
        plan, side = self.plan, dict(self.plan.side)
        if plan.strategy.knows_classes:
            return Terms(plan.game, plan.ante, True, side).affected_side_wagers
        return tuple(one.wager for one in plan.game.asked if one.wager in side and not one.survives)

    @cached_property
    def played_at(self) -> tuple[BankrollLevel, ...]:
        """The levels that a player who is still in his seat can come to."""
        above = [level.least for level in self.levels[1:]]
        return tuple(
            level
            for level, next_one in zip(self.levels, [*above, None], strict=True)
            if next_one is None or next_one > self.leaves_at + 1
        )

    @cached_property
    def nets(self) -> tuple[dict[int, Fraction], ...]:
        """For each of these levels what a round nets in cents, and how likely."""
        return tuple(nets_of(level.plan) for level in self.played_at)

    @property
    def hourly(self) -> tuple[int, ...]:
        """The rounds after which an hour is over, and the last one."""
        apart = self.hands_per_hour * ceil(self.hours / HOURS_MAX)
        return tuple(sorted({*range(0, self.rounds + 1, apart), self.rounds}))

    @cached_property
    def marks(self) -> tuple[int, ...]:
        """The rounds after which the bankroll is looked at: hours, and moments between."""
        between = (self.rounds * place // MARKS for place in range(MARKS + 1))
        return tuple(sorted({*self.hourly, *between}))

    def document(self) -> dict[str, object]:
        """What the answer rests on, as JSON carries it."""
        plan = self.plan.document()
        kept = ("ante", "side", "seats", "strategy", "mistakes", "shoe")
        return {
            **{name: plan[name] for name in kept if name in plan},
            "bankroll": money(self.bankroll),
            "hours": float(self.hours),
            "hands_per_hour": self.hands_per_hour,
            "rounds": self.rounds,
            "stop_loss": None if self.stop_loss is None else money(self.stop_loss),
            "goal": None if self.goal is None else money(self.goal),
            "overlooked": list(self.overlooked),
            "stake_min": money(self.stake_min),
            "stake_max": money(self.stake_max),
        }


def session(
    plan: Plan,
    *,
    bankroll: Cents,
    hours: Fraction,
    hands_per_hour: int = 40,
    stop_loss: Cents | None = None,
    goal: Cents | None = None,
) -> Session:
    """A session that can be played; raises with a sentence where it cannot."""
    made = Session(plan, bankroll, hours, hands_per_hour, stop_loss, goal)
    if not 1 <= hands_per_hour <= 10_000:
        raise SimulationError(say("simulate.hands-an-hour", given=hands_per_hour))
    if not 1 <= made.rounds <= ROUNDS_MAX:
        long = {"hours": f"{float(hours):g}", "hands": hands_per_hour, "rounds": made.rounds}
        raise SimulationError(say("simulate.session-rounds", most=ROUNDS_MAX, **long))
    if bankroll < made.stake_min:
        least = {"bankroll": bankroll, "least": made.stake_min}
        raise SimulationError(say("simulate.bankroll", **least))
    if stop_loss is not None and not 0 < stop_loss <= bankroll:
        stop = {"bankroll": bankroll, "given": stop_loss}
        raise SimulationError(say("simulate.stop-loss", **stop))
    if goal is not None and goal <= 0:
        raise SimulationError(say("simulate.goal"))
    return made


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
