"""Who holds a table: one process on a folder, a lock each on PostgreSQL, and the next in line."""

from __future__ import annotations

import asyncio
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from tests.web.awake import AWAKE, awake
from tests.web.conftest import PASSWORD
from tests.web.served import Served, served_with

from pitbook import load
from pitbook.errors import LedgerError, RoundError, Superseded
from pitbook.ledger.book import Stream
from pitbook.ledger.folder import KEYS, Folder
from pitbook.ledger.lock import LOCK
from pitbook.money import Cents
from pitbook.table.actor import Accepted, Table
from pitbook.table.commands import (
    Agree,
    By,
    CloseBetting,
    Command,
    Envelope,
    Interrupt,
    PutWager,
    Retire,
    Sit,
)
from pitbook.table.elsewhere import interrupted
from pitbook.table.house import House
from pitbook.web import leases
from pitbook.web.leases import FolderLock, Locks, SharedHouse, key_of

SHEET = load("catfish-bend/mississippi-stud")
ANN, SUE = By("ann", "player"), By("sue", "supervisor")

# One process on a folder --------------------------------------------------------------------------


def test_a_folder_is_held_by_one(tmp_path: Path) -> None:
    with FolderLock(tmp_path):
        with pytest.raises(LedgerError, match=r"a server \(process \d+\) runs on this folder"):
            FolderLock(tmp_path).__enter__()
        assert (tmp_path / LOCK).read_text().strip().isdigit()
    with FolderLock(tmp_path):
        pass
    FolderLock(tmp_path).__exit__()


HOLD = "import sys; from pathlib import Path; from pitbook.web.leases import FolderLock\n"
HOLD += "with FolderLock(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"


def test_a_dead_process_holds_nothing(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(LedgerError, match=rf"\(process {holder.pid}\)"):
            FolderLock(tmp_path).__enter__()
        holder.kill()
    with FolderLock(tmp_path):
        pass


# Several on a server ------------------------------------------------------------------------------

Play = Callable[[SharedHouse, SharedHouse], Awaitable[None]]


def play(tmp_path: Path, url: str, scene: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two houses over one book, each with a folder of its own and the same keys."""
    monkeypatch.setattr(leases, "LOOK_SECONDS", 3_600)  # A scene looks when it wants to.
    one, two = tmp_path / "one", tmp_path / "two"
    with Folder.make(one, url):
        two.mkdir(mode=0o700)
        shutil.copy(one / KEYS, two / KEYS)

    async def all_of_it() -> None:
        with Folder.make(one, url) as first_folder, Folder.make(two, url) as second_folder:
            first, second = SharedHouse(first_folder), SharedHouse(second_folder)
            try:
                await scene(first, second)
            finally:
                await first.close()
                await second.close()

    with awake():
        asyncio.run(all_of_it())
    with Folder.open(one, url) as folder:
        assert folder.verify().findings == ()


async def do(house: House, table: str, by: By, command: Command) -> None:
    answer = await house.tables[table].send(Envelope(by, command))
    assert isinstance(answer, Accepted), answer


async def furnish(house: SharedHouse) -> None:
    await house.cage.buy_in("ann", Cents(10_000), actor="sue")
    await house.open_table("stud", "house", unit="usd", sheet=SHEET, actor="sue")
    await do(house, "stud", ANN, Sit(1))


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
        assert interrupted(second.ledger, second.tables) == []
        await do(first, "asks", SUE, Interrupt("fire alarm"))
        (state,) = interrupted(second.ledger, second.tables)
        assert state == first.tables["asks"].state
        assert (state.interruption, state.awaiting) == ("fire alarm", {"ann": None})
        assert interrupted(first.ledger, {"table/asks", "table/stud"}) == []
        await do(first, "asks", ANN, Agree(1, finish=False))
        assert interrupted(second.ledger, second.tables) == []
        assert second.cage.held("ann") == 500

    play(tmp_path, postgres, scene, monkeypatch)


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


def cut(locks: Locks, by: SharedHouse) -> None:
    """What an administrator or a network does to a connection."""
    assert locks._connection is not None
    pid = locks._connection.execute(text("SELECT pg_backend_pid()")).scalar()
    with by.ledger.engine.begin() as connection:
        connection.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": pid})


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


def test_a_table_that_cannot_be_taken_now_is_tried_again(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(first: SharedHouse, second: SharedHouse) -> None:
        await first.open()
        await furnish(first)
        await first.close()

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
        await first.open()
        await furnish(first)
        await first.close()
        monkeypatch.setattr(leases, "LOOK_SECONDS", 0.05)
        beats, take, load_table = 0, second.locks.take, second.load

        def counted(streams: Iterable[str]) -> list[str]:
            nonlocal beats
            beats += 1
            return take(streams)

        async def slowly(stream: Stream) -> Table:
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
        await first.open()
        await furnish(first)
        await first.close()
        monkeypatch.setattr(leases, "LOOK_SECONDS", 0.05)

        cutting: list[asyncio.Future[None]] = []

        async def never(_: Stream) -> Table:
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


def test_locks_have_numbers_of_their_own() -> None:
    assert key_of("table/one") == key_of("table/one") != key_of("table/two")
    assert all(-(2**63) <= key_of(f"table/{number}") < 2**63 for number in range(100))


# Real processes -----------------------------------------------------------------------------------


def tables(server: Served) -> int:
    with server.client() as client:
        found: int = client.get("/api/ready").raise_for_status().json()["tables"]
        return found


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
