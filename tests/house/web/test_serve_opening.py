"""What is looked at before a house opens, and how it closes, in this process."""

from __future__ import annotations

import asyncio
import io
import json
import os
import signal
import socket
import threading
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from sqlalchemy import text
from tests.house.table.watching import watch
from tests.house.web.conftest import WEAK, fast_folder
from tests.house.web.furnished import furnished, sound
from tests.house.web.served import Served

from pitbook.errors import LedgerError
from pitbook.house.ledger.batch import prune
from pitbook.house.ledger.folder import CHECKPOINTS, Folder
from pitbook.house.ledger.keys import Keys
from pitbook.house.table.visibility import Viewer
from pitbook.house.table.watchers import Subscribers
from pitbook.house.web import serve
from pitbook.house.web.serve import Opening, check, run
from pitbook.house.web.settings import Settings
from pitbook.sheets.findings import SheetInvalid


@pytest.mark.long
def test_opened_asked_and_closed_by_a_signal(tmp_path: Path, lines: io.StringIO) -> None:
    data = tmp_path / "house"
    furnished(data)
    told: list[Opening] = []
    statuses: list[int] = []
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)

    def visit() -> None:
        try:
            with httpx.Client(base_url=told[0].address, timeout=60) as client:
                statuses.append(client.get("/api/ready").status_code)
                statuses.append(client.get("/api/nothing").status_code)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    thread = threading.Thread(target=visit)

    def tell(opening: Opening) -> None:
        told.append(opening)
        thread.start()

    run(Settings(data=data, port=0, sign_in=WEAK), tell)
    thread.join()
    assert statuses == [200, 404]
    assert (told[0].tables, told[0].supervisor is None) == (1, False)
    assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == before
    sound(data)


def damaged(data: Path, statement: str) -> LedgerError:
    with Folder.open(data) as folder:
        with folder.ledger.engine.begin() as connection:
            for one in ("entry", "stream"):
                for row in connection.execute(
                    text("SELECT name FROM sqlite_master WHERE type='trigger' AND tbl_name=:t"),
                    {"t": one},
                ).all():
                    connection.execute(text(f'DROP TRIGGER "{row.name}"'))
            connection.execute(text(statement))
        with pytest.raises(LedgerError) as error:
            check(folder, Settings(data=data))
    return error.value


ONE = "(SELECT id FROM stream WHERE name = 'table/one')"


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (
            f"UPDATE entry SET actor = 'eve' WHERE stream = {ONE} AND seq = 2",
            "table/one 2 was changed",
        ),
        (
            f"UPDATE stream SET head = '{'0' * 64}' WHERE name = 'table/one'",
            "table/one does not end at its head",
        ),
        (f"DELETE FROM entry WHERE stream = {ONE} AND seq = 2", "table/one 3 was changed"),
    ],
)
def test_a_book_that_was_touched_is_not_opened(tmp_path: Path, statement: str, said: str) -> None:
    data = tmp_path / "house"
    furnished(data)
    error = damaged(data, statement)
    assert str(error) == f"{data}: {said}; pitbook audit verify shows all that is wrong"


def test_a_book_that_was_cut_short_is_not_opened(tmp_path: Path) -> None:
    data = tmp_path / "house"
    furnished(data)
    with Folder.open(data) as folder:
        seq = next(one.seq for one in folder.ledger.streams() if one.name == "table/one")
        before = list(folder.ledger.entries("table/one"))[-2]
    error = damaged(
        data,
        f"UPDATE stream SET head = '{before.hash}', seq = {seq - 1} WHERE name = 'table/one'",
    )
    assert f"table/one {seq} is not the entry that was signed" not in str(error)
    assert "table/one does not end at its head" in str(error)


