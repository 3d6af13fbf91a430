"""One seat of a ladder game as an automaton over classes of cards."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.ladder.structure import ALL_CARDS, BOARD, CARDS, ladder_of
from pitbook.hands.kinds import Ace
from pitbook.hands.ranking import HandClass, classes
from pitbook.rules.actions import Play
from pitbook.rules.game import Showdown
from pitbook.simulate.cells import Cells
from pitbook.simulate.kernels.layout import ROW_BITS
from pitbook.simulate.plan import Plan, SimulationError
from pitbook.simulate.tables import Alone, payout_groups
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
        for place, play in enumerate(plays):
            after = (*before, play)
            if place not in chosen:
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


def fits(plan: Plan) -> bool:
    """Whether an automaton can play the plan: one seat, and no side wager on the board."""
    if ladder_of(plan.game) is None or plan.seats > 1 or plan.strategy.mistakes:
        return False
    looked_at = (plan.game.looks_at(wager).places for wager, _ in plan.side)
    return plan.strategy.knows_classes and BOARD not in looked_at


def automaton(plan: Plan, cells: Cells) -> Alone:
    """The automaton of a plan; its endings are numbered in `cells`."""
    builder = _AutomatonBuilder(plan, cells)
    tables: list[Ints] = []
    states = [_State(0, 0, 0)]
    for cards in range(CARDS - 1):
        table, states = builder.add_card(cards, states)
        tables.append(table)
    first, second, third, fourth = tables
    packed, fifth, cell_of = builder.last(states)
    return Alone(
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
            for question in plan.game.asked
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
            following, where = np.unique(steps[state.hand], return_inverse=True)
            reached = [
                numbers.setdefault(self._next_state(state, next_hand, cards + 1), len(numbers))
                for next_hand in following.tolist()
            ]
            rows.append(np.array(reached)[where])
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
        singles = {hand.ranks[0]: place for place, hand in enumerate(classes(1, ace))}
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
