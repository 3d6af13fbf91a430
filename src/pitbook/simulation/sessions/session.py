"""A player's session: bankroll, bets at each bankroll, pace, stops, and the outlook."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate
from math import ceil, floor, sqrt
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.ladder.enumerate import DealPolicy, Deals, all_deals, round_rows
from pitbook.exact.methods.ladder.solve import PurseValues, plays_of
from pitbook.exact.methods.ladder.strategies import LadderStrategy
from pitbook.exact.methods.ladder.structure import Purse, Terms
from pitbook.exact.methods.points.solve import round_figures
from pitbook.exact.methods.points.strategies import PointsStrategy
from pitbook.exact.outcome_figures import FigureRow
from pitbook.money import Cents, money
from pitbook.rules.actions import Play
from pitbook.rules.game import Game
from pitbook.rules.settlement_lines import Settlement
from pitbook.simulation.methods import plain
from pitbook.simulation.plan import Plan, SimulationError
from pitbook.simulation.strategy import SpotStrategy, max_main_wagers, min_main_wagers
from pitbook.text import say


class BankrollLevel(NamedTuple):
    """From this bankroll up, a round is played by this plan."""

    least: Cents
    plan: Plan


def levels(plan: Plan) -> tuple[BankrollLevel, ...]:
    """The levels of a plan, lowest first: below the first no round is played, and the last is full
    play.
    """
    return _levels(plan, plan.strategy.base)


@lru_cache(maxsize=32)
def _levels(
    plan: Plan, base: LadderStrategy | PointsStrategy | SpotStrategy
) -> tuple[BankrollLevel, ...]:
    """Plans with the same strategy name compare equal, so the cache key includes the strategy
    itself.
    """
    if isinstance(base, PointsStrategy):
        return tuple(_points_levels(plan, base))
    if isinstance(base, SpotStrategy):
        return tuple(_spot_levels(plan, base))
    return tuple(_ladder_levels(plan, base))


def _ladder_levels(plan: Plan, strategy: LadderStrategy) -> Iterator[BankrollLevel]:
    opening, terms = _opening_bets(plan), strategy.solution.terms
    costs = [[play.times for play in level if not play.folds] for level in terms.plays]
    smallest, largest = sum(map(min, costs)), sum(map(max, costs))
    for antes in range(smallest, largest):
        yield BankrollLevel(
            Cents(opening + antes * plan.ante), _with_strategy(plan, _limit_antes(strategy, antes))
        )
    yield BankrollLevel(Cents(opening + largest * plan.ante), plan)


def _opening_bets(plan: Plan) -> int:
    """Total of the bets before the first card."""
    return sum(stake for _, stake in plan.seat.stakes)


def _with_strategy(plan: Plan, base: LadderStrategy | PointsStrategy | SpotStrategy) -> Plan:
    return replace(plan, strategy=replace(plan.strategy, base=base))


def _limit_antes(strategy: LadderStrategy, antes_max: int) -> LadderStrategy:
    """The strategy of a player with this many antes for all streets."""
    solution = strategy.solution
    smallest = [min(bets) for bets in solution.terms.bets]
    later = [*accumulate(reversed(smallest[1:]), initial=0)][::-1]
    streets: list[dict[Purse, PurseValues]] = []
    policy: dict[int, dict[Purse, NDArray[np.int8]]] = {}
    for street, level in enumerate(solution.streets):
        streets.append({})
        policy[street] = {}
        for purse, choice in level.items():
            affordable = _affordable_plays(choice.plays, antes_max - sum(purse) - later[street])
            replacements = np.array(
                [_replacement(choice.plays, affordable, play) for play in choice.plays], np.int8
            )
            streets[-1][purse] = replace(
                choice,
                plays=tuple(choice.plays[place] for place in affordable),
                group_rows=tuple(choice.group_rows[place] for place in affordable),
                fixed_plays=replacements[choice.group_best],
            )
            policy[street][purse] = replacements[strategy.policy[street][purse]]
    return LadderStrategy(strategy.name, replace(solution, streets=tuple(streets)), policy)


def _affordable_plays(plays: tuple[Play, ...], antes_max: int) -> list[int]:
    """Indexes of the plays that cost at most this many antes; always at least one."""
    bets = [index for index, play in enumerate(plays) if not play.folds]
    folds = [index for index, play in enumerate(plays) if play.folds]
    covered = [index for index in bets if plays[index].times <= antes_max]
    return [*covered, *folds] or [min(bets, key=lambda index: plays[index].times)]


def _replacement(plays: tuple[Play, ...], affordable: list[int], play: Play) -> int:
    """Index, among the affordable plays, of the largest bet that is no larger than this play."""
    if play.folds:
        return affordable.index(plays.index(play))
    smaller = [
        place
        for place, index in enumerate(affordable)
        if not plays[index].folds and plays[index].times <= play.times
    ]
    return max(smaller, key=lambda place: plays[affordable[place]].times, default=0)


def _points_levels(plan: Plan, strategy: PointsStrategy) -> Iterator[BankrollLevel]:
    opening = Cents(_opening_bets(plan))
    dearest = max(plan.seat.cost(play) for play in plan.game.plays(0))
    if dearest:
        yield BankrollLevel(opening, _with_strategy(plan, _without_extra_bets(plan.game, strategy)))
    yield BankrollLevel(Cents(opening + dearest), plan)


def _without_extra_bets(game: Game, strategy: PointsStrategy) -> PointsStrategy:
    """The same declarations without extra bets."""
    free_plays = {play.declaration: play for play in game.plays(0) if not play.puts}
    replacements = {play: free_plays[play.declaration] for play in game.plays(0)}
    spots = tuple(
        replace(
            spot,
            worth={play: value for play, value in spot.worth.items() if not play.puts},
            best=replacements[spot.best],
        )
        for spot in strategy.solution.spots
    )
    plays = {ranks: replacements[play] for ranks, play in strategy.plays.items()}
    return PointsStrategy(strategy.name, replace(strategy.solution, spots=spots), plays)


def _spot_levels(plan: Plan, strategy: SpotStrategy) -> Iterator[BankrollLevel]:
    opening, game = _opening_bets(plan), plan.game
    stages = range(len(game.stages))
    smallest, largest = (
        sum(stage_cost(game, stage) for stage in stages)
        for stage_cost in (min_main_wagers, max_main_wagers)
    )
    for wagers_max in range(smallest, largest):
        limited_plan = _with_strategy(plan, SpotStrategy(strategy.strategy, wagers_max))
        yield BankrollLevel(Cents(opening + wagers_max * plan.ante), limited_plan)
    yield BankrollLevel(Cents(opening + largest * plan.ante), plan)


# Sessions -----------------------------------------------------------------------------------------


def unknown_reason(plan: Plan) -> str | None:
    """The reason why a seat's round has no exact distribution, or None if it has one."""
    if plan.strategy.mistakes:
        return say("simulate.not-exact.mistakes")
    if plan.seats > 1 and any(limit.per == "round" for limit in plan.sheet.limits):
        return say("simulate.not-exact.shared-cap")
    if isinstance(plan.strategy.base, SpotStrategy):
        return plain.unknown_reason(plan)
    return None


