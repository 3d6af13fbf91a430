"""Tables requested while locks come and go are held here or reported as held elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.house.nights.kit import OMS
from tests.house.nights.test_two_processes import T1, drop_locks
from tests.house.nights.two_processes import Side, open_night, run_scene, start_tournament

from pitbook.errors import LedgerError, RoundError, Superseded
from pitbook.house.ledger.ledger import Stream
from pitbook.house.nights import tournament_tables as tournament_rounds
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web import leases

pytestmark = pytest.mark.long

STREAM = "table/gala.t1-1"


async def open_tables(side: Side) -> None:
    open_night(side)
    start_tournament(side, T1, "multi-table", ("ann", "bob"))
    assert await tournament_rounds.open_tables(side.tables(T1), OMS) is None


async def release_table(side: Side) -> None:
    await side.house.unload("gala.t1-1")
    side.house.locks.release(STREAM)


def test_process_silent_too_long_does_not_own_its_tables(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: Side, second: Side) -> None:
        await open_tables(first)
        assert (
            await tournament_rounds.load_table(first.tables(T1), 1)
            is first.house.tables["gala.t1-1"]
        )
        now = leases._clock()
        monkeypatch.setattr(leases, "_clock", lambda: now + leases.SILENT_SECONDS + 1)
        with pytest.raises(Superseded, match="Try again in a moment"):
            await tournament_rounds.load_table(first.tables(T1), 1)
        await first.house.take_free_tables()
        assert await tournament_rounds.load_table(first.tables(T1), 1) is not None

    run_scene(tmp_path, postgres, scene)


def test_unloadable_table_is_left_to_other_servers(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: Side, second: Side) -> None:
        await open_tables(first)
        await release_table(first)

        async def fails(*_: object) -> LiveTable:
            raise RoundError("not now")

        with monkeypatch.context() as damaged:
            damaged.setattr(LiveTables, "load", fails)
            with pytest.raises(RoundError, match="not now"):
                await tournament_rounds.load_table(first.tables(T1), 1)
        assert STREAM not in first.house.locks.held
        assert (
            await tournament_rounds.load_table(second.tables(T1), 1)
            is second.house.tables["gala.t1-1"]
        )

    run_scene(tmp_path, postgres, scene)


def test_table_is_dropped_if_its_lock_is_lost_while_loading(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: Side, second: Side) -> None:
        await open_tables(first)
        await release_table(first)
        load = LiveTables.load

        async def meanwhile(house: LiveTables, stream: Stream) -> LiveTable:
            table = await load(house, stream)
            first.house.locks.close()
            return table

        monkeypatch.setattr(LiveTables, "load", meanwhile)
        with pytest.raises(Superseded):
            await tournament_rounds.load_table(first.tables(T1), 1)
        assert first.house.tables == {}

    run_scene(tmp_path, postgres, scene)


def test_lost_locks_are_noticed(tmp_path: Path, postgres: str) -> None:
    async def scene(first: Side, second: Side) -> None:
        await open_tables(first)
        drop_locks(first, second)
        with pytest.raises(LedgerError, match="The database locks were lost"):
            await first.house.open_table("stud-9", "house", unit="usd", sheet=OMS)
        await second.house.take_free_tables()
        assert "gala.t1-1" in second.house.tables
        await first.house.open_table("stud-9", "house", unit="usd", sheet=OMS)
        await first.house.take_free_tables()
        assert list(first.house.tables) == ["stud-9"], "what is another's by now is let go"

    run_scene(tmp_path, postgres, scene)
