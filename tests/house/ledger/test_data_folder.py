"""Data folders: ledger, keys, checkpoints and backups."""

from __future__ import annotations

import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.house.ledger.kit import ANN, NOTED, buy_in, fill, refusal_of, tamper

from pitbook.errors import LedgerError
from pitbook.house.ledger import data_folder
from pitbook.house.ledger.checkpoints import add_checkpoint, read_checkpoints
from pitbook.house.ledger.data_folder import Folder, ledger_url, restore_folder
from pitbook.house.ledger.hash_chain import GENESIS
from pitbook.house.ledger.keys import generate_keys, read_keys, write_keys
from pitbook.house.ledger.ledger import Ledger


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "house" / "data"


@pytest.fixture(autouse=True)
def time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data_folder, "utc_now", lambda: datetime(2026, 1, 1, tzinfo=UTC))


def names(path: Path) -> set[str]:
    return {path.name for path in path.iterdir()} - {"pitbook.db-wal", "pitbook.db-shm"}


def test_new_house_has_all_files(path: Path) -> None:
    with Folder.make(path) as folder:
        assert names(path) == {"pitbook.db", "keys.json"}
        assert folder.keys == read_keys(path / "keys.json")
        assert folder.checkpoints == ()
        assert folder.path == path
        folder.ledger.claim("table-1")
    assert refusal_of(folder.ledger.claim, "table-1")[1] == "The ledger is closed."
    with Folder.make(path) as again:
        assert again.keys == folder.keys
        assert [stream.name for stream in again.ledger.streams()] == ["table-1"]


@pytest.mark.long
def test_folder_with_a_ledger_on_postgresql(path: Path, postgres: str) -> None:
    with Folder.make(path, postgres) as folder:
        folder.ledger.claim("table-1")
        assert names(path) == {"keys.json"}
    with Folder.open(path, postgres) as again:
        assert len(again.ledger.streams()) == 1
    assert refusal_of(Folder.open, path) == (
        LedgerError,
        f"{path}: there is no ledger here. Name its server with --database.",
    )


def test_missing_ledger_error_names_the_folder(path: Path) -> None:
    Folder.make(path).close()
    (path / "pitbook.db").unlink()
    message = f"{path}: there is no ledger here. Name its server with --database."
    assert refusal_of(Folder.open, path) == (LedgerError, message)


def test_keys_are_not_recreated_for_a_signed_ledger(path: Path) -> None:
    Folder.make(path).close()
    (path / "keys.json").unlink()
    assert refusal_of(Folder.make, path) == (
        LedgerError,
        f"{path}: there is a ledger but no keys.json. Put the key file back.",
    )
    assert refusal_of(Folder.open, path) == (
        LedgerError,
        f"{path}: not a data folder, because it has no keys.json.",
    )
    assert not (path / "keys.json").exists()


def test_missing_folder_is_refused(path: Path) -> None:
    assert refusal_of(Folder.open, path) == (
        LedgerError,
        f"{path}: the data folder does not exist. Name another with --data.",
    )
    assert not path.exists()


@pytest.mark.long
def test_open_requires_an_existing_folder(path: Path) -> None:
    Folder.make(path).close()
    with Folder.open(path) as opened:
        assert opened.ledger.streams() == []


def test_signed_ledger_verifies(path: Path) -> None:
    with Folder.make(path) as folder:
        epoch = fill(folder.ledger)
        first = folder.sign()
        folder.ledger.append("table-1", epoch, [NOTED])
        second = folder.sign()
        assert first.at == "2026-01-01T00:00:00.000000+00:00"
        assert first.previous == GENESIS
        assert folder.checkpoints == (first, second) == read_checkpoints(path / "checkpoints.jsonl")
        heads = [
            {name: seq for name, seq, _ in checkpoint.heads} for checkpoint in folder.checkpoints
        ]
        assert heads == [{"table-1": 4}, {"checkpoints": 1, "table-1": 5}]
        verdict = folder.verify()
        assert (verdict.findings, verdict.checkpoints) == ((), 2)


