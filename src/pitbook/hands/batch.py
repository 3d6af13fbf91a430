"""Ranks arrays of hands with one table lookup for each card, and builds arrays of card sets."""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations, permutations
from math import comb, prod
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import Card, name
from pitbook.errors import CardError
from pitbook.hands.kinds import Ace
from pitbook.hands.ranking import PRIMES, classes, kind_table, rank_table
from pitbook.text import say

HandArray = NDArray[np.integer[Any]]
Ints = NDArray[np.int64]

CHUNK = 32_768  # Hands at a time: buffers stay in the cache; call overhead is negligible.

_PRIME = np.repeat(np.array(PRIMES, np.int64), 4)
_SUIT = np.arange(52) & 3
_MIXED = 4


def ranks(hands: HandArray, ace: Ace = "high-or-low") -> NDArray[np.int16]:
    """The rank, as `rank_of` gives it, of each row of two to five cards."""
    checked = _check_sizes(hands, {2, 3, 4, 5})
    out = np.empty(len(checked), np.int16)
    return _walk_cached(checked, _walk(checked.shape[1], "ranks", ace), out, twins=False)


def kinds(hands: HandArray, many_decks: bool = False, ace: Ace = "high-or-low") -> NDArray[np.int8]:
    """The kind, as `kind_of` gives it, of each row of two to five cards (of many decks: three)."""
    checked = _check_sizes(hands, {3} if many_decks else {2, 3, 4, 5})
    out = np.empty(len(checked), np.int8)
    tables = _walk(checked.shape[1], "many-deck kinds" if many_decks else "kinds", ace)
    return _walk_cached(checked, tables, out, twins=many_decks)


@cache
def step(n: int, ace: Ace = "high-or-low") -> NDArray[np.int16]:
    """The next node for each node of n cards and each next card; -1 if no card can follow.

    A node is a class and, if its cards share a suit, that suit: 52, 403, 1599 and 4680 nodes for
    one to four cards, in order of classes, then suits. The fifth card leads to the class. A node of
    several suits does not store them, so it cannot reject a card that it already holds.
    """
    following = _next_class(n, ace)
    if n < 4:
        suited = np.array([hand.suited for hand in classes(n + 1, ace)])
        first = _first_nodes(suited)
        nodes = first[following] + np.where(suited[following], _SUIT, 0)
        following = np.where(following < 0, -1, nodes)
    return _freeze(following.astype(np.int16))


def _walk_cached(
    hands: NDArray[np.uint8],
    tables: tuple[NDArray[Any], ...],
    out: NDArray[Any],
    *,
    twins: bool,
) -> NDArray[Any]:
    """Fill `out` by leading each hand through the tables, one chunk at a time."""
    index, node = np.empty(CHUNK, np.intp), np.empty(CHUNK, np.int32)
    for start in range(0, len(hands), CHUNK):
        columns = np.ascontiguousarray(hands[start : start + CHUNK].T)
        size = columns.shape[1]
        if not twins:
            _reject_twins(columns, start)
        current, following = index[:size], node[:size]
        np.multiply(columns[0], 52, out=current, dtype=np.intp)
        np.add(current, columns[1], out=current)
        for table, column in zip(tables, columns[2:], strict=False):
            # Every index is in range; "clip" skips the check, a quarter of the time.
            np.take(table, current, out=following, mode="clip")
            np.add(following, column, out=current)
        np.take(tables[-1], current, out=out[start : start + size], mode="clip")
    return out


@cache
def _walk(
    n: int, goal: Literal["ranks", "kinds", "many-deck kinds"], ace: Ace
) -> tuple[NDArray[Any], ...]:
    """Flat tables, one for each card after the first; nodes are premultiplied by 52."""
    if goal == "many-deck kinds":
        return np.arange(0, 52**3, 52, dtype=np.int32), _many_deck_kinds(ace).ravel()
    between = (step(size, ace).astype(np.int32).clip(min=0) * 52 for size in range(1, n - 1))
    return *(table.ravel() for table in between), _last(n, goal, ace).ravel()


def _last(n: int, goal: Literal["ranks", "kinds"], ace: Ace) -> NDArray[Any]:
    following = _next_class(n - 1, ace)
    if goal == "ranks":
        return following.astype(np.int16)
    return np.array([hand.kind for hand in classes(n, ace)], np.int8)[following]


def _next_class(n: int, ace: Ace) -> Ints:
    """The class of n + 1 cards for each node of n cards and each next card; -1 for none."""
    product = np.array([prod(PRIMES[rank] for rank in hand.ranks) for hand in classes(n, ace)])
    suited = np.array([hand.suited for hand in classes(n, ace)])
    per_class = np.where(suited, 4, 1)
    products = np.repeat(product, per_class)[:, None]
    within = np.arange(len(products)) - np.repeat(_first_nodes(suited), per_class)
    suits = np.where(np.repeat(suited, per_class), within, _MIXED)[:, None]
    keys = products * _PRIME << 2 | (suits == _SUIT) << 1
    return _look_up(rank_table(n + 1, ace), keys)


