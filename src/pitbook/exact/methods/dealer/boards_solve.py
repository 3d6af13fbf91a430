"""Best play of hold'em games, such as Ultimate Texas Hold'em, from the last decision back."""

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
from pitbook.exact.compiled_games import cache_by_identity
from pitbook.exact.methods.dealer.boards_sweep import (
    SECONDS,
    FlopPairs,
    River,
    SweepCounts,
    list_flops,
    sweep,
)
from pitbook.exact.methods.dealer.stored_counts import defer_compiling, load_or_count, require_numba
from pitbook.exact.methods.dealer.structure import (
    EVENTS,
    Terms,
    as_dealer_game,
    example_classes,
    kinds_by_class,
)
from pitbook.exact.methods.method import StrategyLine
from pitbook.exact.outcome_figures import Figures, figures_from_rows, main_row, round_row
from pitbook.hands.kinds import hand_kinds
from pitbook.rules.actions import PASSED, Play
from pitbook.rules.game import Game, Seat
from pitbook.rules.settlement_lines import Line

Ints = NDArray[np.int64]
BATCH_SIZE = 2**17  # Boards processed at a time.


@dataclass(frozen=True, eq=False)
class StreetPlan:
    """The seats of a game: on every street the plays, and where each leads."""

    terms: Terms
    streets: tuple[BoardStreet, ...]
    plays: tuple[tuple[Play, ...], ...]  # By street, the plays that the player makes.
    all_plays: tuple[tuple[Play, ...], ...]  # By street, all plays of the game.
    seats: tuple[Seat, ...]  # By street, before its play.
    own_cells: Cells | None = None  # Instead of the coarsest ones.

    @cached_property
    def end_seats(self) -> dict[tuple[int, Play], Seat]:
        """Every play that ends the decisions, with the seat after it."""
        return {
            (number, play): self._after(number, play)
            for number, (street, plays) in enumerate(zip(self.streets, self.all_plays, strict=True))
            for play in plays
            if play != street.go_on
        }

    def _after(self, street: int, play: Play) -> Seat:
        """The seat of a round that ends with a play; later stages are passed."""
        seat = self.seats[street].after_play(play)
        for _ in self.streets[street + 1 :]:
            seat = seat if seat.folded else seat.after_play(PASSED)
        return seat

    @cached_property
    def cells(self) -> Cells:
        """The cells in which results are counted."""
        return self.own_cells or cells_of(self.terms, list(self.end_seats.values()))

    @property
    def decides_on_river(self) -> bool:
        """Whether there is a decision after the whole board is seen."""
        return self.streets[-1].board_cards == BOARD

    @cached_property
    def last_two(self) -> tuple[Seat, Seat | None]:
        """The seats after the last street's plays: the one that stays in first."""
        return self._last(self.plays[-1])

    def _last(self, plays: Sequence[Play]) -> tuple[Seat, Seat | None]:
        last_street = len(self.streets) - 1
        seats = [
            self.end_seats[last_street, play] for play in sorted(plays, key=lambda play: play.folds)
        ]
        return seats[0], seats[1] if len(seats) > 1 and self.decides_on_river else None

    @property
    def prefers(self) -> bool:
        """Whether the other play is chosen if two plays at the end are equal (GEN-16)."""
        return self.all_plays[-1][0].folds

    def river(self, *, listing: bool = True) -> River:
        """The input of the sweep."""
        first, alternative = self._last(self.all_plays[-1])
        return self.cells.river(first, alternative, prefers=self.prefers, listing=listing)


# Selects the plays to consider from those allowed on a street.
PlayFilter = Callable[[Sequence[Play]], Sequence[Play]]


def plan_of(terms: Terms, play_filter: PlayFilter | None = None) -> StreetPlan:
    """The plan of a game with one decision on each street."""
    streets, seat, seats, plays, all_plays = required_streets(terms.game), terms.seat, [], [], []
    without_purse = replace(terms, purse=None)
    for street in streets:
        seats.append(seat)
        all_plays.append(without_purse.plays(street.stage, seat))
        allowed = terms.plays(street.stage, seat)
        plays.append(tuple(play_filter(allowed)) if play_filter else allowed)
        if street.go_on is not None:
            seat = seat.after_play(street.go_on)
    return StreetPlan(terms, streets, tuple(plays), tuple(all_plays), tuple(seats))


