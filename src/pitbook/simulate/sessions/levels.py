"""How a player bets at each bankroll: what the money covers."""

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
from pitbook.rules.game import Game
from pitbook.rules.plays import Play
from pitbook.simulate.methods.spot_strategy import Choosing, least, most
from pitbook.simulate.plan import Plan


class BankrollLevel(NamedTuple):
    """From this bankroll on a round is played by this plan."""

    least: Cents
    plan: Plan


def levels(plan: Plan) -> tuple[BankrollLevel, ...]:
    """The levels of a plan, poorest first; below the first no round is begun, the last is full."""
    return _levels(plan, plan.strategy.followed)


@lru_cache(maxsize=32)
def _levels(
    plan: Plan, followed: LadderStrategy | PointsStrategy | Choosing
) -> tuple[BankrollLevel, ...]:
    """Plans of one name are equal, whatever is followed; so that is asked for too."""
    if isinstance(followed, PointsStrategy):
        return tuple(_declared(plan, followed))
    if isinstance(followed, Choosing):
        return tuple(_chosen(plan, followed))
    return tuple(_streets(plan, followed))


def _streets(plan: Plan, followed: LadderStrategy) -> Iterator[BankrollLevel]:
    opening, terms = _opening(plan), followed.solution.terms
    costs = [[one.times for one in level if not one.folds] for level in terms.plays]
    smallest, largest = sum(map(min, costs)), sum(map(max, costs))
    for room in range(smallest, largest):
        yield BankrollLevel(
            Cents(opening + room * plan.ante), _replayed(plan, _cut(followed, room))
        )
    yield BankrollLevel(Cents(opening + largest * plan.ante), plan)


def _opening(plan: Plan) -> int:
    """What is on the table before the first card."""
    return sum(stake for _, stake in plan.seat.stakes)


def _replayed(plan: Plan, followed: LadderStrategy | PointsStrategy | Choosing) -> Plan:
    return replace(plan, strategy=replace(plan.strategy, followed=followed))


def _cut(followed: LadderStrategy, room: int) -> LadderStrategy:
    """The strategy of a player with so many antes for all streets together."""
    solution = followed.solution
    smallest = [min(bets) for bets in solution.terms.bets]
    later = [*accumulate(reversed(smallest[1:]), initial=0)][::-1]
    streets: list[dict[Purse, PurseWorths]] = []
    policy: dict[int, dict[Purse, NDArray[np.int8]]] = {}
    for street, level in enumerate(solution.streets):
        streets.append({})
        policy[street] = {}
        for purse, choice in level.items():
            kept = _kept(choice.plays, room - sum(purse) - later[street])
            lead = np.array([_led(choice.plays, kept, play) for play in choice.plays], np.int8)
            streets[-1][purse] = PurseWorths(
                tuple(choice.plays[place] for place in kept),
                tuple(choice.rows[place] for place in kept),
                choice.top,
                lead[choice.best],
                choice.ways,
            )
            policy[street][purse] = lead[followed.policy[street][purse]]
    return LadderStrategy(followed.name, replace(solution, streets=tuple(streets)), policy)


def _kept(plays: tuple[Play, ...], room: int) -> list[int]:
    """Where the plays stand that are left with so many antes to spare; one is, always."""
    bets = [place for place, play in enumerate(plays) if not play.folds]
    folds = [place for place, play in enumerate(plays) if play.folds]
    covered = [place for place in bets if plays[place].times <= room]
    return [*covered, *folds] or [min(bets, key=lambda place: plays[place].times)]


def _led(plays: tuple[Play, ...], kept: list[int], play: Play) -> int:
    """The place among the plays kept that a play becomes: the largest bet that is no larger."""
    if play.folds:
        return kept.index(plays.index(play))
    smaller = [
        place
        for place, one in enumerate(kept)
        if not plays[one].folds and plays[one].times <= play.times
    ]
    return max(smaller, key=lambda place: plays[kept[place]].times, default=0)


def _declared(plan: Plan, followed: PointsStrategy) -> Iterator[BankrollLevel]:
    opening = Cents(_opening(plan))
    dearest = max(plan.seat.cost(play) for play in plan.game.plays(0))
    if dearest:
        yield BankrollLevel(opening, _replayed(plan, _bare(plan.game, followed)))
    yield BankrollLevel(Cents(opening + dearest), plan)


def _bare(game: Game, followed: PointsStrategy) -> PointsStrategy:
    """The same declarations, with no money for anything besides."""
    free = {play.said: play for play in game.plays(0) if not play.puts}
    bare = {play: free[play.said] for play in game.plays(0)}
    spots = tuple(
        replace(
            spot,
            worth={play: worth for play, worth in spot.worth.items() if not play.puts},
            best=bare[spot.best],
        )
        for spot in followed.solution.spots
    )
    plays = {ranks: bare[play] for ranks, play in followed.plays.items()}
    return PointsStrategy(followed.name, replace(followed.solution, spots=spots), plays)


def _chosen(plan: Plan, followed: Choosing) -> Iterator[BankrollLevel]:
    opening, game = _opening(plan), plan.game
    stages = range(len(game.stages))
    smallest, largest = (sum(one(game, stage) for stage in stages) for one in (least, most))
    for room in range(smallest, largest):
        poor = _replayed(plan, Choosing(followed.followed, room))
        yield BankrollLevel(Cents(opening + room * plan.ante), poor)
    yield BankrollLevel(Cents(opening + largest * plan.ante), plan)
