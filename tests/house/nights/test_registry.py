"""A restarted server records interrupted tournaments and keeps syncing."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest
from tests.house.nights.hand_phases import bring_to_phase
from tests.house.nights.live_night import Room, T
from tests.house.nights.stopped_hands import answer_all, at

from pitbook.errors import LedgerError
from pitbook.house.nights import interruptions as stops
from pitbook.house.nights import night_sync
from pitbook.house.nights import table_commands as floor_commands
from pitbook.house.nights.night_sync import NightSync, keep_in_sync
from pitbook.house.nights.store import Accepted
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.nights.tournament_tables import TournamentTables

pytestmark = pytest.mark.long


def test_startup_finds_an_interrupted_hand(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, "multi-table", 4, "dealt")
        await room.close()
        room._taken_up()
        await room.house.load_tables()
        sync = NightSync(room.house)
        assert await sync.sync_all() == [T]
        tournament = room.night.refresh().tournaments[T]
        # The floor is asked.
        assert (tournament.status, tournament.interrupted_tables) == ("playing", (1,))
        assert await sync.sync_all() == []
        assert isinstance(
            await floor_commands.ask(room.tables(), floor.Interrupt(T, "storm")), Accepted
        )
        await answer_all(room, finish=False)
        await sync.sync_all()
        assert room.night.refresh().tournaments[T].status == "finished"

    at(tmp_path, work)


def test_sync_during_a_floor_command_does_not_disturb_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, "multi-table", 4, "dealt")
        await room.close()
        room._taken_up()
        await room.house.load_tables()
        sync, tasks = NightSync(room.house), []
        await sync.sync_all()
        steps = stops._resume_stopped_tables

        async def resume_then_sync(tables: TournamentTables) -> None:
            await steps(tables)
            tasks.append(asyncio.create_task(sync.sync_all()))
            await asyncio.wait(tasks, timeout=0.5)

        monkeypatch.setattr(stops, "_resume_stopped_tables", resume_then_sync)
        answers = [
            await floor_commands.ask(room.tables(), floor.GoOn(T), request="go")
            for _ in ("sent", "again")
        ]
        assert isinstance(answers[0], Accepted)
        assert answers[0] == answers[1]
        await asyncio.gather(*tasks)
        assert room.night.refresh().tournaments[T].interrupted_tables == ()

    at(tmp_path, work)


def test_background_sync_survives_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, "multi-table", 4, "dealt")
        await room.close()
        room._taken_up()
        await room.house.load_tables()
        failures = [LedgerError("The ledger cannot be read")]
        sync_all = NightSync.sync_all

        async def fail_once(self: NightSync) -> list[str]:
            if failures:
                raise failures.pop()
            return await sync_all(self)

        monkeypatch.setattr(NightSync, "sync_all", fail_once)
        monkeypatch.setattr(night_sync, "SYNC_SECONDS", 0.01)
        async with keep_in_sync(room.house), asyncio.timeout(30):
            while not room.night.refresh().tournaments[T].interrupted_tables:
                await asyncio.sleep(0.01)

    with caplog.at_level(logging.WARNING, "pitbook.house.web"):
        at(tmp_path, work)
    assert [record.msg for record in caplog.records][:1] == ["night_sync_failed"]
