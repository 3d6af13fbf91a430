"""Sit down, buy in, refill and leave."""

from __future__ import annotations

from collections.abc import Callable

from pitbook.house.ledger.accounts import move
from pitbook.house.table import facts
from pitbook.house.table.betting import close_if_ready
from pitbook.house.table.commands import BuyIn, By, Leave, Refill, Sit
from pitbook.house.table.state import TableState
from pitbook.house.table.work import UnitOfWork
from pitbook.money import Cents
from pitbook.rules.game import Game, Seat
from pitbook.rules.refusals import Code, Refusal, refuse, refuse_cached
from pitbook.rules.round import Round
from pitbook.rules.wagers import seat_refusal, withdraw_all

CASH_UNITS = ("usd", "play")  # Chips of a night or a tournament are sold at its own cage.


def sit(work: UnitOfWork, by: By, command: Sit) -> Refusal | None:
    """Take a position; a guest without chips for a wager is given some."""
    if isinstance(player := _resolve_player(work, by, command.player or by.name), Refusal):
        return player
    refusal = _check_seat(work.state, _seated_round(work.state), command.seat, player)
    if refusal is not None:
        return refusal
    given = _starting_chips(work, player)
    if given:
        why = f"{work.state.table} starting chips"
        work.transfers.append(move(work.accounts.issued, work.accounts.wallet(player), given, why))
    work.emit(facts.Sat(command.seat, player, given))
    return None


def seat_check(work: UnitOfWork, by: By, asked: str) -> Callable[[int], Refusal | None]:
    """Why `sit` would refuse positions: who asks is looked into once."""
    if isinstance(player := _resolve_player(work, by, asked), Refusal):
        return lambda _: player
    state, seated = work.state, _seated_round(work.state)
    return lambda number: _check_seat(state, seated, number, player)


def _resolve_player(work: UnitOfWork, by: By, asked: str) -> str | Refusal:
    door = work.env.door()
    if by.role == "player" and asked != by.name:
        return refuse(Code.FORBIDDEN, "table.seating.not-for-another", name=by.name, other=asked)
    if isinstance(player := door.resolve_name(asked), Refusal):
        return player
    return door.exclusion_of(player) or player


def buy_in(work: UnitOfWork, by: By, command: BuyIn) -> Refusal | None:
    """Cash into the box, chips to the player; with an account or without one."""
    state, number = work.state, command.seat
    if number not in state.seats:
        return refuse(Code.UNKNOWN_SEAT, "table.seating.nobody-there", seat=number)
    if state.unit not in CASH_UNITS:
        return refuse(Code.FORBIDDEN, "table.seating.no-cash")
    if not command.amount:
        return refuse(Code.BELOW_MINIMUM, "table.seating.buys-nothing")
    player = state.seats[number]
    if (refusal := work.env.door().exclusion_of(player)) is not None:
        return refusal
    accounts, why = work.accounts, f"{state.table} buy-in"
    work.transfers.append(move(accounts.box, accounts.wallet(player), command.amount, why))
    work.emit(facts.BoughtIn(number, player, command.amount))
    return None


def leave(work: UnitOfWork, by: By, command: Leave) -> Refusal | None:
    """Give a position up, wagers before the deal first."""
    state, number = work.state, command.seat
    if number not in state.seats:
        return refuse(Code.UNKNOWN_SEAT, "table.seating.nobody-there", seat=number)
    played = seat_in_round(state, number)
    if played is not None and work.round.phase == "wagers":
        refusal = work.apply_all(withdraw_all(played))
        assert refusal is None, refusal
    elif played is not None and has_live_wager(work.round, played):
        return refuse_cached(Code.NOT_NOW, "table.seating.in-play", seat=number)
    work.emit(facts.Left(number, state.seats[number]))
    close_if_ready(work)
    return None


def seat_in_round(state: TableState, number: int) -> Seat | None:
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


def _seated_round(state: TableState) -> Round:
    """All who sit, as the engine would have them."""
    return Round(state.game, seats=tuple(Seat(one, whose) for one, whose in state.seats.items()))


def _check_seat(state: TableState, seated: Round, number: int, player: str) -> Refusal | None:
    rule = state.game.sheet.seats
    if number in state.seats:
        taken = {"seat": number, "player": state.seats[number]}
        key = "engine.wagers.seat-taken"
        return refuse(Code.SEAT_TAKEN, key, rule.per_player.clause, **taken)
    if (refusal := seat_refusal(seated, number, player)) is not None:
        return refusal
    if seat_in_round(state, number) is not None:
        key = "table.seating.still-in-round"
        return refuse(Code.SEAT_TAKEN, key, rule.per_player.clause, seat=number)
    return None


def _starting_chips(work: UnitOfWork, player: str) -> Cents:
    state = work.state
    seats = state.round.seats if state.live and state.round else ()
    playing = any(seat.player == player for seat in seats)
    broke = not playing and not work.can_pay(player, state.game.main[1].min)
    return state.stake if state.kind == "practice" and broke else Cents(0)


def refill(work: UnitOfWork, by: By, command: Refill) -> Refusal | None:
    """The chips that a guest starts with once more, on record as any other money is."""
    player = work.state.seats[command.seat]
    refusal = work.env.door().exclusion_of(player) or _check_refill(work, player)
    if refusal is not None:
        return refusal
    given, why = work.state.stake, f"{work.state.table} refill"
    work.transfers.append(move(work.accounts.issued, work.accounts.wallet(player), given, why))
    work.emit(facts.Refilled(command.seat, player, given))
    return None


def minimum_to_play(game: Game) -> Cents:
    """What a hand takes to its showdown at the least: every required wager, and each street."""
    main, rule = game.main
    seat = Seat(1, "", tuple((wager, rule.min) for wager in (main, *game.equals)))
    sides = sum(one.stake.min for one in game.sheet.side.values() if one.stake.required)
    put = sum(amount for _, amount in seat.main)
    return Cents(put + sides + sum(_cheapest_play(game, seat, n) for n in range(len(game.stages))))


def _cheapest_play(game: Game, seat: Seat, stage: int) -> int:
    return min((seat.cost(play) for play in game.plays(stage) if not play.folds), default=0)


def _check_refill(work: UnitOfWork, player: str) -> Refusal | None:
    """A hand is played with the chips that were there (GEN-10); who has enough is given none."""
    state = work.state
    own = [one for one in state.round.seats if one.player == player] if state.round else []
    if state.live and own and work.round.phase != "wagers":
        return refuse(Code.NOT_NOW, "table.refills.when-over", "GEN-10")
    staked = sum(amount for seat in own for _, amount in seat.stakes) if state.live else 0
    least = minimum_to_play(state.game)
    if (has := work.available(player) + staked) >= least:
        return refuse(Code.NOT_NOW, "table.refills.enough", player=player, has=has, least=least)
    return None
