"""Best play on boards: from the last decision back to the first, flops and pairs up to suits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import Card
from pitbook.exact.figures import Figures, figures, main_row, round_row
from pitbook.exact.methods.boards.cells import Cells, cells_of
from pitbook.exact.methods.boards.counting import River, Swept, laid_out
from pitbook.exact.methods.boards.rows import Rows, rows_of
from pitbook.exact.methods.boards.structure import BOARD, FLOP, NOTHING, BoardStreet, streets
from pitbook.exact.methods.duels.kept import defer_compiling
from pitbook.exact.methods.duels.terms import Terms
from pitbook.exact.methods.method import StrategyLine
from pitbook.rules.game import Seat
from pitbook.rules.plays import PASSED, Play
from pitbook.rules.settlement import Line

__all__ = ["RulesSaid", "Solution", "StreetPlan", "StreetWorths", "plan_of", "solve", "solve_by"]

Ints = NDArray[np.int64]
AT_ONCE = 2**17  # Listed boards.


@dataclass(frozen=True, eq=False)
class StreetPlan:
    """The seats of a game: on every street the plays, and where each leads."""

    terms: Terms
    streets: tuple[BoardStreet, ...]
    plays: tuple[tuple[Play, ...], ...]  # By street, those that are made here.
    known: tuple[tuple[Play, ...], ...]  # By street, all that the game has.
    seats: tuple[Seat, ...]  # By street, before it.

    @cached_property
    def ends(self) -> dict[tuple[int, Play], Seat]:
        """Every play that ends the decisions, and the seat then."""
        return {
            (number, play): self._after(number, play)
            for number, (street, plays) in enumerate(zip(self.streets, self.known, strict=True))
            for play in plays
            if play != street.on
        }

    def _after(self, street: int, play: Play) -> Seat:
        """The seat of a round that ends with a play: later stages are passed over."""
        seat = self.seats[street].made(play)
        for _ in self.streets[street + 1 :]:
            seat = seat if seat.folded else seat.made(PASSED)
        return seat

    @cached_property
    def cells(self) -> Cells:
        """What is counted apart."""
        return cells_of(self.terms, list(self.ends.values()))

    @property
    def decided_last(self) -> bool:
        """Whether anything is decided when the whole board is seen."""
        return self.streets[-1].seen == BOARD

    @cached_property
    def last_two(self) -> tuple[Seat, Seat | None]:
        """How rounds end on the last street: without a fold, then with one or another way."""
        return self._last(self.plays[-1])

    def _last(self, plays: Sequence[Play]) -> tuple[Seat, Seat | None]:
        last = len(self.streets) - 1
        seats = [self.ends[last, play] for play in sorted(plays, key=lambda play: play.folds)]
        return seats[0], seats[1] if len(seats) > 1 and self.decided_last else None

    @property
    def prefers(self) -> bool:
        """Whether, of two equal plays at the end, the other one is made (GEN-16)."""
        return self.known[-1][0].folds

    def river(self, *, listing: bool = True) -> River:
        """What the sweep must know."""
        first, other = self._last(self.known[-1])
        return self.cells.river(first, other, prefers=self.prefers, listing=listing)


May = Callable[[Sequence[Play]], Sequence[Play]]  # Of the plays on a street, those that are made.


def plan_of(terms: Terms, may: May | None = None) -> StreetPlan:
    """The seats of a game that goes on from street to street."""
    found, seat, seats, plays, known = streets(terms.game), terms.seat, [], [], []
    every = replace(terms, purse=None)
    for street in found:
        seats.append(seat)
        known.append(every.plays(street.stage, seat))
        made = terms.plays(street.stage, seat)
        plays.append(tuple(may(made)) if may else made)
        if street.on is not None:
            seat = seat.made(street.on)
    return StreetPlan(terms, found, tuple(plays), tuple(known), tuple(seats))


class StreetWorths(NamedTuple):
    """On one street: what every play is worth, in cents over all deals, and which is best."""

    worths: NDArray[Any]
    best: NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Solution:
    """Best play: by pair of hole cards before the flop, by row after it; and how often all ends."""

    plan: StreetPlan
    rows: Rows
    before: StreetWorths | None  # By pair of hole cards, up to suits.
    after: NDArray[np.int8] | None  # By row, the place of the play after the flop.
    met: dict[tuple[int, Play], list[int]]  # By end: counts by cell.
    last: tuple[bool, ...] | None = None  # By class, whether the other of the last two is made.

    @cached_property
    def deals(self) -> Ints:
        """By pair of hole cards, how many deals it has."""
        from pitbook.exact.methods.boards.kernels import added  # noqa: PLC0415

        sums = added(self.rows.swept.every, self.rows.hole, len(self.rows.pairs))
        return np.asarray(sums.sum(axis=1))

    def worths_after_flop(self) -> Ints:
        """By play after the flop and row, in cents over all deals: computed anew each time."""
        plan, every = self.plan, self.rows.swept.every
        street = [street_plan.seen for street_plan in plan.streets].index(FLOP)
        return _after_the_flop(plan, street, every, _at_the_end(plan, self.rows))

    @property
    def rounds(self) -> int:
        """All deals, each as often as flops can be told apart within boards."""
        return sum(map(sum, self.met.values()))

    @cached_property
    def expected(self) -> Fraction:
        """The value of a round in main wagers."""
        cells, won = self.plan.cells, 0
        for end, counts in self.met.items():
            nets = cells.nets(self.plan.ends[end]).tolist()
            won += sum(count * net for count, net in zip(counts, nets, strict=True))
        return Fraction(won, self.rounds * self.plan.terms.stake)

    @cached_property
    def figures(self) -> Figures:
        """The main game's figures; side wagers left out."""
        side, stake = self.plan.terms.side or {}, self.plan.terms.stake
        return figures(
            main_row([line for line in lines if line.wager not in side], stake, count)
            for lines, count in self.settled()
        )

    def round_figures(self) -> Figures:
        """The main game and side wagers together, in main wagers."""
        stake = self.plan.terms.stake
        return figures(round_row(lines, stake, count) for lines, count in self.settled())

    def settled(self) -> Iterator[tuple[tuple[Line, ...], int]]:
        """Every way to end: the lines of all wagers, and how often."""
        for end, counts in self.met.items():
            for cell, count in enumerate(counts):
                if count:
                    yield self.plan.cells.lines(self.plan.ends[end], cell), count

    def entries(self) -> Iterator[StrategyLine]:
        """Every decision before the whole board is seen."""
        from pitbook.exact.methods.boards.strategies import lines_of  # noqa: PLC0415

        return lines_of(self)

    @property
    def fold_rates(self) -> dict[str, Fraction]:
        """For each street with a fold, the share of all rounds that fold there."""
        stages = self.plan.terms.game.stages
        return {
            stages[self.plan.streets[street].stage].id: Fraction(sum(counts), self.rounds)
            for (street, play), counts in self.met.items()
            if play.folds
        }


