"""Locks that are lost and regained: silent connections, dropped ones, and slow takeovers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from tests.house.web.two_processes import (
    ANN,
    furnish,
    kill_connection,
    leave_table,
    run_two_houses,
    send_command,
)

from pitbook.errors import LedgerError, RoundError
from pitbook.house.ledger.ledger import Stream
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import (
    Envelope,
    PutWager,
)
from pitbook.house.web import leases
from pitbook.house.web.leases import SharedHouse
from pitbook.money import Cents

pytestmark = pytest.mark.long


def test_silent_process_loses_its_locks_and_notices(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The timeout is short only for connections that fall silent."""
    clock = [0.0]
    monkeypatch.setattr(leases, "_clock", lambda: clock[0])

    async def scene(first: SharedHouse, second: SharedHouse) -> None:
        await first.open()
        await furnish(first)
        first.locks.close()
        with monkeypatch.context() as soon:
            soon.setattr(leases, "SILENT_SECONDS", 1.0)
            async with asyncio.timeout(60):
                while "table/stud" not in first.locks.held:
                    await first.take_free_tables()
            writing = second.ledger.engine.connect()  # In mid-transaction, and then silent.
            writing.execute(text("SELECT * FROM stream WHERE name = 'table/stud' FOR UPDATE"))
        assert first.get("stud") is first.tables["stud"]
        clock[0] = leases.SILENT_SECONDS
        assert second.get("stud") is None
        async with asyncio.timeout(60):
            while not second.tables:
                await second.take_free_tables()
        assert second.get("stud") is second.tables["stud"]
        assert first.get("stud") is None, "what may be another's by now is not spoken for"
        assert list(first.tables) == ["stud"]
        await first.take_free_tables()
        assert first.tables == {}
        with pytest.raises(SQLAlchemyError, match="idle-in-transaction"):
            writing.execute(text("SELECT 1"))
        writing.close()

    run_two_houses(tmp_path, postgres, scene, monkeypatch)


def test_dropped_connection_releases_all_tables_and_recovers(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: SharedHouse, second: SharedHouse) -> None:
        await first.open()
        await furnish(first)
        table = first.tables["stud"]
        kill_connection(first.locks, second)
        await first.take_free_tables()
        assert (first.tables, first.locks.held) == ({}, set())
        with pytest.raises(LedgerError):
            await table.send(Envelope(ANN, PutWager(1, "ante", Cents(500))))
        await first.take_free_tables()
        assert list(first.tables) == ["stud"]
        await send_command(first, "stud", ANN, PutWager(1, "ante", Cents(500)))

    run_two_houses(tmp_path, postgres, scene, monkeypatch)


def test_failed_takeover_is_retried(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: SharedHouse, second: SharedHouse) -> None:
        await leave_table(first)

        async def fails(_: object) -> None:
            raise RoundError("not now")

        with monkeypatch.context() as damaged:
            damaged.setattr(second, "load", fails)
            await second.take_free_tables()
        assert (second.tables, second.locks.held) == ({}, {"cage"})
        await second.take_free_tables()
        assert list(second.tables) == ["stud"]

    run_two_houses(tmp_path, postgres, scene, monkeypatch)


def test_slow_takeover_keeps_its_locks(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: SharedHouse, second: SharedHouse) -> None:
        await leave_table(first)
        monkeypatch.setattr(leases, "LOOK_SECONDS", 0.05)
        beats, take, load_table = 0, second.locks.take, second.load

        def count_take(streams: Iterable[str]) -> list[str]:
            nonlocal beats
            beats += 1
            return take(streams)

        async def load_slowly(stream: Stream) -> LiveTable:
            async with asyncio.timeout(30):
                while beats < 5:  # The one that found the table free, and heartbeats.
                    await asyncio.sleep(0.01)
            return await load_table(stream)

        monkeypatch.setattr(second.locks, "take", count_take)
        monkeypatch.setattr(second, "load", load_slowly)
        await second.take_free_tables()
        assert second.get("stud") is second.tables["stud"]
        await send_command(second, "stud", ANN, PutWager(1, "ante", Cents(500)))

    run_two_houses(tmp_path, postgres, scene, monkeypatch)


def test_locks_lost_during_a_takeover_unload_everything(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: SharedHouse, second: SharedHouse) -> None:
        await leave_table(first)
        monkeypatch.setattr(leases, "LOOK_SECONDS", 0.05)

        cutting: list[asyncio.Future[None]] = []

        async def never(_: Stream) -> LiveTable:
            cutting.append(
                asyncio.ensure_future(asyncio.to_thread(kill_connection, second.locks, first))
            )
            await asyncio.Event().wait()
            raise AssertionError

        with monkeypatch.context() as slow:
            slow.setattr(second, "load", never)
            await second.take_free_tables()
        await asyncio.gather(*cutting)
        assert (second.tables, second.locks.held) == ({}, set())
        await second.take_free_tables()
        assert list(second.tables) == ["stud"]

    run_two_houses(tmp_path, postgres, scene, monkeypatch)


def test_free_tables_are_taken_in_the_background(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: SharedHouse, second: SharedHouse) -> None:
        await first.open()
        await furnish(first)
        monkeypatch.setattr(leases, "LOOK_SECONDS", 0.01)
        await second.open()
        streams, failed = second.ledger.streams, False

        failures: list[Exception] = [LedgerError("The ledger cannot be read"), KeyError("a bug")]

        def twice(prefix: str = "") -> object:
            nonlocal failed
            if failures:
                raise failures.pop()
            failed = True
            return streams(prefix)

        def never(prefix: str = "") -> object:
            raise LedgerError("The ledger cannot be read")

        monkeypatch.setattr(second.ledger, "streams", twice)
        with monkeypatch.context() as unreadable:
            unreadable.setattr(first.ledger, "streams", never)
            with pytest.raises(LedgerError, match="The ledger cannot be read"):
                await first.take_free_tables()
        assert list(first.tables) == ["stud"], "a book that cannot be read now loses no table"
        first.locks.close()
        async with asyncio.timeout(30):
            while not second.tables:
                await asyncio.sleep(0.01)
        assert failed

    run_two_houses(tmp_path, postgres, scene, monkeypatch)
