"""Commands that act on live tables as well as on the night."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import NamedTuple

from pitbook.errors import Superseded
from pitbook.house.ledger.ledger import Stream
from pitbook.house.ledger.streams import refuse_reused_id, request_id
from pitbook.house.nights import (
    commands,
    interruptions,
    tournament_tables,
)
from pitbook.house.nights.decide import running_refusal
from pitbook.house.nights.facts import NightInterrupted
from pitbook.house.nights.sheets import closed_refusal
from pitbook.house.nights.state import AdmittedTable, NightState, Stop
from pitbook.house.nights.store import Answer, Night
from pitbook.house.nights.tournament import commands as rounds
from pitbook.house.nights.tournament import commands as tournament_commands
from pitbook.house.nights.tournament.facts import ChipsCounted, HandRuled
from pitbook.house.nights.tournament.state import status_text
from pitbook.house.nights.tournament_tables import (
    TournamentTables,
    count_chips,
    load_table,
    read_table_numbers,
    retire,
)
from pitbook.house.people.names import name_key
from pitbook.house.table import commands as table_commands
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By, Envelope
from pitbook.house.table.facts import CANNOT_READ, NIGHT_CLOSED
from pitbook.house.table.live_tables import LiveTables, read_table
from pitbook.house.table.state import TableKind
from pitbook.house.table.stored_sheets import game_of
from pitbook.house.table.stream_names import TABLE
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text import Sentence, say

RUNNING_STATUSES, STOP_ATTEMPTS = ("open", "playing"), 3


class StopResult(NamedTuple):
    """The effect of an interruption on one table or tournament."""

    where: str
    what: str


async def open_table(
    house: LiveTables,
    night: Night,
    command: commands.AdmitTable,
    *,
    kind: TableKind = "house",
    actor: str,
    request: str | None = None,
) -> AdmittedTable | Refusal:
    """Admit a table and open it. A repeated call opens a table that was only admitted."""
    admitted = (await night.read()).tables.get(command.table)
    if admitted is None:
        answer = await night.take(command, actor=actor, request=request)
        if isinstance(answer, Refusal):
            return answer
        admitted = night.state.tables[command.table]
    elif command.sheet["hash"] != admitted.base or await _is_set_up(house, command.table):
        event = night.state.event
        fields = {"event": event, "table": command.table}
        return refuse(Code.NOT_NOW, "nights.night.table-there", **fields)
    elif (refusal := closed_refusal(night.state, night.now())) is not None:
        return refusal
    sheet, unit = game_of(admitted.sheet).sheet, night.state.accounts.unit
    await house.open_table(command.table, kind, actor=actor, unit=unit, sheet=sheet)
    return admitted


async def _is_set_up(house: LiveTables, table: str) -> bool:
    return await asyncio.to_thread(is_set_up, house, table)


def is_set_up(house: LiveTables, table: str) -> bool:
    """Whether an admitted table has been opened."""
    return house.ledger.stream(f"{TABLE}{table}") is not None


async def interrupt(
    house: LiveTables,
    night: Night,
    why: str,
    *,
    actor: str,
    request: str | None = None,
    dead: bool = False,
) -> list[StopResult] | Refusal:
    """Interrupt the whole night: tables under OMS-16, tournaments by their kind.

    `dead`: no hand can be read, so nobody is asked and the night can close.
    """
    answer = await night.take(commands.Interrupt(why, dead), actor=actor, request=request)
    if isinstance(answer, Refusal):
        return answer
    at = next(fact.at for fact in answer.facts if isinstance(fact, NightInterrupted))
    return await apply_stop(house, night, Stop(why, at, actor, dead))


async def apply_stop(house: LiveTables, night: Night, stop: Stop) -> list[StopResult]:
    """Apply an interruption to the tables of this process."""
    live = await asyncio.to_thread(_open_table_names, house, night.state)
    results = [await _stop_table(house, name, stop) for name in live]
    for name, tournament in night.state.tournaments.items():
        is_pending = stop.dead and tournament.status == "interrupted"
        if (tournament.status in RUNNING_STATUSES or is_pending) and tournament.players:
            tables = TournamentTables(house, night, name, stop.by)
            results.append(StopResult(name, await _stop_tournament(tables, stop)))
    return results


async def _stop_tournament(tables: TournamentTables, stop: Stop) -> str:
    try:
        if tables.state.status in RUNNING_STATUSES and await _is_recorded(tables, stop):
            return say("nights.stopped.undone", status=status_text(tables.state))
        answer = await _interrupt_tournament(tables, stop)
        # A table's clock may have dealt in between.
        for _ in range(STOP_ATTEMPTS if stop.dead else 0):
            await _void_hands(tables, stop)
            answer = await _interrupt_tournament(tables, stop)
        return answer.message if isinstance(answer, Refusal) else await _stop_summary(tables)
    except Superseded:
        return say("nights.stopped.elsewhere")


async def _interrupt_tournament(tables: TournamentTables, stop: Stop) -> Answer | None:
    if tables.state.status not in RUNNING_STATUSES:
        return None
    return await interruptions.interrupt(
        tables, stop.why, request=_stop_request(tables.tournament, stop)
    )


async def _is_recorded(tables: TournamentTables, stop: Stop) -> bool:
    """Whether this stop is already recorded; several processes may report it."""
    request = _stop_request(tables.tournament, stop)
    return await asyncio.to_thread(tables.night.recorded_answer, stop.by, request) is not None


async def _void_hands(tables: TournamentTables, stop: Stop) -> None:
    """OMS-15: unreadable hands are dead and the tournament ends."""
    # Also tables with a round that the floor never began.
    numbers = await read_table_numbers(tables)
    for number in numbers:
        await interruptions.rule_unreadable(tables, number, stop.why)
    await _count_unrecorded_chips(tables)
    await interruptions.sync_hands(tables)
    # Ruled by hand: the last count stands.
    for number in set(tables.state.to_complete) - set(numbers):
        command = rounds.CountChips(tables.tournament, number, ())
        await tables.night.take(command, actor=stop.by)
    for number in tables.state.in_hand:
        ruling = rounds.RuleHand(tables.tournament, number, readable=False)
        await tables.night.take(ruling, actor=stop.by)
    if tables.state.status == "interrupted":
        settlement = rounds.SettleInterruption(tables.tournament)
        await tables.night.take(settlement, actor=stop.by)


async def _count_unrecorded_chips(tables: TournamentTables) -> None:
    """Count rounds that were dealt and never counted; the ledger has the chips."""
    for number in await read_table_numbers(tables):
        table = await load_table(tables, number)
        players = tables.state.tables.get(number, ())
        uncounted = [
            player
            for player in players
            if tables.chips(player) != tables.state.players[player].chips
        ]
        if table is not None and not table.state.has_live_wagers and uncounted:
            await count_chips(tables, number)


async def close(
    house: LiveTables, night: Night, *, actor: str, request: str | None = None
) -> Answer:
    """Retire the tables, which returns their racks, and close the night.

    Each process retires the tables it holds; the last one closes the night.
    """
    state = await night.read()
    if state.phase in ("made", "open"):
        # Report other obstacles before touching a table.
        key = None if request is None else request_id(actor, request)
        refusal = await asyncio.to_thread(_close_refusal, house, night, key)
        if (refusal := refusal or await _retire_tables(house, night, actor)) is not None:
            return refusal
    return await night.take(commands.Close(), actor=actor, request=request)


def _close_refusal(house: LiveTables, night: Night, key: str | None) -> Refusal | None:
    if key is not None and night.ledger.entry_of_request(key) is not None:  # And did not close.
        return refuse_reused_id(key)
    return _hand_in_play_refusal(house, night) or running_refusal(night.state)


async def _retire_tables(house: LiveTables, night: Night, actor: str) -> Refusal | None:
    """Retire every table that this process can load before reporting one that it cannot."""
    elsewhere: Superseded | None = None
    for retire_table in await asyncio.to_thread(_to_retire, house, night, actor):
        try:
            if (refusal := await retire_table()) is not None:
                return refusal
        except Superseded as error:
            elsewhere = error
    if elsewhere is not None:
        raise elsewhere
    return None


def _to_retire(
    house: LiveTables, night: Night, actor: str
) -> list[Callable[[], Awaitable[Refusal | None]]]:
    tournaments = [TournamentTables(house, night, name, actor) for name in night.state.tournaments]
    return [
        *(
            partial(_retire_table, house, name, actor)
            for name in _open_table_names(house, night.state)
        ),
        *(partial(retire, tables, NIGHT_CLOSED) for tables in tournaments),
    ]


async def _retire_table(house: LiveTables, name: str, actor: str) -> Refusal | None:
    table, by = await _load_table(house, name), By(actor, "supervisor")
    await _return_wagers(table, by)
    answer = await table.send(Envelope(by, table_commands.Retire(NIGHT_CLOSED)))
    return answer if isinstance(answer, Refusal) else None


async def _return_wagers(table: LiveTable, by: By) -> None:
    """Return wagers on which no card was dealt."""
    if table.state.round is not None and table.state.round.phase == "wagers":
        for seat in table.state.round.seats:
            await table.send(Envelope(by, table_commands.Leave(seat.number)))


def _hand_in_play_refusal(house: LiveTables, night: Night) -> Refusal | None:
    """Closing must not cut off a hand in play."""
    for account, cents in night.ledger.balances(night.state.accounts.unit).items():
        table = account.name.partition("/")[0]
        if account.kind == "held" and cents and _has_hand(house, table):
            fields = {"amount": cents, "table": table}
            return refuse(Code.NOT_NOW, "nights.tables.hand-in-play", **fields)
    return None


def _has_hand(house: LiveTables, name: str) -> bool:
    held = house.get(name)
    state = held.state if held else read_table(house.ledger, f"{TABLE}{name}")
    return state.has_live_wagers and state.round is not None and state.round.phase != "wagers"


async def _stop_table(house: LiveTables, name: str, stop: Stop) -> StopResult:
    by = By(stop.by, "supervisor")
    envelope = Envelope(by, table_commands.Interrupt(stop.why), _stop_request(name, stop))
    try:
        table = await _load_table(house, name)
        key = request_id(stop.by, _stop_request(name, stop))
        entry = await asyncio.to_thread(house.ledger.entry_of_request, key)
        if entry is not None and table.state.awaiting is None:
            return StopResult(name, say("nights.stopped.before"))
        if stop.dead:
            await _return_wagers(table, by)
        answer = await table.send(envelope)
    except Superseded:
        return StopResult(name, say("nights.stopped.elsewhere"))
    if isinstance(answer, Refusal):
        return StopResult(name, answer.message)
    if stop.dead:
        return StopResult(name, await _void_hand(table, by, stop.why))
    state = table.state
    if state.awaiting is None:
        return StopResult(name, say("nights.stopped.played-on"))
    return StopResult(name, say("nights.stopped.must-agree", players=tuple(state.awaiting)))


async def _void_hand(table: LiveTable, by: By, why: str) -> str:
    """An unreadable hand is dead (OMS-16); if the sheet resumes hands, it is a misdeal."""
    await table.send(Envelope(by, table_commands.Unreadable(why)))
    if table.state.has_live_wagers:
        await table.send(Envelope(by, table_commands.Misdeal(why)))
    return say("nights.stopped.dead")


def _stop_request(place: str, stop: Stop) -> str:
    """The request id of an interruption at one place, so that it is applied once."""
    return f"stop {place} {stop.at}"


async def _load_table(house: LiveTables, name: str) -> LiveTable:
    """A table that is set up, loaded if no process holds it; raises Superseded if another does."""
    if (held := house.get(name)) is not None:
        return held
    stream = await asyncio.to_thread(house.ledger.stream, f"{TABLE}{name}")
    assert stream is not None
    return await house.load(stream)


def _open_table_names(house: LiveTables, state: NightState) -> list[str]:
    """The night's tables that are set up and not retired."""
    streams: dict[str, Stream | None] = {
        name: house.ledger.stream(f"{TABLE}{name}") for name in state.tables
    }
    return [name for name, stream in streams.items() if stream and not house.is_retired(stream)]


