"""Wagers before the deal, and when betting closes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from pitbook.house.table import commands, facts
from pitbook.house.table.commands import By
from pitbook.house.table.dealing import (
    add_wager_seed,
    advance_dealer,
    check_shuffle,
    end_shoe,
    open_shoe,
)
from pitbook.house.table.facts import LAST_CALL, Stakes
from pitbook.house.table.limits import apply_announced_rules
from pitbook.house.table.situation import Candidate, Situation
from pitbook.house.table.state import TableState
from pitbook.house.table.stored_sheets import game_of
from pitbook.house.table.unit_of_work import UnitOfWork
from pitbook.money import Cents
from pitbook.rules.actions import Action, Close, Wager, Withdraw
from pitbook.rules.game import Seat
from pitbook.rules.refusals import Code, Refusal, refuse, refuse_cached
from pitbook.rules.round import Round, new_round
from pitbook.rules.step import step
from pitbook.rules.wagers import wager_refusal, withdraw_all

CHANGES_MAX = 200  # By one seat in one round; more is abuse.
BET_ACTIONS = (Wager, Withdraw)
WagerCheck = Callable[[str, Cents], Refusal | None]


def legal_at(state: TableState, seat: int) -> Iterator[Candidate]:
    """The betting commands at a seat; `check_wagers` checks wagers by amount."""
    yield Candidate(commands.Undo(seat), check_undo)
    yield Candidate(commands.Rebet(seat), check_rebet)
    is_ready = state.seats[seat] in state.ready
    yield Candidate(commands.Ready(seat, on=not is_ready), check_ready)


def legal(state: TableState) -> Iterator[Candidate]:
    """The betting commands for the whole table."""
    yield Candidate(commands.CloseBetting(), check_close_betting)
    yield Candidate(commands.OpenRound(), check_open_round)


def put_wager(work: UnitOfWork, by: By, command: commands.PutWager) -> Refusal | None:
    """Place or change a wager; the first of a round opens it."""
    history = work.state.history if command.seed is not None else None
    if (refusal := _ensure_round(work, command.seat)) is not None:
        return refusal
    add_wager_seed(work, command, history)
    now = dict(_seat_stakes(work.round, command.seat))
    if command.amount == 0:
        if command.wager not in now:
            return _no_such_wager(work.round, command.seat, command.wager)
        is_main = command.wager == work.round.game.main[0]
        remaining = {} if is_main else {name: now[name] for name in now if name != command.wager}
        return _change_wagers(work, command.seat, tuple(remaining.items()))
    return _change_wagers(work, command.seat, tuple({**now, command.wager: command.amount}.items()))


def check_wagers(table: Situation, seat: int) -> WagerCheck:
    """A function that returns `put_wager`'s refusal at a seat; shared checks run once."""
    round = _round_to_bet_in(table.state, seat)
    if isinstance(round, Refusal):
        refusal = round
        return lambda *_: refusal
    player = table.state.seats[seat]
    now, refusal_by_count = dict(_seat_stakes(round, seat)), _check_change_count(table, round, seat)
    main, wagers_per_bet = round.game.main[0], 1 + len(round.game.equals)

    def why_not(wager: str, amount: Cents) -> Refusal | None:
        stake = now.get(wager, 0)
        if not amount and wager not in now:
            return _no_such_wager(round, seat, wager)
        if refusal_by_count is not None or not amount:
            return refusal_by_count
        exclusion = table.env.access_list().exclusion_of(player) if amount > stake else None
        increase = Cents((amount - stake) * (wagers_per_bet if wager == main else 1))
        refusal = exclusion or wager_refusal(round, Wager(seat, player, wager, amount))
        return refusal or table.check_balance(player, increase)

    return why_not


def undo(work: UnitOfWork, by: By, command: commands.Undo) -> Refusal | None:
    """Restore the wagers before the seat's last change."""
    if isinstance(target := _undo_target(work.state, command.seat), Refusal):
        return target
    if (refusal := _reach_stakes(work, command.seat, target)) is not None:
        return refusal
    work.emit(facts.Undone(command.seat))
    advance_dealer(work)
    close_if_ready(work)
    return None


def check_undo(table: Situation, by: By, command: commands.Undo) -> Refusal | None:
    """The refusal of an undo, or None."""
    if isinstance(target := _undo_target(table.state, command.seat), Refusal):
        return target
    return _check_stakes(table, table.round, command.seat, target)


