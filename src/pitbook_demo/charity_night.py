"""A charity night by script: chips, games of chance, two tournaments to payout, its statement."""

from __future__ import annotations

from datetime import date, timedelta
from zoneinfo import ZoneInfo

from pitbook.house.ledger.codec import Json
from pitbook.house.ledger.folder import Folder
from pitbook.house.ledger.writer import utc_now
from pitbook.house.nights import commands as do
from pitbook.house.nights import live_tables as chance_tables
from pitbook.house.nights.house_rules import kept_rules, load
from pitbook.house.nights.statement import statement
from pitbook.house.table import commands as at_table
from pitbook.house.table.commands import By
from pitbook.house.table.state import dump_sheet
from pitbook.money import Cents, dollars, money
from pitbook.sheets.library import Library
from pitbook.sheets.model import Sheet
from pitbook_demo.night_people import CASHIER, FLOOR, DemoNight, must, sent
from pitbook_demo.night_tournaments import hourly, main_event

EVENT, ZONE, BEFORE = "gala", "America/New_York", timedelta(hours=4)
CHARITY, LICENCE = "Seacoast Shelter", "NH-117"
PLAYERS = ("abe", "bea", "cy", "dot", "eve", "flo", "gil", "hope", "ivy", "jon", "kay", "leo")
STUD = "oceanfront/mississippi-stud"
CHANCE = {
    "gala-stud": (STUD, PLAYERS[:4]),
    "gala-hi-lo": ("catfish-bend/matchem-hi-lo", PLAYERS[4:8]),
    "gala-louisiana": ("louisiana-stud/standard", PLAYERS[8:]),
}
ROUNDS, DEAD = 6, 4  # At each table of chance; in this round the lights go out at the first.


async def gala(folder: Folder, seed: str) -> Json:
    """Play the night in a data folder; what it came to."""
    floor = DemoNight(folder, EVENT, seed, utc_now() - BEFORE)  # It is over by now.
    try:
        _doors_open(floor)
        await _games_of_chance(floor)
        stud = _sheet(floor, STUD)
        await hourly(floor, f"{EVENT}.hourly", PLAYERS[:7], stud)
        await main_event(floor, f"{EVENT}.main", PLAYERS, stud)
        _cage_closes(floor)
        must(await chance_tables.close(floor.house, floor.night, actor=CASHIER))
    finally:
        await floor.house.close()
    return _told(floor) | {"notable": _notable()}


def _doors_open(floor: DemoNight) -> None:
    """The licence, the float, and chips for everybody; one slip is wrong."""
    day = floor.now.astimezone(ZoneInfo(ZONE)).date()
    rules = kept_rules(load("oceanfront"))
    floor.give(do.Make(EVENT, CHARITY, f"{LICENCE}-{day.year}", day.isoformat(), ZONE, rules))
    floor.give(do.Open(), do.BringFloat(dollars("500")))
    for player in PLAYERS:
        floor.give(do.Sell(player, Cents(100 * floor.whims.randrange(65, 101, 5))))
    floor.give(do.Sell(PLAYERS[0], dollars("40")))
    floor.give(do.Undo(len(floor.night.state.slips), "sold to the wrong player"))


async def _games_of_chance(floor: DemoNight) -> None:
    for name, (sheet, players) in CHANCE.items():
        # Within the limits of the state as it stands, or brought within them.
        command = do.AdmitTable(name, dump_sheet(_sheet(floor, sheet)), derived=sheet != STUD)
        opened = chance_tables.open_table(
            floor.house, floor.night, command, kind="house", actor=FLOOR.name
        )
        must(await opened)
        await floor.seated(name, players)
    for number in range(1, ROUNDS + 1):
        for name in CHANCE:
            await _round(floor, name, lights_out=number == DEAD and name == "gala-stud")
        floor.later(minutes=3)


async def _round(floor: DemoNight, name: str, *, lights_out: bool) -> None:
    table = floor.house.tables[name]
    if await floor.dealt(table) and lights_out:
        await sent(table, FLOOR, at_table.Interrupt("the lights went out"))
        seat, player = next(iter(table.state.seats.items()))
        await sent(table, By(player, "player"), at_table.Agree(seat, finish=False))
    await floor.played(table)


def _cage_closes(floor: DemoNight) -> None:
    """Most chips come back to the cage; somebody always goes home with some."""
    for player in PLAYERS[:-2]:
        holds = floor.folder.ledger.balance(floor.night.state.till.wallet(player))
        if holds:
            floor.give(do.Redeem(player, holds))


def _sheet(floor: DemoNight, name: str) -> Sheet:
    return Library().load(name, date.fromisoformat(floor.night.state.gaming_date))


def _notable() -> list[Json]:
    """Rounds of the night that are worth a look."""
    first = next(iter(CHANCE))
    return [
        {"round": f"{first}-{DEAD:06d}", "seat": 1, "why": "the night's lights went out; dead"},
        {"round": f"{EVENT}.main-1-000001", "seat": 1, "why": "a round in tournament chips"},
    ]


def _told(floor: DemoNight) -> Json:
    """The night in a few figures."""
    made = statement(floor.night, at=floor.now.isoformat())
    tournaments = [
        {"tournament": one.tournament, "entries": one.entries, "prizes": money(one.paid)}
        for one in made.found.tournaments
    ]
    return {
        "event": EVENT,
        "charity": CHARITY,
        "tables": [{"table": one.table, "rounds": one.rounds} for one in made.found.tables],
        "tournaments": tournaments,
        "proceeds": money(made.found.proceeds),
        "reconciles": not made.findings,
    }
