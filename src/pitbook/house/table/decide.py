"""Turn a command into facts and transfers, or refuse it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from pitbook.errors import RoundError
from pitbook.house.ledger.accounts import Transfer
from pitbook.house.ledger.fact_codec import Fact, Json
from pitbook.house.table import (
    betting,
    commands,
    dealing,
    facts,
    interruptions,
    limits,
    rack,
    round_commands,
    seats,
    supervision,
)
from pitbook.house.table.commands import By, Command, Envelope
from pitbook.house.table.dealing import open_shoe
from pitbook.house.table.environment import TableEnv
from pitbook.house.table.rights import check_right, retired_refusal
from pitbook.house.table.situation import Situation
from pitbook.house.table.state import TableKind, TableState
from pitbook.house.table.stored_sheets import dump_sheet
from pitbook.house.table.unit_of_work import UnitOfWork
from pitbook.money import Cents
from pitbook.rules.refusals import Refusal
from pitbook.sheets.model import Sheet
from pitbook.text import say

STAKE = Cents(100_000)  # A guest's starting chips: $1,000.

# Seconds; None means no clock. Shared tables need clocks so that one player cannot hold them up.
CLOCKS: dict[TableKind, Json] = {
    "practice": {"betting": None, "decision": None, "agree": 120},
    "house": {"betting": 45, "decision": 45, "agree": 120},
    "typed": {"betting": None, "decision": None, "agree": 120},
}


class Decision(NamedTuple):
    """The outcome of a command; the ledger takes all of it or nothing."""

    facts: tuple[Fact, ...]
    transfers: tuple[Transfer, ...]
    after: tuple[TableState, ...]  # The state after each fact.


def decide(state: TableState, envelope: Envelope, env: TableEnv) -> Decision | Refusal:
    """The outcome of a command or its refusal; does not change the state."""
    work = UnitOfWork(state, env)
    by, command, _ = envelope
    refusal = check_allowed(work, by, command) or HANDLERS[type(command)](work, by, command)
    return _decision(work) if refusal is None else refusal


def check_allowed(table: Situation, by: By, command: Command) -> Refusal | None:
    """The refusal of a command because of its kind, its sender or the table's condition, or None.

    Views offer the commands that this and the handler's own check let pass.
    """
    if table.state.retired:
        return retired_refusal(table.state)
    if (refusal := check_right(table.state, by, command)) is not None:
        return refusal
    if table.state.awaiting is not None and type(command) not in WHILE_AWAITING:
        return interruptions.awaiting_refusal(table)
    return None


def opening_facts(
    *,
    table: str,
    kind: TableKind,
    unit: str,
    sheet: Sheet,
    env: TableEnv,
    clocks: Json | None = None,
    coach: bool | None = None,
    stake: Cents = STAKE,
    owner: str = "",
) -> list[Fact]:
    """The first facts of a table: its rules and a committed shoe."""
    if coach and kind == "typed":
        raise RoundError(say("table.opened.no-coach", table=table))
    if kind == "practice" and unit != "play":
        raise RoundError(say("table.opened.play-chips", table=table, unit=unit))
    work = UnitOfWork(TableState(), env)
    work.emit(
        facts.TableOpened(
            table=table,
            kind=kind,
            unit=unit,
            sheet=dump_sheet(sheet),
            clocks={**CLOCKS[kind], **(clocks or {})},
            coach=kind == "practice" if coach is None else coach,
            stake=stake,
            owner=owner,
        )
    )
    open_shoe(work)
    return work.facts


def resume(state: TableState, env: TableEnv, why: str) -> Decision:
    """The first decision after a stop of the server."""
    work = UnitOfWork(state, env)
    if not state.retired:
        interruptions.handle_stop(work, why)
    return _decision(work)


def _decision(work: UnitOfWork) -> Decision:
    return Decision(tuple(work.facts), tuple(work.transfers), tuple(work.after))


HANDLERS: dict[type, Callable[[UnitOfWork, By, Any], Refusal | None]] = {
    commands.Sit: seats.sit,
    commands.BuyIn: seats.buy_in,
    commands.Leave: seats.leave,
    commands.PutWager: betting.put_wager,
    commands.Undo: betting.undo,
    commands.Rebet: betting.rebet,
    commands.Refill: seats.refill,
    commands.SeatSeed: dealing.seat_seed,
    commands.Ready: betting.ready,
    commands.OpenRound: betting.open_round,
    commands.CloseBetting: betting.close_betting,
    commands.Decide: round_commands.decide,
    commands.AdviceShown: round_commands.advice_shown,
    commands.Arrange: dealing.arrange,
    commands.TypeCard: round_commands.type_card,
    commands.CorrectCard: round_commands.correct_card,
    commands.DeckFouled: round_commands.deck_fouled,
    commands.Settle: round_commands.settle,
    commands.Tick: round_commands.tick,
    commands.Misdeal: round_commands.misdeal,
    commands.VoidHand: round_commands.void_hand,
    commands.ExposeCard: round_commands.expose_card,
    commands.Warn: round_commands.warn,
    commands.Agree: interruptions.agree,
    commands.Unreadable: interruptions.unreadable,
    commands.Interrupt: interruptions.interrupt,
    commands.GoOn: interruptions.continue_play,
    commands.CallOff: interruptions.cancel_interruption,
    commands.Coach: supervision.coach,
    commands.ShufflerFailed: supervision.shuffler_failed,
    commands.ShufflerRepaired: supervision.shuffler_repaired,
    commands.Fill: rack.fill,
    commands.Credit: rack.credit,
    commands.AskFill: rack.ask_fill,
    commands.AskCredit: rack.ask_credit,
    commands.GrantRack: rack.grant_rack,
    commands.RefuseRack: rack.refuse_rack,
    commands.SignOn: supervision.sign_on,
    commands.SignOff: supervision.sign_off,
    commands.ColorUp: supervision.color_up,
    commands.AnnounceSheet: limits.announce_sheet,
    commands.ChangeSheet: limits.change_sheet,
    commands.Retire: supervision.retire,
}

# What is allowed while players are asked whether to finish an interrupted hand.
WHILE_AWAITING = (
    commands.Agree,
    commands.Unreadable,
    commands.Interrupt,
    commands.GoOn,
    commands.CallOff,
    commands.Tick,
    commands.Sit,
    commands.BuyIn,
    commands.Leave,
    commands.Fill,
    commands.Credit,
    commands.AskFill,
    commands.AskCredit,
    commands.GrantRack,
    commands.RefuseRack,
    commands.SignOn,
    commands.ColorUp,
    commands.AnnounceSheet,
    commands.Coach,
    commands.ShufflerFailed,
    commands.ShufflerRepaired,
    commands.ChangeSheet,
)
