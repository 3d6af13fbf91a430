"""Interrupted hands at the live tables of a tournament."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from pitbook.house.ledger.fact_codec import Fact
from pitbook.house.nights.store import Answer, Night
from pitbook.house.nights.tournament import commands, facts
from pitbook.house.nights.tournament_tables import (
    TournamentTables,
    count_chips,
    give,
    hold_tables,
    is_behind,
    load_table,
    recount_tables,
    send_command,
    table_name,
)
from pitbook.house.table import commands as table_commands
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By, Envelope
from pitbook.house.table.facts import (
    CANNOT_READ,
    FACTS,
    FLOOR_GOES_ON,
    TOURNAMENT_CUT,
    UNDONE,
    Acted,
    Agreed,
    Interrupted,
    Resumed,
    RoundOpened,
    Settled,
)
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.table.state import TableState
from pitbook.house.table.stream_names import TABLE
from pitbook.rules import actions
from pitbook.rules.refusals import Refusal


async def resume_play(
    tables: TournamentTables, *, through: bool = False, request: str | None = None
) -> Answer:
    """Resume every hand that a server stop cut off, as the floor decided."""
    if not await asyncio.to_thread(tables.night.is_known, tables.actor, request):
        await _resume_stopped_tables(tables)
    command = commands.GoOn(tables.tournament, through)
    return await tables.night.take(command, actor=tables.actor, request=request)


async def _resume_stopped_tables(tables: TournamentTables) -> None:
    await report_stops(tables)  # Also answers a stop that the night has not recorded yet.
    for number in await hold_tables(tables):
        table = await load_table(tables, number)
        if table is not None and is_stopped(table.state):
            await send_command(
                table, By(tables.actor, "supervisor"), table_commands.GoOn(FLOOR_GOES_ON)
            )


async def report_stops(tables: TournamentTables) -> bool:
    """Record which tables wait for the floor; returns whether that was new."""
    live_tables = {number: await load_table(tables, number) for number in await hold_tables(tables)}
    stopped = [number for number, table in live_tables.items() if table and is_stopped(table.state)]
    # The floor answered at the tables themselves.
    if not stopped and tables.state.interrupted_tables:
        await tables.night.take(commands.GoOn(tables.tournament), actor=tables.actor)
    if set(stopped) <= set(tables.state.interrupted_tables):
        return False
    stopped_at, why = await asyncio.to_thread(_last_activity, tables, stopped)
    command = commands.Stopped(tables.tournament, stopped_at, why, tuple(stopped))
    return not isinstance(await tables.night.take(command, actor=tables.actor), Refusal)


def _last_activity(tables: TournamentTables, numbers: list[int]) -> tuple[datetime, str]:
    """When the tables last acted before they were reloaded, and why they stopped."""
    last_time, why = "", ""
    for number in numbers:
        previous_time = ""
        for entry in tables.house.ledger.entries(f"{TABLE}{table_name(tables.tournament, number)}"):
            table_facts = FACTS.load_entry(entry)
            reasons = [fact.why for fact in table_facts if isinstance(fact, Interrupted)]
            if reasons and previous_time:
                last_time, why = max(last_time, previous_time), reasons[-1]
            previous_time = entry.at if table_facts else previous_time
    return min(datetime.fromisoformat(last_time), tables.night.now()), why


async def report_first_card(tables: TournamentTables) -> None:
    """OMS-13: record the first card of a table, whether or not the floor began the round."""
    if tables.state.dealt:
        return
    for number in await hold_tables(tables):
        table = await load_table(tables, number)
        if table is not None and (in_play(table.state) or table.state.finished):
            command = commands.CardDealt(tables.tournament, number)
            await tables.night.take(command, actor=tables.actor)
            return


def is_stopped(state: TableState) -> bool:
    """Whether a table waits for the floor because the server stopped mid-hand."""
    return state.awaiting is not None and not state.awaiting


def in_play(state: TableState) -> bool:
    """Whether cards have been dealt."""
    return state.has_live_wagers and state.round is not None and state.round.phase != "wagers"


class HandOutcome(NamedTuple):
    """The outcome of an interrupted hand and its round number; 0 means no hand to rule on."""

    number: int = 0
    finished: bool | None = None  # None: the players have not all answered.
    answers: Mapping[str, bool] = {}


async def interrupt(tables: TournamentTables, why: str, *, request: str | None = None) -> Answer:
    """Interrupt the tournament: hands that may be completed wait for their players, others are
    dead.
    """
    numbers = await hold_tables(tables)  # All of them, before any is stopped.
    is_repeat = await asyncio.to_thread(tables.night.is_known, tables.actor, request)
    # Otherwise it was undone since.
    if numbers and tables.state.status == "playing" and not is_repeat:
        for number in numbers:
            await _stop_table(tables, number, why)
        await recount_tables(tables)
    command = commands.Interrupt(tables.tournament, why)
    answer = await tables.night.take(command, actor=tables.actor, request=request)
    if not isinstance(answer, Refusal):
        await sync_hands(tables)
    return answer


async def undo(
    tables: TournamentTables, command: commands.Undo, *, request: str | None = None
) -> Answer:
    """Undo the floor's last step, including an interruption made by mistake."""
    last = (await tables.night.read()).tournaments[tables.tournament].last
    is_interruption = (
        last is not None and isinstance(last[1], facts.Interrupted) and last[0] == command.of
    )
    is_repeat = await asyncio.to_thread(tables.night.is_known, tables.actor, request)
    # Before it is recorded: a stop in between asks the players again.
    if is_interruption and not is_repeat:
        await _call_off(tables)
    answer = await give(tables, command, request=request)
    if is_interruption and not isinstance(answer, Refusal) and tables.state.status != "interrupted":
        await _called_off(tables)
    return answer


