"""One server per ledger, tested in one process: a lock belongs to the open file."""

from __future__ import annotations

import errno
import fcntl
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from types import ModuleType

import pytest

from pitbook import private_files
from pitbook.errors import LedgerError
from pitbook.house.ledger import locks
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.data_folder import CHECKPOINTS_FILE, Folder
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.locks import LedgerLock, signing_lock
from pitbook.house.ledger.stream_kinds import AuditReplay

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has no fcntl to stand in")


def fake_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace msvcrt with flock, which also belongs to the open file."""

    def locking(descriptor: int, mode: int, size: int) -> None:
        assert size == 1
        fcntl.flock(descriptor, mode)

    msvcrt = ModuleType("msvcrt")
    modes = {"LK_NBLCK": fcntl.LOCK_EX | fcntl.LOCK_NB, "LK_UNLCK": fcntl.LOCK_UN}
    msvcrt.__dict__.update(locking=locking, **modes)
    monkeypatch.setitem(sys.modules, "msvcrt", msvcrt)
    monkeypatch.setattr(private_files, "POSIX", False)


@pytest.mark.parametrize("system", ["linux", "mac", "windows"])
def test_only_one_lock_holds_a_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    if system == "mac":
        monkeypatch.setattr(locks, "_ofd_command", lambda: None)
    if system == "windows":
        fake_windows(monkeypatch)
    file = tmp_path / "pitbook.db"
    with closing(LedgerLock(file)) as first, closing(LedgerLock(file)) as second:
        assert not second.is_taken()
        assert first.take()
        assert not first.is_taken()  # Held by this process only.
        assert second.is_taken()
        assert not second.take()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux locks the database file itself")
def test_server_runs_on_a_disk_without_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(fcntl, "fcntl", fail)
    with closing(LedgerLock(tmp_path / "pitbook.db")) as lock:
        assert lock.take()


def test_ledger_in_use_is_not_opened_from_another_folder(tmp_path: Path) -> None:
    folder = tmp_path / "house"
    Folder.make(folder).close()
    with closing(LedgerLock(folder / "pitbook.db")) as server:
        with Folder.make(folder) as early:
            assert server.take()
            with pytest.raises(LedgerError, match="already has this ledger open"):
                early.lock_ledger()
        with pytest.raises(LedgerError, match="already has this ledger open"):
            Folder.make(folder, exclusive=True)
        with pytest.raises(LedgerError, match="is not the data folder of the server"):
            Folder.make(folder)
    Folder.make(folder, exclusive=True).close()


def test_signing_gives_up_while_another_process_signs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "SIGN_SECONDS", 0.0)
    file = tmp_path / CHECKPOINTS_FILE
    with (
        signing_lock(file),
        pytest.raises(LedgerError, match="timed out while another process was signing"),
        signing_lock(file),
    ):
        pass


class Unreconcilable:
    """An audit whose comparison with other streams fails on forged facts."""

    def check_entry(self, entry: Entry) -> Iterator[str]:
        yield from ()

    def is_snapshot_of(self, document: object) -> bool:
        return True

    def reconcile(
        self, streams: Mapping[str, AuditReplay], balances: Mapping[Account, int]
    ) -> Iterator[str]:
        raise ValueError("forged")


def test_failed_comparison_is_a_finding(sqlite_ledger: Ledger) -> None:
    sqlite_ledger.claim("pit")
    findings = verify(sqlite_ledger, replay_of=lambda _: Unreconcilable()).findings
    assert [finding.where for finding in findings] == ["pit"]
    assert "forged" in str(findings[0])
