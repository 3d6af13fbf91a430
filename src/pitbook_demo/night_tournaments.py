"""The tournaments of the scripted night: an hour at one table, and a main event at two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pitbook.house.nights import tournament_tables
from pitbook.house.nights.tournament import commands
from pitbook.house.nights.tournament.clock import ClockReading, reading
from pitbook.house.nights.tournament.facts import PlayerGroup
from pitbook.house.nights.tournament.schedule import Schedule
from pitbook.house.nights.tournament.seating import balance_moves, table_to_break
from pitbook.house.nights.tournament_tables import TournamentTables
from pitbook.rules.refusals import Refusal
from pitbook.sheets.model import Sheet
from pitbook_demo.demo_night import FLOOR, DemoNight, require

BRUSH, SEATS, MINUTES = "ben", 6, 6
PRIZES = [{"entrants": 2, "shares": [100]}, {"entrants": 4, "shares": [50, 30, 20]}]
HOURLY: dict[str, Any] = {
    "title": "Stud by the hour",
    "kind": "hourly",
    "buy_in": {"costs": "30", "fee": "10", "chips": "500"},
    "add_on": {"costs": "10", "fee": "2", "chips": "200", "until_level": 1},
    "ends": "clock",
    "levels": [
        {"minutes": 20, "limits": {"ante": {"min": "5", "max": "50"}}},
        {"minutes": 20, "limits": {"ante": {"min": "10", "max": "100"}}, "break_after": 5},
        {"minutes": 20, "limits": {"ante": {"min": "25", "max": "200"}}},
    ],
}
MAIN: dict[str, Any] = {
    "title": "Main event",
    "kind": "multi-table",
    "higher_limit": True,
    "ends": "clock",
    "buy_in": {"costs": "80", "fee": "20", "chips": "600"},
    "re_buy": {"costs": "60", "fee": "10", "chips": "600", "until_level": 4},
    "levels": [
        {"minutes": 10, "limits": {"ante": {"min": ante, "max": "2000"}}}
        for ante in ("25", "50", "75", "100", "150", "200", "300", "500")
    ],
}


async def play_hourly(floor: DemoNight, name: str, players: Sequence[str], sheet: Sheet) -> None:
    """One table for an hour; one player takes a refund before the first card."""
    tables = TournamentTables(floor.house, floor.night, name, FLOOR.name)
    floor.give(commands.SetUp(name, _schedule(HOURLY, sheet)))
    floor.give(commands.Enter(name, players[-1]), commands.Refund(name, players[-1]))
    await _start(floor, tables, players[:-1], sheet)
    floor.give(commands.AddOn(name, players[0]))
    while len(tables.state.still_in) > 1 and not _clock(tables).over:
        if not _clock(tables).on_break:
            await _play_rounds(floor, tables)
        floor.advance_clock(MINUTES)
    _finish(floor, tables)


async def play_main_event(
    floor: DemoNight, name: str, players: Sequence[str], sheet: Sheet
) -> None:
    """Two tables that become one; a player eliminated by mistake is reinstated."""
    tables = TournamentTables(floor.house, floor.night, name, FLOOR.name)
    floor.give(commands.SetUp(name, _schedule(MAIN, sheet)))
    await _start(floor, tables, players, sheet)
    require(await tournament_tables.give(tables, commands.Eliminate(name, (players[0],))))
    require(
        await tournament_tables.give(
            tables, commands.Undo(name, tables.state.past[-1][0], "it was somebody else")
        )
    )
    while len(tables.state.still_in) > 1 and not _clock(tables).over:
        await _play_rounds(floor, tables)
        floor.advance_clock(MINUTES)
    _finish(floor, tables)


async def _start(
    floor: DemoNight, tables: TournamentTables, players: Iterable[str], sheet: Sheet
) -> None:
    """Enter, announce, draw seats, start, and open live tables."""
    name = tables.tournament
    floor.give(
        commands.Announce(name, BRUSH), *(commands.Enter(name, player) for player in players)
    )
    floor.give(commands.DrawSeats(name), commands.Start(name), commands.StartClock(name))
    require(await tournament_tables.open_tables(tables, sheet))


async def _play_rounds(floor: DemoNight, tables: TournamentTables) -> None:
    """Play a round at each table, then do what the floor does after it."""
    await _eliminate_players(floor, tables)
    for number in list(tables.state.tables):
        if len(tables.state.still_in) > 1:
            require(await tournament_tables.begin_round(tables, number))
            table = await tournament_tables.load_table(tables, number)
            assert table is not None
            await floor.deal_round(table)
            await floor.play_round(table)
            require(await tournament_tables.count_chips(tables, number))
    await _eliminate_players(floor, tables)
    if (table_number := table_to_break(tables.state)) is not None:
        require(
            await tournament_tables.give(
                tables, commands.BreakTable(tables.tournament, table_number)
            )
        )
    elif balance_moves(tables.state):
        require(await tournament_tables.give(tables, commands.Balance(tables.tournament)))


async def _eliminate_players(floor: DemoNight, tables: TournamentTables) -> None:
    """Eliminate players without chips; the first two re-buy if that is allowed."""
    while eliminated := tournament_tables.players_to_eliminate(tables):
        group = eliminated[0]
        if not _try_re_buy(tables, group):
            require(
                await tournament_tables.give(tables, commands.Eliminate(tables.tournament, group))
            )


def _try_re_buy(tables: TournamentTables, group: PlayerGroup) -> bool:
    bought = sum(player.re_buys for player in tables.state.players.values())
    if len(group) > 1 or bought > 1:
        return False
    answer = tables.night.give(commands.ReBuy(tables.tournament, group[0]), actor=tables.actor)
    return not isinstance(answer, Refusal)


def _finish(floor: DemoNight, tables: TournamentTables) -> None:
    """Record places and pay the prizes."""
    floor.give(commands.Finish(tables.tournament))
    owed = [name for name, player in tables.state.players.items() if player.owed]
    floor.give(*(commands.PayOut(tables.tournament, name) for name in owed))


def _schedule(rules: dict[str, Any], sheet: Sheet) -> Schedule:
    fields = {"sheet": sheet.id, "seats": SEATS, "prizes": PRIZES, **rules}
    return Schedule.model_validate(fields)


def _clock(tables: TournamentTables) -> ClockReading:
    return reading(tables.state.schedule, tables.state.clock, tables.night.now())
