"""A hand of a tournament that is cut short: the table asks its players, the night hears of it.

Whether the floor said so or the process died in the midst of it: both lead to the same questions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, NamedTuple

from pitbook.engine.refusals import Refusal
from pitbook.nights.felt import Felt, count, held, put_right, table_at
from pitbook.nights.night import Answer, Night
from pitbook.nights.tournament import commands
from pitbook.table import commands as at_table
from pitbook.table.actor import Table, told_in
from pitbook.table.commands import By, Envelope
from pitbook.table.house import House
from pitbook.table.model import TableState

__all__ = ["carry_on", "interrupt", "look_at", "take_up", "unreadable", "waiting"]

OVER = "the tournament is interrupted"


class Fate(NamedTuple):
    """An interrupted hand by the number of its round; 0: there is none to be ruled."""

    number: int = 0
    finished: bool | None = None  # None: its players are still asked.
    said: Mapping[str, bool] = {}


async def interrupt(felt: Felt, why: str, *, request: str | None = None) -> Answer:
    """Stop the tournament: hands that may be completed wait for their players, others are dead."""
    numbers = await held(felt)  # All of them, before any is stopped.
    if numbers and felt.state.status == "playing":
        for number in numbers:
            await _stopped(felt, number, why)
        await put_right(felt)
    asked = commands.Interrupt(felt.tournament, why)
    answer = await felt.night.take(asked, actor=felt.actor, request=request)
    if not isinstance(answer, Refusal):
        await carry_on(felt)
    return answer


async def carry_on(felt: Felt) -> Refusal | None:
    """Tell the night what became of its interrupted hands; asked as often as anything happened."""
    if (await felt.night.read()).tournaments[felt.tournament].status != "interrupted":
        return None
    for number in await held(felt):
        if number not in felt.state.in_hand:
            await _set_aside(felt, number)
    for number in felt.state.in_hand:
        said = await _heard(felt, number)
        if isinstance(said, Refusal):
            return said
    return None


async def take_up(house: House, night: Night, *, actor: str) -> list[str]:
    """After a start: tournaments that were stopped in mid-hand are interrupted; their ids."""
    names = (await night.read()).tournaments
    return [name for name in names if await look_at(Felt(house, night, name, actor))]


async def look_at(felt: Felt) -> bool:
    """Tell the night what became of a tournament's hands; whether it is interrupted by that."""
    if felt.state.status == "interrupted":
        await carry_on(felt)
    elif felt.state.status == "playing" and (why := await _cut(felt)) is not None:
        return not isinstance(await interrupt(felt, why), Refusal)
    return False


async def unreadable(felt: Felt, number: int, why: str) -> None:
    """The floor rules that a hand whose players are asked cannot be read: it is dead."""
    table = await table_at(felt, number)
    if table is not None:
        await _halt(felt, table, why, dead=True)


async def waiting(felt: Felt) -> dict[int, tuple[str, ...]]:
    """Who must still say whether the hand at their table is finished."""
    found = {}
    for number in await held(felt):
        table = await table_at(felt, number)
        asked = table.state.awaiting if table is not None else None
        if asked is not None:
            found[number] = tuple(name for name, said in asked.items() if said is None)
    return found


async def _stopped(felt: Felt, number: int, why: str) -> None:
    """A table as the interruption finds it: wagers without cards go back, a hand is asked about."""
    table = await table_at(felt, number)
    assert table is not None
    if _in_play(table.state):
        if number not in felt.state.in_hand:
            begun = commands.BeginRound(felt.tournament, number)
            await felt.night.take(begun, actor=felt.actor)
        await _halt(felt, table, why, dead=_is_dead_at_once(felt))
    else:
        await _cleared(felt, table)
    over = not table.state.live and not _is_dead(table.state)
    if over and number in felt.state.in_hand:
        await count(felt, number)


async def _set_aside(felt: Felt, number: int) -> None:
    """A round that nobody began is none of the tournament's: its wagers go back."""
    table = await table_at(felt, number)
    assert table is not None
    await _halt(felt, table, OVER, dead=True)
    await _cleared(felt, table)


