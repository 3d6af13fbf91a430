"""Ladder games deal by deal: side wagers on the same cards, and spots with dead cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, permutations
from math import comb, factorial, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import Card
from pitbook.exact.long_computations import releasable_cache, require_memory, track_parts
from pitbook.exact.methods.ladder.solve import (
    PurseValues,
    Solution,
    pick_best,
    plays_of,
    preference_order,
    solve_terms,
)
from pitbook.exact.methods.ladder.structure import CARDS, Purse, Terms, net_cents
from pitbook.exact.methods.ladder.transitions import IntArray
from pitbook.exact.outcome_figures import FigureRow, Figures, figures_from_rows, round_row
from pitbook.exact.spots import Spot
from pitbook.hands import batch
from pitbook.hands.batch import CardArray, choices, choices_up_to_suits, disjoint_sets, kinds_of
from pitbook.hands.kinds import Ace, hand_kinds
from pitbook.hands.ranking import classes, kind_of
from pitbook.rules.actions import Play
from pitbook.rules.game import Showdown
from pitbook.text import say

BATCH_VALUES = 2**16  # Small enough for the cache while they are summed.
Paths = NDArray[np.int16]  # The number of orders in which the cards of a board come: 24 at most.
# For each street and purse: [holes, boards] -> play.
DealPolicy = list[dict[Purse, NDArray[np.int8]]]


def round_figures(terms: Terms) -> Figures:
    """The figures of a round with the main game and the given side wagers, in antes."""
    return figures_from_rows(round_rows(terms, all_deals(terms), joint_policy(terms)))


def all_deals(terms: Terms) -> Deals:
    """The deals of the game."""
    ladder = terms.ladder
    return enumerate_deals(ladder.hole_cards, ladder.reveals, ladder.ace)


def joint_policy(terms: Terms) -> DealPolicy:
    """Best play: by classes if side wagers do not affect it, else deal by deal."""
    if side_wagers_change_play(terms):
        return _solve_deals(terms, all_deals(terms))
    return policy_from_classes(solve_terms(replace(terms, side={})), all_deals(terms))


def side_wagers_change_play(terms: Terms) -> bool:
    """Whether a side wager changes best play: it loses with a fold, or shares a cap."""
    return bool(terms.affected_side_wagers)


def policy_from_classes(solution: Solution, deals: Deals) -> DealPolicy:
    """A solution's plays for all deals."""
    return [
        {
            purse: _number_plays(solution.terms, street, choice)[deals.classes_at(street)]
            for purse, choice in level.items()
        }
        for street, level in enumerate(solution.streets)
    ]


def _number_plays(terms: Terms, street: int, choice: PurseValues) -> NDArray[np.int8]:
    """The best plays of all classes, as numbers among all plays of the street."""
    plays = plays_of(terms, street)
    if choice.plays == plays:
        return choice.best
    return np.array([plays.index(play) for play in choice.plays], np.int8)[choice.best]


def round_rows(terms: Terms, deals: Deals, policy: DealPolicy) -> Iterator[FigureRow]:
    """How often a round under the policy ends in each way, over all deals."""
    showdowns = terms.showdowns(deals.kinds)
    for street, purse, weights in _forward(terms, deals, policy):
        for showdown, count in _tally(showdowns, deals, weights):
            folds = street is not None
            lines = terms.fold_lines(purse, showdown) if folds else terms.lines(purse, showdown)
            yield round_row(lines, terms.ante, count)


def _forward(
    terms: Terms, deals: Deals, policy: DealPolicy
) -> Iterator[tuple[int | None, Purse, Paths]]:
    """Every ending with its weight on each distinct deal; street None is a showdown."""
    reached: dict[Purse, Paths] = {
        terms.empty_purse: np.ones((len(deals.kind_numbers), 1), np.int16)
    }
    last = len(deals.reveals) - 1
    for street, reveals in enumerate(deals.reveals):
        size = deals.cards_open(street)
        stakes: dict[Purse, Paths] = {}
        for purse, weights in reached.items():
            best = policy[street][purse]
            for index, play in enumerate(plays_of(terms, street)):
                play_weights = np.where(best == index, weights, 0)
                if not play.folds:
                    new_purse = terms.purse_after(street, purse, play)
                    stakes[new_purse] = stakes.get(new_purse, 0) + play_weights
                elif play_weights.any():
                    yield (
                        street,
                        purse,
                        _weights_on_full_boards(deals, play_weights, size)
                        * deals.card_orders(street),
                    )
        if street == last:
            for purse, weights in stakes.items():
                yield None, purse, _weights_on_full_boards(deals, weights, size)
            return
        next_size = size + reveals
        reached = {
            purse: _carry_weights(deals, weights, size, next_size)
            for purse, weights in stakes.items()
        }


