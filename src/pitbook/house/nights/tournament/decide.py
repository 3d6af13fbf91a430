"""Decide commands to a tournament, book their transfers, and audit both."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

from pitbook.house.ledger.accounts import Account, Transfer, move
from pitbook.house.nights.decision_types import Decision, TournamentContext
from pitbook.house.nights.tournament import (
    clock_commands,
    commands,
    entry,
    facts,
    play,
    prizes,
    seating,
    tickets,
)
from pitbook.house.nights.tournament import (
    play as play_commands,
)
from pitbook.house.nights.tournament.commands import Command
from pitbook.house.nights.tournament.facts import Drawn, Fact, FactsOrRefusal
from pitbook.house.nights.tournament.schedule import TournamentRules
from pitbook.house.nights.tournament.state import (
    PAYMENT_FACTS,
    Status,
    Tournament,
    apply,
    before_last,
    status_text,
    step_text,
)
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text.user_input import printable

Moves = list[Transfer]


class TournamentAccounts:
    """A tournament's accounts."""

    def __init__(self, tournament: str) -> None:
        event = tournament.rpartition(".")[0]
        self.unit = f"tournament:{tournament}"
        self.cash = Account("usd", "cash", event)
        self.prizes = Account("usd", "prizes", tournament)
        self.fees = Account("usd", "house", tournament)
        self.issued = Account(self.unit, "issued")
        # The counterpart of the players, as at live tables.
        self.table = Account(self.unit, "house")

    def wallet(self, player: str) -> Account:
        return Account(self.unit, "wallet", player)


def transfers(before: Tournament | None, fact: Fact) -> tuple[Transfer, ...]:
    """The transfers of a fact, given the tournament before it."""
    if before is None or type(fact) not in _MOVES_BY_FACT:
        return ()
    return tuple(_MOVES_BY_FACT[type(fact)](TournamentAccounts(fact.tournament), before, fact))


def _sale_moves(accounts: TournamentAccounts, _: Tournament, fact: facts.Sold) -> Moves:
    why = f"{fact.tournament} {fact.what} of {fact.player}"
    return _nonzero_moves(
        (accounts.cash, accounts.prizes, fact.paid - fact.fee, why),
        (accounts.cash, accounts.fees, fact.fee, why),
        (accounts.issued, accounts.wallet(fact.player), fact.chips, why),
    )


def _refund_moves(accounts: TournamentAccounts, _: Tournament, fact: facts.Refunded) -> Moves:
    reason = f"{fact.tournament} refund to {fact.player}"
    return _nonzero_moves(
        (accounts.prizes, accounts.cash, fact.paid - fact.fee, reason),
        (accounts.fees, accounts.cash, fact.fee, reason),
        (accounts.wallet(fact.player), accounts.issued, fact.chips, reason),
    )


def _count_moves(
    accounts: TournamentAccounts, tournament: Tournament, fact: facts.ChipsCounted
) -> Moves:
    if fact.in_book:
        return []
    moves: Moves = []
    for player, chips in fact.counts:
        won, wallet = chips - tournament.players[player].chips, accounts.wallet(player)
        reason = f"{fact.tournament} count at table {fact.table}"
        moves += _nonzero_moves(
            (accounts.table, wallet, won, reason), (wallet, accounts.table, -won, reason)
        )
    return moves


def _elimination_moves(
    accounts: TournamentAccounts, tournament: Tournament, fact: facts.Eliminated
) -> Moves:
    return _collect_chips(accounts, tournament, fact.players)


def _finish_moves(accounts: TournamentAccounts, tournament: Tournament, _: Fact) -> Moves:
    """Collect all chips; they have no value from now on."""
    issued = sum(player.chips_bought for player in tournament.players.values())
    return_issued = (
        accounts.table,
        accounts.issued,
        issued,
        f"{tournament.tournament} chips given up",
    )
    return [
        *_collect_chips(accounts, tournament, tournament.players),
        *_nonzero_moves(return_issued),
    ]


def _void_moves(accounts: TournamentAccounts, tournament: Tournament, fact: facts.Voided) -> Moves:
    fee_return = (
        accounts.fees,
        accounts.prizes,
        fact.fee,
        f"{fact.tournament} void: the charity's part",
    )
    return [*_finish_moves(accounts, tournament, fact), *_nonzero_moves(fee_return)]


