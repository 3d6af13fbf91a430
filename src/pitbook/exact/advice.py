"""The exact value of every play in a spot, and of every starting hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from pitbook.cards import Card, cards
from pitbook.exact.methods.choose import choose_method
from pitbook.exact.methods.method import Advice
from pitbook.exact.spots import Spot, check_spot
from pitbook.money import Cents
from pitbook.rules.game import Game
from pitbook.sheets.model import Sheet


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
    """The exact value of every legal play, for the main game and the side wagers it affects.

    `purse` is what the player has left after the wagers made: a play that it cannot pay for, now
    or on a later street, is not offered. None means no limit.
    """
    game, method = choose_method(sheet)
    spot = Spot(tuple(cards), tuple(community), tuple(bets), ante, side or {}, tuple(dead), purse)
    return method.advise(game, check_spot(game, spot))


RANKS = "AKQJT98765432"
HAND_CARDS = 2
SPADE, HEART = "s", "h"


class StartingHand(NamedTuple):
    """Two ranks, suited or not. `worth` is in main wagers."""

    cards: str
    suited: bool
    play: str
    short: str
    worth: Fraction


def has_starting_hands(game: Game) -> bool:
    """Whether the first decision sees only the player's own two cards."""
    stage = next(stage for stage in game.stages if stage.plays)
    player = game.places[0]
    return (
        player.cards - player.later == HAND_CARDS and not any(stage.opens[1:]) and game.decks == 1
    )


def starting_hands(game: Game, sheet: Sheet) -> Iterator[StartingHand]:
    """All 169 hands, row by row: suited above the pairs, offsuit below."""
    stage = next(stage for stage in game.stages if stage.plays)
    shorts = {str(play): play.short for play in stage.plays}
    for row, high in enumerate(RANKS):
        for column, low in enumerate(RANKS):
            suited = column > row
            advice = advise(sheet, _hand_cards(high, low, suited=suited))
            best = str(advice.best)
            yield StartingHand(
                f"{RANKS[min(row, column)]}{RANKS[max(row, column)]}",
                suited,
                best,
                shorts.get(best, best),
                advice.actions[advice.best],
            )


def _hand_cards(high: str, low: str, *, suited: bool) -> tuple[Card, ...]:
    return cards(" ".join((high + SPADE, low + (SPADE if suited else HEART))))
