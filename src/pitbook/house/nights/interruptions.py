"""Interrupted hands at the live tables of a tournament."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from pitbook.house.ledger.codec import Fact
from pitbook.house.nights.store import Answer, Night
from pitbook.house.nights.tournament import commands, facts
from pitbook.house.nights.tournament_tables import (
    TournamentTables,
    count,
    give,
    held,
    is_behind,
    put_right,
    sent,
    table_at,
    table_name,
)
from pitbook.house.table import commands as at_table
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
from pitbook.house.table.state import TableState
from pitbook.house.table.streams import TABLE
from pitbook.house.table.tables import LiveTables
from pitbook.rules import actions
from pitbook.rules.refusals import Refusal


async def go_on(
    here: TournamentTables, *, through: bool = False, request: str | None = None
) -> Answer:
    """The floor's answer to a stop of the machine: every hand is played on from where it lay."""
    if not await asyncio.to_thread(here.night.is_known, here.actor, request):
        await _resume_stopped_tables(here)
    asked = commands.GoOn(here.tournament, through)
    return await here.night.take(asked, actor=here.actor, request=request)


async def _resume_stopped_tables(here: TournamentTables) -> None:
    await tell_of_stops(here)  # A stop that the night has not heard of is answered as well.
    for number in await held(here):
        table = await table_at(here, number)
        if table is not None and is_stopped(table.state):
            await sent(table, By(here.actor, "supervisor"), at_table.GoOn(FLOOR_GOES_ON))


async def tell_of_stops(here: TournamentTables) -> bool:
    """Put on the night's record which tables wait for the floor; whether that was news."""
    tables = {number: await table_at(here, number) for number in await held(here)}
    stopped = [one for one, table in tables.items() if table and is_stopped(table.state)]
    if not stopped and here.state.stopped:  # Somebody answered at the tables themselves.
        await here.night.take(commands.GoOn(here.tournament), actor=here.actor)
    if set(stopped) <= set(here.state.stopped):
        return False
    at, why = await asyncio.to_thread(_stood_still, here, stopped)
    told = commands.Stopped(here.tournament, at, why, tuple(stopped))
    return not isinstance(await here.night.take(told, actor=here.actor), Refusal)


def _stood_still(here: TournamentTables, numbers: list[int]) -> tuple[datetime, str]:
    """When the tables last did anything before they were taken up again, and why they stopped."""
    last, why = "", ""
    for number in numbers:
        before = ""
        for entry in here.house.ledger.entries(f"{TABLE}{table_name(here.tournament, number)}"):
            told = FACTS.load_entry(entry)
            cut = [fact.why for fact in told if isinstance(fact, Interrupted)]
            if cut and before:
                last, why = max(last, before), cut[-1]
            before = entry.at if told else before
    return min(datetime.fromisoformat(last), here.night.now()), why


async def first_card(here: TournamentTables) -> None:
    """OMS-13: a table that has dealt is told of, whether or not the floor began the round."""
    if here.state.dealt:
        return
    for number in await held(here):
        table = await table_at(here, number)
        if table is not None and (in_play(table.state) or table.state.finished):
            told = commands.CardDealt(here.tournament, number)
            await here.night.take(told, actor=here.actor)
            return


def is_stopped(state: TableState) -> bool:
    """Whether a table waits for the floor: its hand was cut by the machine, and nobody asked."""
    return state.awaiting is not None and not state.awaiting


def in_play(state: TableState) -> bool:
    """Whether cards are out."""
    return state.live and state.round is not None and state.round.phase != "wagers"


class Fate(NamedTuple):
    """An interrupted hand by the number of its round; 0: there is none to be ruled."""

    number: int = 0
    finished: bool | None = None  # None: its players are still asked.
    said: Mapping[str, bool] = {}


async def interrupt(here: TournamentTables, why: str, *, request: str | None = None) -> Answer:
    """Stop the tournament: hands that may be completed wait for their players, others are dead."""
    numbers = await held(here)  # All of them, before any is stopped.
    again = await asyncio.to_thread(here.night.is_known, here.actor, request)
    if numbers and here.state.status == "playing" and not again:  # Else it was undone since.
        for number in numbers:
            await _stopped(here, number, why)
        await put_right(here)
    asked = commands.Interrupt(here.tournament, why)
    answer = await here.night.take(asked, actor=here.actor, request=request)
    if not isinstance(answer, Refusal):
        await carry_on(here)
    return answer