def _payout_moves(
    accounts: TournamentAccounts, tournament: Tournament, fact: facts.PaidOut
) -> Moves:
    kind = "return" if tournament.status == "void" else "prize"
    return _nonzero_moves(
        (accounts.prizes, accounts.cash, fact.amount, f"{fact.tournament} {kind} {fact.player}")
    )


def _undo_moves(_: TournamentAccounts, tournament: Tournament, fact: facts.Undone) -> Moves:
    assert tournament.last is not None
    earlier, (_number, last) = before_last(tournament), tournament.last
    reason = f"{fact.tournament} undone: {fact.of}"
    booked = reversed(transfers(earlier, last))
    return [move(transfer.credit, transfer.debit, transfer.amount, reason) for transfer in booked]


def _collect_chips(
    accounts: TournamentAccounts, tournament: Tournament, players: Iterable[str]
) -> Moves:
    reason = f"{tournament.tournament} chips taken up"
    stacks = ((player, tournament.players[player].chips) for player in players)
    return _nonzero_moves(
        *((accounts.wallet(player), accounts.table, chips, reason) for player, chips in stacks)
    )


def _nonzero_moves(*moves: tuple[Account, Account, int, str]) -> Moves:
    return [move(*arguments) for arguments in moves if arguments[2] > 0]


_MOVES_BY_FACT: dict[type, Callable[[TournamentAccounts, Tournament, Any], Moves]] = {
    facts.Sold: _sale_moves,
    facts.Refunded: _refund_moves,
    facts.ChipsCounted: _count_moves,
    facts.Eliminated: _elimination_moves,
    facts.Finished: _finish_moves,
    facts.Voided: _void_moves,
    facts.PaidOut: _payout_moves,
    facts.Undone: _undo_moves,
}


def decide(
    tournament: Tournament | None, command: Command, context: TournamentContext
) -> Decision | Refusal:
    """The facts and transfers of a command, or a refusal; the tournament stays unchanged."""
    events = _handle(tournament, command, context)
    if isinstance(events, Refusal):
        return events
    booked: list[Transfer] = []
    for fact in events:
        booked += transfers(tournament, fact)
        tournament = apply(tournament, fact)
    return Decision(tuple(events), tuple(booked))


def _handle(
    tournament: Tournament | None, command: Command, context: TournamentContext
) -> FactsOrRefusal:
    if isinstance(command, commands.SetUp):
        return entry.set_up(tournament, command, context)
    name = command.tournament
    if tournament is None or tournament.status == "withdrawn":
        return refuse(Code.UNKNOWN_PLACE, "nights.tournament.none", tournament=printable(name))
    if type(command) not in _ALLOWED.get(tournament.status, (type(command),)):
        fields = {"tournament": name, "status": status_text(tournament)}
        return refuse(Code.OVER, "nights.tournament.over", phase=tournament.status, **fields)
    return _HANDLERS[type(command)](tournament, command, context)


