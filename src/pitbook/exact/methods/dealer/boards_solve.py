"""Best play with two hole cards and a board of five, from the last decision back to the first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import gcd
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import DECK, Card
from pitbook.exact.figures import Figures, figures_from_rows, main_row, round_row
from pitbook.exact.games import cache_by_identity
from pitbook.exact.methods.dealer.boards_sweep import (
    SECONDS,
    FlopPairs,
    River,
    SweepCounts,
    list_flops,
    sweep,
)
from pitbook.exact.methods.dealer.stored_counts import defer_compiling, load_or_count, require_numba
from pitbook.exact.methods.dealer.structure import EVENTS, Terms, as_dealer_game, kinds_by_class
from pitbook.exact.methods.method import StrategyLine
from pitbook.hands.kinds import catalogue
from pitbook.rules.game import Game, Seat
from pitbook.rules.plays import PASSED, Play
from pitbook.rules.settlement import Line

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
    found, seat, seats, plays, known = required_streets(terms.game), terms.seat, [], [], []
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
    rows: SweepRows
    before: StreetWorths | None  # By pair of hole cards, up to suits.
    after: NDArray[np.int8] | None  # By row, the place of the play after the flop.
    event_counts: dict[tuple[int, Play], list[int]]  # By end: counts by cell.
    last: tuple[bool, ...] | None = None  # By class, whether the other of the last two is made.

    @cached_property
    def deals(self) -> Ints:
        """By pair of hole cards, how many deals it has."""
        from pitbook.exact.methods.dealer.boards_kernels import add_rows  # noqa: PLC0415

        sums = add_rows(self.rows.swept.every, self.rows.hole, len(self.rows.pairs))
        return np.asarray(sums.sum(axis=1))

    def worths_after_flop(self) -> Ints:
        """By play after the flop and row, in cents over all deals: computed anew each time."""
        plan, every = self.plan, self.rows.swept.every
        street = [street_plan.seen for street_plan in plan.streets].index(FLOP)
        return _values_after_flop(plan, street, every, _values_at_end(plan, self.rows))

    @property
    def rounds(self) -> int:
        """All deals, each as often as flops can be told apart within boards."""
        return sum(map(sum, self.event_counts.values()))

    @cached_property
    def expected(self) -> Fraction:
        """The value of a round in main wagers."""
        cells, won = self.plan.cells, 0
        for end, counts in self.event_counts.items():
            nets = cells.nets(self.plan.ends[end]).tolist()
            won += sum(count * net for count, net in zip(counts, nets, strict=True))
        return Fraction(won, self.rounds * self.plan.terms.stake)

    @cached_property
    def figures(self) -> Figures:
        """The main game's figures; side wagers left out."""
        side, stake = self.plan.terms.side or {}, self.plan.terms.stake
        return figures_from_rows(
            main_row([line for line in lines if line.wager not in side], stake, count)
            for lines, count in self.end_lines()
        )

    def round_figures(self) -> Figures:
        """The main game and side wagers together, in main wagers."""
        stake = self.plan.terms.stake
        return figures_from_rows(
            round_row(lines, stake, count) for lines, count in self.end_lines()
        )

    def end_lines(self) -> Iterator[tuple[tuple[Line, ...], int]]:
        """Every way to end: the lines of all wagers, and how often."""
        for end, counts in self.event_counts.items():
            for cell, count in enumerate(counts):
                if count:
                    yield self.plan.cells.lines(self.plan.ends[end], cell), count

    def entries(self) -> Iterator[StrategyLine]:
        """Every decision before the whole board is seen."""
        from pitbook.exact.methods.dealer.boards_strategies import lines_of  # noqa: PLC0415

        return lines_of(self)

    @property
    def fold_rates(self) -> dict[str, Fraction]:
        """For each street with a fold, the share of all rounds that fold there."""
        stages = self.plan.terms.game.stages
        return {
            stages[self.plan.streets[street].stage].id: Fraction(sum(counts), self.rounds)
            for (street, play), counts in self.event_counts.items()
            if play.folds
        }


