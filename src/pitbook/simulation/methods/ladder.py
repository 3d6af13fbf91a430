"""Ladder games as kernel tables: one seat as an automaton over card classes, or several seats."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.ladder.structure import ALL_CARDS, BOARD, CARDS, ladder_of
from pitbook.hands.kinds import Ace
from pitbook.hands.ranking import HandClass, classes
from pitbook.rules.actions import Play
from pitbook.rules.game import Showdown
from pitbook.simulation.kernel_tables import (
    KernelTable,
    KindGroups,
    OneSeatTables,
    add_rank,
    class_places,
    concatenate,
    joined_numbers,
    multiset_count,
    payout_groups,
    table,
)
from pitbook.simulation.kernels.table_positions import ROW_BITS, STREETS_AT
from pitbook.simulation.outcome_cells import Cells
from pitbook.simulation.plan import Plan, SimulationError
from pitbook.text import say

ENDS_MAX = 4_096


class StageDecision(NamedTuple):
    """A seat at a stage: plays so far, plays available, and the best play for each class."""

    stage: int
    plays_before: tuple[Play, ...]
    plays: tuple[Play, ...]
    best: NDArray[np.int8]
    targets: tuple[int, ...]  # A decision's number, or -1 minus an ending's; 0: never made.


class Branches(NamedTuple):
    """The decisions, first stage first, and the plays that lead to each ending."""

    decisions: tuple[StageDecision, ...]
    endings: tuple[tuple[Play, ...], ...]


def branches(plan: Plan) -> Branches:
    """Every decision that the plan's strategy can reach, including by mistake."""
    pending: list[tuple[Play, ...]] = [()]
    numbers: dict[tuple[Play, ...], int] = {(): 0}
    ends: dict[tuple[Play, ...], int] = {}
    decisions: list[StageDecision] = []
    for before in pending:  # Grows as decisions lead to further ones.
        stage = len(before)
        plays, best = plan.strategy.by_class(before)
        chosen = set(range(len(plays))) if plan.strategy.mistakes else set(best.tolist())
        leads = []
        for index, play in enumerate(plays):
            after = (*before, play)
            if index not in chosen:
                leads.append(0)
            elif play.folds or len(after) == len(plan.game.stages):
                leads.append(-1 - ends.setdefault(after, len(ends)))
            else:
                if after not in numbers:
                    numbers[after] = len(pending)
                    pending.append(after)
                leads.append(numbers[after])
        if len(ends) > ENDS_MAX:
            raise SimulationError(say("simulate.too-many-ends", most=ENDS_MAX))
        decisions.append(StageDecision(stage, before, plays, best, tuple(leads)))
    return Branches(tuple(decisions), tuple(ends))


Ints = NDArray[np.int64]


class _State(NamedTuple):
    hand: int  # A class; -1 once it no longer matters.
    position: int  # As in `StageDecision.targets`.
    hole: int  # A kind's group; 0 if no side wager looks at the hole cards.


def fits_one_seat(plan: Plan) -> bool:
    """Whether an automaton can play the plan: one seat, and no side wager on the board."""
    if ladder_of(plan.game) is None or plan.seats > 1 or plan.strategy.mistakes:
        return False
    looked_at = (plan.game.looks_at(wager).places for wager, _ in plan.side)
    return plan.strategy.knows_classes and BOARD not in looked_at


def automaton(plan: Plan, cells: Cells) -> OneSeatTables:
    """The automaton of a plan; its endings are numbered in `cells`."""
    builder = _AutomatonBuilder(plan, cells)
    tables: list[Ints] = []
    states = [_State(0, 0, 0)]
    for cards in range(CARDS - 1):
        table, states = builder.add_card(cards, states)
        tables.append(table)
    first, second, third, fourth = tables
    packed, fifth, cell_of = builder.last(states)
    return OneSeatTables(
        _narrow(second[first]), _narrow(third), _narrow(packed[fourth]), fifth.ravel(), cell_of
    )


def _narrow(table: Ints) -> NDArray[Any]:
    flat = table.ravel()
    return flat.astype(np.uint16 if flat.max() < 2**16 else np.uint32)