def test_ledger_verifies_with_another_checkpoint_file(path: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "auditor.jsonl"
    with Folder.make(path) as folder:
        fill(folder.ledger)
        add_checkpoint(elsewhere, folder.ledger.streams(), generate_keys(), at="1")
        folder.sign()
        folder.sign()
        assert folder.verify().checkpoints == 2
        verdict = folder.verify(elsewhere)
        assert verdict.checkpoints == 1
        assert [finding.what for finding in verdict.findings] == [
            f"it is signed with key {read_checkpoints(elsewhere)[0].key}, not with this "
            f"casino's key"
        ]


def test_cut_tail_is_found_by_the_houses_checkpoints(path: Path) -> None:
    with Folder.make(path) as folder:
        folder.ledger.claim("table-1")
        folder.sign()
        tamper(folder.ledger, "DELETE FROM entry", "DELETE FROM stream")
        assert [str(finding) for finding in folder.verify().findings] == [
            "the checkpoint of 2026-01-01T00:00:00.000000+00:00: "
            'entry 1 of stream "table-1" is missing'
        ]


def test_checkpoints_are_signed_by_the_houses_key(path: Path) -> None:
    with Folder.make(path) as folder:
        fill(folder.ledger)
        other = generate_keys()
        add_checkpoint(path / "checkpoints.jsonl", folder.ledger.streams(), other, at="1")
        assert [str(finding) for finding in folder.verify().findings] == [
            f"the checkpoint of 1: it is signed with key {other.public}, not with this casino's key"
        ]


def test_damaged_checkpoints_are_a_separate_finding(path: Path) -> None:
    with Folder.make(path) as folder:
        fill(folder.ledger)
        folder.sign()
        (path / "checkpoints.jsonl").write_text("{}\n")
        tamper(folder.ledger, "UPDATE entry SET actor = 'eve' WHERE seq = 3")
        verdict = folder.verify()
        assert [str(finding) for finding in verdict.findings] == [
            f"the checkpoints: {path / 'checkpoints.jsonl'}:1: not a checkpoint.",
            "table-1 3: it was changed: its hash does not match",
        ]
        assert (verdict.entries, verdict.checkpoints) == (5, 0)  # One is the book's own note.
        assert refusal_of(folder.verify, path / "checkpoints.jsonl")[1].endswith(
            "not a checkpoint."
        )
        strange = folder.verify(replay_of=lambda _: None).findings[1:]
        assert {finding.where for finding in strange} == {"checkpoints", "table-1", "table-1 3"}


class TestBackup:
    @pytest.mark.long
    def test_backup_excludes_keys_unless_requested(self, path: Path, tmp_path: Path) -> None:
        with Folder.make(path) as folder:
            fill(folder.ledger)
            manifest = folder.back_up(tmp_path / "without")
            heads = {stream.name: [stream.seq, stream.head] for stream in folder.ledger.streams()}
            folder.back_up(tmp_path / "with", with_keys=True)
            secrets = {folder.keys.signing.hex().encode(), folder.keys.sealing.hex().encode()}
            assert manifest.at == "2026-01-01T00:00:00.000000+00:00"
            assert manifest.heads == heads
        for file, has in (("without", False), ("with", True)):
            with zipfile.ZipFile(tmp_path / file) as archive:
                held = b"".join(archive.read(name) for name in archive.namelist())
                assert ("keys.json" in archive.namelist()) is has
                assert {secret in held for secret in secrets} == {has}
                assert "checkpoints.jsonl" in archive.namelist()

    @pytest.mark.long
    def test_restore_recreates_the_whole_folder(self, path: Path, tmp_path: Path) -> None:
        new = tmp_path / "new"
        with Folder.make(path) as folder:
            fill(folder.ledger)
            folder.sign()
            manifest = folder.back_up(tmp_path / "backup", with_keys=True)
            assert restore_folder(tmp_path / "backup", new) == manifest
            with Folder.open(new) as again:
                assert again.keys == folder.keys
                assert again.checkpoints == folder.checkpoints
                assert len(again.checkpoints) == 2
                assert again.ledger.streams() == folder.ledger.streams()
                assert again.verify() == folder.verify()
                assert again.verify().findings == ()
        assert {(path.name, path.stat().st_mode & 0o777) for path in new.glob("*.json*")} == {
            ("keys.json", 0o600),
            ("checkpoints.jsonl", 0o600),
        }

    @pytest.mark.long
    def test_backup_restores_to_postgresql(self, path: Path, tmp_path: Path, postgres: str) -> None:
        with Folder.make(path) as folder:
            fill(folder.ledger)
            folder.back_up(tmp_path / "backup", with_keys=True)
            restore_folder(tmp_path / "backup", tmp_path / "new", postgres)
            with Folder.open(tmp_path / "new", postgres) as again:
                assert again.verify() == folder.verify()
        assert not (tmp_path / "new" / "pitbook.db").exists()

    @pytest.mark.long
    def test_backup_restores_with_a_copy_of_the_keys(self, path: Path, tmp_path: Path) -> None:
        new = tmp_path / "deep" / "down" / "new"
        with Folder.make(path) as folder:
            folder.back_up(tmp_path / "backup")
            restore_folder(tmp_path / "backup", new, keys=path / "keys.json")
        with Folder.open(new) as again:
            assert again.keys == folder.keys

    def test_restore_without_keys_is_refused(self, path: Path, tmp_path: Path) -> None:
        new = tmp_path / "new"
        with Folder.make(path) as folder:
            folder.back_up(tmp_path / "backup")
        assert refusal_of(restore_folder, tmp_path / "backup", new) == (
            LedgerError,
            f"{tmp_path / 'backup'}: the backup has no keys. Name the keys.json file with --keys.",
        )
        assert not new.exists()

    def test_restore_into_a_nonempty_folder_is_refused(self, path: Path, tmp_path: Path) -> None:
        with Folder.make(path) as folder:
            folder.back_up(tmp_path / "backup", with_keys=True)
        before = names(path)
        assert refusal_of(restore_folder, tmp_path / "backup", path) == (
            LedgerError,
            f"{path}: the folder is not empty. Restore into a new one.",
        )
        assert names(path) == before

    def test_restore_into_an_empty_folder_works(self, path: Path, tmp_path: Path) -> None:
        with Folder.make(path) as folder:
            folder.back_up(tmp_path / "backup", with_keys=True)
        (tmp_path / "new").mkdir()
        restore_folder(tmp_path / "backup", tmp_path / "new")
        assert names(tmp_path / "new") == {"pitbook.db", "keys.json", "checkpoints.jsonl"}

    @pytest.mark.long
    def test_restore_into_a_nonempty_ledger_is_refused(
        self, path: Path, tmp_path: Path, sqlite_url: str
    ) -> None:
        with Folder.make(path) as folder:
            folder.back_up(tmp_path / "backup", with_keys=True)
        with Ledger.open(sqlite_url) as other:
            other.append("table-1", other.claim("table-1"), [NOTED], [buy_in(ANN, 5)])
        new = tmp_path / "new"
        assert refusal_of(restore_folder, tmp_path / "backup", new, sqlite_url) == (
            LedgerError,
            "The ledger is not empty. Restore into a new one.",
        )
        assert list(new.iterdir()) == []
        with Ledger.open(sqlite_url) as other:
            assert other.balance(ANN) == 5

    @pytest.mark.long
    def test_malformed_keys_are_refused(self, path: Path, tmp_path: Path) -> None:
        with Folder.make(path) as folder:
            folder.back_up(tmp_path / "backup")
        wrong, new = tmp_path / "wrong.json", tmp_path / "new"
        wrong.write_text("{}")
        assert refusal_of(restore_folder, tmp_path / "backup", new, keys=wrong) == (
            LedgerError,
            f"{new / 'keys.json'}: not a key file of format 1.",
        )
        assert list(new.iterdir()) == []

    def test_restore_refuses_a_file_that_is_not_a_backup(self, tmp_path: Path) -> None:
        file, new = tmp_path / "letter", tmp_path / "new"
        file.write_text("dear aunt")
        kind, message = refusal_of(restore_folder, file, new)
        assert kind is LedgerError
        assert message.startswith(f"{file}: not a backup, or a damaged one")
        assert not new.exists()

    def test_backup_never_overwrites_a_file(self, path: Path, tmp_path: Path) -> None:
        with Folder.make(path) as folder:
            folder.back_up(tmp_path / "backup")
            before = (tmp_path / "backup").read_bytes()
            message = f"{tmp_path / 'backup'} already exists. Choose another name."
            assert refusal_of(folder.back_up, tmp_path / "backup") == (LedgerError, message)
        assert (tmp_path / "backup").read_bytes() == before


def test_ledger_location_from_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert ledger_url(Path("here"), None) == f"sqlite:///{tmp_path / 'here' / 'pitbook.db'}"
    assert ledger_url(Path("here"), "postgresql://host/name") == "postgresql://host/name"


def test_wide_permissions_are_refused(path: Path) -> None:
    path.mkdir(parents=True)
    write_keys(path / "keys.json", generate_keys())
    (path / "keys.json").chmod(0o644)
    assert "other users can read the keys" in refusal_of(Folder.make, path)[1]
    assert names(path) == {"keys.json"}


def test_checkpoint_from_the_future_counts_as_old(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Folder.make(path) as open_folder, monkeypatch.context() as ahead:
        ahead.setattr(data_folder, "utc_now", lambda: datetime(2036, 1, 1, tzinfo=UTC))
        epoch = fill(open_folder.ledger)
        open_folder.sign()
    with Folder.open(path) as again:
        assert not again.is_due()  # There is nothing new.
        again.ledger.append("table-1", epoch, [NOTED])
    with Folder.open(path) as killed:
        assert killed.has_old_unsigned
        killed.sign()
        killed.ledger.append("table-1", epoch, [NOTED])
        assert not killed.is_due()  # The last is of now.


@pytest.mark.parametrize(("seconds", "due"), [(59.9, False), (60, True), (60.1, True)])
def test_checkpoint_is_due_after_a_minute(
    path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, due: bool
) -> None:
    with Folder.make(path) as open_folder:
        open_folder.sign()
        open_folder.ledger.claim("table-1")
        later = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
        monkeypatch.setattr(data_folder, "utc_now", lambda: later)
        assert open_folder.is_due() is due


@pytest.mark.parametrize(
    ("at", "seconds"),
    [
        ("2025-12-31T23:59:59+00:00", 1.0),
        ("2026-01-01T00:00:00+00:00", 0.0),
        ("2026-01-01T00:00:00.000001+00:00", float("inf")),
        ("no time", float("inf")),
    ],
)
def test_age_of_a_recorded_time(at: str, seconds: float) -> None:
    assert data_folder.age_seconds(at) == seconds
