"""The night's live tables: set up on admitted rules, stopped together, retired before closing."""

from __future__ import annotations

from typing import NamedTuple

from pitbook.engine.refusals import Code, Refusal
from pitbook.ledger.book import Stream
from pitbook.money import spoken
from pitbook.nights import commands, cut_hands
from pitbook.nights.bridge import unpaid
from pitbook.nights.felt import Felt, retire
from pitbook.nights.night import Answer, Night
from pitbook.nights.state import Admitted, NightState
from pitbook.table import commands as table_commands
from pitbook.table.commands import By, Envelope
from pitbook.table.house import TABLE, House
from pitbook.table.model import game_of
from pitbook.table.state import Kind

__all__ = ["Stopped", "close", "interrupt", "is_set_up", "open_table"]

RUNNING = ("open", "playing")


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
    known = night.refreshed().tables.get(command.table)
    if known is None:
        answer = night.give(command, actor=actor, request=request)
        if isinstance(answer, Refusal):
            return answer
        known = night.state.tables[command.table]
    elif command.sheet["hash"] != known.base or is_set_up(house, command.table):
        event = night.state.event
        return Refusal(Code.NOT_NOW, f"{event} has a table {command.table} already")
    sheet, unit = game_of(known.sheet).sheet, night.state.till.unit
    await house.open_table(command.table, kind, actor=actor, unit=unit, sheet=sheet)
    return known


def is_set_up(house: House, table: str) -> bool:
    """Whether an admitted table is there to sit at."""
    return house.ledger.stream(f"{TABLE}{table}") is not None


async def interrupt(
    house: House, night: Night, why: str, *, actor: str, request: str | None = None
) -> list[Stopped] | Refusal:
    """One action for the whole evening: tables as OMS-16 has it, tournaments as their kind."""
    answer = night.give(commands.Interrupt(why), actor=actor, request=request)
    if isinstance(answer, Refusal):
        return answer
    found = [await _stopped(house, name, why, actor) for name in _live(house, night.state)]
    for name, one in night.state.tournaments.items():
        if one.status in RUNNING and one.players:
            felt = Felt(house, night, name, actor)
            said = await cut_hands.interrupt(felt, why, request=_own(request, name))
            found.append(Stopped(name, await _told(felt, said)))
    return found


async def close(house: House, night: Night, *, actor: str, request: str | None = None) -> Answer:
    """Retire the tables, so that racks are back, and close the night."""
    if night.refreshed().phase == "open":
        # Whatever else stands in the way is told before any table is touched.
        owed = _on_layouts(night) or unpaid(night.state, night.ledger.balance)
        if (refusal := owed or await _retired(house, night, actor)) is not None:
            return refusal
    return night.give(commands.Close(), actor=actor, request=request)


async def _retired(house: House, night: Night, actor: str) -> Refusal | None:
    for name in _live(house, night.state):
        said = await _sent(house, name, table_commands.Retire("the night closed"), actor)
        if isinstance(said, Refusal):
            return said
    for name in night.state.tournaments:
        if (no := await retire(Felt(house, night, name, actor), "the night closed")) is not None:
            return no
    return None


def _on_layouts(night: Night) -> Refusal | None:
    """A hand in play is not cut off by closing."""
    for account, cents in night.ledger.balances(night.state.till.unit).items():
        if account.kind == "held" and cents:
            table = account.name.partition("/")[0]
            message = f"{spoken(cents)} lies on the layout of table {table}; settle it first"
            return Refusal(Code.NOT_NOW, message)
    return None


async def _stopped(house: House, name: str, why: str, actor: str) -> Stopped:
    said = await _sent(house, name, table_commands.Interrupt(why), actor)
    state = house.tables[name].state
    if isinstance(said, Refusal):
        return Stopped(name, said.message)
    if state.awaiting is None:
        return Stopped(name, "the hand is played on")
    asked = ", ".join(state.awaiting)
    return Stopped(name, f"{asked} must agree to finish the hand, else it is dead (OMS-16)")


async def _sent(house: House, name: str, command: table_commands.Command, actor: str) -> object:
    stream = house.ledger.stream(f"{TABLE}{name}")
    assert stream is not None
    table = house.held(name) or await house.load(stream)
    return await table.send(Envelope(By(actor, "supervisor"), command))


def _live(house: House, state: NightState) -> list[str]:
    """The night's tables that are set up and not retired."""
    streams: dict[str, Stream | None] = {
        name: house.ledger.stream(f"{TABLE}{name}") for name in state.tables
    }
    return [name for name, one in streams.items() if one and not house.is_retired(one)]


def _own(request: str | None, name: str) -> str | None:
    return None if request is None else f"{request} {name}"


async def _told(felt: Felt, said: Answer) -> str:
    """What became of a tournament, or who is asked first."""
    if isinstance(said, Refusal):
        return said.message
    asked = [
        f"{', '.join(players)} must agree to finish the hand at table {number}, else it is dead"
        for number, players in (await cut_hands.waiting(felt)).items()
    ]
    return "; ".join((felt.state.status, *asked))