class _AutomatonBuilder:
    def __init__(self, plan: Plan, cells: Cells) -> None:
        ladder = ladder_of(plan.game)
        assert ladder is not None
        self.game, self.ladder = plan.game, ladder
        self.cells, self.tree = cells, branches(plan)
        self.ace, self.seen = ladder.ace, ladder.cards_seen
        side = dict(plan.side)
        self.hand_after_fold = any(
            question.survives and plan.game.hand(question.hand).places == ALL_CARDS
            for question in plan.game.wager_rules
            if question.wager in side
        )
        self.hands, self.holes, _ = (payout_groups(plan, name) for name in ladder.hands)

    def add_card(self, cards: int, states: list[_State]) -> tuple[Ints, list[_State]]:
        """Add a card: the next state of each state, and the new states."""
        steps = class_steps(cards, self.ace)
        numbers: dict[_State, int] = {}
        rows = []
        for state in states:
            if state.hand < 0:
                after = numbers.setdefault(state, len(numbers))
                rows.append(np.full(52 - cards, after))
                continue
            following, step_indexes = np.unique(steps[state.hand], return_inverse=True)
            reached = [
                numbers.setdefault(self._next_state(state, next_hand, cards + 1), len(numbers))
                for next_hand in following.tolist()
            ]
            rows.append(np.array(reached)[step_indexes])
        return np.array(rows), list(numbers)

    def last(self, states: list[_State]) -> tuple[Ints, NDArray[np.uint8], Ints]:
        """States packed as rows and stakes, the labels of each row, and the cells of both."""
        stakes = {
            state[1:]: number
            for number, state in enumerate(dict.fromkeys(_State(0, *state[1:]) for state in states))
        }
        labels, ends = self._label_classes(list(stakes))
        rows = {hand: row for row, hand in enumerate(dict.fromkeys(state.hand for state in states))}
        steps = class_steps(CARDS - 1, self.ace)
        fifth = np.zeros((len(rows), 52 - CARDS + 1), np.uint8)
        for hand, row in rows.items():
            if hand >= 0:
                fifth[row] = labels[steps[hand]]
        packed = [rows[state.hand] | stakes[state[1:]] << ROW_BITS for state in states]
        return np.array(packed), fifth, ends

    def _label_classes(self, stakes: list[tuple[int, int]]) -> tuple[NDArray[np.uint8], Ints]:
        """The label of each class of five cards, and the cell of every stake and label.

        Classes share a label if every stake ends the same way with them.
        """
        hands = classes(CARDS, self.ace)
        groups = np.array([self.hands.group_of[hand.kind] for hand in hands])
        columns = [groups]
        for position, _ in stakes:
            reached = np.full(len(hands), position)
            if position >= 0:  # A decision with all five cards shown.
                after = (self._apply_decisions(position, hand, CARDS) for hand in range(len(hands)))
                reached = np.fromiter(after, np.int64, len(hands))
            columns.append(reached)
        different, labels = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
        assert len(different) <= 256
        cell_of = np.array(
            [
                [
                    self.cells.number(
                        self.tree.endings[-1 - int(row[1 + number])],
                        self._showdown(
                            self.hands.representatives[int(row[0])],
                            self.holes.representatives[hole],
                        ),
                    )
                    for row in different
                ]
                for number, (_, hole) in enumerate(stakes)
            ]
        )
        return labels.reshape(-1).astype(np.uint8), cell_of

    def _showdown(self, *kinds: int) -> Showdown:
        return self.game.showdown(**dict(zip(self.ladder.hands, (*kinds, 0), strict=True)))

    def _next_state(self, state: _State, hand: int, cards: int) -> _State:
        """The state with these cards after every decision that is due."""
        hole = state.hole
        if cards == self.seen[0] and len(self.holes.representatives) > 1:
            hole = self.holes.group_of[classes(cards, self.ace)[hand].kind]
        position = self._apply_decisions(state.position, hand, cards)
        folded = position < 0 and self.tree.endings[-1 - position][-1].folds
        return _State(-1 if folded and not self.hand_after_fold else hand, position, hole)

    def _apply_decisions(self, position: int, hand: int, cards: int) -> int:
        """The position after every decision that is due with this many cards."""
        while position >= 0 and self.seen[self.tree.decisions[position].stage] == cards:
            decision = self.tree.decisions[position]
            position = decision.targets[decision.best[hand]]
        return position


@cache
def class_steps(cards: int, ace: Ace) -> Ints:
    """[classes, index among the cards left]: the class with that card added; indexes as in
    `dealing`.
    """
    if cards == 0:
        singles = {hand.ranks[0]: index for index, hand in enumerate(classes(1, ace))}
        return np.array([[singles[rank] for rank in range(13) for _ in range(4)]])
    places = {(hand.ranks, hand.suited): n for n, hand in enumerate(classes(cards + 1, ace))}
    return np.array([_steps(hand, places) for hand in classes(cards, ace)])


