"""Who sits where: positions are taken and given up by the sheet's rules."""

from __future__ import annotations

from collections.abc import Callable

from pitbook.house.ledger.accounts import move
from pitbook.house.people.names import NAME_MAX
from pitbook.house.table import facts
from pitbook.house.table.acts.readiness import all_ready
from pitbook.house.table.commands import BuyIn, By, Leave, Sit
from pitbook.house.table.desk import Desk
from pitbook.house.table.state import TableState
from pitbook.money import Cents
from pitbook.rules.game import Seat
from pitbook.rules.refusals import Code, Refusal, refuse, refuse_cached
from pitbook.rules.round import Round
from pitbook.rules.wagers import seat_refusal, withdraw_all

__all__ = ["NAME_MAX", "buy_in", "has_live_wager", "in_play", "leave", "sit", "why_not_sit"]

CASH = ("usd", "play")  # Chips of a night or a tournament are sold at its own cage.


def sit(desk: Desk, by: By, command: Sit) -> Refusal | None:
    """Take a position; a guest without chips for a wager is given some."""
    if isinstance(player := _who_sits(desk, by, command.player or by.name), Refusal):
        return player
    refusal = _cannot_sit(desk.state, _seated(desk.state), command.seat, player)
    if refusal is not None:
        return refusal
    given = _starting_chips(desk, player)
    if given:
        why = f"{desk.state.table} starting chips"
        desk.transfers.append(move(desk.till.issued, desk.till.wallet(player), given, why))
    desk.note(facts.Sat(command.seat, player, given))
    return None


def why_not_sit(desk: Desk, by: By, asked: str) -> Callable[[int], Refusal | None]:
    """Why `sit` would refuse positions: who asks is looked into once."""
    if isinstance(player := _who_sits(desk, by, asked), Refusal):
        return lambda _: player
    state, seated = desk.state, _seated(desk.state)
    return lambda number: _cannot_sit(state, seated, number, player)


def _who_sits(desk: Desk, by: By, asked: str) -> str | Refusal:
    door = desk.luck.door()
    if by.role == "player" and asked != by.name:
        return refuse(Code.FORBIDDEN, "table.seating.not-for-another", name=by.name, other=asked)
    if isinstance(player := door.resolve_name(asked), Refusal):
        return player
    return door.exclusion_of(player) or player


def buy_in(desk: Desk, by: By, command: BuyIn) -> Refusal | None:
    """Cash into the box, chips to the player; with an account or without one."""
    state, number = desk.state, command.seat
    if number not in state.seats:
        return refuse(Code.UNKNOWN_SEAT, "table.seating.nobody-there", seat=number)
    if state.unit not in CASH:
        return refuse(Code.FORBIDDEN, "table.seating.no-cash")
    if not command.amount:
        return refuse(Code.BELOW_MINIMUM, "table.seating.buys-nothing")
    player = state.seats[number]
    if (refusal := desk.luck.door().exclusion_of(player)) is not None:
        return refusal
    till, why = desk.till, f"{state.table} buy-in"
    desk.transfers.append(move(till.box, till.wallet(player), command.amount, why))
    desk.note(facts.BoughtIn(number, player, command.amount))
    return None


def leave(desk: Desk, by: By, command: Leave) -> Refusal | None:
    """Give a position up, wagers before the deal first."""
    state, number = desk.state, command.seat
    if number not in state.seats:
        return refuse(Code.UNKNOWN_SEAT, "table.seating.nobody-there", seat=number)
    played = in_play(state, number)
    if played is not None and desk.round.phase == "wagers":
        refusal = desk.all(withdraw_all(played))
        assert refusal is None, refusal
    elif played is not None and has_live_wager(desk.round, played):
        return refuse_cached(Code.NOT_NOW, "table.seating.in-play", seat=number)
    desk.note(facts.Left(number, state.seats[number]))
    all_ready(desk)
    return None


def in_play(state: TableState, number: int) -> Seat | None:
    """The seat in the round, as long as that is not over."""
    return state.round.seat(number) if state.live and state.round else None


def has_live_wager(round: Round, seat: Seat) -> bool:
    """Whether anything of the seat is still to be settled by cards."""
    left = {wager for wager, _ in round.open_stakes(seat)}
    still = seat._replace(
        main=tuple(one for one in seat.main if one[0] in left),
        side=tuple(one for one in seat.side if one[0] in left),
    )
    looks = round.game.looks_at_hand(still) or round.game.looks_at_board(still)
    return seat.void is None and bool(left) and looks


def _seated(state: TableState) -> Round:
    """All who sit, as the engine would have them."""
    return Round(state.game, seats=tuple(Seat(one, whose) for one, whose in state.seats.items()))


def _cannot_sit(state: TableState, seated: Round, number: int, player: str) -> Refusal | None:
    rule = state.game.sheet.seats
    if number in state.seats:
        taken = {"seat": number, "player": state.seats[number]}
        key = "engine.wagers.seat-taken"
        return refuse(Code.SEAT_TAKEN, key, rule.per_player.clause, **taken)
    if (refusal := seat_refusal(seated, number, player)) is not None:
        return refusal
    if in_play(state, number) is not None:
        key = "table.seating.still-in-round"
        return refuse(Code.SEAT_TAKEN, key, rule.per_player.clause, seat=number)
    return None


def _starting_chips(desk: Desk, player: str) -> Cents:
    state = desk.state
    seats = state.round.seats if state.live and state.round else ()
    playing = any(seat.player == player for seat in seats)
    broke = not playing and not desk.can_pay(player, state.game.main[1].min)
    return state.stake if state.kind == "practice" and broke else Cents(0)
