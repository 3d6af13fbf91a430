"""Strategies on boards: best play, named ones and a player's own rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import Card
from pitbook.exact.methods.dealer.boards_advice import cached_solution, hole_number, worths_at
from pitbook.exact.methods.dealer.boards_solve import (
    FLOP,
    NOTHING,
    PlayFilter,
    RuleDecisions,
    Solution,
    StreetPlan,
    SweepRows,
    plan_of,
    solve,
    solve_decisions,
    stored_flops,
    sweep_uncached,
)
from pitbook.exact.methods.dealer.boards_sweep import FlopPairs, River, list_flops
from pitbook.exact.methods.dealer.common import DealerStrategy, parse_strategy_name
from pitbook.exact.methods.dealer.strength import KEYS, strength_of
from pitbook.exact.methods.dealer.structure import Terms
from pitbook.exact.methods.ladder.strategies import Chooser, class_name, rule_chooser
from pitbook.exact.methods.method import StrategyLine
from pitbook.exact.methods.plain.solve import OpenCards, PlainSolver
from pitbook.exact.rule_files import Rules, StrategyError
from pitbook.hands.kinds import Ace
from pitbook.hands.ranking import HandClass, best_rank, classes, rank_of
from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.rules.game import Game, Seat
from pitbook.text import say

Ints = NDArray[np.int64]


def follow(game: Game, name: str, ante: Cents | None) -> DealerStrategy:
    """A strategy by its name; raises StrategyError."""
    kind, _ = parse_strategy_name(game, name)
    solution = cached_solution(game, ante, None)
    if kind != "best":
        solution = solve(Terms(game, ante), play_filter=named_filter(name))
    return DealerStrategy(name, PlainSolver(game, ante), _spot_chooser(solution), lambda: solution)


def named_filter(name: str) -> PlayFilter | None:
    """The plays that a named strategy considers; None for best play."""
    kind, _, play_name = name.partition("-")
    if kind == "best":
        return None
    return _plays_without(play_name) if kind == "never" else _plays_only(play_name)


def _plays_without(play_name: str) -> PlayFilter:
    def filter_plays(plays: Sequence[Play]) -> Sequence[Play]:
        return [play for play in plays if play != play_name] or plays

    return filter_plays


def _plays_only(play_name: str) -> PlayFilter:
    def filter_plays(plays: Sequence[Play]) -> Sequence[Play]:
        return [play for play in plays if play == play_name] or plays

    return filter_plays


def _spot_chooser(solution: Solution) -> Callable[[int, OpenCards, Seat], Play]:
    """A chooser that evaluates one spot at a time."""
    plan = solution.plan

    @lru_cache(maxsize=2**16)
    def best_play(street: int, cards: tuple[Card, ...], board: tuple[Card, ...]) -> Play:
        plays = plan.plays[street]
        if len(plays) == 1:
            return plays[0]
        if not board:
            assert solution.before_flop is not None
            return plays[int(solution.before_flop.best[hole_number(solution, cards)])]
        values, _ = worths_at(plan, street, cards, board)
        return max(values, key=values.__getitem__)

    def choose(stage: int, open_cards: OpenCards, seat: Seat) -> Play:
        street = sum(street_plan.stage < stage for street_plan in plan.streets)
        return best_play(street, open_cards[0], open_cards[1])

    return choose


def follow_rules(game: Game, rules: Rules, ante: Cents | None) -> DealerStrategy:
    """A player's own rules, by the cards seen; raises StrategyError."""
    solve_rules, choose = solve_by_rules(game, rules, ante)
    return DealerStrategy(rules.name, PlainSolver(game, ante), choose, solve_rules)


def strategy_lines(game: Game, ante: Cents | None, purse: Cents | None) -> Iterator[StrategyLine]:
    """The best strategy by the cards seen, up to the flop."""
    solution = cached_solution(game, ante, None)
    if purse is not None:
        solution = solve(Terms(game, ante, purse=purse))
    yield from solution.entries()


def lines_of(solution: Solution) -> Iterator[StrategyLine]:
    """Before the flop by hole cards, after it by the class of all five cards and the play."""
    for number, street in enumerate(solution.plan.streets):
        if street.board_cards == NOTHING:
            yield from _lines_before_flop(solution, number)
        elif street.board_cards == FLOP:
            yield from _lines_after_flop(solution, number)


def _lines_before_flop(solution: Solution, street: int) -> Iterator[StrategyLine]:
    holes, decision = solution.holes, solution.before_flop
    assert decision is not None
    hands = classes(2, solution.plan.terms.dealer_game.ace)
    for hole, pair in enumerate(holes.pairs.tolist()):
        deals = int(solution.deals[hole])
        best = int(decision.best[hole])
        name = class_name(hands[rank_of([Card(card) for card in pair])])
        yield _strategy_line(
            solution, street, name, best, (int(decision.worths[best, hole]), deals)
        )


def _lines_after_flop(solution: Solution, street: int) -> Iterator[StrategyLine]:
    """The rows of each class and best play; worths are integer sums."""
    choices, hands = solution.after_flop, classes(5, solution.plan.terms.dealer_game.ace)
    assert choices is not None
    values, deals = solution.worths_after_flop(), solution.rows.swept.every.sum(1, np.int64)
    plays, best_worths = len(values), values[choices, np.arange(len(choices))]
    del values
    group = seen_classes(stored_flops(), solution.plan.terms.dealer_game.ace) * plays + choices
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    for rows in reversed(np.split(order, starts[1:])):
        place, best = divmod(int(group[rows[0]]), plays)
        net, total_deals = sum(best_worths[rows].tolist()), int(deals[rows].sum())
        yield _strategy_line(solution, street, class_name(hands[place]), best, (net, total_deals))


