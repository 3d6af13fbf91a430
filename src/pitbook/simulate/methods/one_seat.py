"""One seat of a ladder game as an automaton over classes of cards."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.ladder.structure import BOARD, CARDS, WHOLE, ladder_of
from pitbook.hands.kinds import Ace
from pitbook.hands.ranking import HandClass, classes
from pitbook.rules.game import Showdown
from pitbook.rules.plays import Play
from pitbook.simulate.cells import Cells
from pitbook.simulate.kernels.layout import ROW_BITS
from pitbook.simulate.plan import Plan, SimulationError
from pitbook.simulate.tables import Alone, paid_alike
from pitbook.text import say

ENDS_MAX = 4_096


class StageDecision(NamedTuple):
    """A seat at a stage: plays so far, those it can make, and for each class the one to make."""

    stage: int
    made: tuple[Play, ...]
    plays: tuple[Play, ...]
    best: NDArray[np.int8]
    leads: tuple[int, ...]  # A decision's number, or -1 - the number of an end; 0 if never made.


class Branches(NamedTuple):
    """The decisions, first stage first, and the plays by which a seat comes to each end."""

    decisions: tuple[StageDecision, ...]
    ends: tuple[tuple[Play, ...], ...]


def branches(plan: Plan) -> Branches:
    """Every decision that the plan's strategy can come to, its mistakes included."""
    waiting: list[tuple[Play, ...]] = [()]
    numbers: dict[tuple[Play, ...], int] = {(): 0}
    ends: dict[tuple[Play, ...], int] = {}
    decisions: list[StageDecision] = []
    for before in waiting:  # It grows as decisions lead to further ones.
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
                    numbers[after] = len(waiting)
                    waiting.append(after)
                leads.append(numbers[after])
        if len(ends) > ENDS_MAX:
            raise SimulationError(say("simulate.too-many-ends", most=ENDS_MAX))
        decisions.append(StageDecision(stage, before, plays, best, tuple(leads)))
    return Branches(tuple(decisions), tuple(ends))


Ints = NDArray[np.int64]


class _State(NamedTuple):
    hand: int  # A class; -1 where it no longer matters.
    position: int  # As in `Decision.leads`.
    hole: int  # A kind's group; 0 where no side wager looks at the seat's own cards.


def fits(plan: Plan) -> bool:
    """Whether a plan can be played by an automaton: one seat that no board wager distracts."""
    if ladder_of(plan.game) is None or plan.seats > 1 or plan.strategy.mistakes:
        return False
    looked = (plan.game.looks_at(wager).places for wager, _ in plan.side)
    return plan.strategy.knows_classes and BOARD not in looked


def automaton(plan: Plan, cells: Cells) -> Alone:
    """The automaton of a plan; its ends are numbered in `cells`."""
    made = _Maker(plan, cells)
    tables: list[Ints] = []
    states = [_State(0, 0, 0)]
    for seen in range(CARDS - 1):
        table, states = made.level(seen, states)
        tables.append(table)
    first, second, third, fourth = tables
    packed, fifth, cell_of = made.last(states)
    return Alone(
        _narrow(second[first]), _narrow(third), _narrow(packed[fourth]), fifth.ravel(), cell_of
    )


def _narrow(table: Ints) -> NDArray[Any]:
    flat = table.ravel()
    return flat.astype(np.uint16 if flat.max() < 2**16 else np.uint32)


