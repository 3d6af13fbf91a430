"""The sweep over all boards: the results of every pair of hole cards after every flop.

Given a suit, a card's type is its rank and whether it is of that suit. If no suit has three
cards on the board, ranks alone decide the showdown. So the results of a flop and a pair are
those of their ranks on all boards, corrected for each suit of the flop on boards with three or
more of it, where types decide instead. Both are sums over few boards. A *source* is a flop with
a pair, by rank or by type; every flop and pair of cards has one source by rank and one for each
suit of its flop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, combinations_with_replacement, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import DECK, Card
from pitbook.exact.long_computations import require_memory, track_parts
from pitbook.exact.methods.dealer.pairs_solve import suit_swaps
from pitbook.exact.methods.dealer.strength import KEYS, strength_of
from pitbook.hands.kinds import Ace
from pitbook.text import say

KindNumbers = tuple[int, ...]  # Types, ascending.
RANKS, TYPES, SUITS = 13, 26, 4
PAIRS = TYPES * (TYPES + 1) // 2
FLUSHES = 3  # With this many of one suit on the board, two more make a flush.


class Boards(NamedTuple):
    """Boards by rank, or by type with three or more of one suit, and the flops within them."""

    boards: Ints
    deck: Ints  # By type, the number of cards.
    numbers: NDArray[np.int32]  # By three types, the number of the flop; -1 if there is none.

    @property
    def flops_within(self) -> Ints:
        """By flop: a board, the two types that complete it, the cards left of each, and 1.

        Of equal types on a board the first are used.
        """
        parts = []
        for first, second in combinations(range(5), 2):
            flop = [index for index in range(5) if index not in (first, second)]
            u, v, flop_types = self.boards[:, first], self.boards[:, second], self.boards[:, flop]
            repeated = (self.boards[:, max(first - 1, 0)] == u) & (first > 0)
            repeated |= (self.boards[:, second - 1] == v) & (second > first + 1)
            number = self.numbers[flop_types[:, 0], flop_types[:, 1], flop_types[:, 2]].astype(
                np.int64
            )
            remaining = [
                self.deck[kind] - (flop_types == kind[:, None]).sum(axis=1) for kind in (u, v)
            ]
            rows = np.stack([number, np.arange(len(u)), u, v, *remaining, np.ones_like(u)], axis=1)
            parts.append(rows[~repeated])
        all_rows = np.concatenate(parts)
        return all_rows[np.argsort(all_rows[:, 0], kind="stable")]

    @property
    def codes(self) -> Ints:
        """By board, a number that identifies its ranks."""
        return np.sort(self.boards % RANKS, axis=1) @ RANKS ** np.arange(4, -1, -1)


class TypedBoards(NamedTuple):
    """All boards of a deck, by rank and by suit. Suits with equal ranks share an entry."""

    boards: tuple[Boards, ...]
    suit_index: tuple[int, ...]  # By suit, the index in `boards`.
    flop_count: int  # Total number of flops.

    def sources(self, flops: FlopPairs) -> Ints:
        """By row, its sources as numbers of flop and pair; -1 if the flop lacks the suit."""
        numbers = [_source_numbers(self.boards[0].numbers, flops, None)]
        for suit, board_index in enumerate(self.suit_index):
            numbers.append(_source_numbers(self.boards[board_index].numbers, flops, suit))
        return np.stack(numbers, axis=1)


def typed_flops(flop_pairs: FlopPairs) -> TypedBoards:
    """The boards of a deck, with numbered flops."""
    deck = {int(card) for card in flop_pairs.deck}
    by_rank = Counter(card // SUITS for card in deck)
    suits = [
        frozenset(card // SUITS for card in deck if card % SUITS == suit) for suit in range(SUITS)
    ]
    ranks = np.array([by_rank[rank] for rank in range(RANKS)] + [0] * RANKS)
    boards, flop_count = [_index_flops(_boards_by_rank(by_rank), ranks, 0)], 0
    distinct = list(dict.fromkeys(suits))
    for suit in distinct:
        flop_count = int(boards[-1].numbers.max()) + 1 or flop_count
        offsuit = [by_rank[rank] - (rank in suit) for rank in range(RANKS)]
        types = np.array(offsuit + [int(rank in suit) for rank in range(RANKS)])
        boards.append(_index_flops(_boards_by_type(types), types, flop_count))
    flop_count = int(boards[-1].numbers.max()) + 1 or flop_count
    return TypedBoards(tuple(boards), tuple(1 + distinct.index(suit) for suit in suits), flop_count)


def _boards_by_rank(deck: Counter[int]) -> Iterator[KindNumbers]:
    for board in combinations_with_replacement(range(RANKS), 5):
        if all(count <= deck[rank] for rank, count in Counter(board).items()):
            yield board


def _boards_by_type(deck: Ints) -> Iterator[KindNumbers]:
    suited = [kind for kind in range(RANKS, TYPES) if deck[kind]]
    for size in range(FLUSHES, 6):
        offsuit = [
            ranks
            for ranks in combinations_with_replacement(range(RANKS), 5 - size)
            if all(count <= deck[kind] for kind, count in Counter(ranks).items())
        ]
        for suited_cards in combinations(suited, size):
            yield from (offsuit_cards + suited_cards for offsuit_cards in offsuit)


def _index_flops(boards: Iterator[KindNumbers], deck: Ints, start: int) -> Boards:
    """Boards with the flops within them, numbered from `start`."""
    board_list = list(boards)
    flops = dict.fromkeys(flop for board in board_list for flop in combinations(board, 3))
    numbers = np.full((TYPES,) * 3, -1, np.int32)
    for number, flop in enumerate(flops, start):
        numbers[flop] = number
    return Boards(np.array(board_list, np.int64).reshape(-1, 5), deck, numbers)


def _source_numbers(numbers: NDArray[np.int32], flop_pairs: FlopPairs, suit: int | None) -> Ints:
    """By row, the number of flop and pair, by type for a suit, or by rank."""
    flops, pairs = (_card_types(cards, suit) for cards in (flop_pairs.flops, flop_pairs.pairs))
    number = numbers[flops[:, 0], flops[:, 1], flops[:, 2]].astype(np.int64)
    flop = np.repeat(number, np.diff(flop_pairs.starts))
    pair = pairs[:, 1] * (pairs[:, 1] + 1) // 2 + pairs[:, 0]
    return np.where(flop < 0, -1, flop * PAIRS + pair)


def _card_types(cards: Ints, suit: int | None) -> Ints:
    return np.sort(cards // SUITS + RANKS * (cards % SUITS == suit), axis=1)


Ints = NDArray[np.int64]
PARTS = 8  # For progress reports.
SECONDS = 4.0  # Approximate total time.
LISTED_MAX = 4_000_000  # Boards stored one by one; a game with more is swept with its own pays.
LISTED = 2
# Events of a hand that would not qualify as the dealer's hand, and of one that would.
INSIDE, OUTSIDE = np.array([0, 3, 4, 5]), np.array([0, 1, 2, 5])
ONE_OF, TWO_OF = np.array([(low, high) for high in range(TYPES) for low in range(high + 1)]).T
LOW, HIGH = np.sort(np.stack([ONE_OF % RANKS, TWO_OF % RANKS]), axis=0)
AS_TYPES = np.arange(PAIRS)
AS_RANKS = HIGH * (HIGH + 1) // 2 + LOW


class RankedBoards(NamedTuple):
    """By board and pair of types: four event counts, the class, and whether the other play is
    chosen.
    """

    amounts: NDArray[np.int16]
    classes: NDArray[np.int16]
    takes: NDArray[np.int8]


class WorkSpace(NamedTuple):
    """Scratch space for one board after the other."""

    left: Ints  # By type.
    held: Ints
    under: Ints
    slot: Ints  # By class.
    distinct: Ints  # By number of a pair.
    order: Ints


def sweep(flop_pairs: FlopPairs, river: River, outs_max: int | None = None) -> SweepCounts | None:
    """The whole sweep, or None if too many boards would be listed.

    With `outs_max`, the other play is made if more than that many unseen cards beat the hand.
    """
    kinds = typed_flops(flop_pairs)
    cells, rows = max(map(max, river.cells)) + 1, len(flop_pairs.pairs)
    boards = sum(len(group.boards) for group in kinds.boards)
    size = PAIRS * (8 * cells * kinds.flop_count + 11 * boards) + 8 * cells * rows
    require_memory(size, say("exact.large.board-sums"), say("exact.large.no-side-wagers"))
    shape = kinds.flop_count, PAIRS, cells
    sums = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
    plain, *suited = kinds.boards
    by_rank = _rank_boards(plain, river, outs_max)
    listed = [_add_boards(plain.flops_within, AS_TYPES, by_rank, river, sums)]
    for group in suited:
        flops_within = group.flops_within
        listed.append(
            _add_boards(flops_within, AS_TYPES, _rank_boards(group, river, outs_max), river, sums)
        )
        flops_within[:, 1] = np.searchsorted(plain.codes, group.codes)[flops_within[:, 1]]
        flops_within[:, 6] = -1
        listed.append(_add_boards(flops_within, AS_RANKS, by_rank, river, sums))
    listed_counts = tuple(map(np.concatenate, zip(*listed, strict=True)))
    return _sum_by_row(sums, listed_counts, kinds.sources(flop_pairs), _row_weights(flop_pairs))


def _row_weights(flop_pairs: FlopPairs) -> Ints:
    """By row, how many flops and pairs it represents."""
    return np.repeat(flop_pairs.ways, np.diff(flop_pairs.starts)) * flop_pairs.sizes


def _class_cells(river: River) -> tuple[Ints, Ints, Ints]:
    """By class, its shape, the numbers of its four events, and their cells."""
    shapes = np.array(river.shapes)
    inside = np.arange(len(shapes)) < river.qualifying_class
    events = np.where(inside[:, None], INSIDE, OUTSIDE)
    return shapes, events, np.array(river.cells)[shapes[:, None], events]


def _rank_boards(boards: Boards, river: River, outs_max: int | None) -> RankedBoards:
    from pitbook.exact.methods.dealer.boards_kernels import compare_pairs_on_boards, play_by_outs  # noqa: PLC0415

    shapes, events, _ = _class_cells(river)
    gains = np.array(river.gains, np.int64)[shapes[:, None], events]
    rule = river.qualifying_class, gains, np.array(river.listed)[shapes], river.prefers
    board_count = len(boards.boards)
    out = RankedBoards(
        np.zeros((board_count, PAIRS, 4), np.int16),
        np.zeros((board_count, PAIRS), np.int16),
        np.zeros((board_count, PAIRS), np.int8),
    )
    cards, six_card_tables = (
        (boards.deck, *card_tables(river.ace, card_count)) for card_count in (7, 6)
    )

    def process(batch: slice) -> None:
        board_out = tuple(array[batch] for array in out)
        compare_pairs_on_boards(
            boards.boards[batch], cards, rule, _work_space(len(shapes)), board_out
        )
        if outs_max is not None:
            play_by_outs(boards.boards[batch], six_card_tables, outs_max, *board_out[1:])

    cuts = np.linspace(0, board_count, PARTS + 1).astype(int).tolist()
    _run_in_threads(process, [slice(*cut) for cut in pairwise(cuts)], "boards")
    return out


def _work_space(classes: int) -> WorkSpace:
    cards_left, held, under, slot, distinct = (
        np.zeros(size, np.int64) for size in (TYPES, TYPES, TYPES, classes, PAIRS)
    )
    return WorkSpace(cards_left, held, under, slot, distinct, np.zeros((PAIRS, 3), np.int64))


def _add_boards(
    flops_within: Ints, same_as: Ints, ranked: RankedBoards, river: River, sums: tuple[Any, Any]
) -> tuple[Any, ...]:
    """Add boards to the sums by flop; return the listed boards by source."""
    from pitbook.exact.methods.dealer.boards_kernels import add_boards  # noqa: PLC0415

    cells = _class_cells(river)[2]
    starts = np.flatnonzero(np.diff(flops_within[:, 0], prepend=-1))  # No two threads share a flop.
    cuts = [*starts[:: len(starts) // PARTS + 1].tolist(), len(flops_within)]

    def process(batch: slice) -> None:
        add_boards(flops_within[batch], same_as, tuple(ranked), cells, sums)

    _run_in_threads(process, [slice(*cut) for cut in pairwise(cuts)], "flops")
    return _list_decisions(flops_within, same_as, ranked, river)


def _run_in_threads(process: Callable[[slice], None], slices: Sequence[slice], unit: str) -> None:
    seconds_per_part = SECONDS / PARTS / 4
    with ThreadPoolExecutor(THREADS) as pool:
        try:
            for _ in track_parts(
                pool.map(process, slices),
                len(slices),
                say("exact.working.parts", what=unit),
                seconds_each=seconds_per_part,
            ):
                pass
        finally:  # Also if the caller cancels.
            pool.shutdown(cancel_futures=True)


def _list_decisions(
    flops_within: Ints, same_as: Ints, ranked: RankedBoards, river: River
) -> tuple[Any, ...]:
    """Every flop, pair and board on which a listed kind might take the other play."""
    shapes, events, _ = _class_cells(river)
    is_listed = (ranked.takes == LISTED).any(axis=1)
    rows = flops_within[is_listed[flops_within[:, 1]]]
    positions, pair = np.nonzero(ranked.takes[rows[:, 1]][:, same_as] == LISTED)
    times = _board_ways(rows[positions], ONE_OF[pair], TWO_OF[pair])
    positions, pair, times = (array[times > 0] for array in (positions, pair, times))
    board, same_pair = rows[positions, 1], same_as[pair]
    best = ranked.classes[board, same_pair]
    counts = np.zeros((len(positions), 6), np.int16)
    np.put_along_axis(counts, events[best], ranked.amounts[board, same_pair], axis=1)
    return (
        rows[positions, 0] * PAIRS + pair,
        rows[positions, 6] * times,
        shapes[best].astype(np.int8),
        counts,
    )


def _board_ways(rows: Ints, low: Ints, high: Ints) -> Ints:
    """The ways to complete flops to boards when pairs of types are held."""
    first, second = (
        np.maximum(rows[:, count_column] - (low == rows[:, kind]) - (high == rows[:, kind]), 0)
        for kind, count_column in ((2, 4), (3, 5))
    )
    ways: Ints = np.where(rows[:, 2] == rows[:, 3], first * (first - 1) // 2, first * second)
    return ways


def _sum_by_row(
    sums: tuple[Any, Any], listed_counts: tuple[Any, ...], sources: Ints, factors: Ints
) -> SweepCounts | None:
    """Combine sources by row of flop and pair; None if too many boards are listed."""
    order = np.argsort(listed_counts[0], kind="stable")
    shape_indexes, times, shapes, counts = (array[order] for array in listed_counts)
    start, end = (np.searchsorted(shape_indexes, sources, side=side) for side in ("left", "right"))
    counts_by_source = (end - start).ravel()
    if counts_by_source.sum() > LISTED_MAX:
        return None
    offsets = np.repeat(
        start.ravel() - np.cumsum(counts_by_source) + counts_by_source, counts_by_source
    )
    selected = offsets + np.arange(len(offsets))
    rows = np.repeat(np.arange(counts_by_source.size) // sources.shape[1], counts_by_source)
    weight = (factors[rows] * times[selected]).astype(np.int32)
    all_counts, other_counts = _sum_sources(sums, sources, factors)
    return SweepCounts(
        all_counts, other_counts, rows.astype(np.int32), weight, shapes[selected], counts[selected]
    )


def _sum_sources(sums: tuple[Any, Any], sources: Ints, factors: Ints) -> Iterator[Any]:
    from pitbook.exact.methods.dealer.boards_kernels import sum_sources  # noqa: PLC0415

    for table in sums:
        yield sum_sources(table.reshape(-1, table.shape[-1]), sources, factors.astype(np.int32))


THREADS = 2


class River(NamedTuple):
    """The input of a sweep.

    `cells` maps a kind and event to a counter. `gains` is by kind and event the gain of the
    other of the last two plays over the first. Kinds that are `listed` may gain less: the boards
    on which they gain anything are stored one by one.
    """

    qualifying_class: int
    ace: Ace
    shapes: tuple[int, ...]  # By class.
    cells: tuple[tuple[int, ...], ...]
    gains: tuple[tuple[int, ...], ...]
    listed: tuple[bool, ...]
    prefers: bool  # Choose the other play if both are equal.


class FlopPairs(NamedTuple):
    """Flops up to suits, and for each flop the hole cards up to the suits that it leaves equal."""

    deck: Ints
    flops: Ints  # One flop of each orbit.
    ways: Ints  # The size of each orbit.
    starts: Ints  # By flop, its first row; then the number of rows.
    orbit_of: NDArray[np.int16]  # By flop and two remaining cards: the row within the flop.
    pairs: Ints  # By row, one pair of cards.
    sizes: Ints  # By row, how many pairs it represents.
    swaps: Ints


class SweepCounts(NamedTuple):
    """By row of flop and pair, counts by cell: on all boards, and if the other play is chosen."""

    every: NDArray[np.int32]
    other: NDArray[np.int32]
    where: NDArray[np.int32]  # Boards of listed kinds: row, weight, kind, events.
    often: NDArray[np.int32]
    shapes: NDArray[np.int8]
    counts: NDArray[np.int16]


def list_flops(deck: Sequence[Card] = DECK) -> FlopPairs:
    """The flops of a deck and the hole cards with each, up to suits."""
    swaps, cards = suit_swaps(deck).astype(np.int64), sorted(deck)
    all_flops = np.array(list(combinations(cards, 3)), np.int64)
    images = np.sort(swaps[:, all_flops], axis=2) @ np.array([2704, 52, 1])
    first = images.min(axis=0) == images[_count_fixed(swaps)]
    flops, fixed_by_swap = all_flops[first], (images == images[_count_fixed(swaps)])[:, first]
    orbits, pairs, sizes, starts = [], [], [], [0]
    for flop, flop_cards in enumerate(flops.tolist()):
        others = np.array([card for card in cards if card not in flop_cards], np.int64)
        orbit, first_pairs, pair_sizes = _orbits(others, swaps[fixed_by_swap[:, flop]])
        orbits.append(orbit)
        pairs.append(
            others[np.stack([first_pairs // len(others), first_pairs % len(others)], axis=1)]
        )
        sizes.append(pair_sizes)
        starts.append(starts[-1] + len(first_pairs))
    return FlopPairs(
        np.array(cards, np.int64),
        flops,
        len(swaps) // fixed_by_swap.sum(axis=0),
        np.array(starts, np.int64),
        np.array(orbits),
        np.concatenate(pairs),
        np.concatenate(sizes),
        swaps,
    )


def _count_fixed(swaps: Ints) -> int:
    return int((swaps == np.arange(52)).all(axis=1).argmax())


def _orbits(cards: Ints, swaps: Ints) -> tuple[NDArray[np.int16], Ints, Ints]:
    """By pair of positions, the number of its orbit; by orbit, its first pair and its size."""
    size, place = len(cards), np.zeros(52, np.int64)
    place[cards] = np.arange(size)
    images = place[swaps[:, cards]]
    firsts, seconds = np.triu_indices(size, 1)
    low = np.minimum(images[:, firsts], images[:, seconds])
    high = np.maximum(images[:, firsts], images[:, seconds])
    lowest = (low * size + high).min(axis=0)
    first, orbit, counts = np.unique(lowest, return_inverse=True, return_counts=True)
    table = np.zeros((size, size), np.int16)
    table[firsts, seconds] = table[seconds, firsts] = orbit
    return table, first.astype(np.int64), counts.astype(np.int64)


def card_tables(ace: Ace, card_count: int) -> tuple[Ints, Any, Any]:
    """The rank keys, and the strengths of hands of this many cards."""
    strength = strength_of(5, card_count, ace)
    return np.array(KEYS, np.int64), strength.by_ranks, strength.by_suit