async def _stop_summary(tables: TournamentTables) -> str:
    """The tournament's status, or the players who must answer first."""
    summary: Sentence = status_text(tables.state)
    for number, players in (await interruptions.pending_answers(tables)).items():
        summary = say("nights.stopped.must-agree-at", told=summary, players=players, table=number)
    return summary


async def ask(
    tables: TournamentTables, command: tournament_commands.Command, *, request: str | None = None
) -> Answer:
    """The answer to a command; raises Superseded if another process holds the tables."""
    if isinstance(command, tournament_commands.TICKET_COMMANDS):
        return await tables.night.take(command, actor=tables.actor, request=request)
    async with tables.turn:
        return await _dispatch(tables, command, request)


async def _dispatch(
    tables: TournamentTables, command: tournament_commands.Command, request: str | None
) -> Answer:
    if isinstance(command, tournament_commands.Interrupt):
        return await interruptions.interrupt(tables, command.why, request=request)
    if not await tournament_tables.hold_tables(tables):
        return await tables.night.take(command, actor=tables.actor, request=request)
    await interruptions.report_first_card(tables)
    if isinstance(command, tournament_commands.GoOn):
        await interruptions.sync_hands(tables)  # Record answers that the night does not have yet.
        return await interruptions.resume_play(tables, through=command.through, request=request)
    if isinstance(command, tournament_commands.Undo):
        return await interruptions.undo(tables, command, request=request)
    if isinstance(command, tournament_commands.BeginRound):
        return await tournament_tables.begin_round(tables, command.table, request=request)
    if isinstance(command, tournament_commands.CountChips):
        return await _count_chips(tables, command, request)
    if isinstance(command, tournament_commands.RuleHand):
        return await _rule_hand(tables, command, request)
    wager_refusal = await _wager_refusal(tables, command)
    return wager_refusal or await tournament_tables.give(tables, command, request=request)


