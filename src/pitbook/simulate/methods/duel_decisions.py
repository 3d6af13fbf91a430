"""Decisions of a duel as tables: menus, and plays by hand or by board."""

from __future__ import annotations

from itertools import permutations
from math import comb, gcd
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import DECK
from pitbook.exact.methods.dealer.boards_advice import hole_number
from pitbook.exact.methods.dealer.boards_solve import BoardStreet, stored_flops, streets_of
from pitbook.exact.methods.dealer.boards_solve import Solution as BoardSolution
from pitbook.exact.methods.dealer.pairs_solve import (
    Shape,
    count_matches,
    number_hands,
    required_shape,
)
from pitbook.exact.methods.dealer.pairs_solve import Solution as HandSolution
from pitbook.exact.methods.dealer.stored_counts import load_or_count, require_numba
from pitbook.exact.methods.dealer.structure import (
    EVENTS,
    as_dealer_game,
    kind_starts,
    kinds_by_class,
)
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.rules.game import Game, Seat
from pitbook.rules.plays import Play
from pitbook.simulate.kernels.duel_layout import CHOOSE_WIDTH, MIXED

ON = -1  # Leads to the next decision.


class Menus(NamedTuple):
    """By decision the plays of each menu, in the order in which they are offered; and the ends."""

    stages: tuple[int, ...]  # By decision, the stage of the game.
    plays: tuple[tuple[tuple[Play, ...], ...], ...]  # By decision and menu.
    by_kind: tuple[int, ...]  # Of the first decision: the menu of each kind of the own hand.
    ons: tuple[Play | None, ...]  # By decision, the play by which the round goes on.
    ends: tuple[tuple[Play, ...], ...]  # Plays, from the first decision on.

    @property
    def width(self) -> int:
        """Numbers that a menu takes."""
        return 1 + max(len(menu) for street in self.plays for menu in street)

    def laid_out(self) -> tuple[NDArray[np.int32], list[int]]:
        """Every menu: how many plays, then where each leads; and where each decision's begin."""
        rows: list[list[int]] = []
        starts = []
        for street, some in enumerate(self.plays):
            starts.append(len(rows) * self.width)
            for menu in some:
                leads = [self._lead(street, play) for play in menu]
                rows.append([len(menu), *leads, *[0] * (self.width - 1 - len(leads))])
        return np.array(rows, np.int32).ravel(), starts

    def _lead(self, street: int, play: Play) -> int:
        if play == self.ons[street]:
            return ON
        return self.ends.index((*self._before(street), play))

    def _before(self, street: int) -> tuple[Play, ...]:
        return tuple(play for play in self.ons[:street] if play is not None)


def menus(plain: PlainSolver) -> Menus:
    """The menus of a game that is a fight, with one decision or on a board."""
    game, fight = plain.game, as_dealer_game(plain.game)
    assert fight is not None
    found = streets_of(game) or (BoardStreet(0, 0, None),)
    ons = tuple(street.on for street in found)
    kinds = len(kind_starts(fight.best, fight.ace)) - 1
    by_kind = [_offered(plain, 0, plain.seat, kind) for kind in range(kinds)]
    different = list(dict.fromkeys(by_kind))
    plays, seat, ends = [], plain.seat, []
    before: tuple[Play, ...] = ()
    for number, street in enumerate(found):
        some = tuple(different) if number == 0 else (_offered(plain, street.stage, seat, kinds),)
        plays.append(some)
        every = dict.fromkeys(play for menu in some for play in menu)
        ends += [(*before, play) for play in every if play != street.on]
        if street.on is not None:
            seat, before = seat.made(street.on), (*before, street.on)
    stages = tuple(street.stage for street in found)
    places = tuple(different.index(menu) for menu in by_kind)
    return Menus(stages, tuple(plays), places, ons, tuple(ends))


def _offered(plain: PlainSolver, stage: int, seat: Seat, kind: int) -> tuple[Play, ...]:
    """The plays of a stage with a kind of hand, in the game's own order."""
    game: Game = plain.game
    may = tuple(one for one in game.plays(stage) if one.needs is None or kind >= one.needs.least)
    if plain.ante is None:
        return may
    return tuple(one for one in may if game.too_much(seat, stage, one) is None)


Ints = NDArray[np.int64]
RANKS = 13


class ByHand(NamedTuple):
    """[class, rank of the card seen]: the play's place in its menu, or MIXED.

    Then it is in [row, rank of the card seen], and `rows` has the row of every such hand, by its
    number among all sets of as many cards; suits are renamed so that the card seen has the first.
    """

    policy: NDArray[np.uint8]
    detail: NDArray[np.uint8]
    rows: NDArray[np.int32]


def by_hand(solution: HandSolution, menus: Menus) -> ByHand:
    """A strategy laid out for the kernel."""
    form, counts = required_shape(solution.terms.game), solution.counts
    ups = RANKS if form.up else 1
    made = _hand_play_indexes(solution, menus)[counts.classes, solution.chosen]
    spots = counts.classes.astype(np.int64) * ups + (counts.seen if form.up else 0)
    classes = len(kinds_by_class(form.best, form.ace))
    policy = np.zeros(classes * ups, np.uint8)
    policy[spots] = made
    mixed = np.unique(spots[policy[spots] != made])
    policy[mixed] = MIXED
    if not len(mixed):
        return ByHand(policy, np.zeros(1, np.uint8), np.zeros(1, np.int32))
    return ByHand(policy, *_detailed(form, np.isin(spots, mixed), made))


