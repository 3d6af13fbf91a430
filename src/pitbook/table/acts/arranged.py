"""Practice of chosen spots: a shoe that is arranged, says so, and lasts for one round."""

from __future__ import annotations

from collections.abc import Sequence

from pitbook.cards import Card, cards, names
from pitbook.engine.actions import BOARD, Close
from pitbook.engine.round import Round, open_round
from pitbook.engine.step import step
from pitbook.errors import CardError
from pitbook.game.description import Game, Seat
from pitbook.game.refusals import Code, Refusal
from pitbook.shoe.dealing import without
from pitbook.table import commands
from pitbook.table.acts.dealer import end_shoe, open_shoe
from pitbook.table.commands import By
from pitbook.table.desk import Desk
from pitbook.table.state import game_of


def arrange(desk: Desk, by: By, command: commands.Arrange) -> Refusal | None:
    """The shoe at hand ends unused; another one brings the seat to its spot."""
    if desk.state.live:
        return Refusal(Code.NOT_NOW, "wagers lie on the table; a spot is arranged between rounds")
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
        return Refusal(Code.NO_SUCH_CARD, str(error))
    if (refusal := _not_a_spot(game, command.stage, hand, board)) is not None:
        return refusal
    piles = {command.seat: iter(hand), BOARD: iter(board)}
    order = _deal_order(game, command.seat)
    first = tuple(next(piles.get(place, iter(())), None) for place in order)
    if left := [card for pile in piles.values() for card in pile]:
        message = f"{names(left)} would be dealt after a decision; luck alone deals that"
        return Refusal(Code.CARDS_UNKNOWN, message)
    return first


def _not_a_spot(
    game: Game, stage: int, hand: Sequence[Card], board: Sequence[Card]
) -> Refusal | None:
    if not 0 <= stage < len(game.stages):
        message = f"there is no decision {stage}; they are 0 to {len(game.stages) - 1}"
        return Refusal(Code.NOT_NOW, message)
    own, turned, *elsewhere = game.stages[stage].opens
    if any(elsewhere):
        message = "cards lie open in several places before that decision; it is not arranged"
        return Refusal(Code.CARDS_UNKNOWN, message)
    for what, given, needed in (
        ("the hand", hand, own),
        (f"the {game.board_name} cards before that decision", board, turned),
    ):
        if len(given) != needed:
            message = f"{what}: {needed} are needed, {len(given)} are given"
            return Refusal(Code.CARDS_UNKNOWN, message)
    return None


def _deal_order(game: Game, number: int) -> tuple[int, ...]:
    """Where each card goes when that seat alone is dealt in."""
    main, rule = game.main
    side = tuple((wager, one.stake.min) for wager, one in game.sheet.side.items())
    seat = Seat(number, "", ((main, rule.min),), side)
    closed = step(open_round(game)._replace(seats=(seat,)), Close())
    assert isinstance(closed, Round), closed
    return closed.to_deal