def _weights_on_full_boards(deals: Deals, weights: Paths, size: int) -> Paths:
    """Weights on boards of `size` cards, summed onto the full boards that contain them."""
    flat = weights.ravel()
    total: Paths = np.zeros(len(deals.distinct.hole), np.int16)
    for part in deals.board_parts(size):
        total += np.take(flat, part)
    return total


def _carry_weights(deals: Deals, weights: Paths, size: int, larger: int) -> Paths:
    """Weights on boards of `size` cards, summed onto every larger board that contains them."""
    if size == larger:
        return weights
    if size == 0:
        return np.broadcast_to(weights, (len(weights), len(choices(deals.cards_left, larger))))
    parts = subsets(deals.cards_left, larger, size)
    total: Paths = np.take(weights, parts[:, 0], axis=1)
    for index in range(1, parts.shape[1]):
        total += np.take(weights, parts[:, index], axis=1)
    return total


def _tally(
    showdowns: Sequence[Showdown], deals: Deals, weights: Paths
) -> Iterator[tuple[Showdown, int]]:
    """Weights summed by showdown, as the wagers in play distinguish them."""
    counts = np.bincount(_distinct_showdowns(deals), weights * deals.distinct.weights)
    totals: dict[Showdown, int] = {}
    for number in np.flatnonzero(counts).tolist():
        showdown = showdowns[number]
        totals[showdown] = totals.get(showdown, 0) + int(counts[number])
    yield from totals.items()


@releasable_cache(maxsize=8)
def _distinct_showdowns(deals: Deals) -> NDArray[np.intp]:
    """The number of the kinds of each distinct deal."""
    return deals.kind_numbers[deals.distinct.hole, deals.distinct.board].astype(np.intp)


def _solve_deals(terms: Terms, deals: Deals) -> DealPolicy:
    """Solve backward over all deals, with every side wager included."""
    purse_count = terms.purse_count_max
    boards = len(choices(deals.cards_left, deals.cards_open(len(deals.reveals) - 1)))
    cause = say("exact.large.side-wagers", ways=purse_count)
    require_memory(
        8 * purse_count * len(deals.kind_numbers) * boards, cause, say("exact.large.leave-out")
    )
    policy: DealPolicy = []
    after: dict[Purse, IntArray] = {}
    ends = ShowdownTable.from_deals(terms, deals)
    for street in range(len(deals.reveals) - 1, -1, -1):
        size = deals.cards_open(street)
        next_size = size + deals.reveals[street]
        worths = after.items() if after else _at_showdown(terms, deals, ends)
        after = {
            purse: sum_over_boards(value, deals.cards_left, size, next_size)
            for purse, value in worths
        }
        level, values = {}, {}
        number = {play: index for index, play in enumerate(plays_of(terms, street))}
        for purse in terms.purses[street]:
            plays = terms.affordable_plays(street, purse)
            value = [
                after[terms.purse_after(street, purse, play)] for play in plays if not play.folds
            ]
            if plays[-1].folds:
                fold_nets = ends.nets(terms, purse, folded=True)
                fold_worth = sum_over_boards(fold_nets, deals.cards_left, size, deals.board_cards)
                value.append(fold_worth * deals.card_orders(street))
            values[purse], best = pick_best(value, preference_order(terms, plays))
            level[purse] = np.array([number[play] for play in plays], np.int8)[best]
        policy.insert(0, level)
        after = values
    return policy


def _at_showdown(
    terms: Terms, deals: Deals, ends: ShowdownTable
) -> Iterator[tuple[Purse, IntArray]]:
    """One purse at a time: the values of all deals are too large to keep for every purse."""
    purses = terms.purses[-1]
    for purse in track_parts(
        purses, len(purses), say("exact.working.ways"), seconds_each=deals.kind_numbers.size * 2e-8
    ):
        yield purse, ends.nets(terms, purse, folded=False)