def _undo(
    tournament: Tournament, command: commands.Undo, context: TournamentContext
) -> FactsOrRefusal:
    assert tournament.last is not None  # Its set-up can be undone, so there is always a last step.
    number, last = tournament.last
    if command.of != number:
        step = step_text(last)
        return refuse(Code.NOT_NOW, "nights.tournament.undo-last", number=number, step=step)
    if isinstance(last, PAYMENT_FACTS):
        amount_paid = last.paid if isinstance(last, facts.Refunded) else last.amount
        fields = {"amount": amount_paid, "player": last.player}
        return refuse(Code.OVER, "nights.tournament.money-left", **fields)
    if isinstance(last, facts.Sold | facts.Started) and number < tournament.dealt:
        key, clause = "nights.tournament.dealt-since", context.rules.refunds.clause
        return refuse(Code.OVER, key, clause, tournament=tournament.tournament)
    return [facts.Undone(tournament.tournament, number, command.why)]


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
_HANDLERS: dict[type, Callable[[Tournament, Any, TournamentContext], FactsOrRefusal]] = {
    commands.Announce: entry.announce,
    commands.Enter: entry.enter,
    commands.ReBuy: entry.re_buy,
    commands.AddOn: entry.add_on,
    commands.Refund: entry.refund,
    commands.CheckIn: entry.check_in,
    commands.RotateTicket: tickets.rotate,
    commands.RevokeTicket: tickets.revoke,
    commands.OpenTicket: tickets.open_ticket,
    commands.DrawSeats: seating.draw_seats,
    commands.Start: play.start,
    commands.StartClock: clock_commands.start,
    commands.PauseClock: clock_commands.pause,
    commands.ResumeClock: clock_commands.resume,
    commands.NextLevel: clock_commands.next_level,
    commands.PreviousLevel: clock_commands.previous_level,
    commands.AdjustClock: clock_commands.adjust,
    commands.Message: clock_commands.message,
    commands.Register: entry.register,
    commands.Unregister: entry.unregister,
    commands.Break: clock_commands.break_now,
    commands.BeginRound: play.begin_round,
    commands.CardDealt: play.card_dealt,
    commands.RoundFound: play.begin_round,
    commands.CountChips: play.count_chips,
    commands.Eliminate: play.eliminate,
    commands.Balance: seating.balance,
    commands.BreakTable: seating.break_table,
    commands.PostPrizes: prizes.post_prizes,
    commands.Finish: prizes.finish,
    commands.PayOut: prizes.pay_out,
    commands.Interrupt: play_commands.interrupt,
    commands.Stopped: play_commands.halt,
    commands.GoOn: play_commands.resume,
    commands.RuleHand: play_commands.rule_hand,
    commands.SettleInterruption: play_commands.settle_interruption,
    commands.Undo: _undo,
}


END_OF_TIME = datetime.max.replace(tzinfo=UTC)  # For facts without a time.


def is_consistent(tournament: Tournament, fact: Fact, rules: TournamentRules) -> bool:
    """Whether a fact follows from the tournament before it, its rules and its draws."""
    if isinstance(fact, facts.TournamentCreated):
        return tournament.status == "withdrawn"
    if isinstance(fact, facts.Sold):
        return _is_priced(tournament, fact)
    if type(fact) not in _COMMANDS_BY_FACT:
        return True
    answer = decide(tournament, _command_for(tournament, fact), _audit_context(fact, rules))
    return isinstance(answer, Decision) and _is_same(answer.facts[0], fact)


def _is_priced(tournament: Tournament, fact: facts.Sold) -> bool:
    """Whether a price is the schedule's. Whether the sale was in time depends on the clock then."""
    schedule = tournament.schedule
    kinds = {"buy-in": schedule.buy_in, "re-buy": schedule.re_buy, "add-on": schedule.add_on}
    price = kinds[fact.what]
    price_parts = None if price is None else (price.costs, price.charity_fee, price.chips)
    return (fact.paid, fact.fee, fact.chips) == price_parts


def _command_for(tournament: Tournament, fact: Any) -> Command:
    """The command that leads to a fact. An interrupted tournament ends step by step by itself."""
    if tournament.status == "interrupted" and isinstance(fact, _ENDING_FACTS):
        return commands.SettleInterruption(fact.tournament)
    return _COMMANDS_BY_FACT[type(fact)](fact)


def _is_same(expected_fact: Any, fact: Any) -> bool:
    return type(expected_fact) is type(fact) and expected_fact == fact


def _audit_context(fact: Any, rules: TournamentRules) -> TournamentContext:
    event = fact.tournament.rpartition(".")[0]
    now = getattr(fact, "at", None) or END_OF_TIME
    draw = _recorded_draw(getattr(fact, "drawn", ()))
    return TournamentContext(event, rules, now, draw, lambda *_: Cents(0), None, "")


def _recorded_draw(drawn: Drawn) -> Callable[[int], int]:
    """Draws the recorded numbers; an impossible number becomes 0."""
    numbers = iter(drawn)

    def draw(below: int) -> int:
        number = next(numbers, 0)
        return number if 0 <= number < below else 0

    return draw


_ENDING_FACTS = (facts.Eliminated, facts.PrizesPosted, facts.Finished, facts.Voided)
_COMMANDS_BY_FACT: dict[type, Callable[[Any], Command]] = {
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