def _steps(hand: HandClass, places: dict[tuple[tuple[int, ...], bool], int]) -> list[int]:
    next_classes: list[int] = []
    for rank in range(13):
        ranks = tuple(sorted((*hand.ranks, rank), reverse=True))
        left = 4 - hand.ranks.count(rank)
        suited_ways = 1 if hand.suited and rank not in hand.ranks else 0
        for suited, ways in ((True, suited_ways), (False, left - suited_ways)):
            if ways:
                next_classes += [places[ranks, suited]] * ways
    return next_classes


# Several seats ------------------------------------------------------------------------------------


def fits_table(plan: Plan) -> bool:
    """Whether a plan is of a ladder game, played by the class of the cards seen."""
    return ladder_of(plan.game) is not None and plan.strategy.knows_classes


def ladder_table(plan: Plan, cells: Cells) -> KernelTable:
    """The table of a plan; every ending of a seat is numbered in `cells`."""
    ladder = ladder_of(plan.game)
    assert ladder is not None
    hole, board, ace, turned, names = ladder
    tree = branches(plan)
    hands, holes, boards = (payout_groups(plan, name) for name in names)
    cell_of = _cell_table(cells, tree, dict(zip(names, (hands, holes, boards), strict=True)))
    # A seat that is out has only one play, whatever it holds: all zeros.
    out = np.zeros(2 * multiset_count(hole + turned[-1]), np.int64)
    policies = [
        _play_by_ranks(decision.best, hole + turned[decision.stage], ace)
        for decision in tree.decisions
    ]
    groups = [
        _five_card_groups(hole, board, hands, ace),
        _small_hand_groups(hole, holes, ace),
        _small_hand_groups(board, boards, ace),
    ]
    small, starts = concatenate([out, *policies, *groups], np.uint8)
    wide = _node_rows(tree, len(turned), starts[1:])
    sums, places = _card_sum_tables(hole, board, turned)
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


def _cell_table(cells: Cells, tree: Branches, groups: dict[str, KindGroups]) -> NDArray[np.int32]:
    """[ends, groups of hands, of hole cards, of boards]: the cell."""
    game = cells.plan.game
    cell_numbers = [
        cells.number(plays, game.showdown(**dict(zip(groups, kinds, strict=True))))
        for plays in tree.endings
        for kinds in product(*(group.representatives for group in groups.values()))
    ]
    return np.array(cell_numbers, np.int32)


def _play_by_ranks(best: Any, cards: int, ace: Ace) -> NDArray[Any]:
    """[multisets, suited]: the play to make; arbitrary for impossible cards."""
    by_ranks: NDArray[Any] = best[class_places(cards, ace).clip(min=0)]
    return by_ranks


def _five_card_groups(hole: int, board: int, hands: KindGroups, ace: Ace) -> NDArray[Any]:
    """[suited, hole cards, board]: the payout group of the five cards."""
    kinds = np.array([hands.group_of[hand_class.kind] for hand_class in classes(CARDS, ace)])
    by_ranks = kinds[class_places(CARDS, ace).clip(min=0)]
    five: NDArray[Any] = by_ranks[joined_numbers(hole, board)].transpose(2, 0, 1)
    return five


def _small_hand_groups(size: int, alike: KindGroups, ace: Ace) -> NDArray[Any]:
    """[multisets, suited]: the payout group of the hole or community cards."""
    if len(alike.representatives) == 1:
        return np.zeros((multiset_count(size), 2), np.int64)
    kinds = np.array([alike.group_of[hand_class.kind] for hand_class in classes(size, ace)])
    by_ranks: NDArray[Any] = kinds[class_places(size, ace).clip(min=0)]
    return by_ranks


def _card_sum_tables(
    hole: int, board: int, turned: tuple[int, ...]
) -> tuple[NDArray[Any], NDArray[np.int64]]:
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


def _node_rows(tree: Branches, streets: int, starts: list[int]) -> NDArray[np.int32]:
    """Rows of equal length, street by street: start of a node's plays, their number, targets.

    A seat that is out has a row on every later street that leads to the next. After the last
    street, a row holds the number of its ending.
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
