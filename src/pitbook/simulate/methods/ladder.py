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
from pitbook.simulate.multisets import class_places, joined, many, one_more
from pitbook.simulate.plan import Plan
from pitbook.simulate.tables import Alike, KernelTable, packed, paid_alike, table


def fits(plan: Plan) -> bool:
    """Whether a plan is a ladder's, played by the class of the cards seen."""
    return ladder_of(plan.game) is not None and plan.strategy.knows_classes


def ladder_table(plan: Plan, cells: Cells) -> KernelTable:
    """The table of a plan; every end of a seat is numbered in `cells`."""
    ladder = ladder_of(plan.game)
    assert ladder is not None
    hole, board, ace, turned, names = ladder
    tree = branches(plan)
    hands, holes, boards = (paid_alike(plan, one) for one in names)
    cell_of = _cells(cells, tree, dict(zip(names, (hands, holes, boards), strict=True)))
    # A seat that is out makes the one play it has, whatever it holds: nothing but zeros.
    out = np.zeros(2 * many(hole + turned[-1]), np.int64)
    policies = [_by_ranks(one.best, hole + turned[one.stage], ace) for one in tree.decisions]
    groups = [_five(hole, board, hands, ace), _some(hole, holes, ace), _some(board, boards, ace)]
    small, starts = packed([out, *policies, *groups], np.uint8)
    wide = _nodes(tree, len(turned), starts[1:])
    sums, places = _sums(hole, board, turned)
    listed = {
        "LADDER": 1,
        "STREETS": len(turned),
        "HANDS": len(hands.first),
        "HOLES": len(holes.first),
        "BOARDS": len(boards.first),
        "HOLE_SETS": many(hole),
        "BOARD_SETS": many(board),
        "HAND_AT": starts[-3],
        "HOLE_AT": starts[-2],
        "BOARD_AT": starts[-1],
    }
    parts = {"sums": sums, "places": places, "small": small, "wide": wide, "cell_of": cell_of}
    return table(cells, listed, parts)


def _cells(cells: Cells, tree: Branches, groups: dict[str, Alike]) -> NDArray[np.int32]:
    """[ends, groups of hands, of hole cards, of boards]: the cell."""
    game = cells.plan.game
    found = [
        cells.number(plays, game.shown(**dict(zip(groups, kinds, strict=True))))
        for plays in tree.ends
        for kinds in product(*(one.first for one in groups.values()))
    ]
    return np.array(found, np.int32)


def _by_ranks(best: Any, seen: int, ace: Ace) -> NDArray[Any]:
    """[multisets, suited]: the play to make; where no such cards can be, any."""
    laid_out: NDArray[Any] = best[class_places(seen, ace).clip(min=0)]
    return laid_out


def _five(hole: int, board: int, hands: Alike, ace: Ace) -> NDArray[Any]:
    """[suited, hole cards, board]: the group of the five cards, unsuited ones close together."""
    kinds = np.array([hands.group[one.kind] for one in classes(CARDS, ace)])
    by_ranks = kinds[class_places(CARDS, ace).clip(min=0)]
    five: NDArray[Any] = by_ranks[joined(hole, board)].transpose(2, 0, 1)
    return five


def _some(size: int, alike: Alike, ace: Ace) -> NDArray[Any]:
    """[multisets, suited]: the group of hole or community cards."""
    if len(alike.first) == 1:
        return np.zeros((many(size), 2), np.int64)
    kinds = np.array([alike.group[one.kind] for one in classes(size, ace)])
    by_ranks: NDArray[Any] = kinds[class_places(size, ace).clip(min=0)]
    return by_ranks


def _sums(hole: int, board: int, turned: tuple[int, ...]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """One more card to 0, 1, ... cards, and hole cards joined with the board of every street.

    `places` says where: by cards held; then by street the board cards seen, where, how wide.
    """
    longer = max(hole, board)
    known = sorted(set(turned))
    parts = [one_more(size) for size in range(longer)] + [joined(hole, one) for one in known]
    sums, starts = packed(parts, np.uint16)
    places = np.zeros(STREETS_AT + 3 * len(turned), np.int64)
    places[:longer] = starts[:longer]
    for street, seen in enumerate(turned):
        row = seen, starts[longer + known.index(seen)], many(seen)
        places[STREETS_AT + 3 * street : STREETS_AT + 3 * street + 3] = row
    return sums, places


def _nodes(tree: Branches, streets: int, starts: list[int]) -> NDArray[np.int32]:
    """Rows of equal length, street after street: where a node's plays begin, how many, leads.

    A seat that is out has a row on every later street that leads to the next. After the last
    street a row holds the number of its end.
    """
    length = 2 + max(len(one.plays) for one in tree.decisions)
    level: list[int] = [0]
    rows: list[list[int]] = []
    for street in range(streets):
        after = [one for one in level if one < 0]
        live = [tree.decisions[one] for one in level if one >= 0]
        after = list(dict.fromkeys([*after, *(lead for one in live for lead in _made(one))]))
        first = len(rows) + len(level)
        for one in level:
            row = [0, 1, first + after.index(one)] if one < 0 else _row(tree, one, starts)
            if one >= 0:
                leads = tree.decisions[one].leads
                row += [first + after.index(lead) if lead else 0 for lead in leads]
            rows.append(row)
        level = after
        assert street + 1 < streets or all(one < 0 for one in level)
    ends = [[-1 - one] for one in level]
    wide = np.zeros((len(rows) + len(ends), length), np.int32)
    for number, row in enumerate([*rows, *ends]):
        wide[number, : len(row)] = row
    wide[: len(rows), 2:] *= length  # Nodes are named by where their row begins.
    return wide.ravel()


def _made(decision: StageDecision) -> list[int]:
    return [lead for lead in decision.leads if lead]


def _row(tree: Branches, number: int, starts: list[int]) -> list[int]:
    return [starts[number], len(tree.decisions[number].plays)]
