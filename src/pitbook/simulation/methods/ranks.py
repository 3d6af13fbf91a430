"""Games in which only ranks matter: one cell for each combination of ranks."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import Card
from pitbook.rules.game import Game, Seat
from pitbook.rules.settlement_lines import Other
from pitbook.simulation.dealing import DealtRound
from pitbook.simulation.kernel_tables import KernelTable, table
from pitbook.simulation.kernels.table_positions import BY_RANKS
from pitbook.simulation.outcome_cells import Cells
from pitbook.simulation.plan import Plan
from pitbook.simulation.replay import open_counts, play_seat
from pitbook.simulation.strategy import SpotStrategy

RANKS, SUITS = 13, 4
DEALS_MAX = 2**15
UNKNOWN = -1


def fits(plan: Plan) -> bool:
    """Whether the game reads few cards by rank alone, with a strategy that makes no mistakes."""
    strategy = plan.strategy
    chosen = isinstance(strategy.base, SpotStrategy) and not strategy.mistakes
    return chosen and depends_on_few_ranks(plan.game)


def depends_on_few_ranks(game: Game) -> bool:
    """Whether a game uses few enough cards, and only their ranks, to tabulate every combination."""
    if not all(isinstance(hand.ranking, Other) and not hand.ranking.suits for hand in game.hands):
        return False
    cards = sum(place.cards for place in game.places)
    return RANKS**cards <= DEALS_MAX and cards <= SUITS * game.decks


def rank_table(plan: Plan, cells: Cells) -> KernelTable:
    """The table of a plan: the cell by the ranks of a seat's cards and the community cards."""
    empty = np.zeros(0, np.int64)
    arrays = {"sums": empty.astype(np.uint16), "small": empty.astype(np.uint8)}
    arrays |= {"wide": empty.astype(np.int32), "places": empty, "cell_of": _cell_by_ranks(cells)}
    return table(cells, {"LADDER": BY_RANKS}, arrays)


def _cell_by_ranks(cells: Cells) -> NDArray[np.int32]:
    """The cell of each combination of ranks; cards that no seat sees make no difference."""
    plan = replace(cells.plan, seats=1)
    sizes = [place.cards for place in plan.game.places]
    cell_numbers = np.full((RANKS,) * sum(sizes), UNKNOWN, np.int32)
    for ranks in product(range(RANKS), repeat=sum(sizes)):
        if cell_numbers[ranks] == UNKNOWN:
            dealt = _example_deal(ranks, sizes)
            seat, cards_seen = play_seat(plan, 0, 0, dealt)
            own_count, *common = open_counts(plan.game, [cards_seen])
            opens = zip((own_count, *common), sizes, strict=True)
            opened = [index < size_open for size_open, size in opens for index in range(size)]
            conditions: Any = tuple(
                rank if is_open else slice(None)
                for rank, is_open in zip(ranks, opened, strict=True)
            )
            cell_numbers[conditions] = _cell(
                cells, seat._replace(cards=dealt.hands[0][:own_count]), dealt, common
            )
    return cell_numbers.ravel()


def _example_deal(ranks: tuple[int, ...], sizes: list[int]) -> DealtRound:
    """A deal with these ranks; equal ranks get different suits."""
    cards = iter(
        [Card(SUITS * rank + ranks[:index].count(rank) % SUITS) for index, rank in enumerate(ranks)]
    )
    hand, *common = (tuple(islice(cards, size)) for size in sizes)
    return DealtRound((hand,), tuple(common))


def _cell(cells: Cells, seat: Seat, dealt: DealtRound, common: list[int]) -> int:
    """The cell of a seat, which does not depend on whether other seats turn more community
    cards.
    """
    game = cells.plan.game
    turned = [cards[:size_open] for cards, size_open in zip(dealt.common, common, strict=True)]
    number = cells.number_for(seat, game.read(seat.cards, *turned))
    assert number == cells.number_for(seat, game.read(seat.cards, *dealt.common))
    return number
