"""Strategies with one decision: named ones, a player's own rules, and short ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import Card
from pitbook.exact.methods.dealer.common import DealerStrategy, parse_strategy_name
from pitbook.exact.methods.dealer.pairs_advice import worths_at
from pitbook.exact.methods.dealer.pairs_solve import ChoosePlays, Solution, solve
from pitbook.exact.methods.dealer.structure import Terms
from pitbook.exact.methods.ladder.strategies import class_name, rule_chooser
from pitbook.exact.methods.method import StrategyLine
from pitbook.exact.methods.plain.solve import PlainSolver, Seen
from pitbook.exact.rule_files import Rules, StrategyError
from pitbook.hands.kinds import RANK_NAMES
from pitbook.hands.ranking import best_rank, classes
from pitbook.money import Cents
from pitbook.rules.game import Game, Seat
from pitbook.rules.plays import Play
from pitbook.text import say

ANY = 63  # The rank of no card.
BestPlays = NDArray[np.int8]


def follow(game: Game, name: str, ante: Cents | None) -> DealerStrategy:
    """A strategy by its name; raises StrategyError with a sentence."""
    kind, word = parse_strategy_name(game, name)
    terms = Terms(game, ante)
    choose = None if kind == "best" else _never(word) if kind == "never" else _always(word)
    solution = solve(terms, choose=choose)  # It may say that there is no such play.

    def wanted(worths: dict[Play, Fraction], best: Play, own: int) -> Play:
        if kind == "always":
            return next((play for play in worths if play == word), best)
        others = [play for play in worths if play != word]
        return max(others, key=worths.__getitem__) if best == word and others else best

    return DealerStrategy(
        name, PlainSolver(game, ante), _spot_by_spot(terms, wanted), lambda: solution
    )


def follow_rules(game: Game, rules: Rules, ante: Cents | None) -> DealerStrategy:
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
    return DealerStrategy(
        rules.name, PlainSolver(game, ante), _spot_by_spot(terms, said), lambda: solution
    )


def _always(word: str) -> ChoosePlays:
    """One play wherever it may be, best play elsewhere."""

    def chosen(solution: Solution) -> BestPlays:
        place = _play_index(solution, word)
        return np.where(solution.allowed[place], np.int8(place), solution.chosen)

    return chosen


def _never(word: str) -> ChoosePlays:
    """Best play without one of the plays."""

    def chosen(solution: Solution) -> BestPlays:
        place = _play_index(solution, word)
        if len(solution.plays) == 1:
            raise StrategyError(say("exact.strategy.no-other", play=word))
        may = solution.allowed.copy()
        may[place] = False
        lowest = np.iinfo(np.int64).min
        return np.asarray(np.where(may, solution.worths, lowest).argmax(axis=0), np.int8)

    return chosen


def _play_index(solution: Solution, word: str) -> int:
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


def strategy_lines(game: Game, ante: Cents | None, purse: Cents | None) -> Iterator[StrategyLine]:
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
            held = class_name(hands[own]) + _dealer_cards_text(seen, every)
            yield StrategyLine(stage, held, units, solution.plays[place], worth)


def _dealer_cards_text(seen: list[int], every: list[int]) -> str:
    if seen == every or ANY in seen:
        return ""
    return " | " + " ".join(RANK_NAMES[rank] for rank in reversed(seen))


NEVER = -(10**40)  # What a play is worth that may not be made.


class ShortStrategy(NamedTuple):
    """Hands from the highest to the lowest, run by run with its play; of a whole round."""

    runs: tuple[tuple[str, str, Play], ...]
    expected: Fraction


class UpcardStrategy(NamedTuple):
    """By rank that the dealer shows, the highest first: each play with the lowest hand for it."""

    rows: tuple[tuple[int, tuple[tuple[Play, str], ...]], ...]
    expected: Fraction


def short_strategy(solution: Solution) -> ShortStrategy:
    """The best of all strategies whose bets fall with the hand, whatever the dealer shows."""
    rows = np.arange(len(solution.chosen))
    made, runs = _best_plays(solution, rows), []
    for play, some in groupby(_name_plays(solution, made, rows), key=lambda one: one[0]):
        hands = [name for _, name in some]
        runs.append((hands[0], hands[-1], solution.plays[play]))
    every = np.array(made[::-1], np.int8)[solution.counts.classes]
    return ShortStrategy(tuple(runs), replace(solution, chosen=every).expected)


def strategy_by_upcard(solution: Solution) -> UpcardStrategy | None:
    """The same against every rank that the dealer may show; None where no card is shown."""
    seen = solution.counts.seen
    if len(ranks := np.unique(seen)) == 1:
        return None
    chosen, rows = solution.chosen.copy(), []
    for rank in reversed(ranks.tolist()):
        (mine,) = np.nonzero(seen == rank)
        made = _best_plays(solution, mine)
        chosen[mine] = np.array(made[::-1], np.int8)[solution.counts.classes[mine]]
        lowest = dict(_name_plays(solution, made, mine))  # The last of each stays.
        rows.append((rank, tuple((solution.plays[one], hand) for one, hand in lowest.items())))
    return UpcardStrategy(tuple(rows), replace(solution, chosen=chosen).expected)


def _best_plays(solution: Solution, rows: NDArray[np.intp]) -> list[int]:
    """The play of each class of hands, the highest first, worth most over these rows."""
    order = sorted(range(len(solution.plays)), key=lambda one: -solution.plays[one].times)
    worths = _worths_by_class(solution, rows)
    return [
        order[one] for one in _best_monotone([[row[place] for place in order] for row in worths])
    ]


def _name_plays(
    solution: Solution, made: list[int], rows: NDArray[np.intp]
) -> Iterator[tuple[int, str]]:
    """Each play with a hand that comes in rows: A A 3 2 is never the best four of five cards."""
    fight, comes = solution.terms.fight, set(solution.counts.classes[rows].tolist())
    rising = enumerate(zip(reversed(made), classes(fight.best, fight.ace), strict=True))
    found = [(play, class_name(hand)) for number, (play, hand) in rising if number in comes]
    yield from reversed(found)


def _worths_by_class(solution: Solution, rows: NDArray[np.intp]) -> list[list[int]]:
    """By class of own hand, the highest first, what every play is worth over the deals of rows."""
    counts, fight = solution.counts, solution.terms.fight
    ends = np.arange(len(classes(fight.best, fight.ace)) + 1)
    starts, allowed = np.searchsorted(counts.classes[rows], ends), solution.allowed[:, rows]
    worths = np.where(allowed, solution.worths[:, rows], 0)
    sums = [
        np.concatenate([[0], np.cumsum(row)]) for row in worths.astype(object) * counts.ways[rows]
    ]
    may = [np.concatenate([[0], np.cumsum(~row)]) for row in allowed]
    return [
        [
            int(total[end] - total[start]) if not ban[end] - ban[start] else NEVER
            for total, ban in zip(sums, may, strict=True)
        ]
        for start, end in reversed(list(pairwise(starts.tolist())))
    ]


def _best_monotone(worths: list[list[int]]) -> list[int]:
    """By hand a place that never falls from one to the next, worth most in all."""
    many = len(worths[0])
    total, back = [0] * many, []
    for row in worths:
        source = [max(range(place + 1), key=lambda one: total[one]) for place in range(many)]
        total = [total[source[place]] + row[place] for place in range(many)]
        back.append(source)
    place, made = max(range(many), key=lambda one: total[one]), []
    for source in reversed(back):
        made.append(place)
        place = source[place]
    return made[::-1]