class StreetValues(NamedTuple):
    """On one street, the value of every play in cents over all deals, and the best play."""

    worths: NDArray[Any]
    best: NDArray[np.int8]


class HoleCounts(NamedTuple):
    """Hole cards up to suits: two cards of each pair, and how often each cell occurs with it."""

    pairs: Ints
    counts: Ints


class StoredOutcomes(NamedTuple):
    """The parts of a precomputed solution that would need a sweep."""

    holes: HoleCounts
    lines: Callable[[], list[StrategyLine]] | None  # None if they must be computed.


class SweptDecisions(NamedTuple):
    """A sweep, and by row the index of the play after the flop."""

    rows: SweepRows
    after_flop: NDArray[np.int8] | None


@dataclass(frozen=True, eq=False)
class Solution:
    """Best play by hole cards before the flop and by row after it, and the count of each end.

    A precomputed solution has no rows; they are swept when something asks for them.
    """

    plan: StreetPlan
    before_flop: StreetValues | None  # By pair of hole cards, up to suits.
    event_counts: dict[tuple[int, Play], list[int]]  # By end: counts by cell.
    last: tuple[bool, ...] | None = None  # By class, whether the other last play is chosen.
    decided: SweptDecisions | None = None
    stored: StoredOutcomes | None = None

    @cached_property
    def _swept(self) -> SweptDecisions:
        if self.decided is not None:
            return self.decided
        computed = _solve_streets(self.plan, _rows_of(self.plan, None)).decided
        assert computed is not None
        return computed

    @property
    def rows(self) -> SweepRows:
        """The sweep over all boards."""
        return self._swept.rows

    @property
    def after_flop(self) -> NDArray[np.int8] | None:
        """By row, the index of the play after the flop."""
        return self._swept.after_flop

    @cached_property
    def holes(self) -> HoleCounts:
        """What happens with each pair of hole cards, whatever is played."""
        if self.stored is not None:
            return self.stored.holes
        from pitbook.exact.methods.dealer.boards_kernels import add_rows  # noqa: PLC0415

        pairs = self.rows.pairs
        return HoleCounts(pairs, add_rows(self.rows.swept.every, self.rows.hole, len(pairs)))

    @property
    def deals(self) -> Ints:
        """By pair of hole cards, the number of deals."""
        return np.asarray(self.holes.counts.sum(axis=1))

    def worths_after_flop(self) -> Ints:
        """By play after the flop and row, in cents over all deals. Not cached."""
        plan, all_counts = self.plan, self.rows.swept.every
        street = [street_plan.board_cards for street_plan in plan.streets].index(FLOP)
        return _values_after_flop(plan, street, all_counts, _values_at_end(plan, self.rows))

    @property
    def rounds(self) -> int:
        """The number of deals, each counted once for every flop that its board contains."""
        return sum(map(sum, self.event_counts.values()))

    @cached_property
    def expected(self) -> Fraction:
        """The value of a round in main wagers."""
        cells, net = self.plan.cells, 0
        for end, counts in self.event_counts.items():
            nets = cells.nets(self.plan.end_seats[end]).tolist()
            net += sum(count * net for count, net in zip(counts, nets, strict=True))
        return Fraction(net, self.rounds * self.plan.terms.stake)

    @cached_property
    def figures(self) -> Figures:
        """The main game's figures, without side wagers."""
        side, stake = self.plan.terms.side or {}, self.plan.terms.stake
        return figures_from_rows(
            main_row([line for line in lines if line.wager not in side], stake, count)
            for lines, count in self.end_lines()
        )

    def round_figures(self) -> Figures:
        """The figures of the main game and side wagers together, in main wagers."""
        stake = self.plan.terms.stake
        return figures_from_rows(
            round_row(lines, stake, count) for lines, count in self.end_lines()
        )

    def end_lines(self) -> Iterator[tuple[tuple[Line, ...], int]]:
        """The lines of all wagers for every way a round can end, and their counts."""
        for end, counts in self.event_counts.items():
            for cell, count in enumerate(counts):
                if count:
                    yield self.plan.cells.lines(self.plan.end_seats[end], cell), count

    def entries(self) -> Iterator[StrategyLine]:
        """Every decision before the whole board is seen."""
        from pitbook.exact.methods.dealer.boards_strategies import lines_of  # noqa: PLC0415

        if self.stored is not None and self.stored.lines is not None:
            return iter(self.stored.lines())
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
    """The decisions of a player's rules: by hole cards, by row, and by class on the board."""

    before_flop: NDArray[np.int8] | None
    after_flop: NDArray[np.int8] | None
    last: tuple[bool, ...]


