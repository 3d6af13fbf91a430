"""Games of points against the dealer's two hands, as kernel tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import Card
from pitbook.exact.methods.points.solve import showdown_at
from pitbook.exact.methods.points.structure import Shape, as_points_game, points_game
from pitbook.hands.low_and_high import arrange
from pitbook.hands.ranking import key, kind_table
from pitbook.rules.actions import Play
from pitbook.rules.game import Game
from pitbook.rules.settlement_lines import Kinds
from pitbook.simulation.kernel_tables import (
    KernelTable,
    KindGroups,
    add_rank,
    concatenate,
    multiset_count,
    payout_groups,
    ranks_of,
    table,
)
from pitbook.simulation.outcome_cells import Cells
from pitbook.simulation.plan import Plan

AHEAD = (1, 0, -1)  # Player, tie, dealer.


def fits(plan: Plan) -> bool:
    """Whether a plan is of a points game, played by the ranks of the seat's cards."""
    return as_points_game(plan.game) is not None and plan.strategy.knows_ranks


def points_table(plan: Plan, cells: Cells) -> KernelTable:
    """The table of a plan; every ending of a seat is numbered in `cells`."""
    measures = points_game(plan.game)
    shape = measures.shape
    plays, best = plan.strategy.by_ranks()
    matches, kinds = payout_groups(plan, measures.matches), payout_groups(plan, measures.kind)
    cell_of = _cell_table(cells, plays, matches, kinds)
    parts = [
        _declaration_table(best, plays, shape.player),
        [matches.group_of[n % len(matches.group_of)] for n in range(shape.dealer + 1)],
        _kind_groups(plan.game, kinds),
        [play.declaration == measures.low.name for play in plays],
    ]
    small, starts = concatenate(parts, np.uint8)
    player_totals, dealer_totals = _player_totals(shape), _dealer_totals(shape)
    wide, (_, dealer_at) = concatenate([player_totals, dealer_totals], np.int32)
    longest = max(shape.player, shape.dealer)
    sums, places = concatenate(
        [add_rank(size) for size in range(longest)],
        np.uint16 if multiset_count(longest) <= 2**16 else np.uint32,
    )
    numbers = {
        "PLAYS": len(plays),
        "MATCHES": len(matches.representatives),
        "KINDS": len(kinds.representatives),
        "BEST_AT": starts[0],
        "MATCH_AT": starts[1],
        "KIND_AT": starts[2],
        "LOW_AT": starts[3],
        "DEALER_AT": dealer_at,
    }
    arrays = {"sums": sums, "small": small, "wide": wide, "cell_of": cell_of}
    arrays["places"] = np.array(places, np.int64)
    return table(cells, numbers, arrays)


def _cell_table(
    cells: Cells, plays: tuple[Play, ...], matches: KindGroups, kinds: KindGroups
) -> NDArray[np.int32]:
    """[declarations, side ahead, groups of matches, of kinds]: the cell."""
    game = cells.plan.game
    measures = points_game(game)
    cell_numbers = [
        cells.number((play,), showdown_at(game, measures, ahead, matched, kind))
        for play in plays
        for ahead in AHEAD
        for matched in matches.representatives
        for kind in kinds.representatives
    ]
    return np.array(cell_numbers, np.int32)


def _declaration_table(
    best: Mapping[tuple[int, ...], Play], plays: tuple[Play, ...], size: int
) -> NDArray[np.int64]:
    """The declaration to make for each multiset; arbitrary where no shoe holds such a hand."""
    rows = ranks_of(size).tolist()
    return np.array([plays.index(best.get(tuple(row), plays[0])) for row in rows])


def _kind_groups(game: Game, kinds: KindGroups) -> NDArray[np.int64]:
    """[multisets, suited, twins]: the group of the hand's kind."""
    size = game.hand_size
    groups = np.zeros((multiset_count(size), 2, 2), np.int64)
    if len(kinds.representatives) == 1:
        return groups
    ranking = game.hand(points_game(game).kind).ranking
    assert isinstance(ranking, Kinds)
    table = kind_table(size, ranking.many_decks, ranking.ace)
    for number, ranks in enumerate(ranks_of(size).tolist()):
        for suited in (0, 1):
            for twins in (0, 1):
                kind = table.get(key(ranks, bool(suited), twins=bool(twins)), 0)
                groups[number, suited, twins] = kinds.group_of[kind]
    return groups


def _player_totals(shape: Shape) -> NDArray[np.int64]:
    """[multisets, low and high]: a player's points."""
    rows = ranks_of(shape.player).astype(np.intp)
    both = (shape.points.low, shape.points.high)
    return np.stack([np.array(values)[rows].sum(1) for values in both], axis=1)


def _dealer_totals(shape: Shape) -> NDArray[np.int64]:
    """[multisets, low and high]: the dealer's hands, arranged (MHL-8)."""
    totals: list[Any] = []
    for ranks in ranks_of(shape.dealer).tolist():
        cards = [Card(4 * rank) for rank in ranks]
        arranged = arrange(cards, shape.points, shape.low, shape.shared, shape.equal)
        totals.append((arranged.low_total, arranged.high_total))
    return np.array(totals)
