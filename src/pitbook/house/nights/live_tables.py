"""Commands that act on live tables as well as on the night."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import NamedTuple

from pitbook.errors import Superseded
from pitbook.house.ledger.journal import Stream
from pitbook.house.ledger.stream_writer import refuse_reused_id, request_id
from pitbook.house.nights import commands
from pitbook.house.nights import (
    interruptions as cut_hands,
)
from pitbook.house.nights import (
    interruptions as stops,
)
from pitbook.house.nights import (
    tournament_tables as tournament_rounds,
)
from pitbook.house.nights.decide import not_ended
from pitbook.house.nights.facts import NightInterrupted
from pitbook.house.nights.sheets import outside
from pitbook.house.nights.state import Admitted, NightState, Stop
from pitbook.house.nights.store import Answer, Night
from pitbook.house.nights.tournament import commands as rounds
from pitbook.house.nights.tournament import commands as tournament_commands
from pitbook.house.nights.tournament.facts import ChipsCounted, HandRuled
from pitbook.house.nights.tournament.state import status_told
from pitbook.house.nights.tournament_tables import (
    TournamentTables,
    count,
    laid_out,
    retire,
    table_at,
)
from pitbook.house.people.names import name_key
from pitbook.house.table import commands as at_table
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By, Envelope
from pitbook.house.table.facts import CANNOT_READ, NIGHT_CLOSED
from pitbook.house.table.state import TableKind, game_of
from pitbook.house.table.streams import TABLE
from pitbook.house.table.tables import LiveTables, read_table
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text import Sentence, say

RUNNING, TRIES = ("open", "playing"), 3


class FoundStopped(NamedTuple):
    """What an interruption found at a table or a tournament."""

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
) -> Admitted | Refusal:
    """Admit a table and set it up; asked again, what is missing is made good."""
    known = (await night.read()).tables.get(command.table)
    if known is None:
        answer = await night.take(command, actor=actor, request=request)
        if isinstance(answer, Refusal):
            return answer
        known = night.state.tables[command.table]
    elif command.sheet["hash"] != known.base or await _is_there(house, command.table):
        event = night.state.event
        there = {"event": event, "table": command.table}
        return refuse(Code.NOT_NOW, "nights.night.table-there", **there)
    elif (refusal := outside(night.state, night.now())) is not None:
        return refusal
    sheet, unit = game_of(known.sheet).sheet, night.state.till.unit
    await house.open_table(command.table, kind, actor=actor, unit=unit, sheet=sheet)
    return known


async def _is_there(house: LiveTables, table: str) -> bool:
    return await asyncio.to_thread(is_set_up, house, table)


def is_set_up(house: LiveTables, table: str) -> bool:
    """Whether an admitted table is there to sit at."""
    return house.ledger.stream(f"{TABLE}{table}") is not None


async def interrupt(
    house: LiveTables,
    night: Night,
    why: str,
    *,
    actor: str,
    request: str | None = None,
    dead: bool = False,
) -> list[FoundStopped] | Refusal:
    """One action for the whole evening: tables as OMS-16 has it, tournaments as their kind.

    `dead`: no hand can be read, so that nobody is asked and the night can close.
    """
    answer = await night.take(commands.Interrupt(why, dead), actor=actor, request=request)
    if isinstance(answer, Refusal):
        return answer
    at = next(one.at for one in answer.facts if isinstance(one, NightInterrupted))
    return await stop_here(house, night, Stop(why, at, actor, dead))


async def stop_here(house: LiveTables, night: Night, stop: Stop) -> list[FoundStopped]:
    """What an interruption does to the tables of this process; others see to theirs."""
    live = await asyncio.to_thread(_live, house, night.state)
    found = [await _stopped(house, name, stop) for name in live]
    for name, one in night.state.tournaments.items():
        waits = stop.dead and one.status == "interrupted"
        if (one.status in RUNNING or waits) and one.players:
            here = TournamentTables(house, night, name, stop.by)
            found.append(FoundStopped(name, await _cut_short(here, stop)))
    return found


async def _cut_short(here: TournamentTables, stop: Stop) -> str:
    try:
        if here.state.status in RUNNING and await _was_told(here, stop):
            return say("nights.stopped.undone", status=status_told(here.state))
        said = await _interrupted(here, stop)
        for _ in range(TRIES if stop.dead else 0):  # A table's clock may have dealt in between.
            await _dead_hands(here, stop)
            said = await _interrupted(here, stop)
        return said.message if isinstance(said, Refusal) else await _told(here)
    except Superseded:
        return say("nights.stopped.elsewhere")


async def _interrupted(here: TournamentTables, stop: Stop) -> Answer | None:
    if here.state.status not in RUNNING:
        return None
    return await cut_hands.interrupt(here, stop.why, request=_once(here.tournament, stop))


async def _was_told(here: TournamentTables, stop: Stop) -> bool:
    """Whether it heard of this stop before: several processes listen, and each hears its own."""
    once = _once(here.tournament, stop)
    return await asyncio.to_thread(here.night.before, stop.by, once) is not None


async def _dead_hands(here: TournamentTables, stop: Stop) -> None:
    """OMS-15: hands that nobody can read are dead, and the tournament ends."""
    live = await laid_out(here)  # Also where a round was dealt that nobody had begun.
    for number in live:
        await cut_hands.unreadable(here, number, stop.why)
    await _count_unrecorded_chips(here)
    await cut_hands.carry_on(here)
    for number in set(here.state.to_complete) - set(live):  # By hand: the last count stands.
        given_up = rounds.CountChips(here.tournament, number, ())
        await here.night.take(given_up, actor=stop.by)
    for number in here.state.in_hand:
        ruled = rounds.RuleHand(here.tournament, number, readable=False)
        await here.night.take(ruled, actor=stop.by)
    if here.state.status == "interrupted":
        ends = rounds.SettleInterruption(here.tournament)
        await here.night.take(ends, actor=stop.by)


async def _count_unrecorded_chips(here: TournamentTables) -> None:
    """Rounds that were dealt and never counted are: chips are given up as the book has them."""
    for number in await laid_out(here):
        table = await table_at(here, number)
        players = here.state.tables.get(number, ())
        off = [one for one in players if here.chips(one) != here.state.players[one].chips]
        if table is not None and not table.state.live and off:
            await count(here, number)


async def close(
    house: LiveTables, night: Night, *, actor: str, request: str | None = None
) -> Answer:
    """Retire the tables, so that racks are back, and close the night.

    Each process retires what it holds; the last that is asked closes.
    """
    state = await night.read()
    if state.phase in ("made", "open"):
        # Whatever else stands in the way is told before any table is touched.
        asked = None if request is None else request_id(actor, request)
        refusal = await asyncio.to_thread(_not_yet, house, night, asked)
        if (refusal := refusal or await _retired(house, night, actor)) is not None:
            return refusal
    return await night.take(commands.Close(), actor=actor, request=request)


def _not_yet(house: LiveTables, night: Night, asked: str | None) -> Refusal | None:
    if asked is not None and night.ledger.entry_of_request(asked) is not None:  # And did not close.
        return refuse_reused_id(asked)
    return _in_play(house, night) or not_ended(night.state)


async def _retired(house: LiveTables, night: Night, actor: str) -> Refusal | None:
    """Every table that can be reached is retired before one that cannot is told of."""
    elsewhere: Superseded | None = None
    for retiring in await asyncio.to_thread(_to_retire, house, night, actor):
        try:
            if (no := await retiring()) is not None:
                return no
        except Superseded as held:
            elsewhere = held
    if elsewhere is not None:
        raise elsewhere
    return None


def _to_retire(
    house: LiveTables, night: Night, actor: str
) -> list[Callable[[], Awaitable[Refusal | None]]]:
    tournaments = [TournamentTables(house, night, name, actor) for name in night.state.tournaments]
    return [
        *(partial(_retire_one, house, name, actor) for name in _live(house, night.state)),
        *(partial(retire, here, NIGHT_CLOSED) for here in tournaments),
    ]


async def _retire_one(house: LiveTables, name: str, actor: str) -> Refusal | None:
    table, by = await _table(house, name), By(actor, "supervisor")
    await _cleared(table, by)
    said = await table.send(Envelope(by, at_table.Retire(NIGHT_CLOSED)))
    return said if isinstance(said, Refusal) else None


async def _cleared(table: LiveTable, by: By) -> None:
    """Wagers on which no card was dealt go back with their players."""
    if table.state.round is not None and table.state.round.phase == "wagers":
        for seat in table.state.round.seats:
            await table.send(Envelope(by, at_table.Leave(seat.number)))


def _in_play(house: LiveTables, night: Night) -> Refusal | None:
    """A hand in play is not cut off by closing."""
    for account, cents in night.ledger.balances(night.state.till.unit).items():
        table = account.name.partition("/")[0]
        if account.kind == "held" and cents and _has_a_hand(house, table):
            lies = {"amount": cents, "table": table}
            return refuse(Code.NOT_NOW, "nights.tables.hand-in-play", **lies)
    return None


def _has_a_hand(house: LiveTables, name: str) -> bool:
    held = house.held(name)
    state = held.state if held else read_table(house.ledger, f"{TABLE}{name}")
    return state.live and state.round is not None and state.round.phase != "wagers"


async def _stopped(house: LiveTables, name: str, stop: Stop) -> FoundStopped:
    by = By(stop.by, "supervisor")
    envelope = Envelope(by, at_table.Interrupt(stop.why), _once(name, stop))
    try:
        table = await _table(house, name)
        asked = request_id(stop.by, _once(name, stop))
        known = await asyncio.to_thread(house.ledger.entry_of_request, asked)
        if known is not None and table.state.awaiting is None:
            return FoundStopped(name, say("nights.stopped.before"))
        if stop.dead:
            await _cleared(table, by)
        said = await table.send(envelope)
    except Superseded:
        return FoundStopped(name, say("nights.stopped.elsewhere"))
    if isinstance(said, Refusal):
        return FoundStopped(name, said.message)
    if stop.dead:
        return FoundStopped(name, await _given_up(table, by, stop.why))
    state = table.state
    if state.awaiting is None:
        return FoundStopped(name, say("nights.stopped.played-on"))
    return FoundStopped(name, say("nights.stopped.must-agree", players=tuple(state.awaiting)))


async def _given_up(table: LiveTable, by: By, why: str) -> str:
    """A hand that nobody can read is dead (OMS-16); where the sheet plays on, it is a misdeal."""
    await table.send(Envelope(by, at_table.Unreadable(why)))
    if table.state.live:
        await table.send(Envelope(by, at_table.Misdeal(why)))
    return say("nights.stopped.dead")


def _once(where: str, stop: Stop) -> str:
    """The request of an interruption at each place: whoever hears of it again does it once."""
    return f"stop {where} {stop.at}"


async def _table(house: LiveTables, name: str) -> LiveTable:
    """A table that is set up, taken up where no process holds it; Superseded where one does."""
    if (held := house.held(name)) is not None:
        return held
    stream = await asyncio.to_thread(house.ledger.stream, f"{TABLE}{name}")
    assert stream is not None
    return await house.load(stream)


def _live(house: LiveTables, state: NightState) -> list[str]:
    """The night's tables that are set up and not retired."""
    streams: dict[str, Stream | None] = {
        name: house.ledger.stream(f"{TABLE}{name}") for name in state.tables
    }
    return [name for name, one in streams.items() if one and not house.is_retired(one)]


