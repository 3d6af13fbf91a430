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
from pitbook.exact.figures import FigureRow, Figures, figures_from_rows, round_row
from pitbook.exact.methods.ladder.solve import (
    PurseWorths,
    Solution,
    pick_best,
    plays_of,
    preference_order,
    solve_terms,
)
from pitbook.exact.methods.ladder.structure import CARDS, Purse, Terms, net_cents
from pitbook.exact.methods.ladder.transitions import IntArray
from pitbook.exact.spots import Spot
from pitbook.exact.work import releasable_cache, require_memory, track_parts
from pitbook.hands import batch
from pitbook.hands.card_sets import CardArray, choices, choices_up_to_suits, disjoint_sets, kinds_of
from pitbook.hands.kinds import Ace, catalogue
from pitbook.hands.ranking import classes, kind_of
from pitbook.rules.game import Showdown
from pitbook.rules.plays import Play
from pitbook.text import say

VALUES_AT_ONCE = 2**16  # As many as stay in the near cache while they are added up.
Paths = NDArray[np.int16]  # In how many orders the cards of a board come: 24 at most.
DealPolicy = list[
    dict[Purse, NDArray[np.int8]]
]  # For each street and purse: [holes, boards] -> play.


def round_figures(terms: Terms) -> Figures:
    """The figures of a round with the main game and the chosen side wagers, in antes."""
    return figures_from_rows(round_rows(terms, all_deals(terms), joint_policy(terms)))


def all_deals(terms: Terms) -> Deals:
    """The deals of the game."""
    ladder = terms.ladder
    return enumerate_deals(ladder.own, ladder.reveals, ladder.ace)


def joint_policy(terms: Terms) -> DealPolicy:
    """Best play: by classes where side wagers leave it alone, else worked out deal by deal."""
    if side_wagers_change_play(terms):
        return _solve_deals(terms, all_deals(terms))
    return policy_from_classes(solve_terms(replace(terms, side={})), all_deals(terms))


def side_wagers_change_play(terms: Terms) -> bool:
    """Whether a side wager changes what is best: it dies with a fold, or shares a cap."""
    return bool(terms.affected_side_wagers)


def policy_from_classes(solution: Solution, every: Deals) -> DealPolicy:
    """A solution's plays laid out over all deals."""
    return [
        {
            purse: _number_plays(solution.terms, street, choice)[every.classes_at(street)]
            for purse, choice in level.items()
        }
        for street, level in enumerate(solution.streets)
    ]


def _number_plays(terms: Terms, street: int, choice: PurseWorths) -> NDArray[np.int8]:
    """The best plays of all classes, numbered among all plays of the street."""
    plays = plays_of(terms, street)
    if choice.plays == plays:
        return choice.best
    return np.array([plays.index(play) for play in choice.plays], np.int8)[choice.best]


def round_rows(terms: Terms, every: Deals, policy: DealPolicy) -> Iterator[FigureRow]:
    """How often a round under that policy ends in each way, over all deals."""
    shown = terms.read(every.kinds)
    for street, purse, weights in _forward(terms, every, policy):
        for showdown, count in _tally(shown, every, weights):
            folds = street is not None
            lines = terms.fold_lines(purse, showdown) if folds else terms.lines(purse, showdown)
            yield round_row(lines, terms.ante, count)


def _forward(
    terms: Terms, every: Deals, policy: DealPolicy
) -> Iterator[tuple[int | None, Purse, Paths]]:
    """Every ending with its weight on each deal that is apart; street None is a showdown."""
    reached: dict[Purse, Paths] = {terms.nothing_bet: np.ones((len(every.seen), 1), np.int16)}
    last = len(every.reveals) - 1
    for street, reveals in enumerate(every.reveals):
        known = every.turned(street)
        bet: dict[Purse, Paths] = {}
        for purse, weights in reached.items():
            best = policy[street][purse]
            for place, play in enumerate(plays_of(terms, street)):
                chosen = np.where(best == place, weights, 0)
                if not play.folds:
                    bigger = terms.purse_after(street, purse, play)
                    bet[bigger] = bet.get(bigger, 0) + chosen
                elif chosen.any():
                    yield street, purse, _at_the_end(every, chosen, known) * every.orders(street)
        if street == last:
            for purse, weights in bet.items():
                yield None, purse, _at_the_end(every, weights, known)
            return
        more = known + reveals
        reached = {
            purse: _carry_weights(every, weights, known, more) for purse, weights in bet.items()
        }