def _undo_target(state: TableState, seat: int) -> Stakes | Refusal:
    """The seat's wagers before their last change."""
    if state.round is not None and state.round.phase != "wagers":
        key = "engine.wagers.closed-stay" if state.has_live_wagers else "table.betting.over"
        return refuse(Code.NOT_NOW, key)
    stack = state.undo.get(seat, ())
    if not stack or not (state.has_live_wagers or _is_reusable(state)):
        return refuse_cached(Code.NOT_NOW, "table.betting.nothing-back", seat=seat)
    return stack[-1]


def rebet(work: UnitOfWork, by: By, command: commands.Rebet) -> Refusal | None:
    """Repeat the seat's wagers of its last round, all or none."""
    if isinstance(stakes := _last_stakes(work.state, command.seat), Refusal):
        return stakes
    history = work.state.history if command.seed is not None else None
    if (refusal := _ensure_round(work, command.seat)) is not None:
        return refusal
    add_wager_seed(work, command, history)
    if (refusal := _check_new_stakes(work.round, command.seat, stakes)) is not None:
        return refusal
    return _change_wagers(work, command.seat, stakes)


def check_rebet(table: Situation, by: By, command: commands.Rebet) -> Refusal | None:
    """The refusal of repeated wagers, or None."""
    if isinstance(stakes := _last_stakes(table.state, command.seat), Refusal):
        return stakes
    round = _round_to_bet_in(table.state, command.seat)
    if isinstance(round, Refusal):
        return round
    return (
        _check_new_stakes(round, command.seat, stakes)
        or _check_change_count(table, round, command.seat)
        or _check_stakes(table, round, command.seat, stakes)
    )


def _last_stakes(state: TableState, seat: int) -> Stakes | Refusal:
    """The seat's wagers of its player's last round."""
    player, stakes = state.last.get(seat, ("", ()))
    if not stakes or player != state.seats.get(seat):
        return refuse_cached(Code.NOT_NOW, "table.betting.none-to-repeat", seat=seat)
    return stakes


def _check_new_stakes(round: Round, seat: int, stakes: Stakes) -> Refusal | None:
    if dict(_seat_stakes(round, seat)) == dict(stakes):
        return refuse_cached(Code.NOT_NOW, "table.betting.has-these", seat=seat)
    return None


def open_round(work: UnitOfWork, by: By, command: commands.OpenRound) -> Refusal | None:
    """Start a new round."""
    if work.state.has_live_wagers:
        return _round_not_over()
    apply_announced_rules(work)
    return _open_new_round(work)


def check_open_round(table: Situation, by: By, command: commands.OpenRound) -> Refusal | None:
    """The refusal of a new round, or None."""
    return _round_not_over() if table.state.has_live_wagers else _check_shoe(table.state)


def _round_not_over() -> Refusal:
    return refuse(Code.NOT_NOW, "table.betting.not-over")


def close_betting(work: UnitOfWork, by: By, command: commands.CloseBetting) -> Refusal | None:
    """Close betting, for the dealer, a player who bets alone, or the owner of a practice table."""
    refusal = _check_may_close(work.state, by) or work.apply_action(Close())
    if refusal is None:
        advance_dealer(work)
    return refusal


def check_close_betting(table: Situation, by: By, command: commands.CloseBetting) -> Refusal | None:
    """The refusal of closing betting, or None."""
    return _check_may_close(table.state, by) or table.check_action(Close())


def _check_may_close(state: TableState, by: By) -> Refusal | None:
    """The refusal of a player for whom the dealer or others keep betting open."""
    if by.role != "player":
        return None
    if state.typed:
        return refuse(Code.FORBIDDEN, "table.betting.dealer-closes")
    if state.kind == "practice" and by.name == state.owner:
        return None
    players = (
        {seat.player for seat in state.round.seats}
        if state.has_live_wagers and state.round
        else set()
    )
    if players <= {by.name}:
        return None
    others = tuple(sorted(players - {by.name}))
    return refuse_cached(Code.FORBIDDEN, "table.betting.open-to-others", others=others)