class _Maker:
    def __init__(self, plan: Plan, cells: Cells) -> None:
        ladder = ladder_of(plan.game)
        assert ladder is not None
        self.game, self.ladder = plan.game, ladder
        self.cells, self.tree = cells, branches(plan)
        self.ace, self.seen = ladder.ace, ladder.seen
        side = dict(plan.side)
        self.hand_after_fold = any(
            one.survives and plan.game.hand(one.hand).places == WHOLE
            for one in plan.game.asked
            if one.wager in side
        )
        self.hands, self.holes, _ = (paid_alike(plan, name) for name in ladder.hands)

    def level(self, seen: int, states: list[_State]) -> tuple[Ints, list[_State]]:
        """One more card: where each state leads, and the states it leads to."""
        steps = class_steps(seen, self.ace)
        numbers: dict[_State, int] = {}
        rows = []
        for state in states:
            if state.hand < 0:
                after = numbers.setdefault(state, len(numbers))
                rows.append(np.full(52 - seen, after))
                continue
            following, where = np.unique(steps[state.hand], return_inverse=True)
            reached = [
                numbers.setdefault(self._after(state, one, seen + 1), len(numbers))
                for one in following.tolist()
            ]
            rows.append(np.array(reached)[where])
        return np.array(rows), list(numbers)

    def last(self, states: list[_State]) -> tuple[Ints, NDArray[np.uint8], Ints]:
        """States packed as rows and bets, the labels of each row, and the cells of both."""
        stakes = {
            state[1:]: number
            for number, state in enumerate(dict.fromkeys(_State(0, *state[1:]) for state in states))
        }
        labels, ends = self._labelled(list(stakes))
        rows = {hand: row for row, hand in enumerate(dict.fromkeys(one.hand for one in states))}
        steps = class_steps(CARDS - 1, self.ace)
        fifth = np.zeros((len(rows), 52 - CARDS + 1), np.uint8)
        for hand, row in rows.items():
            if hand >= 0:
                fifth[row] = labels[steps[hand]]
        packed = [rows[one.hand] | stakes[one[1:]] << ROW_BITS for one in states]
        return np.array(packed), fifth, ends

    def _labelled(self, stakes: list[tuple[int, int]]) -> tuple[NDArray[np.uint8], Ints]:
        """For each class of five cards its label, and the cell of every stake and label.

        Classes have one label where every seat, whatever it bet, ends alike.
        """
        hands = classes(CARDS, self.ace)
        groups = np.array([self.hands.group[hand.kind] for hand in hands])
        columns = [groups]
        for position, _ in stakes:
            reached = np.full(len(hands), position)
            if position >= 0:  # A decision with all five cards in sight.
                after = (self._decided(position, one, CARDS) for one in range(len(hands)))
                reached = np.fromiter(after, np.int64, len(hands))
            columns.append(reached)
        different, labels = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
        assert len(different) <= 256
        cell_of = np.array(
            [
                [
                    self.cells.number(
                        self.tree.ends[-1 - int(row[1 + number])],
                        self._shown(self.hands.first[int(row[0])], self.holes.first[hole]),
                    )
                    for row in different
                ]
                for number, (_, hole) in enumerate(stakes)
            ]
        )
        return labels.reshape(-1).astype(np.uint8), cell_of

    def _shown(self, *kinds: int) -> Showdown:
        return self.game.shown(**dict(zip(self.ladder.hands, (*kinds, 0), strict=True)))

    def _after(self, state: _State, hand: int, seen: int) -> _State:
        """The state with these cards, every decision made that is due."""
        hole = state.hole
        if seen == self.seen[0] and len(self.holes.first) > 1:
            hole = self.holes.group[classes(seen, self.ace)[hand].kind]
        position = self._decided(state.position, hand, seen)
        folded = position < 0 and self.tree.ends[-1 - position][-1].folds
        return _State(-1 if folded and not self.hand_after_fold else hand, position, hole)

    def _decided(self, position: int, hand: int, seen: int) -> int:
        """The position after every decision that is due with so many cards."""
        while position >= 0 and self.seen[self.tree.decisions[position].stage] == seen:
            decision = self.tree.decisions[position]
            position = decision.leads[decision.best[hand]]
        return position


@cache
def class_steps(seen: int, ace: Ace) -> Ints:
    """[classes, place among the cards left]: the class with that card; places as in `dealing`."""
    if seen == 0:
        singles = {hand.ranks[0]: place for place, hand in enumerate(classes(1, ace))}
        return np.array([[singles[rank] for rank in range(13) for _ in range(4)]])
    places = {(hand.ranks, hand.suited): n for n, hand in enumerate(classes(seen + 1, ace))}
    return np.array([_steps(hand, places) for hand in classes(seen, ace)])


def _steps(hand: HandClass, places: dict[tuple[tuple[int, ...], bool], int]) -> list[int]:
    found: list[int] = []
    for rank in range(13):
        ranks = tuple(sorted((*hand.ranks, rank), reverse=True))
        left = 4 - hand.ranks.count(rank)
        same = 1 if hand.suited and rank not in hand.ranks else 0
        for suited, ways in ((True, same), (False, left - same)):
            if ways:
                found += [places[ranks, suited]] * ways
    return found
