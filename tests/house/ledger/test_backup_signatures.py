"""Backups are fully signed, even if play or signing continues."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.house.ledger.kit import AT, NOTED, fill

from pitbook.house.ledger import data_folder as folder_module
from pitbook.house.ledger.append_batch import prune
from pitbook.house.ledger.audit import LedgerVerdict
from pitbook.house.ledger.backup import write_backup
from pitbook.house.ledger.checkpoints import read_checkpoints
from pitbook.house.ledger.data_folder import CHECKPOINTS_FILE, KEYS_FILE, Folder, restore_folder
from pitbook.house.ledger.writer import utc_now


@pytest.fixture
def house(tmp_path: Path) -> Path:
    with Folder.make(tmp_path / "house") as folder:
        fill(folder.ledger)
    return tmp_path / "house"


def meanwhile(
    monkeypatch: pytest.MonkeyPatch,
    *,
    before: Callable[[], object] = lambda: None,
    after: Callable[[], object] = lambda: None,
) -> None:
    """What others do between the signature and the backup's moment, and while it is written."""

    def write_then_wait(*args: Any, **options: Any) -> Any:
        before()
        manifest = write_backup(*args, **options)
        after()
        return manifest

    monkeypatch.setattr(folder_module, "write_backup", write_then_wait)


def backed_up(folder: Folder, new: str = "new") -> LedgerVerdict:
    """A folder restored from a backup."""
    there = folder.path.parent
    folder.back_up(there / f"{new}.zip", with_keys=True)
    restore_folder(there / f"{new}.zip", there / new)
    with Folder.open(there / new) as again:
        return again.verify()


@pytest.mark.long
def test_backup_of_an_idle_house_adds_no_checkpoints(house: Path) -> None:
    with Folder.open(house) as folder:
        verdict = backed_up(folder)
        assert (verdict.findings, verdict.proved.unsigned_entries, verdict.checkpoints) == (
            (),
            0,
            1,
        )
        assert read_checkpoints(house.parent / "new" / CHECKPOINTS_FILE) == folder.checkpoints


def test_stream_names_may_contain_spaces(house: Path) -> None:
    with Folder.open(house) as folder:
        folder.ledger.claim("friday's big game")
        verdict = backed_up(folder)
        assert (verdict.findings, verdict.proved.unsigned_entries, verdict.checkpoints) == (
            (),
            0,
            1,
        )


def test_checkpoints_in_a_backup_are_compressed(house: Path) -> None:
    with Folder.open(house) as folder:
        folder.back_up(house.parent / "monday.zip")
    with zipfile.ZipFile(house.parent / "monday.zip") as archive:
        assert archive.getinfo(CHECKPOINTS_FILE).compress_type == zipfile.ZIP_DEFLATED


def test_backup_without_checkpoints_restores_without_them(house: Path) -> None:
    file = house.parent / "bare.zip"
    with Folder.open(house) as folder:
        write_backup(folder.ledger, file, {KEYS_FILE: house / KEYS_FILE}, at=AT)
    restore_folder(file, house.parent / "new")
    assert (house.parent / "new" / CHECKPOINTS_FILE).read_bytes() == b""
    with Folder.open(house.parent / "new") as again:
        assert again.checkpoints == ()
        assert again.verify().findings == ()


@pytest.mark.long
def test_entries_before_the_snapshot_are_signed_in_the_backup(
    house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Folder.open(house) as folder:
        epoch = folder.ledger.claim("table-1")
        meanwhile(monkeypatch, before=lambda: folder.ledger.append("table-1", epoch, [NOTED]))
        verdict = backed_up(folder)
        assert (verdict.findings, verdict.proved.unsigned_entries, verdict.checkpoints) == (
            (),
            0,
            2,
        )
        assert len(folder.checkpoints) == 1  # It is the backup's own.
    with Folder.open(house.parent / "new") as again:
        again.sign()
        assert again.verify().findings == ()


@pytest.mark.long
def test_backup_contains_checkpoints_up_to_its_snapshot_only(
    house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Folder.open(house) as folder, Folder.open(house) as server:
        epoch = server.ledger.claim("table-1")

        def play() -> None:
            server.ledger.append("table-1", epoch, [NOTED])
            server.sign()

        meanwhile(monkeypatch, before=play, after=play)
        verdict = backed_up(folder)
        assert (verdict.findings, verdict.proved.unsigned_entries) == ((), 0)
        assert (
            read_checkpoints(house.parent / "new" / CHECKPOINTS_FILE)[:2] == folder.checkpoints[:2]
        )
        assert len(folder.checkpoints) == 3
        assert folder.verify().findings == ()


@pytest.mark.long
def test_practice_before_the_backup_may_still_be_pruned(
    house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Folder.open(house) as folder:
        meanwhile(monkeypatch, before=lambda: folder.ledger.claim("practice/1", prunable=True))
        backed_up(folder)
    with Folder.open(house.parent / "new") as again:
        assert read_checkpoints(again.path / CHECKPOINTS_FILE)[-1].practice == ("practice/1",)
        prune(again.ledger, "practice/1", at=utc_now().isoformat(timespec="microseconds"))
        assert again.verify().findings == ()


@pytest.mark.long
def test_damaged_checkpoints_do_not_prevent_a_backup(house: Path) -> None:
    file = house / CHECKPOINTS_FILE
    with Folder.open(house) as folder:
        folder.sign()
        folder.sign()
    first, second = file.read_text().splitlines()
    file.write_text(f"{{}}\n{second}\n")
    with Folder.open(house) as folder:
        folder.back_up(house.parent / "monday.zip")
    with zipfile.ZipFile(house.parent / "monday.zip") as archive:
        assert archive.read(CHECKPOINTS_FILE) == file.read_bytes()
    assert first != "{}"


@pytest.mark.long
def test_failed_backup_leaves_no_file(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Folder, "_backup_checkpoints", full)
    with Folder.open(house) as folder, pytest.raises(OSError, match="No space left"):
        folder.back_up(house.parent / "monday.zip")
    assert list(house.parent.iterdir()) == [house]
