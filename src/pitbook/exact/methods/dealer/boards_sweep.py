"""The sweep over all boards: how every pair of hole cards fares after every flop.

Take a suit. A card's type is its rank, and whether it is of that suit. If no suit has three
cards of a board, ranks alone decide who is ahead. So a flop and a pair fare as their ranks do on
all boards; and for each suit of the flop, on the boards that have three or more of it, as their
types do instead of as their ranks do. Both are sums over few boards: a *source* is a flop with a
pair by rank or by type, and every flop and pair of cards has one by rank and one for each suit of
its flop.
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
from pitbook.exact.methods.dealer.pairs_solve import suit_swaps
from pitbook.exact.methods.dealer.strength import KEYS, strength_of
from pitbook.exact.work import require_memory, track_parts
from pitbook.hands.kinds import Ace
from pitbook.text import say

KindNumbers = tuple[int, ...]  # Types, rising.
RANKS, TYPES, SUITS = 13, 26, 4
PAIRS = TYPES * (TYPES + 1) // 2
FLUSHES = 3  # So many of a suit on a board, or more, and two more make a flush.


class Boards(NamedTuple):
    """Boards by rank, or by type with three or more of one suit, and the flops within them."""

    boards: Ints
    deck: Ints  # By type, its cards.
    numbers: NDArray[np.int32]  # By three types, the number of the flop; -1 where it is none.

    @property
    def within(self) -> Ints:
        """By flop: a board, and two types that make it of the flop with their cards left; and 1.

        Of equal types on a board the first are taken.
        """
        found = []
        for first, second in combinations(range(5), 2):
            flop = [place for place in range(5) if place not in (first, second)]
            u, v, three = self.boards[:, first], self.boards[:, second], self.boards[:, flop]
            again = (self.boards[:, max(first - 1, 0)] == u) & (first > 0)
            again |= (self.boards[:, second - 1] == v) & (second > first + 1)
            number = self.numbers[three[:, 0], three[:, 1], three[:, 2]].astype(np.int64)
            left = [self.deck[one] - (three == one[:, None]).sum(axis=1) for one in (u, v)]
            rows = np.stack([number, np.arange(len(u)), u, v, *left, np.ones_like(u)], axis=1)
            found.append(rows[~again])
        every = np.concatenate(found)
        return every[np.argsort(every[:, 0], kind="stable")]

    @property
    def codes(self) -> Ints:
        """By board, a number for its ranks."""
        return np.sort(self.boards % RANKS, axis=1) @ RANKS ** np.arange(4, -1, -1)


class TypedBoards(NamedTuple):
    """All boards of a deck: by rank first, then by suit; suits with equal ranks share theirs."""

    boards: tuple[Boards, ...]
    of_suit: tuple[int, ...]  # By suit, which of them.
    many: int  # Flops in all.

    def sources(self, laid: FlopPairs) -> Ints:
        """By row its sources, numbered by flop and pair; -1 where a suit is not of the flop."""
        found = [_source_numbers(self.boards[0].numbers, laid, None)]
        for suit, which in enumerate(self.of_suit):
            found.append(_source_numbers(self.boards[which].numbers, laid, suit))
        return np.stack(found, axis=1)


def typed_flops(laid: FlopPairs) -> TypedBoards:
    """The boards of a deck, and its flops numbered."""
    deck = {int(card) for card in laid.deck}
    by_rank = Counter(card // SUITS for card in deck)
    suits = [
        frozenset(card // SUITS for card in deck if card % SUITS == one) for one in range(SUITS)
    ]
    ranks = np.array([by_rank[rank] for rank in range(RANKS)] + [0] * RANKS)
    found, many = [_index_flops(_boards_by_rank(by_rank), ranks, 0)], 0
    different = list(dict.fromkeys(suits))
    for suit in different:
        many = int(found[-1].numbers.max()) + 1 or many
        other = [by_rank[rank] - (rank in suit) for rank in range(RANKS)]
        types = np.array(other + [int(rank in suit) for rank in range(RANKS)])
        found.append(_index_flops(_boards_by_type(types), types, many))
    many = int(found[-1].numbers.max()) + 1 or many
    return TypedBoards(tuple(found), tuple(1 + different.index(suit) for suit in suits), many)


def _boards_by_rank(deck: Counter[int]) -> Iterator[KindNumbers]:
    for board in combinations_with_replacement(range(RANKS), 5):
        if all(many <= deck[rank] for rank, many in Counter(board).items()):
            yield board


def _boards_by_type(deck: Ints) -> Iterator[KindNumbers]:
    suited = [kind for kind in range(RANKS, TYPES) if deck[kind]]
    for size in range(FLUSHES, 6):
        beside = [
            some
            for some in combinations_with_replacement(range(RANKS), 5 - size)
            if all(many <= deck[kind] for kind, many in Counter(some).items())
        ]
        for some in combinations(suited, size):
            yield from (other + some for other in beside)


def _index_flops(boards: Iterator[KindNumbers], deck: Ints, start: int) -> Boards:
    """Boards with the flops within them, numbered from a start."""
    every = list(boards)
    flops = dict.fromkeys(some for board in every for some in combinations(board, 3))
    numbers = np.full((TYPES,) * 3, -1, np.int32)
    for number, flop in enumerate(flops, start):
        numbers[flop] = number
    return Boards(np.array(every, np.int64).reshape(-1, 5), deck, numbers)


def _source_numbers(numbers: NDArray[np.int32], laid: FlopPairs, suit: int | None) -> Ints:
    """By row, the number of flop and pair as types beside a suit, or by rank."""
    flops, pairs = (_card_types(cards, suit) for cards in (laid.flops, laid.pairs))
    number = numbers[flops[:, 0], flops[:, 1], flops[:, 2]].astype(np.int64)
    flop = np.repeat(number, np.diff(laid.starts))
    pair = pairs[:, 1] * (pairs[:, 1] + 1) // 2 + pairs[:, 0]
    return np.where(flop < 0, -1, flop * PAIRS + pair)


def _card_types(cards: Ints, suit: int | None) -> Ints:
    return np.sort(cards // SUITS + RANKS * (cards % SUITS == suit), axis=1)


Ints = NDArray[np.int64]
PARTS = 8  # For whoever watches.
SECONDS = 4.0  # About so long for all of them.
LISTED_MAX = 4_000_000  # Boards one by one; a game with more is swept with its pays.
LISTED = 2
# Events of a hand that would not qualify in the dealer's place, or would.
INSIDE, OUTSIDE = np.array([0, 3, 4, 5]), np.array([0, 1, 2, 5])
ONE_OF, TWO_OF = np.array([(one, two) for two in range(TYPES) for one in range(two + 1)]).T
LOW, HIGH = np.sort(np.stack([ONE_OF % RANKS, TWO_OF % RANKS]), axis=0)
AS_TYPES, AS_RANKS = np.arange(PAIRS), HIGH * (HIGH + 1) // 2 + LOW  # By pair, which one.


class RankedBoards(NamedTuple):
    """By board and pair of types: four events, the class, and whether the other play is taken."""

    amounts: NDArray[np.int16]
    classes: NDArray[np.int16]
    takes: NDArray[np.int8]


class WorkSpace(NamedTuple):
    """Room to work in, for one board after the other."""

    left: Ints  # By type.
    held: Ints
    under: Ints
    slot: Ints  # By class.
    distinct: Ints  # By number of a pair.
    order: Ints


def sweep(laid: FlopPairs, river: River, outs_max: int | None = None) -> SweepCounts | None:
    """The whole sweep; None where too many boards would be listed.

    With `outs_max` the other play is made where more unseen cards than that beat a hand.
    """
    kinds = typed_flops(laid)
    cells, rows = max(map(max, river.cells)) + 1, len(laid.pairs)
    boards = sum(len(one.boards) for one in kinds.boards)
    size = PAIRS * (8 * cells * kinds.many + 11 * boards) + 8 * cells * rows
    require_memory(size, say("exact.large.board-sums"), say("exact.large.no-side-wagers"))
    shape = kinds.many, PAIRS, cells
    sums = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
    plain, *suited = kinds.boards
    by_rank = _rank_boards(plain, river, outs_max)
    listed = [_add_boards(plain.within, AS_TYPES, by_rank, river, sums)]
    for one in suited:
        within = one.within
        listed.append(
            _add_boards(within, AS_TYPES, _rank_boards(one, river, outs_max), river, sums)
        )
        within[:, 1] = np.searchsorted(plain.codes, one.codes)[within[:, 1]]
        within[:, 6] = -1
        listed.append(_add_boards(within, AS_RANKS, by_rank, river, sums))
    few = tuple(map(np.concatenate, zip(*listed, strict=True)))
    return _sum_by_row(sums, few, kinds.sources(laid), _row_weights(laid))


def _row_weights(laid: FlopPairs) -> Ints:
    """By row, how many flops and pairs are like it."""
    return np.repeat(laid.ways, np.diff(laid.starts)) * laid.sizes


def _class_cells(river: River) -> tuple[Ints, Ints, Ints]:
    """By class, its shape, and of four events their numbers and their cells."""
    shapes = np.array(river.shapes)
    inside = np.arange(len(shapes)) < river.least
    events = np.where(inside[:, None], INSIDE, OUTSIDE)
    return shapes, events, np.array(river.cells)[shapes[:, None], events]


def _rank_boards(boards: Boards, river: River, outs_max: int | None) -> RankedBoards:
    from pitbook.exact.methods.dealer.boards_kernels import play_by_outs, rank_boards  # noqa: PLC0415

    shapes, events, _ = _class_cells(river)
    gains = np.array(river.gains, np.int64)[shapes[:, None], events]
    rule = river.least, gains, np.array(river.listed)[shapes], river.prefers
    many = len(boards.boards)
    out = RankedBoards(
        np.zeros((many, PAIRS, 4), np.int16),
        np.zeros((many, PAIRS), np.int16),
        np.zeros((many, PAIRS), np.int8),
    )
    cards, fewer = ((boards.deck, *card_tables(river.ace, seen)) for seen in (7, 6))

    def part(some: slice) -> None:
        here = tuple(one[some] for one in out)
        rank_boards(boards.boards[some], cards, rule, _work_space(len(shapes)), here)
        if outs_max is not None:
            play_by_outs(boards.boards[some], fewer, outs_max, *here[1:])

    cuts = np.linspace(0, many, PARTS + 1).astype(int).tolist()
    _run_in_threads(part, [slice(*cut) for cut in pairwise(cuts)], "boards")
    return out


def _work_space(classes: int) -> WorkSpace:
    left, held, under, slot, distinct = (
        np.zeros(size, np.int64) for size in (TYPES, TYPES, TYPES, classes, PAIRS)
    )
    return WorkSpace(left, held, under, slot, distinct, np.zeros((PAIRS, 3), np.int64))


def _add_boards(
    within: Ints, alike: Ints, found: RankedBoards, river: River, sums: tuple[Any, Any]
) -> tuple[Any, ...]:
    """Boards put to flops; returned is what is listed, by source."""
    from pitbook.exact.methods.dealer.boards_kernels import add_boards  # noqa: PLC0415

    cells = _class_cells(river)[2]
    starts = np.flatnonzero(np.diff(within[:, 0], prepend=-1))  # No two threads share a flop.
    cuts = [*starts[:: len(starts) // PARTS + 1].tolist(), len(within)]

    def part(some: slice) -> None:
        add_boards(within[some], alike, tuple(found), cells, sums)

    _run_in_threads(part, [slice(*cut) for cut in pairwise(cuts)], "flops")
    return _list_decisions(within, alike, found, river)


def _run_in_threads(part: Callable[[slice], None], slices: Sequence[slice], what: str) -> None:
    each = SECONDS / PARTS / 4
    with ThreadPoolExecutor(THREADS) as pool:
        try:
            for _ in track_parts(
                pool.map(part, slices),
                len(slices),
                say("exact.working.parts", what=what),
                each=each,
            ):
                pass
        finally:  # Also where whoever watches has had enough.
            pool.shutdown(cancel_futures=True)


def _list_decisions(
    within: Ints, alike: Ints, found: RankedBoards, river: River
) -> tuple[Any, ...]:
    """Every flop, pair and board on which a kind that is listed might take the other play."""
    shapes, events, _ = _class_cells(river)
    some = (found.takes == LISTED).any(axis=1)
    rows = within[some[within[:, 1]]]
    at, pair = np.nonzero(found.takes[rows[:, 1]][:, alike] == LISTED)
    times = _board_ways(rows[at], ONE_OF[pair], TWO_OF[pair])
    at, pair, times = (one[times > 0] for one in (at, pair, times))
    board, like = rows[at, 1], alike[pair]
    best = found.classes[board, like]
    counts = np.zeros((len(at), 6), np.int16)
    np.put_along_axis(counts, events[best], found.amounts[board, like], axis=1)
    return rows[at, 0] * PAIRS + pair, rows[at, 6] * times, shapes[best].astype(np.int8), counts


def _board_ways(rows: Ints, one: Ints, two: Ints) -> Ints:
    """In how many ways boards come of flops where pairs of types are held."""
    first, second = (
        np.maximum(rows[:, left] - (one == rows[:, kind]) - (two == rows[:, kind]), 0)
        for kind, left in ((2, 4), (3, 5))
    )
    found: Ints = np.where(rows[:, 2] == rows[:, 3], first * (first - 1) // 2, first * second)
    return found


def _sum_by_row(
    sums: tuple[Any, Any], few: tuple[Any, ...], sources: Ints, often: Ints
) -> SweepCounts | None:
    """Flops and pairs of types, put to those of cards; None where too much is listed."""
    order = np.argsort(few[0], kind="stable")
    where, times, shapes, counts = (one[order] for one in few)
    start, end = (np.searchsorted(where, sources, side=side) for side in ("left", "right"))
    many = (end - start).ravel()
    if many.sum() > LISTED_MAX:
        return None
    first = np.repeat(start.ravel() - np.cumsum(many) + many, many)
    some = first + np.arange(len(first))
    rows = np.repeat(np.arange(many.size) // sources.shape[1], many)
    weight = (often[rows] * times[some]).astype(np.int32)
    every, other = _sum_sources(sums, sources, often)
    return SweepCounts(every, other, rows.astype(np.int32), weight, shapes[some], counts[some])


def _sum_sources(sums: tuple[Any, Any], sources: Ints, often: Ints) -> Iterator[Any]:
    from pitbook.exact.methods.dealer.boards_kernels import sum_sources  # noqa: PLC0415

    for one in sums:
        yield sum_sources(one.reshape(-1, one.shape[-1]), sources, often.astype(np.int32))


THREADS = 2


class River(NamedTuple):
    """What the sweep must know of a game.

    `cells` says by kind and event which counts are kept apart. `gains` says by kind and event what
    the other of the last two plays gains on the first. Kinds that are `listed` might gain less: the
    boards on which they gain anything are kept one by one.
    """

    least: int
    ace: Ace
    shapes: tuple[int, ...]  # By class.
    cells: tuple[tuple[int, ...], ...]
    gains: tuple[tuple[int, ...], ...]
    listed: tuple[bool, ...]
    prefers: bool  # Of equal plays, the other one.


class FlopPairs(NamedTuple):
    """Flops up to suits, and the pairs beside each up to the suits that it leaves alike."""

    deck: Ints
    flops: Ints  # One for all that are alike,
    ways: Ints  # and how many those are.
    starts: Ints  # By flop, its first row; then how many rows there are.
    orbit_of: NDArray[np.int16]  # By flop and two places beside it: the row among its own.
    pairs: Ints  # By row, one pair as cards,
    sizes: Ints  # and how many it stands for.
    swaps: Ints


class SweepCounts(NamedTuple):
    """By row of flop and pair, counts by cell: of all boards, and where the other play is taken."""

    every: NDArray[np.int32]
    other: NDArray[np.int32]
    where: NDArray[np.int32]  # Boards of listed kinds: row, weight, kind, events.
    often: NDArray[np.int32]
    shapes: NDArray[np.int8]
    counts: NDArray[np.int16]


def list_flops(deck: Sequence[Card] = DECK) -> FlopPairs:
    """The flops of a deck and the pairs beside them, each up to suits."""
    swaps, cards = suit_swaps(deck).astype(np.int64), sorted(deck)
    every = np.array(list(combinations(cards, 3)), np.int64)
    images = np.sort(swaps[:, every], axis=2) @ np.array([2704, 52, 1])
    first = images.min(axis=0) == images[_count_fixed(swaps)]
    flops, alike = every[first], (images == images[_count_fixed(swaps)])[:, first]
    orbits, pairs, sizes, starts = [], [], [], [0]
    for flop, three in enumerate(flops.tolist()):
        rest = np.array([card for card in cards if card not in three], np.int64)
        orbit, firsts, many = _orbits(rest, swaps[alike[:, flop]])
        orbits.append(orbit)
        pairs.append(rest[np.stack([firsts // len(rest), firsts % len(rest)], axis=1)])
        sizes.append(many)
        starts.append(starts[-1] + len(firsts))
    return FlopPairs(
        np.array(cards, np.int64),
        flops,
        len(swaps) // alike.sum(axis=0),
        np.array(starts, np.int64),
        np.array(orbits),
        np.concatenate(pairs),
        np.concatenate(sizes),
        swaps,
    )


def _count_fixed(swaps: Ints) -> int:
    return int((swaps == np.arange(52)).all(axis=1).argmax())


def _orbits(rest: Ints, swaps: Ints) -> tuple[NDArray[np.int16], Ints, Ints]:
    """By pair of places the number of its orbit; by orbit its first pair, and how many it has."""
    size, place = len(rest), np.zeros(52, np.int64)
    place[rest] = np.arange(size)
    moved = place[swaps[:, rest]]
    one, two = np.triu_indices(size, 1)
    low, high = np.minimum(moved[:, one], moved[:, two]), np.maximum(moved[:, one], moved[:, two])
    least = (low * size + high).min(axis=0)
    first, orbit, many = np.unique(least, return_inverse=True, return_counts=True)
    table = np.zeros((size, size), np.int16)
    table[one, two] = table[two, one] = orbit
    return table, first.astype(np.int64), many.astype(np.int64)


def card_tables(ace: Ace, seen: int) -> tuple[Ints, Any, Any]:
    """Keys of ranks, and the strengths of so many cards."""
    strength = strength_of(5, seen, ace)
    return np.array(KEYS, np.int64), strength.by_ranks, strength.by_suit
