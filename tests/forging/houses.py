"""A small house with data of every kind and several signed checkpoints, for forgers."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from pitbook import load
from pitbook.house.ledger.anchors import FileAnchor
from pitbook.house.ledger.data_folder import LEDGER_FILE, Folder
from pitbook.house.ledger.database import sqlite_module
from pitbook.house.nights import commands as at_night
from pitbook.house.nights.house_rules import load as load_rules
from pitbook.house.nights.house_rules import stored_rules
from pitbook.house.nights.store import Accepted as Taken
from pitbook.house.nights.store import Night
from pitbook.house.table import actor, commands
from pitbook.house.table.actor import Accepted
from pitbook.house.table.commands import By, Command, Envelope
from pitbook.house.table.live_tables import LiveTables
from pitbook.money import Cents, dollars

ANCHOR = "anchor.jsonl"
EVENT_START = datetime(2026, 11, 22, 1, tzinfo=UTC)  # In the evening of the 21st in New York.
SHEET = load("catfish-bend/mississippi-stud")
ANN, BOB, GUS = By("ann", "player"), By("bob", "player"), By("gus", "player")
DEALER, SUE = By("dana", "dealer"), By("sue", "supervisor")


class GenuineHouse(NamedTuple):
    """A genuine house, and genuine earlier states of it."""

    path: Path
    anchor: Path
    earlier_states: tuple[Path, ...]


def house(place: Path, *, signed: bool) -> GenuineHouse:
    """A house that was closed and anchored, or one that was killed with unsigned entries."""
    path, states = place / "house", list[Path]()

    def keep(folder: Folder) -> None:
        folder.sign()
        states.append(place / f"state-{len(states)}")
        _copy_state(folder, states[-1])

    with Folder.make(path) as folder:
        folder.use_anchor(str(place / ANCHOR))
        asyncio.run(_run_event(folder, keep, signed=signed))
    for state in (path, *states):
        _merge_log(state)
    return GenuineHouse(path, place / ANCHOR, tuple(states))


def anchored_checkpoints(original: GenuineHouse) -> list[object]:
    return list(FileAnchor(original.anchor).read())


async def _run_event(folder: Folder, keep: Callable[[Folder], None], *, signed: bool) -> None:
    open_house = LiveTables(folder)
    await open_house.cage.open(actor="kim")
    for player in ("ann", "bob"):
        await open_house.cage.buy_in(player, dollars("500"), actor="kim")
    await open_house.cage.fund(dollars("9000"), actor="kim", request="1")
    keep(folder)
    first_table = await open_house.open_table("one", "house", unit="usd", sheet=SHEET, actor="sue")
    await _send(first_table, SUE, commands.Fill(dollars("5000")))
    await _send(first_table, ANN, commands.Sit(1))
    await _send(first_table, BOB, commands.Sit(2))
    for plays in (("1x", "1x", "3x"), ("fold",), ("3x", "fold")):
        await _round(first_table, plays)
        keep(folder)
    await asyncio.to_thread(_night, folder, keep)
    practice = await open_house.open_table(
        "mine", "practice", unit="play", sheet=SHEET, owner="gus"
    )
    await _send(practice, GUS, commands.Sit(1), commands.PutWager(1, "ante", Cents(500)))
    keep(folder)
    await open_house.cage.cash_out("bob", dollars("20"), actor="kim")
    if signed:
        await open_house.close()
        return
    await _round(first_table, ("1x", "1x", "1x"))
    for table in open_house.tables.values():
        await table.close()


async def _round(table: actor.LiveTable, plays: tuple[str, ...]) -> None:
    await _send(table, ANN, commands.PutWager(1, "ante", dollars("10")))
    await _send(table, BOB, commands.PutWager(2, "ante", dollars("5")))
    await _send(table, DEALER, commands.CloseBetting())
    for play in plays:
        await _send(table, ANN, commands.Decide(1, play))
        if table.state.round is not None and table.state.round.waiting:
            await _send(table, BOB, commands.Decide(2, "1x"))
    while table.state.has_live_wagers:
        await _send(table, BOB, commands.Decide(2, "fold"))


async def _send(table: actor.LiveTable, by: By, *moves: Command) -> None:
    for command in moves:
        answer = await table.send(Envelope(by, command))
        assert isinstance(answer, Accepted), answer


def _night(folder: Folder, keep: Callable[[Folder], None]) -> None:
    night = Night(folder.ledger, "gala", clock=lambda: EVENT_START)
    making = at_night.Make(
        event="gala",
        charity="Seacoast Shelter",
        licence="NH-2026-117",
        gaming_date="2026-11-21",
        zone="America/New_York",
        house=stored_rules(load_rules("oceanfront")),
    )
    for command in (
        making,
        at_night.Open(),
        at_night.BringFloat(dollars("200")),
        at_night.Sell("ann", dollars("40")),
        at_night.Redeem("ann", dollars("15")),
        at_night.Sell("bob", dollars("5")),
        at_night.Undo(4, "a typing mistake"),
    ):
        assert isinstance(answer := night.give(command, actor="kim"), Taken), answer
    keep(folder)


def _copy_state(folder: Folder, to: Path) -> None:
    raw = sqlite_module().connect(folder.path / LEDGER_FILE)
    raw.execute("PRAGMA wal_checkpoint(FULL)").fetchall()
    raw.close()
    shutil.copytree(folder.path, to)


def _merge_log(path: Path) -> None:
    """Make the ledger a single file to copy."""
    raw = sqlite_module().connect(path / LEDGER_FILE)
    raw.execute("PRAGMA journal_mode = DELETE").fetchall()
    raw.close()
