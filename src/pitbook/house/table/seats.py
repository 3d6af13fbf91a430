"""Sit down, buy in, refill and leave."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pitbook.house.ledger.accounts import move
from pitbook.house.table import facts
from pitbook.house.table.betting import close_if_ready
from pitbook.house.table.commands import BuyIn, By, Leave, Refill, Sit
from pitbook.house.table.situation import Candidate, Situation
from pitbook.house.table.state import TableState
from pitbook.house.table.unit_of_work import UnitOfWork
from pitbook.money import Cents
from pitbook.rules.game import Game, Seat
from pitbook.rules.refusals import Code, Refusal, refuse, refuse_cached
from pitbook.rules.round import Round
from pitbook.rules.wagers import seat_refusal, withdraw_all

CASH_UNITS = ("usd", "play")  # Event and tournament chips are sold at the event's cage.


def legal_at(state: TableState, seat: int) -> Iterator[Candidate]:
    """The commands of a player at a taken seat; `check_seats` checks free seats."""
    yield Candidate(Refill(seat), check_refill)
    yield Candidate(Leave(seat), check_leave)


def sit(work: UnitOfWork, by: By, command: Sit) -> Refusal | None:
    """Take a seat; a guest without chips for a wager gets some."""
    if isinstance(player := _resolve_player(work, by, command.player or by.name), Refusal):
        return player
    refusal = _check_seat(work.state, _seated_round(work.state), command.seat, player)
    if refusal is not None:
        return refusal
    chips = _starting_chips(work, player)
    if chips:
        why = f"{work.state.table} starting chips"
        work.transfers.append(move(work.accounts.issued, work.accounts.wallet(player), chips, why))
    work.emit(facts.Sat(command.seat, player, chips))
    return None


def check_seats(table: Situation, by: By, name: str) -> Callable[[int], Refusal | None]:
    """A function that returns `sit`'s refusal for a seat; the player is checked once."""
    if isinstance(player := _resolve_player(table, by, name), Refusal):
        return lambda _: player
    state, seated = table.state, _seated_round(table.state)
    return lambda number: _check_seat(state, seated, number, player)


def _resolve_player(table: Situation, by: By, name: str) -> str | Refusal:
    access_list = table.env.access_list()
    if by.role == "player" and name != by.name:
        return refuse(Code.FORBIDDEN, "table.seating.not-for-another", name=by.name, other=name)
    if isinstance(player := access_list.resolve_name(name), Refusal):
        return player
    return access_list.exclusion_of(player) or player


def buy_in(work: UnitOfWork, by: By, command: BuyIn) -> Refusal | None:
    """Buy chips for cash; works with or without an account."""
    state, number = work.state, command.seat
    if number not in state.seats:
        return refuse(Code.UNKNOWN_SEAT, "table.seating.nobody-there", seat=number)
    if state.unit not in CASH_UNITS:
        return refuse(Code.FORBIDDEN, "table.seating.no-cash")
    if not command.amount:
        return refuse(Code.BELOW_MINIMUM, "table.seating.buys-nothing")
    player = state.seats[number]
    if (refusal := work.env.access_list().exclusion_of(player)) is not None:
        return refusal
    accounts, why = work.accounts, f"{state.table} buy-in"
    work.transfers.append(move(accounts.box, accounts.wallet(player), command.amount, why))
    work.emit(facts.BoughtIn(number, player, command.amount))
    return None


def leave(work: UnitOfWork, by: By, command: Leave) -> Refusal | None:
    """Leave a seat; wagers before the deal are withdrawn."""
    if (refusal := check_leave(work, by, command)) is not None:
        return refusal
    state, number = work.state, command.seat
    seat = seat_in_round(state, number)
    if seat is not None and work.round.phase == "wagers":
        refusal = work.apply_all(withdraw_all(seat))
        assert refusal is None, refusal
    work.emit(facts.Left(number, state.seats[number]))
    close_if_ready(work)
    return None


def check_leave(table: Situation, by: By, command: Leave) -> Refusal | None:
    """The refusal of leaving a seat, or None."""
    state, number = table.state, command.seat
    if number not in state.seats:
        return refuse(Code.UNKNOWN_SEAT, "table.seating.nobody-there", seat=number)
    seat = seat_in_round(state, number)
    if seat is None or table.round.phase == "wagers" or not has_live_wager(table.round, seat):
        return None
    return refuse_cached(Code.NOT_NOW, "table.seating.in-play", seat=number)