async def _told(here: TournamentTables) -> str:
    """What became of a tournament, or who is asked first."""
    told: Sentence = status_told(here.state)
    for number, players in (await cut_hands.waiting(here)).items():
        told = say("nights.stopped.must-agree-at", told=told, players=players, table=number)
    return told


async def ask(
    here: TournamentTables, command: tournament_commands.Command, *, request: str | None = None
) -> Answer:
    """A command's answer; raises Superseded where another process holds the tables."""
    if isinstance(command, tournament_commands.OF_TICKETS):
        return await here.night.take(command, actor=here.actor, request=request)
    async with here.turn:
        return await _asked(here, command, request)


async def _asked(
    here: TournamentTables, command: tournament_commands.Command, request: str | None
) -> Answer:
    if isinstance(command, tournament_commands.Interrupt):
        return await cut_hands.interrupt(here, command.why, request=request)
    if not await tournament_rounds.held(here):
        return await here.night.take(command, actor=here.actor, request=request)
    await stops.first_card(here)
    if isinstance(command, tournament_commands.GoOn):
        await cut_hands.carry_on(here)  # Answers that the night has not heard of are not lost.
        return await stops.go_on(here, through=command.through, request=request)
    if isinstance(command, tournament_commands.Undo):
        return await cut_hands.undo(here, command, request=request)
    if isinstance(command, tournament_commands.BeginRound):
        return await tournament_rounds.begin(here, command.table, request=request)
    if isinstance(command, tournament_commands.CountChips):
        return await _count_chips(here, command, request)
    if isinstance(command, tournament_commands.RuleHand):
        return await _ruled(here, command, request)
    staked = await _staked(here, command)
    return staked or await tournament_rounds.give(here, command, request=request)


