"""What one round nets, exactly: every amount in cents and its probability, side wagers included."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import numpy as np

from pitbook.exact.figures import FigureRow
from pitbook.exact.methods.ladder.enumerate import DealPolicy, Deals, all_deals, round_rows
from pitbook.exact.methods.ladder.solve import plays_of
from pitbook.exact.methods.ladder.strategies import LadderStrategy
from pitbook.exact.methods.ladder.structure import Terms
from pitbook.exact.methods.points.solve import round_figures
from pitbook.exact.methods.points.strategies import PointsStrategy
from pitbook.rules.settlement import Settlement
from pitbook.simulate.methods.plain import endings as plain
from pitbook.simulate.methods.plain.choosing import Choosing
from pitbook.simulate.plans.plan import Plan
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
