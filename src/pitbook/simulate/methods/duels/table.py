"""A hand against a dealer's laid out for the kernel: strengths, decisions, cells."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.dealer import boards_solve as boards
from pitbook.exact.methods.dealer import pairs_solve as pairs
from pitbook.exact.methods.dealer.boards_solve import BOARD, FLOP, NOTHING
from pitbook.exact.methods.dealer.common import DealerStrategy
from pitbook.exact.methods.dealer.strength import KEYS, strength_of
from pitbook.exact.methods.dealer.structure import DealerGame, as_dealer_game, kinds_by_class
from pitbook.hands.kinds import Ace
from pitbook.simulate.counts.cells import Cells
from pitbook.simulate.kernels import duel_layout as layout
from pitbook.simulate.kernels.layout import BY_DUELS
from pitbook.simulate.methods.duels.by_board import flops, gains_of, holes
from pitbook.simulate.methods.duels.by_hand import by_hand, choose
from pitbook.simulate.methods.duels.ends import CARDS_MAX, DuelEnds, beside, ends_of
from pitbook.simulate.methods.duels.menus import Menus, menus
from pitbook.simulate.methods.plain.choosing import Choosing
from pitbook.simulate.plans.building import packed, table
from pitbook.simulate.plans.multisets import one_more, ranks_of
from pitbook.simulate.plans.plan import Plan
from pitbook.simulate.plans.tables import KernelTable

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