async def _staked(here: TournamentTables, command: tournament_commands.Command) -> Refusal | None:
    """Whose chips are taken up has none on a layout; with a card on them they are played."""
    going = {name_key(one) for one in _going(here, command)}
    for number in await tournament_rounds.held(here):
        table = await tournament_rounds.table_at(here, number)
        lying = table.state.round if table is not None and table.state.live else None
        if lying is None or lying.phase != "wagers":
            continue
        if name := next((one.player for one in lying.seats if name_key(one.player) in going), None):
            lies = {"player": name, "table": number}
            return refuse(Code.NOT_NOW, "nights.tables.wager-lies", **lies)
    return None


def _going(here: TournamentTables, command: tournament_commands.Command) -> tuple[str, ...]:
    if isinstance(command, tournament_commands.Finish):
        return tuple(here.state.still_in)
    if isinstance(command, tournament_commands.Eliminate):
        return command.players
    return (command.player,) if isinstance(command, tournament_commands.Refund) else ()


async def _count_chips(
    here: TournamentTables, command: tournament_commands.CountChips, request: str | None
) -> Answer:
    if command.counts:
        where = {"tournament": here.tournament, "table": command.table}
        return refuse(Code.NOT_NOW, "nights.tables.book-counts", **where)
    return await tournament_rounds.count(here, command.table, request=request)


async def _ruled(
    here: TournamentTables, command: tournament_commands.RuleHand, request: str | None
) -> Answer:
    """OMS-15: players answer at their table; the floor says only that a hand cannot be read."""
    said = await tournament_rounds.before(here, command.table, request, HandRuled, ChipsCounted)
    if said is not None:
        return said
    asked = (await cut_hands.waiting(here)).get(command.table)
    stopped = here.state.status == "interrupted" and command.table in here.state.stopped
    if asked is None and stopped and not command.readable:
        return await cut_hands.give_up(here, command.table, request=request)
    if asked is None:
        return await tournament_rounds.give(here, command, request=request)
    if command.readable:
        clause = here.night.state.rules.tournaments.multi_table.clause
        who = {"players": asked, "table": command.table}
        return refuse(Code.NOT_NOW, "nights.tables.players-say", clause, **who)
    await cut_hands.unreadable(here, command.table, CANNOT_READ)
    return await tournament_rounds.give(here, command._replace(agreed=()), request=request)