def solve_decisions(plan: StreetPlan, rows: SweepRows, decisions: RuleDecisions) -> Solution:
    """The solution for given decisions; the rows must be swept with the same play on the board."""
    return _solve_streets(plan, rows, decisions)


def solve(
    terms: Terms, deck: Sequence[Card] | None = None, play_filter: PlayFilter | None = None
) -> Solution:
    """Best play of a game; `deck` and `play_filter` restrict the cards and the plays."""
    from pitbook.exact.methods.dealer.shipped_solutions import board_solution  # noqa: PLC0415

    plan = plan_of(terms, play_filter)
    solution = board_solution(plan) if deck is None else None
    return solution or _solve_streets(plan, _rows_of(plan, deck))


def solve_plan(plan: StreetPlan) -> Solution:
    """The solution of a plan, swept even if it is precomputed."""
    return _solve_streets(plan, _rows_of(plan, None))


def _rows_of(plan: StreetPlan, deck: Sequence[Card] | None) -> SweepRows:
    defer_compiling("boards")
    flops = None if deck is None else list_flops(deck)
    rows = sweep_rows(plan.river(), flops) or sweep_rows(plan.river(listing=False), flops)
    assert rows is not None  # Without listing this never fails.
    return rows


def _solve_streets(
    plan: StreetPlan, rows: SweepRows, decisions: RuleDecisions | None = None
) -> Solution:
    """Solve the streets backward, then count the ends forward.

    The tables of a sweep are large: they are neither copied nor stored in the solution.
    """
    from pitbook.exact.methods.dealer.boards_kernels import add_rows  # noqa: PLC0415

    all_counts = rows.swept.every
    cards_seen = [street.board_cards for street in plan.streets]
    value, after, before = _values_at_end(plan, rows), None, None
    if FLOP in cards_seen:
        values = _values_after_flop(plan, cards_seen.index(FLOP), all_counts, value)
        after = values.argmax(axis=0).astype(np.int8)
        if decisions is not None and decisions.after_flop is not None:
            after = decisions.after_flop
        value = values[after, np.arange(len(after))]
        del values
    if cards_seen[0] == NOTHING:
        before = _values_before_flop(plan, rows, value)
        if decisions is not None and decisions.before_flop is not None:
            before = before._replace(best=decisions.before_flop)
    codes, ends = _end_codes(plan, rows, before, after)
    sums = add_rows(all_counts, codes, len(ends) + 1)
    event_counts = dict(zip(ends, sums.tolist(), strict=False))
    if plan.decides_on_river:
        alternative_sums = np.zeros_like(sums[-1])
        if plan.last_two[1] is not None:
            alternative_sums = _last_play_table(plan, rows).add_rows(codes, len(ends) + 1)[-1]
        for play in plan.plays[-1]:
            end = len(plan.streets) - 1, play
            is_alternative = plan.end_seats[end] == plan.last_two[1]
            event_counts[end] = (
                alternative_sums if is_alternative else sums[-1] - alternative_sums
            ).tolist()
    last = None if decisions is None else decisions.last
    return Solution(plan, before, event_counts, last, SweptDecisions(rows, after))