def _at_the_end(every: Deals, weights: Paths, known: int) -> Paths:
    """Weights on boards of `known` cards, carried to the whole boards that hold them."""
    flat = weights.ravel()
    total: Paths = np.zeros(len(every.apart.hole), np.int16)
    for part in every.parts(known):
        total += np.take(flat, part)
    return total


def _carry_weights(every: Deals, weights: Paths, known: int, more: int) -> Paths:
    """Weights on boards of `known` cards, carried to every larger board that holds them."""
    if known == more:
        return weights
    if known == 0:
        return np.broadcast_to(weights, (len(weights), len(choices(every.left, more))))
    parts = subsets(every.left, more, known)
    total: Paths = np.take(weights, parts[:, 0], axis=1)
    for place in range(1, parts.shape[1]):
        total += np.take(weights, parts[:, place], axis=1)
    return total


def _tally(
    shown: Sequence[Showdown], every: Deals, weights: Paths
) -> Iterator[tuple[Showdown, int]]:
    """Weights added up by what the wagers in play can see of a deal."""
    counts = np.bincount(_distinct_showdowns(every), weights * every.apart.weights)
    added: dict[Showdown, int] = {}
    for number in np.flatnonzero(counts).tolist():
        one = shown[number]
        added[one] = added.get(one, 0) + int(counts[number])
    yield from added.items()


@releasable_cache(maxsize=8)
def _distinct_showdowns(every: Deals) -> NDArray[np.intp]:
    """The number of the kinds of each deal that is apart."""
    return every.seen[every.apart.hole, every.apart.board].astype(np.intp)


def _solve_deals(terms: Terms, every: Deals) -> DealPolicy:
    """Backward over all deals, with every side wager in the balance."""
    many, boards = (
        terms.purses_at_most,
        len(choices(every.left, every.turned(len(every.reveals) - 1))),
    )
    what = say("exact.large.side-wagers", ways=many)
    require_memory(8 * many * len(every.seen) * boards, what, say("exact.large.leave-out"))
    policy: DealPolicy = []
    after: dict[Purse, IntArray] = {}
    ends = ShowdownEnds.of(terms, every)
    for street in range(len(every.reveals) - 1, -1, -1):
        known = every.turned(street)
        more = known + every.reveals[street]
        worths = after.items() if after else _at_showdown(terms, every, ends)
        after = {purse: sum_over_boards(worth, every.left, known, more) for purse, worth in worths}
        level, values = {}, {}
        number = {play: place for place, play in enumerate(plays_of(terms, street))}
        for purse in terms.purses[street]:
            plays = terms.affordable_plays(street, purse)
            worth = [after[terms.purse_after(street, purse, one)] for one in plays if not one.folds]
            if plays[-1].folds:
                lost = ends.nets(terms, purse, folded=True)
                whole = sum_over_boards(lost, every.left, known, every.board)
                worth.append(whole * every.orders(street))
            values[purse], best = pick_best(worth, preference_order(terms, plays))
            level[purse] = np.array([number[play] for play in plays], np.int8)[best]
        policy.insert(0, level)
        after = values
    return policy


def _at_showdown(
    terms: Terms, every: Deals, ends: ShowdownEnds
) -> Iterator[tuple[Purse, IntArray]]:
    """One purse at a time: the values of all deals are too large to keep for every purse."""
    purses = terms.purses[-1]
    for purse in track_parts(
        purses, len(purses), say("exact.working.ways"), each=every.seen.size * 2e-8
    ):
        yield purse, ends.nets(terms, purse, folded=False)


