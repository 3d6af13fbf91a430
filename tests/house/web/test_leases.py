"""Who holds a table: a lock each on PostgreSQL, and the next in line."""

from __future__ import annotations

import asyncio
import shutil
import signal
import time
from pathlib import Path

import pytest
from tests.house.web.awake import AWAKE, awake
from tests.house.web.conftest import PASSWORD
from tests.house.web.served import Served, served_with
from tests.house.web.two_houses import ANN, SHEET, SUE, cut, do, furnish, play

from pitbook import load
from pitbook.errors import LedgerError, Superseded
from pitbook.house.ledger.folder import KEYS, Folder
from pitbook.house.table.commands import (
    Agree,
    CloseBetting,
    Interrupt,
    PutWager,
    Retire,
    Sit,
)
from pitbook.house.table.tables import interrupted_tables
from pitbook.house.web.leases import SharedHouse, lock_key
from pitbook.money import Cents


@pytest.mark.long
def test_the_second_watches_and_takes_over_when_the_first_is_gone(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: SharedHouse, second: SharedHouse) -> None:
        await first.open()
        await furnish(first)
        await second.open()
        assert (list(first.tables), list(second.tables)) == (["stud"], [])
        assert first.locks.held == {"cage", "table/stud"}
        await second.look()
        assert second.tables == {}
        epoch = second.ledger.stream("table/stud")
        cut(first.locks, second)  # It does not know that yet.
        await second.look()
        assert list(second.tables) == ["stud"]
        assert second.locks.held == {"cage", "table/stud"}
        taken = second.ledger.stream("table/stud")
        assert epoch
        assert taken
        assert taken.epoch == epoch.epoch + 1
        await do(second, "stud", ANN, PutWager(1, "ante", Cents(500)))
        with pytest.raises(Superseded, match='another process has taken over "table/stud"'):
            await do(first, "stud", ANN, PutWager(1, "ante", Cents(500)))
        await second.cage.buy_in("ann", Cents(100), actor="sue")
        await first.look()
        await first.look()
        assert first.locks.held == set(), "what the second holds stays the second's"

    play(tmp_path, postgres, scene, monkeypatch)