async def undo(
    here: TournamentTables, command: commands.Undo, *, request: str | None = None
) -> Answer:
    """Take the floor's last step back; an interruption that was a mistake is called off."""
    last = (await here.night.read()).tournaments[here.tournament].last
    cut = last is not None and isinstance(last[1], facts.Interrupted) and last[0] == command.of
    again = await asyncio.to_thread(here.night.is_known, here.actor, request)
    if cut and not again:  # Before it is on record: a stop in between asks players again.
        await _call_off(here)
    answer = await give(here, command, request=request)
    if cut and not isinstance(answer, Refusal) and here.state.status != "interrupted":
        await _called_off(here)
    return answer


async def carry_on(here: TournamentTables) -> Refusal | None:
    """Tell the night what became of its interrupted hands; asked as often as anything happened."""
    one = (await here.night.read()).tournaments[here.tournament]
    if one.status != "interrupted" or one.recalled:
        return None
    for number in await held(here):
        if number not in here.state.in_hand:
            await _set_aside(here, number)
    for number in here.state.in_hand:
        said = await _heard(here, number)
        if isinstance(said, Refusal):
            return said
    return None


async def take_up(house: LiveTables, night: Night, *, actor: str) -> list[str]:
    """After a start: the tournaments that were stopped in mid-hand, whose floor is asked."""
    names = (await night.read()).tournaments
    return [name for name in names if await look_at(TournamentTables(house, night, name, actor))]


async def look_at(here: TournamentTables) -> bool:
    """Tell the night what its tables have come to; whether the floor is asked since.

    What the floor has undone stays undone: nothing here ends a tournament that is played.
    """
    if here.state.status not in ("playing", "interrupted"):
        return False
    async with here.turn:  # What the floor is in the midst of is not news yet.
        return await _looked_at(here)


async def _looked_at(here: TournamentTables) -> bool:
    await first_card(here)
    asked = await tell_of_stops(here)
    if here.state.status == "interrupted":
        await carry_on(here)
    return asked


async def unreadable(here: TournamentTables, number: int, why: str) -> None:
    """The floor rules that a hand whose players are asked cannot be read: it is dead."""
    table = await table_at(here, number)
    if table is not None:
        await _halt(here, table, why, dead=True)


async def give_up(here: TournamentTables, number: int, *, request: str | None = None) -> Answer:
    """A hand to be completed was stopped once more and cannot be read now: its wagers go back."""
    table = await table_at(here, number)
    assert table is not None
    await _halt(here, table, CANNOT_READ, dead=True)
    return await count(here, number, request=request)


async def waiting(here: TournamentTables) -> dict[int, tuple[str, ...]]:
    """Who must still say whether the hand at their table is finished."""
    found = {}
    for number in await held(here):
        table = await table_at(here, number)
        if asked := table.state.awaiting if table is not None else None:
            found[number] = tuple(name for name, said in asked.items() if said is None)
    return found


async def _stopped(here: TournamentTables, number: int, why: str) -> None:
    """A table as the interruption finds it: wagers without cards go back, a hand is asked about."""
    table = await table_at(here, number)
    assert table is not None
    if in_play(table.state):
        if number not in here.state.in_hand:
            found = commands.RoundFound(here.tournament, number)
            await here.night.take(found, actor=here.actor)
        await _halt(here, table, why, dead=_is_dead_at_once(here))
    else:
        await _cleared(here, table)
    if number not in here.state.in_hand or table.state.live:
        return
    # After a dead hand everybody has what the last count says, unless rounds went by uncounted.
    if not _is_dead(table.state) or await is_behind(here, number):
        await count(here, number)


async def _set_aside(here: TournamentTables, number: int) -> None:
    """A round that nobody began is none of the tournament's: its wagers go back."""
    table = await table_at(here, number)
    assert table is not None
    await _halt(here, table, TOURNAMENT_CUT, dead=True)
    await _cleared(here, table)


async def _heard(here: TournamentTables, number: int) -> Answer | None:
    """What the table has come to since, as the night's next fact; None where it still waits."""
    table = await table_at(here, number)
    if table is None:  # Ruled by hand.
        return None
    fate = await _fate(here, table)
    if is_stopped(table.state):  # The floor is asked first; what players had said stands.
        return await _agreed_before(here, number, fate)
    if fate.number not in (0, table.state.number):
        await _set_aside(here, number)
    if fate.number == 0 and number not in here.state.to_complete:  # The table was not told.
        await _halt(here, table, TOURNAMENT_CUT, dead=_is_dead_at_once(here))
        fate = await _fate(here, table)
    if fate.finished is None and table.state.live:
        return None
    if number not in here.state.to_complete:
        if not table.state.live and await is_behind(here, number):
            await count(here, number)
        ruled = await here.night.take(_ruling(here, number, fate), actor=here.actor)
        if isinstance(ruled, Refusal) or number not in here.state.to_complete:
            return ruled
    return None if table.state.live else await count(here, number)