async def _wager_refusal(
    tables: TournamentTables, command: tournament_commands.Command
) -> Refusal | None:
    """Refuse to collect a player's chips while a wager without cards lies on the layout."""
    leaving = {name_key(player) for player in _leaving_players(tables, command)}
    for number in await tournament_tables.hold_tables(tables):
        table = await tournament_tables.load_table(tables, number)
        current_round = (
            table.state.round if table is not None and table.state.has_live_wagers else None
        )
        if current_round is None or current_round.phase != "wagers":
            continue
        if name := next(
            (seat.player for seat in current_round.seats if name_key(seat.player) in leaving), None
        ):
            fields = {"player": name, "table": number}
            return refuse(Code.NOT_NOW, "nights.tables.wager-lies", **fields)
    return None


def _leaving_players(
    tables: TournamentTables, command: tournament_commands.Command
) -> tuple[str, ...]:
    if isinstance(command, tournament_commands.Finish):
        return tuple(tables.state.still_in)
    if isinstance(command, tournament_commands.Eliminate):
        return command.players
    return (command.player,) if isinstance(command, tournament_commands.Refund) else ()


async def _count_chips(
    tables: TournamentTables, command: tournament_commands.CountChips, request: str | None
) -> Answer:
    if command.counts:
        return refuse(Code.NOT_NOW, "nights.tables.book-counts", table=command.table)
    return await tournament_tables.count_chips(tables, command.table, request=request)


async def _rule_hand(
    tables: TournamentTables, command: tournament_commands.RuleHand, request: str | None
) -> Answer:
    """OMS-15: players answer at their table; the floor only rules that a hand is unreadable."""
    answer = await tournament_tables.recorded_answer(
        tables, command.table, request, HandRuled, ChipsCounted
    )
    if answer is not None:
        return answer
    pending = (await interruptions.pending_answers(tables)).get(command.table)
    stopped = (
        tables.state.status == "interrupted" and command.table in tables.state.interrupted_tables
    )
    if pending is None and stopped and not command.readable:
        return await interruptions.void_hand(tables, command.table, request=request)
    if pending is None:
        return await tournament_tables.give(tables, command, request=request)
    if command.readable:
        clause = tables.night.state.rules.tournaments.multi_table.clause
        fields = {"players": pending, "table": command.table}
        return refuse(Code.NOT_NOW, "nights.tables.players-say", clause, **fields)
    await interruptions.rule_unreadable(tables, command.table, CANNOT_READ)
    return await tournament_tables.give(tables, command._replace(agreed=()), request=request)
