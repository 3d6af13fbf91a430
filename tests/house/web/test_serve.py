"""A server process that is started, called, killed, restarted and closed."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
from pathlib import Path

import httpx
import pytest
from tests.house.web.conftest import PASSWORD
from tests.house.web.money_in_play import assert_sound, make_house_with_bet
from tests.house.web.server_process import (
    command,
    environment,
    pitbook,
    run_server,
    run_server_from_shell,
)

from pitbook.errors import SettingsError
from pitbook.house.ledger.data_folder import Folder
from pitbook.house.settings import Settings
from pitbook.house.web.serve import run


@pytest.mark.long
def test_first_run_from_invitation_to_shutdown(tmp_path: Path) -> None:
    data = tmp_path / "house"
    with run_server_from_shell(data) as server, server.client() as client:
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
    assert [
        log_event["event"] for log_event in events if log_event["event"].startswith("server_")
    ] == [
        "server_started",
        "server_stopped",
    ]
    log = "".join(server.log)
    assert link.rsplit("/", 1)[1] not in log
    assert PASSWORD not in log
    with Folder.open(data) as folder:
        assert folder.verify().findings == ()
        signed = {name: seq for name, seq, _ in folder.checkpoints[-1].heads}
        stream_ends = {stream.name: stream.seq for stream in folder.ledger.streams()}
        assert signed | {"checkpoints": 1} == stream_ends  # Recorded in the ledger after signing.
    with run_server(data) as server, server.client() as client:
        assert client.post("/api/sign-in", json=given).status_code == 200
        assert server.stop(signal.SIGINT) == 0
        assert server.lines.get() == "", "there is a supervisor: no link"


@pytest.mark.long
def test_nothing_is_lost_after_kills(tmp_path: Path) -> None:
    data = tmp_path / "house"
    make_house_with_bet(data)
    cookies: httpx.Cookies | None = None
    for number in range(3):
        with run_server(data) as server, server.client() as client:
            assert client.get("/api/ready").json()["tables"] == 1
            if cookies is None:
                given = {"name": "sue", "password": PASSWORD}
                client.post(server.link(), json=given).raise_for_status()
                cookies = client.cookies
            client.cookies = cookies
            assert client.get("/api/me").json()["name"] == "sue", "the sign-in outlives the kill"
            invited = client.post("/api/invitations", json={"role": "player"})
            path = invited.raise_for_status().json()["path"]
            given = {"name": f"p{number}", "password": PASSWORD}
            joined = httpx.post(server.address + path, json=given, timeout=60)
            joined.raise_for_status()
            assert server.stop(signal.SIGKILL) == -signal.SIGKILL
    assert_sound(data)
    listed = json.loads(pitbook(data, "users", "list", "--json", "--data", str(data)).stdout)
    assert [person["name"] for person in listed["people"]] == ["p0", "p1", "p2", "sue"]


@pytest.mark.long
def test_a_second_server_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    data = tmp_path / "house"
    with run_server(data) as server:
        second = pitbook(data, "serve", "--port", "0", "--data", str(data))
        assert (second.returncode, second.stdout) == (1, "")
        assert second.stderr == (
            f"pitbook: {data}: a server (process {server.process.pid}) already "
            "uses this folder. Stop it first, or keep the ledger on PostgreSQL to run several.\n"
        )
        with server.client() as client:
            assert client.get("/api/ready").status_code == 200
        assert server.stop() == 0


@pytest.mark.long
def test_users_command_works_beside_a_server(tmp_path: Path) -> None:
    data = tmp_path / "house"
    with run_server(data) as server, server.client() as client:
        where = ("--data", str(data))
        added = subprocess.run(
            command("users", "add", "ann", "player", "--stdin", *where),
            env=environment(),
            input=f"{PASSWORD}\n",
            capture_output=True,
            check=False,
            text=True,
        )
        assert (added.returncode, added.stdout) == (0, "ann is now a player.\n")
        given, sign_in = {"name": "ann", "password": PASSWORD}, f"{server.address}/api/sign-in"
        assert client.post("/api/sign-in", json=given).status_code == 200
        for _ in range(3):
            wrong = given | {"password": "wrong"}
            assert httpx.post(sign_in, json=wrong, timeout=60).status_code == 401
        assert httpx.post(sign_in, json=given, timeout=60).status_code == 401
        assert pitbook(data, "users", "unlock", "ann", *where).returncode == 0
        assert client.post("/api/sign-in", json=given).status_code == 200
        assert pitbook(data, "users", "disable", "ann", *where).returncode == 0
        assert client.post("/api/sign-in", json=given).status_code == 401
        assert client.get("/api/me").status_code == 401
        assert server.stop() == 0


@pytest.mark.long
def test_open_connections_do_not_delay_shutdown(tmp_path: Path) -> None:
    data = tmp_path / "house"
    with run_server(data, PITBOOK_SHUTDOWN_SECONDS="1") as server, server.client() as client:
        client.get("/api/health")
        port = int(server.address.rsplit(":", 1)[1])
        with socket.create_connection(("127.0.0.1", port)) as half:
            half.sendall(
                b"POST /api/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{"
            )
            assert client.get("/api/health").status_code == 200
            assert server.stop() == 0


@pytest.mark.long
def test_malformed_requests_are_answered(tmp_path: Path) -> None:
    with run_server(tmp_path / "house") as server:
        port = int(server.address.rsplit(":", 1)[1])
        for raw in (b"\x00\xff\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"POST / HTTP/1.1\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
                connection.sendall(raw)
                assert connection.recv(100).startswith(b"HTTP/1.1 4")
        assert server.stop() == 0
    assert not [line for line in server.log if '"level": "error"' in line]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--port", "99999"), "--port: port is 99999: it should be less than or equal to 65535."),
        (
            ("--host", "256.0.0.1"),
            '"256.0.0.1" is not an address of this machine. Choose one with --host.',
        ),
        (("--config", "none.toml"), "none.toml: the settings file does not exist."),
        (("--db", "mysql://x"), '"mysql" is not supported. Use sqlite or '),
    ],
)
def test_failed_start_says_why(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    where = ("--data", str(tmp_path / "house"), "--port", "0")
    process = pitbook(tmp_path / "x", "serve", *where, *arguments)
    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr.startswith(f"pitbook: {message}")
    assert process.stderr.count("\n") == 1


def test_port_in_use_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server_socket:
        port = server_socket.getsockname()[1]
        with pytest.raises(SettingsError, match=f"Port {port} of 127.0.0.1 is in use"):
            run(Settings(data=tmp_path / "house", port=port), lambda _: None)
        monkeypatch.setenv("PITBOOK_MAKE", "1")
        with pytest.raises(SettingsError, match=f"Choose another with make run PORT={port + 1}"):
            run(Settings(data=tmp_path / "house", port=port), lambda _: None)
    assert not (tmp_path / "house").exists(), "nothing was made"


@pytest.mark.long
def test_settings_file_of_the_working_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "pitbook.toml").write_text('origins = ["https://play.example"]\nhttps = true\n')
    with run_server(tmp_path / "house") as server:
        assert server.address == "https://play.example"
        assert server.link().startswith("/api/invitations/")
        assert server.stop() == 0
