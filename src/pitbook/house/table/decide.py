"""decide(state, envelope, luck): the facts and transfers that a command comes to, or a refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from pitbook.errors import RoundError
from pitbook.house.ledger.accounts import Transfer
from pitbook.house.table import commands, facts, pit_commands
from pitbook.house.table.acts import (
    arranged,
    betting,
    floor,
    interruptions,
    mishaps,
    pit,
    playing,
    readiness,
    refills,
    seating,
    seeds,
)
from pitbook.house.table.acts.betting import WhyNot
from pitbook.house.table.acts.dealer import open_shoe
from pitbook.house.table.commands import By, Command, Envelope
from pitbook.house.table.desk import Desk
from pitbook.house.table.facts import Fact, Json
from pitbook.house.table.luck import Luck
from pitbook.house.table.rights import closed_for_good, forbidden
from pitbook.house.table.state import TableKind, TableState, kept_sheet
from pitbook.house.table.trial import Trial, WhyNotPlay
from pitbook.money import Cents
from pitbook.rules.refusals import Refusal
from pitbook.sheets.model import Sheet
from pitbook.text import say

STAKE = Cents(100_000)  # A guest's first chips: $1,000.

# Seconds; None is no clock. A house's players share a table, so nobody may hold it up.
CLOCKS: dict[TableKind, Json] = {
    "practice": {"betting": None, "decision": None, "agree": 120},
    "house": {"betting": 45, "decision": 45, "agree": 120},
    "typed": {"betting": None, "decision": None, "agree": 120},
}


class Decided(NamedTuple):
    """What a command comes to; the ledger takes all of it or nothing."""

    facts: tuple[Fact, ...]
    transfers: tuple[Transfer, ...]
    after: tuple[TableState, ...]  # The table after each fact, so that nobody works it out again.


def decide(state: TableState, envelope: Envelope, luck: Luck) -> Decided | Refusal:
    """What happens if this command is taken; the state handed in stays as it is."""
    desk = Desk(state, luck)
    refusal = _worked_out(desk, *envelope[:2])
    return _decided(desk) if refusal is None else refusal


def refused(state: TableState, envelope: Envelope, luck: Luck) -> Refusal | None:
    """Why a command would be refused now, if it would; nothing is dealt to find out."""
    return _worked_out(Trial(state, luck), *envelope[:2])


def any_refused(state: TableState, by: By, luck: Luck) -> Callable[[Command], Refusal | None]:
    """Why somebody's commands would be refused; as `refused` says of each."""
    desk = Trial(state, luck)

    def why_not(command: Command) -> Refusal | None:
        nonlocal desk
        if desk.state is not state or desk.transfers:  # The one before would have been taken.
            desk = Trial(state, luck)
        return _worked_out(desk, by, command)

    return why_not


def sits_refused(
    state: TableState, by: By, asked: str, luck: Luck
) -> Callable[[int], Refusal | None]:
    """Why somebody would be refused positions, by number; as `refused` says of each."""
    desk = Trial(state, luck)
    refusal = _unheard(desk, by, commands.Sit(0, asked))
    return seating.why_not_sit(desk, by, asked) if refusal is None else lambda _: refusal


def puts_refused(state: TableState, by: By, seat: int, luck: Luck) -> WhyNot:
    """Why wagers at a seat would be refused, by name and amount; as `refused` says of each."""
    desk = Trial(state, luck)
    refusal = _unheard(desk, by, commands.PutWager(seat, "", Cents(0)))
    return betting.why_not_put(desk, seat) if refusal is None else lambda *_: refusal


def plays_refused(state: TableState, by: By, seat: int, luck: Luck) -> WhyNotPlay:
    """Why plays of a seat would be refused, by name; as `refused` says of each."""
    desk = Trial(state, luck)
    refusal = _unheard(desk, by, commands.Decide(seat, ""))
    return desk.why_not_play(seat) if refusal is None else lambda _: refusal