def _ensure_round(work: UnitOfWork, seat: int) -> Refusal | None:
    """Make sure that there is a round to bet in and a player at the seat."""
    if (refusal := _check_seat_bets(work.state, seat)) is not None or work.state.has_live_wagers:
        return refusal
    apply_announced_rules(work)
    return None if _is_reusable(work.state) else _open_new_round(work)


def _round_to_bet_in(state: TableState, seat: int) -> Round | Refusal:
    """The round that a wager at the seat would belong to: the current one, or a new one."""
    if (refusal := _check_seat_bets(state, seat)) is not None:
        return refusal
    if state.round is not None and (state.has_live_wagers or _is_reusable(state)):
        return state.round
    return _check_shoe(state) or new_round(game_of(state.upcoming_sheet))


def _check_seat_bets(state: TableState, seat: int) -> Refusal | None:
    """The refusal of any wager at a seat, or None."""
    if seat not in state.seats:
        return refuse(Code.UNKNOWN_SEAT, "table.seating.nobody-there", seat=seat)
    if state.spot is not None and state.spot["seat"] != seat:
        return refuse(Code.NOT_NOW, "table.arranged.other-seat", seat=state.spot["seat"])
    if state.has_live_wagers and state.round is not None and state.round.phase != "wagers":
        return refuse(Code.NOT_NOW, "engine.wagers.closed")
    return None


def _is_reusable(state: TableState) -> bool:
    """Whether an empty round can still be used: same rules, same shoe."""
    empty = state.round is not None and state.round.phase == "wagers" and not state.next_sheet
    return empty and state.shoe is not None and state.shoe["id"] == state.dealt_from


def _open_new_round(work: UnitOfWork) -> Refusal | None:
    if (refusal := _check_shoe(work.state)) is not None:
        return refusal
    if not _has_shoe_for_next_round(work.state):
        end_shoe(work)
        open_shoe(work)
    state = work.state
    assert state.shoe is not None
    number = state.number + 1
    round_id = f"{state.table}-{number:06d}"
    shoe = state.shoe["id"]
    work.emit(facts.RoundOpened(round_id, number, state.upcoming_sheet["hash"], shoe, state.dealer))
    return None


def _check_shoe(state: TableState) -> Refusal | None:
    """The refusal of a new round that needs a shoe, if none can be shuffled."""
    return None if _has_shoe_for_next_round(state) else check_shuffle(state)


def _has_shoe_for_next_round(state: TableState) -> bool:
    return state.shoe is not None and state.shoe_sheet == state.upcoming_sheet["hash"]


def _change_wagers(work: UnitOfWork, seat: int, target: Stakes) -> Refusal | None:
    if (refusal := _check_change_count(work, work.round, seat)) is not None:
        return refusal
    work.emit(facts.Wagered(seat, _seat_stakes(work.round, seat)))
    refusal = _reach_stakes(work, seat, target)
    if refusal is None:
        advance_dealer(work)
        close_if_ready(work)
    return refusal


def _check_change_count(table: Situation, round: Round, seat: int) -> Refusal | None:
    if round is not table.state.round:  # A round that is not open yet.
        return None
    changes = [
        action
        for action in table.state.actions
        if isinstance(action, BET_ACTIONS) and action.seat == seat
    ]
    if len(changes) < CHANGES_MAX:
        return None
    return refuse(Code.NOT_NOW, "table.betting.too-often", seat=seat, times=CHANGES_MAX)


def _no_such_wager(round: Round, seat: int, wager: str) -> Refusal:
    key, title = "engine.wagers.none-there", round.game.wager_title(wager)
    return refuse(Code.UNKNOWN_WAGER, key, seat=seat, wager=title)


def _reach_stakes(work: UnitOfWork, seat: int, target: Stakes) -> Refusal | None:
    refusal = _check_raise(work, work.round, seat, target)
    return refusal or work.apply_all(_actions_to_reach(work.state, work.round, seat, target))


def _check_stakes(table: Situation, round: Round, seat: int, target: Stakes) -> Refusal | None:
    """The refusal of changing the seat's wagers to others, or None."""
    refusal = _check_raise(table, round, seat, target)
    actions = _actions_to_reach(table.state, round, seat, target)
    return refusal or table.check_actions(round, actions)


def _check_raise(table: Situation, round: Round, seat: int, target: Stakes) -> Refusal | None:
    """An excluded player cannot add to a stake; one on the table is played."""
    now = dict(_seat_stakes(round, seat))
    if not any(amount > now.get(wager, 0) for wager, amount in target):
        return None
    return table.env.access_list().exclusion_of(table.state.seats[seat])


