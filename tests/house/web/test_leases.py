"""Table leases on PostgreSQL: one lock per table, and takeovers."""

from __future__ import annotations

import asyncio
import shutil
import signal
import time
from pathlib import Path

import pytest
from tests.house.web.conftest import PASSWORD
from tests.house.web.server_process import ServerProcess, run_server_with
from tests.house.web.stay_awake import AWAKE, never_silent
from tests.house.web.two_processes import (
    ANN,
    SHEET,
    SUE,
    furnish,
    kill_connection,
    run_two_houses,
    send_command,
)

from pitbook import load
from pitbook.errors import LedgerError, Superseded
from pitbook.house.ledger.data_folder import KEYS_FILE, Folder
from pitbook.house.table.commands import (
    Agree,
    CloseBetting,
    Interrupt,
    PutWager,
    Retire,
    Sit,
)
from pitbook.house.table.live_tables import interrupted_tables
from pitbook.house.web.leases import SharedHouse, lock_key
from pitbook.money import Cents


@pytest.mark.long
def test_second_process_takes_over_when_the_first_is_gone(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: SharedHouse, second: SharedHouse) -> None:
        await first.open()
        await furnish(first)
        await second.open()
        assert (list(first.tables), list(second.tables)) == (["stud"], [])
        assert first.locks.held == {"cage", "table/stud"}
        await second.take_free_tables()
        assert second.tables == {}
        epoch = second.ledger.stream("table/stud")
        kill_connection(first.locks, second)  # The process does not know that yet.
        await second.take_free_tables()
        assert list(second.tables) == ["stud"]
        assert second.locks.held == {"cage", "table/stud"}
        stream_taken = second.ledger.stream("table/stud")
        assert epoch
        assert stream_taken
        assert stream_taken.epoch == epoch.epoch + 1
        await send_command(second, "stud", ANN, PutWager(1, "ante", Cents(500)))
        with pytest.raises(Superseded, match='Another server has taken over "table/stud"'):
            await send_command(first, "stud", ANN, PutWager(1, "ante", Cents(500)))
        await second.cage.buy_in("ann", Cents(100), actor="sue")
        await first.take_free_tables()
        await first.take_free_tables()
        assert first.locks.held == set(), "what the second holds stays the second's"

    run_two_houses(tmp_path, postgres, scene, monkeypatch)


@pytest.mark.long
def test_closed_process_releases_its_tables_immediately(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: SharedHouse, second: SharedHouse) -> None:
        await first.open()
        await furnish(first)
        await second.open()
        await second.close()
        assert not second.folder.checkpoints, "one signs for all"
        await first.close()
        assert len(first.folder.checkpoints) == 1  # At the end.
        await second.take_free_tables()
        assert list(second.tables) == ["stud"]
        await send_command(second, "stud", ANN, PutWager(1, "ante", Cents(500)))

    run_two_houses(tmp_path, postgres, scene, monkeypatch)


@pytest.mark.long
def test_cage_works_at_every_address(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: SharedHouse, second: SharedHouse) -> None:
        await second.cage.fund(Cents(100), actor="sue")  # Before anyone has opened the cage.
        await first.open()
        await second.open()
        slips = [
            await house.cage.buy_in("ann", Cents(100), actor="sue", request=f"{number}")
            for number, house in enumerate((first, second, second, first, second))
        ]
        assert [slip.again for slip in slips] == [False] * 5
        again = await first.cage.buy_in("ann", Cents(100), actor="sue", request="1")
        assert again == slips[1]._replace(again=True)
        both = await asyncio.gather(
            *(
                house.cage.cash_out("ann", Cents(300), actor="sue", request=f"{number} out")
                for number, house in enumerate((first, second))
            ),
            return_exceptions=True,
        )
        assert sorted(type(result).__name__ for result in both) == ["Overdrawn", "Receipt"]
        assert first.ledger.balance(first.cage.wallet("ann")) == 200

    run_two_houses(tmp_path, postgres, scene, monkeypatch)


