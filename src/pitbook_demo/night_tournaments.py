"""The tournaments of the scripted night: an hour at one table, and a main event at two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pitbook.house.nights import tournament_tables as tournament_rounds
from pitbook.house.nights.tournament import commands as do
from pitbook.house.nights.tournament.clock import ClockReading, reading
from pitbook.house.nights.tournament.facts import PlayerGroup
from pitbook.house.nights.tournament.schedule import Schedule
from pitbook.house.nights.tournament.seating import balancing, breakable
from pitbook.house.nights.tournament_tables import TournamentTables
from pitbook.rules.refusals import Refusal
from pitbook.sheets.model import Sheet
from pitbook_demo.night_people import FLOOR, DemoNight, must

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


async def hourly(floor: DemoNight, name: str, players: Sequence[str], sheet: Sheet) -> None:
    """One table for an hour; somebody thinks better of it before the first card."""
    here = TournamentTables(floor.house, floor.night, name, FLOOR.name)
    floor.give(do.SetUp(name, _schedule(HOURLY, sheet)))
    floor.give(do.Enter(name, players[-1]), do.Refund(name, players[-1]))
    await _started(floor, here, players[:-1], sheet)
    floor.give(do.AddOn(name, players[0]))
    while len(here.state.still_in) > 1 and not _clock(here).over:
        if not _clock(here).on_break:
            await _rounds(floor, here)
        floor.later(MINUTES)
    _ended(floor, here)


async def main_event(floor: DemoNight, name: str, players: Sequence[str], sheet: Sheet) -> None:
    """Two tables that become one; a player who was counted out by mistake comes back."""
    here = TournamentTables(floor.house, floor.night, name, FLOOR.name)
    floor.give(do.SetUp(name, _schedule(MAIN, sheet)))
    await _started(floor, here, players, sheet)
    must(await tournament_rounds.give(here, do.Eliminate(name, (players[0],))))
    must(
        await tournament_rounds.give(
            here, do.Undo(name, here.state.past[-1][0], "it was somebody else")
        )
    )
    while len(here.state.still_in) > 1 and not _clock(here).over:
        await _rounds(floor, here)
        floor.later(MINUTES)
    _ended(floor, here)


async def _started(
    floor: DemoNight, here: TournamentTables, players: Iterable[str], sheet: Sheet
) -> None:
    """Entered, announced, drawn, under way, and at real tables."""
    name = here.tournament
    floor.give(do.Announce(name, BRUSH), *(do.Enter(name, player) for player in players))
    floor.give(do.DrawSeats(name), do.Start(name), do.StartClock(name))
    must(await tournament_rounds.lay_out(here, sheet))


async def _rounds(floor: DemoNight, here: TournamentTables) -> None:
    """A round at each table, and what the floor does behind it."""
    await _outs(floor, here)
    for number in list(here.state.tables):
        if len(here.state.still_in) > 1:
            must(await tournament_rounds.begin(here, number))
            table = await tournament_rounds.table_at(here, number)
            assert table is not None
            await floor.dealt(table)
            await floor.played(table)
            must(await tournament_rounds.count(here, number))
    await _outs(floor, here)
    if (table_number := breakable(here.state)) is not None:
        must(await tournament_rounds.give(here, do.BreakTable(here.tournament, table_number)))
    elif balancing(here.state):
        must(await tournament_rounds.give(here, do.Balance(here.tournament)))


async def _outs(floor: DemoNight, here: TournamentTables) -> None:
    """Who cannot go on is out; the first two buy again, while that is sold."""
    while proposed := tournament_rounds.proposed_out(here):
        group = proposed[0]
        if not _bought_again(here, group):
            must(await tournament_rounds.give(here, do.Eliminate(here.tournament, group)))


def _bought_again(here: TournamentTables, group: PlayerGroup) -> bool:
    bought = sum(one.re_buys for one in here.state.players.values())
    if len(group) > 1 or bought > 1:
        return False
    answer = here.night.give(do.ReBuy(here.tournament, group[0]), actor=here.actor)
    return not isinstance(answer, Refusal)


def _ended(floor: DemoNight, here: TournamentTables) -> None:
    """Places, prizes, and everybody paid."""
    floor.give(do.Finish(here.tournament))
    owed = [name for name, one in here.state.players.items() if one.owed]
    floor.give(*(do.PayOut(here.tournament, name) for name in owed))


def _schedule(given: dict[str, Any], sheet: Sheet) -> Schedule:
    whole = {"sheet": sheet.id, "seats": SEATS, "prizes": PRIZES, **given}
    return Schedule.model_validate(whole)


def _clock(here: TournamentTables) -> ClockReading:
    return reading(here.state.schedule, here.state.clock, here.night.now())