async def sync_hands(tables: TournamentTables) -> Refusal | None:
    """Record what became of interrupted hands. Called after every event."""
    tournament = (await tables.night.read()).tournaments[tables.tournament]
    if tournament.status != "interrupted" or tournament.undo_pending:
        return None
    for number in await hold_tables(tables):
        if number not in tables.state.in_hand:
            await _discard_round(tables, number)
    for number in tables.state.in_hand:
        answer = await _record_outcome(tables, number)
        if isinstance(answer, Refusal):
            return answer
    return None


async def resume_after_restart(house: LiveTables, night: Night, *, actor: str) -> list[str]:
    """After a restart, the tournaments that were stopped mid-hand; the floor must decide."""
    names = (await night.read()).tournaments
    return [
        name for name in names if await sync_tournament(TournamentTables(house, night, name, actor))
    ]


async def sync_tournament(tables: TournamentTables) -> bool:
    """Record what the tables have done; returns whether the floor must decide something new.

    Undone steps stay undone: nothing here ends a running tournament.
    """
    if tables.state.status not in ("playing", "interrupted"):
        return False
    async with tables.turn:  # Do not act in the middle of a floor command.
        return await _sync(tables)


async def _sync(tables: TournamentTables) -> bool:
    await report_first_card(tables)
    must_decide = await report_stops(tables)
    if tables.state.status == "interrupted":
        await sync_hands(tables)
    return must_decide


async def rule_unreadable(tables: TournamentTables, number: int, why: str) -> None:
    """Apply the floor's ruling that a hand cannot be read: it is dead."""
    table = await load_table(tables, number)
    if table is not None:
        await _halt(tables, table, why, dead=True)


async def void_hand(tables: TournamentTables, number: int, *, request: str | None = None) -> Answer:
    """Return the wagers of a hand to be completed that was stopped again and cannot be read."""
    table = await load_table(tables, number)
    assert table is not None
    await _halt(tables, table, CANNOT_READ, dead=True)
    return await count_chips(tables, number, request=request)


async def pending_answers(tables: TournamentTables) -> dict[int, tuple[str, ...]]:
    """The players at each table who must still say whether to finish the hand."""
    pending = {}
    for number in await hold_tables(tables):
        table = await load_table(tables, number)
        if answers := table.state.awaiting if table is not None else None:
            pending[number] = tuple(name for name, answer in answers.items() if answer is None)
    return pending


async def _stop_table(tables: TournamentTables, number: int, why: str) -> None:
    """Stop a table: return wagers if no card was dealt, otherwise ask about the hand."""
    table = await load_table(tables, number)
    assert table is not None
    if in_play(table.state):
        if number not in tables.state.in_hand:
            command = commands.RoundFound(tables.tournament, number)
            await tables.night.take(command, actor=tables.actor)
        await _halt(tables, table, why, dead=_ends_hand_at_once(tables))
    else:
        await _return_wagers(tables, table)
    if number not in tables.state.in_hand or table.state.has_live_wagers:
        return
    # After a dead hand the last count holds, unless rounds were played uncounted.
    if not _is_dead(table.state) or await is_behind(tables, number):
        await count_chips(tables, number)


async def _discard_round(tables: TournamentTables, number: int) -> None:
    """Return the wagers of a round that the floor never began."""
    table = await load_table(tables, number)
    assert table is not None
    await _halt(tables, table, TOURNAMENT_CUT, dead=True)
    await _return_wagers(tables, table)


async def _record_outcome(tables: TournamentTables, number: int) -> Answer | None:
    """Record the outcome of a table's hand; None while it is pending."""
    table = await load_table(tables, number)
    if table is None:  # Ruled by hand.
        return None
    outcome = await _hand_outcome(tables, table)
    if is_stopped(table.state):  # The floor decides first; the players' answers stand.
        return await _record_agreement(tables, number, outcome)
    if outcome.number not in (0, table.state.number):
        await _discard_round(tables, number)
    if outcome.number == 0 and number not in tables.state.to_complete:  # The table was not told.
        await _halt(tables, table, TOURNAMENT_CUT, dead=_ends_hand_at_once(tables))
        outcome = await _hand_outcome(tables, table)
    if outcome.finished is None and table.state.has_live_wagers:
        return None
    if number not in tables.state.to_complete:
        if not table.state.has_live_wagers and await is_behind(tables, number):
            await count_chips(tables, number)
        ruling_answer = await tables.night.take(
            _hand_ruling(tables, number, outcome), actor=tables.actor
        )
        if isinstance(ruling_answer, Refusal) or number not in tables.state.to_complete:
            return ruling_answer
    return None if table.state.has_live_wagers else await count_chips(tables, number)