def nets_of(plan: Plan) -> dict[int, Fraction]:
    """Every net of one seat's round in cents, with its probability."""
    assert unknown_reason(plan) is None
    return _nets(plan, plan.strategy.base)


@lru_cache(maxsize=128)
def _nets(plan: Plan, base: LadderStrategy | PointsStrategy | SpotStrategy) -> dict[int, Fraction]:
    """Plans with the same strategy name compare equal, so the cache key includes the strategy
    itself.
    """
    if isinstance(base, SpotStrategy):
        return _enumerated_nets(plan)
    counts: dict[int, int] = {}
    for row in _rows(plan, base):
        net = int(row.net * plan.ante)
        counts[net] = counts.get(net, 0) + row.count
    rounds = sum(counts.values())
    return {net: Fraction(count, rounds) for net, count in sorted(counts.items()) if count}


def _enumerated_nets(plan: Plan) -> dict[int, Fraction]:
    chances: dict[int, Fraction] = {}
    for probability, lines in plain.endings(plan, plan.game):
        net = Settlement(1, lines).net
        chances[net] = chances.get(net, Fraction(0)) + probability
    return dict(sorted(chances.items()))


def _rows(plan: Plan, base: LadderStrategy | PointsStrategy) -> Iterable[FigureRow]:
    if not plan.side:
        return base.figures.rows
    return (
        _points_rows(plan, base) if isinstance(base, PointsStrategy) else _ladder_rows(plan, base)
    )


