"""Duels: hands against the dealer's hand, as tables for the kernels."""

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
from pitbook.rules.game import Hand, Seat, Showdown
from pitbook.rules.plays import Play
from pitbook.rules.pricing import Kinds
from pitbook.simulate.cells import Cells
from pitbook.simulate.kernels import duel_layout as layout
from pitbook.simulate.kernels.layout import BY_DUELS
from pitbook.simulate.methods.duel_decisions import (
    Menus,
    by_hand,
    choose,
    flops,
    gains_of,
    holes,
    menus,
)
from pitbook.simulate.methods.spot_strategy import Choosing
from pitbook.simulate.multisets import one_more, ranks_of
from pitbook.simulate.plan import Plan
from pitbook.simulate.tables import KernelTable, packed, table

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


Parts = dict[str, tuple[str, Any]]  # By name in the layout: the array it lies in, and what.
GAIN_MAX = 2**31  # What the kernels' numbers hold.


def fits(plan: Plan) -> bool:
    """Whether a plan is a fight of which a strategy is worked out over every deal."""
    fight, followed = as_dealer_game(plan.game), plan.strategy.followed
    if fight is None or not isinstance(followed, Choosing) or followed.room is not None:
        return False
    if max(fight.own, fight.other) + fight.common > CARDS_MAX:
        return False
    try:
        beside(plan)
    except ValueError:
        return False
    solution = getattr(followed.followed, "solution", None)
    if isinstance(solution, boards.Solution):
        return bool(np.abs(solution.plan.cells.gains(*solution.plan.last_two)).max() < GAIN_MAX)
    return isinstance(solution, pairs.Solution)


def duel_table(plan: Plan, cells: Cells) -> KernelTable:
    """The table of a plan; every end of a seat is numbered in `cells`."""
    fight, followed = as_dealer_game(plan.game), plan.strategy.followed
    assert fight is not None
    assert isinstance(followed, Choosing)
    assert isinstance(followed.followed, DealerStrategy)
    offered = menus(followed.plain)
    ends = ends_of(cells, offered.ends)
    wide, starts = offered.laid_out()
    kinds = np.array(kinds_by_class(fight.best, fight.ace))
    numbers = _measures(plan, fight, ends, offered)
    parts: Parts = {"GROUP_AT": ("small", ends.own), "BOTH_GROUP_AT": ("small", ends.both)}
    parts["MENU_OF_AT"] = "small", np.array(offered.by_kind)[kinds]
    parts["MENUS"] = "wide", wide
    parts |= _strengths(fight, both=ends.groups[1] > 1)
    solution = followed.followed.solution
    if isinstance(solution, boards.Solution):
        streets = _on_boards(solution, offered, numbers, parts)
    else:
        assert isinstance(solution, pairs.Solution)
        streets = _by_hand(solution, offered, numbers, parts)
    arrays = _laid_out(parts, numbers)
    rows = zip(streets, offered.stages, starts, strict=True)
    lines = [(mode, stage, at, fixed) for (mode, fixed), stage, at in rows]
    places = np.zeros(layout.STREETS_AT + 4 * len(lines), np.int64)
    for name, value in numbers.items():
        places[layout.NAMES[name]] = value
    more = [one_more(size) for size in range(_longest(fight, ends))]
    arrays["sums"], firsts = packed([arrays["sums"], *more], np.uint16)
    places[layout.MORE_AT : layout.MORE_AT + len(more)] = firsts[1:]
    places[layout.STREETS_AT :] = np.array(lines).ravel()
    given = {**arrays, "places": places, "cell_of": ends.cell_of}
    return table(cells, {"LADDER": BY_DUELS}, given)


def _measures(plan: Plan, fight: DealerGame, ends: DuelEnds, offered: Menus) -> dict[str, int]:
    return {
        "COMMON": fight.common,
        "LEAST": fight.least,
        "BEST": fight.best,
        "GROUPS": ends.groups[0],
        "BOTHS": ends.groups[1],
        "STREETS": len(offered.stages),
        "STAGES": len(plan.game.stages),
        "WIDTH": offered.width,
        "UPS": 1,
    }


