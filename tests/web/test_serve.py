"""A house that is started, asked, killed, started again and closed, as a process of its own."""

from __future__ import annotations

import asyncio
import io
import json
import os
import signal
import socket
import subprocess
import threading
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
import typer
from sqlalchemy import text
from tests.command_line import Ask
from tests.web.conftest import PASSWORD, WEAK, fast_folder, opened
from tests.web.served import Served, command, environment, pitbook, served

from pitbook import load
from pitbook.errors import LedgerError, PitbookError
from pitbook.ledger.accounts import Account
from pitbook.ledger.folder import CHECKPOINTS, Folder
from pitbook.ledger.keys import Keys
from pitbook.ledger.prune import prune
from pitbook.money import Cents
from pitbook.sheets.findings import SheetInvalid
from pitbook.table.actor import Accepted
from pitbook.table.commands import By, Envelope, PutWager, Sit
from pitbook.table.sight import Viewer
from pitbook.table.subscribers import Subscribers
from pitbook.web import serve
from pitbook.web.serve import Opening, check, run
from pitbook.web.settings import Settings, SettingsError

SHEET = "catfish-bend/mississippi-stud"


def furnished(path: Path) -> None:
    """A house with a table at which ann has five dollars in play."""
    path.mkdir()

    async def furnish() -> None:
        async with opened(path) as house:
            await house.cage.buy_in("ann", Cents(10_000), actor="sue")
            table = await house.open_table("one", "house", unit="usd", sheet=load(SHEET))
            for command in (Sit(1), PutWager(1, "ante", Cents(500))):
                answer = await table.send(Envelope(By("ann", "player"), command))
                assert isinstance(answer, Accepted)

    asyncio.run(furnish())


def sound(path: Path) -> None:
    with Folder.open(path) as folder:
        assert folder.verify().findings == ()
        assert folder.ledger.balance(Account("usd", "held", "one/1")) == 500
        assert folder.ledger.balance(Account("usd", "wallet", "ann")) == 9_500


def test_a_first_run_from_the_link_to_the_end(tmp_path: Path) -> None:
    data = tmp_path / "house"
    with served(data, new=True) as server, server.client() as client:
        assert server.address.startswith("http://127.0.0.1:")
        link = server.link()
        assert client.get("/api/ready").json() == {"status": "ready", "tables": 0}
        assert client.get("/api/me").status_code == 401
        given = {"name": "sue", "password": PASSWORD}
        assert client.post(link, json=given).status_code == 201
        assert client.get("/api/me").json() == {"name": "sue", "role": "supervisor"}
        assert client.post(link, json=given | {"name": "eve"}).status_code == 404
        assert server.stop() == 0
        assert server.lines.get() == "", "nothing else on standard output"
    events = [json.loads(line) for line in server.log]
    assert [one["event"] for one in events if one["event"] in ("open", "closed")] == [
        "open",
        "closed",
    ]
    log = "".join(server.log)
    assert link.rsplit("/", 1)[1] not in log
    assert PASSWORD not in log
    with Folder.open(data) as folder:
        assert folder.verify().findings == ()
        signed = {name: seq for name, seq, _ in folder.checkpoints[-1].heads}
        assert signed == {one.name: one.seq for one in folder.ledger.streams()}
    with served(data) as server, server.client() as client:
        assert client.post("/api/sign-in", json=given).status_code == 200
        assert server.stop(signal.SIGINT) == 0
        assert server.lines.get() == "", "there is a supervisor: no link"


def test_killed_and_started_again_nothing_is_missing(tmp_path: Path) -> None:
    data = tmp_path / "house"
    furnished(data)
    cookies: httpx.Cookies | None = None
    for number in range(3):
        with served(data) as server, server.client() as client:
            assert client.get("/api/ready").json()["tables"] == 1
            if cookies is None:
                given = {"name": "sue", "password": PASSWORD}
                client.post(server.link(), json=given).raise_for_status()
                cookies = client.cookies
            client.cookies = cookies
            assert client.get("/api/me").json()["name"] == "sue", "the sign-in outlives the kill"
            invited = client.post("/api/invitations", json={"role": "player"})
            path = invited.raise_for_status().json()["path"]
            joined = httpx.post(
                server.address + path, json={"name": f"p{number}", "password": PASSWORD}
            )
            joined.raise_for_status()
            assert server.stop(signal.SIGKILL) == -signal.SIGKILL
    sound(data)
    listed = json.loads(pitbook(data, "users", "list", "--json", "--data", str(data)).stdout)
    assert [one["name"] for one in listed["people"]] == ["p0", "p1", "p2", "sue"]