def seat_in_round(state: TableState, number: int) -> Seat | None:
    """The seat in the current round, or None."""
    return state.round.seat(number) if state.has_live_wagers and state.round else None


def has_live_wager(round: Round, seat: Seat) -> bool:
    """Whether the seat has a wager whose result depends on cards."""
    open_wagers = {wager for wager, _ in round.open_stakes(seat)}
    open_seat = seat._replace(
        main=tuple(stake for stake in seat.main if stake[0] in open_wagers),
        side=tuple(stake for stake in seat.side if stake[0] in open_wagers),
    )
    uses_cards = round.game.looks_at_hand(open_seat) or round.game.looks_at_board(open_seat)
    return seat.void is None and bool(open_wagers) and uses_cards


def _seated_round(state: TableState) -> Round:
    """A round with all seated players, for the engine's seat rules."""
    return Round(
        state.game, seats=tuple(Seat(number, player) for number, player in state.seats.items())
    )


def _check_seat(state: TableState, seated: Round, number: int, player: str) -> Refusal | None:
    rule = state.game.sheet.seats
    if number in state.seats:
        details = {"seat": number, "player": state.seats[number]}
        key = "engine.wagers.seat-taken"
        return refuse(Code.SEAT_TAKEN, key, rule.per_player.clause, **details)
    if (refusal := seat_refusal(seated, number, player)) is not None:
        return refusal
    if seat_in_round(state, number) is not None:
        key = "table.seating.still-in-round"
        return refuse(Code.SEAT_TAKEN, key, rule.per_player.clause, seat=number)
    return None


def _starting_chips(work: UnitOfWork, player: str) -> Cents:
    state = work.state
    seats = state.round.seats if state.has_live_wagers and state.round else ()
    is_playing = any(seat.player == player for seat in seats)
    needs_chips = not is_playing and not work.can_pay(player, state.game.main[1].min)
    return state.stake if state.kind == "practice" and needs_chips else Cents(0)


def refill(work: UnitOfWork, by: By, command: Refill) -> Refusal | None:
    """Give a guest starting chips again."""
    if (refusal := check_refill(work, by, command)) is not None:
        return refusal
    player = work.state.seats[command.seat]
    chips, why = work.state.stake, f"{work.state.table} refill"
    work.transfers.append(move(work.accounts.issued, work.accounts.wallet(player), chips, why))
    work.emit(facts.Refilled(command.seat, player, chips))
    return None


def check_refill(table: Situation, by: By, command: Refill) -> Refusal | None:
    """The refusal of new starting chips, or None."""
    player = table.state.seats[command.seat]
    return table.env.access_list().exclusion_of(player) or _check_needs_chips(table, player)


def minimum_to_play(game: Game) -> Cents:
    """The minimum cost of a hand to the showdown: required wagers and each street."""
    main, rule = game.main
    seat = Seat(1, "", tuple((wager, rule.min) for wager in (main, *game.equals)))
    sides = sum(
        side_rule.stake.min for side_rule in game.sheet.side.values() if side_rule.stake.required
    )
    main_total = sum(amount for _, amount in seat.main)
    return Cents(
        main_total + sides + sum(_cheapest_play(game, seat, n) for n in range(len(game.stages)))
    )


def _cheapest_play(game: Game, seat: Seat, stage: int) -> int:
    return min((seat.cost(play) for play in game.plays(stage) if not play.folds), default=0)


def _check_needs_chips(table: Situation, player: str) -> Refusal | None:
    """The refusal of chips during a hand (GEN-10), or for a player who has enough."""
    state = table.state
    own_seats = [seat for seat in state.round.seats if seat.player == player] if state.round else []
    if state.has_live_wagers and own_seats and table.round.phase != "wagers":
        return refuse(Code.NOT_NOW, "table.refills.when-over", "GEN-10")
    staked = (
        sum(amount for seat in own_seats for _, amount in seat.stakes)
        if state.has_live_wagers
        else 0
    )
    chips_min = minimum_to_play(state.game)
    if (chips := table.available(player) + staked) >= chips_min:
        return refuse(
            Code.NOT_NOW, "table.refills.enough", player=player, has=chips, least=chips_min
        )
    return None