def _strategy_line(
    solution: Solution, street: int, hand: str, best: int, value: tuple[int, int]
) -> StrategyLine:
    """A play with its value per deal."""
    plan, (net, deals) = solution.plan, value
    seat, stage = plan.seats[street], plan.terms.game.stages[plan.streets[street].stage]
    worth_per_deal = Fraction(net, deals * plan.terms.stake)
    return StrategyLine(stage.id, hand, len(seat.main), plan.plays[street][best], worth_per_deal)


Choose = Callable[[int, OpenCards, Seat], Play]


def solve_by_rules(
    game: Game, rules: Rules, ante: Cents | None, deck: Sequence[Card] | None = None
) -> tuple[Callable[[], Solution], Choose]:
    """A function that solves rules, and a chooser that follows them; raises StrategyError.

    With `deck`, on some cards only.
    """
    plan, choose = plan_of(Terms(game, ante)), rule_chooser(game, rules)
    ace = plan.terms.dealer_game.ace
    by_street = [_plays_by_class(plan, street, choose) for street in range(len(plan.streets))]
    last = _class_takes_other(plan, by_street[-1])

    def solve() -> Solution:
        flops = stored_flops() if deck is None else list_flops(deck)
        rows = sweep_uncached(flops, _river_for_rules(plan, last))
        cards_seen = [street.board_cards for street in plan.streets]
        before, after = None, None
        if NOTHING in cards_seen:
            before = by_street[cards_seen.index(NOTHING)][_hole_classes(rows, ace)]
        if FLOP in cards_seen:
            after = by_street[cards_seen.index(FLOP)][seen_classes(flops, ace)]
        return solve_decisions(plan, rows, RuleDecisions(before, after, last))

    return solve, _rule_chooser(plan, by_street)


def _plays_by_class(plan: StreetPlan, street: int, choose: Chooser) -> NDArray[np.int8]:
    """By class of the cards seen, or of the best five, the index of the play on its street."""
    plays = [str(play) for play in plan.plays[street]]
    stage, seat = plan.streets[street].stage, plan.seats[street]
    units = sum(stake for _, stake in seat.main) // plan.terms.stake
    play_names = [choose(stage, hand, units) for hand in _classes(plan, street)]
    for play_name in set(play_names):
        if play_name not in plays:
            fields = {"play": play_name, "plays": tuple(plays)}
            raise StrategyError(say("exact.strategy.no-play", **fields))
    return np.array([plays.index(play_name) for play_name in play_names], np.int8)


def _classes(plan: StreetPlan, street: int) -> tuple[HandClass, ...]:
    size = 2 if plan.streets[street].board_cards == NOTHING else 5
    return tuple(classes(size, plan.terms.dealer_game.ace))


def _class_takes_other(plan: StreetPlan, plays: NDArray[np.int8]) -> tuple[bool, ...]:
    """By class, whether the other of the last two plays is made on the board."""
    alternative = plan.last_two[1]
    if alternative is None:
        return ()
    ends = [plan.end_seats[len(plan.streets) - 1, play] == alternative for play in plan.plays[-1]]
    return tuple(bool(takes) for takes in np.array(ends)[plays])


def _river_for_rules(plan: StreetPlan, last: tuple[bool, ...]) -> River:
    """The input of a sweep if rules decide on the board: each shape with either play."""
    river = plan.river(listing=False)
    if not last:
        return river
    shapes = tuple(2 * shape + takes for shape, takes in zip(river.shapes, last, strict=True))
    gains = tuple((gain,) * len(row) for row in river.gains for gain in (-1, 1))
    return river._replace(
        shapes=shapes,
        cells=tuple(row for row in river.cells for _ in range(2)),
        gains=gains,
        listed=(False,) * len(gains),
    )


def _hole_classes(rows: SweepRows, ace: Ace) -> Ints:
    return np.array([rank_of([Card(card) for card in pair], ace) for pair in rows.pairs.tolist()])


def seen_classes(flop_pairs: FlopPairs, ace: Ace) -> Ints:
    """By row, the class of hole cards and flop."""
    from pitbook.exact.methods.dealer.pairs_kernels import rank_hands  # noqa: PLC0415

    strength = strength_of(5, 5, ace)
    flops = np.repeat(flop_pairs.flops, np.diff(flop_pairs.starts), axis=0)
    cards = np.concatenate([flops, flop_pairs.pairs], axis=1).astype(np.uint8)
    keys, no_cards = np.array(KEYS, np.int64), np.zeros(0, np.int64)
    hand_classes = rank_hands(cards, no_cards, keys, strength.by_ranks, strength.by_suit)
    return np.asarray(hand_classes, np.int64)


def _rule_chooser(plan: StreetPlan, plays_by_street: list[NDArray[np.int8]]) -> Choose:
    ace = plan.terms.dealer_game.ace

    @lru_cache(maxsize=2**16)
    def play_by_class(street: int, cards: tuple[Card, ...]) -> Play:
        place = rank_of(cards, ace) if len(cards) == 2 else best_rank(cards, 5, ace)
        return plan.plays[street][int(plays_by_street[street][place])]

    def choose(stage: int, open_cards: OpenCards, seat: Seat) -> Play:
        street = sum(street_plan.stage < stage for street_plan in plan.streets)
        return play_by_class(street, (*open_cards[0], *open_cards[1]))

    return choose
