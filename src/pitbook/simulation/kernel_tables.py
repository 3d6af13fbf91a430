"""The arrays that kernels read, the parts every method builds alike, and multisets of ranks."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.hands.kinds import Ace
from pitbook.hands.ranking import classes
from pitbook.rules.settlement_lines import pay_by_kind
from pitbook.simulation.dealing import reserved_words, words_for
from pitbook.simulation.kernels import table_positions
from pitbook.simulation.outcome_cells import Cells
from pitbook.simulation.plan import Plan

Ints = NDArray[np.int64]


class Arrays(NamedTuple):
    """A whole table in the form its kernels take."""

    numbers: Ints  # By `layout`.
    words: Ints  # [words, 3]: first card, next word's first card, redraw bound.
    sizes: NDArray[np.uint64]  # For each card, the number of cards left.
    fresh: NDArray[np.uint8]  # The shoe before the deal.
    sums: NDArray[Any]  # Multiset numbers, concatenated.
    places: Ints  # Their starts; see the method's table.
    small: NDArray[np.uint8]
    wide: NDArray[np.int32]  # Ladder games: nodes of the bets; points games: totals.
    cell_of: NDArray[np.int32]
    nets: Ints  # Net of each cell, in steps.
    due: Ints  # [caps on the round, cells], in cents.
    due_max: Ints


@dataclass(frozen=True, eq=False)
class OneSeatTables:
    """One seat of a ladder game: next states by [state, index of the card among those left], flat.

    After four cards, a state is a row of the last table and, above `ROW_BITS`, the bets. A cell is
    `cell_of[bets, label]`.
    """

    start: NDArray[Any]  # [52 * 51]: the first two cards together.
    third: NDArray[Any]
    fourth: NDArray[Any]
    fifth: NDArray[np.uint8]  # Labels.
    cell_of: Ints


@dataclass(frozen=True, eq=False)
class KernelTable:
    """A whole table: its arrays, and how the nets of a round are counted."""

    arrays: Arrays
    step: int  # Size of a step in cents.
    floor: int  # Minimum net of all seats together, in steps.
    window: int  # Number of nets from there on that are counted in place.


def digest_of(part: Any) -> str:
    """A hash over the arrays and numbers of a dataclass."""
    hasher = hashlib.sha256()
    _feed(hasher, part)
    return hasher.hexdigest()


def _feed(hasher: Any, part: Any) -> None:
    if isinstance(part, np.ndarray):
        hasher.update(f"{part.dtype}{part.shape}".encode())
        hasher.update(np.ascontiguousarray(part).tobytes())
    elif hasattr(part, "__dataclass_fields__"):
        for field in fields(part):
            _feed(hasher, getattr(part, field.name))
    elif isinstance(part, tuple):
        for element in part:
            _feed(hasher, element)
    else:
        hasher.update(repr(part).encode())


WINDOW_MAX = 2**20  # Round nets counted in place; those above are reported one by one.


def table(cells: Cells, method_numbers: dict[str, int], parts: Mapping[str, Any]) -> KernelTable:
    """Build a method's table from its named numbers and arrays, with the net of every cell."""
    plan, step = cells.plan, cells.step
    nets = cells.nets // step
    floor, spread = plan.seats * int(nets.min()), int(nets.max()) - int(nets.min())
    words, sizes, fresh = _word_tables(plan)
    arrays = Arrays(
        numbers=_numbers(plan, {**method_numbers, "FLOOR": floor}),
        words=words,
        sizes=sizes,
        fresh=fresh,
        **parts,
        nets=nets,
        due=cells.due,
        due_max=cells.due_max,
    )
    window = min(plan.seats * spread + 1, WINDOW_MAX) if plan.seats > 1 else 0
    return KernelTable(arrays, step, floor, window)


def _numbers(plan: Plan, method_numbers: dict[str, int]) -> Ints:
    """The integers of a table, at the positions in `layout`."""
    shape, rate = plan.shape, plan.strategy.mistakes
    by_name = {
        "SEATS": shape.seats,
        "HAND": shape.hand,
        "BOARD": shape.board,
        "SHOE": shape.shoe,
        "ALONE": int(shape.alone),
        "KEPT": reserved_words(len(words_for(shape.cards, shape.shoe))),
        "ERR": rate.numerator,
        "ERR_OF": rate.denominator,
        **method_numbers,
    }
    numbers = np.zeros(table_positions.LENGTH, np.int64)
    for name, value in by_name.items():
        numbers[table_positions.NAMES[name]] = value
    return numbers


