"""A strategy of declarations laid out: what it says of every hand, and its worth."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from pitbook.exact.figures import Figures
from pitbook.exact.methods.points.by_rules import rule_declarer
from pitbook.exact.methods.points.solving import Ranks, Solution, solve_game
from pitbook.exact.methods.points.strategies import declared, evaluated, named_declarer
from pitbook.exact.rule_files import Rules
from pitbook.money import Cents
from pitbook.rules.game import Game
from pitbook.rules.plays import Play

__all__ = ["DeclaredStrategy", "follow", "follow_rules"]


@dataclass(frozen=True, eq=False)
class DeclaredStrategy:
    """A strategy over every hand of ranks."""

    name: str
    solution: Solution
    plays: dict[Ranks, Play]

    @cached_property
    def figures(self) -> Figures:
        """The main game's figures."""
        return evaluated(self.solution, self.plays)

    @property
    def expected(self) -> Fraction:
        """The value of a round in Bets."""
        ways = sum(spot.ways for spot in self.solution.spots)
        won = (spot.worth[self.plays[spot.ranks]] * spot.ways for spot in self.solution.spots)
        return Fraction(sum(won), ways)


def follow(game: Game, name: str, ante: Cents | None = None) -> DeclaredStrategy:
    """A strategy by its name; raises StrategyError with a sentence."""
    declare = named_declarer(game, name)
    solution = solve_game(game, ante)
    return DeclaredStrategy(name, solution, declared(solution, declare))


def follow_rules(game: Game, rules: Rules, ante: Cents | None = None) -> DeclaredStrategy:
    """A player's own rules; raises StrategyError with a sentence."""
    declare = rule_declarer(game, rules)
    solution = solve_game(game, ante)
    return DeclaredStrategy(rules.name, solution, declared(solution, declare))