class RulesSaid(NamedTuple):
    """What a player's rules say: by pair of hole cards, by row, and on the board by class."""

    before: NDArray[np.int8] | None
    after: NDArray[np.int8] | None
    last: tuple[bool, ...]


def solve_by(plan: StreetPlan, rows: Rows, said: RulesSaid) -> Solution:
    """Another way to play than the best; the rows were swept with what is made on the board."""
    return _solved(plan, rows, said)


def solve(terms: Terms, deck: Sequence[Card] | None = None, may: May | None = None) -> Solution:
    """Best play of a game; on some cards alone, or with some plays alone, where they are named."""
    defer_compiling("boards")
    plan = plan_of(terms, may)
    laid = None if deck is None else laid_out(deck)
    rows = rows_of(plan.river(), laid) or rows_of(plan.river(listing=False), laid)
    assert rows is not None  # Nothing was listed.
    return _solved(plan, rows)


def _solved(plan: StreetPlan, rows: Rows, said: RulesSaid | None = None) -> Solution:
    """Backward over the streets, then the ends counted forward.

    The tables of a sweep are large: none is copied, and nothing as large is part of a solution.
    """
    from pitbook.exact.methods.boards.kernels import added  # noqa: PLC0415

    every = rows.swept.every
    seen = [street.seen for street in plan.streets]
    worth, after, before = _at_the_end(plan, rows), None, None
    if FLOP in seen:
        worths = _after_the_flop(plan, seen.index(FLOP), every, worth)
        after = worths.argmax(axis=0).astype(np.int8)
        if said is not None and said.after is not None:
            after = said.after
        worth = worths[after, np.arange(len(after))]
        del worths
    if seen[0] == NOTHING:
        before = _before_the_flop(plan, rows, worth)
        if said is not None and said.before is not None:
            before = before._replace(best=said.before)
    codes, ends = _codes(plan, rows, before, after)
    sums = added(every, codes, len(ends) + 1)
    met = dict(zip(ends, sums.tolist(), strict=False))
    if plan.decided_last:
        gone = np.zeros_like(sums[-1])
        if plan.last_two[1] is not None:
            gone = _last_play_table(plan, rows).added(codes, len(ends) + 1)[-1]
        for play in plan.plays[-1]:
            end = len(plan.streets) - 1, play
            takes = plan.ends[end] == plan.last_two[1]
            met[end] = (gone if takes else sums[-1] - gone).tolist()
    return Solution(plan, rows, before, after, met, said and said.last)


