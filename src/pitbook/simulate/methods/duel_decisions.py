"""The decisions of a duel as tables: menus, and plays by hand or by board."""

from __future__ import annotations

from itertools import permutations
from math import comb, gcd
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import DECK
from pitbook.exact.methods.dealer.boards_solve import BoardStreet, stored_flops, streets_of
from pitbook.exact.methods.dealer.boards_solve import Solution as BoardSolution
from pitbook.exact.methods.dealer.boards_strategies import hole_number
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
from pitbook.rules.actions import Play
from pitbook.rules.game import Game, Seat
from pitbook.simulate.kernels.duel_layout import CHOOSE_WIDTH, MIXED

CONTINUE = -1  # Target of a play that leads to the next decision.


class Menus(NamedTuple):
    """The menus of each decision, in the order offered, and the endings."""

    stages: tuple[int, ...]  # By decision, the stage of the game.
    plays: tuple[tuple[tuple[Play, ...], ...], ...]  # By decision and menu.
    by_kind: tuple[int, ...]  # The menu of the first decision, by kind of the player's hand.
    continuing: tuple[Play | None, ...]  # By decision, the play with which the round continues.
    ends: tuple[tuple[Play, ...], ...]  # All plays of a round, first decision first.

    @property
    def width(self) -> int:
        """Length of a menu row."""
        return 1 + max(len(menu) for street in self.plays for menu in street)

    def build_rows(self) -> tuple[NDArray[np.int32], list[int]]:
        """Every menu as a row (number of plays, target of each), and the start of each decision's
        rows.
        """
        rows: list[list[int]] = []
        starts = []
        for street, menus in enumerate(self.plays):
            starts.append(len(rows) * self.width)
            for menu in menus:
                targets = [self._target(street, play) for play in menu]
                rows.append([len(menu), *targets, *[0] * (self.width - 1 - len(targets))])
        return np.array(rows, np.int32).ravel(), starts

    def _target(self, street: int, play: Play) -> int:
        if play == self.continuing[street]:
            return CONTINUE
        return self.ends.index((*self._before(street), play))

    def _before(self, street: int) -> tuple[Play, ...]:
        return tuple(play for play in self.continuing[:street] if play is not None)


def menus(plain: PlainSolver) -> Menus:
    """The menus of a duel with one decision or a board."""
    game, fight = plain.game, as_dealer_game(plain.game)
    assert fight is not None
    streets = streets_of(game) or (BoardStreet(0, 0, None),)
    continuing = tuple(street.go_on for street in streets)
    kinds = len(kind_starts(fight.best_cards, fight.ace)) - 1
    by_kind = [_plays_offered(plain, 0, plain.seat, kind) for kind in range(kinds)]
    different = list(dict.fromkeys(by_kind))
    plays, seat, ends = [], plain.seat, []
    before: tuple[Play, ...] = ()
    for number, street in enumerate(streets):
        street_menus = (
            tuple(different) if number == 0 else (_plays_offered(plain, street.stage, seat, kinds),)
        )
        plays.append(street_menus)
        street_plays = dict.fromkeys(play for menu in street_menus for play in menu)
        ends += [(*before, play) for play in street_plays if play != street.go_on]
        if street.go_on is not None:
            seat, before = seat.after_play(street.go_on), (*before, street.go_on)
    stages = tuple(street.stage for street in streets)
    places = tuple(different.index(menu) for menu in by_kind)
    return Menus(stages, tuple(plays), places, continuing, tuple(ends))


def _plays_offered(plain: PlainSolver, stage: int, seat: Seat, kind: int) -> tuple[Play, ...]:
    """The plays of a stage with this kind of hand, in the game's order."""
    game: Game = plain.game
    allowed = tuple(
        play for play in game.plays(stage) if play.needs is None or kind >= play.needs.least
    )
    if plain.ante is None:
        return allowed
    return tuple(play for play in allowed if game.exceeded_clause(seat, stage, play) is None)


Ints = NDArray[np.int64]
RANKS = 13


class ByHand(NamedTuple):
    """[class, rank of the card shown]: index of the play in its menu, or MIXED.

    For MIXED the play is in `detail` [row, rank of the card shown], and `rows` has the row of
    each such
    hand by its combination number; suits are renamed so that the card shown has the first suit.
    """

    policy: NDArray[np.uint8]
    detail: NDArray[np.uint8]
    rows: NDArray[np.int32]


def by_hand(solution: HandSolution, menus: Menus) -> ByHand:
    """Convert a strategy to the kernel's tables."""
    form, counts = required_shape(solution.terms.game), solution.counts
    ups = RANKS if form.up else 1
    plays = _hand_play_indexes(solution, menus)[counts.classes, solution.choices]
    spots = counts.classes.astype(np.int64) * ups + (counts.upcard_ranks if form.up else 0)
    classes = len(kinds_by_class(form.best_cards, form.ace))
    policy = np.zeros(classes * ups, np.uint8)
    policy[spots] = plays
    mixed = np.unique(spots[policy[spots] != plays])
    policy[mixed] = MIXED
    if not len(mixed):
        return ByHand(policy, np.zeros(1, np.uint8), np.zeros(1, np.int32))
    return ByHand(policy, *_mixed_details(form, np.isin(spots, mixed), plays))


def _hand_play_indexes(solution: HandSolution, menus: Menus) -> NDArray[np.uint8]:
    """By class and play of the solution, the index of the play in the menu of such a hand."""
    fight = solution.terms.dealer_game
    kinds = np.array(kinds_by_class(fight.best_cards, fight.ace))
    by_kind = np.zeros((kinds.max() + 1, len(solution.plays)), np.uint8)
    for kind, menu in enumerate(menus.by_kind):
        offered = menus.plays[0][menu]
        for place, play in enumerate(solution.plays):
            by_kind[kind, place] = offered.index(play) if play in offered else 0
    return np.asarray(by_kind[kinds], np.uint8)