class ShowdownEnds(NamedTuple):
    """Showdowns that every wager in play pays differently, and which of them each deal comes to."""

    apart: tuple[Showdown, ...]
    which: NDArray[np.int16]  # [boards, holes]: the values of a board lie side by side.

    @classmethod
    def of(cls, terms: Terms, every: Deals) -> ShowdownEnds:
        """The ends of all deals."""
        alike = terms.read(every.kinds)
        number = {shown: place for place, shown in enumerate(dict.fromkeys(alike))}
        numbers = np.array([number[shown] for shown in alike], np.int16)
        return cls(tuple(number), numbers[np.ascontiguousarray(every.seen.T)])

    def nets(self, terms: Terms, purse: Purse, *, folded: bool) -> IntArray:
        """What every whole deal comes to, in cents."""
        lines = terms.fold_lines if folded else terms.lines
        worth = [net_cents(lines(purse, shown)) for shown in self.apart]
        priced: IntArray = np.array(worth, terms.numbers)[self.which]
        return priced.T


def sum_over_boards(worth: IntArray, cards: int, known: int, more: int) -> IntArray:
    """Values of boards of `more` cards, added up over those that hold each board of `known`."""
    if known == more:
        return worth
    if known == 0:
        whole: IntArray = worth.sum(axis=1, keepdims=True)
        return whole
    rows, holding = np.ascontiguousarray(worth.T), _boards_holding(cards, more, known)
    at_once = max(1, VALUES_AT_ONCE // (holding.shape[1] * len(worth)))
    parts = [
        rows[holding[start : start + at_once]].sum(axis=1)
        for start in range(0, len(holding), at_once)
    ]
    total: IntArray = np.concatenate(parts).T
    return total


@releasable_cache(maxsize=8)
def _boards_holding(cards: int, size: int, smaller: int) -> NDArray[np.intp]:
    """For each smaller board the boards that hold it: all are held by equally many."""
    parts = subsets(cards, size, smaller)
    order = np.argsort(parts.ravel(), kind="stable") // parts.shape[1]
    found: NDArray[np.intp] = order.reshape(len(choices(cards, smaller)), -1)
    return found


@dataclass(frozen=True, eq=False)
class SpotEnumeration:
    """What every play at a spot is worth, in cents times `ways`, and how the boards end."""

    plays: tuple[Play, ...]
    worth: tuple[int, ...]
    ways: int
    kinds: NDArray[np.int8]  # The kind of every hand that the board can still make.


def enumerate_spot(terms: Terms, spot: Spot, *, purse: Purse, street: int) -> SpotEnumeration:
    """Every set of cards that can still come, with best play at every later decision."""
    gone = {*spot.cards, *spot.community, *spot.dead}
    left = np.array([card for card in range(52) if card not in gone], np.uint8)
    later = terms.ladder.reveals[street:]
    to_come = sum(later)
    boards = left[choices(len(left), to_come)]
    kinds, seen = _end_kinds(terms, spot.cards, spot.community, boards)
    shown = terms.read(kinds)
    many = prod(len(bets) for bets in terms.bets[street:]) if terms.keeps_bets_apart else 1
    what = say("exact.large.ways-and-boards", ways=many, boards=len(boards))
    require_memory(8 * many * len(boards), what, say("exact.large.fewer-cards"))
    purses = _reachable(terms, purse, street)
    ends = track_parts(
        purses[-1], len(purses[-1]), say("exact.working.ways"), each=len(boards) * 1e-8 + 1e-3
    )
    after = {one: _end_nets(terms, one, shown, folded=False)[seen] for one in ends}
    level: dict[Purse, tuple[tuple[Play, ...], NDArray[Any]]] = {}
    for number in range(len(later) - 1, -1, -1):
        known = sum(later[:number])
        more = known + later[number]
        after = {
            p: sum_over_boards(worth[None], len(left), known, more)[0] for p, worth in after.items()
        }
        orders = _card_orders(terms, street + number)
        level = {}
        for one in purses[number]:
            plays = terms.affordable_plays(street + number, one)
            worths = [
                after[terms.purse_after(street + number, one, bet)]
                for bet in plays
                if not bet.folds
            ]
            if plays[-1].folds:
                lost = _end_nets(terms, one, shown, folded=True)[seen]
                worths.append(sum_over_boards(lost[None], len(left), known, to_come)[0] * orders)
            level[one] = (plays, np.stack(worths))
        after = {one: worth.max(axis=0) for one, (_, worth) in level.items()}
    plays, worth = level[purse]
    ways = comb(len(left), to_come) * _card_orders(terms, street)
    hands: NDArray[np.int8] = np.array([one for one, _, _ in kinds], np.int8)[seen]
    return SpotEnumeration(plays, tuple(int(one) for one in worth[:, 0]), ways, hands)


def _end_kinds(
    terms: Terms, cards: tuple[Card, ...], community: tuple[Card, ...], boards: NDArray[np.uint8]
) -> tuple[list[DealKinds], NDArray[np.intp]]:
    """What pay tables can see at each end: the different kinds, and which each board gives."""
    ace = terms.ace
    table = np.broadcast_to(np.array(community, np.uint8), (len(boards), len(community)))
    whole = np.concatenate([table, boards], axis=1)
    own = np.broadcast_to(np.array(cards, np.uint8), (len(boards), len(cards)))
    hands = kinds_of(np.concatenate([own, whole], axis=1), ace)
    common = kinds_of(whole, ace)
    hole = kind_of(cards, ace=ace)
    codes, seen = np.unique(hands * 100 + common, return_inverse=True)
    return [(code // 100, hole, code % 100) for code in codes.tolist()], seen.reshape(-1)


def _end_nets(terms: Terms, purse: Purse, shown: Sequence[Showdown], *, folded: bool) -> IntArray:
    lines = terms.fold_lines if folded else terms.lines
    return np.array([net_cents(lines(purse, one)) for one in shown], terms.numbers)


def _reachable(terms: Terms, purse: Purse, street: int) -> list[set[Purse]]:
    levels = [{purse}]
    for later in range(street, len(terms.bets)):
        made = ((one, play) for one in levels[-1] for play in terms.affordable_plays(later, one))
        levels.append({terms.purse_after(later, one, play) for one, play in made if not play.folds})
    return levels


def _card_orders(terms: Terms, street: int) -> int:
    """In how many orders the cards of one whole board can come from a street on."""
    later = terms.ladder.reveals[street:]
    left, orders = sum(later), 1
    for turned in later:
        orders *= comb(left, turned)
        left -= turned
    return orders


DealKinds = tuple[int, int, int]  # Of all cards, of the hole cards and of the board.


@dataclass(frozen=True, eq=False)
class Deals:
    """Hole cards with their weights, and for each the boards that can lie beside them.

    Boards of b cards are numbered alike for all hole cards, by places among the cards left.
    """

    hole: int
    ace: Ace
    reveals: tuple[int, ...]
    kinds: tuple[DealKinds, ...]  # All that pay tables can see of a deal, numbered.
    seen: NDArray[np.int16]  # [holes, whole boards], the number of each deal's kinds.
    apart: DistinctDeals

    @property
    def left(self) -> int:
        """Cards that are not in the hole."""
        return 52 - self.hole

    def turned(self, street: int) -> int:
        """Board cards known before a street."""
        return sum(self.reveals[:street])

    @property
    def board(self) -> int:
        """Cards of the whole board."""
        return sum(self.reveals)

    def orders(self, street: int) -> int:
        """In how many orders the sets of cards still to come can come, for one whole board."""
        more = self.reveals[street:]
        return factorial(sum(more)) // prod(factorial(one) for one in more)

    @property
    def rounds(self) -> int:
        """All deals, counted with the order in which the streets' cards come."""
        return comb(52, self.hole) * comb(self.left, self.board) * self.orders(0)

    def parts(self, known: int) -> IntArray:
        """For the deals that are apart: where the smaller boards lie in [holes, boards], flat."""
        return _parts(self.hole, self.reveals, self.ace, known)

    def classes_at(self, street: int) -> NDArray[np.int16]:
        """For hole cards and boards known before a street: the class of all cards seen."""
        return _classes_at(self.hole, self.ace, self.turned(street))


@releasable_cache(maxsize=8)
def _parts(hole: int, reveals: tuple[int, ...], ace: Ace, known: int) -> IntArray:
    apart = enumerate_deals(hole, reveals, ace).apart
    smaller = subsets(52 - hole, sum(reveals), known)[apart.board]
    return (apart.hole[:, None] * comb(52 - hole, known) + smaller).T.copy()


@dataclass(frozen=True, eq=False)
class DistinctDeals:
    """Deals that no change of suits makes equal: where they are, and how many each stands for."""

    hole: NDArray[np.intp]
    board: NDArray[np.intp]
    weights: IntArray


@releasable_cache(maxsize=8)
def enumerate_deals(hole: int, reveals: tuple[int, ...], ace: Ace) -> Deals:
    """The deals of a game with so many hole cards and such streets."""
    holes, weights = choices_up_to_suits(hole)
    own, hands = disjoint_sets(holes, sum(reveals))
    boards = kinds_of(own, ace)
    many, kinds = int(boards.max()) + 1, len(catalogue(CARDS))
    codes = (kinds_of(holes, ace)[:, None] * kinds + kinds_of(hands, ace)) * many + boards
    used = np.flatnonzero(np.bincount(codes.ravel()))
    number = np.zeros(int(used[-1]) + 1, np.int16)
    number[used] = np.arange(len(used))
    met = tuple(
        (code // many % kinds, code // many // kinds, code % many) for code in used.tolist()
    )
    return Deals(hole, ace, reveals, met, number[codes], _distinct_deals(holes, own, weights))


def _distinct_deals(holes: CardArray, boards: CardArray, weights: IntArray) -> DistinctDeals:
    """One board of each pattern beside each hole, under the changes of suit that keep the hole."""
    rows, places, stands_for = [], [], []
    for row, own in enumerate(holes):
        turned = _swapped_boards(own, boards[row])
        mine = turned[0]
        first = np.flatnonzero(mine == turned.min(axis=0))
        fixed = (turned[:, first] == mine[first]).sum(axis=0)
        rows.append(np.full(len(first), row))
        places.append(first)
        stands_for.append(len(turned) // fixed * weights[row])
    return DistinctDeals(np.concatenate(rows), np.concatenate(places), np.concatenate(stands_for))


def _swapped_boards(hole: CardArray, boards: CardArray) -> IntArray:
    """Boards as bits of their cards, after each change of suits that keeps the hole; none first."""
    turns = _suit_swaps()
    keep = turns[:, hole].sum(axis=1) == turns[0, hole].sum()
    return np.stack([sum(turn[cards] for cards in boards.T) for turn in turns[keep]])


@cache
def _suit_swaps() -> IntArray:
    """What each change of suits makes of every card, as a bit: [changes, cards], none first."""
    return np.array(
        [
            [1 << (card // 4 * 4 + suits[card % 4]) for card in range(52)]
            for suits in permutations(range(4))
        ]
    )


@releasable_cache(maxsize=8)
def _classes_at(hole: int, ace: Ace, turned: int) -> NDArray[np.int16]:
    holes, _ = choices_up_to_suits(hole)
    boards, seen = disjoint_sets(holes, turned)
    cards = seen.reshape(-1, hole + turned)
    if hole + turned > 1:
        return batch.ranks(cards, ace=ace).reshape(boards.shape[:2])
    places = {one.ranks[0]: place for place, one in enumerate(classes(1, ace))}
    ranks = [places[int(card) >> 2] for card in cards[:, 0]]
    return np.array(ranks, np.int16).reshape(boards.shape[:2])


@releasable_cache(maxsize=8)
def subsets(cards: int, size: int, smaller: int) -> NDArray[np.intp]:
    """For every set of `size` places the numbers of its subsets of a smaller size."""
    sets = choices(cards, size)
    parts = [sets[:, list(part)] for part in combinations(range(size), smaller)]
    return np.stack([_set_numbers(part, cards) for part in parts], axis=1)


def _set_numbers(sets: NDArray[np.intp], cards: int) -> NDArray[np.intp]:
    """Where rising sets stand among all of their size, in the order of `choices`."""
    size = sets.shape[1]
    after = np.zeros(len(sets), np.intp)
    for place in range(size):
        more = np.array([comb(cards - 1 - one, size - place) for one in range(cards)], np.intp)
        after += more[sets[:, place]]
    return comb(cards, size) - 1 - after
