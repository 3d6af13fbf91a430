"""Strategies on a ladder as data: the best one, those that leave plays out, and rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.ladder.solved import solved
from pitbook.exact.methods.ladder.solving import PurseWorths, Solution, solve_terms
from pitbook.exact.methods.ladder.terms import Purse, Terms
from pitbook.exact.methods.method import StrategyLine
from pitbook.exact.rule_files import StrategyError
from pitbook.exact.stakes import exact_ante
from pitbook.hands.kinds import RANK_NAMES
from pitbook.hands.ranking import HandClass, classes
from pitbook.money import Cents
from pitbook.rules.game import Game
from pitbook.rules.plays import FOLD, Play
from pitbook.text import say

__all__ = [
    "Chooser",
    "ClassPolicy",
    "chosen",
    "class_name",
    "entries",
    "named_solution",
    "strategy_names",
]

Chooser = Callable[[int, HandClass, int], str]  # street, class, antes at stake -> play
ClassPolicy = dict[int, dict[Purse, NDArray[np.int8]]]


def entries(game: Game, ante: Cents | None, purse: Cents | None) -> Iterator[StrategyLine]:
    """The whole best strategy, line by line; `purse` is left beside the ante, None is enough."""
    room = purse // ante if purse is not None and ante else None
    solution = solved(game.sheet, ante, room)
    for number, level in enumerate(solution.streets):
        for bets, choice in level.items():
            if solution.terms.room is not None and sum(bets) > solution.terms.room:
                continue  # Nobody has so much to bet.
            for place, hand in enumerate(classes(solution.seen[number], solution.ace)):
                best = int(choice.best[place])
                worth = Fraction(int(choice.worth[best, place]), choice.ways * solution.terms.ante)
                street, units = game.stages[number].id, solution.terms.units(bets)
                yield StrategyLine(street, class_name(hand), units, choice.plays[best], worth)


def class_name(hand: HandClass) -> str:
    """A class as players write it.

    >>> class_name(HandClass((12, 11), True, 0)), class_name(HandClass((8, 8), False, 0))
    ('A K suited', '10 10')
    """
    suited = " suited" if hand.suited and len(hand.ranks) > 1 else ""
    return " ".join(RANK_NAMES[rank] for rank in hand.ranks) + suited


def named_solution(game: Game, name: str, ante: Cents | None = None) -> Solution:
    """Best play among the plays that a strategy of that name allows."""
    if name == "best":
        return solved(game.sheet, ante)
    kind, _, play = name.partition("-")
    plays = _all_plays(game)
    if kind == "never" and play in plays:
        return _solved_without(game, (play,), ante)
    if kind == "always" and play in plays[1:]:
        return _solved_without(game, tuple(one for one in plays if one != play), ante)
    known = strategy_names(game)
    raise StrategyError(say("exact.strategy.unknown-or-file", name=name, known=known))


def _solved_without(game: Game, plays: tuple[str, ...], ante: Cents | None) -> Solution:
    for stage in game.stages:
        if all(one.folds or one in plays for one in stage.plays):
            raise StrategyError(say("exact.strategy.without", plays=plays, title=stage.title))
    stake = ante or exact_ante(game.sheet)
    terms = Terms(game, stake, ante is not None, {}, without=frozenset(plays))
    for stage, bets in zip(game.stages, terms.bets, strict=True):
        if not bets:  # A maximum in dollars forbids the bets that are left.
            none = {"stake": stake, "title": stage.title, "plays": plays}
            raise StrategyError(say("exact.strategy.none-left", **none))
    return solve_terms(terms)


def strategy_names(game: Game) -> tuple[str, ...]:
    """The strategies that need no rule file."""
    fold, *bets = _all_plays(game)
    folds = any(play.folds for stage in game.stages for play in stage.plays)
    never = [fold, *bets] if folds else bets
    return ("best", *(f"never-{one}" for one in never), *(f"always-{one}" for one in bets))


def _all_plays(game: Game) -> list[Play]:
    """A fold, then every other play of any street, rising in what it leaves at stake."""
    bets = {play for stage in game.stages for play in stage.plays if not play.folds}
    return [FOLD, *sorted(bets, key=lambda play: (play.times, not play.takes))]


def chosen(solution: Solution, choose: Chooser) -> ClassPolicy:
    """A rule laid out over every class and purse."""
    policy: ClassPolicy = {}
    for number, level in enumerate(solution.streets):
        hands = classes(solution.seen[number], solution.ace)
        policy[number] = {}
        for purse, choice in level.items():
            units = solution.terms.units(purse)
            plays = [choose(number, hand, units) for hand in hands]
            policy[number][purse] = np.array([_place(choice, play) for play in plays], np.int8)
    return policy


def _place(choice: PurseWorths, play: str) -> int:
    if play not in choice.plays:
        allowed = {"play": play, "plays": tuple(choice.plays)}
        raise StrategyError(say("exact.strategy.no-play", **allowed))
    return choice.plays.index(play)