class ShowdownTable(NamedTuple):
    """Showdowns that the wagers in play pay differently, and the showdown of each deal."""

    showdowns: tuple[Showdown, ...]
    # [boards, holes]: the values of a board are adjacent in memory.
    showdown_numbers: NDArray[np.int16]

    @classmethod
    def from_deals(cls, terms: Terms, deals: Deals) -> ShowdownTable:
        """The showdowns of all deals."""
        showdowns = terms.showdowns(deals.kinds)
        number = {showdown: index for index, showdown in enumerate(dict.fromkeys(showdowns))}
        numbers = np.array([number[showdown] for showdown in showdowns], np.int16)
        return cls(tuple(number), numbers[np.ascontiguousarray(deals.kind_numbers.T)])

    def nets(self, terms: Terms, purse: Purse, *, folded: bool) -> IntArray:
        """The net result of every deal, in cents."""
        lines = terms.fold_lines if folded else terms.lines
        value = [net_cents(lines(purse, showdown)) for showdown in self.showdowns]
        deal_nets: IntArray = np.array(value, terms.numbers)[self.showdown_numbers]
        return deal_nets.T


def sum_over_boards(value: IntArray, cards: int, size: int, larger: int) -> IntArray:
    """Sum the values of boards of `larger` cards over those that contain each board of `size`
    cards.
    """
    if size == larger:
        return value
    if size == 0:
        totals: IntArray = value.sum(axis=1, keepdims=True)
        return totals
    rows, boards_holding = np.ascontiguousarray(value.T), _boards_holding(cards, larger, size)
    batch_size = max(1, BATCH_VALUES // (boards_holding.shape[1] * len(value)))
    parts = [
        rows[boards_holding[start : start + batch_size]].sum(axis=1)
        for start in range(0, len(boards_holding), batch_size)
    ]
    total: IntArray = np.concatenate(parts).T
    return total


@releasable_cache(maxsize=8)
def _boards_holding(cards: int, size: int, smaller: int) -> NDArray[np.intp]:
    """For each smaller board, the boards that contain it (equally many for each)."""
    parts = subsets(cards, size, smaller)
    order = np.argsort(parts.ravel(), kind="stable") // parts.shape[1]
    boards: NDArray[np.intp] = order.reshape(len(choices(cards, smaller)), -1)
    return boards


@dataclass(frozen=True, eq=False)
class SpotEnumeration:
    """The value of every play in a spot, in cents times `ways`, and the kinds of its boards."""

    plays: tuple[Play, ...]
    worth: tuple[int, ...]
    ways: int
    kinds: NDArray[np.int8]  # The kind of every hand that the board can still make.


def enumerate_spot(terms: Terms, spot: Spot, *, purse: Purse, street: int) -> SpotEnumeration:
    """Enumerate all cards to come, with best play at every later decision."""
    known_cards = {*spot.cards, *spot.community, *spot.dead}
    unseen = np.array([card for card in range(52) if card not in known_cards], np.uint8)
    later = terms.ladder.reveals[street:]
    to_come = sum(later)
    boards = unseen[choices(len(unseen), to_come)]
    kinds, end_index = _showdown_kinds(terms, spot.cards, spot.community, boards)
    showdowns = terms.showdowns(kinds)
    way_count = prod(len(bets) for bets in terms.bets[street:]) if terms.separates_bets else 1
    cause = say("exact.large.ways-and-boards", ways=way_count, boards=len(boards))
    require_memory(8 * way_count * len(boards), cause, say("exact.large.fewer-cards"))
    purses = _reachable(terms, purse, street)
    ends = track_parts(
        purses[-1],
        len(purses[-1]),
        say("exact.working.ways"),
        seconds_each=len(boards) * 1e-8 + 1e-3,
    )
    after = {
        end_purse: _end_nets(terms, end_purse, showdowns, folded=False)[end_index]
        for end_purse in ends
    }
    level: dict[Purse, tuple[tuple[Play, ...], NDArray[Any]]] = {}
    for number in range(len(later) - 1, -1, -1):
        size = sum(later[:number])
        next_size = size + later[number]
        after = {
            p: sum_over_boards(value[None], len(unseen), size, next_size)[0]
            for p, value in after.items()
        }
        orders = _card_orders(terms, street + number)
        level = {}
        for street_purse in purses[number]:
            plays = terms.affordable_plays(street + number, street_purse)
            values = [
                after[terms.purse_after(street + number, street_purse, play)]
                for play in plays
                if not play.folds
            ]
            if plays[-1].folds:
                fold_nets = _end_nets(terms, street_purse, showdowns, folded=True)[end_index]
                values.append(
                    sum_over_boards(fold_nets[None], len(unseen), size, to_come)[0] * orders
                )
            level[street_purse] = (plays, np.stack(values))
        after = {street_purse: value.max(axis=0) for street_purse, (_, value) in level.items()}
    plays, value = level[purse]
    ways = comb(len(unseen), to_come) * _card_orders(terms, street)
    hands: NDArray[np.int8] = np.array([kind for kind, _, _ in kinds], np.int8)[end_index]
    return SpotEnumeration(plays, tuple(int(play_worth) for play_worth in value[:, 0]), ways, hands)


def _showdown_kinds(
    terms: Terms, cards: tuple[Card, ...], community: tuple[Card, ...], boards: NDArray[np.uint8]
) -> tuple[list[DealKinds], NDArray[np.intp]]:
    """The distinct (hand, hole-card, board) kinds, and for each board the index of its
    combination.
    """
    ace = terms.ace
    community_rows = np.broadcast_to(np.array(community, np.uint8), (len(boards), len(community)))
    board = np.concatenate([community_rows, boards], axis=1)
    hole_rows = np.broadcast_to(np.array(cards, np.uint8), (len(boards), len(cards)))
    hands = kinds_of(np.concatenate([hole_rows, board], axis=1), ace)
    board_kinds = kinds_of(board, ace)
    hole_kind = kind_of(cards, ace=ace)
    codes, end_index = np.unique(hands * 100 + board_kinds, return_inverse=True)
    return [(code // 100, hole_kind, code % 100) for code in codes.tolist()], end_index.reshape(-1)


def _end_nets(
    terms: Terms, purse: Purse, showdowns: Sequence[Showdown], *, folded: bool
) -> IntArray:
    lines = terms.fold_lines if folded else terms.lines
    return np.array([net_cents(lines(purse, showdown)) for showdown in showdowns], terms.numbers)


def _reachable(terms: Terms, purse: Purse, street: int) -> list[set[Purse]]:
    levels = [{purse}]
    for later in range(street, len(terms.bets)):
        pairs = (
            (level_purse, play)
            for level_purse in levels[-1]
            for play in terms.affordable_plays(later, level_purse)
        )
        levels.append(
            {
                terms.purse_after(later, level_purse, play)
                for level_purse, play in pairs
                if not play.folds
            }
        )
    return levels


def _card_orders(terms: Terms, street: int) -> int:
    """In how many orders the cards of one board can come from a street on."""
    later = terms.ladder.reveals[street:]
    cards_left, orders = sum(later), 1
    for reveal in later:
        orders *= comb(cards_left, reveal)
        cards_left -= reveal
    return orders


DealKinds = tuple[int, int, int]  # Of all cards, of the hole cards and of the board.


@dataclass(frozen=True, eq=False)
class Deals:
    """Hole cards with their weights, and the boards possible with each.

    Boards of equal size have the same numbers for all hole cards, by positions among the cards
    left.
    """

    hole_cards: int
    ace: Ace
    reveals: tuple[int, ...]
    kinds: tuple[DealKinds, ...]  # All kinds that pay tables can see of a deal, numbered.
    kind_numbers: NDArray[np.int16]  # [holes, full boards], the number of each deal's kinds.
    distinct: DistinctDeals

    @property
    def cards_left(self) -> int:
        """The number of cards that are not hole cards."""
        return 52 - self.hole_cards

    def cards_open(self, street: int) -> int:
        """The number of board cards open before a street."""
        return sum(self.reveals[:street])

    @property
    def board_cards(self) -> int:
        """The number of cards on the full board."""
        return sum(self.reveals)

    def card_orders(self, street: int) -> int:
        """In how many orders the remaining streets' cards can come, for one full board."""
        reveals = self.reveals[street:]
        return factorial(sum(reveals)) // prod(factorial(reveal) for reveal in reveals)

    @property
    def rounds(self) -> int:
        """The number of deals, counting the order of the streets' cards."""
        return (
            comb(52, self.hole_cards)
            * comb(self.cards_left, self.board_cards)
            * self.card_orders(0)
        )

    def board_parts(self, size: int) -> IntArray:
        """For the distinct deals: flat indices of the smaller boards in [holes, boards]."""
        return _parts(self.hole_cards, self.reveals, self.ace, size)

    def classes_at(self, street: int) -> NDArray[np.int16]:
        """By hole cards and board before a street: the class of all cards seen."""
        return _classes_at(self.hole_cards, self.ace, self.cards_open(street))


@releasable_cache(maxsize=8)
def _parts(hole: int, reveals: tuple[int, ...], ace: Ace, size: int) -> IntArray:
    distinct = enumerate_deals(hole, reveals, ace).distinct
    smaller = subsets(52 - hole, sum(reveals), size)[distinct.board]
    return (distinct.hole[:, None] * comb(52 - hole, size) + smaller).T.copy()


@dataclass(frozen=True, eq=False)
class DistinctDeals:
    """Deals that differ by more than suits: where they are, and how many each represents."""

    hole: NDArray[np.intp]
    board: NDArray[np.intp]
    weights: IntArray


@releasable_cache(maxsize=8)
def enumerate_deals(hole: int, reveals: tuple[int, ...], ace: Ace) -> Deals:
    """The deals of a game with this many hole cards and these streets."""
    holes, weights = choices_up_to_suits(hole)
    board_cards, hands = disjoint_sets(holes, sum(reveals))
    board_kinds = kinds_of(board_cards, ace)
    board_kind_count, kinds = int(board_kinds.max()) + 1, len(hand_kinds(CARDS))
    codes = (
        kinds_of(holes, ace)[:, None] * kinds + kinds_of(hands, ace)
    ) * board_kind_count + board_kinds
    used = np.flatnonzero(np.bincount(codes.ravel()))
    number = np.zeros(int(used[-1]) + 1, np.int16)
    number[used] = np.arange(len(used))
    deal_kinds = tuple(
        (
            code // board_kind_count % kinds,
            code // board_kind_count // kinds,
            code % board_kind_count,
        )
        for code in used.tolist()
    )
    return Deals(
        hole, ace, reveals, deal_kinds, number[codes], _distinct_deals(holes, board_cards, weights)
    )


def _distinct_deals(holes: CardArray, boards: CardArray, weights: IntArray) -> DistinctDeals:
    """One board of each pattern for each hole, under the suit swaps that keep the hole."""
    rows, places, stands_for = [], [], []
    for row, hole in enumerate(holes):
        swapped = _swapped_boards(hole, boards[row])
        original = swapped[0]
        first = np.flatnonzero(original == swapped.min(axis=0))
        fixed_swaps = (swapped[:, first] == original[first]).sum(axis=0)
        rows.append(np.full(len(first), row))
        places.append(first)
        stands_for.append(len(swapped) // fixed_swaps * weights[row])
    return DistinctDeals(np.concatenate(rows), np.concatenate(places), np.concatenate(stands_for))


def _swapped_boards(hole: CardArray, boards: CardArray) -> IntArray:
    """Boards as bits of their cards, after each suit swap that keeps the hole; identity first."""
    swaps = _suit_swaps()
    keeps_hole = swaps[:, hole].sum(axis=1) == swaps[0, hole].sum()
    return np.stack([sum(swap[cards] for cards in boards.T) for swap in swaps[keeps_hole]])


@cache
def _suit_swaps() -> IntArray:
    """The image of every card under each suit swap, as a bit: [swaps, cards], identity first."""
    return np.array(
        [
            [1 << (card // 4 * 4 + suits[card % 4]) for card in range(52)]
            for suits in permutations(range(4))
        ]
    )


@releasable_cache(maxsize=8)
def _classes_at(hole: int, ace: Ace, board_cards: int) -> NDArray[np.int16]:
    holes, _ = choices_up_to_suits(hole)
    boards, card_sets = disjoint_sets(holes, board_cards)
    cards = card_sets.reshape(-1, hole + board_cards)
    if hole + board_cards > 1:
        return batch.ranks(cards, ace=ace).reshape(boards.shape[:2])
    places = {hand.ranks[0]: index for index, hand in enumerate(classes(1, ace))}
    ranks = [places[int(card) >> 2] for card in cards[:, 0]]
    return np.array(ranks, np.int16).reshape(boards.shape[:2])


@releasable_cache(maxsize=8)
def subsets(cards: int, size: int, smaller: int) -> NDArray[np.intp]:
    """By set of `size` places, the numbers of its subsets of a smaller size."""
    sets = choices(cards, size)
    parts = [sets[:, list(part)] for part in combinations(range(size), smaller)]
    return np.stack([_set_numbers(part, cards) for part in parts], axis=1)


def _set_numbers(sets: NDArray[np.intp], cards: int) -> NDArray[np.intp]:
    """The positions of ascending sets among all sets of their size, in the order of `choices`."""
    size = sets.shape[1]
    sets_after = np.zeros(len(sets), np.intp)
    for index in range(size):
        later_sets = np.array(
            [comb(cards - 1 - place_number, size - index) for place_number in range(cards)], np.intp
        )
        sets_after += later_sets[sets[:, index]]
    return comb(cards, size) - 1 - sets_after