def test_an_entry_that_was_signed_must_be_there(tmp_path: Path) -> None:
    data = tmp_path / "house"
    furnished(data)
    lines = (data / CHECKPOINTS).read_text().splitlines()
    assert len(lines) == 1
    with Folder.open(data) as folder:
        keys = folder.keys
        streams = [
            one._replace(head="0" * 64) if one.name == "table/one" else one
            for one in folder.ledger.streams()
        ]
        from pitbook.house.ledger import checkpoints

        checkpoints.add_checkpoint(
            data / CHECKPOINTS, streams, keys, at="2026-01-01T00:00:00+00:00"
        )
        with pytest.raises(LedgerError, match=r"table/one \d+ is not the entry that was signed"):
            check(folder, Settings(data=data))
        stranger = Keys(b"x" * 32, keys.sealing)
        checkpoints.add_checkpoint(
            data / CHECKPOINTS, streams, stranger, at="2026-01-02T00:00:00+00:00"
        )
        with pytest.raises(LedgerError, match="is not signed by this house"):
            check(folder, Settings(data=data))


def test_long_streams_are_checked_at_their_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "RECENT", 2)
    with fast_folder(tmp_path) as folder:
        epoch = folder.ledger.claim("pit")
        for number in range(5):
            folder.ledger.append("pit", epoch, [{"fact": "noted", "number": number}])
        check(folder, Settings(data=tmp_path))


def test_another_process_may_write_while_the_book_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with fast_folder(tmp_path) as folder:
        ledger = folder.ledger
        epoch, practice = ledger.claim("pit"), "practice/gone"
        ledger.claim(practice, prunable=True)
        before = ledger.streams()
        ledger.append("pit", epoch, [{"fact": "noted"}])
        prune(ledger, practice, at="2026-01-01T00:00:00+00:00")
        monkeypatch.setattr(ledger, "streams", lambda: before)
        check(folder, Settings(data=tmp_path))
        ends = [one._replace(head="0" * 64) for one in before if one.name == "pit"]
        monkeypatch.setattr(ledger, "streams", lambda: ends)
        with pytest.raises(LedgerError, match="pit does not end at its head"):
            check(folder, Settings(data=tmp_path))


def test_a_sheet_with_an_error_stops_the_start(tmp_path: Path) -> None:
    sheets = tmp_path / "sheets"
    sheets.mkdir()
    (sheets / "bad.toml").write_text("id = 3")
    with fast_folder(tmp_path) as folder, pytest.raises(SheetInvalid, match=r"bad\.toml:1:"):
        check(folder, Settings(data=tmp_path, sheets=(sheets,)))


@pytest.mark.parametrize(
    ("settings", "address"),
    [
        (Settings(), "http://127.0.0.1:"),
        (Settings(host="0.0.0.0"), "http://127.0.0.1:"),
        (Settings(host="::"), "http://[::1]:"),
        (Settings(host="10.1.1.1", https=True), "https://10.1.1.1:"),
    ],
)
def test_the_address_is_one_that_a_browser_can_open(settings: Settings, address: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        assert serve._address(settings, listening) == f"{address}{port}"


def test_ports_that_are_not_for_everybody() -> None:
    import errno

    said = serve._unbound(OSError(errno.EACCES, "denied"), "127.0.0.1", 80)
    assert said == "port 80 is not for everybody to open; --port 8710 takes another"


def test_the_opening_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    from pitbook.house.cli.serve import emit_opening

    opening = Opening("http://127.0.0.1:1", 2, None)
    emit_opening(opening)
    assert json.loads(capsys.readouterr().out) == opening._asdict()
    assert Served.__doc__


def test_signals_before_and_after_the_first() -> None:
    class Listener:
        should_exit = force_exit = False

    listener, stop = Listener(), serve._Stop()
    table = SimpleNamespace(subscribers=Subscribers())
    watching = watch(table, Viewer("", "spectator"))  # type: ignore[arg-type]
    server = SimpleNamespace(stopping=asyncio.Event(), house=SimpleNamespace(tables={"one": table}))
    stop.ask()  # Asked during opening, so the house closes as soon as it is open.
    stop.of(server, listener)  # type: ignore[arg-type]
    assert (listener.should_exit, listener.force_exit) == (True, False)
    assert server.stopping.is_set()
    assert not watching.open
    stop.ask()
    assert listener.force_exit

    idle = serve._Stop()
    other = Listener()
    idle.of(server, other)  # type: ignore[arg-type]
    assert not other.should_exit
