"""Locks that go, and come back: a silent line, a cut one, and a long way to take over."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from tests.house.web.two_houses import ANN, cut, do, furnish, left_behind, play

from pitbook.errors import LedgerError, RoundError
from pitbook.house.ledger.journal import Stream
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import (
    Envelope,
    PutWager,
)
from pitbook.house.web import leases
from pitbook.house.web.leases import SharedHouse
from pitbook.money import Cents

pytestmark = pytest.mark.long


def test_who_is_silent_is_cut_off_and_knows_it(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Patience is short for the lines that fall silent, and for nobody who only waits his turn."""
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
                    await first.look()
            writing = second.ledger.engine.connect()  # In mid-transaction, and then nothing more.
            writing.execute(text("SELECT * FROM stream WHERE name = 'table/stud' FOR UPDATE"))
        assert first.held("stud") is first.tables["stud"]
        clock[0] = leases.SILENT_SECONDS
        assert second.held("stud") is None
        async with asyncio.timeout(60):
            while not second.tables:
                await second.look()
        assert second.held("stud") is second.tables["stud"]
        assert first.held("stud") is None, "what may be another's by now is not spoken for"
        assert list(first.tables) == ["stud"]
        await first.look()
        assert first.tables == {}
        with pytest.raises(SQLAlchemyError, match="idle-in-transaction"):
            writing.execute(text("SELECT 1"))
        writing.close()

    play(tmp_path, postgres, scene, monkeypatch)


def test_a_cut_connection_lets_go_of_everything_and_comes_back(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: SharedHouse, second: SharedHouse) -> None:
        await first.open()
        await furnish(first)
        table = first.tables["stud"]
        cut(first.locks, second)
        await first.look()
        assert (first.tables, first.locks.held) == ({}, set())
        with pytest.raises(LedgerError):
            await table.send(Envelope(ANN, PutWager(1, "ante", Cents(500))))
        await first.look()
        assert list(first.tables) == ["stud"]
        await do(first, "stud", ANN, PutWager(1, "ante", Cents(500)))

    play(tmp_path, postgres, scene, monkeypatch)


def test_a_table_that_cannot_be_taken_now_is_tried_again(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: SharedHouse, second: SharedHouse) -> None:
        await left_behind(first)

        async def fails(_: object) -> None:
            raise RoundError("not now")

        with monkeypatch.context() as damaged:
            damaged.setattr(second, "load", fails)
            await second.look()
        assert (second.tables, second.locks.held) == ({}, {"cage"})
        await second.look()
        assert list(second.tables) == ["stud"]

    play(tmp_path, postgres, scene, monkeypatch)


def test_who_takes_long_to_take_over_is_not_taken_for_dead(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: SharedHouse, second: SharedHouse) -> None:
        await left_behind(first)
        monkeypatch.setattr(leases, "LOOK_SECONDS", 0.05)
        beats, take, load_table = 0, second.locks.take, second.load

        def counted(streams: Iterable[str]) -> list[str]:
            nonlocal beats
            beats += 1
            return take(streams)

        async def slowly(stream: Stream) -> LiveTable:
            async with asyncio.timeout(30):
                while beats < 5:  # The one that found the table free, and signs of life.
                    await asyncio.sleep(0.01)
            return await load_table(stream)

        monkeypatch.setattr(second.locks, "take", counted)
        monkeypatch.setattr(second, "load", slowly)
        await second.look()
        assert second.held("stud") is second.tables["stud"]
        await do(second, "stud", ANN, PutWager(1, "ante", Cents(500)))

    play(tmp_path, postgres, scene, monkeypatch)


def test_who_loses_the_locks_while_taking_over_has_nothing(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: SharedHouse, second: SharedHouse) -> None:
        await left_behind(first)
        monkeypatch.setattr(leases, "LOOK_SECONDS", 0.05)

        cutting: list[asyncio.Future[None]] = []

        async def never(_: Stream) -> LiveTable:
            cutting.append(asyncio.ensure_future(asyncio.to_thread(cut, second.locks, first)))
            await asyncio.Event().wait()
            raise AssertionError

        with monkeypatch.context() as slow:
            slow.setattr(second, "load", never)
            await second.look()
        await asyncio.gather(*cutting)
        assert (second.tables, second.locks.held) == ({}, set())
        await second.look()
        assert list(second.tables) == ["stud"]

    play(tmp_path, postgres, scene, monkeypatch)


def test_it_looks_by_itself(tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(first: SharedHouse, second: SharedHouse) -> None:
        await first.open()
        await furnish(first)
        monkeypatch.setattr(leases, "LOOK_SECONDS", 0.01)
        await second.open()
        streams, failed = second.ledger.streams, False

        failures: list[Exception] = [LedgerError("the book cannot be read"), KeyError("a bug")]

        def twice() -> object:
            nonlocal failed
            if failures:
                raise failures.pop()
            failed = True
            return streams()

        def never() -> object:
            raise LedgerError("the book cannot be read")

        monkeypatch.setattr(second.ledger, "streams", twice)
        with monkeypatch.context() as unreadable:
            unreadable.setattr(first.ledger, "streams", never)
            with pytest.raises(LedgerError, match="the book cannot be read"):
                await first.look()
        assert list(first.tables) == ["stud"], "a book that cannot be read now loses no table"
        first.locks.close()
        async with asyncio.timeout(30):
            while not second.tables:
                await asyncio.sleep(0.01)
        assert failed

    play(tmp_path, postgres, scene, monkeypatch)
