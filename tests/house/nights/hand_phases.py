"""Brings a tournament hand to each of its phases; as a program, waits there to be killed."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.house.nights.live_night import (
    DEALER,
    Room,
    T,
    bet,
    enter_players,
    layout,
    one_round,
    send_command,
)

from pitbook.house.nights import tournament_tables as tournament_rounds
from pitbook.house.nights.store import Accepted
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.table import commands as at_table
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By

KINDS = ("hourly", "multi-table")
LEFT = (2, 3, 4)
PLAYERS = ("ann", "bob", "cal", "dee")
GONE = ("eli", "fay")
# Decisions that have been made when the hand is cut short, in parts of a street.
IN_PLAY = {"dealt": 0.0, "3rd": 0.5, "4th": 1.0, "4th-half": 1.5, "5th": 2.0, "5th-half": 2.5}
NO_CARD = ("between", "begun", "first-wager", "all-wagers", "over")
PHASES = (*NO_CARD, *IN_PLAY)


def folder(path: Path, left: int, phase: str) -> Path:
    return path / f"{left}-{phase}"


async def bring_to_phase(room: Room, kind: str, left: int, phase: str) -> None:
    """Bring the hand at a table with some players left to a phase."""
    rows = [{"entrants": 2, "shares": [100]}, {"entrants": 4, "shares": [50, 30, 20]}]
    await enter_players(room, (*PLAYERS[:left], *GONE), kind=kind, prizes=rows)
    for player in GONE:
        assert isinstance(
            await tournament_rounds.give(room.tables(), floor.Eliminate(T, (player,))), Accepted
        )
    await one_round(room, 1)
    if phase == "between":
        return
    assert isinstance(await tournament_rounds.begin_round(room.tables(), 1), Accepted)
    table = await room.table()
    if phase == "begun":
        return
    await bet(table, sorted(table.state.seats)[:1] if phase == "first-wager" else None)
    if phase.endswith(("wager", "wagers")):
        return
    await send_command(table, DEALER, at_table.CloseBetting())
    await stay(table, int(IN_PLAY.get(phase, 3.0) * left))


async def stay(table: LiveTable, decisions: int) -> None:
    """Play some decisions of 1x, without folds."""
    for _ in range(decisions):
        seat = layout(table).waiting[0]
        await send_command(
            table, By(table.state.seats[seat], "player"), at_table.Decide(seat, "1x")
        )


async def _wait(path: Path, *cases: str) -> None:
    rooms = []
    for kind, left, phase in (case.split("/") for case in cases):
        room = Room(folder(path / kind, int(left), phase))
        await bring_to_phase(room, kind, int(left), phase)
        rooms.append(room)
    print("ready", flush=True)  # noqa: T201  Whoever kills it waits for that.
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_wait(Path(sys.argv[1]), *sys.argv[2:]))