class LastPlayTable(NamedTuple):
    """How often the second of the last two plays is chosen, by row and cell.

    Stored as a table over some cells, plus single boards on which the play is chosen.
    """

    width: int  # Of all cells.
    sweep: SweepCounts
    used_cells: Ints  # The cells of the table.
    cells: Ints  # By shape and event.
    chosen: NDArray[np.bool_]  # By listed board.

    def multiply_rows(self, nets: Ints) -> Ints:
        """By row, the product with a number for each cell."""
        from pitbook.exact.methods.dealer.boards_kernels import multiply_rows  # noqa: PLC0415

        sums: Ints = multiply_rows(self.sweep.other, nets[self.used_cells])
        for rows, cells, counts in self._boards():
            np.add.at(sums, rows, (counts * nets[cells]).sum(axis=1))
        return sums

    def add_rows(self, group_of_row: NDArray[np.int16], group_count: int) -> Ints:
        """Sum rows by group."""
        from pitbook.exact.methods.dealer.boards_kernels import add_rows  # noqa: PLC0415

        sums = np.zeros((group_count, self.width), np.int64)
        sums[:, self.used_cells] = add_rows(self.sweep.other, group_of_row, group_count)
        for rows, cells, counts in self._boards():
            np.add.at(sums, (group_of_row[rows, None], cells), counts)
        return sums

    def _boards(self) -> Iterator[tuple[NDArray[np.int32], Ints, Ints]]:
        """Boards on which the play is chosen, in batches: row, cells and counts of each."""
        sweep = self.sweep
        for start in range(0, len(self.chosen), BATCH_SIZE):
            boards = start + np.flatnonzero(self.chosen[start : start + BATCH_SIZE])
            counts: Ints = sweep.counts[boards].astype(np.int64) * sweep.often[boards, None]
            yield sweep.where[boards], self.cells[sweep.shapes[boards]], counts


def _last_play_table(plan: StreetPlan, rows: SweepRows) -> LastPlayTable:
    sweep, table = rows.swept, np.array(plan.cells.cells)
    if not len(sweep.where):
        return LastPlayTable(
            sweep.every.shape[1], sweep, rows.used_cells, table, np.zeros(0, np.bool_)
        )
    gains, chosen = plan.cells.gains(*plan.last_two), np.empty(len(sweep.where), np.bool_)
    for start in range(0, len(chosen), BATCH_SIZE):
        batch = slice(start, start + BATCH_SIZE)
        gain = (gains[sweep.shapes[batch]] * sweep.counts[batch]).sum(axis=1)
        chosen[batch] = gain >= 0 if plan.prefers else gain > 0
    return LastPlayTable(sweep.every.shape[1], sweep, rows.used_cells, table, chosen)


def _values_at_end(plan: StreetPlan, rows: SweepRows) -> Ints | None:
    """By row, the value of going on to the full board."""
    from pitbook.exact.methods.dealer.boards_kernels import multiply_rows  # noqa: PLC0415

    if not plan.decides_on_river:
        return None
    first, alternative = plan.last_two
    nets = plan.cells.nets(first)
    values: Ints = multiply_rows(rows.swept.every, nets)
    if alternative is not None:
        values += _last_play_table(plan, rows).multiply_rows(plan.cells.nets(alternative) - nets)
    return values


def _values_after_flop(
    plan: StreetPlan, street: int, all_counts: NDArray[np.int32], go_on_values: Ints | None
) -> Ints:
    """By play and row, its value."""
    from pitbook.exact.methods.dealer.boards_kernels import multiply_rows  # noqa: PLC0415

    values = [
        go_on_values
        if play == plan.streets[street].go_on
        else multiply_rows(all_counts, _play_nets(plan, street, play))
        for play in plan.plays[street]
    ]
    return np.array(values)


def _values_before_flop(
    plan: StreetPlan, rows: SweepRows, go_on_values: Ints | None
) -> StreetValues:
    """The value of each play with each pair of hole cards, up to suits, as exact integers."""
    from pitbook.exact.methods.dealer.boards_kernels import add_halves, add_rows  # noqa: PLC0415

    pair_count = len(rows.pairs)
    sums = add_rows(rows.swept.every, rows.hole, pair_count).astype(object)
    values = []
    for play in plan.plays[0]:
        if play == plan.streets[0].go_on:
            high, low = add_halves(go_on_values, rows.hole, pair_count)
            values.append(high.astype(object) * 2**32 + low)
        else:
            values.append(sums @ _play_nets(plan, 0, play).astype(object))
    worth_table = np.array(values)
    return StreetValues(worth_table, worth_table.argmax(axis=0).astype(np.int8))


