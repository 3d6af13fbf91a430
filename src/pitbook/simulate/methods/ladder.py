"""A table of several seats of a ladder game, for the kernels."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.ladder.structure import CARDS, ladder_of
from pitbook.hands.kinds import Ace
from pitbook.hands.ranking import classes
from pitbook.simulate.cells import Cells
from pitbook.simulate.kernels.layout import STREETS_AT
from pitbook.simulate.methods.one_seat import Branches, StageDecision, branches
from pitbook.simulate.multisets import add_rank, class_places, joined_numbers, multiset_count
from pitbook.simulate.plan import Plan
from pitbook.simulate.tables import KernelTable, KindGroups, concatenate, payout_groups, table


def fits(plan: Plan) -> bool:
    """Whether a plan is of a ladder game, played by the class of the cards seen."""
    return ladder_of(plan.game) is not None and plan.strategy.knows_classes


def ladder_table(plan: Plan, cells: Cells) -> KernelTable:
    """The table of a plan; every ending of a seat is numbered in `cells`."""
    ladder = ladder_of(plan.game)
    assert ladder is not None
    hole, board, ace, turned, names = ladder
    tree = branches(plan)
    hands, holes, boards = (payout_groups(plan, name) for name in names)
    cell_of = _cells(cells, tree, dict(zip(names, (hands, holes, boards), strict=True)))
    # A seat that is out has only one play, whatever it holds: all zeros.
    out = np.zeros(2 * multiset_count(hole + turned[-1]), np.int64)
    policies = [
        _by_ranks(decision.best, hole + turned[decision.stage], ace) for decision in tree.decisions
    ]
    groups = [_five(hole, board, hands, ace), _few(hole, holes, ace), _few(board, boards, ace)]
    small, starts = concatenate([out, *policies, *groups], np.uint8)
    wide = _nodes(tree, len(turned), starts[1:])
    sums, places = _sums(hole, board, turned)
    numbers = {
        "LADDER": 1,
        "STREETS": len(turned),
        "HANDS": len(hands.representatives),
        "HOLES": len(holes.representatives),
        "BOARDS": len(boards.representatives),
        "HOLE_SETS": multiset_count(hole),
        "BOARD_SETS": multiset_count(board),
        "HAND_AT": starts[-3],
        "HOLE_AT": starts[-2],
        "BOARD_AT": starts[-1],
    }
    parts = {"sums": sums, "places": places, "small": small, "wide": wide, "cell_of": cell_of}
    return table(cells, numbers, parts)


def _cells(cells: Cells, tree: Branches, groups: dict[str, KindGroups]) -> NDArray[np.int32]:
    """[ends, groups of hands, of hole cards, of boards]: the cell."""
    game = cells.plan.game
    cell_numbers = [
        cells.number(plays, game.showdown(**dict(zip(groups, kinds, strict=True))))
        for plays in tree.endings
        for kinds in product(*(group.representatives for group in groups.values()))
    ]
    return np.array(cell_numbers, np.int32)


def _by_ranks(best: Any, cards: int, ace: Ace) -> NDArray[Any]:
    """[multisets, suited]: the play to make; arbitrary for impossible cards."""
    by_ranks: NDArray[Any] = best[class_places(cards, ace).clip(min=0)]
    return by_ranks


def _five(hole: int, board: int, hands: KindGroups, ace: Ace) -> NDArray[Any]:
    """[suited, hole cards, board]: the group of the five cards."""
    kinds = np.array([hands.group_of[hand_class.kind] for hand_class in classes(CARDS, ace)])
    by_ranks = kinds[class_places(CARDS, ace).clip(min=0)]
    five: NDArray[Any] = by_ranks[joined_numbers(hole, board)].transpose(2, 0, 1)
    return five


def _few(size: int, alike: KindGroups, ace: Ace) -> NDArray[Any]:
    """[multisets, suited]: the group of hole or community cards."""
    if len(alike.representatives) == 1:
        return np.zeros((multiset_count(size), 2), np.int64)
    kinds = np.array([alike.group_of[hand_class.kind] for hand_class in classes(size, ace)])
    by_ranks: NDArray[Any] = kinds[class_places(size, ace).clip(min=0)]
    return by_ranks


def _sums(hole: int, board: int, turned: tuple[int, ...]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Tables that add one card, and that join hole cards with the board of each street.

    `places` has their starts by number of cards; then for each street the board cards, start and
    width.
    """
    longer = max(hole, board)
    board_sizes = sorted(set(turned))
    parts = [add_rank(size) for size in range(longer)] + [
        joined_numbers(hole, board_size) for board_size in board_sizes
    ]
    sums, starts = concatenate(parts, np.uint16)
    places = np.zeros(STREETS_AT + 3 * len(turned), np.int64)
    places[:longer] = starts[:longer]
    for street, board_cards in enumerate(turned):
        row = (
            board_cards,
            starts[longer + board_sizes.index(board_cards)],
            multiset_count(board_cards),
        )
        places[STREETS_AT + 3 * street : STREETS_AT + 3 * street + 3] = row
    return sums, places


def _nodes(tree: Branches, streets: int, starts: list[int]) -> NDArray[np.int32]:
    """Rows of equal length, street by street: start of a node's plays, their number, targets.

    A seat that is out has a row on every later street that leads to the next. After the last
    street, a row
    holds the number of its ending.
    """
    length = 2 + max(len(decision.plays) for decision in tree.decisions)
    level: list[int] = [0]
    rows: list[list[int]] = []
    for street in range(streets):
        after = [position for position in level if position < 0]
        live = [tree.decisions[position] for position in level if position >= 0]
        after = list(
            dict.fromkeys([*after, *(lead for decision in live for lead in _targets(decision))])
        )
        first = len(rows) + len(level)
        for position in level:
            row = (
                [0, 1, first + after.index(position)]
                if position < 0
                else _row(tree, position, starts)
            )
            if position >= 0:
                leads = tree.decisions[position].targets
                row += [first + after.index(lead) if lead else 0 for lead in leads]
            rows.append(row)
        level = after
        assert street + 1 < streets or all(position < 0 for position in level)
    ends = [[-1 - position] for position in level]
    wide = np.zeros((len(rows) + len(ends), length), np.int32)
    for number, row in enumerate([*rows, *ends]):
        wide[number, : len(row)] = row
    wide[: len(rows), 2:] *= length  # A node is identified by the start of its row.
    return wide.ravel()


def _targets(decision: StageDecision) -> list[int]:
    return [lead for lead in decision.targets if lead]


def _row(tree: Branches, number: int, starts: list[int]) -> list[int]:
    return [starts[number], len(tree.decisions[number].plays)]