def _hand_play_indexes(solution: HandSolution, menus: Menus) -> NDArray[np.uint8]:
    """By class and play of the solution, the place of the play in the menu of such a hand."""
    fight = solution.terms.fight
    kinds = np.array(kinds_by_class(fight.best, fight.ace))
    by_kind = np.zeros((kinds.max() + 1, len(solution.plays)), np.uint8)
    for kind, menu in enumerate(menus.by_kind):
        offered = menus.plays[0][menu]
        for place, play in enumerate(solution.plays):
            by_kind[kind, place] = offered.index(play) if play in offered else 0
    return np.asarray(by_kind[kinds], np.uint8)


def _detailed(
    form: Shape, wanted: NDArray[np.bool_], made: NDArray[np.uint8]
) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """[hands, rank of the card seen] and the row of every hand that is wanted."""
    require_numba()
    found = load_or_count(("plays", form), lambda: _numbered(form), 0.0)
    some = wanted[found["row"]]
    hands, ranks, row = (found[name][some] for name in ("hands", "ranks", "row"))
    ups = RANKS if form.up else 1
    rows = np.full(comb(52, form.own), -1, np.int32)
    images = [numbers_of(moved) for moved in _renamed(hands, fixed=form.up)]
    for numbers in images:
        rows[numbers] = 0
    there = np.flatnonzero(rows == 0)
    rows[there] = np.arange(len(there))
    detail = np.zeros((len(there), ups), np.uint8)
    for numbers in images:
        detail[rows[numbers], ranks] = made[row]
    return detail, rows


def _numbered(form: Shape) -> dict[str, NDArray[Any]]:
    """Every own hand up to suits, the rank of the card seen, and the number of its like."""
    met = count_matches(form)
    ranks = (met.up >> 2) if form.up else np.zeros(len(met.up), np.uint8)
    return {"hands": met.hands, "ranks": ranks, "row": number_hands(met)[1].astype(np.int32)}


def _renamed(hands: NDArray[np.uint8], *, fixed: int) -> list[NDArray[np.uint8]]:
    """The hands with their suits renamed in every way; the first suit stays where it is fixed."""
    found = []
    for order in permutations(range(4)):
        if not fixed or order[0] == 0:
            suits = np.array(order, np.uint8)
            found.append((hands & ~np.uint8(3)) | suits[hands & 3])
    return found


def choose() -> NDArray[np.int32]:
    """[card, size]: sets of that size of the cards before it."""
    rows = [[comb(card, size) for size in range(CHOOSE_WIDTH)] for card in range(52)]
    return np.array(rows, np.int32)


def numbers_of(hands: NDArray[np.uint8]) -> Ints:
    """The numbers of sets of cards."""
    rising, table = np.sort(hands, axis=1), choose().astype(np.int64)
    numbers = np.zeros(len(hands), np.int64)
    for place in range(hands.shape[1]):
        numbers += table[rising[:, place], place + 1]
    return numbers


class Flops(NamedTuple):
    """By flop: the number of its like, and the swap of suits that makes it that; and all swaps.

    `plays` has by that number and pair beside it the play's place in its menu.
    """

    alike: Ints
    swap: Ints
    swaps: NDArray[np.int64]  # [swaps, suits]
    plays: NDArray[np.uint8]


def holes(solution: BoardSolution, menu: tuple[Play, ...]) -> NDArray[np.uint8]:
    """By two cards, the play's place in the menu."""
    assert solution.before is not None
    places = _board_play_indexes(solution, 0, menu)
    found = np.zeros((52, 52), np.uint8)
    for one in DECK:
        for two in DECK:
            if one != two:
                found[one, two] = places[solution.before.best[hole_number(solution, (one, two))]]
    return found


def flops(solution: BoardSolution, street: int, menu: tuple[Play, ...]) -> Flops:
    """Every flop up to suits, and the play of every pair beside it."""
    assert solution.after is not None
    laid, chosen = stored_flops(), _board_play_indexes(solution, street, menu)[solution.after]
    codes = np.array([2704, 52, 1])
    one, two = np.tril_indices(49, -1)
    plays = chosen[laid.starts[:-1, None] + laid.orbit_of[:, one, two]]
    rising = np.array([(a, b, c) for a in range(52) for b in range(a) for c in range(b)])[:, ::-1]
    images = np.sort(laid.swaps[:, rising], axis=2) @ codes
    alike = np.searchsorted(laid.flops @ codes, images.min(axis=0))
    order = np.argsort(numbers_of(rising.astype(np.uint8)))
    return Flops(alike[order], images.argmin(axis=0)[order], laid.swaps[:, :4] & 3, plays)


class Gains(NamedTuple):
    """By class its kind of gains, by that and event what the other play gains; and both plays."""

    shapes: tuple[int, ...]
    gains: Ints
    first: Play
    other: Play
    prefers: bool


def gains_of(solution: BoardSolution) -> Gains:
    """The last decision, which is worked out at the table; rules decide it by class alone."""
    plan = solution.plan
    preferred, _ = last = plan.plays[-1]
    first, other = sorted(last, key=lambda play: play.folds)
    if solution.last is not None:
        either = np.array([[-1] * len(EVENTS), [1] * len(EVENTS)])
        return Gains(tuple(map(int, solution.last)), either, first, other, False)
    gains = plan.cells.gains(*plan.last_two)
    gains = gains // (gcd(*(int(one) for one in gains.ravel())) or 1)
    return Gains(plan.cells.shapes, gains, first, other, preferred == other)


def _board_play_indexes(
    solution: BoardSolution, street: int, menu: tuple[Play, ...]
) -> NDArray[np.uint8]:
    """By play of the solution, its place in the menu."""
    return np.array([menu.index(play) for play in solution.plan.plays[street]], np.uint8)
