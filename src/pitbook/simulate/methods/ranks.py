"""Games in which only ranks matter: one cell for each combination of ranks."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import Card
from pitbook.rules.game import Game, Seat
from pitbook.rules.pricing import Other
from pitbook.simulate.cells import Cells
from pitbook.simulate.dealing import DealtRound
from pitbook.simulate.kernels.layout import BY_RANKS
from pitbook.simulate.methods.spot_strategy import Choosing
from pitbook.simulate.plan import Plan
from pitbook.simulate.replay import in_the_end, way
from pitbook.simulate.tables import KernelTable, table

RANKS, SUITS = 13, 4
DEALS_MAX = 2**15
UNKNOWN = -1


def fits(plan: Plan) -> bool:
    """Whether few cards are read by rank alone, by a strategy that never errs."""
    strategy = plan.strategy
    chosen = isinstance(strategy.followed, Choosing) and not strategy.mistakes
    return chosen and reads_few_ranks(plan.game)


def reads_few_ranks(game: Game) -> bool:
    """Whether only the ranks of a game's few cards matter."""
    if not all(isinstance(hand.ranking, Other) and not hand.ranking.suits for hand in game.hands):
        return False
    cards = sum(place.cards for place in game.places)
    return RANKS**cards <= DEALS_MAX and cards <= SUITS * game.decks


def rank_table(plan: Plan, cells: Cells) -> KernelTable:
    """The table of a plan: by the ranks of a seat's cards and those in common, its cell."""
    nothing = np.zeros(0, np.int64)
    arrays = {"sums": nothing.astype(np.uint16), "small": nothing.astype(np.uint8)}
    arrays |= {"wide": nothing.astype(np.int32), "places": nothing, "cell_of": _cells(cells)}
    return table(cells, {"LADDER": BY_RANKS}, arrays)


def _cells(cells: Cells) -> NDArray[np.int32]:
    """The cell by ranks; a card that nobody sees makes no difference."""
    plan = replace(cells.plan, seats=1)
    sizes = [place.cards for place in plan.game.places]
    found = np.full((RANKS,) * sum(sizes), UNKNOWN, np.int32)
    for ranks in product(range(RANKS), repeat=sum(sizes)):
        if found[ranks] == UNKNOWN:
            dealt = _dealt(ranks, sizes)
            seat, seen = way(plan, 0, 0, dealt)
            own, *common = in_the_end(plan.game, [seen])
            opens = zip((own, *common), sizes, strict=True)
            opened = [place < many for many, size in opens for place in range(size)]
            where: Any = tuple(
                rank if one else slice(None) for rank, one in zip(ranks, opened, strict=True)
            )
            found[where] = _cell(cells, seat._replace(cards=dealt.hands[0][:own]), dealt, common)
    return found.ravel()


def _dealt(ranks: tuple[int, ...], sizes: list[int]) -> DealtRound:
    """Cards of these ranks; equal ones come in different suits."""
    cards = iter(
        [Card(SUITS * one + ranks[:place].count(one) % SUITS) for place, one in enumerate(ranks)]
    )
    own, *common = (tuple(islice(cards, size)) for size in sizes)
    return DealtRound((own,), tuple(common))


def _cell(cells: Cells, seat: Seat, dealt: DealtRound, common: list[int]) -> int:
    """The cell of a seat, whether other seats have more cards in common turned or not."""
    game = cells.plan.game
    turned = [cards[:many] for cards, many in zip(dealt.common, common, strict=True)]
    found = cells.met_by(seat, game.read(seat.cards, *turned))
    assert found == cells.met_by(seat, game.read(seat.cards, *dealt.common))
    return found
