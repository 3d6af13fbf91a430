"""Wagers before the deal, and when betting closes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from pitbook.house.table import commands, facts
from pitbook.house.table.commands import By
from pitbook.house.table.dealing import add_wager_seed, advance_dealer, end_shoe, open_shoe
from pitbook.house.table.facts import LAST_CALL, Stakes
from pitbook.house.table.limits import apply_announced_rules
from pitbook.house.table.state import TableState
from pitbook.house.table.work import UnitOfWork
from pitbook.money import Cents
from pitbook.rules.actions import Action, Close, Wager, Withdraw
from pitbook.rules.game import Seat
from pitbook.rules.refusals import Code, Refusal, refuse, refuse_cached
from pitbook.rules.round import Round
from pitbook.rules.step import step
from pitbook.rules.wagers import wager_refusal, withdraw_all

CHANGES_MAX = 200  # By one seat in one round; more is abuse.
BET_ACTIONS = (Wager, Withdraw)
WagerCheck = Callable[[str, Cents], Refusal | None]


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


def wager_check(work: UnitOfWork, seat: int) -> WagerCheck:
    """A function that returns `put_wager`'s refusal at a seat; shared checks run once."""
    if (refusal := _ensure_round(work, seat)) is not None:
        return lambda *_: refusal
    round, player = work.round, work.state.seats[seat]
    now, refusal_by_count = dict(_seat_stakes(round, seat)), _check_change_count(work, seat)
    main, wagers_per_bet = round.game.main[0], 1 + len(round.game.equals)

    def why_not(wager: str, amount: Cents) -> Refusal | None:
        stake = now.get(wager, 0)
        if not amount and wager not in now:
            return _no_such_wager(round, seat, wager)
        if refusal_by_count is not None or not amount:
            return refusal_by_count
        exclusion = work.env.access_list().exclusion_of(player) if amount > stake else None
        increase = Cents((amount - stake) * (wagers_per_bet if wager == main else 1))
        refusal = exclusion or wager_refusal(round, Wager(seat, player, wager, amount))
        return refusal or work.check_balance(player, increase)

    return why_not


def undo(work: UnitOfWork, by: By, command: commands.Undo) -> Refusal | None:
    """Restore the wagers before the seat's last change."""
    if (refusal := _check_open(work)) is not None:
        return refusal
    stack = work.state.undo.get(command.seat, ())
    if not stack or not (work.state.live or _is_reusable(work.state)):
        return refuse_cached(Code.NOT_NOW, "table.betting.nothing-back", seat=command.seat)
    if (refusal := _reach_stakes(work, command.seat, stack[-1])) is not None:
        return refusal
    work.emit(facts.Undone(command.seat))
    advance_dealer(work)
    close_if_ready(work)
    return None


def rebet(work: UnitOfWork, by: By, command: commands.Rebet) -> Refusal | None:
    """Repeat the seat's wagers of its last round, all or none."""
    player, stakes = work.state.last.get(command.seat, ("", ()))
    if not stakes or player != work.state.seats.get(command.seat):
        return refuse_cached(Code.NOT_NOW, "table.betting.none-to-repeat", seat=command.seat)
    history = work.state.history if command.seed is not None else None
    if (refusal := _ensure_round(work, command.seat)) is not None:
        return refusal
    add_wager_seed(work, command, history)
    if dict(_seat_stakes(work.round, command.seat)) == dict(stakes):
        return refuse_cached(Code.NOT_NOW, "table.betting.has-these", seat=command.seat)
    return _change_wagers(work, command.seat, stakes)


def open_round(work: UnitOfWork, by: By, command: commands.OpenRound) -> Refusal | None:
    """Start a new round."""
    if work.state.live:
        return refuse(Code.NOT_NOW, "table.betting.not-over")
    apply_announced_rules(work)
    return _open_new_round(work)


def close_betting(work: UnitOfWork, by: By, command: commands.CloseBetting) -> Refusal | None:
    """Close betting, for the dealer, a player who bets alone, or the owner of a practice table."""
    if by.role == "player" and (refusal := _check_alone(work, by)) is not None:
        return refusal
    if (refusal := work.apply_action(Close())) is not None:
        return refusal
    advance_dealer(work)
    return None


def _check_alone(work: UnitOfWork, by: By) -> Refusal | None:
    if work.state.typed:
        return refuse(Code.FORBIDDEN, "table.betting.dealer-closes")
    if work.state.kind == "practice" and by.name == work.state.owner:
        return None
    players = {seat.player for seat in work.round.seats} if work.state.live else set()
    if players <= {by.name}:
        return None
    others = tuple(sorted(players - {by.name}))
    return refuse_cached(Code.FORBIDDEN, "table.betting.open-to-others", others=others)


def _check_open(work: UnitOfWork) -> Refusal | None:
    if work.state.round is None or work.round.phase == "wagers":
        return None
    key = "engine.wagers.closed-stay" if work.state.live else "table.betting.over"
    return refuse(Code.NOT_NOW, key)


