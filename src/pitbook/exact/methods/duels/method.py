"""A method for a hand against a dealer's, made of its way to solve a game: the rest is alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

from pitbook.exact.figures import Figures
from pitbook.exact.memory import released_cache
from pitbook.exact.methods.duels.answers import Solved, refuse_together, shares
from pitbook.exact.methods.duels.terms import Terms, told_apart
from pitbook.exact.methods.method import Rates
from pitbook.money import Cents
from pitbook.rules.game import Game

__all__ = ["Solving", "kept_solutions"]

Solution = TypeVar("Solution", bound=Solved)
KeptSolution = Callable[[Game, Cents | None, int | None], Solution]
KEPT_MAX = 8


def kept_solutions(solve: Callable[[Terms], Solution]) -> KeptSolution[Solution]:
    """Best play for whoever asks again; with so many main wagers left."""

    @released_cache(maxsize=KEPT_MAX)
    def solved(game: Game, ante: Cents | None, room: int | None) -> Solution:
        return solve(_terms(game, ante, {}, room))

    return solved


def _terms(game: Game, ante: Cents | None, side: Mapping[str, Cents], room: int | None) -> Terms:
    terms = Terms(game, ante, side)
    return terms if room is None else Terms(game, ante, side, Cents(room * terms.stake))


@dataclass(frozen=True)
class Solving(Generic[Solution]):
    """What commands and pages ask, answered by one way to solve a game."""

    solve: Callable[[Terms], Solution]
    solved: KeptSolution[Solution]
    kinds: Callable[[Solution], Rates]  # How often each kind decides, beside outcomes.
    together: Callable[[Terms], Figures] | None = None  # With wagers on other hands; None: not.

    def answers(self) -> dict[str, Any]:
        """The answers by the names that a method has for them."""
        return {
            "expected": lambda game, ante: self.solve(Terms(game, ante)).expected,
            "kept": lambda game, ante, room: self.solved(game, ante, room).expected,
            "figures": lambda game, ante: self.solve(Terms(game, ante)).figures,
            "kept_figures": lambda game, ante: self.solved(game, ante, None).figures,
            "fold_rates": lambda game, ante: self.solved(game, ante, None).fold_rates,
            "rates": self._rates,
            "whole_round": self._whole_round,
        }

    def _rates(self, game: Game, ante: Cents | None) -> Rates:
        solution = self.solved(game, ante, None)
        found = dict(shares(solution.figures))
        for kind, share in self.kinds(solution).items():
            found[kind] = found.get(kind, Fraction(0)) + share
        return found

    def _whole_round(
        self, game: Game, ante: Cents | None, side: Mapping[str, Cents], room: int | None
    ) -> Figures:
        terms, apart = _terms(game, ante, side, room), told_apart(game, side)
        if apart and self.together is not None:
            return self.together(terms)
        refuse_together(game, apart)
        return self.solve(terms).round_figures()
