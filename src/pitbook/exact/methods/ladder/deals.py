"""Every deal of a ladder, hole cards up to a change of suits, boards in full.

Classes forget which cards are whose. Where a side wager looks at the community or hole cards alone,
that matters, and the deals are gone through one by one: 169 times 19,600 for two hole cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.memory import released_cache
from pitbook.exact.methods.ladder.rungs import Ints
from pitbook.exact.methods.ladder.structure import CARDS
from pitbook.hands import batch
from pitbook.hands.card_sets import CardArray, choices, choices_up_to_suits, disjoint_sets, kinds_of
from pitbook.hands.kinds import Ace, catalogue
from pitbook.hands.ranking import classes

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
    apart: Apart

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

    def parts(self, known: int) -> Ints:
        """For the deals that are apart: where the smaller boards lie in [holes, boards], flat."""
        return _parts(self.hole, self.reveals, self.ace, known)

    def classes_at(self, street: int) -> NDArray[np.int16]:
        """For hole cards and boards known before a street: the class of all cards seen."""
        return _classes_at(self.hole, self.ace, self.turned(street))


@released_cache(maxsize=8)
def _parts(hole: int, reveals: tuple[int, ...], ace: Ace, known: int) -> Ints:
    apart = deals(hole, reveals, ace).apart
    smaller = subsets(52 - hole, sum(reveals), known)[apart.board]
    return (apart.hole[:, None] * comb(52 - hole, known) + smaller).T.copy()


@dataclass(frozen=True, eq=False)
class Apart:
    """Deals that no change of suits makes equal: where they are, and how many each stands for."""

    hole: NDArray[np.intp]
    board: NDArray[np.intp]
    weights: Ints


@released_cache(maxsize=8)
def deals(hole: int, reveals: tuple[int, ...], ace: Ace) -> Deals:
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
    return Deals(hole, ace, reveals, met, number[codes], _apart(holes, own, weights))


def _apart(holes: CardArray, boards: CardArray, weights: Ints) -> Apart:
    """One board of each pattern beside each hole, under the changes of suit that keep the hole."""
    rows, places, stands_for = [], [], []
    for row, own in enumerate(holes):
        turned = _turned(own, boards[row])
        mine = turned[0]
        first = np.flatnonzero(mine == turned.min(axis=0))
        fixed = (turned[:, first] == mine[first]).sum(axis=0)
        rows.append(np.full(len(first), row))
        places.append(first)
        stands_for.append(len(turned) // fixed * weights[row])
    return Apart(np.concatenate(rows), np.concatenate(places), np.concatenate(stands_for))


def _turned(hole: CardArray, boards: CardArray) -> Ints:
    """Boards as bits of their cards, after each change of suits that keeps the hole; none first."""
    turns = _turns()
    keep = turns[:, hole].sum(axis=1) == turns[0, hole].sum()
    return np.stack([sum(turn[cards] for cards in boards.T) for turn in turns[keep]])


@cache
def _turns() -> Ints:
    """What each change of suits makes of every card, as a bit: [changes, cards], none first."""
    return np.array(
        [
            [1 << (card // 4 * 4 + suits[card % 4]) for card in range(52)]
            for suits in permutations(range(4))
        ]
    )


@released_cache(maxsize=8)
def _classes_at(hole: int, ace: Ace, turned: int) -> NDArray[np.int16]:
    holes, _ = choices_up_to_suits(hole)
    boards, seen = disjoint_sets(holes, turned)
    cards = seen.reshape(-1, hole + turned)
    if hole + turned > 1:
        return batch.ranks(cards, ace=ace).reshape(boards.shape[:2])
    places = {one.ranks[0]: place for place, one in enumerate(classes(1, ace))}
    ranks = [places[int(card) >> 2] for card in cards[:, 0]]
    return np.array(ranks, np.int16).reshape(boards.shape[:2])


@released_cache(maxsize=8)
def subsets(cards: int, size: int, smaller: int) -> NDArray[np.intp]:
    """For every set of `size` places the numbers of its subsets of a smaller size."""
    sets = choices(cards, size)
    parts = [sets[:, list(part)] for part in combinations(range(size), smaller)]
    return np.stack([_numbers(part, cards) for part in parts], axis=1)


def _numbers(sets: NDArray[np.intp], cards: int) -> NDArray[np.intp]:
    """Where rising sets stand among all of their size, in the order of `choices`."""
    size = sets.shape[1]
    after = np.zeros(len(sets), np.intp)
    for place in range(size):
        more = np.array([comb(cards - 1 - one, size - place) for one in range(cards)], np.intp)
        after += more[sets[:, place]]
    return comb(cards, size) - 1 - after
