"""A scripted charity night: chips, games of chance, two tournaments, and the closing statement."""

from __future__ import annotations

from datetime import date, timedelta
from zoneinfo import ZoneInfo

from pitbook.house.ledger.data_folder import Folder
from pitbook.house.ledger.fact_codec import Json
from pitbook.house.ledger.writer import utc_now
from pitbook.house.nights import commands as night_commands
from pitbook.house.nights import table_commands as night_table_commands
from pitbook.house.nights.house_rules import load, stored_rules
from pitbook.house.nights.statement import statement
from pitbook.house.table import commands as table_commands
from pitbook.house.table.commands import By
from pitbook.house.table.stored_sheets import dump_sheet
from pitbook.money import Cents, dollars, money
from pitbook.sheets.library import Library
from pitbook.sheets.model import Sheet
from pitbook_demo.demo_night import CASHIER, FLOOR, DemoNight, require, send
from pitbook_demo.night_tournaments import play_hourly, play_main_event

EVENT, ZONE, BEFORE = "gala", "America/New_York", timedelta(hours=4)
CHARITY, LICENSE = "Seacoast Shelter", "NH-117"
PLAYERS = ("abe", "bea", "cy", "dot", "eve", "flo", "gil", "hope", "ivy", "jon", "kay", "leo")
STUD = "oceanfront/mississippi-stud"
CHANCE = {
    "gala-stud": (STUD, PLAYERS[:4]),
    "gala-hi-lo": ("catfish-bend/matchem-hi-lo", PLAYERS[4:8]),
    "gala-louisiana": ("louisiana-stud/standard", PLAYERS[8:]),
}
# Rounds at each table of chance, and the round that the first table leaves unfinished.
ROUNDS, DEAD = 6, 4


async def play_gala(folder: Folder, seed: str) -> Json:
    """Play the night in a data folder and return a summary."""
    floor = DemoNight(folder, EVENT, seed, utc_now() - BEFORE)  # The night is over by now.
    try:
        _open_night(floor)
        await _play_games_of_chance(floor)
        stud = _sheet(floor, STUD)
        await play_hourly(floor, f"{EVENT}.hourly", PLAYERS[:7], stud)
        await play_main_event(floor, f"{EVENT}.main", PLAYERS, stud)
        _redeem_chips(floor)
        require(await night_table_commands.close(floor.house, floor.night, actor=CASHIER))
    finally:
        await floor.house.close()
    return _summary(floor) | {"notable": _notable()}


def _open_night(floor: DemoNight) -> None:
    """Record the license, the opening bank and chip sales; one slip is voided."""
    day = floor.now.astimezone(ZoneInfo(ZONE)).date()
    rules = stored_rules(load("oceanfront"))
    floor.give(
        night_commands.Make(EVENT, CHARITY, f"{LICENSE}-{day.year}", day.isoformat(), ZONE, rules)
    )
    floor.give(night_commands.Open(), night_commands.BringFloat(dollars("500")))
    for player in PLAYERS:
        floor.give(night_commands.Sell(player, Cents(100 * floor.rng.randrange(65, 101, 5))))
    floor.give(night_commands.Sell(PLAYERS[0], dollars("40")))
    floor.give(night_commands.Undo(len(floor.night.state.slips), "sold to the wrong player"))


async def _play_games_of_chance(floor: DemoNight) -> None:
    for name, (sheet, players) in CHANCE.items():
        # Within the state's limits as written, or derived to fit them.
        command = night_commands.AdmitTable(
            name, dump_sheet(_sheet(floor, sheet)), derived=sheet != STUD
        )
        opened = night_table_commands.open_table(
            floor.house, floor.night, command, kind="house", actor=FLOOR.name
        )
        require(await opened)
        await floor.seat_players(name, players)
    for number in range(1, ROUNDS + 1):
        for name in CHANCE:
            await _play_round(floor, name, lights_out=number == DEAD and name == "gala-stud")
        floor.advance_clock(minutes=3)


async def _play_round(floor: DemoNight, name: str, *, lights_out: bool) -> None:
    table = floor.house.tables[name]
    if await floor.deal_round(table) and lights_out:
        await send(table, FLOOR, table_commands.Interrupt("the lights went out"))
        seat, player = next(iter(table.state.seats.items()))
        await send(table, By(player, "player"), table_commands.Agree(seat, finish=False))
    await floor.play_round(table)


def _redeem_chips(floor: DemoNight) -> None:
    """Most players redeem their chips; the last two keep theirs."""
    for player in PLAYERS[:-2]:
        holds = floor.folder.ledger.balance(floor.night.state.accounts.wallet(player))
        if holds:
            floor.give(night_commands.Redeem(player, holds))


def _sheet(floor: DemoNight, name: str) -> Sheet:
    return Library().load(name, date.fromisoformat(floor.night.state.gaming_date))


def _notable() -> list[Json]:
    """Rounds of the night worth a look."""
    first = next(iter(CHANCE))
    return [
        {"round": f"{first}-{DEAD:06d}", "seat": 1, "why": "the night's lights went out; dead"},
        {"round": f"{EVENT}.main-1-000001", "seat": 1, "why": "a round in tournament chips"},
    ]


def _summary(floor: DemoNight) -> Json:
    """A summary of the night."""
    closing = statement(floor.night, at=floor.now.isoformat())
    tournaments = [
        {
            "tournament": tournament.tournament,
            "entries": tournament.entries,
            "prizes": money(tournament.paid),
        }
        for tournament in closing.totals.tournaments
    ]
    return {
        "event": EVENT,
        "charity": CHARITY,
        "tables": [
            {"table": table.table, "rounds": table.rounds} for table in closing.totals.tables
        ],
        "tournaments": tournaments,
        "proceeds": money(closing.totals.proceeds),
        "reconciles": not closing.findings,
    }
