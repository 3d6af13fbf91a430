"""`pitbook restore` says how far a backup is proved, and takes no more on trust than it must."""

from __future__ import annotations

import shutil
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from tests.cli.books import ANN, CASH, alone, cage_book
from tests.cli.conftest import Furnish
from tests.command_line import Ask

from pitbook.house.ledger.accounts import move
from pitbook.house.ledger.backup import write_backup
from pitbook.house.ledger.folder import CHECKPOINTS, KEYS, Folder


@pytest.fixture
def house(tmp_path: Path, furnish: Furnish, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A house that signed once."""
    alone(tmp_path, monkeypatch)
    made = furnish(cage_book, tmp_path / "house")
    with Folder.open(made) as folder:
        folder.sign()
    return made


def buy_in(folder: Folder, cents: int) -> None:
    fact = {"fact": "buy-in", "player": "ann", "amount": f"{cents / 100:.2f}"}
    epoch = folder.ledger.claim("cage", actor="kim")
    folder.ledger.append("cage", epoch, [fact], [move(CASH, ANN, cents, "buy-in")], actor="kim")


def added_to(house: Path, file: str, *, at: str) -> str:
    """A backup with entries that nobody signed; the checkpoint was signed at the given time."""
    with Folder.open(house) as folder:
        signed = folder.checkpoints[-1].at
        buy_in(folder, 5_000_000)
        beside = {name: house / name for name in (CHECKPOINTS, KEYS)}
        write_backup(folder.ledger, Path(file), beside, at=at)
    return signed


def after(house: Path, seconds: float) -> str:
    with Folder.open(house) as folder:
        signed = datetime.fromisoformat(folder.checkpoints[-1].at)
    return (signed + timedelta(seconds=seconds)).isoformat(timespec="microseconds")


TAIL = "the backup: 2 entries are younger than its latest checkpoint; a backup signs first"


@pytest.mark.long
@pytest.mark.parametrize("seconds", [10.001, 3_600, -1])
def test_a_tail_that_no_backup_has_is_not_restored_as_sound(
    ask: Ask, house: Path, seconds: float
) -> None:
    earlier = house.parent / "earlier"  # Its later checkpoints and their notes were cut.
    shutil.copytree(house, earlier)
    signed = added_to(earlier, "forged.zip", at=after(house, seconds))
    answer = ask("restore", "forged.zip", "--data", "again")
    assert answer.code == 1
    assert f"Finding: {TAIL}" in answer.out
    assert "The book is not sound: 1 finding." in answer.out
    assert f"Latest checkpoint {signed}: 2 entries are younger." in answer.out
    assert "From entry 6 of cage on (2" in answer.out
    document = ask("restore", "forged.zip", "--data", "more", "--json").document
    assert document["result"] == "findings"
    assert [one["where"] for one in document["findings"]] == ["the backup"]
    assert [(one["stream"], one["seq"]) for one in document["unproved"]] == [("cage", 6)]


@pytest.mark.parametrize("at", ["no time", "2026-11-16T10:27:59"])
def test_a_backup_that_was_made_at_no_time_signed_no_time_before(
    ask: Ask, house: Path, at: str
) -> None:
    added_to(house, "forged.zip", at=at)
    answer = ask("restore", "forged.zip", "--data", "again")
    assert (answer.code, TAIL in answer.out) == (1, True)


@pytest.mark.parametrize("seconds", [0, 0.005, 10])
def test_an_earlier_pitbook_s_backup_of_open_tables_is_restored_and_told(
    ask: Ask, house: Path, seconds: float
) -> None:
    signed = added_to(house, "early.zip", at=after(house, seconds))
    answer = ask("restore", "early.zip", "--data", "again")
    assert answer.code == 0
    assert "The book is sound." in answer.out
    assert f"Latest checkpoint {signed}: 2 entries are younger." in answer.out
    assert ") nothing is proved." in answer.out
    document = ask("restore", "early.zip", "--data", "more", "--json").document
    assert (document["result"], document["entries_since"]) == ("sound", 2)


@pytest.mark.long
def test_restore_tells_what_verify_tells(ask: Ask, house: Path) -> None:
    ask("backup", "all.zip", "--with-keys", "--data", "house")
    restored = ask("restore", "all.zip", "--data", "again").out
    verified = ask("audit", "verify", "--data", "again").out
    assert restored.endswith(verified)
    assert ": it covers every entry.\n" in verified
    restored_document = ask("restore", "all.zip", "--data", "more", "--json").document
    verified_document = ask("audit", "verify", "--data", "more", "--json").document
    assert restored_document.items() >= verified_document.items()