def _points_rows(plan: Plan, strategy: PointsStrategy) -> Iterable[FigureRow]:
    spots = tuple(
        replace(spot, best=strategy.plays[spot.ranks]) for spot in strategy.solution.spots
    )
    return round_figures(replace(strategy.solution, spots=spots), dict(plan.side)).rows


def _ladder_rows(plan: Plan, strategy: LadderStrategy) -> Iterable[FigureRow]:
    own_terms = strategy.solution.terms
    terms = replace(own_terms, ante=plan.ante, capped=True, side=dict(plan.side))
    deals = all_deals(terms)
    return round_rows(terms, deals, _policy_over_deals(terms, strategy, deals))


def _policy_over_deals(terms: Terms, strategy: LadderStrategy, deals: Deals) -> DealPolicy:
    """The strategy over all deals; side wagers may require more detailed purses."""
    own_terms = strategy.solution.terms
    policy: DealPolicy = []
    for street, level in enumerate(strategy.policy.values()):
        deal_classes, numbered = deals.classes_at(street), plays_of(terms, street)
        policy.append({})
        for purse in terms.purses[street]:
            strategy_purse = purse if own_terms.separates_bets else (sum(purse),)
            plays = strategy.solution.streets[street][strategy_purse].plays
            places = np.array([numbered.index(play) for play in plays], np.int8)
            policy[-1][purse] = places[level[strategy_purse]][deal_classes]
    return policy


RUIN, STOP_LOSS, GOAL, TIME = "ruin", "stop_loss", "goal", "time"  # Reasons why a player stops.
ROUNDS_MAX = 100_000
HOURS_MAX = 120  # Longer sessions are sampled every second hour, every third hour, ...
MARKS = 48  # Sampling points of a fan chart, besides the hours.


