"""What every choice in a spot is worth, exactly, and one true sentence why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pitbook.cards import Card
from pitbook.exact.methods.chosen import chosen
from pitbook.exact.methods.ladder.solved import solved
from pitbook.exact.methods.method import Advice
from pitbook.exact.spots import Spot, checked
from pitbook.money import Cents
from pitbook.sheets.model import Sheet

__all__ = ["Advice", "advise", "solved"]


def advise(  # noqa: PLR0917  The order in which a player tells a spot.
    sheet: Sheet,
    cards: Sequence[Card],
    community: Sequence[Card] = (),
    bets: Sequence[str] = (),
    ante: Cents | None = None,
    side: Mapping[str, Cents] | None = None,
    dead: Sequence[Card] = (),
    purse: Cents | None = None,
) -> Advice:
    """The exact value of every legal play, of the main game and the side wagers it touches.

    `purse` is what the player has left beside the wagers made: what it does not pay for, now or on
    a later street, is no play. None pays for everything.
    """
    game, method = chosen(sheet)
    spot = Spot(tuple(cards), tuple(community), tuple(bets), ante, side or {}, tuple(dead), purse)
    return method.advise(game, checked(game, spot))
