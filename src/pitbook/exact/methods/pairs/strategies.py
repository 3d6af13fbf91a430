"""Strategies with one decision: the best one, simpler ones, rules, and all of it as a list."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import Card
from pitbook.exact.methods.duels.answers import Fought, named
from pitbook.exact.methods.duels.terms import Terms
from pitbook.exact.methods.ladder.by_rules import rule_chooser
from pitbook.exact.methods.ladder.strategies import class_name
from pitbook.exact.methods.method import StrategyLine
from pitbook.exact.methods.pairs.advice import worths_at
from pitbook.exact.methods.pairs.solving import ChoosePlays, Solution, solve
from pitbook.exact.methods.plain.cards import Seen
from pitbook.exact.methods.plain.solving import Plain
from pitbook.exact.rule_files import Rules, StrategyError
from pitbook.hands.kinds import RANK_NAMES
from pitbook.hands.ranking import best_rank, classes
from pitbook.money import Cents
from pitbook.rules.game import Game, Seat
from pitbook.rules.plays import Play
from pitbook.text import say

__all__ = ["entries", "follow", "follow_rules"]

ANY = 63  # The rank of no card.
BestPlays = NDArray[np.int8]


def follow(game: Game, name: str, ante: Cents | None) -> Fought:
    """A strategy by its name; raises StrategyError with a sentence."""
    kind, word = named(game, name)
    terms = Terms(game, ante)
    choose = None if kind == "best" else _never(word) if kind == "never" else _always(word)
    solution = solve(terms, choose=choose)  # It may say that there is no such play.

    def wanted(worths: dict[Play, Fraction], best: Play, own: int) -> Play:
        if kind == "always":
            return next((play for play in worths if play == word), best)
        others = [play for play in worths if play != word]
        return max(others, key=worths.__getitem__) if best == word and others else best

    return Fought(name, Plain(game, ante), _spot_by_spot(terms, wanted), lambda: solution)


def follow_rules(game: Game, rules: Rules, ante: Cents | None) -> Fought:
    """A player's own rules by the class of the own hand; raises StrategyError with a sentence."""
    terms, choose = Terms(game, ante), rule_chooser(game, rules)
    fight = terms.fight
    hands = classes(fight.best, fight.ace)

    def chosen(solution: Solution) -> BestPlays:
        made = [choose(0, hands[own], 1) for own in range(len(hands))]
        texts = [str(play) for play in solution.plays]
        for said in set(made):
            if said not in texts:
                allowed = {"play": said, "plays": tuple(texts)}
                raise StrategyError(say("exact.strategy.no-play", **allowed))
        wanted = np.array([texts.index(said) for said in made], np.int8)[solution.counts.classes]
        may = solution.allowed[wanted, np.arange(len(wanted))]
        if not may.all():
            worst = hands[int(solution.counts.classes[~may][0])]
            raise StrategyError(say("exact.strategy.too-low", hand=class_name(worst)))
        return wanted

    def said(worths: dict[Play, Fraction], best: Play, own: int) -> Play:
        word = choose(0, hands[own], 1)
        return next(play for play in worths if play == word)

    solution = solve(terms, choose=chosen)  # It may say that a hand is too low for its play.
    return Fought(rules.name, Plain(game, ante), _spot_by_spot(terms, said), lambda: solution)


def _always(word: str) -> ChoosePlays:
    """One play wherever it may be, best play elsewhere."""

    def chosen(solution: Solution) -> BestPlays:
        place = _place(solution, word)
        return np.where(solution.allowed[place], np.int8(place), solution.chosen)

    return chosen


def _never(word: str) -> ChoosePlays:
    """Best play without one of the plays."""

    def chosen(solution: Solution) -> BestPlays:
        place = _place(solution, word)
        if len(solution.plays) == 1:
            raise StrategyError(say("exact.strategy.no-other", play=word))
        may = solution.allowed.copy()
        may[place] = False
        lowest = np.iinfo(np.int64).min
        return np.asarray(np.where(may, solution.worths, lowest).argmax(axis=0), np.int8)

    return chosen


def _place(solution: Solution, word: str) -> int:
    found = [place for place, play in enumerate(solution.plays) if play == word]
    if not found:
        raise StrategyError(say("exact.strategy.not-at-stake", play=word))
    return found[0]


WantedPlay = Callable[[dict[Play, Fraction], Play, int], Play]


def _spot_by_spot(terms: Terms, wanted: WantedPlay) -> Callable[[int, Seen, Seat], Play]:
    """A strategy asked at the table, one hand at a time."""

    @lru_cache(maxsize=2**16)
    def known(cards: tuple[Card, ...], up: tuple[Card, ...]) -> Play:
        worths, best, _ = worths_at(terms, cards, up)
        return wanted(worths, best, best_rank(cards, terms.fight.best, terms.fight.ace))

    return lambda stage, seen, seat: known(seen[0], seen[-1])


def entries(game: Game, ante: Cents | None, purse: Cents | None) -> Iterator[StrategyLine]:
    """The whole best strategy: hands by class, with the dealer's cards against which it holds."""
    yield from lines_of(solve(Terms(game, ante, purse=purse)))


def lines_of(solution: Solution) -> Iterator[StrategyLine]:
    """Every class of own hand and each play that is made with it, the highest first."""
    counts, terms = solution.counts, solution.terms
    stage, units = terms.game.stages[0].id, len(terms.seat.main)
    hands = classes(terms.fight.best, terms.fight.ace)
    starts = np.searchsorted(counts.classes, np.arange(len(hands) + 1))
    for own in reversed(range(len(hands))):
        some = slice(starts[own], starts[own + 1])
        for place in np.unique(solution.chosen[some]).tolist():
            mine = solution.chosen[some] == place
            ways = counts.ways[some][mine]
            won = sum((solution.worths[place, some][mine].astype(object) * ways).tolist())
            worth = Fraction(won, int(ways.sum()) * counts.total * terms.stake)
            seen = np.unique(counts.seen[some][mine]).tolist()
            every = np.unique(counts.seen[some]).tolist()
            held = class_name(hands[own]) + _against(seen, every)
            yield StrategyLine(stage, held, units, solution.plays[place], worth)


def _against(seen: list[int], every: list[int]) -> str:
    if seen == every or ANY in seen:
        return ""
    return " | " + " ".join(RANK_NAMES[rank] for rank in reversed(seen))
