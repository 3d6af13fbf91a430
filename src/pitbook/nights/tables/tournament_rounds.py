"""Tournament rounds at live tables: the night says when, tables deal, the book counts.

Asked for again, nothing happens twice; what came of a round is never typed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from pitbook.english import counted
from pitbook.errors import RequestReused
from pitbook.game.refusals import Code, Refusal
from pitbook.ledger.accounts import Account
from pitbook.money import Cents
from pitbook.nights.book.facts import dump
from pitbook.nights.book.night import Answer
from pitbook.nights.rules.hours import over
from pitbook.nights.rules.level_sheets import going_out, level_sheet, smallest_stake
from pitbook.nights.tables.tournament_tables import (
    Felt,
    base_of,
    follow,
    held,
    is_retired,
    laid,
    laid_out,
    lay_out,
    not_started,
    play_by,
    retire,
    sent,
    table_at,
    table_name,
)
from pitbook.nights.tournament import commands
from pitbook.nights.tournament.clock import reading
from pitbook.nights.tournament.facts import Group
from pitbook.streams.asked import request_id
from pitbook.table import commands as at_table
from pitbook.table.commands import By
from pitbook.table.live.actor import LiveTable

__all__ = [
    "Felt",
    "base_of",
    "before",
    "begin",
    "count",
    "follow",
    "give",
    "held",
    "is_behind",
    "is_retired",
    "laid",
    "laid_out",
    "lay_out",
    "not_laid",
    "not_over",
    "not_started",
    "proposed_out",
    "put_right",
    "resting",
    "retire",
    "sent",
    "table_at",
    "table_name",
]


async def begin(felt: Felt, number: int, *, request: str | None = None) -> Answer:
    """A round begins at a table: by the level's stakes, between rounds, and never in a break."""
    if (said := await before(felt, number, request, "round-begun")) is not None:
        return said
    await felt.night.read()
    if number not in await laid_out(felt):
        return not_laid(felt, number)
    if felt.state.status == "playing" and number not in felt.state.in_hand:
        table = await table_at(felt, number)
        assert table is not None
        refusal = over(felt.night.state, felt.night.now()) or resting(felt)
        refusal = refusal or await follow(felt, number) or await _ready(felt, table)
        if refusal is not None:
            return refusal
    asked = commands.BeginRound(felt.tournament, number)
    return await felt.night.take(asked, actor=felt.actor, request=request)


async def count(felt: Felt, number: int, *, request: str | None = None) -> Answer:
    """The chips of a table after its round, from the book."""
    if (said := await before(felt, number, request, "chips-counted")) is not None:
        return said
    await felt.night.read()
    if felt.state.status in ("playing", "interrupted"):
        table = await table_at(felt, number)
        if table is not None and table.state.live:
            return not_over(number)
    counts = await asyncio.to_thread(_in_book, felt, number)
    asked = commands.CountChips(felt.tournament, number, counts, in_book=True)
    return await felt.night.take(asked, actor=felt.actor, request=request)


def not_laid(felt: Felt, number: int) -> Refusal:
    """Where no live table of that number is."""
    message = f"table {number} of {felt.tournament} is not laid out; draw seats first"
    return Refusal(Code.UNKNOWN_PLACE, message)


def not_over(number: int) -> Refusal:
    """Where chips still lie on the layout."""
    return Refusal(Code.NOT_NOW, f"the round at table {number} is not over; play it out")


def proposed_out(felt: Felt) -> tuple[Group, ...]:
    """Who should go out: no chips, or fewer than the level's smallest stake; fewest first."""
    base = base_of(felt)
    if base is None or felt.state.status != "playing":
        return ()
    sheet = level_sheet(base, felt.state.schedule, felt.level, felt.night.state.rules)
    return () if isinstance(sheet, Refusal) else going_out(felt.state, smallest_stake(sheet))


async def give(felt: Felt, command: commands.Command, *, request: str | None = None) -> Answer:
    """A command to the tournament, after which its tables are as the night has them.

    A table that cannot follow yet, as in the midst of a hand, does so before its next round.
    """
    undoing = isinstance(command, commands.Undo)
    if not undoing and (refusal := await put_right(felt)) is not None:
        return refusal
    answer = await felt.night.take(command, actor=felt.actor, request=request)
    playing = not isinstance(answer, Refusal) and felt.state.status == "playing"
    if playing and await laid_out(felt):
        await lay_out(felt)
    return answer


async def put_right(felt: Felt) -> Refusal | None:
    """Count again where the record is behind the book: a count was undone, the round was not."""
    if (await felt.night.read()).tournaments[felt.tournament].status != "playing":
        return None
    for number in await asyncio.to_thread(_behind, felt):
        table = await table_at(felt, number)
        if table is not None and not table.state.live:
            said = await count(felt, number)
            if isinstance(said, Refusal):
                return said
    return None


async def is_behind(felt: Felt, number: int) -> bool:
    """Whether players of a table have other chips than the record says."""
    return await asyncio.to_thread(_off, felt, number)


def resting(felt: Felt) -> Refusal | None:
    """Whether there is a break now."""
    shown = reading(felt.state.schedule, felt.state.clock, felt.night.now())
    if not shown.on_break:
        return None
    left = counted(int(shown.left.total_seconds()) // 60 + 1, "minute")
    return Refusal(Code.NOT_NOW, f"{felt.tournament} has a break for {left} more; no card is dealt")


async def _ready(felt: Felt, table: LiveTable) -> Refusal | None:
    """An empty layout under the level's rules; wagers that came early stay, under theirs."""
    if table.state.live:
        return None
    base = await asyncio.to_thread(base_of, felt)
    assert base is not None
    sheet = level_sheet(base, felt.state.schedule, felt.level, felt.night.state.rules)
    if isinstance(sheet, Refusal):
        return sheet
    if (refusal := await play_by(felt, table, sheet)) is not None:
        return refusal
    return await sent(table, By(felt.actor, "supervisor"), at_table.OpenRound())


def _in_book(felt: Felt, number: int) -> commands.Counts:
    """What the players of a table have beside the layout."""
    players = felt.state.tables.get(number, [])
    return tuple((player, felt.chips(player)) for player in players)


def _behind(felt: Felt) -> list[int]:
    """Tables without a round whose players have other chips than the record says."""
    idle = (number for number in felt.state.tables if number not in felt.state.in_hand)
    return [number for number in idle if _off(felt, number)]


def _off(felt: Felt, number: int) -> bool:
    held, one = felt.house.ledger.balances(felt.unit), felt.state
    players = one.tables.get(number, [])
    return any(_wallet(held, felt, name) != one.players[name].chips for name in players)


def _wallet(balances: Mapping[Account, Cents], felt: Felt, player: str) -> Cents:
    return balances.get(Account(felt.unit, "wallet", player), Cents(0))


async def before(felt: Felt, number: int, request: str | None, *kinds: str) -> Answer | None:
    """The answer that a request had when it came first: what it counts may differ by now."""
    if request is None or not await asyncio.to_thread(felt.night.is_known, felt.actor, request):
        return None
    said = await asyncio.to_thread(felt.night.before, felt.actor, request)
    first = dump(said.facts[0]) if said is not None else {}
    wanted = {"tournament": felt.tournament, "table": number}
    if (
        first.get("fact") in [f"tournament-{kind}" for kind in kinds]
        and wanted.items() <= first.items()
    ):
        return said
    return Refusal(Code.REQUEST_REUSED, str(RequestReused(request_id(felt.actor, request))))
