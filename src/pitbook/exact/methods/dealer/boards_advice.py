"""Advice at a spot on boards: what each play is worth."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import DECK, Card
from pitbook.exact.methods.dealer.boards_solve import (
    BOARD,
    FLOP,
    HOLE,
    Solution,
    StreetPlan,
    plan_of,
    solve,
)
from pitbook.exact.methods.dealer.boards_sweep import THREADS, card_tables
from pitbook.exact.methods.dealer.common import cache_solutions, explain_play, refuse_combined
from pitbook.exact.methods.dealer.shipped_solutions import board_solution
from pitbook.exact.methods.dealer.showdowns import count_board_events
from pitbook.exact.methods.dealer.stored_counts import defer_compiling, require_numba
from pitbook.exact.methods.dealer.strength import strength_of
from pitbook.exact.methods.dealer.structure import (
    EVENTS,
    Terms,
    affected_side_wagers,
    side_wagers_on_other_hands,
)
from pitbook.exact.methods.method import Advice
from pitbook.exact.spots import Spot, spot_cards_and_plays
from pitbook.exact.work import releasable_cache, track_parts
from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.rules.game import Game
from pitbook.text import say

Ints = NDArray[np.int64]
Worths = dict[Play, Fraction]
SECONDS_A_BOARD = 2e-6


cached_solution = cache_solutions(solve)


def advise(game: Game, spot: Spot) -> Advice:
    """The exact value of every play, with the side wagers that it affects."""
    side = affected_side_wagers(game, spot.side or {}, spot.ante)
    refuse_combined(game, side_wagers_on_other_hands(game, side))
    plan = _plan(game, spot.ante, tuple(side.items()), spot.purse)
    (board, _), plays_made = spot_cards_and_plays(game, spot)
    street = len(plays_made)
    if not board and not spot.dead and spot.purse is None:
        side_items = tuple(side.items())
        solution = (
            _solution_with_side(game, spot.ante, side_items)
            if side
            else cached_solution(game, spot.ante, None)
        )
        return _advice(plan, street, _worths_before_flop(solution, spot.cards), None)
    if not board and not spot.dead and (stored := board_solution(plan)):
        return _advice(
            plan, street, _worths_before_flop(stored, spot.cards), _hole_events(stored, spot.cards)
        )
    values, events = worths_at(plan, street, spot.cards, board, spot.dead)
    return _advice(plan, street, values, events)


@lru_cache(maxsize=64)
def _plan(
    game: Game, ante: Cents | None, side: tuple[tuple[str, Cents], ...], purse: Cents | None
) -> StreetPlan:
    return plan_of(Terms(game, ante, dict(side), purse))


@releasable_cache(maxsize=8)
def _solution_with_side(
    game: Game, ante: Cents | None, side: tuple[tuple[str, Cents], ...]
) -> Solution:
    """The solution with side wagers that depend on the play."""
    return solve(Terms(game, ante, dict(side)))


def _advice(plan: StreetPlan, street: int, values: Worths, events: list[int] | None) -> Advice:
    game = plan.terms.game
    best = max(values, key=values.__getitem__)
    plays = game.plays(plan.streets[street].stage)
    ordered = {play: values[play] for play in plays if play in values}
    return Advice(ordered, best, explain_play(game, ordered, best, events))


def _worths_before_flop(solution: Solution, cards: Sequence[Card]) -> Worths:
    """The values with only the two hole cards known."""
    plan, decision = solution.plan, solution.before_flop
    assert decision is not None
    hole = hole_number(solution, cards)
    deals = int(solution.deals[hole])
    return {
        play: Fraction(int(value), deals * plan.terms.stake)
        for play, value in zip(plan.plays[0], decision.worths[:, hole], strict=True)
    }


def _hole_events(solution: Solution, cards: Sequence[Card]) -> list[int]:
    """How often hole cards win and lose, over all boards and dealer hands."""
    counts = solution.holes.counts[hole_number(solution, cards)]
    return _events_by_cell(solution.plan, counts.tolist())


def _events_by_cell(plan: StreetPlan, counts: list[int]) -> list[int]:
    events = [0] * len(EVENTS)
    for (_, event), count in zip(plan.cells.examples_by_cell, counts, strict=True):
        events[event] += count
    return events


def hole_number(solution: Solution, cards: Sequence[Card]) -> int:
    """The number of a pair of hole cards, up to suits."""
    low_card, high_card = sorted(cards)
    suited_pair = (low_card % 4 == high_card % 4) and (
        low_card - low_card % 4,
        high_card - high_card % 4,
    )
    low, high = suited_pair or (low_card - low_card % 4, high_card - high_card % 4 + 1)
    same = (solution.holes.pairs == (low, high)).all(axis=1)
    return int(same.argmax())


def worths_at(
    plan: StreetPlan,
    street: int,
    cards: Sequence[Card],
    board: Sequence[Card],
    dead: Sequence[Card] = (),
) -> tuple[Worths, list[int]]:
    """The value of every play on a street in main wagers, and how often the hand wins and loses."""
    known_cards = {*cards, *board, *dead}
    unseen = [card for card in DECK if card not in known_cards]
    counts = (
        _count_boards(plan, cards, board, unseen)
        if board
        else _count_before_flop(plan, cards, unseen)
    )
    all_boards = counts[:, 0].sum(axis=0)
    total, on = int(all_boards.sum()), plan.streets[street].go_on
    values: Worths = {}
    for play in plan.plays[street]:
        if play == on:
            net = _value_of_going_on(plan, street, counts)
        else:
            net = _sum_products(all_boards, plan.cells.nets(plan.end_seats[street, play]))
        values[play] = Fraction(net, total * plan.terms.stake)
    return values, _events_by_cell(plan, all_boards.tolist())


def _value_of_going_on(plan: StreetPlan, street: int, counts: Ints) -> int:
    """The value of best play after a street, from the counts of every flop or of one board."""
    worths = _board_values(plan, counts)
    if plan.streets[street + 1].board_cards == FLOP:
        on = plan.streets[street + 1].go_on
        values = [
            worths
            if play == on
            else counts[:, 0] @ plan.cells.nets(plan.end_seats[street + 1, play])
            for play in plan.plays[street + 1]
        ]
        worths = np.max(values, axis=0)
    return sum(worths.tolist())


def _board_values(plan: StreetPlan, counts: Ints) -> Ints:
    """By flop, the value of going on to the full board. Cannot overflow: see NET_MAX."""
    first, alternative = plan.last_two
    nets = plan.cells.nets(first)
    values = counts[:, 0] @ nets
    return (
        values
        if alternative is None
        else values + counts[:, 1] @ (plan.cells.nets(alternative) - nets)
    )


def _sum_products(counts: Ints, nets: Ints) -> int:
    return sum(count * net for count, net in zip(counts.tolist(), nets.tolist(), strict=True))


def _count_boards(
    plan: StreetPlan, hole: Sequence[Card], board: Sequence[Card], unseen: Sequence[Card]
) -> Ints:
    """Counts by cell after the flop: all boards, and those on which the other play is chosen."""
    dealer_game, cells = plan.terms.dealer_game, np.array(plan.cells.cells)
    strength = strength_of(dealer_game.best_cards, HOLE + BOARD, dealer_game.ace)
    rule = strength, dealer_game.qualifying_class
    classes, events = count_board_events(hole, board, unseen, rule)
    shapes = np.array(plan.cells.shapes)[classes]
    gained = (events * plan.cells.gains(*plan.last_two)[shapes]).sum(axis=1)
    takes_other = gained >= 0 if plan.prefers else gained > 0
    counts = np.zeros((1, 2, cells.max() + 1), np.int64)
    for number, boards in enumerate((slice(None), takes_other)):
        np.add.at(counts[0, number], cells[shapes[boards]], events[boards])
    return counts


def _count_before_flop(
    plan: StreetPlan, cards: Sequence[Card], unseen_cards: Sequence[Card]
) -> Ints:
    """The same before the flop, by flop."""
    require_numba()
    defer_compiling("boards")
    from pitbook.exact.methods.dealer.boards_kernels import count_before_flop  # noqa: PLC0415

    hole, unseen = np.array(cards, np.int64), np.array(unseen_cards, np.int64)
    cells, dealer_game = plan.cells, plan.terms.dealer_game
    rule = (
        np.array(cells.shapes, np.int64),
        np.array(cells.cells, np.int64),
        dealer_game.qualifying_class,
        cells.gains(*plan.last_two),
        plan.prefers,
    )
    tables = card_tables(dealer_game.ace, HOLE + BOARD)

    def count_from(first: int) -> Any:
        return count_before_flop(hole, unseen, first, tables, rule)

    firsts = len(unseen) - BOARD + 1
    with ThreadPoolExecutor(THREADS) as pool:
        try:
            parts = pool.map(count_from, range(firsts))
            each = SECONDS_A_BOARD * comb(len(unseen), BOARD) / firsts
            return np.array(
                sum(track_parts(parts, firsts, say("exact.working.lowest"), seconds_each=each))
            )
        finally:
            pool.shutdown(cancel_futures=True)
