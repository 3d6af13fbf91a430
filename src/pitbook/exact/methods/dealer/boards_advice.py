"""The value of every play with two hole cards, counted over the cards that are left."""

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
    Solution,
    StreetPlan,
    plan_of,
    solve,
)
from pitbook.exact.methods.dealer.boards_sweep import THREADS, card_tables
from pitbook.exact.methods.dealer.common import cache_solutions, explain_play, refuse_combined
from pitbook.exact.methods.dealer.stored_counts import defer_compiling, require_numba
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
from pitbook.rules.game import Game
from pitbook.rules.plays import Play
from pitbook.text import say

Ints = NDArray[np.int64]
Worths = dict[Play, Fraction]
SECONDS_A_BOARD = 2e-6


cached_solution = cache_solutions(solve)


def advise(game: Game, spot: Spot) -> Advice:
    """The exact value of every play, with the side wagers that it touches."""
    side = affected_side_wagers(game, spot.side or {}, spot.ante)
    refuse_combined(game, side_wagers_on_other_hands(game, side))
    plan = _plan(game, spot.ante, tuple(side.items()), spot.purse)
    (board, _), made = spot_cards_and_plays(game, spot)
    street = len(made)
    if not board and not spot.dead and spot.purse is None:
        beside = tuple(side.items())
        solution = (
            _solution_with_side(game, spot.ante, beside)
            if side
            else cached_solution(game, spot.ante, None)
        )
        return _advice(plan, street, _worths_before_flop(solution, spot.cards), None)
    found, events = worths_at(plan, street, spot.cards, board, spot.dead)
    return _advice(plan, street, found, events)


@lru_cache(maxsize=64)
def _plan(
    game: Game, ante: Cents | None, side: tuple[tuple[str, Cents], ...], purse: Cents | None
) -> StreetPlan:
    return plan_of(Terms(game, ante, dict(side), purse))


@releasable_cache(maxsize=8)
def _solution_with_side(
    game: Game, ante: Cents | None, side: tuple[tuple[str, Cents], ...]
) -> Solution:
    """Best play with side wagers that it touches."""
    return solve(Terms(game, ante, dict(side)))


def _advice(plan: StreetPlan, street: int, worths: Worths, events: list[int] | None) -> Advice:
    game = plan.terms.game
    best = max(worths, key=worths.__getitem__)
    plays = game.plays(plan.streets[street].stage)
    ordered = {play: worths[play] for play in plays if play in worths}
    return Advice(ordered, best, explain_play(game, ordered, best, events))


def _worths_before_flop(solution: Solution, cards: Sequence[Card]) -> Worths:
    """Before the flop, with nothing known but two cards."""
    plan, chosen = solution.plan, solution.before
    assert chosen is not None
    hole = hole_number(solution, cards)
    deals = int(solution.deals[hole])
    return {
        play: Fraction(int(worth), deals * plan.terms.stake)
        for play, worth in zip(plan.plays[0], chosen.worths[:, hole], strict=True)
    }


def hole_number(solution: Solution, cards: Sequence[Card]) -> int:
    """The number of a pair, up to suits."""
    one, two = sorted(cards)
    first = (one % 4 == two % 4) and (one - one % 4, two - two % 4)
    low, high = first or (one - one % 4, two - two % 4 + 1)
    same = (solution.rows.pairs == (low, high)).all(axis=1)
    return int(same.argmax())


def worths_at(
    plan: StreetPlan,
    street: int,
    cards: Sequence[Card],
    board: Sequence[Card],
    dead: Sequence[Card] = (),
) -> tuple[Worths, list[int]]:
    """What every play on a street is worth in main wagers, and how the hand fares to the end."""
    require_numba()
    defer_compiling("boards")
    gone = {*cards, *board, *dead}
    left = np.array([card for card in DECK if card not in gone], np.int64)
    own, seen = np.array(cards, np.int64), np.array(board, np.int64)
    counts = _count_spot(plan, own, seen, left)
    whole = counts[:, 0].sum(axis=0)
    total, on = int(whole.sum()), plan.streets[street].on
    found: Worths = {}
    for play in plan.plays[street]:
        if play == on:
            won = _value_of_going_on(plan, street, counts)
        else:
            won = _sum_products(whole, plan.cells.nets(plan.ends[street, play]))
        found[play] = Fraction(won, total * plan.terms.stake)
    events = [0] * len(EVENTS)
    for (_, event), many in zip(plan.cells.shown, whole.tolist(), strict=True):
        events[event] += many
    return found, events


def _value_of_going_on(plan: StreetPlan, street: int, counts: Ints) -> int:
    """What best play after a street comes to, from the counts of every flop or of one board."""
    worths = _board_values(plan, counts)
    if plan.streets[street + 1].seen == FLOP:
        on = plan.streets[street + 1].on
        ends = [
            worths if play == on else counts[:, 0] @ plan.cells.nets(plan.ends[street + 1, play])
            for play in plan.plays[street + 1]
        ]
        worths = np.max(ends, axis=0)
    return sum(worths.tolist())


def _board_values(plan: StreetPlan, counts: Ints) -> Ints:
    """By flop, what going on to the whole board is worth; nothing is cut off: see NET_MAX."""
    first, other = plan.last_two
    nets = plan.cells.nets(first)
    won = counts[:, 0] @ nets
    return won if other is None else won + counts[:, 1] @ (plan.cells.nets(other) - nets)


def _sum_products(counts: Ints, nets: Ints) -> int:
    return sum(count * net for count, net in zip(counts.tolist(), nets.tolist(), strict=True))


def _count_spot(plan: StreetPlan, own: Ints, board: Ints, left: Ints) -> Ints:
    """Counts by flop, of all boards and of those that are given up, and by cell."""
    from pitbook.exact.methods.dealer.boards_kernels import count_before_flop, count_spot  # noqa: PLC0415

    cells, fight = plan.cells, plan.terms.fight
    rule = (
        np.array(cells.shapes, np.int64),
        np.array(cells.cells, np.int64),
        fight.least,
        cells.gains(*plan.last_two),
        plan.prefers,
    )
    tables = card_tables(fight.ace, 7)
    if len(board):
        return np.array([count_spot(own, board, left, tables, rule)])

    def part(first: int) -> Any:
        return count_before_flop(own, left, first, tables, rule)

    firsts = len(left) - BOARD + 1
    with ThreadPoolExecutor(THREADS) as pool:
        try:
            parts = pool.map(part, range(firsts))
            each = SECONDS_A_BOARD * comb(len(left), BOARD) / firsts
            return np.array(sum(track_parts(parts, firsts, say("exact.working.lowest"), each=each)))
        finally:
            pool.shutdown(cancel_futures=True)
