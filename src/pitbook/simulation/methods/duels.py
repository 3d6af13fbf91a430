"""Duels as kernel tables: player hands against the dealer's hand, and the decisions before."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import permutations
from math import comb, gcd
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import DECK
from pitbook.exact.methods.dealer import boards_solve as boards
from pitbook.exact.methods.dealer import pairs_solve as pairs
from pitbook.exact.methods.dealer.boards_solve import (
    BOARD,
    FLOP,
    NOTHING,
    BoardStreet,
    stored_flops,
    streets_of,
)
from pitbook.exact.methods.dealer.boards_solve import Solution as BoardSolution
from pitbook.exact.methods.dealer.boards_strategies import hole_number
from pitbook.exact.methods.dealer.common import DealerStrategy
from pitbook.exact.methods.dealer.pairs_solve import (
    Shape,
    count_matches,
    number_hands,
    required_shape,
)
from pitbook.exact.methods.dealer.pairs_solve import Solution as HandSolution
from pitbook.exact.methods.dealer.stored_counts import load_or_count, require_numba
from pitbook.exact.methods.dealer.strength import KEYS, strength_of
from pitbook.exact.methods.dealer.structure import (
    EVENTS,
    DealerGame,
    as_dealer_game,
    example_classes,
    kind_starts,
    kinds_by_class,
)
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.hands.kinds import Ace, hand_kinds
from pitbook.rules.actions import Play
from pitbook.rules.game import Game, Hand, Seat, Showdown
from pitbook.rules.settlement_lines import Kinds
from pitbook.simulation.kernel_tables import KernelTable, add_rank, concatenate, ranks_of, table
from pitbook.simulation.kernels import duel_positions as layout
from pitbook.simulation.kernels.duel_positions import CHOOSE_WIDTH, MIXED
from pitbook.simulation.kernels.table_positions import BY_DUELS
from pitbook.simulation.outcome_cells import Cells
from pitbook.simulation.plan import Plan
from pitbook.simulation.strategy import SpotStrategy

# Decisions: menus, and plays by hand or by board --------------------------------------------------


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

    For MIXED the play is in `detail` [row, rank of the card shown], and `rows` has the row of each
    such hand by its combination number; suits are renamed so that the card shown has the first
    suit.
    """

    policy: NDArray[np.uint8]
    detail: NDArray[np.uint8]
    rows: NDArray[np.int32]


def hand_decision_tables(solution: HandSolution, menus: Menus) -> ByHand:
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
        for index, play in enumerate(solution.plays):
            by_kind[kind, index] = offered.index(play) if play in offered else 0
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
    images = [set_numbers(moved) for moved in _suit_permutations(hands, fixed=form.up)]
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


def set_numbers(hands: NDArray[np.uint8]) -> Ints:
    """Each set of cards as its number among all sets of its size."""
    rising, table = np.sort(hands, axis=1), binomials().astype(np.int64)
    numbers = np.zeros(len(hands), np.int64)
    for index in range(hands.shape[1]):
        numbers += table[rising[:, index], index + 1]
    return numbers


class Flops(NamedTuple):
    """Equivalence number and suit permutation of each flop, and all permutations.

    `plays` has the index of the play in its menu, by that number and the pair of hole cards.
    """

    alike: Ints
    swap: Ints
    swaps: NDArray[np.int64]  # [swaps, suits]
    plays: NDArray[np.uint8]


def hole_card_plays(solution: BoardSolution, menu: tuple[Play, ...]) -> NDArray[np.uint8]:
    """The index in the menu of the play for each pair of hole cards."""
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


def flop_plays(solution: BoardSolution, street: int, menu: tuple[Play, ...]) -> Flops:
    """Every flop up to suits, with the play of each pair of hole cards."""
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
    order = np.argsort(set_numbers(rising.astype(np.uint8)))
    return Flops(alike[order], images.argmin(axis=0)[order], stored.swaps[:, :4] & 3, plays)


class Gains(NamedTuple):
    """Kind of gains by class, gain of the other play by kind and event, and the two plays."""

    shapes: tuple[int, ...]
    gains: Ints
    first: Play
    other: Play
    prefers: bool


def board_decision_gains(solution: BoardSolution) -> Gains:
    """Tables for the last decision, which the kernel computes from the cards at the table."""
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