@pytest.mark.long
def test_money_at_other_processes_tables_is_known(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: SharedHouse, second: SharedHouse) -> None:
        await first.open()
        await furnish(first)
        other = load("oceanfront/mississippi-stud")
        await first.open_table("asks", "house", unit="usd", sheet=other, actor="sue")
        await second.open()
        assert second.cage.held_cents("ann") == 0
        await send_command(first, "stud", ANN, PutWager(1, "ante", Cents(500)))
        await send_command(first, "asks", ANN, Sit(1))
        await send_command(first, "asks", ANN, PutWager(1, "ante", Cents(200)))
        assert [house.cage.held_cents("ann") for house in (first, second)] == [700, 700]
        assert second.cage.held_cents("bob") == 0
        await send_command(first, "asks", ANN, CloseBetting())
        assert interrupted_tables(second.ledger, second.tables) == []
        await send_command(first, "asks", SUE, Interrupt("fire alarm"))
        (state,) = interrupted_tables(second.ledger, second.tables)
        assert state == first.tables["asks"].state
        assert (state.interruption, state.awaiting) == ("fire alarm", {"ann": None})
        assert interrupted_tables(first.ledger, {"table/asks", "table/stud"}) == []
        await send_command(first, "asks", ANN, Agree(1, finish=False))
        assert interrupted_tables(second.ledger, second.tables) == []
        assert second.cage.held_cents("ann") == 500

    run_two_houses(tmp_path, postgres, scene, monkeypatch)


@pytest.mark.long
def test_opening_a_table_can_be_repeated_at_another_address(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: SharedHouse, second: SharedHouse) -> None:
        await first.open()
        await furnish(first)
        await second.open()
        first.locks.close()  # It dies before anyone knows that the table is open.
        table = await second.open_table("stud", "house", unit="usd", sheet=SHEET, actor="sue")
        assert table.state.seats == {1: "ann"}
        assert second.tables == {"stud": table}
        await send_command(second, "stud", ANN, PutWager(1, "ante", Cents(500)))

    run_two_houses(tmp_path, postgres, scene, monkeypatch)


@pytest.mark.long
def test_table_name_is_used_once(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: SharedHouse, second: SharedHouse) -> None:
        await first.open()
        await second.open()
        await furnish(first)
        for house in (first, second):
            with pytest.raises(LedgerError, match='There is already a table "stud"'):
                await house.open_table("stud", "house", unit="usd", sheet=SHEET)
        assert "table/stud" in first.locks.held
        with pytest.raises(TypeError):
            await second.open_table("odd", "house", unit="usd", sheet=SHEET, nonsense=1)
        await first.open_table("odd", "house", unit="usd", sheet=SHEET)
        await send_command(first, "odd", SUE, Retire())
        await first.forget("odd")
        assert "table/odd" not in first.locks.held
        await second.take_free_tables()
        assert second.tables == {}, "what is retired is nobody's"
        assert "table/odd" not in second.locks.held
        await second.take_free_tables()

    run_two_houses(tmp_path, postgres, scene, monkeypatch)


def test_lock_keys_are_distinct() -> None:
    assert lock_key("table/one") == lock_key("table/one") != lock_key("table/two")
    assert all(-(2**63) <= lock_key(f"table/{number}") < 2**63 for number in range(100))


def tables(server: ServerProcess) -> int:
    with server.client() as client:
        table_count: int = client.get("/api/ready").raise_for_status().json()["tables"]
        return table_count


@pytest.mark.slow
def test_a_second_process_takes_over_from_a_killed_one(tmp_path: Path, postgres: str) -> None:
    first_folder, second_folder = tmp_path / "one", tmp_path / "two"

    async def open_and_close() -> None:
        with Folder.make(first_folder, postgres) as folder:
            house = SharedHouse(folder)
            await house.open()
            await furnish(house)
            await house.close()

    with never_silent():
        asyncio.run(open_and_close())
    second_folder.mkdir(mode=0o700)
    shutil.copy(first_folder / KEYS_FILE, second_folder / KEYS_FILE)
    where = ("--db", postgres)
    with (
        run_server_with(AWAKE, first_folder, *where) as first,
        run_server_with(AWAKE, second_folder, *where) as second,
    ):
        assert (tables(first), tables(second)) == (1, 0)
        credentials = {"name": "sue", "password": PASSWORD}
        link = second.link()  # The second start voided the first link.
        with first.client() as client:
            client.post(link, json=credentials).raise_for_status()
            cookies = client.cookies
        with second.client() as client:
            client.cookies = cookies
            assert client.get("/api/me").json()["name"] == "sue"
        assert first.stop(signal.SIGKILL) == -signal.SIGKILL
        until = time.monotonic() + 60
        while tables(second) == 0:
            assert time.monotonic() < until, "".join(second.log)
        assert second.stop() == 0
    with Folder.open(first_folder, postgres) as folder:
        assert folder.verify().findings == ()
