"""A server on its data folder: stopped abruptly and reopened without loss."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from pitbook import load
from pitbook.errors import LedgerError
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.data_folder import Folder
from pitbook.house.table import commands, live_tables
from pitbook.house.table.actor import Accepted
from pitbook.house.table.commands import By, Command, Envelope
from pitbook.house.table.live_tables import LiveTables
from pitbook.money import Cents

SHEET = load("catfish-bend/mississippi-stud")
ANN, GUS, SUE = By("ann", "player"), By("gus", "player"), By("sue", "supervisor")


def run(path: Path, play: Callable[[LiveTables], Awaitable[None]]) -> None:
    async def all_of_it() -> None:
        with Folder.make(path) as folder:
            opened = LiveTables(folder)
            await opened.open()
            try:
                await play(opened)
            finally:
                await opened.close()

    asyncio.run(all_of_it())


async def do(open_house: LiveTables, table: str, by: By, *given: Command) -> None:
    for command in given:
        answer = await open_house.tables[table].send(Envelope(by, command))
        assert isinstance(answer, Accepted), answer


async def _first_evening(open_house: LiveTables) -> None:
    await open_house.cage.buy_in("ann", Cents(10_000), actor="sue")
    await open_house.open_table("one", "house", unit="usd", sheet=SHEET, actor="sue")
    await open_house.open_table("mine", "practice", unit="play", sheet=SHEET, owner="gus")
    await do(open_house, "one", ANN, commands.Sit(1), commands.PutWager(1, "ante", Cents(500)))
    await do(open_house, "mine", GUS, commands.Sit(1), commands.PutWager(1, "ante", Cents(500)))
    with pytest.raises(LedgerError, match='There is already a table "one"'):
        await open_house.open_table("one", "house", unit="usd", sheet=SHEET)
    with pytest.raises(LedgerError, match='Table "mine" is still open'):
        await open_house.forget("mine")


def test_tables_are_restored_and_practice_is_removed(tmp_path: Path) -> None:
    run(tmp_path, _first_evening)

    async def second(open_house: LiveTables) -> None:
        assert sorted(open_house.tables) == ["mine", "one"]
        assert open_house.ledger.balance(Account("usd", "held", "one/1")) == 500
        await do(open_house, "mine", GUS, commands.CloseBetting(), commands.Decide(1, "fold"))
        await do(open_house, "mine", GUS, commands.Retire())
        await open_house.forget("mine")
        streams = [stream.name for stream in open_house.ledger.streams()]
        assert streams == ["cage", "checkpoints", "persons", "pruned", "table/one"]
        assert open_house.ledger.balances("play") == {}
        await do(open_house, "one", ANN, commands.Undo(1))
        await do(open_house, "one", SUE, commands.Retire())

    run(tmp_path, second)

    async def third(open_house: LiveTables) -> None:
        assert open_house.tables == {}

    run(tmp_path, third)
    with Folder.open(tmp_path) as folder:
        verdict = folder.verify()
        assert verdict.findings == ()
        assert verdict.checkpoints == 3  # At each end.
        assert folder.ledger.balance(Account("usd", "wallet", "ann")) == 10_000


def test_heads_are_signed_while_the_house_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_tables, "SIGN_CHECK_SECONDS", 0.01)
    monkeypatch.setattr(live_tables, "SIGN_SECONDS", 0.0)

    async def play(open_house: LiveTables) -> None:
        async with asyncio.timeout(60):
            while not open_house.folder.checkpoints:
                await asyncio.sleep(0.01)

    run(tmp_path, play)
    with Folder.open(tmp_path) as folder:
        assert len(folder.checkpoints) == 1  # Nothing new to sign at the end.


def test_failed_signing_is_retried_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(live_tables, "SIGN_SECONDS", 0.0)
    failures = [OSError("the disk is full"), LedgerError("The ledger cannot be read")]
    sign = Folder.sign

    def fail_to_sign(folder: Folder, **how: bool) -> object:
        if failures:
            raise failures.pop(0)
        return sign(folder, **how)

    monkeypatch.setattr(Folder, "sign", fail_to_sign)

    async def play(open_house: LiveTables) -> None:
        async with asyncio.timeout(60):
            while not open_house.folder.checkpoints:
                await asyncio.sleep(0.01)

    run(tmp_path, play)
    assert [record.getMessage() for record in caplog.records] == [
        "checkpoint_sign_failed: the disk is full",
        "checkpoint_sign_failed: The ledger cannot be read",
    ]


def test_names_and_request_ids_cannot_block_opening_a_table(tmp_path: Path) -> None:
    by = By("open table", "player")

    async def play(open_house: LiveTables) -> None:
        await open_house.open_table("one", "house", unit="usd", sheet=SHEET, actor="sue")
        answer = await open_house.tables["one"].send(Envelope(by, commands.Sit(1), "two"))
        assert isinstance(answer, Accepted)
        await open_house.open_table("two", "house", unit="usd", sheet=SHEET, actor="sue")
        assert open_house.tables["two"].state.table == "two"

    run(tmp_path, play)