# Tables of duels ----------------------------------------------------------------------------------


CARDS_MAX = 7  # Maximum cards from which a hand is made; more would need too large a table.


class DuelEnds(NamedTuple):
    """Groups by class of the player's hand and of all cards; [ends, events, groups, groups]:
    cell.
    """

    own: NDArray[np.int64]
    both: NDArray[np.int64]
    groups: tuple[int, int]
    cell_of: NDArray[np.int32]


def side_hand(plan: Plan) -> Hand | None:
    """The hand of all cards if a side wager looks at it; raises ValueError for any other hand."""
    fight, game = _dealer_game(plan), plan.game
    side_hands = {game.looks_at(wager) for wager, _ in plan.side} - {game.looks_at("main")}
    if not side_hands:
        return None
    (hand,) = side_hands
    all_places = set(range(len(game.places)))
    if set(hand.places) != all_places or hand.ranking != Kinds(5, fight.ace):
        raise ValueError(hand)
    if not 5 <= fight.player_cards + fight.common_cards + fight.dealer_cards <= CARDS_MAX:
        raise ValueError(hand)
    return hand


def number_endings(cells: Cells, ends: tuple[tuple[Play, ...], ...]) -> DuelEnds:
    """Number every ending of the plan in `cells`."""
    plan, fight = cells.plan, _dealer_game(cells.plan)
    hand = side_hand(plan)
    seats = [_seat_after(plan, plays) for plays in ends]
    hand_groups, firsts = _group_equal(
        tuple(_price_key(plan, seats, kind, event, 0) for event in range(len(EVENTS)))
        for kind in range(len(hand_kinds(fight.best_cards)))
    )
    kinds = len(hand_kinds(5)) if hand else 1
    outcomes = ((kind, event) for kind in firsts for event in range(len(EVENTS)))
    kind, event = next(
        outcome for outcome in outcomes if example_classes(fight, *outcome) is not None
    )
    all_groups, both_firsts = _group_equal(
        _price_key(plan, seats, kind, event, all_kind) for all_kind in range(kinds)
    )
    cell_numbers = [
        _cell_number(cells, plays, event, (kind, all_kind))
        for plays in ends
        for event in range(len(EVENTS))
        for kind in firsts
        for all_kind in both_firsts
    ]
    placeholder = next(cell for cell in cell_numbers if cell is not None)
    cell_of = np.array([placeholder if cell is None else cell for cell in cell_numbers], np.int32)
    by_class = np.array(hand_groups)[list(kinds_by_class(fight.best_cards, fight.ace))]
    all_classes = np.zeros(1, np.int64)
    if hand:
        all_classes = np.array(all_groups)[list(kinds_by_class(5, fight.ace))]
    return DuelEnds(by_class, all_classes, (len(firsts), len(both_firsts)), cell_of)


def _group_equal(rows: Iterable[Hashable]) -> tuple[list[int], list[int]]:
    """The group of each row, and the first row of each group."""
    numbers: dict[Hashable, int] = {}
    group = [numbers.setdefault(row, len(numbers)) for row in rows]
    return group, [group.index(number) for number in range(len(numbers))]


def _dealer_game(plan: Plan) -> DealerGame:
    fight = as_dealer_game(plan.game)
    assert fight is not None
    return fight


def _seat_after(plan: Plan, plays: tuple[Play, ...]) -> Seat:
    seat = plan.seat
    for play in plays:
        seat = seat.after_play(play)
    return seat


def _example_showdown(plan: Plan, kind: int, event: int, all_kind: int) -> Showdown | None:
    """An example showdown with this result, or None if there is none."""
    fight, game = _dealer_game(plan), plan.game
    classes, hand = example_classes(fight, kind, event), side_hand(plan)
    if classes is None:
        return None
    numbers: list[int | None] = [None] * len(game.hands)
    for place, number in zip(fight.hands, (*classes, kind), strict=True):
        numbers[place] = number
    if hand is not None:
        numbers[game.hands.index(hand)] = all_kind
    return tuple(numbers)


def _price_key(plan: Plan, seats: list[Seat], kind: int, event: int, all_kind: int) -> Hashable:
    showdown = _example_showdown(plan, kind, event, all_kind)
    return showdown and tuple(plan.game.price(showdown, seat) for seat in seats)


