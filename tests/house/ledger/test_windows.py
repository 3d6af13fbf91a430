"""Windows: file modes and owners are ignored, and the server lock still works."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType

import pytest
from tests.house.ledger.kit import NOTED, refusal_of

from pitbook import private_files
from pitbook.house.ledger import locks
from pitbook.house.ledger.anchors import AnchoredCheckpoint, anchor_at
from pitbook.house.ledger.data_folder import CHECKPOINTS_FILE, Folder
from pitbook.house.ledger.locks import FolderLock, is_served

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows itself needs no stand-in")


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Remove what Windows lacks, and list the locked file positions."""
    import fcntl

    places: list[int] = []

    def locking(descriptor: int, mode: int, size: int) -> None:
        assert (mode in (0, 2), size) == (True, 1)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB if mode else fcntl.LOCK_UN)
        places.append(os.lseek(descriptor, 0, os.SEEK_CUR))

    msvcrt = ModuleType("msvcrt")
    msvcrt.__dict__.update(LK_NBLCK=2, LK_UNLCK=0, locking=locking)
    monkeypatch.setitem(sys.modules, "msvcrt", msvcrt)
    monkeypatch.setattr(private_files, "POSIX", False)
    for name in ("fchmod", "fchown", "geteuid"):
        monkeypatch.delattr(os, name)
    return places


@pytest.mark.usefixtures("windows")
def test_windows_ignores_file_modes(tmp_path: Path) -> None:
    house = tmp_path / "house"
    house.mkdir()
    house.chmod(0o755)
    with Folder.make(house) as folder:
        folder.sign()
    (house / "pitbook.db").chmod(0o644)
    with Folder.open(house) as again:
        assert again.verify().findings == ()
    assert house.stat().st_mode & 0o777 == 0o755
    assert private_files.loose_files(house) == []


def test_folder_lock_names_its_server(
    tmp_path: Path, windows: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "RETRY_SECONDS", 0)
    with FolderLock(tmp_path):
        assert (
            f"a server (process {os.getpid()}) already uses"
            in refusal_of(FolderLock(tmp_path).__enter__)[1]
        )
        assert windows == [1_000]
    text = (tmp_path / "serve.lock").read_text()
    assert (text, max(windows) > len(text)) == (f"{os.getpid()}\n", True)
    with FolderLock(tmp_path):
        pass


def last_anchored(house: Path, outside: Path) -> AnchoredCheckpoint:
    """The last anchored checkpoint after a command that wrote."""
    with Folder.make(house).use_anchor(str(outside)) as folder:
        folder.signs_on_close = True
        folder.ledger.append("pit", folder.ledger.claim("pit"), [NOTED])
    return anchor_at(str(outside), house).read()[-1]


@pytest.mark.long
def test_folder_is_not_reported_closed_when_unknown(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    house, outside = tmp_path / "house", tmp_path / "outside.jsonl"
    assert last_anchored(house, outside).closed
    request.getfixturevalue("windows")
    assert is_served(house)
    assert not last_anchored(house, outside).closed
    assert len((house / CHECKPOINTS_FILE).read_text().splitlines()) == 2
