"""Betting closes when its clock runs out, or before: when nobody is left who wants the time.

Whoever has a wager there says "ready", or is waited for until the clock runs out. A player who is
gone is not waited for, nor one who is excluded or cannot pay for a wager. Who could still bet and
has said nothing gets a last call of a few seconds; "ready" without a wager sits the round out.
"""

from __future__ import annotations

from pitbook.house.table import commands, facts
from pitbook.house.table.acts.dealer import deal_on
from pitbook.house.table.commands import By
from pitbook.house.table.desk import Desk
from pitbook.house.table.facts import LAST_CALL
from pitbook.rules.actions import Close
from pitbook.rules.game import Seat
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.round import Round
from pitbook.rules.step import step
from pitbook.rules.wagers import withdraw_all

LAST_CALL_SECONDS = 5


def ready(desk: Desk, by: By, command: commands.Ready) -> Refusal | None:
    """A player's word that no more time to bet is wanted, or is wanted again."""
    player = desk.state.seats[command.seat]
    if (refusal := _not_now(desk, player, command)) is not None:
        return refusal
    desk.note(facts.Ready(command.seat, player, command.on))
    all_ready(desk)
    return None


def all_ready(desk: Desk) -> None:
    """Close betting, if all who have a wager are ready; whoever could still bet is called."""
    if desk.trial or not desk.state.ready or not _is_open(desk):
        return
    staked = {seat.player for seat in desk.round.seats}
    said = staked & set(desk.state.ready)
    if not said or not all(desk.luck.away(player) for player in staked - said):
        return
    if not any(_may_bet(desk, player) for player in set(desk.state.seats.values()) - staked):
        time_is_up(desk)
    elif LAST_CALL not in desk.state.deadlines:
        desk.note(facts.Deadline(LAST_CALL, desk.until(LAST_CALL_SECONDS)))


def time_is_up(desk: Desk) -> None:
    """No more bets: seats that cannot be dealt in get their wagers back."""
    while (number := _cannot_be_dealt(desk.round)) is not None:
        seat = desk.round.seat(number)
        assert seat is not None
        for back in withdraw_all(seat):
            desk.must(back)
    if desk.round.seats:
        desk.must(Close())
    deal_on(desk)


def _not_now(desk: Desk, player: str, command: commands.Ready) -> Refusal | None:
    if not desk.state.live:
        return refuse(Code.NOT_NOW, "table.readiness.no-wager-yet")
    if not _is_open(desk):
        return refuse(Code.NOT_NOW, "engine.wagers.closed")
    if command.on == (player in desk.state.ready):
        key = "table.readiness.already" if command.on else "table.readiness.not-said"
        return refuse(Code.ALREADY_DECIDED, key, player=player)
    own = tuple(seat for seat in desk.round.seats if seat.player == player)
    if not own or not command.on:
        return None
    closed = step(desk.round._replace(seats=own), Close())
    return closed if isinstance(closed, Refusal) else None


def _is_open(desk: Desk) -> bool:
    return desk.state.live and desk.round.phase == "wagers"


def _may_bet(desk: Desk, player: str) -> bool:
    """Whether a player without a wager could still put one, and may want to."""
    if player in desk.state.ready or desk.luck.away(player):
        return False
    least = desk.round.game.main[1].min
    return desk.luck.door().exclusion_of(player) is None and desk.can_pay(player, least)


def _cannot_be_dealt(round: Round) -> int | None:
    """A seat that keeps betting from closing: it lacks a wager, or stands apart."""
    groups: list[tuple[Seat, ...]] = [(seat,) for seat in round.seats]
    players = dict.fromkeys(seat.player for seat in round.seats)
    groups += [tuple(seat for seat in round.seats if seat.player == one) for one in players]
    for group in groups:
        if isinstance(step(round._replace(seats=group), Close()), Refusal):
            return group[-1].number
    return None
