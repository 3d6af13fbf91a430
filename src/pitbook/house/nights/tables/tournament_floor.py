"""A tournament's live tables as the floor sees them: what goes on, who is waited for, what next.

Looking takes no table over: one that another process holds is shown as the book has it.
"""

from __future__ import annotations

from pitbook.house.nights.book.circumstances import Circumstances
from pitbook.house.nights.book.decide import Command, decide
from pitbook.house.nights.shapes import DealtShown, DealtTableShown
from pitbook.house.nights.tables.stops import is_stopped
from pitbook.house.nights.tables.tournament_rounds import not_over, proposed_out, resting
from pitbook.house.nights.tables.tournament_tables import (
    TournamentTables,
    laid,
    not_started,
    table_name,
)
from pitbook.house.nights.tournament import commands
from pitbook.house.table.state import TableState
from pitbook.house.table.streams import TABLE
from pitbook.house.table.tables import read_table
from pitbook.rules.refusals import Refusal
from pitbook.text import say


def dealt(here: TournamentTables, standing: Circumstances) -> DealtShown | None:
    """Every table that is laid out, and who should go out; None: chips are counted by hand."""
    numbers = laid(here)
    if not numbers:
        return None
    return {
        "tables": [_table(here, number, standing) for number in numbers],
        "proposed_out": [list(group) for group in proposed_out(here)],
    }


def lay_out_offer(here: TournamentTables, shown: DealtShown | None) -> str | None:
    """Why tables cannot be laid out now; None: they can."""
    if (refusal := not_started(here.state)) is not None:
        return refusal.message
    there = {one["number"] for one in shown["tables"]} if shown else set()
    return (
        None
        if set(here.state.tables) - there
        else say("nights.tables.laid-out", tournament=here.tournament)
    )


def _table(here: TournamentTables, number: int, standing: Circumstances) -> DealtTableShown:
    name = table_name(here.tournament, number)
    held = here.house.held(name)
    state = held.state if held else read_table(here.house.ledger, f"{TABLE}{name}")
    over = state.round is None or state.round.phase == "over"
    return {
        "number": number,
        "table": name,
        "round": None if over else state.number,
        "phase": _phase(state),
        "waiting": _waiting(state),
        "must_agree": _must_agree(state),
        "stopped": state.interruption if is_stopped(state) else None,
        "offers": {
            "begin": _no_begin(here, number, state, standing),
            "count": _no_count(here, number, state, standing),
        },
    }


def _phase(state: TableState) -> str:
    """As the list of tables has it."""
    if state.retired:
        return "retired"
    return state.round.phase if state.round is not None else "open"


def _waiting(state: TableState) -> list[str]:
    """Whom the table waits for: a wager, or a decision."""
    round = state.round
    if round is None or round.phase == "over" or state.awaiting is not None:
        return []
    if round.phase == "wagers":
        there = {seat.number for seat in round.seats}
        return [name for seat, name in sorted(state.seats.items()) if seat not in there]
    played = [round.seat(number) for number in round.waiting]
    return [one.player for one in played if one is not None]


def _must_agree(state: TableState) -> list[str] | None:
    if not state.awaiting:
        return None
    return [name for name, said in state.awaiting.items() if said is None]


def _no_begin(
    here: TournamentTables, number: int, state: TableState, standing: Circumstances
) -> str | None:
    asked = commands.BeginRound(here.tournament, number)
    return _why_not(here, asked, standing) or _said(resting(here))


def _no_count(
    here: TournamentTables, number: int, state: TableState, standing: Circumstances
) -> str | None:
    if state.live:
        return not_over(number).message
    if number not in here.state.in_hand:
        return say("nights.tables.none-begun", table=number)
    counts = tuple((name, here.chips(name)) for name in here.state.tables.get(number, ()))
    asked = commands.CountChips(here.tournament, number, counts, in_book=True)
    return _why_not(here, asked, standing)


def _why_not(here: TournamentTables, command: Command, standing: Circumstances) -> str | None:
    answer = decide(here.night.state, command, standing)
    return answer.message if isinstance(answer, Refusal) else None


def _said(refusal: Refusal | None) -> str | None:
    return None if refusal is None else refusal.message
