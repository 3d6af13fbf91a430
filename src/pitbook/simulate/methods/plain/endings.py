"""Every way a round of any game ends, and how likely, by going through all of its cards."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pitbook.cards import Card
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.exact.work import TooLarge
from pitbook.rules.game import Game, Seat
from pitbook.rules.plays import PASSED
from pitbook.rules.settlement import Line
from pitbook.simulate.methods.plain.choosing import Choosing
from pitbook.simulate.plans.plan import Plan
from pitbook.text import say

Seen = tuple[tuple[Card, ...], ...]


def why_not(plan: Plan) -> str | None:
    """Why the endings of a plan cannot be gone through; None where they can."""
    plain = PlainSolver(plan.game, plan.ante, dict(plan.side))
    try:
        plain.check(None)
    except TooLarge:
        return say("simulate.not-exact.deals", title=plan.sheet.title)
    return None


def _same_cards(plan: Plan, game: Game) -> PlainSolver:
    """The game with the plan's side wagers; with none, what best play has looked at is at hand."""
    followed = plan.strategy.followed
    if not plan.side and game == plan.game and isinstance(followed, Choosing):
        return followed.plain
    return PlainSolver(game, plan.ante, dict(plan.side))


def endings(plan: Plan, game: Game) -> Iterator[tuple[Fraction, tuple[Line, ...]]]:
    """How likely each way of a seat to end is, and its lines after the game's caps."""
    plain = _same_cards(plan, game)

    def ways(
        stage: int, seen: Seen, seat: Seat, likely: Fraction
    ) -> Iterator[tuple[Fraction, tuple[Line, ...]]]:
        if seat.folded or stage == len(game.stages):
            ends = plain.ends(seen, seat)
            for shown, many in ends.items():
                yield likely * Fraction(many, ends.total()), plain.lines(shown, seat)
            return
        turned = tuple(plain.deal_stage(stage, seen, seat))
        total = sum(many for _, many, _ in turned)
        for cards, many, decides in turned:
            here = likely * Fraction(many, total)
            plays = plan.strategy.choices(stage, seat, cards) if decides else (PASSED,)
            wrong = plan.strategy.mistakes if len(plays) > 1 else Fraction(0)
            for place, play in enumerate(plays):
                made = wrong / (len(plays) - 1) if place else 1 - wrong
                if made:
                    yield from ways(stage + 1, cards, seat.made(play), here * made)

    with plain.guard_work(plain.no_cards, 0):
        outcomes = tuple(ways(0, plain.no_cards, plain.seat, Fraction(1)))
    yield from outcomes
