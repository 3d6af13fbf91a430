"""A spot worked out over the very cards that are left, for when some are known to be dead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import Card
from pitbook.exact.methods.ladder.deals import DealKinds
from pitbook.exact.methods.ladder.joint import summed
from pitbook.exact.methods.ladder.rungs import Ints
from pitbook.exact.methods.ladder.terms import Purse, Terms, net
from pitbook.exact.spots import Spot
from pitbook.exact.working import room_for, tracked
from pitbook.hands.card_sets import choices, kinds_of
from pitbook.hands.ranking import kind_of
from pitbook.rules.game import Showdown
from pitbook.rules.plays import Play
from pitbook.text import say


@dataclass(frozen=True, eq=False)
class Enumerated:
    """What every play at a spot is worth, in cents times `ways`, and how the boards end."""

    plays: tuple[Play, ...]
    worth: tuple[int, ...]
    ways: int
    kinds: NDArray[np.int8]  # The kind of every hand that the board can still make.


def enumerate_spot(terms: Terms, spot: Spot, *, purse: Purse, street: int) -> Enumerated:
    """Every set of cards that can still come, with best play at every later decision."""
    gone = {*spot.cards, *spot.community, *spot.dead}
    left = np.array([card for card in range(52) if card not in gone], np.uint8)
    later = terms.ladder.reveals[street:]
    to_come = sum(later)
    boards = left[choices(len(left), to_come)]
    kinds, seen = _kinds(terms, spot.cards, spot.community, boards)
    shown = terms.read(kinds)
    many = prod(len(bets) for bets in terms.bets[street:]) if terms.keeps_bets_apart else 1
    what = say("exact.large.ways-and-boards", ways=many, boards=len(boards))
    room_for(8 * many * len(boards), what, say("exact.large.fewer-cards"))
    purses = _reachable(terms, purse, street)
    ends = tracked(
        purses[-1], len(purses[-1]), say("exact.working.ways"), each=len(boards) * 1e-8 + 1e-3
    )
    after = {one: _nets(terms, one, shown, folded=False)[seen] for one in ends}
    level: dict[Purse, tuple[tuple[Play, ...], NDArray[Any]]] = {}
    for number in range(len(later) - 1, -1, -1):
        known = sum(later[:number])
        more = known + later[number]
        after = {p: summed(worth[None], len(left), known, more)[0] for p, worth in after.items()}
        orders = _orders(terms, street + number)
        level = {}
        for one in purses[number]:
            plays = terms.paid(street + number, one)
            worths = [
                after[terms.after(street + number, one, bet)] for bet in plays if not bet.folds
            ]
            if plays[-1].folds:
                lost = _nets(terms, one, shown, folded=True)[seen]
                worths.append(summed(lost[None], len(left), known, to_come)[0] * orders)
            level[one] = (plays, np.stack(worths))
        after = {one: worth.max(axis=0) for one, (_, worth) in level.items()}
    plays, worth = level[purse]
    ways = comb(len(left), to_come) * _orders(terms, street)
    hands: NDArray[np.int8] = np.array([one for one, _, _ in kinds], np.int8)[seen]
    return Enumerated(plays, tuple(int(one) for one in worth[:, 0]), ways, hands)


def _kinds(
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


def _nets(terms: Terms, purse: Purse, shown: Sequence[Showdown], *, folded: bool) -> Ints:
    lines = terms.folded if folded else terms.lines
    return np.array([net(lines(purse, one)) for one in shown], terms.numbers)


def _reachable(terms: Terms, purse: Purse, street: int) -> list[set[Purse]]:
    levels = [{purse}]
    for later in range(street, len(terms.bets)):
        made = ((one, play) for one in levels[-1] for play in terms.paid(later, one))
        levels.append({terms.after(later, one, play) for one, play in made if not play.folds})
    return levels


def _orders(terms: Terms, street: int) -> int:
    """In how many orders the cards of one whole board can come from a street on."""
    later = terms.ladder.reveals[street:]
    left, orders = sum(later), 1
    for turned in later:
        orders *= comb(left, turned)
        left -= turned
    return orders
