"""decide(tournament, command, floor): the facts and transfers that it comes to, or a refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pitbook.house.ledger.accounts import Transfer
from pitbook.house.nights.book.decided import Decided
from pitbook.house.nights.tournament import (
    commands,
    cut_short,
    entry,
    facts,
    leaving,
    play,
    room,
    ticketing,
    ticking,
)
from pitbook.house.nights.tournament.commands import Command
from pitbook.house.nights.tournament.evolve import evolve
from pitbook.house.nights.tournament.facts import FactsOrRefusal
from pitbook.house.nights.tournament.floor import Floor
from pitbook.house.nights.tournament.preconditions import status_told
from pitbook.house.nights.tournament.state import LEFT, Status, Tournament
from pitbook.house.nights.tournament.transfers import transfers
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.findings import printable


def decide(tournament: Tournament | None, command: Command, floor: Floor) -> Decided | Refusal:
    """What happens if this command is taken; the tournament handed in stays as it is."""
    answer = _answered(tournament, command, floor)
    if isinstance(answer, Refusal):
        return answer
    moved: list[Transfer] = []
    for fact in answer:
        moved += transfers(tournament, fact)
        tournament = evolve(tournament, fact)
    return Decided(tuple(answer), tuple(moved))


def _answered(tournament: Tournament | None, command: Command, floor: Floor) -> FactsOrRefusal:
    if isinstance(command, commands.SetUp):
        return entry.set_up(tournament, command, floor)
    name = command.tournament
    if tournament is None or tournament.status == "withdrawn":
        return refuse(Code.UNKNOWN_PLACE, "nights.tournament.none", tournament=printable(name))
    if type(command) not in _ALLOWED.get(tournament.status, (type(command),)):
        stands = {"tournament": name, "status": status_told(tournament)}
        return refuse(Code.OVER, "nights.tournament.over", **stands)
    return _HANDLERS[type(command)](tournament, command, floor)


def _undo(was: Tournament, command: commands.Undo, floor: Floor) -> FactsOrRefusal:
    assert was.last is not None  # It was set up, and that can be undone.
    number, last = was.last
    if command.of != number:
        kind = facts.FACTS.name(type(last))
        return refuse(Code.NOT_NOW, "nights.tournament.undo-last", number=number, kind=kind)
    if isinstance(last, LEFT):
        left = last.paid if isinstance(last, facts.Refunded) else last.amount
        paid = {"amount": left, "player": last.player}
        return refuse(Code.OVER, "nights.tournament.money-left", **paid)
    if isinstance(last, facts.Sold | facts.Started) and number < was.dealt:
        key, clause = "nights.tournament.dealt-since", floor.rules.refunds.clause
        return refuse(Code.OVER, key, clause, tournament=was.tournament)
    return [facts.Undone(was.tournament, number, command.why)]


_ALLOWED: dict[Status, tuple[type, ...]] = {
    "interrupted": (
        commands.Stopped,
        commands.GoOn,
        commands.RuleHand,
        commands.CountChips,
        commands.SettleInterruption,
        commands.PayOut,
        commands.Message,
        commands.RotateTicket,
        commands.RevokeTicket,
        commands.OpenTicket,
        commands.Undo,
    ),
    "finished": (commands.PayOut, commands.Message, commands.Undo),
    "void": (commands.PayOut, commands.Message, commands.Undo),
}
_HANDLERS: dict[type, Callable[[Tournament, Any, Floor], FactsOrRefusal]] = {
    commands.Announce: entry.announce,
    commands.Enter: entry.enter,
    commands.ReBuy: entry.re_buy,
    commands.AddOn: entry.add_on,
    commands.Refund: entry.refund,
    commands.CheckIn: entry.check_in,
    commands.RotateTicket: ticketing.rotate,
    commands.RevokeTicket: ticketing.revoke,
    commands.OpenTicket: ticketing.open_,
    commands.DrawSeats: room.draw_seats,
    commands.Start: play.start,
    commands.StartClock: ticking.start,
    commands.PauseClock: ticking.pause,
    commands.ResumeClock: ticking.resume,
    commands.NextLevel: ticking.next_level,
    commands.PreviousLevel: ticking.previous_level,
    commands.AdjustClock: ticking.adjust,
    commands.Message: ticking.message,
    commands.Register: entry.register,
    commands.Unregister: entry.unregister,
    commands.Break: ticking.break_now,
    commands.BeginRound: play.begin_round,
    commands.CardDealt: play.card_dealt,
    commands.RoundFound: play.begin_round,
    commands.CountChips: play.count_chips,
    commands.Eliminate: play.eliminate,
    commands.Balance: room.balance,
    commands.BreakTable: room.break_table,
    commands.PostPrizes: leaving.post_prizes,
    commands.Finish: leaving.finish,
    commands.PayOut: leaving.pay_out,
    commands.Interrupt: cut_short.interrupt,
    commands.Stopped: cut_short.stopped,
    commands.GoOn: cut_short.go_on,
    commands.RuleHand: cut_short.rule_hand,
    commands.SettleInterruption: cut_short.settle,
    commands.Undo: _undo,
}
