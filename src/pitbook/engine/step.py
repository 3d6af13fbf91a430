"""step(round, action): the next round, or a refusal that changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pitbook.engine import mishaps, wagers
from pitbook.engine.actions import (
    BOARD,
    Absent,
    Action,
    Close,
    Deal,
    Decide,
    Expose,
    Fouled,
    Interrupted,
    Misdeal,
    Place,
    Settle,
    Turn,
    VoidHand,
    Wager,
    Warn,
    Withdraw,
)
from pitbook.engine.flow import advance, begin, looked, turned_next
from pitbook.engine.purse import cheapest
from pitbook.engine.round import Round
from pitbook.engine.settling import settle
from pitbook.game.description import Seat
from pitbook.game.plays import Play
from pitbook.game.records import changing
from pitbook.game.refusals import Code, Refusal
from pitbook.money import spoken

Next = Round | Refusal

_board_laid = changing(Round, "to_deal", "board_laid")
_seat_laid = changing(Round, "seats", "to_deal")
_more_laid = changing(Seat, "laid")
_shown = changing(Seat, "cards")


def step(round: Round, action: Action) -> Next:
    """The round after an action, or why it is refused."""
    return _HANDLERS[type(action)](round, action)


def deal(round: Round, action: Deal) -> Next:
    """Lay the next card in the sheet's order."""
    if round.phase != "deal":
        return Refusal(Code.NOT_NOW, "no card is to be dealt now")
    if action.place != round.to_deal[0]:
        rule = round.game.sheet.deal
        message = f"the next card goes to {place_name(round, round.to_deal[0])}"
        return Refusal(Code.DEAL_ORDER, message, rule.clause)
    left = round.to_deal[1:]
    if action.place == BOARD:
        after = _board_laid(round, left, round.board_laid + 1)
    elif action.place < BOARD:
        after = round.with_pile(action.place, laid=1)._replace(to_deal=left)
    else:
        seat = _played(round, action.place)
        after = _seat_laid(round, round.seats_with(_more_laid(seat, seat.laid + 1)), left)
    # Every hand may be void already.
    return after if left else begin(after)


def turn(round: Round, action: Turn) -> Next:
    """Name a card that lies face down."""
    place, card = action
    seat = round.seat(place) if place > BOARD else None
    lies, named = (round.board_laid, round.board) if seat is None else (seat.laid, seat.cards)
    # What is usual is seen at once; all else is looked into.
    usual = (place == BOARD) == (seat is None) and len(named) < lies
    if not usual or round.copies(card) >= round.game.decks:
        refusal = mishaps.cannot_name(round, place, card)
        if refusal is not None:
            return refusal
    if round.phase not in ("play", "settle"):
        return Refusal(Code.NOT_NOW, "cards are turned when all are dealt")
    if action.place <= BOARD:
        if round.phase == "play" and round.waits:
            return Refusal(Code.NOT_NOW, f"seat {round.waiting[0]} has still to decide")
        if turned_next(round) != action.place:
            return Refusal(Code.NOT_NOW, f"nobody needs another card of {_of_place(round, action)}")
        return advance(round.with_pile(place, cards=(card,)))
    assert seat is not None
    if seat.folded and not round.game.looks_at_hand(seat):
        return Refusal(
            Code.NOT_NOW, f"seat {seat.number} has folded; its cards stay down", "GEN-14"
        )
    after = round.with_seat(_shown(seat, (*named, card)))
    return after if round.game.straight else looked(after)


def _of_place(round: Round, action: Turn) -> str:
    return "the board" if action.place == BOARD else place_name(round, action.place)


def decide(round: Round, action: Decide) -> Next:
    """Take a seat's play at this stage."""
    found = playable(round, action)
    if isinstance(found, Refusal):
        return found
    seat, play = found
    return advance(round.with_seat(seat.made(play)))


def playable(round: Round, action: Decide) -> tuple[Seat, Play] | Refusal:
    """The seat that decides and its play; or why it is not made now."""
    if round.phase != "play":
        return Refusal(Code.NOT_NOW, "there is nothing to decide now")
    seat = round.seat(action.seat)
    if seat is None:
        return Refusal(Code.UNKNOWN_SEAT, f"nobody plays at seat {action.seat}")
    if (refusal := _cannot_decide(round, seat)) is not None:
        return refusal
    game = round.game
    play = game.play(round.stage, action.play)
    if play is None:
        return game.no_play(round.stage, action.play)
    if (clause := game.too_much(seat, round.stage, play)) is not None:
        message = f"{action.play} at seat {seat.number} is above the maximum"
        return Refusal(Code.ABOVE_MAXIMUM, message, clause)
    if play.needs is not None and not game.allows(play, seat, *round.common):
        message = f"the hand of seat {seat.number} is not good enough for {play}"
        return Refusal(Code.HAND_TOO_LOW, message, game.stages[round.stage].clause)
    return seat, play


def absent(round: Round, action: Absent) -> Next:
    """Play the seat of somebody absent, or short of chips, by the sheet's rule (GEN-10)."""
    seat = round.seat(action.seat)
    if seat is None:
        return Refusal(Code.UNKNOWN_SEAT, f"nobody plays at seat {action.seat}")
    if round.phase != "play":
        return Refusal(Code.NOT_NOW, "there is nothing to decide now")
    if (refusal := _cannot_decide(round, seat)) is not None:
        return refusal
    fold = round.game.fold(round.stage) if action.short else None
    play = fold or round.game.absent_play(seat, round.stage)
    if play is None:
        message = f"seat {seat.number} is absent; its cards must be turned to play them"
        return Refusal(Code.CARDS_UNKNOWN, message, round.game.absent_clause)
    why = _too_dear(round, seat) if action.short else f"seat {seat.number} was absent"
    after = decide(round, Decide(action.seat, play))
    if isinstance(after, Refusal):
        return after
    return after.noted(f"{why}: {play}", round.game.absent_clause)


def _too_dear(round: Round, seat: Seat) -> str:
    """What a seat has too few chips for."""
    title, least = round.game.stages[round.stage].title, cheapest(round.game, seat, round.stage)
    return f"seat {seat.number} has too few chips for the {title}, {spoken(least)} at least"


def place_name(round: Round, place: Place) -> str:
    """A place as a dealer calls it."""
    return f"the {round.game.places[1 - place].title} cards" if place <= BOARD else f"seat {place}"


def _cannot_decide(round: Round, seat: Seat) -> Refusal | None:
    if seat.folded:
        return Refusal(Code.ALREADY_FOLDED, f"seat {seat.number} has folded and plays no more")
    if seat.void is not None:
        return Refusal(Code.ALREADY_VOID, f"the hand of seat {seat.number} is void")
    if round.stage < 0:
        return Refusal(Code.NOT_NOW, "a card is turned before anybody decides")
    if len(seat.plays) > round.stage:
        return Refusal(Code.ALREADY_DECIDED, f"seat {seat.number} has decided already")
    return None


def _played(round: Round, number: int) -> Seat:
    seat = round.seat(number)
    assert seat is not None
    return seat


_HANDLERS: dict[type, Callable[[Round, Any], Next]] = {
    Wager: wagers.wager,
    Withdraw: wagers.withdraw,
    Close: wagers.close,
    Deal: deal,
    Turn: turn,
    Decide: decide,
    Absent: absent,
    Settle: settle,
    Misdeal: mishaps.misdeal,
    VoidHand: mishaps.void_one,
    Expose: mishaps.expose,
    Fouled: mishaps.fouled,
    Warn: mishaps.warn,
    Interrupted: mishaps.interrupted,
}
