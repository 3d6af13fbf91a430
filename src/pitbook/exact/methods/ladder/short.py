"""A short strategy over streets: each hand played one way, whatever is at stake by then."""

from __future__ import annotations

from pitbook.exact.methods.ladder.followed import FollowedStrategy
from pitbook.exact.methods.ladder.strategies import chosen
from pitbook.hands.ranking import HandClass
from pitbook.rules.plays import Play

__all__ = ["short_strategy"]


def short_strategy(best: FollowedStrategy) -> FollowedStrategy:
    """Best play as it is with the fewest units that it meets a hand with; figures are exact."""
    solution = best.solution
    made: dict[tuple[int, HandClass], Play] = {}
    for street in range(len(solution.streets)):
        for reached in (True, False):
            for purse in best.purses(street):
                for spot in best.spots(street, purse):
                    if spot.reached == reached:
                        made.setdefault((street, spot.hand), spot.play)
    policy = chosen(solution, lambda street, hand, _: str(made[street, hand]))
    return FollowedStrategy("short", solution, policy)
