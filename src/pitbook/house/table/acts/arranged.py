"""Practice of chosen spots: a shoe that is arranged, says so, and lasts for one round."""

from __future__ import annotations

from collections.abc import Sequence

from pitbook.cards import Card, cards
from pitbook.errors import CardError
from pitbook.house.table import commands
from pitbook.house.table.acts.dealer import end_shoe, open_shoe
from pitbook.house.table.commands import By
from pitbook.house.table.desk import Desk
from pitbook.house.table.state import game_of
from pitbook.rules.actions import BOARD, Close
from pitbook.rules.game import Game, Seat
from pitbook.rules.mishaps import is_common_place
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.round import Round, open_round
from pitbook.rules.step import step
from pitbook.shoe.dealing import without
from pitbook.text import sentence_of


def arrange(desk: Desk, by: By, command: commands.Arrange) -> Refusal | None:
    """The shoe at hand ends unused; another one brings the seat to its spot."""
    if desk.state.live:
        return refuse(Code.NOT_NOW, "table.arranged.between-rounds")
    first: tuple[Card | None, ...] = ()
    game = game_of(desk.state.coming)
    if command.hand or (command.board and not game.hand_size):
        found = _first(game, command)
        if isinstance(found, Refusal):
            return found
        first = found
    end_shoe(desk)
    spot = {"seat": command.seat, "stage": command.stage, "round": command.round}
    return open_shoe(desk, first=first, spot=spot if first else None)


def _first(game: Game, command: commands.Arrange) -> tuple[Card | None, ...] | Refusal:
    """The cards of the spot where the deal lays them, and None for each that is left to luck."""
    try:
        hand, board = cards(command.hand), cards(command.board)
        without((*hand, *board), decks=game.sheet.deck.decks)
    except CardError as error:
        return Refusal(Code.NO_SUCH_CARD, sentence_of(error))
    if (refusal := _not_a_spot(game, command.stage, hand, board)) is not None:
        return refusal
    piles = {command.seat: iter(hand), BOARD: iter(board)}
    order = _deal_order(game, command.seat)
    first = tuple(next(piles.get(place, iter(())), None) for place in order)
    if left := [card for pile in piles.values() for card in pile]:
        return refuse(Code.CARDS_UNKNOWN, "table.arranged.after-decision", cards=tuple(left))
    return first


def _not_a_spot(
    game: Game, stage: int, hand: Sequence[Card], board: Sequence[Card]
) -> Refusal | None:
    if not 0 <= stage < len(game.stages):
        last = len(game.stages) - 1
        return refuse(Code.NOT_NOW, "table.arranged.no-decision", stage=stage, last=last)
    own, turned, *elsewhere = game.stages[stage].opens
    if any(elsewhere):
        return refuse(Code.CARDS_UNKNOWN, "table.arranged.several-places")
    if len(hand) != own:
        fields = {"needed": own, "given": len(hand)}
        return refuse(Code.CARDS_UNKNOWN, "table.arranged.hand", **fields)
    if len(board) != turned:
        places = {"place": is_common_place(game.places[1]), "needed": turned, "given": len(board)}
        return refuse(Code.CARDS_UNKNOWN, "table.arranged.board", **places)
    return None


def _deal_order(game: Game, number: int) -> tuple[int, ...]:
    """Where each card goes when that seat alone is dealt in."""
    main, rule = game.main
    side = tuple((wager, one.stake.min) for wager, one in game.sheet.side.items())
    seat = Seat(number, "", ((main, rule.min),), side)
    closed = step(open_round(game)._replace(seats=(seat,)), Close())
    assert isinstance(closed, Round), closed
    return closed.to_deal