def opened(
    *,
    table: str,
    kind: TableKind,
    unit: str,
    sheet: Sheet,
    luck: Luck,
    clocks: Json | None = None,
    coach: bool | None = None,
    stake: Cents = STAKE,
    owner: str = "",
) -> list[Fact]:
    """The first facts of a table: its rules, and a shoe that is committed to before any wager."""
    if coach and kind == "typed":
        raise RoundError(say("table.opened.no-coach", table=table))
    if kind == "practice" and unit != "play":
        raise RoundError(say("table.opened.play-chips", table=table, unit=unit))
    desk = Desk(TableState(), luck)
    desk.note(
        facts.TableOpened(
            table=table,
            kind=kind,
            unit=unit,
            sheet=kept_sheet(sheet),
            clocks={**CLOCKS[kind], **(clocks or {})},
            coach=kind == "practice" if coach is None else coach,
            stake=stake,
            owner=owner,
        )
    )
    open_shoe(desk)
    return desk.facts


def resume(state: TableState, luck: Luck, why: str) -> Decided:
    """What a table does first when it is taken up again after a stop."""
    desk = Desk(state, luck)
    if not state.retired:
        interruptions.stopped(desk, why)
    return _decided(desk)


def _worked_out(desk: Desk, by: By, command: Command) -> Refusal | None:
    if (refusal := _unheard(desk, by, command)) is not None:
        return refusal
    return HANDLERS[type(command)](desk, by, command)


def _unheard(desk: Desk, by: By, command: Command) -> Refusal | None:
    """Why nobody looks further into a command."""
    if desk.state.retired:
        return closed_for_good(desk.state)
    if (refusal := forbidden(desk.state, by, command)) is not None:
        return refusal
    if desk.state.awaiting is not None and type(command) not in WHILE_ASKED:
        return interruptions.waits(desk)
    return None


def _decided(desk: Desk) -> Decided:
    return Decided(tuple(desk.facts), tuple(desk.transfers), tuple(desk.after))


HANDLERS: dict[type, Callable[[Desk, By, Any], Refusal | None]] = {
    commands.Sit: seating.sit,
    commands.BuyIn: seating.buy_in,
    commands.Leave: seating.leave,
    commands.PutWager: betting.put_wager,
    commands.Undo: betting.undo,
    commands.Rebet: betting.rebet,
    commands.Refill: refills.refill,
    commands.SeatSeed: seeds.seat_seed,
    commands.Ready: readiness.ready,
    commands.OpenRound: betting.open_round,
    commands.CloseBetting: betting.close_betting,
    commands.Decide: playing.decide,
    commands.AdviceShown: playing.advice_shown,
    commands.Arrange: arranged.arrange,
    commands.TypeCard: playing.type_card,
    commands.CorrectCard: playing.correct_card,
    commands.DeckFouled: playing.deck_fouled,
    commands.Settle: playing.settle,
    commands.Tick: playing.tick,
    commands.Misdeal: mishaps.misdeal,
    commands.VoidHand: mishaps.void_hand,
    commands.ExposeCard: mishaps.expose_card,
    commands.Warn: mishaps.warn,
    commands.Agree: interruptions.agree,
    commands.Unreadable: interruptions.unreadable,
    commands.Interrupt: interruptions.interrupt,
    commands.GoOn: interruptions.go_on,
    commands.CallOff: interruptions.call_off,
    commands.Coach: floor.coach,
    commands.ShufflerFailed: floor.shuffler_failed,
    commands.ShufflerRepaired: floor.shuffler_repaired,
    commands.Fill: floor.fill,
    commands.Credit: floor.credit,
    pit_commands.AskFill: pit.ask_fill,
    pit_commands.AskCredit: pit.ask_credit,
    pit_commands.GrantRack: pit.grant_rack,
    pit_commands.RefuseRack: pit.refuse_rack,
    pit_commands.SignOn: pit.sign_on,
    pit_commands.SignOff: pit.sign_off,
    pit_commands.ColourUp: pit.colour_up,
    pit_commands.AnnounceSheet: pit.announce_sheet,
    commands.ChangeSheet: floor.change_sheet,
    commands.Retire: floor.retire,
}

# What is allowed while players are asked whether to finish an interrupted hand.
WHILE_ASKED = (
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
    pit_commands.AskFill,
    pit_commands.AskCredit,
    pit_commands.GrantRack,
    pit_commands.RefuseRack,
    pit_commands.SignOn,
    pit_commands.ColourUp,
    pit_commands.AnnounceSheet,
    commands.Coach,
    commands.ShufflerFailed,
    commands.ShufflerRepaired,
    commands.ChangeSheet,
)
