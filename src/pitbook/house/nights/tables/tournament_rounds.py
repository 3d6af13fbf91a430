"""Tournament rounds at live tables: the night says when, tables deal, the book counts.

Asked for again, nothing happens twice; what came of a round is never typed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TypeAlias

from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.stream_writer import request_id, reused
from pitbook.house.nights.book.night import Answer
from pitbook.house.nights.rules.hours import over
from pitbook.house.nights.rules.level_sheets import going_out, level_sheet, smallest_stake
from pitbook.house.nights.tables.tournament_tables import (
    TournamentTables,
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
from pitbook.house.nights.tournament import commands
from pitbook.house.nights.tournament.clock import reading
from pitbook.house.nights.tournament.facts import ChipsCounted, HandRuled, PlayerGroup, RoundBegun
from pitbook.house.table import commands as at_table
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal, refuse

__all__ = [
    "TournamentTables",
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

TableFact: TypeAlias = RoundBegun | ChipsCounted | HandRuled  # What is asked of one table.


async def begin(here: TournamentTables, number: int, *, request: str | None = None) -> Answer:
    """A round begins at a table: by the level's stakes, between rounds, and never in a break."""
    if (said := await before(here, number, request, RoundBegun)) is not None:
        return said
    await here.night.read()
    if number not in await laid_out(here):
        return not_laid(here, number)
    if here.state.status == "playing" and number not in here.state.in_hand:
        table = await table_at(here, number)
        assert table is not None
        refusal = over(here.night.state, here.night.now()) or resting(here)
        refusal = refusal or await follow(here, number) or await _ready(here, table)
        if refusal is not None:
            return refusal
    asked = commands.BeginRound(here.tournament, number)
    return await here.night.take(asked, actor=here.actor, request=request)


async def count(here: TournamentTables, number: int, *, request: str | None = None) -> Answer:
    """The chips of a table after its round, from the book."""
    if (said := await before(here, number, request, ChipsCounted)) is not None:
        return said
    await here.night.read()
    if here.state.status in ("playing", "interrupted"):
        table = await table_at(here, number)
        if table is not None and table.state.live:
            return not_over(number)
    counts = await asyncio.to_thread(_in_book, here, number)
    asked = commands.CountChips(here.tournament, number, counts, in_book=True)
    return await here.night.take(asked, actor=here.actor, request=request)


def not_laid(here: TournamentTables, number: int) -> Refusal:
    """Where no live table of that number is."""
    where = {"table": number, "tournament": here.tournament}
    return refuse(Code.UNKNOWN_PLACE, "nights.tables.not-laid-out", **where)


def not_over(number: int) -> Refusal:
    """Where chips still lie on the layout."""
    return refuse(Code.NOT_NOW, "nights.tables.not-over", table=number)


def proposed_out(here: TournamentTables) -> tuple[PlayerGroup, ...]:
    """Who should go out: no chips, or fewer than the level's smallest stake; fewest first."""
    base = base_of(here)
    if base is None or here.state.status != "playing":
        return ()
    sheet = level_sheet(base, here.state.schedule, here.level, here.night.state.rules)
    return () if isinstance(sheet, Refusal) else going_out(here.state, smallest_stake(sheet))


async def give(
    here: TournamentTables, command: commands.Command, *, request: str | None = None
) -> Answer:
    """A command to the tournament, after which its tables are as the night has them.

    A table that cannot follow yet, as in the midst of a hand, does so before its next round.
    """
    undoing = isinstance(command, commands.Undo)
    if not undoing and (refusal := await put_right(here)) is not None:
        return refusal
    answer = await here.night.take(command, actor=here.actor, request=request)
    playing = not isinstance(answer, Refusal) and here.state.status == "playing"
    if playing and await laid_out(here):
        await lay_out(here)
    return answer


async def put_right(here: TournamentTables) -> Refusal | None:
    """Count again where the record is behind the book: a count was undone, the round was not."""
    if (await here.night.read()).tournaments[here.tournament].status != "playing":
        return None
    for number in await asyncio.to_thread(_behind, here):
        table = await table_at(here, number)
        if table is not None and not table.state.live:
            said = await count(here, number)
            if isinstance(said, Refusal):
                return said
    return None


async def is_behind(here: TournamentTables, number: int) -> bool:
    """Whether players of a table have other chips than the record says."""
    return await asyncio.to_thread(_off, here, number)


def resting(here: TournamentTables) -> Refusal | None:
    """Whether there is a break now."""
    shown = reading(here.state.schedule, here.state.clock, here.night.now())
    if not shown.on_break:
        return None
    left = int(shown.left.total_seconds()) // 60 + 1
    rests = {"tournament": here.tournament, "minutes": left}
    return refuse(Code.NOT_NOW, "nights.tables.break", **rests)


async def _ready(here: TournamentTables, table: LiveTable) -> Refusal | None:
    """An empty layout under the level's rules; wagers that came early stay, under theirs."""
    if table.state.live:
        return None
    base = await asyncio.to_thread(base_of, here)
    assert base is not None
    sheet = level_sheet(base, here.state.schedule, here.level, here.night.state.rules)
    if isinstance(sheet, Refusal):
        return sheet
    if (refusal := await play_by(here, table, sheet)) is not None:
        return refusal
    return await sent(table, By(here.actor, "supervisor"), at_table.OpenRound())


def _in_book(here: TournamentTables, number: int) -> commands.ChipCounts:
    """What the players of a table have beside the layout."""
    players = here.state.tables.get(number, [])
    return tuple((player, here.chips(player)) for player in players)


def _behind(here: TournamentTables) -> list[int]:
    """Tables without a round whose players have other chips than the record says."""
    idle = (number for number in here.state.tables if number not in here.state.in_hand)
    return [number for number in idle if _off(here, number)]


def _off(here: TournamentTables, number: int) -> bool:
    held, one = here.house.ledger.balances(here.unit), here.state
    players = one.tables.get(number, [])
    return any(_wallet(held, here, name) != one.players[name].chips for name in players)


def _wallet(balances: Mapping[Account, Cents], here: TournamentTables, player: str) -> Cents:
    return balances.get(Account(here.unit, "wallet", player), Cents(0))


async def before(
    here: TournamentTables, number: int, request: str | None, *kinds: type[TableFact]
) -> Answer | None:
    """The answer that a request had when it came first: what it counts may differ by now."""
    if request is None or not await asyncio.to_thread(here.night.is_known, here.actor, request):
        return None
    said = await asyncio.to_thread(here.night.before, here.actor, request)
    first = said.facts[0] if said is not None else None
    if isinstance(first, kinds) and (first.tournament, first.table) == (here.tournament, number):
        return said
    return reused(request_id(here.actor, request))
