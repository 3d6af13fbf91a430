"""A stop of the machine is a question: hands lie as they were, and the floor goes on or interrupts.

Nothing ends or pays by itself, whatever the stop was and however long it lasted.
"""

from __future__ import annotations

import asyncio
from datetime import datetime

from pitbook.game.refusals import Refusal
from pitbook.nights.book.night import Answer
from pitbook.nights.tables.tournament_rounds import Felt, held, sent, table_at, table_name
from pitbook.nights.tournament import commands
from pitbook.table import commands as at_table
from pitbook.table.commands import By
from pitbook.table.facts import FACTS, Interrupted
from pitbook.table.live.house import TABLE
from pitbook.table.model import TableState

__all__ = ["first_card", "go_on", "in_play", "is_stopped", "tell_of_stops"]


async def go_on(felt: Felt, *, request: str | None = None) -> Answer:
    """The floor's answer to a stop of the machine: every hand is played on from where it lay."""
    if not await asyncio.to_thread(felt.night.is_known, felt.actor, request):
        await _played_on(felt)
    asked = commands.GoOn(felt.tournament)
    return await felt.night.take(asked, actor=felt.actor, request=request)


async def _played_on(felt: Felt) -> None:
    await tell_of_stops(felt)  # A stop that the night has not heard of is answered as well.
    for number in await held(felt):
        table = await table_at(felt, number)
        if table is not None and is_stopped(table.state):
            await sent(table, By(felt.actor, "supervisor"), at_table.GoOn("the floor goes on"))


async def tell_of_stops(felt: Felt) -> bool:
    """Put on the night's record which tables wait for the floor; whether that was news."""
    tables = {number: await table_at(felt, number) for number in await held(felt)}
    stopped = [one for one, table in tables.items() if table and is_stopped(table.state)]
    if not stopped and felt.state.stopped:  # Somebody answered at the tables themselves.
        await felt.night.take(commands.GoOn(felt.tournament), actor=felt.actor)
    if set(stopped) <= set(felt.state.stopped):
        return False
    at, why = await asyncio.to_thread(_stood_still, felt, stopped)
    told = commands.Stopped(felt.tournament, at, why, tuple(stopped))
    return not isinstance(await felt.night.take(told, actor=felt.actor), Refusal)


def _stood_still(felt: Felt, numbers: list[int]) -> tuple[datetime, str]:
    """When the tables last did anything before they were taken up again, and why they stopped."""
    last, why = "", ""
    for number in numbers:
        before = ""
        for entry in felt.house.ledger.entries(f"{TABLE}{table_name(felt.tournament, number)}"):
            told = FACTS.told(entry)
            cut = [fact.why for fact in told if isinstance(fact, Interrupted)]
            if cut and before:
                last, why = max(last, before), cut[-1]
            before = entry.at if told else before
    return min(datetime.fromisoformat(last), felt.night.now()), why


async def first_card(felt: Felt) -> None:
    """OMS-13: a table that has dealt is told of, whether or not the floor began the round."""
    if felt.state.dealt:
        return
    for number in await held(felt):
        table = await table_at(felt, number)
        if table is not None and (in_play(table.state) or table.state.finished):
            told = commands.CardDealt(felt.tournament, number)
            await felt.night.take(told, actor=felt.actor)
            return


def is_stopped(state: TableState) -> bool:
    """Whether a table waits for the floor: its hand was cut by the machine, and nobody asked."""
    return state.awaiting is not None and not state.awaiting


def in_play(state: TableState) -> bool:
    """Whether cards are out."""
    return state.live and state.round is not None and state.round.phase != "wagers"
