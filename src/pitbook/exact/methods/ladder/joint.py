"""The whole round with its side wagers: what they win together, counted on the same cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.figures import FigureRow, Figures, figures, round_row
from pitbook.exact.memory import released_cache
from pitbook.exact.methods.ladder.deals import Deals, deals, subsets
from pitbook.exact.methods.ladder.rungs import Ints
from pitbook.exact.methods.ladder.solving import (
    PurseWorths,
    Solution,
    pick,
    plays_of,
    preferred,
    solve_terms,
)
from pitbook.exact.methods.ladder.terms import Purse, Terms, net
from pitbook.exact.working import room_for, tracked
from pitbook.hands.card_sets import choices
from pitbook.rules.game import Showdown
from pitbook.text import say

VALUES_AT_ONCE = 2**16  # As many as stay in the near cache while they are added up.
Paths = NDArray[np.int16]  # In how many orders the cards of a board come: 24 at most.
Policy = list[dict[Purse, NDArray[np.int8]]]  # For each street and purse: [holes, boards] -> play.


def round_figures(terms: Terms) -> Figures:
    """The figures of a round with the main game and the chosen side wagers, in antes."""
    return figures(round_rows(terms, all_deals(terms), joint_policy(terms)))


def all_deals(terms: Terms) -> Deals:
    """The deals of the game."""
    ladder = terms.ladder
    return deals(ladder.own, ladder.reveals, ladder.ace)


def joint_policy(terms: Terms) -> Policy:
    """Best play: by classes where side wagers leave it alone, else worked out deal by deal."""
    if entangled(terms):
        return _worked_out(terms, all_deals(terms))
    return by_class(solve_terms(replace(terms, side={})), all_deals(terms))


def entangled(terms: Terms) -> bool:
    """Whether a side wager changes what is best: it dies with a fold, or shares a cap."""
    return bool(terms.touched)


def by_class(solution: Solution, every: Deals) -> Policy:
    """A solution's plays laid out over all deals."""
    return [
        {
            purse: _numbered(solution.terms, street, choice)[every.classes_at(street)]
            for purse, choice in level.items()
        }
        for street, level in enumerate(solution.streets)
    ]


def _numbered(terms: Terms, street: int, choice: PurseWorths) -> NDArray[np.int8]:
    """The best plays of all classes, numbered among all plays of the street."""
    plays = plays_of(terms, street)
    if choice.plays == plays:
        return choice.best
    return np.array([plays.index(play) for play in choice.plays], np.int8)[choice.best]


def round_rows(terms: Terms, every: Deals, policy: Policy) -> Iterator[FigureRow]:
    """How often a round under that policy ends in each way, over all deals."""
    shown = terms.read(every.kinds)
    for street, purse, weights in _forward(terms, every, policy):
        for showdown, count in _tally(shown, every, weights):
            folds = street is not None
            lines = terms.folded(purse, showdown) if folds else terms.lines(purse, showdown)
            yield round_row(lines, terms.ante, count)