def _first_nodes(suited: NDArray[np.bool_]) -> Ints:
    """The number of the first node of each class."""
    per_class = np.where(suited, 4, 1)
    return np.cumsum(per_class) - per_class


def _many_deck_kinds(ace: Ace) -> NDArray[np.int8]:
    """The kind of any three cards from several decks."""
    first, second, third = np.ogrid[:52, :52, :52]
    products = _PRIME[first] * _PRIME[second] * _PRIME[third]
    suited = (_SUIT[first] == _SUIT[second]) & (_SUIT[second] == _SUIT[third])
    twins = (first == second) | (second == third) | (first == third)
    keys = products << 2 | suited << 1 | twins
    return _look_up(kind_table(3, True, ace), keys).astype(np.int8)


def _look_up(table: dict[int, int], keys: Ints) -> Ints:
    """The table's value for each key, or -1."""
    pairs = np.array(sorted(table.items()), np.int64)
    place = np.searchsorted(pairs[:, 0], keys).clip(max=len(pairs) - 1)
    return np.where(pairs[place, 0] == keys, pairs[place, 1], -1)


def _check_sizes(hands: HandArray, sizes: set[int]) -> NDArray[np.uint8]:
    """The hands as bytes; raises CardError for other sizes or numbers above 51."""
    hands = np.asarray(hands)
    if hands.ndim != 2 or hands.shape[1] not in sizes:
        allowed = " or ".join(str(size) for size in sorted(sizes))
        raise CardError(say("cards.batch.shape", shape=hands.shape, allowed=allowed))
    if not np.issubdtype(hands.dtype, np.integer):
        raise CardError(say("cards.batch.type", dtype=hands.dtype))
    if hands.size and (hands.min() < 0 or hands.max() > 51):
        raise CardError(say("cards.batch.range"))
    return hands.astype(np.uint8, copy=False)


def _reject_twins(columns: NDArray[np.uint8], start: int) -> None:
    for column, other_column in combinations(columns, 2):
        same = column == other_column
        if same.any():
            row = int(same.argmax())
            twin = name(Card(int(column[row])))
            raise CardError(say("cards.batch.twice", hand=start + row, card=twin))


def _freeze(table: NDArray[np.int16]) -> NDArray[np.int16]:
    table.flags.writeable = False
    return table


# Card sets ----------------------------------------------------------------------------------------


CardArray = NDArray[np.uint8]


@cache
def choices(cards: int, size: int) -> NDArray[np.intp]:
    """Every set of `size` positions out of `cards`, ascending."""
    count = comb(cards, size)
    flat = chain.from_iterable(combinations(range(cards), size))
    return np.fromiter(flat, np.intp, count * size).reshape(count, size)


@cache
def choices_up_to_suits(size: int) -> tuple[CardArray, Ints]:
    """One set of cards for each suit pattern, and the number of sets with that pattern."""
    all_sets = choices(52, size)
    highest_bits = np.zeros(len(all_sets), np.int64)
    for suits in permutations(range(4)):
        bits = np.array([1 << (51 - card // 4 * 4 - suits[card % 4]) for card in range(52)])
        # The lowest cards have the highest bits.
        highest_bits = np.maximum(highest_bits, bits[all_sets].sum(axis=1))
    _, first, counts = np.unique(-highest_bits, return_index=True, return_counts=True)
    return all_sets[first].astype(np.uint8), counts.astype(np.int64)


def complement(sets: CardArray) -> CardArray:
    """For each set of cards, the other cards of the deck, ascending."""
    free = np.ones((len(sets), 52), bool)
    np.put_along_axis(free, sets.astype(np.intp), False, axis=1)
    return np.nonzero(free)[1].reshape(len(sets), -1).astype(np.uint8)


def disjoint_sets(sets: CardArray, size: int) -> tuple[CardArray, CardArray]:
    """For each set, every choice of `size` further cards, and both combined."""
    further = complement(sets)[:, choices(52 - sets.shape[1], size)]
    repeated = np.broadcast_to(sets[:, None, :], (*further.shape[:2], sets.shape[1]))
    return further, np.concatenate([repeated, further], axis=2)


def kinds_of(cards: CardArray, ace: Ace) -> Ints:
    """Kinds of one to five cards along the last axis; a single card is its rank."""
    shape = cards.shape[:-1]
    if cards.shape[-1] == 1:
        return cards[..., 0].astype(np.int64) >> 2
    rows = cards.reshape(-1, cards.shape[-1])
    return kinds(rows, ace=ace).astype(np.int64).reshape(shape)
