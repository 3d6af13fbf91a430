"""Plays any game round by round from its description."""

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
from pitbook.exact.long_computations import TooLarge
from pitbook.exact.methods.plain.method import PlainStrategy
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.rules.actions import PASSED
from pitbook.rules.game import Game, Seat, Showdown
from pitbook.rules.settlement_lines import Line
from pitbook.simulation.job import Tally
from pitbook.simulation.outcome_cells import Cells
from pitbook.simulation.plan import Plan
from pitbook.simulation.replay import play_round
from pitbook.simulation.strategy import SpotStrategy
from pitbook.text import say

Seen = tuple[tuple[Card, ...], ...]


def unknown_reason(plan: Plan) -> str | None:
    """The reason why a plan's endings cannot be enumerated, or None if they can."""
    plain = PlainSolver(plan.game, plan.ante, dict(plan.side))
    try:
        plain.check(None)
    except TooLarge:
        return say("simulate.not-exact.deals", title=plan.sheet.title)
    return None


def _solver_with_side_wagers(plan: Plan, game: Game) -> PlainSolver:
    """A solver with the plan's side wagers; without any, reuse the one that best play has
    filled.
    """
    choosing = plan.strategy.base
    if not plan.side and game == plan.game and isinstance(choosing, SpotStrategy):
        return choosing.plain
    return PlainSolver(game, plan.ante, dict(plan.side))


def endings(plan: Plan, game: Game) -> Iterator[tuple[Fraction, tuple[Line, ...]]]:
    """Probability of each ending of a seat, and its lines after the game's caps."""
    plain = _solver_with_side_wagers(plan, game)

    def branch_endings(
        stage: int, visible: Seen, seat: Seat, probability: Fraction
    ) -> Iterator[tuple[Fraction, tuple[Line, ...]]]:
        if seat.folded or stage == len(game.stages):
            ends = plain.ends(visible, seat)
            for showdown, weight in ends.items():
                yield probability * Fraction(weight, ends.total()), plain.lines(showdown, seat)
            return
        turned = tuple(plain.deal_stage(stage, visible, seat))
        total = sum(weight for _, weight, _ in turned)
        for cards, weight, decides in turned:
            branch_probability = probability * Fraction(weight, total)
            plays = plan.strategy.choices(stage, seat, cards) if decides else (PASSED,)
            mistake_rate = plan.strategy.mistakes if len(plays) > 1 else Fraction(0)
            for index, play in enumerate(plays):
                play_probability = mistake_rate / (len(plays) - 1) if index else 1 - mistake_rate
                if play_probability:
                    yield from branch_endings(
                        stage + 1,
                        cards,
                        seat.after_play(play),
                        branch_probability * play_probability,
                    )

    with plain.guard_work(plain.no_cards, 0):
        outcomes = tuple(branch_endings(0, plain.no_cards, plain.seat, Fraction(1)))
    yield from outcomes


CACHED_ENDINGS = 2**16  # Endings cached.


@dataclass(frozen=True, eq=False)
class PlainJob:
    """A job that plays each round from the game's description, without tables."""

    plan: Plan
    cell_index: Cells

    window, floor, step = 0, 0, 1  # No net is counted in place; each is reported, in cents.
    grows = True  # Cells are added as they occur.

    def __reduce__(self) -> tuple[Any, ...]:
        return _new_loop, (self.plan,)  # Another process numbers cells of its own.

    @property
    def chunk(self) -> int:
        """Rounds per piece of work; fewer if each decision needs a computation."""
        choosing = self.plan.strategy.base
        slow = isinstance(choosing, SpotStrategy) and type(choosing.strategy) is PlainStrategy
        return 2**5 if slow else 2**10

    @property
    def seats(self) -> int:
        """Number of seats played."""
        return self.plan.seats

    @property
    def cells(self) -> int:
        """Number of cells found so far."""
        return len(self.cell_index.cells)

    @property
    def digest(self) -> str:
        """Hash of everything that decides the rounds; equal jobs give equal totals."""
        document = {**self.plan.document(), "method": "plain"}
        return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()

    def with_own_arrays(self) -> PlainJob:
        """The job itself, which has no arrays."""
        return self

    def trace(self, start: int, stop: int) -> NDArray[np.int32]:
        """[rounds, seats]: the cell of every seat in every round."""
        rows = [self._ends(number) for number in range(start, stop)]
        return np.array(rows, np.int32).reshape(stop - start, self.seats)

    def play(self, start: int, stop: int) -> Tally:
        """Play rounds `start` to `stop`."""
        trace, cells = self.trace(start, stop), self.cell_index
        cell_count = len(cells.cells)
        counts = np.array([np.bincount(seat, minlength=cell_count) for seat in trace.T], np.int64)
        tally = replace(Tally.of(start, stop, counts), cells=tuple(cells.cells[:cell_count]))
        if self.seats == 1:
            return tally
        nets, capped = cells.nets[trace].sum(axis=1), cells.capped_rows(trace)
        reported = np.concatenate([nets[capped, None], trace[capped]], axis=1)
        return tally.add_reported(reported, np.delete(nets, capped))

    def _ends(self, number: int) -> list[int]:
        """The cells of one round."""
        seats_played = play_round(self.plan, number)
        bare = (seat._replace(cards=(), cards_dealt=0) for seat in seats_played.seats)
        return [
            self._cell(seat, showdown)
            for seat, showdown in zip(bare, seats_played.showdowns, strict=True)
        ]

    @cached_property
    def _cell(self) -> Callable[[Seat, Showdown], int]:
        return lru_cache(CACHED_ENDINGS)(self.cell_index.number_for)


def _new_loop(plan: Plan) -> PlainJob:
    return PlainJob(plan, Cells(plan))
