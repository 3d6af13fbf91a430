"""Decide commands to a tournament, book their transfers, and audit both."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

from pitbook.house.ledger.accounts import Account, Transfer, move
from pitbook.house.nights.context import Floor
from pitbook.house.nights.facts import Decided
from pitbook.house.nights.tournament import (
    clock_commands as ticking,
)
from pitbook.house.nights.tournament import commands, entry, facts, play
from pitbook.house.nights.tournament import (
    payouts as leaving,
)
from pitbook.house.nights.tournament import (
    play as cut_short,
)
from pitbook.house.nights.tournament import (
    seating as room,
)
from pitbook.house.nights.tournament import (
    tickets as ticketing,
)
from pitbook.house.nights.tournament.commands import Command
from pitbook.house.nights.tournament.facts import Drawn, Fact, FactsOrRefusal
from pitbook.house.nights.tournament.schedule import TournamentRules
from pitbook.house.nights.tournament.state import (
    LEFT,
    Status,
    Tournament,
    before_last,
    evolve,
    status_told,
)
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.findings import printable

Moves = list[Transfer]


class TournamentTill:
    """The accounts of one tournament."""

    def __init__(self, tournament: str) -> None:
        event = tournament.rpartition(".")[0]
        self.unit = f"tournament:{tournament}"
        self.cash = Account("usd", "cash", event)
        self.prizes = Account("usd", "prizes", tournament)
        self.fees = Account("usd", "house", tournament)
        self.issued = Account(self.unit, "issued")
        self.table = Account(self.unit, "house")  # Plays against the players, as live tables do.

    def wallet(self, player: str) -> Account:
        """The chips of a player."""
        return Account(self.unit, "wallet", player)


def transfers(before: Tournament | None, fact: Fact) -> tuple[Transfer, ...]:
    """The transfers that are written with a fact, given the tournament before it."""
    if before is None or type(fact) not in _MOVES:
        return ()
    return tuple(_MOVES[type(fact)](TournamentTill(fact.tournament), before, fact))


def _sold(till: TournamentTill, _: Tournament, fact: facts.Sold) -> Moves:
    why = f"{fact.tournament} {fact.what} of {fact.player}"
    return _some(
        (till.cash, till.prizes, fact.paid - fact.fee, why),
        (till.cash, till.fees, fact.fee, why),
        (till.issued, till.wallet(fact.player), fact.chips, why),
    )


def _refunded(till: TournamentTill, _: Tournament, fact: facts.Refunded) -> Moves:
    why = f"{fact.tournament} refund to {fact.player}"
    return _some(
        (till.prizes, till.cash, fact.paid - fact.fee, why),
        (till.fees, till.cash, fact.fee, why),
        (till.wallet(fact.player), till.issued, fact.chips, why),
    )


def _counted(till: TournamentTill, before: Tournament, fact: facts.ChipsCounted) -> Moves:
    if fact.in_book:
        return []
    found: Moves = []
    for player, chips in fact.counts:
        won, wallet = chips - before.players[player].chips, till.wallet(player)
        why = f"{fact.tournament} count at table {fact.table}"
        found += _some((till.table, wallet, won, why), (wallet, till.table, -won, why))
    return found


def _eliminated(till: TournamentTill, before: Tournament, fact: facts.Eliminated) -> Moves:
    return _taken_up(till, before, fact.players)


def _finished(till: TournamentTill, before: Tournament, _: Fact) -> Moves:
    """All chips come in, and are worth nothing from here on."""
    given = sum(one.given for one in before.players.values())
    back = (till.table, till.issued, given, f"{before.tournament} chips given up")
    return [*_taken_up(till, before, before.players), *_some(back)]


def _voided(till: TournamentTill, before: Tournament, fact: facts.Voided) -> Moves:
    returned = (till.fees, till.prizes, fact.fee, f"{fact.tournament} void: the charity's part")
    return [*_finished(till, before, fact), *_some(returned)]


def _paid_out(till: TournamentTill, before: Tournament, fact: facts.PaidOut) -> Moves:
    what = "return" if before.status == "void" else "prize"
    return _some((till.prizes, till.cash, fact.amount, f"{fact.tournament} {what} {fact.player}"))


def _undone(_: TournamentTill, before: Tournament, fact: facts.Undone) -> Moves:
    assert before.last is not None
    earlier, (_number, last) = before_last(before), before.last
    why = f"{fact.tournament} undone: {fact.of}"
    moved = reversed(transfers(earlier, last))
    return [move(one.credit, one.debit, one.amount, why) for one in moved]


def _taken_up(till: TournamentTill, before: Tournament, players: Iterable[str]) -> Moves:
    why = f"{before.tournament} chips taken up"
    held = ((player, before.players[player].chips) for player in players)
    return _some(*((till.wallet(player), till.table, chips, why) for player, chips in held))


def _some(*wanted: tuple[Account, Account, int, str]) -> Moves:
    return [move(*one) for one in wanted if one[2] > 0]


_MOVES: dict[type, Callable[[TournamentTill, Tournament, Any], Moves]] = {
    facts.Sold: _sold,
    facts.Refunded: _refunded,
    facts.ChipsCounted: _counted,
    facts.Eliminated: _eliminated,
    facts.Finished: _finished,
    facts.Voided: _voided,
    facts.PaidOut: _paid_out,
    facts.Undone: _undone,
}


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


AT_LAST = datetime.max.replace(tzinfo=UTC)  # For events that have no time of their own.


def could_be(before: Tournament, fact: Fact, rules: TournamentRules) -> bool:
    """Whether a fact is one that the tournament before it, its rules and its draws lead to."""
    if isinstance(fact, facts.WasSetUp):
        return before.status == "withdrawn"
    if isinstance(fact, facts.Sold):
        return _is_priced(before, fact)
    if type(fact) not in _ASKED:
        return True
    answer = decide(before, _command(before, fact), _floor(fact, rules))
    return isinstance(answer, Decided) and _is(answer.facts[0], fact)


def _is_priced(before: Tournament, fact: facts.Sold) -> bool:
    """Prices are the schedule's; whether somebody came in time is for the clock that hung there."""
    schedule = before.schedule
    kinds = {"buy-in": schedule.buy_in, "re-buy": schedule.re_buy, "add-on": schedule.add_on}
    price = kinds[fact.what]
    due = None if price is None else (price.costs, price.kept, price.chips)
    return (fact.paid, fact.fee, fact.chips) == due