class RuleDecisions(NamedTuple):
    """What a player's rules say: by pair of hole cards, by row, and on the board by class."""

    before: NDArray[np.int8] | None
    after: NDArray[np.int8] | None
    last: tuple[bool, ...]


def solve_decisions(plan: StreetPlan, rows: SweepRows, said: RuleDecisions) -> Solution:
    """Another way to play than the best; the rows were swept with what is made on the board."""
    return _solve_streets(plan, rows, said)


def solve(terms: Terms, deck: Sequence[Card] | None = None, may: May | None = None) -> Solution:
    """Best play of a game; on some cards alone, or with some plays alone, where they are named."""
    defer_compiling("boards")
    plan = plan_of(terms, may)
    laid = None if deck is None else list_flops(deck)
    rows = sweep_rows(plan.river(), laid) or sweep_rows(plan.river(listing=False), laid)
    assert rows is not None  # Nothing was listed.
    return _solve_streets(plan, rows)


def _solve_streets(
    plan: StreetPlan, rows: SweepRows, said: RuleDecisions | None = None
) -> Solution:
    """Backward over the streets, then the ends counted forward.

    The tables of a sweep are large: none is copied, and nothing as large is part of a solution.
    """
    from pitbook.exact.methods.dealer.boards_kernels import add_rows  # noqa: PLC0415

    every = rows.swept.every
    seen = [street.seen for street in plan.streets]
    worth, after, before = _values_at_end(plan, rows), None, None
    if FLOP in seen:
        worths = _values_after_flop(plan, seen.index(FLOP), every, worth)
        after = worths.argmax(axis=0).astype(np.int8)
        if said is not None and said.after is not None:
            after = said.after
        worth = worths[after, np.arange(len(after))]
        del worths
    if seen[0] == NOTHING:
        before = _values_before_flop(plan, rows, worth)
        if said is not None and said.before is not None:
            before = before._replace(best=said.before)
    codes, ends = _end_codes(plan, rows, before, after)
    sums = add_rows(every, codes, len(ends) + 1)
    met = dict(zip(ends, sums.tolist(), strict=False))
    if plan.decided_last:
        gone = np.zeros_like(sums[-1])
        if plan.last_two[1] is not None:
            gone = _last_play_table(plan, rows).add_rows(codes, len(ends) + 1)[-1]
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
    sweep: SweepCounts
    some: Ints  # The cells of the table.
    cells: Ints  # By shape and event.
    taken: NDArray[np.bool_]  # By listed board.

    def multiply_rows(self, nets: Ints) -> Ints:
        """By row, the sum of its numbers times a number for each cell."""
        from pitbook.exact.methods.dealer.boards_kernels import multiply_rows  # noqa: PLC0415

        sums: Ints = multiply_rows(self.sweep.other, nets[self.some])
        for rows, cells, counts in self._boards():
            np.add.at(sums, rows, (counts * nets[cells]).sum(axis=1))
        return sums

    def add_rows(self, group: NDArray[np.int16], groups: int) -> Ints:
        """Rows added up by group."""
        from pitbook.exact.methods.dealer.boards_kernels import add_rows  # noqa: PLC0415

        sums = np.zeros((groups, self.width), np.int64)
        sums[:, self.some] = add_rows(self.sweep.other, group, groups)
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


def _last_play_table(plan: StreetPlan, rows: SweepRows) -> LastPlayTable:
    sweep, table = rows.swept, np.array(plan.cells.cells)
    if not len(sweep.where):
        return LastPlayTable(sweep.every.shape[1], sweep, rows.some, table, np.zeros(0, np.bool_))
    gains, taken = plan.cells.gains(*plan.last_two), np.empty(len(sweep.where), np.bool_)
    for start in range(0, len(taken), AT_ONCE):
        batch = slice(start, start + AT_ONCE)
        gained = (gains[sweep.shapes[batch]] * sweep.counts[batch]).sum(axis=1)
        taken[batch] = gained >= 0 if plan.prefers else gained > 0
    return LastPlayTable(sweep.every.shape[1], sweep, rows.some, table, taken)


