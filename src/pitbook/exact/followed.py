"""A strategy laid out: what it does in every spot, what following it is worth, and where it leads.

A name ("best", "never-3x") or a rule file goes in; figures, plays and values come out, for the best
strategy and for every other one alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.advice import solved
from pitbook.exact.figures import Figures
from pitbook.exact.methods.ladder import solving as stud
from pitbook.exact.methods.ladder.main_game import fold_rates, main_figures
from pitbook.exact.methods.ladder.rungs import Ints, hole_ways, rung
from pitbook.exact.methods.ladder.terms import Purse
from pitbook.exact.methods.points import solving as hi_lo
from pitbook.exact.rules import load_rules, rule_chooser, rule_declarer
from pitbook.exact.strategy import (
    Declarer,
    StrategyError,
    StudPolicy,
    chosen,
    evaluated_hi_lo,
    named_declarer,
    named_solution,
    strategy_names,
)
from pitbook.families.hi_lo.sheet import HiLo
from pitbook.hands.ranking import HandClass, classes
from pitbook.money import Cents
from pitbook.sheets.model import Sheet


@dataclass(frozen=True)
class Spot:
    """One class of cards before one street: what to do, its worth in antes, and if it comes up."""

    hand: HandClass
    play: str
    worth: Fraction
    reached: bool


@dataclass(frozen=True, eq=False)
class Followed:
    """A street-stud strategy over every class and purse."""

    name: str
    solution: stud.Solution
    policy: StudPolicy

    @cached_property
    def endings(self) -> tuple[stud.Ending, ...]:
        """Every way a round ends."""
        return tuple(stud.endings(self.solution, self.policy))

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

    def spots(self, street: int, purse: Purse) -> Iterator[Spot]:
        """Every class before a street, best cards first."""
        choice, worth = self.solution.streets[street][purse], self._worth[street][purse]
        weights = self._reached[street].get(purse)
        hands = classes(self.solution.seen[street], self.solution.ace)
        scale = choice.ways * self.solution.terms.ante
        for place in range(len(hands) - 1, -1, -1):
            yield Spot(
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
                    choice.worth[place] if play == stud.FOLD else self._later(street, bigger, after)
                    for place, play in enumerate(choice.plays)
                    for bigger in [self._bigger(purse, play)]
                ]
            )
        places = self.policy[street][purse].astype(np.intp)[None]
        own: NDArray[Any] = np.take_along_axis(worth, places, 0)[0]
        return own

    def _later(self, street: int, purse: Purse, after: dict[Purse, NDArray[Any]]) -> NDArray[Any]:
        reveals = self.solution.terms.sheet.streets[street].reveals.value
        step = rung(self.solution.seen[street], reveals, self.solution.ace)
        return step.expect(after[purse])

    def _bigger(self, purse: Purse, play: str) -> Purse:
        return purse if play == stud.FOLD else self.solution.terms.add(purse, int(play[:-1]))

    @cached_property
    def _reached(self) -> list[dict[Purse, Ints]]:
        """Forward: how often each class is met before each street with each purse."""
        terms, ace = self.solution.terms, self.solution.ace
        levels = [{terms.purses[0][0]: hole_ways(self.solution.seen[0], ace)}]
        for street, rule in enumerate(terms.sheet.streets[:-1]):
            size = len(classes(self.solution.seen[street + 1], ace))
            step = rung(self.solution.seen[street], rule.reveals.value, ace)
            following: dict[Purse, Ints] = {}
            for purse, weights in levels[-1].items():
                for place, play in enumerate(self.solution.streets[street][purse].plays):
                    taken = np.where(self.policy[street][purse] == place, weights, 0)
                    if play != stud.FOLD and taken.any():
                        bigger, moved = self._bigger(purse, play), step.spread(taken, size)
                        following[bigger] = following.get(bigger, np.zeros_like(moved)) + moved
            levels.append(following)
        return levels


@dataclass(frozen=True, eq=False)
class Declared:
    """A hi-lo strategy over every hand of ranks."""

    name: str
    solution: hi_lo.HiLoSolution
    plays: dict[hi_lo.Ranks, str]

    @cached_property
    def figures(self) -> Figures:
        """The main game's figures."""
        ante = self.solution.ante if self.solution.capped else None
        return evaluated_hi_lo(self.solution.sheet, lambda spot: self.plays[spot.ranks], ante)

    @property
    def expected(self) -> Fraction:
        """The value of a round in Bets."""
        ways = sum(spot.ways for spot in self.solution.spots)
        won = (spot.worth[self.plays[spot.ranks]] * spot.ways for spot in self.solution.spots)
        return Fraction(sum(won), ways)


def follow(sheet: Sheet, name: str = "best", ante: Cents | None = None) -> Followed | Declared:
    """A strategy by its name or its rule file; raises StrategyError with a sentence."""
    if not _is_file(name):
        return _named(sheet, name, ante)
    rules = load_rules(Path(name))
    if isinstance(sheet, HiLo):
        return _declared(sheet, rules.name, rule_declarer(rules), ante)
    solution = solved(sheet, ante)
    return Followed(rules.name, solution, chosen(solution, rule_chooser(sheet, rules)))


@lru_cache(maxsize=32)
def _named(sheet: Sheet, name: str, ante: Cents | None) -> Followed | Declared:
    """The same for whoever asks again, with the figures that were worked out for it."""
    if isinstance(sheet, HiLo):
        return _declared(sheet, name, named_declarer(name), ante)
    solution = named_solution(sheet, name, ante)
    best = [{purse: one.best for purse, one in level.items()} for level in solution.streets]
    return Followed(name, solution, dict(enumerate(best)))


def _declared(sheet: HiLo, called: str, declare: Declarer, ante: Cents | None) -> Declared:
    solution, plays = hi_lo.solve(sheet, ante), {}
    for spot in solution.spots:
        plays[spot.ranks] = play = declare(spot)
        if play not in spot.worth:
            raise StrategyError(f'"{play}" is no play here; allowed are {", ".join(spot.worth)}')
    return Declared(called, solution, plays)


def simpler(sheet: Sheet, ante: Cents | None = None) -> Iterator[tuple[str, Fraction]]:
    """Every named strategy that can be played here, and what it costs a round against the best."""
    best = follow(sheet, "best", ante).expected
    for name in strategy_names(sheet)[1:]:
        try:
            yield name, best - follow(sheet, name, ante).expected
        except StrategyError:  # A street without that bet, or without any other.
            continue


def _is_file(name: str) -> bool:
    return name.endswith(".toml")


__all__ = ["Declared", "Followed", "Spot", "follow", "simpler"]
