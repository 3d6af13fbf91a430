"""Strategies on boards: the best one, those that leave plays out, and all of it as a list."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import Card
from pitbook.exact.methods.boards.advice import hole_of, solved, worths_at
from pitbook.exact.methods.boards.by_rules import seen_classes, solved_by_rules
from pitbook.exact.methods.boards.rows import full_deck
from pitbook.exact.methods.boards.solving import May, Solution, solve
from pitbook.exact.methods.boards.structure import FLOP, NOTHING
from pitbook.exact.methods.duels.answers import Fought, named
from pitbook.exact.methods.duels.terms import Terms
from pitbook.exact.methods.ladder.strategies import class_name
from pitbook.exact.methods.method import StrategyLine
from pitbook.exact.methods.plain.cards import Seen
from pitbook.exact.methods.plain.solving import Plain
from pitbook.exact.rule_files import Rules
from pitbook.hands.ranking import classes, rank_of
from pitbook.money import Cents
from pitbook.rules.game import Game, Seat
from pitbook.rules.plays import Play

__all__ = ["entries", "follow", "follow_rules", "lines_of"]

Ints = NDArray[np.int64]


def follow(game: Game, name: str, ante: Cents | None) -> Fought:
    """A strategy by its name; raises StrategyError with a sentence."""
    kind, word = named(game, name)
    solution = solved(game, ante, None)
    if kind != "best":
        solution = solve(Terms(game, ante), may=_without(word) if kind == "never" else _only(word))
    return Fought(name, Plain(game, ante), _spot_by_spot(solution), lambda: solution)


def _without(word: str) -> May:
    def may(plays: Sequence[Play]) -> Sequence[Play]:
        return [play for play in plays if play != word] or plays

    return may


def _only(word: str) -> May:
    def may(plays: Sequence[Play]) -> Sequence[Play]:
        return [play for play in plays if play == word] or plays

    return may


def _spot_by_spot(solution: Solution) -> Callable[[int, Seen, Seat], Play]:
    """A strategy asked at the table, one spot at a time."""
    plan = solution.plan

    @lru_cache(maxsize=2**16)
    def known(street: int, cards: tuple[Card, ...], board: tuple[Card, ...]) -> Play:
        plays = plan.plays[street]
        if len(plays) == 1:
            return plays[0]
        if not board:
            assert solution.before is not None
            return plays[int(solution.before.best[hole_of(solution, cards)])]
        worths, _ = worths_at(plan, street, cards, board)
        return max(worths, key=worths.__getitem__)

    def choose(stage: int, seen: Seen, seat: Seat) -> Play:
        street = sum(one.stage < stage for one in plan.streets)
        return known(street, seen[0], seen[1])

    return choose


def follow_rules(game: Game, rules: Rules, ante: Cents | None) -> Fought:
    """A player's own rules, by the cards seen; raises StrategyError with a sentence."""
    solve_rules, choose = solved_by_rules(game, rules, ante)
    return Fought(rules.name, Plain(game, ante), choose, solve_rules)


def entries(game: Game, ante: Cents | None, purse: Cents | None) -> Iterator[StrategyLine]:
    """The best strategy by what is seen, as far as the flop."""
    solution = solved(game, ante, None)
    if purse is not None:
        solution = solve(Terms(game, ante, purse=purse))
    yield from lines_of(solution)


def lines_of(solution: Solution) -> Iterator[StrategyLine]:
    """Before the flop by hole cards, after it by the class of all five, each play with its own."""
    for number, street in enumerate(solution.plan.streets):
        if street.seen == NOTHING:
            yield from _before(solution, number)
        elif street.seen == FLOP:
            yield from _after(solution, number)


def _before(solution: Solution, street: int) -> Iterator[StrategyLine]:
    rows, chosen = solution.rows, solution.before
    assert chosen is not None
    hands = classes(2, solution.plan.terms.fight.ace)
    for hole, pair in enumerate(rows.pairs.tolist()):
        deals = int(solution.deals[hole])
        best = int(chosen.best[hole])
        name = class_name(hands[rank_of([Card(card) for card in pair])])
        yield _line(solution, street, name, best, (int(chosen.worths[best, hole]), deals))


def _after(solution: Solution, street: int) -> Iterator[StrategyLine]:
    """Of the rows of one class those with each play; worths are sums of whole numbers."""
    chosen, hands = solution.after, classes(5, solution.plan.terms.fight.ace)
    assert chosen is not None
    worths, deals = solution.worths_after_flop(), solution.rows.swept.every.sum(1, np.int64)
    plays, best_worths = len(worths), worths[chosen, np.arange(len(chosen))]
    del worths
    group = seen_classes(full_deck(), solution.plan.terms.fight.ace) * plays + chosen
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    for rows in reversed(np.split(order, starts[1:])):
        place, best = divmod(int(group[rows[0]]), plays)
        won, total_deals = sum(best_worths[rows].tolist()), int(deals[rows].sum())
        yield _line(solution, street, class_name(hands[place]), best, (won, total_deals))


def _line(
    solution: Solution, street: int, held: str, best: int, worth: tuple[int, int]
) -> StrategyLine:
    """A play with what it wins, in so many deals."""
    plan, (won, deals) = solution.plan, worth
    seat, stage = plan.seats[street], plan.terms.game.stages[plan.streets[street].stage]
    each = Fraction(won, deals * plan.terms.stake)
    return StrategyLine(stage.id, held, len(seat.main), plan.plays[street][best], each)