def _play_nets(plan: StreetPlan, street: int, play: Play) -> Ints:
    return plan.cells.nets(plan.end_seats[street, play])


def _end_codes(
    plan: StreetPlan, rows: SweepRows, before: StreetValues | None, after: NDArray[np.int8] | None
) -> tuple[NDArray[np.int16], list[tuple[int, Play]]]:
    """By row the number of its end; the last number is for rows that see the full board."""
    cards_seen = [street.board_cards for street in plan.streets]
    ends = [end for end in plan.end_seats if cards_seen[end[0]] != BOARD]
    codes = np.full(len(rows.hole), len(ends), np.int16)
    before_best = None if before is None else before.best[rows.hole]
    for street, choices in ((FLOP, after), (NOTHING, before_best)):
        if choices is None:
            continue
        number = cards_seen.index(street)
        for index, play in enumerate(plan.plays[number]):
            if (number, play) in ends:
                codes[choices == index] = ends.index((number, play))
    return codes, ends


HOLE, BOARD, HAND = 2, 5, 5
NOTHING, FLOP = 0, 3


class BoardStreet(NamedTuple):
    """A stage: the board cards seen, and the play that goes on to the next street, if any."""

    stage: int
    board_cards: int
    go_on: Play | None


def required_streets(game: Game) -> tuple[BoardStreet, ...]:
    """The streets of a game that fits this method."""
    streets = streets_of(game)
    assert streets is not None
    return streets


@cache_by_identity
def streets_of(game: Game) -> tuple[BoardStreet, ...] | None:
    """The streets of a game, or None if it does not fit this method."""
    dealer_game = as_dealer_game(game)
    if dealer_game is None or dealer_game[:4] != (HOLE, BOARD, HOLE, HAND):
        return None
    streets, previous = [], -1
    for number, stage in enumerate(game.stages):
        hole, board_cards, dealer_cards = stage.opens
        last = number == len(game.stages) - 1
        going_on = [
            play for play in stage.plays if not last and not _ends_decisions(game, number, play)
        ]
        if (
            hole != HOLE
            or dealer_cards
            or board_cards <= previous
            or board_cards not in (NOTHING, FLOP, BOARD)
        ):
            return None
        if (
            stage.when is not None
            or len(going_on) != (not last)
            or not all(map(_is_plain_play, stage.plays))
        ):
            return None
        if board_cards == BOARD and len(stage.plays) > 2:
            return None
        streets.append(BoardStreet(number, board_cards, going_on[0] if going_on else None))
        previous = board_cards
    return tuple(streets) or None


def _ends_decisions(game: Game, number: int, play: Play) -> bool:
    """Whether a play leaves no further decision."""
    later = game.stages[number + 1 :]
    return play.folds or bool(play.puts and all(stage.once for stage in later))


def _is_plain_play(play: Play) -> bool:
    return not (play.takes or play.declaration or play.needs)


# Most folded hands are below a straight; the others are few enough to list.
COMMON_KINDS = ("high-card", "pair", "two-pair", "three-of-a-kind")
EventLines = list[tuple[tuple[Line, ...], ...] | None]  # By event, the lines of every seat.