def _cell_number(
    cells: Cells, plays: tuple[Play, ...], event: int, kinds: tuple[int, int]
) -> int | None:
    showdown = _example_showdown(cells.plan, kinds[0], event, kinds[1])
    return None if showdown is None else cells.number(plays, showdown)


Parts = dict[str, tuple[str, Any]]  # By name in the layout: array and part.
GAIN_MAX = 2**31  # Limit of kernel integers.


def fits(plan: Plan) -> bool:
    """Whether a plan is a duel whose strategy is solved over every deal."""
    fight, choosing = as_dealer_game(plan.game), plan.strategy.base
    if (
        fight is None
        or not isinstance(choosing, SpotStrategy)
        or choosing.main_wagers_max is not None
    ):
        return False
    if max(fight.player_cards, fight.dealer_cards) + fight.common_cards > CARDS_MAX:
        return False
    try:
        side_hand(plan)
    except ValueError:
        return False
    solution = getattr(choosing.strategy, "solution", None)
    if isinstance(solution, boards.Solution):
        return bool(np.abs(solution.plan.cells.gains(*solution.plan.last_two)).max() < GAIN_MAX)
    return isinstance(solution, pairs.Solution)


def duel_table(plan: Plan, cells: Cells) -> KernelTable:
    """The table of a plan; every ending of a seat is numbered in `cells`."""
    fight, choosing = as_dealer_game(plan.game), plan.strategy.base
    assert fight is not None
    assert isinstance(choosing, SpotStrategy)
    assert isinstance(choosing.strategy, DealerStrategy)
    menus_offered = menus(choosing.plain)
    ends = number_endings(cells, menus_offered.ends)
    wide, starts = menus_offered.build_rows()
    kinds = np.array(kinds_by_class(fight.best_cards, fight.ace))
    numbers = _size_numbers(plan, fight, ends, menus_offered)
    parts: Parts = {"GROUP_AT": ("small", ends.own), "BOTH_GROUP_AT": ("small", ends.both)}
    parts["MENU_OF_AT"] = "small", np.array(menus_offered.by_kind)[kinds]
    parts["MENUS"] = "wide", wide
    parts |= _hand_class_tables(fight, both=ends.groups[1] > 1)
    solution = choosing.strategy.solution
    if isinstance(solution, boards.Solution):
        streets = _add_board_decisions(solution, menus_offered, numbers, parts)
    else:
        assert isinstance(solution, pairs.Solution)
        streets = _add_hand_decision(solution, menus_offered, numbers, parts)
    arrays = _pack_parts(parts, numbers)
    rows = zip(streets, menus_offered.stages, starts, strict=True)
    lines = [(mode, stage, at, fixed) for (mode, fixed), stage, at in rows]
    places = np.zeros(layout.STREETS_AT + 4 * len(lines), np.int64)
    for name, value in numbers.items():
        places[layout.NAMES[name]] = value
    additions = [add_rank(size) for size in range(_longest_hand(fight, ends))]
    arrays["sums"], firsts = concatenate([arrays["sums"], *additions], np.uint16)
    places[layout.MORE_AT : layout.MORE_AT + len(additions)] = firsts[1:]
    places[layout.STREETS_AT :] = np.array(lines).ravel()
    all_arrays = {**arrays, "places": places, "cell_of": ends.cell_of}
    return table(cells, {"LADDER": BY_DUELS}, all_arrays)


def _size_numbers(
    plan: Plan, fight: DealerGame, ends: DuelEnds, menus_offered: Menus
) -> dict[str, int]:
    return {
        "COMMON": fight.common_cards,
        "LEAST": fight.qualifying_class,
        "BEST": fight.best_cards,
        "GROUPS": ends.groups[0],
        "BOTHS": ends.groups[1],
        "STREETS": len(menus_offered.stages),
        "STAGES": len(plan.game.stages),
        "WIDTH": menus_offered.width,
        "UPS": 1,
    }


def _longest_hand(fight: DealerGame, ends: DuelEnds) -> int:
    """Maximum number of cards in a hand."""
    both = (
        fight.player_cards + fight.dealer_cards
        if ends.groups[1] > 1
        else max(fight.player_cards, fight.dealer_cards)
    )
    return fight.common_cards + both