def _actions_to_reach(
    state: TableState, round: Round, number: int, target: Stakes
) -> Iterator[Action]:
    """The actions that change the stakes to others: withdrawals and reductions first."""
    main, player = round.game.main[0], state.seats[number]
    now, targets = dict(_seat_stakes(round, number)), dict(target)
    if main in now and main not in targets:  # Withdrawing the main wager removes all others.
        yield Withdraw(number, main)
        now = {}
    yield from (Withdraw(number, wager) for wager in now if wager not in targets)
    changed_bets = [(name, amount) for name, amount in target if now.get(name) != amount]
    for wager, amount in sorted(changed_bets, key=lambda stake: stake[1] > now.get(stake[0], 0)):
        yield Wager(number, player, wager, amount)


def _seat_stakes(round: Round, number: int) -> Stakes:
    seat = round.seat(number)
    return round.placed_wagers(seat) if seat else ()


LAST_CALL_SECONDS = 5


def ready(work: UnitOfWork, by: By, command: commands.Ready) -> Refusal | None:
    """Record that a player is ready for betting to close, or not after all."""
    if (refusal := check_ready(work, by, command)) is not None:
        return refusal
    work.emit(facts.Ready(command.seat, work.state.seats[command.seat], command.on))
    close_if_ready(work)
    return None


def check_ready(table: Situation, by: By, command: commands.Ready) -> Refusal | None:
    """The refusal of a player's ready or not ready, or None."""
    player = table.state.seats[command.seat]
    if not table.state.has_live_wagers:
        return refuse(Code.NOT_NOW, "table.readiness.no-wager-yet")
    if not _is_betting_open(table):
        return refuse(Code.NOT_NOW, "engine.wagers.closed")
    if command.on == (player in table.state.ready):
        key = "table.readiness.already" if command.on else "table.readiness.not-said"
        return refuse(Code.ALREADY_DECIDED, key, player=player)
    seats = tuple(seat for seat in table.round.seats if seat.player == player)
    if not seats or not command.on:
        return None
    closed = step(replace(table.round, seats=seats), Close())
    return closed if isinstance(closed, Refusal) else None


def close_if_ready(work: UnitOfWork) -> None:
    """Close betting if all players with a wager are ready; others who can bet get a last call."""
    if not work.state.ready or not _is_betting_open(work):
        return
    staked = {seat.player for seat in work.round.seats}
    ready_players = staked & set(work.state.ready)
    if not ready_players or not all(work.env.is_away(player) for player in staked - ready_players):
        return
    if not any(_may_bet(work, player) for player in set(work.state.seats.values()) - staked):
        force_close(work)
    elif LAST_CALL not in work.state.deadlines:
        work.emit(facts.Deadline(LAST_CALL, work.time_in(LAST_CALL_SECONDS)))


def force_close(work: UnitOfWork) -> None:
    """Close betting; seats that cannot be dealt in get their wagers back."""
    while (number := _first_undealable_seat(work.round)) is not None:
        seat = work.round.seat(number)
        assert seat is not None
        for withdrawal in withdraw_all(seat):
            work.apply_forced(withdrawal)
    if work.round.seats:
        work.apply_forced(Close())
    advance_dealer(work)


def _is_betting_open(table: Situation) -> bool:
    return table.state.has_live_wagers and table.round.phase == "wagers"


def _may_bet(work: UnitOfWork, player: str) -> bool:
    """Whether a player without a wager could still place one."""
    if player in work.state.ready or work.env.is_away(player):
        return False
    ante_min = work.round.game.main[1].min
    return work.env.access_list().exclusion_of(player) is None and work.can_pay(player, ante_min)


def _first_undealable_seat(round: Round) -> int | None:
    """A seat that keeps betting from closing: a wager is missing, or seats are apart."""
    groups: list[tuple[Seat, ...]] = [(seat,) for seat in round.seats]
    players = dict.fromkeys(seat.player for seat in round.seats)
    groups += [tuple(seat for seat in round.seats if seat.player == player) for player in players]
    for group in groups:
        if isinstance(step(replace(round, seats=group), Close()), Refusal):
            return group[-1].number
    return None