class LastPlayTable(NamedTuple):
    """How often the second of the last two plays is chosen, by row and cell.

    Stored as a table over some cells, plus single boards on which the play is chosen.
    """

    width: int  # Of all cells.
    sweep: Swept
    some: Ints  # The cells of the table.
    cells: Ints  # By shape and event.
    taken: NDArray[np.bool_]  # By listed board.

    def products(self, nets: Ints) -> Ints:
        """By row, the sum of its numbers times a number for each cell."""
        from pitbook.exact.methods.boards.kernels import products  # noqa: PLC0415

        sums: Ints = products(self.sweep.other, nets[self.some])
        for rows, cells, counts in self._boards():
            np.add.at(sums, rows, (counts * nets[cells]).sum(axis=1))
        return sums

    def added(self, group: NDArray[np.int16], groups: int) -> Ints:
        """Rows added up by group."""
        from pitbook.exact.methods.boards.kernels import added  # noqa: PLC0415

        sums = np.zeros((groups, self.width), np.int64)
        sums[:, self.some] = added(self.sweep.other, group, groups)
        for rows, cells, counts in self._boards():
            np.add.at(sums, (group[rows, None], cells), counts)
        return sums

    def _boards(self) -> Iterator[tuple[NDArray[np.int32], Ints, Ints]]:
        """Boards on which the play is chosen, in batches: row, cells and counts of each."""
        sweep = self.sweep
        for start in range(0, len(self.taken), AT_ONCE):
            boards = start + np.flatnonzero(self.taken[start : start + AT_ONCE])
            counts: Ints = sweep.counts[boards].astype(np.int64) * sweep.often[boards, None]
            yield sweep.where[boards], self.cells[sweep.shapes[boards]], counts


def _last_play_table(plan: StreetPlan, rows: Rows) -> LastPlayTable:
    sweep, table = rows.swept, np.array(plan.cells.cells)
    if not len(sweep.where):
        return LastPlayTable(sweep.every.shape[1], sweep, rows.some, table, np.zeros(0, np.bool_))
    gains, taken = plan.cells.gains(*plan.last_two), np.empty(len(sweep.where), np.bool_)
    for start in range(0, len(taken), AT_ONCE):
        batch = slice(start, start + AT_ONCE)
        gained = (gains[sweep.shapes[batch]] * sweep.counts[batch]).sum(axis=1)
        taken[batch] = gained >= 0 if plan.prefers else gained > 0
    return LastPlayTable(sweep.every.shape[1], sweep, rows.some, table, taken)


def _at_the_end(plan: StreetPlan, rows: Rows) -> Ints | None:
    """By row, what going on to the whole board is worth."""
    from pitbook.exact.methods.boards.kernels import products  # noqa: PLC0415

    if not plan.decided_last:
        return None
    first, other = plan.last_two
    nets = plan.cells.nets(first)
    worths: Ints = products(rows.swept.every, nets)
    if other is not None:
        worths += _last_play_table(plan, rows).products(plan.cells.nets(other) - nets)
    return worths


def _after_the_flop(
    plan: StreetPlan, street: int, every: NDArray[np.int32], on: Ints | None
) -> Ints:
    """By play and row, what it is worth."""
    from pitbook.exact.methods.boards.kernels import products  # noqa: PLC0415

    worths = [
        on if play == plan.streets[street].on else products(every, _nets(plan, street, play))
        for play in plan.plays[street]
    ]
    return np.array(worths)


def _before_the_flop(plan: StreetPlan, rows: Rows, on: Ints | None) -> StreetWorths:
    """By pair up to suits; sums are whole numbers of any size."""
    from pitbook.exact.methods.boards.kernels import added, halves  # noqa: PLC0415

    many = len(rows.pairs)
    whole = added(rows.swept.every, rows.hole, many).astype(object)
    worths = []
    for play in plan.plays[0]:
        if play == plan.streets[0].on:
            high, low = halves(on, rows.hole, many)
            worths.append(high.astype(object) * 2**32 + low)
        else:
            worths.append(whole @ _nets(plan, 0, play).astype(object))
    found = np.array(worths)
    return StreetWorths(found, found.argmax(axis=0).astype(np.int8))


def _nets(plan: StreetPlan, street: int, play: Play) -> Ints:
    return plan.cells.nets(plan.ends[street, play])


def _codes(
    plan: StreetPlan, rows: Rows, before: StreetWorths | None, after: NDArray[np.int8] | None
) -> tuple[NDArray[np.int16], list[tuple[int, Play]]]:
    """By row the number of its end; the last number is of those that see the whole board."""
    seen = [street.seen for street in plan.streets]
    ends = [end for end in plan.ends if seen[end[0]] != BOARD]
    codes = np.full(len(rows.hole), len(ends), np.int16)
    first = None if before is None else before.best[rows.hole]
    for street, chosen in ((FLOP, after), (NOTHING, first)):
        if chosen is None:
            continue
        number = seen.index(street)
        for place, play in enumerate(plan.plays[number]):
            if (number, play) in ends:
                codes[chosen == place] = ends.index((number, play))
    return codes, ends