def _forward(
    terms: Terms, every: Deals, policy: Policy
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
                    bigger = terms.after(street, purse, play)
                    bet[bigger] = bet.get(bigger, 0) + chosen
                elif chosen.any():
                    yield street, purse, _at_the_end(every, chosen, known) * every.orders(street)
        if street == last:
            for purse, weights in bet.items():
                yield None, purse, _at_the_end(every, weights, known)
            return
        more = known + reveals
        reached = {purse: _carried(every, weights, known, more) for purse, weights in bet.items()}


def _at_the_end(every: Deals, weights: Paths, known: int) -> Paths:
    """Weights on boards of `known` cards, carried to the whole boards that hold them."""
    flat = weights.ravel()
    total: Paths = np.zeros(len(every.apart.hole), np.int16)
    for part in every.parts(known):
        total += np.take(flat, part)
    return total


def _carried(every: Deals, weights: Paths, known: int, more: int) -> Paths:
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
    counts = np.bincount(_seen_apart(every), weights * every.apart.weights)
    added: dict[Showdown, int] = {}
    for number in np.flatnonzero(counts).tolist():
        one = shown[number]
        added[one] = added.get(one, 0) + int(counts[number])
    yield from added.items()


@released_cache(maxsize=8)
def _seen_apart(every: Deals) -> NDArray[np.intp]:
    """The number of the kinds of each deal that is apart."""
    return every.seen[every.apart.hole, every.apart.board].astype(np.intp)


def _worked_out(terms: Terms, every: Deals) -> Policy:
    """Backward over all deals, with every side wager in the balance."""
    many, boards = (
        terms.purses_at_most,
        len(choices(every.left, every.turned(len(every.reveals) - 1))),
    )
    what = say("exact.large.side-wagers", ways=many)
    room_for(8 * many * len(every.seen) * boards, what, say("exact.large.leave-out"))
    policy: Policy = []
    after: dict[Purse, Ints] = {}
    ends = Ends.of(terms, every)
    for street in range(len(every.reveals) - 1, -1, -1):
        known = every.turned(street)
        more = known + every.reveals[street]
        worths = after.items() if after else _at_showdown(terms, every, ends)
        after = {purse: summed(worth, every.left, known, more) for purse, worth in worths}
        level, values = {}, {}
        number = {play: place for place, play in enumerate(plays_of(terms, street))}
        for purse in terms.purses[street]:
            plays = terms.paid(street, purse)
            worth = [after[terms.after(street, purse, one)] for one in plays if not one.folds]
            if plays[-1].folds:
                lost = ends.nets(terms, purse, folded=True)
                whole = summed(lost, every.left, known, every.board)
                worth.append(whole * every.orders(street))
            values[purse], best = pick(worth, preferred(terms, plays))
            level[purse] = np.array([number[play] for play in plays], np.int8)[best]
        policy.insert(0, level)
        after = values
    return policy


def _at_showdown(terms: Terms, every: Deals, ends: Ends) -> Iterator[tuple[Purse, Ints]]:
    """One purse at a time: the values of all deals are too large to keep for every purse."""
    purses = terms.purses[-1]
    for purse in tracked(
        purses, len(purses), say("exact.working.ways"), each=every.seen.size * 2e-8
    ):
        yield purse, ends.nets(terms, purse, folded=False)


class Ends(NamedTuple):
    """Showdowns that every wager in play pays differently, and which of them each deal comes to."""

    apart: tuple[Showdown, ...]
    which: NDArray[np.int16]  # [boards, holes]: the values of a board lie side by side.

    @classmethod
    def of(cls, terms: Terms, every: Deals) -> Ends:
        """The ends of all deals."""
        alike = terms.read(every.kinds)
        number = {shown: place for place, shown in enumerate(dict.fromkeys(alike))}
        numbers = np.array([number[shown] for shown in alike], np.int16)
        return cls(tuple(number), numbers[np.ascontiguousarray(every.seen.T)])

    def nets(self, terms: Terms, purse: Purse, *, folded: bool) -> Ints:
        """What every whole deal comes to, in cents."""
        lines = terms.folded if folded else terms.lines
        worth = [net(lines(purse, shown)) for shown in self.apart]
        priced: Ints = np.array(worth, terms.numbers)[self.which]
        return priced.T


def summed(worth: Ints, cards: int, known: int, more: int) -> Ints:
    """Values of boards of `more` cards, added up over those that hold each board of `known`."""
    if known == more:
        return worth
    if known == 0:
        whole: Ints = worth.sum(axis=1, keepdims=True)
        return whole
    rows, holding = np.ascontiguousarray(worth.T), _holding(cards, more, known)
    at_once = max(1, VALUES_AT_ONCE // (holding.shape[1] * len(worth)))
    parts = [
        rows[holding[start : start + at_once]].sum(axis=1)
        for start in range(0, len(holding), at_once)
    ]
    total: Ints = np.concatenate(parts).T
    return total


@released_cache(maxsize=8)
def _holding(cards: int, size: int, smaller: int) -> NDArray[np.intp]:
    """For each smaller board the boards that hold it: all are held by equally many."""
    parts = subsets(cards, size, smaller)
    order = np.argsort(parts.ravel(), kind="stable") // parts.shape[1]
    found: NDArray[np.intp] = order.reshape(len(choices(cards, smaller)), -1)
    return found