@dataclass(frozen=True, eq=False)
class Cells:
    """The counters of a sweep: a cell for each group of kinds and event, with an example."""

    terms: Terms
    groups: tuple[int, ...]  # By kind.
    examples: tuple[tuple[int | None, ...], ...]  # By group and event, a kind with this result.
    cells: tuple[tuple[int, ...], ...]  # By group and event; 0 if it never occurs.
    examples_by_cell: tuple[tuple[int, int], ...]  # By cell: kind and event.

    @cached_property
    def occurring(self) -> frozenset[tuple[int, int]]:
        """Every kind and event that can occur together."""
        kinds, dealer_game = range(len(self.groups)), self.terms.dealer_game
        return frozenset(
            (kind, event)
            for kind in kinds
            for event in range(len(EVENTS))
            if example_classes(dealer_game, kind, event) is not None
        )

    def nets(self, seat: Seat) -> Ints:
        """By cell, what a seat nets in cents."""
        nets = self.terms.nets(seat)
        return np.array([nets[kind, event] for kind, event in self.examples_by_cell], np.int64)

    def lines(self, seat: Seat, cell: int) -> tuple[Line, ...]:
        """The settled lines of a seat's wagers in a cell."""
        lines = self.terms.lines(seat, *self.examples_by_cell[cell])
        assert lines is not None
        return lines

    @cached_property
    def shapes(self) -> tuple[int, ...]:
        """By class, its group."""
        dealer_game = self.terms.dealer_game
        return tuple(
            self.groups[kind] for kind in kinds_by_class(dealer_game.best_cards, dealer_game.ace)
        )

    @cached_property
    def listed(self) -> tuple[bool, ...]:
        """By group, whether few boards with it may be folded."""
        names = [kind.name for kind in hand_kinds(self.terms.dealer_game.best_cards)]
        example_kinds = [self.groups.index(group) for group in range(len(self.examples))]
        return tuple(not names[kind].startswith(COMMON_KINDS) for kind in example_kinds)

    def gains(self, first: Seat, alternative: Seat | None) -> Ints:
        """By group and event, what `alternative` nets above `first`; 0 if it never occurs."""
        gains = np.full((len(self.examples), len(EVENTS)), -1, np.int64)
        if alternative is None:
            return gains
        difference = self.terms.nets(alternative) - self.terms.nets(first)
        for group, event in np.ndindex(*gains.shape):
            kind = self.examples[group][event]
            gains[group, event] = 0 if kind is None else difference[kind, event]
        return gains

    def river(
        self, first: Seat, alternative: Seat | None, *, prefers: bool, listing: bool
    ) -> River:
        """The input of a sweep. It does not depend on the pays of listed hands.

        Listed hands are assumed to gain as much as any hand can: the boards where they really
        gain are among those boards.
        """
        gains = self.gains(first, alternative)
        is_listed = np.array(self.listed) & (listing and alternative is not None)
        occurs = np.array([[kind is not None for kind in row] for row in self.examples])
        highest = np.where(occurs, gains, np.iinfo(np.int64).min).max(axis=0)
        gains = np.where(is_listed[:, None] & occurs, highest, gains)
        gains //= gcd(*(int(gain) for gain in gains.ravel())) or 1
        dealer_game, gain_rows = self.terms.dealer_game, tuple(tuple(row) for row in gains.tolist())
        listed_groups = tuple(bool(flag) for flag in is_listed)
        return River(
            dealer_game.qualifying_class,
            dealer_game.ace,
            self.shapes,
            self.cells,
            gain_rows,
            listed_groups,
            prefers,
        )


def cells_of(terms: Terms, seats: Sequence[Seat]) -> Cells:
    """The cells of a game whose rounds end with these seats."""
    kinds = hand_kinds(terms.dealer_game.best_cards)
    groups: list[tuple[str, EventLines, list[int | None]]] = []
    numbers = []
    for kind, rule in enumerate(kinds):
        event_lines = [_event_lines(terms, seats, kind, event) for event in range(len(EVENTS))]
        numbers.append(_group_of(groups, rule.name, kind, event_lines))
    cells: dict[Any, int] = {}
    examples_by_cell: list[tuple[int, int]] = []
    table: list[tuple[int, ...]] = []
    for _, event_lines, examples in groups:
        row = []
        for event, (lines, example) in enumerate(zip(event_lines, examples, strict=True)):
            if example is None:
                row.append(0)
                continue
            alike = all(group[1][event] in (None, lines) for group in groups)
            key = event if alike else (event, len(table))
            if key not in cells:
                cells[key] = len(cells)
                examples_by_cell.append((example, event))
            row.append(cells[key])
        table.append(tuple(row))
    kinds_shown = tuple(tuple(group[2]) for group in groups)
    return Cells(terms, tuple(numbers), kinds_shown, tuple(table), tuple(examples_by_cell))