@pytest.mark.long
def test_whoever_closes_in_good_order_lets_others_have_it_at_once(
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
        await second.look()
        assert list(second.tables) == ["stud"]
        await do(second, "stud", ANN, PutWager(1, "ante", Cents(500)))

    play(tmp_path, postgres, scene, monkeypatch)


@pytest.mark.long
def test_money_passes_at_whichever_address_it_is_asked_for(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: SharedHouse, second: SharedHouse) -> None:
        await second.cage.fund(Cents(100), actor="sue")  # Before anybody has opened the counter.
        await first.open()
        await second.open()
        slips = [
            await house.cage.buy_in("ann", Cents(100), actor="sue", request=f"{number}")
            for number, house in enumerate((first, second, second, first, second))
        ]
        assert [one.again for one in slips] == [False] * 5
        again = await first.cage.buy_in("ann", Cents(100), actor="sue", request="1")
        assert again == slips[1]._replace(again=True)
        both = await asyncio.gather(
            *(
                house.cage.cash_out("ann", Cents(300), actor="sue", request=f"{number} out")
                for number, house in enumerate((first, second))
            ),
            return_exceptions=True,
        )
        assert sorted(type(one).__name__ for one in both) == ["Overdrawn", "Receipt"]
        assert first.ledger.balance(first.cage.wallet("ann")) == 200

    play(tmp_path, postgres, scene, monkeypatch)


@pytest.mark.long
def test_what_lies_elsewhere_is_known_everywhere(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: SharedHouse, second: SharedHouse) -> None:
        await first.open()
        await furnish(first)
        other = load("oceanfront/mississippi-stud")
        await first.open_table("asks", "house", unit="usd", sheet=other, actor="sue")
        await second.open()
        assert second.cage.held("ann") == 0
        await do(first, "stud", ANN, PutWager(1, "ante", Cents(500)))
        await do(first, "asks", ANN, Sit(1))
        await do(first, "asks", ANN, PutWager(1, "ante", Cents(200)))
        assert [house.cage.held("ann") for house in (first, second)] == [700, 700]
        assert second.cage.held("bob") == 0
        await do(first, "asks", ANN, CloseBetting())
        assert interrupted_tables(second.ledger, second.tables) == []
        await do(first, "asks", SUE, Interrupt("fire alarm"))
        (state,) = interrupted_tables(second.ledger, second.tables)
        assert state == first.tables["asks"].state
        assert (state.interruption, state.awaiting) == ("fire alarm", {"ann": None})
        assert interrupted_tables(first.ledger, {"table/asks", "table/stud"}) == []
        await do(first, "asks", ANN, Agree(1, finish=False))
        assert interrupted_tables(second.ledger, second.tables) == []
        assert second.cage.held("ann") == 500

    play(tmp_path, postgres, scene, monkeypatch)


@pytest.mark.long
def test_a_new_table_is_asked_for_again_at_another_address(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: SharedHouse, second: SharedHouse) -> None:
        await first.open()
        await furnish(first)
        await second.open()
        first.locks.close()  # It dies before anybody hears that the table is open.
        table = await second.open_table("stud", "house", unit="usd", sheet=SHEET, actor="sue")
        assert table.state.seats == {1: "ann"}
        assert second.tables == {"stud": table}
        await do(second, "stud", ANN, PutWager(1, "ante", Cents(500)))

    play(tmp_path, postgres, scene, monkeypatch)


@pytest.mark.long
def test_a_name_is_given_once(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: SharedHouse, second: SharedHouse) -> None:
        await first.open()
        await second.open()
        await furnish(first)
        for house in (first, second):
            with pytest.raises(LedgerError, match='there is a table "stud" already'):
                await house.open_table("stud", "house", unit="usd", sheet=SHEET)
        assert "table/stud" in first.locks.held
        with pytest.raises(TypeError):
            await second.open_table("odd", "house", unit="usd", sheet=SHEET, nonsense=1)
        await first.open_table("odd", "house", unit="usd", sheet=SHEET)
        await do(first, "odd", SUE, Retire())
        await first.forget("odd")
        assert "table/odd" not in first.locks.held
        await second.look()
        assert second.tables == {}, "what is retired is nobody's"
        assert "table/odd" not in second.locks.held
        await second.look()

    play(tmp_path, postgres, scene, monkeypatch)


def test_locks_have_numbers_of_their_own() -> None:
    assert lock_key("table/one") == lock_key("table/one") != lock_key("table/two")
    assert all(-(2**63) <= lock_key(f"table/{number}") < 2**63 for number in range(100))


def tables(server: Served) -> int:
    with server.client() as client:
        found: int = client.get("/api/ready").raise_for_status().json()["tables"]
        return found


@pytest.mark.slow
def test_a_second_process_takes_over_from_a_killed_one(tmp_path: Path, postgres: str) -> None:
    one, two = tmp_path / "one", tmp_path / "two"

    async def opened() -> None:
        with Folder.make(one, postgres) as folder:
            house = SharedHouse(folder)
            await house.open()
            await furnish(house)
            await house.close()

    with awake():
        asyncio.run(opened())
    two.mkdir(mode=0o700)
    shutil.copy(one / KEYS, two / KEYS)
    where = ("--db", postgres)
    with served_with(AWAKE, one, *where) as first, served_with(AWAKE, two, *where) as second:
        assert (tables(first), tables(second)) == (1, 0)
        given = {"name": "sue", "password": PASSWORD}
        link = second.link()  # The second's start made the first's link void.
        with first.client() as client:
            client.post(link, json=given).raise_for_status()
            cookies = client.cookies
        with second.client() as client:
            client.cookies = cookies
            assert client.get("/api/me").json()["name"] == "sue"
        assert first.stop(signal.SIGKILL) == -signal.SIGKILL
        until = time.monotonic() + 60
        while tables(second) == 0:
            assert time.monotonic() < until, "".join(second.log)
        assert second.stop() == 0
    with Folder.open(one, postgres) as folder:
        assert folder.verify().findings == ()
