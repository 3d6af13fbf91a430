"""`pitbook restore` says how far a backup is proved."""

from __future__ import annotations

import shutil
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from tests.cli.conftest import Furnish
from tests.cli.ledger_folders import ANN, CASH, cage_book, use_folder
from tests.command_line import Ask

from pitbook.house.ledger.accounts import move
from pitbook.house.ledger.backup import write_backup
from pitbook.house.ledger.data_folder import CHECKPOINTS_FILE, KEYS_FILE, Folder


@pytest.fixture
def house(tmp_path: Path, furnish: Furnish, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A house that signed one checkpoint."""
    use_folder(tmp_path, monkeypatch)
    path = furnish(cage_book, tmp_path / "house")
    with Folder.open(path) as folder:
        folder.sign()
    return path


def buy_in(folder: Folder, cents: int) -> None:
    fact = {"fact": "buy-in", "player": "ann", "amount": f"{cents / 100:.2f}"}
    epoch = folder.ledger.claim("cage", actor="kim")
    folder.ledger.append("cage", epoch, [fact], [move(CASH, ANN, cents, "buy-in")], actor="kim")


def backup_with_unsigned_entries(house: Path, file: str, *, at: str) -> str:
    """A backup with unsigned entries; returns the time of its checkpoint."""
    with Folder.open(house) as folder:
        signed = folder.checkpoints[-1].at
        buy_in(folder, 5_000_000)
        beside = {name: house / name for name in (CHECKPOINTS_FILE, KEYS_FILE)}
        write_backup(folder.ledger, Path(file), beside, at=at)
    return signed


def time_after_checkpoint(house: Path, seconds: float) -> str:
    with Folder.open(house) as folder:
        signed = datetime.fromisoformat(folder.checkpoints[-1].at)
    return (signed + timedelta(seconds=seconds)).isoformat(timespec="microseconds")


TAIL = "the backup: 2 entries are newer than its latest checkpoint. A backup signs first"


@pytest.mark.long
@pytest.mark.parametrize("seconds", [10.001, 3_600, -1])
def test_backup_with_a_forged_tail_is_not_sound(ask: Ask, house: Path, seconds: float) -> None:
    earlier = house.parent / "earlier"  # Its later checkpoints and their notes were removed.
    shutil.copytree(house, earlier)
    signed = backup_with_unsigned_entries(
        earlier, "forged.zip", at=time_after_checkpoint(house, seconds)
    )
    answer = ask("restore", "forged.zip", "--data", "again")
    assert answer.code == 1
    assert f"Finding: {TAIL}" in answer.out
    assert "The ledger is altered: 1 finding." in answer.out
    assert f"Latest checkpoint {signed}: 2 entries are younger." in answer.out
    assert "Entries from 6 of cage on (2" in answer.out
    document = ask("restore", "forged.zip", "--data", "more", "--json").document
    assert document["result"] == "findings"
    assert [finding["where"] for finding in document["findings"]] == ["the backup"]
    assert [(entry["stream"], entry["seq"]) for entry in document["unproved"]] == [("cage", 6)]


@pytest.mark.parametrize("at", ["no time", "2026-11-16T10:27:59"])
def test_backup_with_an_invalid_time_is_not_sound(ask: Ask, house: Path, at: str) -> None:
    backup_with_unsigned_entries(house, "forged.zip", at=at)
    answer = ask("restore", "forged.zip", "--data", "again")
    assert (answer.code, TAIL in answer.out) == (1, True)


@pytest.mark.parametrize("seconds", [0, 0.005, 10])
def test_older_backup_with_a_short_gap_is_restored(ask: Ask, house: Path, seconds: float) -> None:
    signed = backup_with_unsigned_entries(
        house, "early.zip", at=time_after_checkpoint(house, seconds)
    )
    answer = ask("restore", "early.zip", "--data", "again")
    assert answer.code == 0
    assert "The ledger is intact." in answer.out
    assert f"Latest checkpoint {signed}: 2 entries are younger." in answer.out
    assert ") are not confirmed." in answer.out
    document = ask("restore", "early.zip", "--data", "more", "--json").document
    assert (document["result"], document["entries_since"]) == ("sound", 2)


@pytest.mark.long
def test_restore_reports_the_same_as_verify(ask: Ask, house: Path) -> None:
    ask("backup", "all.zip", "--with-keys", "--data", "house")
    restored = ask("restore", "all.zip", "--data", "again").out
    verified = ask("audit", "verify", "--data", "again").out
    assert restored.endswith(verified)
    assert ": it covers every entry.\n" in verified
    restored_document = ask("restore", "all.zip", "--data", "more", "--json").document
    verified_document = ask("audit", "verify", "--data", "more", "--json").document
    assert restored_document.items() >= verified_document.items()