def _group_of(
    groups: list[tuple[str, EventLines, list[int | None]]],
    name: str,
    kind: int,
    event_lines: EventLines,
) -> int:
    """The group of a kind: one of the same shape and settlement, or a new one."""
    shape = next((prefix for prefix in ("high-card", "pair") if name.startswith(prefix)), name)
    for number, (other_shape, group_lines, examples) in enumerate(groups):
        pairs = list(zip(group_lines, event_lines, strict=True))
        if other_shape != shape or any(None not in pair and pair[0] != pair[1] for pair in pairs):
            continue
        for event, (old, new) in enumerate(pairs):
            if old is None and new is not None:
                group_lines[event], examples[event] = new, kind
        return number
    groups.append((shape, event_lines, [None if lines is None else kind for lines in event_lines]))
    return len(groups) - 1


def _event_lines(
    terms: Terms, seats: Sequence[Seat], kind: int, event: int
) -> tuple[tuple[Line, ...], ...] | None:
    lines_by_seat = [terms.lines(seat, kind, event) for seat in seats]
    return (
        None
        if None in lines_by_seat
        else tuple(lines for lines in lines_by_seat if lines is not None)
    )


FLOPS_KEY = ("flops",)  # The storage key of the flops and pairs of one deck.
FLOPS_SECONDS = 1.0


@dataclass(frozen=True, eq=False)
class SweepRows:
    """A sweep, and the hole cards of every row.

    `swept.other` has only the cells that are not always zero; `used_cells` are their numbers.
    """

    swept: SweepCounts
    used_cells: Ints
    hole: NDArray[np.int16]  # The number of a pair, up to suits.
    pairs: Ints  # By that number, two cards.


def sweep_rows(river: River, flops: FlopPairs | None) -> SweepRows | None:
    """The sweep of a deck (default: the full deck). None if too many boards would be listed."""
    return stored_rows(river) if flops is None else _make_rows(flops, river)


def _make_rows(flops: FlopPairs, river: River, outs_max: int | None = None) -> SweepRows | None:
    require_numba()
    counts = sweep(flops, river, outs_max)
    if counts is None:
        return None
    lowest, hole = np.unique(
        _lowest_pairs(flops)[flops.pairs[:, 0], flops.pairs[:, 1]], return_inverse=True
    )
    pairs = np.stack([lowest // 52, lowest % 52], axis=1)
    used_cells = np.flatnonzero(counts.other.max(axis=0))
    narrow = counts._replace(other=np.ascontiguousarray(counts.other[:, used_cells]))
    return SweepRows(narrow, used_cells, hole.astype(np.int16), pairs)


def sweep_uncached(flops: FlopPairs, river: River, outs_max: int | None = None) -> SweepRows:
    """The sweep for a player's own rules, not cached."""
    rows = _make_rows(flops, river, outs_max)
    assert rows is not None  # Without listing this never fails.
    return rows


def _lowest_pairs(flops: FlopPairs) -> Ints:
    """By two cards, the lowest pair that they can be mapped to by swapping suits."""
    first, second = (flops.swaps[:, side] for side in np.indices((52, 52)))
    lowest: Ints = (np.minimum(first, second) * 52 + np.maximum(first, second)).min(axis=0)
    return lowest


def counts_key(river: River) -> tuple[str, River]:
    """The storage key of a sweep."""
    return "boards", river


@lru_cache(maxsize=2)
def stored_rows(river: River) -> SweepRows | None:
    """The sweep of a full deck, mapped from disk."""
    require_numba()

    def make() -> Mapping[str, NDArray[Any]]:
        rows = _make_rows(stored_flops(), river)
        if rows is None:
            return {}
        return {
            **rows.swept._asdict(),
            "some": rows.used_cells,
            "hole": rows.hole,
            "pairs": rows.pairs,
        }

    arrays = load_or_count(counts_key(river), make, SECONDS)
    if not arrays:
        return None
    sweep = SweepCounts(**{name: arrays[name] for name in SweepCounts._fields})
    return SweepRows(sweep, arrays["some"], arrays["hole"], arrays["pairs"])


@lru_cache(maxsize=1)
def stored_flops() -> FlopPairs:
    """The flops and pairs of one deck, mapped from disk."""
    return FlopPairs(**load_or_count(FLOPS_KEY, lambda: list_flops(DECK)._asdict(), FLOPS_SECONDS))
