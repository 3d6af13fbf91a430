"""How a player bets at each bankroll."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.ladder.solve import PurseWorths
from pitbook.exact.methods.ladder.strategies import LadderStrategy
from pitbook.exact.methods.ladder.structure import Purse
from pitbook.exact.methods.points.strategies import PointsStrategy
from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.rules.game import Game
from pitbook.simulate.methods.spot_strategy import SpotStrategy, least, most
from pitbook.simulate.plan import Plan


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
    streets: list[dict[Purse, PurseWorths]] = []
    policy: dict[int, dict[Purse, NDArray[np.int8]]] = {}
    for street, level in enumerate(solution.streets):
        streets.append({})
        policy[street] = {}
        for purse, choice in level.items():
            affordable = _affordable_plays(choice.plays, antes_max - sum(purse) - later[street])
            replacements = np.array(
                [_replacement(choice.plays, affordable, play) for play in choice.plays], np.int8
            )
            streets[-1][purse] = PurseWorths(
                tuple(choice.plays[place] for place in affordable),
                tuple(choice.rows[place] for place in affordable),
                choice.best_worth,
                replacements[choice.best],
                choice.ways,
            )
            policy[street][purse] = replacements[strategy.policy[street][purse]]
    return LadderStrategy(strategy.name, replace(solution, streets=tuple(streets)), policy)


def _affordable_plays(plays: tuple[Play, ...], antes_max: int) -> list[int]:
    """Indexes of the plays that cost at most this many antes; always at least one."""
    bets = [place for place, play in enumerate(plays) if not play.folds]
    folds = [place for place, play in enumerate(plays) if play.folds]
    covered = [place for place in bets if plays[place].times <= antes_max]
    return [*covered, *folds] or [min(bets, key=lambda place: plays[place].times)]


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
    free_plays = {play.said: play for play in game.plays(0) if not play.puts}
    replacements = {play: free_plays[play.said] for play in game.plays(0)}
    spots = tuple(
        replace(
            spot,
            worth={play: worth for play, worth in spot.worth.items() if not play.puts},
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
        sum(stage_cost(game, stage) for stage in stages) for stage_cost in (least, most)
    )
    for wagers_max in range(smallest, largest):
        limited_plan = _with_strategy(plan, SpotStrategy(strategy.strategy, wagers_max))
        yield BankrollLevel(Cents(opening + wagers_max * plan.ante), limited_plan)
    yield BankrollLevel(Cents(opening + largest * plan.ante), plan)
