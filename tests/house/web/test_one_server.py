"""One server per ledger, by any path; a server that loses its ledger exits."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from tests.house.web.money_in_play import make_house_with_bet
from tests.house.web.server_process import SECONDS, ServerProcess, pitbook, run_server

from pitbook.house.ledger.data_folder import (
    CHECKPOINTS_FILE,
    KEYS_FILE,
    LEDGER_FILE,
    Folder,
    ledger_url,
)
from pitbook.house.ledger.ledger import Ledger

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(os.name != "posix", reason="signals and links are POSIX's"),
]
Elsewhere = Callable[[Path, Path], tuple[str, ...]]


def another_folder(house: Path, other: Path) -> tuple[str, ...]:
    """A separate data folder whose settings name the same ledger."""
    with Folder.make(other):
        pass
    return ("--data", str(other), "--database", ledger_url(house, None))


def copied_keys(house: Path, other: Path) -> tuple[str, ...]:
    """The same with the house's keys, as the docs describe for PostgreSQL."""
    other.mkdir(mode=0o700)
    shutil.copy(house / KEYS_FILE, other / KEYS_FILE)
    return ("--data", str(other), "--database", ledger_url(house, None))


def linked_folder(house: Path, other: Path) -> tuple[str, ...]:
    other.symlink_to(house)
    return ("--data", str(other))


def linked_file(house: Path, other: Path) -> tuple[str, ...]:
    other.mkdir(mode=0o700)
    shutil.copy(house / KEYS_FILE, other / KEYS_FILE)
    (other / LEDGER_FILE).symlink_to(house / LEDGER_FILE)
    return ("--data", str(other))


def hard_link(house: Path, other: Path) -> tuple[str, ...]:
    other.mkdir(mode=0o700)
    shutil.copy(house / KEYS_FILE, other / KEYS_FILE)
    os.link(house / LEDGER_FILE, other / LEDGER_FILE)
    return ("--data", str(other))


ALIASES = [another_folder, copied_keys, linked_folder, linked_file, hard_link]


@pytest.mark.parametrize("alias", ALIASES)
def test_second_server_on_a_ledger_is_refused_by_any_path(tmp_path: Path, alias: Elsewhere) -> None:
    house = tmp_path / "house"
    make_house_with_bet(house)
    with run_server(house) as first:
        options = alias(house, tmp_path / "other")
        with Ledger.open(ledger_url(house, None)) as ledger:
            ledger.claim("pit")  # In the write-ahead log, where a hard link would not find it.
        second = pitbook(house, "serve", "--port", "0", *options)
        assert second.returncode == 1, second.stdout
        assert "already" in second.stderr
        assert "Traceback" not in second.stderr
        assert is_ready(first)
        assert first.stop() == 0
    verify(house)


def test_ledger_is_free_as_soon_as_its_server_is_killed(tmp_path: Path) -> None:
    house = tmp_path / "house"
    make_house_with_bet(house)
    with run_server(house) as first:
        first.stop(signal.SIGKILL)
        with run_server(house) as second:
            assert is_ready(second)
            assert second.stop() == 0
    verify(house)


@pytest.mark.parametrize("alias", [another_folder, copied_keys])
def test_command_through_another_data_folder_is_refused_beside_a_server(
    tmp_path: Path, alias: Elsewhere
) -> None:
    house = tmp_path / "house"
    make_house_with_bet(house)
    with run_server(house) as server:
        options = alias(house, tmp_path / "other")
        for command in (("users", "unlock", "sue"), ("backup", str(tmp_path / "b.zip"))):
            result = pitbook(house, *command, *options)
            assert result.returncode == 1
            assert "is not the data folder of the server that uses" in result.stderr
        same = pitbook(house, "users", "list", "--data", str(house))
        assert same.returncode == 0, same.stderr
        assert server.stop() == 0
    verify(house)


def test_folder_with_other_keys_cannot_write_to_a_signed_ledger(tmp_path: Path) -> None:
    house = tmp_path / "house"
    make_house_with_bet(house)
    with run_server(house) as server:
        assert server.stop() == 0
    options = another_folder(house, tmp_path / "other")
    for command in (
        ("serve", "--port", "0"),
        ("users", "unlock", "sue"),
        ("backup", str(tmp_path / "b.zip")),
    ):
        result = pitbook(house, *command, *options)
        assert result.returncode == 1, result.stdout
        assert "is signed with another key" in result.stderr
    verify(house)


def test_process_with_other_keys_does_not_share_a_ledger_on_postgresql(
    tmp_path: Path, postgres: str
) -> None:
    first_house = tmp_path / "one"
    with run_server(first_house, "--database", postgres) as first:
        with run_server(first_house, "--database", postgres) as second:  # The same keys.
            assert is_ready(first)
            assert is_ready(second)
            assert second.stop() == 0
        assert first.stop() == 0
    with Folder.make(tmp_path / "two", postgres):
        pass
    second_house = ("--data", str(tmp_path / "two"), "--database", postgres)
    result = pitbook(first_house, "serve", "--port", "0", *second_house)
    assert (result.returncode, "is signed with another key" in result.stderr) == (1, True)
    audit = pitbook(first_house, "audit", "verify", "--data", str(first_house), "--db", postgres)
    assert audit.returncode == 0, audit.stdout


def test_superseded_server_fails_readiness_and_exits(tmp_path: Path) -> None:
    """For example by an old version, or on a network disk that the lock does not cover."""
    house = tmp_path / "house"
    make_house_with_bet(house)
    with run_server(house) as server:
        assert is_ready(server)
        signed = (house / CHECKPOINTS_FILE).read_bytes()
        with Ledger.open(ledger_url(house, None)) as taker:
            taker.claim("cage", actor="another server")
        assert not is_ready(server)
        assert server.wait_for_end() == 1
        log = "".join(server.log)
        assert '"event": "ledger_superseded"' in log
        assert "Another server has taken over" in log
        assert (house / CHECKPOINTS_FILE).read_bytes() == signed
    verify(house)


def test_two_processes_that_sign_at_once_keep_one_chain(tmp_path: Path) -> None:
    house = tmp_path / "house"
    make_house_with_bet(house)
    with Folder.open(house) as first, Folder.open(house) as second:
        before = len(first.checkpoints)
        ended = time.monotonic() + 1

        def sign(folder: Folder) -> None:
            while time.monotonic() < ended:
                folder.sign()

        threads = [threading.Thread(target=sign, args=(signer,)) for signer in (first, second)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(SECONDS)
        assert len(first.checkpoints) > before + 2
        assert first.verify().findings == ()


def is_ready(server: ServerProcess) -> bool:
    """Whether a load balancer would send players there."""
    try:
        with server.client() as client:
            return client.get("/api/ready").status_code == 200
    except httpx.TransportError:  # The server has stopped.
        return False


def verify(house: Path) -> None:
    audit = pitbook(house, "audit", "verify", "--data", str(house))
    assert audit.returncode == 0, audit.stdout