async def _heard(felt: Felt, number: int) -> Answer | None:
    """What the table has come to since, as the night's next fact; None where it still waits."""
    table = await table_at(felt, number)
    if table is None:  # Dealt and counted by hand, and so it is ruled.
        return None
    fate = await _fate(felt, table)
    if fate.number not in (0, table.state.number):
        await _set_aside(felt, number)
    if fate.number == 0:  # The night was told, and the table was not.
        await _halt(felt, table, OVER, dead=_is_dead_at_once(felt))
        fate = await _fate(felt, table)
    if fate.finished is None and table.state.live:
        return None
    if number not in felt.state.to_complete:
        ruled = await felt.night.take(_ruling(felt, number, fate), actor=felt.actor)
        if isinstance(ruled, Refusal) or number not in felt.state.to_complete:
            return ruled
    return None if table.state.live else await count(felt, number)


async def _halt(felt: Felt, table: Table, why: str, *, dead: bool) -> None:
    by = By(felt.actor, "supervisor")
    if _in_play(table.state) and table.state.awaiting is None:
        await table.send(Envelope(by, at_table.Interrupt(why)))
    if dead and table.state.awaiting is not None:
        await table.send(Envelope(by, at_table.Unreadable(why)))


async def _cleared(felt: Felt, table: Table) -> None:
    """Wagers on which no card was dealt go back with their players."""
    if table.state.live and table.state.round is not None:
        for seat in table.state.round.seats:
            leave = at_table.Leave(seat.number)
            await table.send(Envelope(By(felt.actor, "supervisor"), leave))


async def _cut(felt: Felt) -> str | None:
    """Why a hand of the tournament was cut short while the night was told nothing of it."""
    for number in await held(felt):
        table = await table_at(felt, number)
        assert table is not None
        dead = _is_dead(table.state) and number in felt.state.in_hand
        if table.state.awaiting is not None or dead:
            return table.state.interruption or "beyond control"
    return None


def _ruling(felt: Felt, number: int, fate: Fate) -> commands.RuleHand:
    """OMS-15 by the table's own answers; who has no live wager is not asked and stands by it."""
    seated = tuple(felt.state.tables[number])
    if fate.finished is not False:
        return commands.RuleHand(felt.tournament, number, readable=True, agreed=seated)
    agreed = tuple(name for name in seated if fate.said.get(name, False))
    # Nobody refused: the floor could not read it, or nobody answered in time.
    readable = False in fate.said.values()
    return commands.RuleHand(felt.tournament, number, readable=readable, agreed=agreed)


async def _fate(felt: Felt, table: Table) -> Fate:
    """What became of the hand that was cut short last, unless others were settled since."""
    return await asyncio.to_thread(_fate_on_record, felt, table)


def _fate_on_record(felt: Felt, table: Table) -> Fate:
    fate, now = Fate(), 0
    for entry in felt.house.ledger.entries(table.stream):
        for fact in told_in(entry):
            now = fact["number"] if fact["fact"] == "round-opened" else now
            fate = _told(fate, fact, now)
    return fate


def _told(fate: Fate, fact: Mapping[str, Any], now: int) -> Fate:
    kind = fact["fact"]
    if kind == "interrupted":
        said = fate.said if fate.number == now else {}
        return Fate(now, True if fact["awaiting"] is None else None, said)
    if kind == "agreed":
        return fate._replace(said={**fate.said, fact["player"]: fact["finish"]})
    if kind == "acted" and fact["action"]["do"] == "interrupted":
        return fate._replace(finished=fact["action"]["agreed"])
    return Fate() if kind == "settled" and now > fate.number else fate


def _is_dead_at_once(felt: Felt) -> bool:
    """OMS-14: chips at the last count decide an hourly tournament, so its hand is not finished."""
    rule = felt.night.state.rules.tournaments.multi_table.hand
    return felt.state.schedule.kind == "hourly" or rule == "dead"


def _in_play(state: TableState) -> bool:
    return state.live and state.round is not None and state.round.phase != "wagers"


def _is_dead(state: TableState) -> bool:
    return state.round is not None and state.round.ending == "dead"