async def _record_agreement(
    tables: TournamentTables, number: int, outcome: HandOutcome
) -> Answer | None:
    """Record that everybody agreed to complete a hand before the floor resumes it."""
    if not outcome.finished or number in tables.state.to_complete:
        return None
    return await tables.night.take(_hand_ruling(tables, number, outcome), actor=tables.actor)


async def _halt(tables: TournamentTables, table: LiveTable, why: str, *, dead: bool) -> None:
    by = By(tables.actor, "supervisor")
    if in_play(table.state) and not table.state.awaiting:
        await table.send(Envelope(by, table_commands.Interrupt(why)))
    if dead and table.state.awaiting is not None:
        await table.send(Envelope(by, table_commands.Unreadable(why)))


async def _return_wagers(tables: TournamentTables, table: LiveTable) -> None:
    """Return wagers on which no card was dealt."""
    if is_stopped(table.state):
        await send_command(
            table, By(tables.actor, "supervisor"), table_commands.GoOn(TOURNAMENT_CUT)
        )
    if table.state.has_live_wagers and table.state.round is not None:
        for seat in table.state.round.seats:
            leave = table_commands.Leave(seat.number)
            await table.send(Envelope(By(tables.actor, "supervisor"), leave))


async def _called_off(tables: TournamentTables) -> None:
    """Withdraw the questions again after the undo is recorded, and resume stopped tables."""
    await _call_off(tables)  # A sync may have run in between.
    if tables.state.interrupted_tables:
        await tables.night.take(commands.GoOn(tables.tournament), actor=tables.actor)


async def _call_off(tables: TournamentTables) -> None:
    """Withdraw the question to the players; play goes on, also after a server stop."""
    for number in await hold_tables(tables):
        table = await load_table(tables, number)
        if table is not None and table.state.awaiting is not None:
            by = By(tables.actor, "clock")
            await send_command(table, by, table_commands.CallOff(UNDONE))


def _hand_ruling(tables: TournamentTables, number: int, outcome: HandOutcome) -> commands.RuleHand:
    """OMS-15 by the table's own answers. A player without a live wager is not asked and agrees."""
    seated = tuple(tables.state.tables[number])
    if outcome.finished is not False:
        return commands.RuleHand(tables.tournament, number, readable=True, agreed=seated)
    agreed = tuple(name for name in seated if outcome.answers.get(name, False))
    # Nobody refused: the hand could not be read, or nobody answered in time.
    readable = False in outcome.answers.values()
    return commands.RuleHand(tables.tournament, number, readable=readable, agreed=agreed)


async def _hand_outcome(tables: TournamentTables, table: LiveTable) -> HandOutcome:
    """The outcome of the last interrupted hand, unless later hands were settled."""
    return await asyncio.to_thread(_read_outcome, tables, table)


def _read_outcome(tables: TournamentTables, table: LiveTable) -> HandOutcome:
    outcome, number = HandOutcome(), 0
    for entry in tables.house.ledger.entries(table.stream):
        for fact in FACTS.load_entry(entry):
            number = fact.number if isinstance(fact, RoundOpened) else number
            outcome = _apply_fact(outcome, fact, number)
    return outcome


def _apply_fact(outcome: HandOutcome, fact: Fact, number: int) -> HandOutcome:
    if isinstance(fact, Interrupted):
        answers = outcome.answers if outcome.number == number else {}
        if fact.awaiting == ():  # A server stop: earlier agreement stands.
            return outcome if outcome.number == number and outcome.finished else HandOutcome()
        return HandOutcome(number, _is_finished(fact), answers)
    if isinstance(fact, Agreed):
        return outcome._replace(answers={**outcome.answers, fact.player: fact.finish})
    if isinstance(fact, Acted) and isinstance(fact.action, actions.Interrupted):
        return outcome._replace(finished=fact.action.agreed)
    if isinstance(fact, Resumed):  # Earlier questions are withdrawn.
        return HandOutcome()
    return HandOutcome() if isinstance(fact, Settled) and number > outcome.number else outcome


def _is_finished(fact: Interrupted) -> bool | None:
    return True if fact.awaiting is None else None


def _ends_hand_at_once(tables: TournamentTables) -> bool:
    """OMS-14: the last count decides an hourly tournament, so its hand is not finished."""
    rule = tables.night.state.rules.tournaments.multi_table.hand
    return tables.state.schedule.kind == "hourly" or rule == "dead"


def _is_dead(state: TableState) -> bool:
    return state.round is not None and state.round.ending == "dead"
