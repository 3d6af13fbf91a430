"""A stop of the machine is a question: hands lie as they were, and the floor goes on or interrupts.

Nothing ends or pays by itself, whatever the stop was and however long it lasted.
"""

from __future__ import annotations

import asyncio
from datetime import datetime

from pitbook.house.nights.book.night import Answer
from pitbook.house.nights.tables.tournament_tables import (
    TournamentTables,
    held,
    sent,
    table_at,
    table_name,
)
from pitbook.house.nights.tournament import commands
from pitbook.house.table import commands as at_table
from pitbook.house.table.commands import By
from pitbook.house.table.facts import FACTS, FLOOR_GOES_ON, Interrupted
from pitbook.house.table.state import TableState
from pitbook.house.table.streams import TABLE
from pitbook.rules.refusals import Refusal


async def go_on(
    here: TournamentTables, *, through: bool = False, request: str | None = None
) -> Answer:
    """The floor's answer to a stop of the machine: every hand is played on from where it lay."""
    if not await asyncio.to_thread(here.night.is_known, here.actor, request):
        await _played_on(here)
    asked = commands.GoOn(here.tournament, through)
    return await here.night.take(asked, actor=here.actor, request=request)


async def _played_on(here: TournamentTables) -> None:
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
            told = FACTS.told(entry)
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
