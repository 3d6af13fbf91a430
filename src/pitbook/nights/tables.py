"""The night's live tables: set up on admitted rules, stopped together, retired before closing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import NamedTuple

from pitbook.engine.refusals import Code, Refusal
from pitbook.errors import RequestReused, Superseded
from pitbook.ledger.book import Stream
from pitbook.money import spoken
from pitbook.nights import commands, cut_hands
from pitbook.nights.bridge import unpaid
from pitbook.nights.felt import Felt, retire
from pitbook.nights.night import Answer, Night
from pitbook.nights.state import Admitted, NightState, Stop
from pitbook.table import commands as at_table
from pitbook.table.commands import By, Envelope
from pitbook.table.house import TABLE, House
from pitbook.table.model import game_of
from pitbook.table.state import Kind

__all__ = ["Stopped", "close", "interrupt", "is_set_up", "open_table", "stop_here"]

RUNNING = ("open", "playing")
CLOSED = "the night closed"
ELSEWHERE = "another process holds it, and stops it in a moment"


class Stopped(NamedTuple):
    """What an interruption found at a table or a tournament."""

    where: str
    what: str


async def open_table(
    house: House,
    night: Night,
    command: commands.AdmitTable,
    *,
    kind: Kind = "house",
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
        return Refusal(Code.NOT_NOW, f"{event} has a table {command.table} already")
    sheet, unit = game_of(known.sheet).sheet, night.state.till.unit
    await house.open_table(command.table, kind, actor=actor, unit=unit, sheet=sheet)
    return known


async def _is_there(house: House, table: str) -> bool:
    return await asyncio.to_thread(is_set_up, house, table)


def is_set_up(house: House, table: str) -> bool:
    """Whether an admitted table is there to sit at."""
    return house.ledger.stream(f"{TABLE}{table}") is not None


async def interrupt(
    house: House, night: Night, why: str, *, actor: str, request: str | None = None
) -> list[Stopped] | Refusal:
    """One action for the whole evening: tables as OMS-16 has it, tournaments as their kind."""
    answer = await night.take(commands.Interrupt(why), actor=actor, request=request)
    if isinstance(answer, Refusal):
        return answer
    return await stop_here(house, night, Stop(why, str(answer.facts[0]["at"]), actor))


async def stop_here(house: House, night: Night, stop: Stop) -> list[Stopped]:
    """What an interruption does to the tables of this process; others see to theirs."""
    live = await asyncio.to_thread(_live, house, night.state)
    found = [await _stopped(house, name, stop) for name in live]
    for name, one in night.state.tournaments.items():
        if one.status in RUNNING and one.players:
            felt = Felt(house, night, name, stop.by)
            found.append(Stopped(name, await _cut_short(felt, stop)))
    return found


async def _cut_short(felt: Felt, stop: Stop) -> str:
    try:
        said = await cut_hands.interrupt(felt, stop.why, request=_once(felt.tournament, stop))
        return await _told(felt, said)
    except Superseded:
        return ELSEWHERE


async def close(house: House, night: Night, *, actor: str, request: str | None = None) -> Answer:
    """Retire the tables, so that racks are back, and close the night.

    Each process retires what it holds; the last that is asked closes.
    """
    state = await night.read()
    if state.phase == "open":
        # Whatever else stands in the way is told before any table is touched.
        asked = None if request is None else f"{actor}/{request}"
        refusal = await asyncio.to_thread(_not_yet, night, asked)
        if (refusal := refusal or await _retired(house, night, actor)) is not None:
            return refusal
    return await night.take(commands.Close(), actor=actor, request=request)


def _not_yet(night: Night, asked: str | None) -> Refusal | None:
    if asked is not None and night.ledger.answered(asked) is not None:  # And did not close.
        return Refusal(Code.REQUEST_REUSED, str(RequestReused(asked)))
    return _on_layouts(night) or unpaid(night.state, night.ledger.balance)


async def _retired(house: House, night: Night, actor: str) -> Refusal | None:
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
    house: House, night: Night, actor: str
) -> list[Callable[[], Awaitable[Refusal | None]]]:
    felts = [Felt(house, night, name, actor) for name in night.state.tournaments]
    return [
        *(partial(_retire_one, house, name, actor) for name in _live(house, night.state)),
        *(partial(retire, felt, CLOSED) for felt in felts),
    ]


async def _retire_one(house: House, name: str, actor: str) -> Refusal | None:
    said = await _sent(house, name, Envelope(By(actor, "supervisor"), at_table.Retire(CLOSED)))
    return said if isinstance(said, Refusal) else None


def _on_layouts(night: Night) -> Refusal | None:
    """A hand in play is not cut off by closing."""
    for account, cents in night.ledger.balances(night.state.till.unit).items():
        if account.kind == "held" and cents:
            table = account.name.partition("/")[0]
            message = f"{spoken(cents)} lies on the layout of table {table}; settle it first"
            return Refusal(Code.NOT_NOW, message)
    return None


async def _stopped(house: House, name: str, stop: Stop) -> Stopped:
    by = By(stop.by, "supervisor")
    envelope = Envelope(by, at_table.Interrupt(stop.why), _once(name, stop))
    try:
        said = await _sent(house, name, envelope)
    except Superseded:
        return Stopped(name, ELSEWHERE)
    if isinstance(said, Refusal):
        return Stopped(name, said.message)
    state = house.tables[name].state
    if state.awaiting is None:
        return Stopped(name, "the hand is played on")
    asked = ", ".join(state.awaiting)
    return Stopped(name, f"{asked} must agree to finish the hand, else it is dead (OMS-16)")


def _once(where: str, stop: Stop) -> str:
    """The request of an interruption at each place: whoever hears of it again does it once."""
    return f"stop {where} {stop.at}"


async def _sent(house: House, name: str, envelope: Envelope) -> object:
    table = house.held(name)
    if table is None:
        stream = await asyncio.to_thread(house.ledger.stream, f"{TABLE}{name}")
        assert stream is not None
        table = await house.load(stream)
    return await table.send(envelope)


def _live(house: House, state: NightState) -> list[str]:
    """The night's tables that are set up and not retired."""
    streams: dict[str, Stream | None] = {
        name: house.ledger.stream(f"{TABLE}{name}") for name in state.tables
    }
    return [name for name, one in streams.items() if one and not house.is_retired(one)]


async def _told(felt: Felt, said: Answer) -> str:
    """What became of a tournament, or who is asked first."""
    if isinstance(said, Refusal):
        return said.message
    asked = [
        f"{', '.join(players)} must agree to finish the hand at table {number}, else it is dead"
        for number, players in (await cut_hands.waiting(felt)).items()
    ]
    return "; ".join((felt.state.status, *asked))
