"""Own rules on a board: by hole cards, by these and the flop, by the best five of all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import Card
from pitbook.exact.methods.boards.counting import FlopPairs, River, laid_out
from pitbook.exact.methods.boards.rows import Rows, full_deck, swept_once
from pitbook.exact.methods.boards.solving import RulesSaid, Solution, StreetPlan, plan_of, solve_by
from pitbook.exact.methods.boards.structure import FLOP, NOTHING
from pitbook.exact.methods.duels.strength import KEYS, strength_of
from pitbook.exact.methods.duels.terms import Terms
from pitbook.exact.methods.ladder.by_rules import rule_chooser
from pitbook.exact.methods.ladder.strategies import Chooser
from pitbook.exact.methods.plain.cards import Seen
from pitbook.exact.rule_files import Rules, StrategyError
from pitbook.hands.kinds import Ace
from pitbook.hands.ranking import HandClass, best_rank, classes, rank_of
from pitbook.money import Cents
from pitbook.rules.game import Game, Seat
from pitbook.rules.plays import Play
from pitbook.text import say

__all__ = ["seen_classes", "solved_by_rules"]

Ints = NDArray[np.int64]
Choose = Callable[[int, Seen, Seat], Play]


def solved_by_rules(
    game: Game, rules: Rules, ante: Cents | None, deck: Sequence[Card] | None = None
) -> tuple[Callable[[], Solution], Choose]:
    """A function that solves rules, and their play spot by spot; raises StrategyError.

    On some cards alone where they are named.
    """
    plan, choose = plan_of(Terms(game, ante)), rule_chooser(game, rules)
    ace = plan.terms.fight.ace
    by_street = [_by_class(plan, street, choose) for street in range(len(plan.streets))]
    last = _takes(plan, by_street[-1])

    def solve() -> Solution:
        laid = full_deck() if deck is None else laid_out(deck)
        rows = swept_once(laid, _by_last(plan, last))
        seen = [street.seen for street in plan.streets]
        before, after = None, None
        if NOTHING in seen:
            before = by_street[seen.index(NOTHING)][_hole_classes(rows, ace)]
        if FLOP in seen:
            after = by_street[seen.index(FLOP)][seen_classes(laid, ace)]
        return solve_by(plan, rows, RulesSaid(before, after, last))

    return solve, _spot_by_spot(plan, by_street)


def _by_class(plan: StreetPlan, street: int, choose: Chooser) -> NDArray[np.int8]:
    """By class of the cards seen, or the best five of them, the play's place on its street."""
    plays = [str(play) for play in plan.plays[street]]
    stage, seat = plan.streets[street].stage, plan.seats[street]
    units = sum(stake for _, stake in seat.main) // plan.terms.stake
    said = [choose(stage, hand, units) for hand in _classes(plan, street)]
    for word in set(said):
        if word not in plays:
            allowed = {"play": word, "plays": tuple(plays)}
            raise StrategyError(say("exact.strategy.no-play", **allowed))
    return np.array([plays.index(word) for word in said], np.int8)


def _classes(plan: StreetPlan, street: int) -> tuple[HandClass, ...]:
    size = 2 if plan.streets[street].seen == NOTHING else 5
    return tuple(classes(size, plan.terms.fight.ace))


def _takes(plan: StreetPlan, made: NDArray[np.int8]) -> tuple[bool, ...]:
    """By class, whether the other of the last two plays is made on the board."""
    other = plan.last_two[1]
    if other is None:
        return ()
    ends = [plan.ends[len(plan.streets) - 1, play] == other for play in plan.plays[-1]]
    return tuple(bool(one) for one in np.array(ends)[made])


def _by_last(plan: StreetPlan, last: tuple[bool, ...]) -> River:
    """What a sweep must know where rules decide on the board: each shape with either play."""
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


def _hole_classes(rows: Rows, ace: Ace) -> Ints:
    return np.array([rank_of([Card(card) for card in pair], ace) for pair in rows.pairs.tolist()])


def seen_classes(laid: FlopPairs, ace: Ace) -> Ints:
    """By row, the class of hole cards and flop."""
    from pitbook.exact.methods.pairs.kernels import ranked_in  # noqa: PLC0415

    strength = strength_of(5, 5, ace)
    flops = np.repeat(laid.flops, np.diff(laid.starts), axis=0)
    cards = np.concatenate([flops, laid.pairs], axis=1).astype(np.uint8)
    keys, nothing = np.array(KEYS, np.int64), np.zeros(0, np.int64)
    found = ranked_in(cards, nothing, keys, strength.by_ranks, strength.by_suit)
    return np.asarray(found, np.int64)


def _spot_by_spot(plan: StreetPlan, by_street: list[NDArray[np.int8]]) -> Choose:
    ace = plan.terms.fight.ace

    @lru_cache(maxsize=2**16)
    def known(street: int, cards: tuple[Card, ...]) -> Play:
        place = rank_of(cards, ace) if len(cards) == 2 else best_rank(cards, 5, ace)
        return plan.plays[street][int(by_street[street][place])]

    def choose(stage: int, seen: Seen, seat: Seat) -> Play:
        street = sum(one.stage < stage for one in plan.streets)
        return known(street, (*seen[0], *seen[1]))

    return choose