@dataclass(frozen=True)
class Session:
    """A player's bankroll and stops; they are checked after every round."""

    plan: Plan
    bankroll: Cents
    hours: Fraction
    hands_per_hour: int
    stop_loss: Cents | None
    goal: Cents | None

    @property
    def rounds(self) -> int:
        """Number of rounds until the time is up."""
        return floor(self.hours * self.hands_per_hour)

    @cached_property
    def levels(self) -> tuple[BankrollLevel, ...]:
        """How a round is played at each bankroll; below the first level no round is played."""
        return levels(self.plan)

    @property
    def stake_min(self) -> Cents:
        """Minimum bankroll to play a hand to its showdown."""
        return self.levels[0].least

    @property
    def stake_max(self) -> Cents:
        """Bankroll that covers every bet of the strategy."""
        return self.levels[-1].least

    @property
    def stop_bankroll(self) -> int:
        """The bankroll at or below which a stop-loss ends the session; -1 without one."""
        return -1 if self.stop_loss is None else self.bankroll - self.stop_loss

    @property
    def goal_bankroll(self) -> int | None:
        """The bankroll at or above which the goal is reached."""
        return None if self.goal is None else self.bankroll + self.goal

    @property
    def ignored_side_wagers(self) -> tuple[str, ...]:
        """Side wagers that affect a decision; seats still play by the main game alone."""
        plan, side = self.plan, dict(self.plan.side)
        if plan.strategy.knows_classes:
            return Terms(plan.game, plan.ante, True, side).affected_side_wagers
        return tuple(
            question.wager
            for question in plan.game.wager_rules
            if question.wager in side and not question.survives
        )

    @cached_property
    def reachable_levels(self) -> tuple[BankrollLevel, ...]:
        """The levels that a player who is still playing can reach."""
        above = [level.least for level in self.levels[1:]]
        return tuple(
            level
            for level, next_one in zip(self.levels, [*above, None], strict=True)
            if next_one is None or next_one > self.stop_bankroll + 1
        )

    @cached_property
    def nets(self) -> tuple[dict[int, Fraction], ...]:
        """For each reachable level, every net of a round in cents with its probability."""
        return tuple(nets_of(level.plan) for level in self.reachable_levels)

    @property
    def hourly(self) -> tuple[int, ...]:
        """The rounds at which an hour ends, and the last round."""
        interval = self.hands_per_hour * ceil(self.hours / HOURS_MAX)
        return tuple(sorted({*range(0, self.rounds + 1, interval), self.rounds}))

    @cached_property
    def marks(self) -> tuple[int, ...]:
        """The rounds after which the bankroll is recorded: hours, and points between them."""
        between = (self.rounds * mark // MARKS for mark in range(MARKS + 1))
        return tuple(sorted({*self.hourly, *between}))

    def document(self) -> dict[str, object]:
        """The assumptions as JSON."""
        plan = self.plan.document()
        plan_keys = ("ante", "side", "seats", "strategy", "mistakes", "shoe")
        return {
            **{name: plan[name] for name in plan_keys if name in plan},
            "bankroll": money(self.bankroll),
            "hours": float(self.hours),
            "hands_per_hour": self.hands_per_hour,
            "rounds": self.rounds,
            "stop_loss": None if self.stop_loss is None else money(self.stop_loss),
            "goal": None if self.goal is None else money(self.goal),
            "overlooked": list(self.ignored_side_wagers),
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
    """A playable session; raises SimulationError otherwise."""
    new_session = Session(plan, bankroll, hours, hands_per_hour, stop_loss, goal)
    if not 1 <= hands_per_hour <= 10_000:
        raise SimulationError(say("simulate.hands-an-hour", given=hands_per_hour))
    if not 1 <= new_session.rounds <= ROUNDS_MAX:
        long = {"hours": f"{float(hours):g}", "hands": hands_per_hour, "rounds": new_session.rounds}
        raise SimulationError(say("simulate.session-rounds", most=ROUNDS_MAX, **long))
    if bankroll < new_session.stake_min:
        least = {"bankroll": bankroll, "least": new_session.stake_min}
        raise SimulationError(say("simulate.bankroll", **least))
    if stop_loss is not None and not 0 < stop_loss <= bankroll:
        stop = {"bankroll": bankroll, "given": stop_loss}
        raise SimulationError(say("simulate.stop-loss", **stop))
    if goal is not None and goal <= 0:
        raise SimulationError(say("simulate.goal"))
    return new_session


OutlookMethod = Literal["exact", "computed", "simulated"]
Number = Fraction | float
ProgressCallback = Callable[[int, int], object]  # Called with the work done and the total.

QUANTILES = tuple(Fraction(share, 100) for share in (1, 5, 25, 50, 75, 95, 99))
BANDS = ((1, 5), (2, 4))  # Indexes in QUANTILES: nine in ten, and the middle half.


class SessionEnd(NamedTuple):
    """One way to end: its probability, and the mean number of rounds."""

    chance: Number
    rounds: Number | None


@dataclass(frozen=True, eq=False)
class Spread:
    """Amounts in cents, ascending, with their weights; `above` is the weight beyond them all."""

    amounts: NDArray[np.int64]
    weights: NDArray[Any]
    above: Any = 0

    @cached_property
    def _sums(self) -> NDArray[Any]:
        return np.cumsum(self.weights)

    @property
    def total(self) -> Any:
        """Total weight."""
        return self._sums[-1] + self.above

    def quantile(self, share: Fraction) -> int | None:
        """The smallest amount that at least this share does not exceed, or None if it lies above
        them all.
        """
        needed = self.total * share.numerator
        place = int(np.searchsorted(self._sums * share.denominator, needed))
        return int(self.amounts[place]) if place < len(self.amounts) else None

    def share_up_to(self, amount: int) -> Number:
        """The share of at most this amount."""
        place = int(np.searchsorted(self.amounts, amount, side="right"))
        return ratio(self._sums[place - 1], self.total) if place else Fraction(0)


def ratio(part: Any, total: Any) -> Number:
    """A share: exact if both are integers."""
    if isinstance(part, float | np.floating):
        return float(part / total)
    return Fraction(int(part), int(total))


class BankrollMark(NamedTuple):
    """After this many rounds: the share still playing, and the quantiles of the bankroll."""

    rounds: int
    playing: Number
    quantiles: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Outlook:
    """The result for one session, and the method that computed it."""

    session: Session
    method: OutlookMethod
    ends: Mapping[str, SessionEnd]
    rounds_mean: Number  # Mean number of rounds.
    mean: Number  # Mean net, in cents.
    square: Number  # The mean of its square.
    marks: tuple[BankrollMark, ...]
    final: Spread
    error: float | None = None  # Maximum error of any probability.
    sessions: int | None = None  # Number of sessions simulated.
    # Why the sessions were simulated instead of computed.
    simulated_reason: str | None = field(default=None)

    @property
    def deviation(self) -> float:
        """Standard deviation of the net, in cents."""
        return sqrt(max(self.square - self.mean * self.mean, 0))