def _command(before: Tournament, fact: Any) -> Command:
    """What somebody asked for; the end of what was cut short comes by itself, step by step."""
    if before.status == "interrupted" and isinstance(fact, _ENDS):
        return commands.SettleInterruption(fact.tournament)
    return _ASKED[type(fact)](fact)


def _is(due: Any, fact: Any) -> bool:
    return type(due) is type(fact) and due == fact


def _floor(fact: Any, rules: TournamentRules) -> Floor:
    event = fact.tournament.rpartition(".")[0]
    now = getattr(fact, "at", None) or AT_LAST
    draw = _drawing(getattr(fact, "drawn", ()))
    return Floor(event, rules, now, draw, lambda *_: Cents(0), None, "")


def _drawing(drawn: Drawn) -> Callable[[int], int]:
    """The numbers on record; one that nobody can have drawn comes out as another."""
    left = iter(drawn)

    def draw(below: int) -> int:
        number = next(left, 0)
        return number if 0 <= number < below else 0

    return draw


_ENDS = (facts.Eliminated, facts.PrizesPosted, facts.Finished, facts.Voided)
_ASKED: dict[type, Callable[[Any], Command]] = {
    facts.Refunded: lambda fact: commands.Refund(fact.tournament, fact.player),
    facts.Started: lambda fact: commands.Start(fact.tournament),
    facts.ChipsCounted: lambda fact: commands.CountChips(*fact),
    facts.Eliminated: lambda fact: commands.Eliminate(fact.tournament, fact.players),
    facts.PrizesPosted: lambda fact: commands.PostPrizes(fact.tournament),
    facts.Finished: lambda fact: commands.Finish(fact.tournament),
    facts.PaidOut: lambda fact: commands.PayOut(fact.tournament, fact.player),
    facts.Interrupted: lambda fact: commands.Interrupt(fact.tournament, fact.why),
    facts.HandRuled: lambda fact: commands.RuleHand(
        fact.tournament, fact.table, fact.readable, fact.agreed
    ),
    facts.Voided: lambda fact: commands.SettleInterruption(fact.tournament),
    facts.Undone: lambda fact: commands.Undo(fact.tournament, fact.of, fact.why),
}
