"""Duels: player hands against the dealer's hand, as kernel tables."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.dealer import boards_solve as boards
from pitbook.exact.methods.dealer import pairs_solve as pairs
from pitbook.exact.methods.dealer.boards_solve import BOARD, FLOP, NOTHING
from pitbook.exact.methods.dealer.common import DealerStrategy
from pitbook.exact.methods.dealer.strength import KEYS, strength_of
from pitbook.exact.methods.dealer.structure import (
    EVENTS,
    DealerGame,
    as_dealer_game,
    example_classes,
    kinds_by_class,
)
from pitbook.hands.kinds import Ace, catalogue
from pitbook.rules.actions import Play
from pitbook.rules.game import Hand, Seat, Showdown
from pitbook.rules.settlement import Kinds
from pitbook.simulate.cells import Cells
from pitbook.simulate.kernels import duel_layout as layout
from pitbook.simulate.kernels.layout import BY_DUELS
from pitbook.simulate.methods.duel_decisions import (
    Menus,
    binomials,
    by_hand,
    flops,
    gains_of,
    holes,
    menus,
)
from pitbook.simulate.methods.spot_strategy import SpotStrategy
from pitbook.simulate.multisets import add_rank, ranks_of
from pitbook.simulate.plan import Plan
from pitbook.simulate.tables import KernelTable, concatenate, table

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
    fight, game = _fight(plan), plan.game
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


def ends_of(cells: Cells, ends: tuple[tuple[Play, ...], ...]) -> DuelEnds:
    """Every ending, numbered in `cells`."""
    plan, fight = cells.plan, _fight(cells.plan)
    hand = side_hand(plan)
    seats = [_seat_after(plan, plays) for plays in ends]
    hand_groups, firsts = _group_equal(
        tuple(_prices(plan, seats, kind, event, 0) for event in range(len(EVENTS)))
        for kind in range(len(catalogue(fight.best_cards)))
    )
    many = len(catalogue(5)) if hand else 1
    outcomes = ((kind, event) for kind in firsts for event in range(len(EVENTS)))
    kind, event = next(
        outcome for outcome in outcomes if example_classes(fight, *outcome) is not None
    )
    all_groups, both_firsts = _group_equal(
        _prices(plan, seats, kind, event, all_kind) for all_kind in range(many)
    )
    cell_numbers = [
        _cell(cells, plays, event, (kind, all_kind))
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


def _fight(plan: Plan) -> DealerGame:
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
    fight, game = _fight(plan), plan.game
    classes, hand = example_classes(fight, kind, event), side_hand(plan)
    if classes is None:
        return None
    numbers: list[int | None] = [None] * len(game.hands)
    for place, number in zip(fight.hands, (*classes, kind), strict=True):
        numbers[place] = number
    if hand is not None:
        numbers[game.hands.index(hand)] = all_kind
    return tuple(numbers)


def _prices(plan: Plan, seats: list[Seat], kind: int, event: int, all_kind: int) -> Hashable:
    showdown = _example_showdown(plan, kind, event, all_kind)
    return showdown and tuple(plan.game.price(showdown, seat) for seat in seats)


def _cell(cells: Cells, plays: tuple[Play, ...], event: int, kinds: tuple[int, int]) -> int | None:
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
    ends = ends_of(cells, menus_offered.ends)
    wide, starts = menus_offered.build_rows()
    kinds = np.array(kinds_by_class(fight.best_cards, fight.ace))
    numbers = _measures(plan, fight, ends, menus_offered)
    parts: Parts = {"GROUP_AT": ("small", ends.own), "BOTH_GROUP_AT": ("small", ends.both)}
    parts["MENU_OF_AT"] = "small", np.array(menus_offered.by_kind)[kinds]
    parts["MENUS"] = "wide", wide
    parts |= _strengths(fight, both=ends.groups[1] > 1)
    solution = choosing.strategy.solution
    if isinstance(solution, boards.Solution):
        streets = _on_boards(solution, menus_offered, numbers, parts)
    else:
        assert isinstance(solution, pairs.Solution)
        streets = _by_hand(solution, menus_offered, numbers, parts)
    arrays = _pack_parts(parts, numbers)
    rows = zip(streets, menus_offered.stages, starts, strict=True)
    lines = [(mode, stage, at, fixed) for (mode, fixed), stage, at in rows]
    places = np.zeros(layout.STREETS_AT + 4 * len(lines), np.int64)
    for name, value in numbers.items():
        places[layout.NAMES[name]] = value
    additions = [add_rank(size) for size in range(_longest(fight, ends))]
    arrays["sums"], firsts = concatenate([arrays["sums"], *additions], np.uint16)
    places[layout.MORE_AT : layout.MORE_AT + len(additions)] = firsts[1:]
    places[layout.STREETS_AT :] = np.array(lines).ravel()
    all_arrays = {**arrays, "places": places, "cell_of": ends.cell_of}
    return table(cells, {"LADDER": BY_DUELS}, all_arrays)


def _measures(
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


def _longest(fight: DealerGame, ends: DuelEnds) -> int:
    """Maximum number of cards in a hand."""
    both = (
        fight.player_cards + fight.dealer_cards
        if ends.groups[1] > 1
        else max(fight.player_cards, fight.dealer_cards)
    )
    return fight.common_cards + both


def _strengths(fight: DealerGame, *, both: bool) -> Parts:
    """Classes by ranks and by suit for each hand that is read."""
    own_cards, other_cards = (
        fight.player_cards + fight.common_cards,
        fight.dealer_cards + fight.common_cards,
    )
    parts: Parts = {
        "OWN_AT": ("sums", _by_ranks(fight.best_cards, own_cards, fight.ace)),
        "OTHER_AT": ("sums", _by_ranks(fight.best_cards, other_cards, fight.ace)),
        "SUIT_AT": ("sums", _by_suit(fight.best_cards, own_cards, fight.ace)),
    }
    if both:
        all_cards = own_cards + fight.dealer_cards
        parts["BOTH_AT"] = "sums", _by_ranks(5, all_cards, fight.ace)
        parts["BOTH_SUIT_AT"] = "sums", _by_suit(5, all_cards, fight.ace)
    return parts


def _by_ranks(best: int, cards: int, ace: Ace) -> NDArray[np.int16]:
    """The best class by multiset of ranks; arbitrary where no deck has such cards."""
    strength = strength_of(best, cards, ace).by_ranks
    sums = np.array(KEYS)[ranks_of(cards).astype(np.intp)].sum(axis=1)
    return np.asarray(strength[sums.clip(max=len(strength) - 1)].clip(min=0), np.int16)


def _by_suit(best: int, cards: int, ace: Ace) -> NDArray[np.int16]:
    return strength_of(best, cards, ace).by_suit.clip(min=0)


def _by_hand(
    solution: pairs.Solution, menus_offered: Menus, numbers: dict[str, int], parts: Parts
) -> list[tuple[int, int]]:
    """Add the tables of the only decision and return its mode."""
    tables = by_hand(solution, menus_offered)
    numbers["UPS"] = 13 if solution.terms.game.stages[0].opens[-1] else 1
    parts |= {
        "POLICY_AT": ("small", tables.policy),
        "DETAIL_AT": ("small", tables.detail),
        "ROWS_AT": ("wide", tables.rows),
        "CHOOSE_AT": ("wide", binomials()),
    }
    return [(layout.BY_HAND, 0)]


def _on_boards(
    solution: boards.Solution, menus_offered: Menus, numbers: dict[str, int], parts: Parts
) -> list[tuple[int, int]]:
    """Mode of each decision, and the index of the play if there is only one."""
    modes, plan = [], solution.plan
    for number, street in enumerate(plan.streets):
        menu = menus_offered.plays[number][0]
        if len(plan.plays[number]) == 1:
            modes.append((layout.FIXED, menu.index(plan.plays[number][0])))
        elif street.board_cards == NOTHING:
            parts["HOLE_AT"] = "small", holes(solution, menu)
            modes.append((layout.BY_HOLE, 0))
        elif street.board_cards == FLOP:
            flop_tables = flops(solution, number, menu)
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
            gains = gains_of(solution)
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
        array_parts = {name: part for name, (where, part) in parts.items() if where == array}
        arrays[array], starts = concatenate(list(array_parts.values()), kind)
        for name, start in zip(array_parts, starts, strict=True):
            if name in layout.NAMES:
                numbers[name] = start
            else:
                assert start == 0
    return arrays