def _word_tables(plan: Plan) -> tuple[Ints, NDArray[np.uint64], NDArray[np.uint8]]:
    """The words of a round, the sizes they are scaled to, and the shoe."""
    shape = plan.shape
    sizes = (shape.shoe - np.arange(shape.cards)).astype(np.uint64)
    rows, first = [], 0
    for word in words_for(shape.cards, shape.shoe):
        rows.append((first, first + len(word), 2**32 % prod(word)))
        first += len(word)
    return np.array(rows, np.int64), sizes, (np.arange(shape.shoe) % 52).astype(np.uint8)


def concatenate(parts: list[Any], kind: Any) -> tuple[NDArray[Any], list[int]]:
    """Concatenate arrays; returns the array and the start of each part."""
    flat = [np.asarray(part).ravel() for part in parts]
    starts = np.cumsum([0, *(len(part) for part in flat)]).tolist()
    joined = np.concatenate(flat) if flat else np.zeros(0)
    return joined.astype(kind), starts[:-1]


class KindGroups(NamedTuple):
    """The group of each kind, and a representative kind for each group."""

    group_of: list[int]
    representatives: list[int]


def payout_groups(plan: Plan, hand: str) -> KindGroups:
    """Group the kinds of a hand by the payouts of all the plan's wagers that look at it."""
    plan_wagers = {"main", *dict(plan.side)}
    wagers = [
        question.wager
        for question in plan.game.wager_rules
        if question.hand == hand and question.wager in plan_wagers
    ]
    if not wagers:
        return KindGroups([0], [0])
    pays = list(zip(*(pay_by_kind(plan.sheet, wager) for wager in wagers), strict=True))
    numbers: dict[object, int] = {}
    group = [numbers.setdefault(row, len(numbers)) for row in pays]
    return KindGroups(group, [group.index(number) for number in range(len(numbers))])


# Multisets of ranks, numbered so that combining cards is one lookup -------------------------------


RANKS = 13


def multiset_count(size: int) -> int:
    """Number of multisets of `size` ranks.

    >>> [multiset_count(size) for size in range(6)]
    [1, 13, 91, 455, 1820, 6188]
    """
    return comb(RANKS + size - 1, size)


def number_of(ranks: NDArray[Any]) -> Ints:
    """Numbers of multisets given as rows of ranks in any order."""
    size = ranks.shape[-1]
    rising = np.sort(ranks, axis=-1).astype(np.int64) + np.arange(size)
    choose = np.array(
        [[comb(top, index + 1) for top in range(RANKS + size)] for index in range(size)], np.int64
    ).reshape(size, RANKS + size)
    numbers = np.zeros(rising.shape[:-1], np.int64)
    for index in range(size):
        numbers += choose[index][rising[..., index]]
    return numbers


@cache
def ranks_of(size: int) -> NDArray[np.int8]:
    """Every multiset of a size as a row of ascending ranks, in order of their numbers."""
    rows = np.array(list(combinations_with_replacement(range(RANKS), size)), np.int8)
    rows = rows.reshape(multiset_count(size), size)
    ordered = np.empty_like(rows)
    ordered[number_of(rows)] = rows
    ordered.flags.writeable = False
    return ordered


@cache
def add_rank(size: int) -> Ints:
    """[multisets, rank]: number of the multiset with one more rank."""
    return joined_numbers(size, 1)


@cache
def joined_numbers(own_size: int, other_size: int) -> Ints:
    """[multisets of `own_size` ranks, of `other_size`]: number of both combined."""
    left = np.repeat(ranks_of(own_size), multiset_count(other_size), axis=0)
    right = np.tile(ranks_of(other_size), (multiset_count(own_size), 1))
    combined = number_of(np.concatenate([left, right], axis=1))
    return combined.reshape(multiset_count(own_size), multiset_count(other_size))


@cache
def class_places(size: int, ace: Ace) -> Ints:
    """[multisets, suited]: class of such cards; -1 if impossible."""
    places = np.full((multiset_count(size), 2), -1, np.int64)
    hands = classes(size, ace)
    numbers = number_of(np.array([hand.ranks for hand in hands], np.int64))
    places[numbers, [int(hand.suited) for hand in hands]] = np.arange(len(hands))
    return places
