"""Any game, played round by round from its description."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import Card
from pitbook.exact.methods.plain.method import PlainStrategy
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.exact.work import TooLarge
from pitbook.rules.game import Game, Seat, Showdown
from pitbook.rules.plays import PASSED
from pitbook.rules.settlement import Line
from pitbook.simulate.cells import Cells
from pitbook.simulate.job import Tally
from pitbook.simulate.methods.spot_strategy import Choosing
from pitbook.simulate.plan import Plan
from pitbook.simulate.replay import played
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


KEPT = 2**16  # Ways to end.


@dataclass(frozen=True, eq=False)
class Loop:
    """A plan that is played without tables."""

    plan: Plan
    cells_met: Cells

    window, floor, step = 0, 0, 1  # No net is counted in place: each is told, in cents.
    grows = True  # Cells come as they are met.

    def __reduce__(self) -> tuple[Any, ...]:
        return _begun, (self.plan,)  # Who plays elsewhere numbers cells of his own.

    @property
    def chunk(self) -> int:
        """Rounds that keep one core busy for about a tenth of a second; longer for best play."""
        followed = self.plan.strategy.followed
        slow = isinstance(followed, Choosing) and type(followed.followed) is PlainStrategy
        return 2**5 if slow else 2**10

    @property
    def seats(self) -> int:
        """Seats that are played."""
        return self.plan.seats

    @property
    def cells(self) -> int:
        """Cells met so far."""
        return len(self.cells_met.every)

    @property
    def digest(self) -> str:
        """A hash of all that decides how rounds go; equal jobs give equal totals."""
        said = {**self.plan.document(), "method": "plain"}
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()

    def owned(self) -> Loop:
        """The job itself: nothing in it came over a wire."""
        return self

    def trace(self, start: int, stop: int) -> NDArray[np.int32]:
        """[rounds, seats]: the cell of every seat in every round."""
        rows = [self._ends(number) for number in range(start, stop)]
        return np.array(rows, np.int32).reshape(stop - start, self.seats)

    def play(self, start: int, stop: int) -> Tally:
        """Play rounds `start` to `stop`."""
        trace, cells = self.trace(start, stop), self.cells_met
        many = len(cells.every)
        counts = np.array([np.bincount(seat, minlength=many) for seat in trace.T], np.int64)
        tally = replace(Tally.of(start, stop, counts), cells=tuple(cells.every[:many]))
        if self.seats == 1:
            return tally
        nets, capped = cells.nets[trace].sum(axis=1), cells.capped(trace)
        told = np.concatenate([nets[capped, None], trace[capped]], axis=1)
        return tally.told(told, np.delete(nets, capped))

    def _ends(self, number: int) -> list[int]:
        """The cells of one round."""
        round = played(self.plan, number)
        bare = (seat._replace(cards=(), laid=0) for seat in round.seats)
        return [self._cell(seat, shown) for seat, shown in zip(bare, round.shown, strict=True)]

    @cached_property
    def _cell(self) -> Callable[[Seat, Showdown], int]:
        return lru_cache(KEPT)(self.cells_met.met_by)


def _begun(plan: Plan) -> Loop:
    return Loop(plan, Cells(plan))
