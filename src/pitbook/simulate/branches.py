"""The ways a street-stud seat can bet, as a tree: decisions, what each play leads to, and ends."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.ladder.solving import FOLD
from pitbook.families.street_stud.sheet import StreetStud
from pitbook.simulate.plan import Plan, SimulationError

__all__ = ["Branches", "Decision", "branches"]

ENDS_MAX = 4_096


class Decision(NamedTuple):
    """A seat before a street: bets so far, its plays, and for each class the one it makes."""

    street: int
    bets: tuple[str, ...]
    plays: tuple[str, ...]
    best: NDArray[np.int8]
    leads: tuple[int, ...]  # A decision's number, or -1 - the number of an end; 0 if never made.


class Branches(NamedTuple):
    """The decisions, first street first, and the plays by which a seat comes to each end."""

    decisions: tuple[Decision, ...]
    ends: tuple[tuple[str, ...], ...]


def branches(plan: Plan) -> Branches:
    """Every decision that the plan's strategy can come to, its mistakes included."""
    sheet = plan.sheet
    assert isinstance(sheet, StreetStud)
    waiting: list[tuple[str, ...]] = [()]
    numbers: dict[tuple[str, ...], int] = {(): 0}
    ends: dict[tuple[str, ...], int] = {}
    decisions: list[Decision] = []
    for bets in waiting:  # It grows as decisions lead to further ones.
        street = len(bets)
        plays, best = plan.strategy.street(street, bets)
        made = set(range(len(plays))) if plan.strategy.mistakes else set(best.tolist())
        leads = []
        for place, play in enumerate(plays):
            after = (*bets, play)
            if place not in made:
                leads.append(0)
            elif play == FOLD or len(after) == len(sheet.streets):
                leads.append(-1 - ends.setdefault(after, len(ends)))
            else:
                if after not in numbers:
                    numbers[after] = len(waiting)
                    waiting.append(after)
                leads.append(numbers[after])
        if len(ends) > ENDS_MAX:
            raise SimulationError(
                f"the bets of this sheet can end in more than {ENDS_MAX:,} ways; "
                "simulate a strategy that makes fewer different bets"
            )
        decisions.append(Decision(street, bets, plays, best, tuple(leads)))
    return Branches(tuple(decisions), tuple(ends))