def _hand_class_tables(fight: DealerGame, *, both: bool) -> Parts:
    """Classes by ranks and by suit for each hand that is read."""
    own_cards, other_cards = (
        fight.player_cards + fight.common_cards,
        fight.dealer_cards + fight.common_cards,
    )
    parts: Parts = {
        "OWN_AT": ("sums", _best_class_by_ranks(fight.best_cards, own_cards, fight.ace)),
        "OTHER_AT": ("sums", _best_class_by_ranks(fight.best_cards, other_cards, fight.ace)),
        "SUIT_AT": ("sums", _best_class_by_suit(fight.best_cards, own_cards, fight.ace)),
    }
    if both:
        all_cards = own_cards + fight.dealer_cards
        parts["BOTH_AT"] = "sums", _best_class_by_ranks(5, all_cards, fight.ace)
        parts["BOTH_SUIT_AT"] = "sums", _best_class_by_suit(5, all_cards, fight.ace)
    return parts


def _best_class_by_ranks(best: int, cards: int, ace: Ace) -> NDArray[np.int16]:
    """The best class by multiset of ranks; arbitrary where no deck has such cards."""
    strength = strength_of(best, cards, ace).by_ranks
    sums = np.array(KEYS)[ranks_of(cards).astype(np.intp)].sum(axis=1)
    return np.asarray(strength[sums.clip(max=len(strength) - 1)].clip(min=0), np.int16)


def _best_class_by_suit(best: int, cards: int, ace: Ace) -> NDArray[np.int16]:
    return strength_of(best, cards, ace).by_suit.clip(min=0)


def _add_hand_decision(
    solution: pairs.Solution, menus_offered: Menus, numbers: dict[str, int], parts: Parts
) -> list[tuple[int, int]]:
    """Add the tables of the only decision and return its mode."""
    tables = hand_decision_tables(solution, menus_offered)
    numbers["UPS"] = 13 if solution.terms.game.stages[0].opens[-1] else 1
    parts |= {
        "POLICY_AT": ("small", tables.policy),
        "DETAIL_AT": ("small", tables.detail),
        "ROWS_AT": ("wide", tables.rows),
        "CHOOSE_AT": ("wide", binomials()),
    }
    return [(layout.BY_HAND, 0)]


def _add_board_decisions(
    solution: boards.Solution, menus_offered: Menus, numbers: dict[str, int], parts: Parts
) -> list[tuple[int, int]]:
    """Mode of each decision, and the index of the play if there is only one."""
    modes, plan = [], solution.plan
    for number, street in enumerate(plan.streets):
        menu = menus_offered.plays[number][0]
        if len(plan.plays[number]) == 1:
            modes.append((layout.FIXED, menu.index(plan.plays[number][0])))
        elif street.board_cards == NOTHING:
            parts["HOLE_AT"] = "small", hole_card_plays(solution, menu)
            modes.append((layout.BY_HOLE, 0))
        elif street.board_cards == FLOP:
            flop_tables = flop_plays(solution, number, menu)
            parts |= {
                "FLOP_AT": ("sums", flop_tables.alike),
                "SWAP_AT": ("small", flop_tables.swap),
            }
            parts |= {
                "SWAPS_AT": ("small", flop_tables.swaps),
                "PAIRS_AT": ("small", flop_tables.plays),
            }
            modes.append((layout.BY_FLOP, 0))
        else:
            assert street.board_cards == BOARD
            gains = board_decision_gains(solution)
            parts |= {"SHAPE_AT": ("small", gains.shapes), "GAIN_AT": ("wide", gains.gains)}
            numbers["FIRST"], numbers["OTHER"] = menu.index(gains.first), menu.index(gains.other)
            numbers["PREFERS"] = int(gains.prefers)
            modes.append((layout.BY_BOARD, 0))
    return modes


def _pack_parts(parts: Parts, numbers: dict[str, int]) -> dict[str, NDArray[Any]]:
    """Pack the arrays and set in `numbers` where each part begins; menus come first."""
    kinds = {"sums": np.uint16, "small": np.uint8, "wide": np.int32}
    arrays = {}
    for array, kind in kinds.items():
        array_parts = {
            name: part for name, (array_name, part) in parts.items() if array_name == array
        }
        arrays[array], starts = concatenate(list(array_parts.values()), kind)
        for name, start in zip(array_parts, starts, strict=True):
            if name in layout.NAMES:
                numbers[name] = start
            else:
                assert start == 0
    return arrays
