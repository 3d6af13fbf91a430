"""What a bankroll can pay for: the least that a round takes, and how a short player bets.

The least is what takes a hand to its showdown: ante, side wagers, the smallest bet on every street.
A player who cannot cover every bet keeps the smallest bet of each street still to come in hand and
bets as the strategy says as far as the rest goes, so that GEN-10 never folds a hand for him.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from pitbook.exact.followed import Declared, Followed
from pitbook.exact.methods.ladder.solving import FOLD, Choice
from pitbook.exact.methods.ladder.terms import Purse
from pitbook.exact.strategy import StudPolicy
from pitbook.families.hi_lo.compile import HiLoGame
from pitbook.families.hi_lo.sheet import HiLo
from pitbook.game.description import Seat
from pitbook.money import Cents
from pitbook.simulate.plan import Plan

__all__ = ["Level", "levels"]


class Level(NamedTuple):
    """From this bankroll on a round is played by this plan."""

    least: Cents
    plan: Plan


def levels(plan: Plan) -> tuple[Level, ...]:
    """The levels of a plan, poorest first; below the first no round is begun, the last is full."""
    return _levels(plan, plan.strategy.followed)


@lru_cache(maxsize=32)
def _levels(plan: Plan, followed: Followed | Declared) -> tuple[Level, ...]:
    """Plans of one name are equal, whatever is followed; so that is asked for too."""
    if isinstance(followed, Declared):
        return tuple(_declared(plan, followed))
    return tuple(_streets(plan, followed))


def _streets(plan: Plan, followed: Followed) -> Iterator[Level]:
    opening = plan.ante + sum(stake for _, stake in plan.side)
    terms = followed.solution.terms
    smallest, largest = [min(one) for one in terms.bets], [max(one) for one in terms.bets]
    for room in range(sum(smallest), sum(largest)):
        yield Level(Cents(opening + room * plan.ante), _replayed(plan, _cut(followed, room)))
    yield Level(Cents(opening + sum(largest) * plan.ante), plan)


def _replayed(plan: Plan, followed: Followed | Declared) -> Plan:
    return replace(plan, strategy=replace(plan.strategy, followed=followed))


def _cut(followed: Followed, room: int) -> Followed:
    """The strategy of a player with so many antes for all streets together."""
    solution = followed.solution
    smallest = [min(bets) for bets in solution.terms.bets]
    later = [*accumulate(reversed(smallest[1:]), initial=0)][::-1]
    streets: list[dict[Purse, Choice]] = []
    policy: StudPolicy = {}
    for street, level in enumerate(solution.streets):
        streets.append({})
        policy[street] = {}
        for purse, choice in level.items():
            kept = _kept(choice.plays, room - sum(purse) - later[street])
            lead = np.array([_led(choice.plays, kept, play) for play in choice.plays], np.int8)
            streets[-1][purse] = Choice(
                tuple(choice.plays[place] for place in kept),
                tuple(choice.rows[place] for place in kept),
                choice.top,
                lead[choice.best],
                choice.ways,
            )
            policy[street][purse] = lead[followed.policy[street][purse]]
    return Followed(followed.name, replace(solution, streets=tuple(streets)), policy)


def _kept(plays: tuple[str, ...], room: int) -> list[int]:
    """Where the plays stand that are left with so many antes to spare; one is, always."""
    bets = [place for place, play in enumerate(plays) if play != FOLD]
    covered = [place for place in bets if _antes(plays[place]) <= room]
    if FOLD in plays:
        return [*covered, plays.index(FOLD)]
    return covered or [min(bets, key=lambda place: _antes(plays[place]))]


def _led(plays: tuple[str, ...], kept: list[int], play: str) -> int:
    """The place among the plays kept that a play becomes: the largest bet that is no larger."""
    if play == FOLD:
        return kept.index(plays.index(FOLD))
    smaller = [
        place
        for place, one in enumerate(kept)
        if plays[one] != FOLD and _antes(plays[one]) <= _antes(play)
    ]
    return max(smaller, key=lambda place: _antes(plays[kept[place]]), default=0)


def _antes(play: str) -> int:
    return int(play[:-1])


def _declared(plan: Plan, followed: Declared) -> Iterator[Level]:
    assert isinstance(plan.sheet, HiLo)
    opening = Cents(plan.ante + sum(stake for _, stake in plan.side))
    game, seat = HiLoGame(plan.sheet), Seat(1, "", (("bet", plan.ante),))
    dearest = max(seat.cost(play) for play in game.plays(0))
    if dearest:
        yield Level(opening, _replayed(plan, _undoubled(followed)))
    yield Level(Cents(opening + dearest), plan)


def _undoubled(followed: Declared) -> Declared:
    """The same declarations, with no money for a double."""
    spots = tuple(
        replace(
            spot,
            worth={
                play: worth for play, worth in spot.worth.items() if not play.endswith("double")
            },
            best=spot.best.removesuffix("+double"),
        )
        for spot in followed.solution.spots
    )
    plays = {ranks: play.removesuffix("+double") for ranks, play in followed.plays.items()}
    return Declared(followed.name, replace(followed.solution, spots=spots), plays)