def _mixed_details(
    form: Shape, is_mixed: NDArray[np.bool_], plays: NDArray[np.uint8]
) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """[hands, rank of the card shown] and the row of every mixed hand."""
    require_numba()
    stored = load_or_count(("plays", form), lambda: _number_hands(form), 0.0)
    selected = is_mixed[stored["row"]]
    hands, ranks, row = (stored[name][selected] for name in ("hands", "ranks", "row"))
    ups = RANKS if form.up else 1
    rows = np.full(comb(52, form.player_cards), -1, np.int32)
    images = [numbers_of(moved) for moved in _suit_permutations(hands, fixed=form.up)]
    for numbers in images:
        rows[numbers] = 0
    used = np.flatnonzero(rows == 0)
    rows[used] = np.arange(len(used))
    detail = np.zeros((len(used), ups), np.uint8)
    for numbers in images:
        detail[rows[numbers], ranks] = plays[row]
    return detail, rows


def _number_hands(form: Shape) -> dict[str, NDArray[Any]]:
    """Every player hand up to suits, the rank of the card shown, and its equivalence number."""
    matches = count_matches(form)
    ranks = (matches.up >> 2) if form.up else np.zeros(len(matches.up), np.uint8)
    return {
        "hands": matches.hands,
        "ranks": ranks,
        "row": number_hands(matches)[1].astype(np.int32),
    }


def _suit_permutations(hands: NDArray[np.uint8], *, fixed: int) -> list[NDArray[np.uint8]]:
    """The hands under every permutation of suits; with `fixed` the first suit does not change."""
    images = []
    for order in permutations(range(4)):
        if not fixed or order[0] == 0:
            suits = np.array(order, np.uint8)
            images.append((hands & ~np.uint8(3)) | suits[hands & 3])
    return images


def binomials() -> NDArray[np.int32]:
    """[card, size]: number of sets of that size among the lower cards."""
    rows = [[comb(card, size) for size in range(CHOOSE_WIDTH)] for card in range(52)]
    return np.array(rows, np.int32)


def numbers_of(hands: NDArray[np.uint8]) -> Ints:
    """Combination numbers of sets of cards."""
    rising, table = np.sort(hands, axis=1), binomials().astype(np.int64)
    numbers = np.zeros(len(hands), np.int64)
    for place in range(hands.shape[1]):
        numbers += table[rising[:, place], place + 1]
    return numbers


class Flops(NamedTuple):
    """Equivalence number and suit permutation of each flop, and all permutations.

    `plays` has the index of the play in its menu, by that number and the pair of hole cards.
    """

    alike: Ints
    swap: Ints
    swaps: NDArray[np.int64]  # [swaps, suits]
    plays: NDArray[np.uint8]


def holes(solution: BoardSolution, menu: tuple[Play, ...]) -> NDArray[np.uint8]:
    """By two hole cards, the index of the play in the menu."""
    assert solution.before_flop is not None
    places = _board_play_indexes(solution, 0, menu)
    plays = np.zeros((52, 52), np.uint8)
    for first in DECK:
        for second in DECK:
            if first != second:
                plays[first, second] = places[
                    solution.before_flop.best[hole_number(solution, (first, second))]
                ]
    return plays


def flops(solution: BoardSolution, street: int, menu: tuple[Play, ...]) -> Flops:
    """Every flop up to suits, and the play of every pair beside it."""
    assert solution.after_flop is not None
    stored, chosen = (
        stored_flops(),
        _board_play_indexes(solution, street, menu)[solution.after_flop],
    )
    codes = np.array([2704, 52, 1])
    low, high = np.tril_indices(49, -1)
    plays = chosen[stored.starts[:-1, None] + stored.orbit_of[:, low, high]]
    rising = np.array([(a, b, c) for a in range(52) for b in range(a) for c in range(b)])[:, ::-1]
    images = np.sort(stored.swaps[:, rising], axis=2) @ codes
    alike = np.searchsorted(stored.flops @ codes, images.min(axis=0))
    order = np.argsort(numbers_of(rising.astype(np.uint8)))
    return Flops(alike[order], images.argmin(axis=0)[order], stored.swaps[:, :4] & 3, plays)


class Gains(NamedTuple):
    """Kind of gains by class, gain of the other play by kind and event, and the two plays."""

    shapes: tuple[int, ...]
    gains: Ints
    first: Play
    other: Play
    prefers: bool


def gains_of(solution: BoardSolution) -> Gains:
    """The last decision, which the kernel computes at the table; some rules decide it by class
    alone.
    """
    plan = solution.plan
    preferred, _ = last = plan.plays[-1]
    first, other = sorted(last, key=lambda play: play.folds)
    if solution.last is not None:
        either = np.array([[-1] * len(EVENTS), [1] * len(EVENTS)])
        return Gains(tuple(map(int, solution.last)), either, first, other, False)
    gains = plan.cells.gains(*plan.last_two)
    gains = gains // (gcd(*(int(gain) for gain in gains.ravel())) or 1)
    return Gains(plan.cells.shapes, gains, first, other, preferred == other)


def _board_play_indexes(
    solution: BoardSolution, street: int, menu: tuple[Play, ...]
) -> NDArray[np.uint8]:
    """By play of the solution, its index in the menu."""
    return np.array([menu.index(play) for play in solution.plan.plays[street]], np.uint8)