def _ensure_round(work: UnitOfWork, seat: int) -> Refusal | None:
    """Make sure that there is a round to bet in and a player at the seat."""
    state = work.state
    if seat not in state.seats:
        return refuse(Code.UNKNOWN_SEAT, "table.seating.nobody-there", seat=seat)
    if state.spot is not None and state.spot["seat"] != seat:
        return refuse(Code.NOT_NOW, "table.arranged.other-seat", seat=state.spot["seat"])
    if state.live and work.round.phase != "wagers":
        return refuse(Code.NOT_NOW, "engine.wagers.closed")
    if state.live:
        return None
    apply_announced_rules(work)
    return None if _is_reusable(work.state) else _open_new_round(work)


def _is_reusable(state: TableState) -> bool:
    """Whether an empty round can still be used: same rules, same shoe."""
    empty = state.round is not None and state.round.phase == "wagers" and not state.next_sheet
    return empty and state.shoe is not None and state.shoe["id"] == state.dealt_from


def _open_new_round(work: UnitOfWork) -> Refusal | None:
    if work.state.shoe is None and (refusal := open_shoe(work)) is not None:
        return refusal
    if work.state.shoe_sheet != work.state.upcoming["hash"]:
        end_shoe(work)
        if (refusal := open_shoe(work)) is not None:
            return refusal
    state = work.state
    assert state.shoe is not None
    number = state.number + 1
    round_id = f"{state.table}-{number:06d}"
    shoe = state.shoe["id"]
    work.emit(facts.RoundOpened(round_id, number, state.upcoming["hash"], shoe, state.dealer))
    return None


def _change_wagers(work: UnitOfWork, seat: int, target: Stakes) -> Refusal | None:
    if (refusal := _check_change_count(work, seat)) is not None:
        return refusal
    work.emit(facts.Wagered(seat, _seat_stakes(work.round, seat)))
    refusal = _reach_stakes(work, seat, target)
    if refusal is None:
        advance_dealer(work)
        close_if_ready(work)
    return refusal


def _check_change_count(work: UnitOfWork, seat: int) -> Refusal | None:
    changes = [
        action
        for action in work.state.actions
        if isinstance(action, BET_ACTIONS) and action.seat == seat
    ]
    if len(changes) < CHANGES_MAX:
        return None
    return refuse(Code.NOT_NOW, "table.betting.too-often", seat=seat, times=CHANGES_MAX)


def _no_such_wager(round: Round, seat: int, wager: str) -> Refusal:
    key, title = "engine.wagers.none-there", round.game.wager_title(wager)
    return refuse(Code.UNKNOWN_WAGER, key, seat=seat, wager=title)


def _reach_stakes(work: UnitOfWork, seat: int, target: Stakes) -> Refusal | None:
    player, now = work.state.seats[seat], dict(_seat_stakes(work.round, seat))
    raises = any(amount > now.get(wager, 0) for wager, amount in target)
    # A stake on the table is played; an excluded player cannot add to it.
    if raises and (refusal := work.env.access_list().exclusion_of(player)) is not None:
        return refusal
    return work.apply_all(_actions_to_reach(work.round, seat, player, target))


def _actions_to_reach(round: Round, number: int, player: str, target: Stakes) -> Iterator[Action]:
    """The actions that change the stakes to others: withdrawals and reductions first."""
    main = round.game.main[0]
    now, targets = dict(_seat_stakes(round, number)), dict(target)
    if main in now and main not in targets:  # Withdrawing the main wager removes all others.
        yield Withdraw(number, main)
        now = {}
    yield from (Withdraw(number, wager) for wager in now if wager not in targets)
    changed = [(name, amount) for name, amount in target if now.get(name) != amount]
    for wager, amount in sorted(changed, key=lambda stake: stake[1] > now.get(stake[0], 0)):
        yield Wager(number, player, wager, amount)


def _seat_stakes(round: Round, number: int) -> Stakes:
    seat = round.seat(number)
    return round.placed_wagers(seat) if seat else ()


LAST_CALL_SECONDS = 5


def ready(work: UnitOfWork, by: By, command: commands.Ready) -> Refusal | None:
    """Record that a player is ready for betting to close, or not after all."""
    player = work.state.seats[command.seat]
    if (refusal := _check_ready(work, player, command)) is not None:
        return refusal
    work.emit(facts.Ready(command.seat, player, command.on))
    close_if_ready(work)
    return None


def close_if_ready(work: UnitOfWork) -> None:
    """Close betting if all players with a wager are ready; others who can bet get a last call."""
    if work.dry_run or not work.state.ready or not _is_betting_open(work):
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


def _check_ready(work: UnitOfWork, player: str, command: commands.Ready) -> Refusal | None:
    if not work.state.live:
        return refuse(Code.NOT_NOW, "table.readiness.no-wager-yet")
    if not _is_betting_open(work):
        return refuse(Code.NOT_NOW, "engine.wagers.closed")
    if command.on == (player in work.state.ready):
        key = "table.readiness.already" if command.on else "table.readiness.not-said"
        return refuse(Code.ALREADY_DECIDED, key, player=player)
    seats = tuple(seat for seat in work.round.seats if seat.player == player)
    if not seats or not command.on:
        return None
    closed = step(replace(work.round, seats=seats), Close())
    return closed if isinstance(closed, Refusal) else None


def _is_betting_open(work: UnitOfWork) -> bool:
    return work.state.live and work.round.phase == "wagers"


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