async def _agreed_before(here: TournamentTables, number: int, fate: Fate) -> Answer | None:
    """A hand that everybody had agreed to complete is told as such before the floor goes on."""
    if not fate.finished or number in here.state.to_complete:
        return None
    return await here.night.take(_ruling(here, number, fate), actor=here.actor)


async def _halt(here: TournamentTables, table: LiveTable, why: str, *, dead: bool) -> None:
    by = By(here.actor, "supervisor")
    if in_play(table.state) and not table.state.awaiting:
        await table.send(Envelope(by, at_table.Interrupt(why)))
    if dead and table.state.awaiting is not None:
        await table.send(Envelope(by, at_table.Unreadable(why)))


async def _cleared(here: TournamentTables, table: LiveTable) -> None:
    """Wagers on which no card was dealt go back with their players."""
    if is_stopped(table.state):
        await sent(table, By(here.actor, "supervisor"), at_table.GoOn(TOURNAMENT_CUT))
    if table.state.live and table.state.round is not None:
        for seat in table.state.round.seats:
            leave = at_table.Leave(seat.number)
            await table.send(Envelope(By(here.actor, "supervisor"), leave))


async def _called_off(here: TournamentTables) -> None:
    """The same once it is on record, and the floor is asked no more."""
    await _call_off(here)  # Somebody may have looked in between.
    if here.state.stopped:
        await here.night.take(commands.GoOn(here.tournament), actor=here.actor)


async def _call_off(here: TournamentTables) -> None:
    """Whoever was asked is asked no more; play goes on, also where a stop had been the reason."""
    for number in await held(here):
        table = await table_at(here, number)
        if table is not None and table.state.awaiting is not None:
            by = By(here.actor, "clock")
            await sent(table, by, at_table.CallOff(UNDONE))


def _ruling(here: TournamentTables, number: int, fate: Fate) -> commands.RuleHand:
    """OMS-15 by the table's own answers; who has no live wager is not asked and stands by it."""
    seated = tuple(here.state.tables[number])
    if fate.finished is not False:
        return commands.RuleHand(here.tournament, number, readable=True, agreed=seated)
    agreed = tuple(name for name in seated if fate.said.get(name, False))
    # Nobody refused: the floor could not read it, or nobody answered in time.
    readable = False in fate.said.values()
    return commands.RuleHand(here.tournament, number, readable=readable, agreed=agreed)


async def _fate(here: TournamentTables, table: LiveTable) -> Fate:
    """What became of the hand that was cut short last, unless others were settled since."""
    return await asyncio.to_thread(_fate_on_record, here, table)


def _fate_on_record(here: TournamentTables, table: LiveTable) -> Fate:
    fate, now = Fate(), 0
    for entry in here.house.ledger.entries(table.stream):
        for fact in FACTS.load_entry(entry):
            now = fact.number if isinstance(fact, RoundOpened) else now
            fate = _told(fate, fact, now)
    return fate


def _told(fate: Fate, fact: Fact, now: int) -> Fate:
    if isinstance(fact, Interrupted):
        said = fate.said if fate.number == now else {}
        if fact.awaiting == ():  # A stop of the machine: what was agreed before stands.
            return fate if fate.number == now and fate.finished else Fate()
        return Fate(now, _hand_is_played_on(fact), said)
    if isinstance(fact, Agreed):
        return fate._replace(said={**fate.said, fact.player: fact.finish})
    if isinstance(fact, Acted) and isinstance(fact.action, actions.Interrupted):
        return fate._replace(finished=fact.action.agreed)
    if isinstance(fact, Resumed):  # Whatever was asked before is asked no more.
        return Fate()
    return Fate() if isinstance(fact, Settled) and now > fate.number else fate


def _hand_is_played_on(fact: Interrupted) -> bool | None:
    return True if fact.awaiting is None else None


def _is_dead_at_once(here: TournamentTables) -> bool:
    """OMS-14: chips at the last count decide an hourly tournament, so its hand is not finished."""
    rule = here.night.state.rules.tournaments.multi_table.hand
    return here.state.schedule.kind == "hourly" or rule == "dead"


def _is_dead(state: TableState) -> bool:
    return state.round is not None and state.round.ending == "dead"
