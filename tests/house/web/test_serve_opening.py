"""Checks before a server opens, and how it closes, in this process."""

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
from tests.house.table.visible_cards import watch
from tests.house.web.conftest import WEAK, fast_folder
from tests.house.web.money_in_play import assert_sound, make_house_with_bet
from tests.house.web.server_process import ServerProcess

from pitbook.errors import LedgerError
from pitbook.house.ledger.append_batch import prune
from pitbook.house.ledger.data_folder import CHECKPOINTS_FILE, Folder
from pitbook.house.ledger.keys import Keys
from pitbook.house.settings import Settings
from pitbook.house.table.visibility import Viewer
from pitbook.house.table.watchers import Subscribers
from pitbook.house.web import serve
from pitbook.house.web.serve import Opening, check, run
from pitbook.sheets.findings import SheetInvalid


@pytest.mark.long
def test_server_runs_and_closes_on_a_signal(tmp_path: Path, lines: io.StringIO) -> None:
    data = tmp_path / "house"
    make_house_with_bet(data)
    openings: list[Opening] = []
    statuses: list[int] = []
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)

    def visit() -> None:
        try:
            with httpx.Client(base_url=openings[0].address, timeout=60) as client:
                statuses.append(client.get("/api/ready").status_code)
                statuses.append(client.get("/api/nothing").status_code)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    thread = threading.Thread(target=visit)

    def announce(opening: Opening) -> None:
        openings.append(opening)
        thread.start()

    run(Settings(data=data, port=0, sign_in=WEAK), announce)
    thread.join()
    assert statuses == [200, 404]
    assert (openings[0].tables, openings[0].supervisor is None) == (1, False)
    assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == before
    assert_sound(data)


def opening_error_after(data: Path, statement: str) -> LedgerError:
    with Folder.open(data) as folder:
        with folder.ledger.engine.begin() as connection:
            for db_table in ("entry", "stream"):
                for row in connection.execute(
                    text("SELECT name FROM sqlite_master WHERE type='trigger' AND tbl_name=:t"),
                    {"t": db_table},
                ).all():
                    connection.execute(text(f'DROP TRIGGER "{row.name}"'))
            connection.execute(text(statement))
        with pytest.raises(LedgerError) as error:
            check(folder, Settings(data=data))
    return error.value


ONE = "(SELECT id FROM stream WHERE name = 'table/one')"


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (
            f"UPDATE entry SET actor = 'eve' WHERE stream = {ONE} AND seq = 2",
            "table/one 2 was changed",
        ),
        (
            f"UPDATE stream SET head = '{'0' * 64}' WHERE name = 'table/one'",
            "table/one has missing or extra entries at the end",
        ),
        (f"DELETE FROM entry WHERE stream = {ONE} AND seq = 2", "table/one 3 was changed"),
    ],
)
def test_altered_ledger_is_not_opened(tmp_path: Path, statement: str, message: str) -> None:
    data = tmp_path / "house"
    make_house_with_bet(data)
    error = opening_error_after(data, statement)
    assert str(error) == f"{data}: {message}. Run pitbook audit verify to see every problem."


def test_truncated_ledger_is_not_opened(tmp_path: Path) -> None:
    data = tmp_path / "house"
    make_house_with_bet(data)
    with Folder.open(data) as folder:
        seq = next(stream.seq for stream in folder.ledger.streams() if stream.name == "table/one")
        before = list(folder.ledger.entries("table/one"))[-2]
    error = opening_error_after(
        data,
        f"UPDATE stream SET head = '{before.hash}', seq = {seq - 1} WHERE name = 'table/one'",
    )
    assert f"table/one {seq} is not the entry that was signed" not in str(error)
    assert "table/one has missing or extra entries at the end" in str(error)


def test_signed_entry_must_exist(tmp_path: Path) -> None:
    data = tmp_path / "house"
    make_house_with_bet(data)
    lines = (data / CHECKPOINTS_FILE).read_text().splitlines()
    assert len(lines) == 1
    with Folder.open(data) as folder:
        keys = folder.keys
        streams = [
            stream._replace(head="0" * 64) if stream.name == "table/one" else stream
            for stream in folder.ledger.streams()
        ]
        from pitbook.house.ledger import checkpoints

        checkpoints.add_checkpoint(
            data / CHECKPOINTS_FILE, streams, keys, at="2026-01-01T00:00:00+00:00"
        )
        with pytest.raises(LedgerError, match=r"table/one \d+ is not the entry that was signed"):
            check(folder, Settings(data=data))
        stranger = Keys(b"x" * 32, keys.sealing)
        checkpoints.add_checkpoint(
            data / CHECKPOINTS_FILE, streams, stranger, at="2026-01-02T00:00:00+00:00"
        )
        with pytest.raises(LedgerError, match="is not signed with this casino's key"):
            check(folder, Settings(data=data))


def test_only_recent_entries_are_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "RECENT_ENTRIES", 2)
    with fast_folder(tmp_path) as folder:
        epoch = folder.ledger.claim("pit")
        for number in range(5):
            folder.ledger.append("pit", epoch, [{"fact": "noted", "number": number}])
        check(folder, Settings(data=tmp_path))


def test_other_processes_may_write_during_the_check(
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
        ends = [stream._replace(head="0" * 64) for stream in before if stream.name == "pit"]
        monkeypatch.setattr(ledger, "streams", lambda: ends)
        with pytest.raises(LedgerError, match="pit has missing or extra entries at the end"):
            check(folder, Settings(data=tmp_path))


def test_invalid_sheet_prevents_the_start(tmp_path: Path) -> None:
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
def test_announced_address_works_in_a_browser(settings: Settings, address: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener_socket:
        port = listener_socket.getsockname()[1]
        assert serve._address(settings, listener_socket) == f"{address}{port}"


def test_privileged_port_is_reported() -> None:
    import errno

    message = serve._bind_error(OSError(errno.EACCES, "denied"), "127.0.0.1", 80)
    assert message == "You do not have permission to open port 80. Choose another with --port 8710."


def test_opening_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    from pitbook.house.cli.serve import emit_opening

    opening = Opening("http://127.0.0.1:1", 2, None)
    emit_opening(opening)
    assert json.loads(capsys.readouterr().out) == opening._asdict()
    assert ServerProcess.__doc__


def test_repeated_signals_are_handled() -> None:
    class Listener:
        should_exit = force_exit = False

    listener, stop = Listener(), serve._Stop()
    table = SimpleNamespace(subscribers=Subscribers())
    watching = watch(table, Viewer("", "spectator"))  # type: ignore[arg-type]
    server = SimpleNamespace(stopping=asyncio.Event(), house=SimpleNamespace(tables={"one": table}))
    stop.request()  # Requested during opening: the server closes as soon as it is open.
    stop.attach(server, listener)  # type: ignore[arg-type]
    assert (listener.should_exit, listener.force_exit) == (True, False)
    assert server.stopping.is_set()
    assert not watching.open
    stop.request()
    assert listener.force_exit

    idle = serve._Stop()
    other = Listener()
    idle.attach(server, other)  # type: ignore[arg-type]
    assert not other.should_exit
