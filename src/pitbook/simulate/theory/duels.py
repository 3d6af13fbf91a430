"""How rounds against a dealer's hand end, as `exact` has counted them for the strategy followed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pitbook.exact.methods.dealer import boards_solve as boards
from pitbook.exact.methods.dealer import pairs_solve as pairs
from pitbook.exact.methods.dealer.common import DealerStrategy
from pitbook.rules.plays import Play
from pitbook.rules.settlement import Line
from pitbook.simulate.methods.plain.choosing import Choosing
from pitbook.simulate.plans.plan import Plan
from pitbook.text import say

DuelWay = tuple[Fraction, tuple[Line, ...]]


def fought(plan: Plan) -> pairs.Solution | boards.Solution | None:
    """What the seats follow, worked out over every deal; None where it is not of this kind."""
    followed = plan.strategy.followed
    if not isinstance(followed, Choosing) or not isinstance(followed.followed, DealerStrategy):
        return None
    solution = followed.followed.solution
    assert isinstance(solution, pairs.Solution | boards.Solution)
    return solution


def why_not(plan: Plan) -> str | None:
    """Why the endings are not known; None where they are."""
    shared = any(limit.per == "round" for limit in plan.sheet.limits)
    if plan.seats > 1 and shared and fought(plan) is not None:
        return say("simulate.not-exact.others-win")
    if plan.strategy.mistakes and isinstance(fought(plan), boards.Solution):
        return say("simulate.not-exact.later-mistakes")
    return None


def endings(plan: Plan) -> Iterator[DuelWay]:
    """How likely each way of the main game to end is, and its lines after caps."""
    solution = fought(plan)
    assert solution is not None
    if isinstance(solution, boards.Solution):
        for lines, count in solution.end_lines():
            yield Fraction(count, solution.rounds), lines
        return
    for play, kind, event, likely in _made(solution, plan.strategy.mistakes):
        ended = solution.terms.lines(solution.terms.seat.made(play), kind, event)
        assert ended is not None
        yield likely, ended


def kinds_shown(plan: Plan) -> dict[int, Fraction] | None:
    """How likely a seat shows down each kind of hand; None where that is not counted."""
    solution, found = fought(plan), dict[int, Fraction]()
    if not isinstance(solution, pairs.Solution):
        return None
    for play, kind, _, likely in _made(solution, plan.strategy.mistakes):
        if not play.folds:
            found[kind] = found.get(kind, Fraction(0)) + likely
    return found


def _made(
    solution: pairs.Solution, mistakes: Fraction
) -> Iterator[tuple[Play, int, int, Fraction]]:
    """Every play with each kind and event: as the strategy says, or by a mistake."""
    met, rounds = solution.event_counts, solution.rounds
    for kind in range(len(next(iter(met.values())))):
        plays = [play for play in met if play.needs is None or kind >= play.needs.least]
        for event in range(len(met[plays[0]][kind])):
            every = sum(sums[kind][event] for sums in met.values())
            for play in plays:
                said, share = met[play][kind][event], Fraction(0)
                if len(plays) > 1:
                    share = mistakes
                wrong = share * Fraction(every - said, max(len(plays) - 1, 1))
                if likely := Fraction((1 - share) * said + wrong, rounds):
                    yield play, kind, event, likely