def _values_at_end(plan: StreetPlan, rows: SweepRows) -> Ints | None:
    """By row, what going on to the whole board is worth."""
    from pitbook.exact.methods.dealer.boards_kernels import multiply_rows  # noqa: PLC0415

    if not plan.decided_last:
        return None
    first, other = plan.last_two
    nets = plan.cells.nets(first)
    worths: Ints = multiply_rows(rows.swept.every, nets)
    if other is not None:
        worths += _last_play_table(plan, rows).multiply_rows(plan.cells.nets(other) - nets)
    return worths


def _values_after_flop(
    plan: StreetPlan, street: int, every: NDArray[np.int32], on: Ints | None
) -> Ints:
    """By play and row, what it is worth."""
    from pitbook.exact.methods.dealer.boards_kernels import multiply_rows  # noqa: PLC0415

    worths = [
        on
        if play == plan.streets[street].on
        else multiply_rows(every, _play_nets(plan, street, play))
        for play in plan.plays[street]
    ]
    return np.array(worths)


def _values_before_flop(plan: StreetPlan, rows: SweepRows, on: Ints | None) -> StreetWorths:
    """By pair up to suits; sums are whole numbers of any size."""
    from pitbook.exact.methods.dealer.boards_kernels import add_halves, add_rows  # noqa: PLC0415

    many = len(rows.pairs)
    whole = add_rows(rows.swept.every, rows.hole, many).astype(object)
    worths = []
    for play in plan.plays[0]:
        if play == plan.streets[0].on:
            high, low = add_halves(on, rows.hole, many)
            worths.append(high.astype(object) * 2**32 + low)
        else:
            worths.append(whole @ _play_nets(plan, 0, play).astype(object))
    found = np.array(worths)
    return StreetWorths(found, found.argmax(axis=0).astype(np.int8))


def _play_nets(plan: StreetPlan, street: int, play: Play) -> Ints:
    return plan.cells.nets(plan.ends[street, play])


