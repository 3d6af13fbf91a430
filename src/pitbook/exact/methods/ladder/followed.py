"""A strategy laid out over a ladder: what it does in every spot, its worth, and where it leads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.figures import Figures
from pitbook.exact.methods.ladder import solving
from pitbook.exact.methods.ladder.by_rules import rule_chooser
from pitbook.exact.methods.ladder.main_game import fold_rates, main_figures
from pitbook.exact.methods.ladder.rungs import Ints, hole_ways, rung
from pitbook.exact.methods.ladder.solved import solved
from pitbook.exact.methods.ladder.strategies import ClassPolicy, chosen, named_solution
from pitbook.exact.methods.ladder.terms import Purse
from pitbook.exact.rule_files import Rules
from pitbook.hands.ranking import HandClass, classes
from pitbook.money import Cents
from pitbook.rules.game import Game
from pitbook.rules.plays import Play

__all__ = ["FollowedStrategy", "StrategyCell", "follow", "follow_rules"]


@dataclass(frozen=True)
class StrategyCell:
    """One class of cards before one street: what to do, its worth in antes, and if it comes up."""

    hand: HandClass
    play: Play
    worth: Fraction
    reached: bool


@dataclass(frozen=True, eq=False)
class FollowedStrategy:
    """A strategy over every class and purse."""

    name: str
    solution: solving.Solution
    policy: ClassPolicy

    @cached_property
    def endings(self) -> tuple[solving.PurseEnding, ...]:
        """Every way a round ends."""
        return tuple(solving.endings(self.solution, self.policy))

    @cached_property
    def figures(self) -> Figures:
        """The main game's figures."""
        return main_figures(self.solution, self.endings)

    @property
    def fold_rates(self) -> dict[str, Fraction]:
        """For each street the share of all rounds that fold there."""
        return fold_rates(self.solution, self.endings)

    @property
    def expected(self) -> Fraction:
        """The value of a round in antes."""
        (purse,) = self._worth[0]
        ways = hole_ways(self.solution.seen[0], self.solution.ace)
        total = sum(int(a) * int(b) for a, b in zip(self._worth[0][purse], ways, strict=True))
        choice = self.solution.streets[0][purse]
        return Fraction(total, int(ways.sum()) * choice.ways * self.solution.terms.ante)

    def purses(self, street: int) -> tuple[Purse, ...]:
        """The stakes with which a street can be met, smallest first."""
        return tuple(sorted(self.policy[street], key=self.solution.terms.units))

    def spots(self, street: int, purse: Purse) -> Iterator[StrategyCell]:
        """Every class before a street, best cards first."""
        choice, worth = self.solution.streets[street][purse], self._worth[street][purse]
        weights = self._reached[street].get(purse)
        hands = classes(self.solution.seen[street], self.solution.ace)
        scale = choice.ways * self.solution.terms.ante
        for place in range(len(hands) - 1, -1, -1):
            yield StrategyCell(
                hands[place],
                choice.plays[self.policy[street][purse][place]],
                Fraction(int(worth[place]), scale),
                weights is not None and bool(weights[place]),
            )

    @cached_property
    def _worth(self) -> list[dict[Purse, NDArray[Any]]]:
        """Backward: what following the strategy is worth in every class, in cents times ways."""
        levels: list[dict[Purse, NDArray[Any]]] = []
        for street in range(len(self.solution.streets) - 1, -1, -1):
            after = levels[0] if levels else None
            level = self.solution.streets[street]
            levels.insert(0, {p: self._worth_of(street, p, after) for p in level})
        return levels

    def _worth_of(
        self, street: int, purse: Purse, after: dict[Purse, NDArray[Any]] | None
    ) -> NDArray[Any]:
        choice = self.solution.streets[street][purse]
        worth = choice.worth
        if after is not None:  # What comes later is played by this strategy, not by the best.
            worth = np.stack(
                [
                    choice.worth[place] if play.folds else self._later(street, bigger, after)
                    for place, play in enumerate(choice.plays)
                    for bigger in [self._bigger(street, purse, play)]
                ]
            )
        places = self.policy[street][purse].astype(np.intp)[None]
        own: NDArray[Any] = np.take_along_axis(worth, places, 0)[0]
        return own

    def _later(self, street: int, purse: Purse, after: dict[Purse, NDArray[Any]]) -> NDArray[Any]:
        reveals = self.solution.terms.ladder.reveals[street]
        step = rung(self.solution.seen[street], reveals, self.solution.ace)
        return step.expect(after[purse])

    def _bigger(self, street: int, purse: Purse, play: Play) -> Purse:
        return purse if play.folds else self.solution.terms.after(street, purse, play)

    @cached_property
    def _reached(self) -> list[dict[Purse, Ints]]:
        """Forward: how often each class is met before each street with each purse."""
        terms, ace = self.solution.terms, self.solution.ace
        levels = [{terms.nothing_bet: hole_ways(self.solution.seen[0], ace)}]
        for street, reveals in enumerate(terms.ladder.reveals[:-1]):
            size = len(classes(self.solution.seen[street + 1], ace))
            step = rung(self.solution.seen[street], reveals, ace)
            following: dict[Purse, Ints] = {}
            for purse, weights in levels[-1].items():
                for place, play in enumerate(self.solution.streets[street][purse].plays):
                    taken = np.where(self.policy[street][purse] == place, weights, 0)
                    if not play.folds and taken.any():
                        moved = step.spread(taken, size)
                        bigger = self._bigger(street, purse, play)
                        following[bigger] = following.get(bigger, np.zeros_like(moved)) + moved
            levels.append(following)
        return levels


def follow(game: Game, name: str, ante: Cents | None = None) -> FollowedStrategy:
    """A strategy by its name; raises StrategyError with a sentence."""
    solution = named_solution(game, name, ante)
    best = [{purse: one.best for purse, one in level.items()} for level in solution.streets]
    return FollowedStrategy(name, solution, dict(enumerate(best)))


def follow_rules(game: Game, rules: Rules, ante: Cents | None = None) -> FollowedStrategy:
    """A player's own rules; raises StrategyError with a sentence."""
    solution = solved(game.sheet, ante)
    return FollowedStrategy(rules.name, solution, chosen(solution, rule_chooser(game, rules)))
