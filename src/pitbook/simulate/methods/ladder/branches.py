"""The ways a seat of a ladder can bet, as a tree: decisions, what each play leads to, and ends."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.rules.plays import Play
from pitbook.simulate.plans.plan import Plan, SimulationError
from pitbook.text import say

ENDS_MAX = 4_096


class StageDecision(NamedTuple):
    """A seat at a stage: plays so far, those it can make, and for each class the one to make."""

    stage: int
    made: tuple[Play, ...]
    plays: tuple[Play, ...]
    best: NDArray[np.int8]
    leads: tuple[int, ...]  # A decision's number, or -1 - the number of an end; 0 if never made.


class Branches(NamedTuple):
    """The decisions, first stage first, and the plays by which a seat comes to each end."""

    decisions: tuple[StageDecision, ...]
    ends: tuple[tuple[Play, ...], ...]


def branches(plan: Plan) -> Branches:
    """Every decision that the plan's strategy can come to, its mistakes included."""
    waiting: list[tuple[Play, ...]] = [()]
    numbers: dict[tuple[Play, ...], int] = {(): 0}
    ends: dict[tuple[Play, ...], int] = {}
    decisions: list[StageDecision] = []
    for before in waiting:  # It grows as decisions lead to further ones.
        stage = len(before)
        plays, best = plan.strategy.by_class(before)
        chosen = set(range(len(plays))) if plan.strategy.mistakes else set(best.tolist())
        leads = []
        for place, play in enumerate(plays):
            after = (*before, play)
            if place not in chosen:
                leads.append(0)
            elif play.folds or len(after) == len(plan.game.stages):
                leads.append(-1 - ends.setdefault(after, len(ends)))
            else:
                if after not in numbers:
                    numbers[after] = len(waiting)
                    waiting.append(after)
                leads.append(numbers[after])
        if len(ends) > ENDS_MAX:
            raise SimulationError(say("simulate.too-many-ends", most=ENDS_MAX))
        decisions.append(StageDecision(stage, before, plays, best, tuple(leads)))
    return Branches(tuple(decisions), tuple(ends))
