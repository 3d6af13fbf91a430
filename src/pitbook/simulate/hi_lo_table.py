"""A hi-lo table for the kernels: hands as multisets of ranks, with the totals that decide."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import Card
from pitbook.exact.followed import Declared
from pitbook.families.hi_lo.compile import Showdown, point_table
from pitbook.families.hi_lo.sheet import HiLo
from pitbook.hands.points import arrange
from pitbook.hands.ranking import key, kind_table
from pitbook.simulate.building import packed, table
from pitbook.simulate.cells import Cells
from pitbook.simulate.kinds import Alike, paid_alike
from pitbook.simulate.multisets import many, one_more, ranks_of
from pitbook.simulate.plan import Plan
from pitbook.simulate.tables import Table

__all__ = ["hi_lo_table"]

AHEAD = (1, 0, -1)  # The player, nobody, the dealer.


def hi_lo_table(plan: Plan, cells: Cells) -> Table:
    """The table of a plan; every end of a seat is numbered in `cells`."""
    sheet, followed = plan.sheet, plan.strategy.followed
    assert isinstance(sheet, HiLo)
    assert isinstance(followed, Declared)
    plays = tuple(followed.solution.spots[0].worth)
    matches, kinds = paid_alike(plan, "dealer-match"), paid_alike(plan, "hand")
    cell_of = _cells(cells, plays, matches, kinds)
    parts = [
        _best(followed, plays, sheet.deal.player),
        [matches.group[n % len(matches.group)] for n in range(sheet.deal.dealer + 1)],
        _kinds(sheet, kinds),
        [play.startswith("low") for play in plays],
    ]
    small, starts = packed(parts, np.uint8)
    own, dealer = _own_totals(sheet), _dealer_totals(sheet)
    wide, (_, dealer_at) = packed([own, dealer], np.int32)
    longest = max(sheet.deal.player, sheet.deal.dealer)
    sums, places = packed(
        [one_more(size) for size in range(longest)],
        np.uint16 if many(longest) <= 2**16 else np.uint32,
    )
    listed = {
        "PLAYS": len(plays),
        "MATCHES": len(matches.first),
        "KINDS": len(kinds.first),
        "BEST_AT": starts[0],
        "MATCH_AT": starts[1],
        "KIND_AT": starts[2],
        "LOW_AT": starts[3],
        "DEALER_AT": dealer_at,
    }
    arrays = {"sums": sums, "small": small, "wide": wide, "cell_of": cell_of}
    arrays["places"] = np.array(places, np.int64)
    return table(cells, listed, arrays)


def _cells(cells: Cells, plays: tuple[str, ...], matches: Alike, kinds: Alike) -> NDArray[np.int32]:
    """[declarations, who is ahead, groups of matches, of kinds]: the cell."""
    found = [
        cells.number((play,), Showdown(0, ahead, ahead, 0, matched, kind))
        for play in plays
        for ahead in AHEAD
        for matched in matches.first
        for kind in kinds.first
    ]
    return np.array(found, np.int32)


def _best(followed: Declared, plays: tuple[str, ...], size: int) -> NDArray[np.int64]:
    """For every multiset the declaration to make; any where no shoe holds such a hand."""
    rows = ranks_of(size).tolist()
    return np.array([plays.index(followed.plays.get(tuple(row), plays[0])) for row in rows])


def _kinds(sheet: HiLo, kinds: Alike) -> NDArray[np.int64]:
    """[multisets, suited, twins]: the group of the hand's kind."""
    size, ace = sheet.deal.player, sheet.payouts.ace_in_straights.value
    found = np.zeros((many(size), 2, 2), np.int64)
    if len(kinds.first) == 1:
        return found
    table = kind_table(size, sheet.deck.decks > 1, ace)
    for number, ranks in enumerate(ranks_of(size).tolist()):
        for suited in (0, 1):
            for twins in (0, 1):
                kind = table.get(key(ranks, bool(suited), twins=bool(twins)), 0)
                found[number, suited, twins] = kinds.group[kind]
    return found


def _own_totals(sheet: HiLo) -> NDArray[np.int64]:
    """[multisets, low and high]: a player's points."""
    points = point_table(sheet)
    rows = ranks_of(sheet.deal.player).astype(np.intp)
    both = (np.array(points.low)[rows].sum(1), np.array(points.high)[rows].sum(1))
    return np.stack(both, axis=1)


def _dealer_totals(sheet: HiLo) -> NDArray[np.int64]:
    """[multisets, low and high]: the dealer's hands, arranged (MHL-8)."""
    points, rule = point_table(sheet), sheet.dealer
    found: list[Any] = []
    equal = rule.equal_points.value
    for ranks in ranks_of(sheet.deal.dealer).tolist():
        laid = arrange([Card(4 * rank) for rank in ranks], points, rule.low, rule.shared, equal)
        found.append((laid.low_total, laid.high_total))
    return np.array(found)