def test_a_second_server_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    data = tmp_path / "house"
    with served(data) as server:
        second = pitbook(data, "serve", "--port", "0", "--data", str(data))
        assert (second.returncode, second.stdout) == (1, "")
        assert second.stderr == (
            f"pitbook: {data}: a server (process {server.process.pid}) runs on this folder "
            "already; stop it first, or keep the book on PostgreSQL to run several.\n"
        )
        with server.client() as client:
            assert client.get("/api/ready").status_code == 200
        assert server.stop() == 0


def test_users_are_changed_while_the_house_is_open(tmp_path: Path) -> None:
    data = tmp_path / "house"
    with served(data) as server, server.client() as client:
        where = ("--data", str(data))
        added = subprocess.run(
            command("users", "add", "ann", "player", "--stdin", *where),
            env=environment(),
            input=f"{PASSWORD}\n",
            capture_output=True,
            check=False,
            text=True,
        )
        assert (added.returncode, added.stdout) == (0, "ann is a player now.\n")
        given = {"name": "ann", "password": PASSWORD}
        assert client.post("/api/sign-in", json=given).status_code == 200
        for _ in range(3):
            wrong = httpx.post(f"{server.address}/api/sign-in", json=given | {"password": "wrong"})
            assert wrong.status_code == 401
        assert httpx.post(f"{server.address}/api/sign-in", json=given).status_code == 401
        assert pitbook(data, "users", "unlock", "ann", *where).returncode == 0
        assert client.post("/api/sign-in", json=given).status_code == 200
        assert pitbook(data, "users", "disable", "ann", *where).returncode == 0
        assert client.post("/api/sign-in", json=given).status_code == 401
        assert client.get("/api/me").status_code == 401
        assert server.stop() == 0


def test_connections_do_not_hold_the_house_open(tmp_path: Path) -> None:
    data = tmp_path / "house"
    with served(data, PITBOOK_STOP_SECONDS="1") as server, server.client() as client:
        client.get("/api/health")
        port = int(server.address.rsplit(":", 1)[1])
        with socket.create_connection(("127.0.0.1", port)) as half:
            half.sendall(
                b"POST /api/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{"
            )
            assert client.get("/api/health").status_code == 200
            assert server.stop() == 0


def test_nonsense_on_the_wire_is_answered(tmp_path: Path) -> None:
    with served(tmp_path / "house") as server:
        port = int(server.address.rsplit(":", 1)[1])
        for raw in (b"\x00\xff\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"POST / HTTP/1.1\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
                line.sendall(raw)
                assert line.recv(100).startswith(b"HTTP/1.1 4")
        assert server.stop() == 0
    assert not [line for line in server.log if '"level": "error"' in line]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--port", "99999"), "--port: port is 99999; it should be less than or equal to 65535."),
        (("--host", "256.0.0.1"), '"256.0.0.1" is no address of this machine; --host names one.'),
        (("--config", "none.toml"), "none.toml: there is no such settings file."),
        (("--db", "mysql://x"), '"mysql" is no database that we keep books in; it is sqlite or '),
    ],
)
def test_a_house_that_cannot_open_says_why(
    tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    where = ("--data", str(tmp_path / "house"), "--port", "0")
    ended = pitbook(tmp_path / "x", "serve", *where, *arguments)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith(f"pitbook: {said}")
    assert ended.stderr.count("\n") == 1


def test_a_port_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SettingsError, match=f"port {port} of 127.0.0.1 is in use; --port"):
            run(Settings(data=tmp_path / "house", port=port), lambda _: None)
        monkeypatch.setenv("PITBOOK_MAKE", "1")
        with pytest.raises(SettingsError, match=f"in use; make run PORT={port + 1} takes"):
            run(Settings(data=tmp_path / "house", port=port), lambda _: None)
    assert not (tmp_path / "house").exists(), "nothing was made"


def test_settings_come_from_the_file_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "pitbook.toml").write_text('origins = ["https://play.example"]\nsecure = true\n')
    with served(tmp_path / "house") as server:
        assert server.address == "https://play.example"
        assert server.link().startswith("/api/invitations/")
        assert server.stop() == 0


# In this process ----------------------------------------------------------------------------------


def test_opened_asked_and_closed_by_a_signal(tmp_path: Path, lines: io.StringIO) -> None:
    data = tmp_path / "house"
    furnished(data)
    told: list[Opening] = []
    statuses: list[int] = []
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)

    def visit() -> None:
        with httpx.Client(base_url=told[0].address) as client:
            statuses.append(client.get("/api/ready").status_code)
            statuses.append(client.get("/api/nothing").status_code)
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
        from pitbook.ledger import checkpoints

        checkpoints.add(data / CHECKPOINTS, streams, keys, at="2026-01-01T00:00:00+00:00")
        with pytest.raises(LedgerError, match=r"table/one \d+ is not the entry that was signed"):
            check(folder, Settings(data=data))
        stranger = Keys(b"x" * 32, keys.sealing)
        checkpoints.add(data / CHECKPOINTS, streams, stranger, at="2026-01-02T00:00:00+00:00")
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
        prune(ledger.engine, practice, at="2026-01-01T00:00:00+00:00")
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
        (Settings(host="10.1.1.1", secure=True), "https://10.1.1.1:"),
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


