"""Repeated requests, reports and syncs about a stop change nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.house.nights.hand_phases import bring_to_phase
from tests.house.nights.kit import OMS
from tests.house.nights.live_night import Room, T, play, send_command
from tests.house.nights.stopped_hands import at, settle_and_close, stop
from tests.house.nights.test_restarts import must, sync_repeatedly, undo
from tests.house.nights.tournament.step_lines import schedule

from pitbook.house.nights import (
    interruptions as cut_hands,
)
from pitbook.house.nights import table_commands as floor_commands
from pitbook.house.nights import (
    tournament_tables,
)
from pitbook.house.nights.night_sync import NightSync
from pitbook.house.nights.store import Accepted
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.table import commands as at_table
from pitbook.house.table.commands import By
from pitbook.money import dollars
from pitbook.rules.refusals import Code, Refusal


def test_undo_lasts_when_the_interruption_is_reported_again(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, "multi-table", 4, "4th-half")
        sync = NightSync(room.house)
        await sync.sync_all()
        await stop(room)
        await undo(room)
        for _ in range(2):
            await sync.sync_all()
            assert (await room.table()).state.awaiting is None
        assert room.t().status == "playing"

    at(tmp_path, work)


@pytest.mark.long
@pytest.mark.parametrize("cut_at", ["_call_off", "give", "_called_off"])
def test_interrupted_undo_can_be_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut_at: str
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise ConnectionError

    async def work(room: Room) -> None:
        await bring_to_phase(room, "multi-table", 4, "4th-half")
        await must(room, floor.Interrupt(T, "pressed by mistake"))
        last = room.t().last
        assert last is not None
        with monkeypatch.context() as patched:
            patched.setattr(cut_hands, cut_at, fail)
            with pytest.raises(ConnectionError):
                await floor_commands.ask(room.tables(), floor.Undo(T, last[0]), request="u")
        await room.again()
        answer = await floor_commands.ask(room.tables(), floor.Undo(T, last[0]), request="u")
        assert isinstance(answer, Accepted)
        await sync_repeatedly(room)
        if room.t().interrupted_tables:
            await must(room, floor.GoOn(T))
        assert (room.t().status, (await room.table()).state.awaiting) == ("playing", None)

    at(tmp_path, work)


@pytest.mark.long
def test_used_request_id_cannot_answer_a_stop(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, "multi-table", 4, "4th-half")
        await room.again()
        assert isinstance(room.ask(floor.CheckIn(T, "ann"), request="used"), Accepted)
        for command in (floor.GoOn(T), floor.Interrupt(T, "storm")):
            refusal = await floor_commands.ask(room.tables(), command, request="used")
            assert isinstance(refusal, Refusal)
            assert refusal.code is Code.REQUEST_REUSED
        assert (room.t().interrupted_tables, (await room.table()).state.awaiting) == ((1,), {})

    at(tmp_path, work)


@pytest.mark.long
def test_restart_keeps_the_players_agreement(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, "multi-table", 3, "4th-half")
        await must(room, floor.Interrupt(T, "storm"))
        table = await room.table()
        for seat, player in table.state.seats.items():
            await send_command(table, By(player, "player"), at_table.Agree(seat, finish=True))
        await room.close()
        room._taken_up()  # Nobody has looked, and the floor answers at once.
        await room.house.load_tables()
        await must(room, floor.GoOn(T))
        await sync_repeatedly(room)
        assert (room.t().to_complete, room.t().interrupted_tables) == ((1,), ())
        assert (await room.table()).state.awaiting is None
        await play(await room.table(), room.whims)
        await cut_hands.sync_tournament(room.tables())
        assert room.t().status == "finished"
        await settle_and_close(room)

    at(tmp_path, work)


def test_table_whose_opening_was_cut_off_plays_at_its_level(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise ConnectionError

    async def work(room: Room) -> None:
        room.must(floor.SetUp(T, schedule()), floor.Announce(T))
        room.must(floor.Enter(T, "ann"), floor.Enter(T, "bob"))
        room.must(floor.DrawSeats(T), floor.Start(T), floor.StartClock(T))
        with monkeypatch.context() as patched:
            patched.setattr(tournament_tables, "apply_level_sheet", fail)
            with pytest.raises(ConnectionError):
                await tournament_tables.open_tables(room.tables(), OMS)
        await room.again()
        assert await tournament_tables.open_tables(room.tables(), OMS) is None
        table = await room.table()
        seat, player = next(iter(table.state.seats.items()))
        ante = at_table.PutWager(seat, "ante", dollars("25"))
        await send_command(table, By(player, "player"), ante)  # Before the floor begins a round.

    at(tmp_path, work)