def _longest(fight: DealerGame, ends: DuelEnds) -> int:
    """The most cards of a hand."""
    both = fight.own + fight.other if ends.groups[1] > 1 else max(fight.own, fight.other)
    return fight.common + both


def _strengths(fight: DealerGame, *, both: bool) -> Parts:
    """Classes by ranks and by suit, for each hand that is read."""
    own, other = fight.own + fight.common, fight.other + fight.common
    found: Parts = {
        "OWN_AT": ("sums", _by_ranks(fight.best, own, fight.ace)),
        "OTHER_AT": ("sums", _by_ranks(fight.best, other, fight.ace)),
        "SUIT_AT": ("sums", _by_suit(fight.best, own, fight.ace)),
    }
    if both:
        every = own + fight.other
        found["BOTH_AT"] = "sums", _by_ranks(5, every, fight.ace)
        found["BOTH_SUIT_AT"] = "sums", _by_suit(5, every, fight.ace)
    return found


def _by_ranks(best: int, cards: int, ace: Ace) -> NDArray[np.int16]:
    """By multiset of ranks the best class; any where no deck has such cards."""
    strength = strength_of(best, cards, ace).by_ranks
    sums = np.array(KEYS)[ranks_of(cards).astype(np.intp)].sum(axis=1)
    return np.asarray(strength[sums.clip(max=len(strength) - 1)].clip(min=0), np.int16)


def _by_suit(best: int, cards: int, ace: Ace) -> NDArray[np.int16]:
    return strength_of(best, cards, ace).by_suit.clip(min=0)


def _by_hand(
    solution: pairs.Solution, offered: Menus, numbers: dict[str, int], parts: Parts
) -> list[tuple[int, int]]:
    """The only decision: its mode."""
    found = by_hand(solution, offered)
    numbers["UPS"] = 13 if solution.terms.game.stages[0].opens[-1] else 1
    parts |= {
        "POLICY_AT": ("small", found.policy),
        "DETAIL_AT": ("small", found.detail),
        "ROWS_AT": ("wide", found.rows),
        "CHOOSE_AT": ("wide", choose()),
    }
    return [(layout.BY_HAND, 0)]


def _on_boards(
    solution: boards.Solution, offered: Menus, numbers: dict[str, int], parts: Parts
) -> list[tuple[int, int]]:
    """By decision its mode, and the play's place in the menu where there is only one."""
    found, plan = [], solution.plan
    for number, street in enumerate(plan.streets):
        menu = offered.plays[number][0]
        if len(plan.plays[number]) == 1:
            found.append((layout.FIXED, menu.index(plan.plays[number][0])))
        elif street.seen == NOTHING:
            parts["HOLE_AT"] = "small", holes(solution, menu)
            found.append((layout.BY_HOLE, 0))
        elif street.seen == FLOP:
            laid = flops(solution, number, menu)
            parts |= {"FLOP_AT": ("sums", laid.alike), "SWAP_AT": ("small", laid.swap)}
            parts |= {"SWAPS_AT": ("small", laid.swaps), "PAIRS_AT": ("small", laid.plays)}
            found.append((layout.BY_FLOP, 0))
        else:
            assert street.seen == BOARD
            last = gains_of(solution)
            parts |= {"SHAPE_AT": ("small", last.shapes), "GAIN_AT": ("wide", last.gains)}
            numbers["FIRST"], numbers["OTHER"] = menu.index(last.first), menu.index(last.other)
            numbers["PREFERS"] = int(last.prefers)
            found.append((layout.BY_BOARD, 0))
    return found


def _laid_out(parts: Parts, numbers: dict[str, int]) -> dict[str, NDArray[Any]]:
    """The arrays, and in `numbers` where each part begins; menus are the first of theirs."""
    kinds = {"sums": np.uint16, "small": np.uint8, "wide": np.int32}
    found = {}
    for array, kind in kinds.items():
        own = {name: part for name, (where, part) in parts.items() if where == array}
        found[array], starts = packed(list(own.values()), kind)
        for name, start in zip(own, starts, strict=True):
            if name in layout.NAMES:
                numbers[name] = start
            else:
                assert start == 0
    return found