# pitbook users ------------------------------------------------------------------------------------


def test_users_from_the_first_to_the_last(
    tmp_path: Path,
    ask: Ask,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = tmp_path / "house"
    data.mkdir()
    with fast_folder(data):
        pass
    for name, value in environment().items():
        monkeypatch.setenv(name, value)

    def users(*arguments: str, given: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(given))
        done = ask("users", *arguments, "--data", str(data))
        return done.code, done.out, done.err

    assert users("list") == (0, "Nobody yet; pitbook users add NAME ROLE adds somebody.\n", "")
    assert users("add", "sue", "supervisor", "--stdin", given=f"{PASSWORD}\n")[0] == 0
    assert users("add", "ann", "player", "--stdin", given=f"{PASSWORD}\n")[0] == 0
    assert users("role", "ann", "dealer") == (0, "ann is a dealer now.\n", "")
    assert users("disable", "ann", "--why", "asked") == (0, "ann is disabled.\n", "")
    assert users("list")[1] == "ann  dealer      disabled\nsue  supervisor\n"
    code, out, _ = users("enable", "ann", "--json")
    row = {"name": "ann", "role": "dealer", "disabled": False, "locked": False}
    assert (code, json.loads(out)) == (0, row)
    assert users("password", "ann", "--stdin", given="a new password\n")[0] == 0
    assert users("password", "ann", "--stdin", given="short\n") == (
        1,
        "",
        "pitbook: a password has 8 to 1000 characters.\n",
    )
    said = "pitbook: there is no terminal to ask for the password on; --stdin reads one.\n"
    assert users("password", "ann") == (1, "", said)
    said = 'pitbook: nobody is called "anne"; did you mean "ann"?\n'
    assert users("unlock", "anne") == (1, "", said)
    said = 'pitbook: "deeler" is no role; did you mean "dealer"?\n'
    assert users("role", "ann", "deeler") == (1, "", said)
    said = 'pitbook: "sue" is the only supervisor; add another one first.\n'
    assert users("disable", "sue") == (1, "", said)
    assert users("add", "bob", "player", "secret-as-argument")[0] == 2
    with Folder.open(data) as folder:
        actors = {entry.actor for entry in folder.ledger.entries("people")}
    assert all(one.endswith("at the machine") for one in actors)


def test_a_password_is_asked_for_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    from pitbook.cli import users

    typed = iter(["one two three", "one two three", "one two three", "another"])
    monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda _: True})())
    monkeypatch.setattr("getpass.getpass", lambda _: next(typed))
    assert users._password(stdin=False) == "one two three"
    with pytest.raises(PitbookError, match="the two passwords are not the same"):
        users._password(stdin=False)


def test_somebody_without_a_name_at_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    from pitbook.cli import users

    def nobody() -> str:
        raise KeyError("no such user")

    monkeypatch.setattr("getpass.getuser", nobody)
    assert users._actor() == "at the machine"


def test_the_opening_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    from pitbook.cli.serve import emit_opening

    opening = Opening("http://127.0.0.1:1", 2, None)
    emit_opening(opening)
    assert json.loads(capsys.readouterr().out) == opening._asdict()
    assert Served.__doc__


def test_signals_before_and_after_the_first() -> None:
    class Listener:
        should_exit = force_exit = False

    listener, stop = Listener(), serve._Stop()
    table = SimpleNamespace(subscribers=Subscribers())
    watching = table.subscribers.add(Viewer("", "spectator"))
    server = SimpleNamespace(stopping=asyncio.Event(), house=SimpleNamespace(tables={"one": table}))
    stop._ask()  # While the house is being opened: it is closed as soon as it is open.
    stop.of(server, listener)  # type: ignore[arg-type]
    assert (listener.should_exit, listener.force_exit) == (True, False)
    assert server.stopping.is_set()
    assert not watching.open
    stop._ask()
    assert listener.force_exit

    idle = serve._Stop()
    other = Listener()
    idle.of(server, other)  # type: ignore[arg-type]
    assert not other.should_exit


def test_an_end_of_input_is_no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    from pitbook.cli import users

    def ended(_: str) -> str:
        raise EOFError

    monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda _: True})())
    monkeypatch.setattr("getpass.getpass", ended)
    with pytest.raises(typer.Abort):
        users._password(stdin=False)
