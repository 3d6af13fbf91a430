"""Rare failures of ledgers and anchors: a cut first line, a full disk, a dropped table."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.house.ledger.kit import AT, NOTED, fill, refusal_of, tamper
from tests.house.ledger.test_keys import KEYS

from pitbook.errors import LedgerError
from pitbook.house.ledger import checkpoints
from pitbook.house.ledger.anchors import AnchoredCheckpoint, anchor_at
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.checkpoints import CheckpointFile
from pitbook.house.ledger.data_folder import CHECKPOINTS_FILE, Folder
from pitbook.house.ledger.hash_chain import GENESIS, sha256
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.stream_kinds import NoMoneyAudit
from pitbook.house.ledger.writer import utc_now

ANCHORED = AnchoredCheckpoint(KEYS.public, "c" * 64, 1, "d" * 64, AT, 1, "e" * 64)
NEVER = 1e12  # Seconds: so old is no checkpoint.


def find_problems(sqlite_ledger: Ledger, **how: Any) -> list[str]:
    return [str(finding) for finding in verify(sqlite_ledger, **how).findings]


@pytest.fixture
def house(tmp_path: Path) -> Path:
    Folder.make(tmp_path / "house").close()
    return tmp_path / "house"


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    """A file that is not a database, long enough for SQLite to check."""
    file = tmp_path / "letter.txt"
    file.write_text("dear aunt, " * 100)
    return file


class TestCheckpoints:
    def test_cut_first_line_is_no_checkpoint(self, tmp_path: Path) -> None:
        file = tmp_path / CHECKPOINTS_FILE
        whole = checkpoints.add_checkpoint(file, [], KEYS, at=AT).line
        file.write_text(whole[:40])
        cut = CheckpointFile(file)
        assert (cut.last, cut.heads) == (None, ())
        checkpoint, place = cut.add([], KEYS, at=AT)
        assert (checkpoint.previous, place.number) == (GENESIS, 1)
        assert file.read_text() == f"{whole}\n"

    def test_unsigned_house_has_no_heads(self, tmp_path: Path) -> None:
        none = CheckpointFile(tmp_path / CHECKPOINTS_FILE)
        assert (none.heads, none.last) == ((), None)

    def test_last_checkpoint_equals_last_line_read(self, tmp_path: Path) -> None:
        file = tmp_path / CHECKPOINTS_FILE
        assert checkpoints.last_place(()) is None
        for at in ("1", "2"):
            checkpoints.add_checkpoint(file, [], KEYS, at=at)
            assert (
                checkpoints.last_place(checkpoints.read_checkpoints(file))
                == CheckpointFile(file).last
            )

    def test_invalid_utf8_is_reported_in_the_last_line_only(self, tmp_path: Path) -> None:
        file = tmp_path / CHECKPOINTS_FILE
        lines = [
            checkpoints.add_checkpoint(file, [], KEYS, at=at).line.encode() for at in ("1", "2")
        ]
        file.write_bytes(lines[0] + b"\xff\n" + lines[1] + b"\n")
        last = CheckpointFile(file).last
        assert last is not None
        assert (last.chain, last.at) == (
            sha256(f"{lines[0].decode()}\N{REPLACEMENT CHARACTER}"),
            "2",
        )
        file.write_bytes(lines[0] + b"\n" + lines[1] + b"\xff\n")
        message = f"{file}:2: not a checkpoint."
        assert refusal_of(lambda: CheckpointFile(file).last) == (LedgerError, message)

    @pytest.mark.parametrize("at", ["long ago", "2999-01-01T00:00:00"])
    def test_checkpoint_with_unreadable_or_future_time_is_due(self, house: Path, at: str) -> None:
        for signed_at, due in ((utc_now().isoformat(), False), (at, True)):
            with Folder.open(house) as folder:
                fill(folder.ledger, f"table {signed_at}")
                checkpoints.add_checkpoint(house / CHECKPOINTS_FILE, [], folder.keys, at=signed_at)
                assert folder.is_due(NEVER) is due

    def test_damaged_checkpoints_do_not_prevent_closing(
        self, house: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        (house / CHECKPOINTS_FILE).write_text("{}\n")
        (house / CHECKPOINTS_FILE).chmod(0o600)
        with Folder.open(house) as folder:
            folder.signs_on_close = True
            fill(folder.ledger)
        assert caplog.messages == [
            f"checkpoint_sign_failed: {house / CHECKPOINTS_FILE}:1: not a checkpoint."
        ]
        assert refusal_of(folder.ledger.claim, "table-1")[1] == "The ledger is closed."
        with Folder.open(house) as again:
            assert [stream.seq for stream in again.ledger.streams()] == [4]

    def test_full_disk_loses_a_checkpoint_but_no_entries(
        self, house: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(_: int) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        with monkeypatch.context() as disk, Folder.open(house) as folder:
            folder.signs_on_close = True
            fill(folder.ledger)
            disk.setattr(os, "fsync", full)
            folder.close()
        assert caplog.messages[0].startswith("checkpoint_sign_failed: [Errno 28] No space left")
        with Folder.open(house) as again:
            again.sign()
            verdict = again.verify()
            assert (verdict.findings, verdict.proved.unsigned_entries) == ((), 0)


class TestAnchors:
    def test_unnoted_checkpoint_is_anchored_with_the_next(
        self, house: Path, tmp_path: Path
    ) -> None:
        """The house died between the two."""
        outside = tmp_path / "outside.jsonl"
        with Folder.open(house) as folder:
            fill(folder.ledger)
            checkpoints.add_checkpoint(
                house / CHECKPOINTS_FILE, folder.ledger.streams(), folder.keys, at=AT
            )
            folder.use_anchor(str(outside))
            assert folder.anchor_now() is None
            assert not outside.exists()
            folder.sign()
        assert [checkpoint.number for checkpoint in anchor_at(str(outside), house).read()] == [2]

    def test_command_signs_its_own_entry_once(self, house: Path, tmp_path: Path) -> None:
        for signed in (1, 2, 2):
            with Folder.open(house) as folder:
                folder.use_anchor(str(tmp_path / "outside.jsonl")).signs_on_close = True
                if len(folder.checkpoints) < 2:
                    folder.ledger.claim("table-1")
            assert len(folder.checkpoints) == signed
        with Folder.open(house) as folder:
            folder.use_anchor(str(tmp_path / "outside.jsonl")).signs_on_close = True
            folder.sign()
        assert len(folder.checkpoints) == 3

    def test_anchor_is_closed_only_on_request(self, house: Path, tmp_path: Path) -> None:
        outside = str(tmp_path / "outside.jsonl")
        with Folder.open(house) as folder:
            folder.use_anchor(outside).back_up(tmp_path / "monday.zip")
            folder.anchor_now()
            folder.anchor_now(closed=True)
        anchored = anchor_at(outside, house).read()
        assert [checkpoint.closed for checkpoint in anchored] == [False, False, True]

    def test_unreadable_checkpoint_file_is_refused(self, house: Path, tmp_path: Path) -> None:
        kind, message = refusal_of(anchor_at(str(tmp_path), house).read)
        assert kind is LedgerError
        assert message.startswith(f"The anchor {tmp_path} cannot be read: ")

    def test_file_that_is_not_a_database_is_refused(self, house: Path, letter: Path) -> None:
        anchor, before = anchor_at(f"sqlite:///{letter}", house), letter.read_bytes()
        why = "file is not a database"
        assert refusal_of(anchor.add, ANCHORED)[1] == f"The anchor cannot be written: {why}"
        assert refusal_of(anchor.read)[1] == f"The anchor cannot be read: {why}"
        assert letter.read_bytes() == before

    @pytest.mark.long
    def test_database_without_an_anchor_table_is_refused(
        self, house: Path, sqlite_url: str
    ) -> None:
        anchor = anchor_at(sqlite_url, house)
        assert refusal_of(anchor.read)[1] == "That database has no anchor."
        anchor.add(ANCHORED)
        assert anchor.read() == [ANCHORED]


class TestLayout:
    def test_copy_with_another_schema_is_not_read(self, sqlite_url: str) -> None:
        with Ledger.open(sqlite_url) as book:
            tamper(book, "UPDATE alembic_version SET version_num = '0000'")
        message = "The ledger has schema version 0000, and this Pitbook reads 0001."
        assert refusal_of(Ledger.read_only, sqlite_url) == (LedgerError, message)

    def test_copy_without_a_ledger_is_not_read(self, letter: Path) -> None:
        message = "The ledger cannot be opened: file is not a database"
        assert refusal_of(Ledger.read_only, f"sqlite:///{letter}") == (LedgerError, message)

    def test_missing_copy_is_not_created(self, tmp_path: Path) -> None:
        message = "The ledger cannot be opened: unable to open database file"
        file = tmp_path / "book.db"
        assert refusal_of(Ledger.read_only, f"sqlite:///{file}") == (LedgerError, message)
        assert not file.exists()

    def test_overwritten_schema_version_is_found(self, sqlite_ledger: Ledger) -> None:
        fill(sqlite_ledger)
        tamper(sqlite_ledger, "UPDATE alembic_version SET version_num = '0000'")
        assert find_problems(sqlite_ledger) == [
            "the database: the schema version is recorded as 0000"
        ]

    def test_dropped_table_is_found(self, sqlite_ledger: Ledger) -> None:
        fill(sqlite_ledger)
        tamper(sqlite_ledger, "DROP TABLE snapshot")
        assert find_problems(sqlite_ledger) == [
            "the database: cannot be read further: no such table: snapshot"
        ]

    def test_view_replacing_a_table_is_found(self, sqlite_ledger: Ledger) -> None:
        fill(sqlite_ledger)
        tamper(
            sqlite_ledger,
            "ALTER TABLE snapshot RENAME TO aside",
            "CREATE VIEW snapshot AS SELECT * FROM aside",
        )
        assert find_problems(sqlite_ledger) == [
            "the snapshot table: its definition was changed",
            'the database: table "aside" does not belong to the ledger',
            'the database: view "snapshot" does not belong to the ledger',
        ]


class Stumbling(NoMoneyAudit):
    """An audit that fails on a forged snapshot."""

    def is_snapshot_of(self, document: Any) -> bool:
        raise KeyError(document["shoe"])


class TestKeptStates:
    @pytest.fixture
    def with_snapshot(self, sqlite_ledger: Ledger) -> Ledger:
        sqlite_ledger.append("pit", sqlite_ledger.claim("pit"), [NOTED], keep={"open": True})
        return sqlite_ledger

    def test_snapshot_of_a_stream_without_money_is_verified_by_hash(
        self, with_snapshot: Ledger
    ) -> None:
        assert find_problems(with_snapshot, replay_of=lambda _: NoMoneyAudit()) == []
        tamper(with_snapshot, f"UPDATE snapshot SET state = '{json.dumps({'open': False})}'")
        (only,) = find_problems(with_snapshot, replay_of=lambda _: NoMoneyAudit())
        assert only.startswith("pit 2: ")

    def test_snapshot_that_breaks_the_rules_is_a_finding(self, with_snapshot: Ledger) -> None:
        assert find_problems(with_snapshot, replay_of=lambda _: Stumbling()) == [
            "pit 2: its snapshot does not match its events"
        ]
