"""How a duel ends, in cells: by the way there, the event, and kinds that are paid alike."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.dealer.structure import (
    EVENTS,
    DealerGame,
    as_dealer_game,
    example_classes,
    kinds_by_class,
)
from pitbook.hands.kinds import catalogue
from pitbook.rules.game import Hand, Seat, Showdown
from pitbook.rules.plays import Play
from pitbook.rules.pricing import Kinds
from pitbook.simulate.counts.cells import Cells
from pitbook.simulate.plans.plan import Plan

CARDS_MAX = 7  # That one hand is the best of: more are too many multisets for a table.


class DuelEnds(NamedTuple):
    """By class the group of the own hand and of all cards; [ends, events, groups, groups]: cell."""

    own: NDArray[np.int64]
    both: NDArray[np.int64]
    groups: tuple[int, int]
    cell_of: NDArray[np.int32]


def beside(plan: Plan) -> Hand | None:
    """The hand of all cards, where a side wager of the plan looks at it; raises where another."""
    fight, game = _fight(plan), plan.game
    asked = {game.looks_at(wager) for wager, _ in plan.side} - {game.looks_at("main")}
    if not asked:
        return None
    (hand,) = asked
    every = set(range(len(game.places)))
    if set(hand.places) != every or hand.ranking != Kinds(5, fight.ace):
        raise ValueError(hand)
    if not 5 <= fight.own + fight.common + fight.other <= CARDS_MAX:
        raise ValueError(hand)
    return hand


def ends_of(cells: Cells, ends: tuple[tuple[Play, ...], ...]) -> DuelEnds:
    """Every way to end, numbered in `cells`."""
    plan, fight = cells.plan, _fight(cells.plan)
    hand = beside(plan)
    seats = [_after(plan, plays) for plays in ends]
    own, firsts = _alike(
        tuple(_priced(plan, seats, kind, event, 0) for event in range(len(EVENTS)))
        for kind in range(len(catalogue(fight.best)))
    )
    many = len(catalogue(5)) if hand else 1
    comes = ((kind, event) for kind in firsts for event in range(len(EVENTS)))
    kind, event = next(one for one in comes if example_classes(fight, *one) is not None)
    both, both_firsts = _alike(_priced(plan, seats, kind, event, one) for one in range(many))
    found = [
        _cell(cells, plays, event, (kind, all_kind))
        for plays in ends
        for event in range(len(EVENTS))
        for kind in firsts
        for all_kind in both_firsts
    ]
    never = next(cell for cell in found if cell is not None)
    cell_of = np.array([never if cell is None else cell for cell in found], np.int32)
    by_class = np.array(own)[list(kinds_by_class(fight.best, fight.ace))]
    all_classes = np.zeros(1, np.int64)
    if hand:
        all_classes = np.array(both)[list(kinds_by_class(5, fight.ace))]
    return DuelEnds(by_class, all_classes, (len(firsts), len(both_firsts)), cell_of)


def _alike(rows: Iterable[Hashable]) -> tuple[list[int], list[int]]:
    """For each row its group, and for each group the first row of it."""
    numbers: dict[Hashable, int] = {}
    group = [numbers.setdefault(row, len(numbers)) for row in rows]
    return group, [group.index(number) for number in range(len(numbers))]


def _fight(plan: Plan) -> DealerGame:
    found = as_dealer_game(plan.game)
    assert found is not None
    return found


def _after(plan: Plan, plays: tuple[Play, ...]) -> Seat:
    seat = plan.seat
    for play in plays:
        seat = seat.made(play)
    return seat


def _shown(plan: Plan, kind: int, event: int, all_kind: int) -> Showdown | None:
    """A showdown that comes out so; None where there is none."""
    fight, game = _fight(plan), plan.game
    classes, hand = example_classes(fight, kind, event), beside(plan)
    if classes is None:
        return None
    shown: list[int | None] = [None] * len(game.hands)
    for place, number in zip(fight.hands, (*classes, kind), strict=True):
        shown[place] = number
    if hand is not None:
        shown[game.hands.index(hand)] = all_kind
    return tuple(shown)


def _priced(plan: Plan, seats: list[Seat], kind: int, event: int, all_kind: int) -> Hashable:
    shown = _shown(plan, kind, event, all_kind)
    return shown and tuple(plan.game.price(shown, seat) for seat in seats)


def _cell(cells: Cells, plays: tuple[Play, ...], event: int, kinds: tuple[int, int]) -> int | None:
    shown = _shown(cells.plan, kinds[0], event, kinds[1])
    return None if shown is None else cells.number(plays, shown)