def _end_codes(
    plan: StreetPlan, rows: SweepRows, before: StreetWorths | None, after: NDArray[np.int8] | None
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


HOLE, BOARD, HAND = 2, 5, 5
NOTHING, FLOP = 0, 3


class BoardStreet(NamedTuple):
    """A stage: how much of the board is seen, and the play by which the round goes on, if any."""

    stage: int
    seen: int
    on: Play | None


def required_streets(game: Game) -> tuple[BoardStreet, ...]:
    """The stages of a game that is known to fit."""
    found = streets_of(game)
    assert found is not None
    return found


@cache_by_identity
def streets_of(game: Game) -> tuple[BoardStreet, ...] | None:
    """The stages of the game; None where it is another."""
    fight = as_dealer_game(game)
    if fight is None or fight[:4] != (HOLE, BOARD, HOLE, HAND):
        return None
    found, before = [], -1
    for number, stage in enumerate(game.stages):
        own, seen, dealers = stage.opens
        last = number == len(game.stages) - 1
        on = [play for play in stage.plays if not last and not _ends_decisions(game, number, play)]
        if own != HOLE or dealers or seen <= before or seen not in (NOTHING, FLOP, BOARD):
            return None
        if (
            stage.when is not None
            or len(on) != (not last)
            or not all(map(_is_plain_play, stage.plays))
        ):
            return None
        if seen == BOARD and len(stage.plays) > 2:
            return None
        found.append(BoardStreet(number, seen, on[0] if on else None))
        before = seen
    return tuple(found) or None


def _ends_decisions(game: Game, number: int, play: Play) -> bool:
    """Whether nothing is decided after a play."""
    later = game.stages[number + 1 :]
    return play.folds or bool(play.puts and all(one.once for one in later))


def _is_plain_play(play: Play) -> bool:
    return not (play.takes or play.said or play.needs)


# Hands below a straight are most of those that are given up; the others are few enough to list.
COMMON_KINDS = ("high-card", "pair", "two-pair", "three-of-a-kind")
EventLines = list[tuple[tuple[Line, ...], ...] | None]  # By event, the lines of every seat.


@dataclass(frozen=True, eq=False)
class Cells:
    """The numbers that a sweep keeps: by group of kinds and event a cell, and an example of it."""

    terms: Terms
    groups: tuple[int, ...]  # By kind.
    examples: tuple[tuple[int | None, ...], ...]  # By group and event, a kind that comes out so.
    cells: tuple[tuple[int, ...], ...]  # By group and event; 0 also where that never comes.
    shown: tuple[tuple[int, int], ...]  # By cell: kind and event.

    def nets(self, seat: Seat) -> Ints:
        """By cell, what a seat nets in cents."""
        whole = self.terms.nets(seat)
        return np.array([whole[kind, event] for kind, event in self.shown], np.int64)

    def lines(self, seat: Seat, cell: int) -> tuple[Line, ...]:
        """What a seat's wagers come to in a cell."""
        found = self.terms.lines(seat, *self.shown[cell])
        assert found is not None
        return found

    @cached_property
    def shapes(self) -> tuple[int, ...]:
        """By class, its group."""
        fight = self.terms.fight
        return tuple(self.groups[kind] for kind in kinds_by_class(fight.best, fight.ace))

    @cached_property
    def listed(self) -> tuple[bool, ...]:
        """By group, whether boards on which it might be given up are few."""
        names = [kind.name for kind in catalogue(self.terms.fight.best)]
        firsts = [self.groups.index(group) for group in range(len(self.examples))]
        return tuple(not names[kind].startswith(COMMON_KINDS) for kind in firsts)

    def gains(self, first: Seat, other: Seat | None) -> Ints:
        """By group and event, what one seat nets above another; 0 where that never comes."""
        found = np.full((len(self.examples), len(EVENTS)), -1, np.int64)
        if other is None:
            return found
        whole = self.terms.nets(other) - self.terms.nets(first)
        for group, event in np.ndindex(*found.shape):
            kind = self.examples[group][event]
            found[group, event] = 0 if kind is None else whole[kind, event]
        return found

    def river(self, first: Seat, other: Seat | None, *, prefers: bool, listing: bool) -> River:
        """What a sweep must know. What hands are paid that are listed is no part of it.

        Those are taken to gain as much as any hand can: the boards where they do gain are among
        the boards where they then would.
        """
        gains = self.gains(first, other)
        listed = np.array(self.listed) & (listing and other is not None)
        comes = np.array([[kind is not None for kind in row] for row in self.examples])
        most = np.where(comes, gains, np.iinfo(np.int64).min).max(axis=0)
        gains = np.where(listed[:, None] & comes, most, gains)
        gains //= gcd(*(int(one) for one in gains.ravel())) or 1
        fight, told = self.terms.fight, tuple(tuple(row) for row in gains.tolist())
        few = tuple(bool(one) for one in listed)
        return River(fight.least, fight.ace, self.shapes, self.cells, told, few, prefers)


def cells_of(terms: Terms, seats: Sequence[Seat]) -> Cells:
    """The cells of a game whose rounds end with these seats."""
    kinds = catalogue(terms.fight.best)
    groups: list[tuple[str, EventLines, list[int | None]]] = []
    numbers = []
    for kind, rule in enumerate(kinds):
        told = [_event_lines(terms, seats, kind, event) for event in range(len(EVENTS))]
        numbers.append(_group_of(groups, rule.name, kind, told))
    cells: dict[Any, int] = {}
    shown: list[tuple[int, int]] = []
    table: list[tuple[int, ...]] = []
    for _, told, examples in groups:
        row = []
        for event, (lines, example) in enumerate(zip(told, examples, strict=True)):
            if example is None:
                row.append(0)
                continue
            alike = all(one[1][event] in (None, lines) for one in groups)
            key = event if alike else (event, len(table))
            if key not in cells:
                cells[key] = len(cells)
                shown.append((example, event))
            row.append(cells[key])
        table.append(tuple(row))
    kinds_shown = tuple(tuple(one[2]) for one in groups)
    return Cells(terms, tuple(numbers), kinds_shown, tuple(table), tuple(shown))


def _group_of(
    groups: list[tuple[str, EventLines, list[int | None]]], name: str, kind: int, told: EventLines
) -> int:
    """The group of a kind: one of its shape that is settled alike, or a new one."""
    shape = next((one for one in ("high-card", "pair") if name.startswith(one)), name)
    for number, (other, known, examples) in enumerate(groups):
        pairs = list(zip(known, told, strict=True))
        if other != shape or any(None not in pair and pair[0] != pair[1] for pair in pairs):
            continue
        for event, (old, new) in enumerate(pairs):
            if old is None and new is not None:
                known[event], examples[event] = new, kind
        return number
    groups.append((shape, told, [None if one is None else kind for one in told]))
    return len(groups) - 1


def _event_lines(
    terms: Terms, seats: Sequence[Seat], kind: int, event: int
) -> tuple[tuple[Line, ...], ...] | None:
    found = [terms.lines(seat, kind, event) for seat in seats]
    return None if None in found else tuple(lines for lines in found if lines is not None)


FLOPS_KEY = ("flops",)  # What the flops and pairs of one deck are kept by.
FLOPS_SECONDS = 1.0


@dataclass(frozen=True, eq=False)
class SweepRows:
    """A sweep, and the hole cards of every row.

    `swept.other` has only the cells in which anything is counted, and `some` says which they are.
    """

    swept: SweepCounts
    some: Ints
    hole: NDArray[np.int16]  # The number of a pair up to suits.
    pairs: Ints  # By that number, two cards.


def sweep_rows(river: River, laid: FlopPairs | None) -> SweepRows | None:
    """The sweep of a deck, a full one where none is named; None where too much would be listed."""
    return stored_rows(river) if laid is None else _make_rows(laid, river)


def _make_rows(laid: FlopPairs, river: River, outs_max: int | None = None) -> SweepRows | None:
    require_numba()
    found = sweep(laid, river, outs_max)
    if found is None:
        return None
    firsts, hole = np.unique(
        _lowest_pairs(laid)[laid.pairs[:, 0], laid.pairs[:, 1]], return_inverse=True
    )
    pairs = np.stack([firsts // 52, firsts % 52], axis=1)
    used_cells = np.flatnonzero(found.other.max(axis=0))
    narrow = found._replace(other=np.ascontiguousarray(found.other[:, used_cells]))
    return SweepRows(narrow, used_cells, hole.astype(np.int16), pairs)


def sweep_uncached(laid: FlopPairs, river: River, outs_max: int | None = None) -> SweepRows:
    """The sweep for a player's own rules, not kept: the next ones are others."""
    found = _make_rows(laid, river, outs_max)
    assert found is not None  # Nothing is listed.
    return found


def _lowest_pairs(laid: FlopPairs) -> Ints:
    """By two cards, the lowest pair that suits make of them."""
    one, two = (laid.swaps[:, side] for side in np.indices((52, 52)))
    found: Ints = (np.minimum(one, two) * 52 + np.maximum(one, two)).min(axis=0)
    return found


def counts_key(river: River) -> tuple[str, River]:
    """What a sweep is kept by."""
    return "boards", river


@lru_cache(maxsize=2)
def stored_rows(river: River) -> SweepRows | None:
    """The sweep of a full deck, mapped."""
    require_numba()

    def make() -> Mapping[str, NDArray[Any]]:
        rows = _make_rows(stored_flops(), river)
        if rows is None:
            return {}
        return {**rows.swept._asdict(), "some": rows.some, "hole": rows.hole, "pairs": rows.pairs}

    found = load_or_count(counts_key(river), make, SECONDS)
    if not found:
        return None
    sweep = SweepCounts(**{name: found[name] for name in SweepCounts._fields})
    return SweepRows(sweep, found["some"], found["hole"], found["pairs"])


@lru_cache(maxsize=1)
def stored_flops() -> FlopPairs:
    """The flops and pairs of one deck, mapped from disk."""
    return FlopPairs(**load_or_count(FLOPS_KEY, lambda: list_flops(DECK)._asdict(), FLOPS_SECONDS))
