"""A house's folder: its book, its keys beside it, and the checkpoints that stand outside."""

from __future__ import annotations

import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.house.ledger.kit import ANN, NOTED, buy_in, fill, refused, tamper

from pitbook.errors import LedgerError
from pitbook.house.ledger import folder
from pitbook.house.ledger.chain import GENESIS
from pitbook.house.ledger.checkpoints import add_checkpoint, read_checkpoints
from pitbook.house.ledger.folder import Folder, book_url, restored
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.keys import fresh_keys, read_keys, write_keys


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "house" / "data"


@pytest.fixture(autouse=True)
def time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "utc_now", lambda: datetime(2026, 1, 1, tzinfo=UTC))


def names(path: Path) -> set[str]:
    return {one.name for one in path.iterdir()} - {"pitbook.db-wal", "pitbook.db-shm"}


def test_a_new_house(path: Path) -> None:
    with Folder.make(path) as made:
        assert names(path) == {"pitbook.db", "keys.json"}
        assert made.keys == read_keys(path / "keys.json")
        assert made.checkpoints == ()
        assert made.path == path
        made.ledger.claim("table-1")
    assert refused(made.ledger.claim, "table-1")[1] == "the book is closed"
    with Folder.make(path) as again:
        assert again.keys == made.keys
        assert [one.name for one in again.ledger.streams()] == ["table-1"]


@pytest.mark.long
def test_a_house_whose_book_is_on_postgresql(path: Path, postgres: str) -> None:
    with Folder.make(path, postgres) as made:
        made.ledger.claim("table-1")
        assert names(path) == {"keys.json"}
    with Folder.open(path, postgres) as again:
        assert len(again.ledger.streams()) == 1
    assert refused(Folder.open, path) == (
        LedgerError,
        f"{path}: it has no book; --database names the server it is on",
    )


def test_a_house_whose_book_is_gone_names_the_house(path: Path) -> None:
    Folder.make(path).close()
    (path / "pitbook.db").unlink()
    said = f"{path}: it has no book; --database names the server it is on"
    assert refused(Folder.open, path) == (LedgerError, said)


def test_keys_are_not_made_for_a_book_that_had_some(path: Path) -> None:
    Folder.make(path).close()
    (path / "keys.json").unlink()
    assert refused(Folder.make, path) == (
        LedgerError,
        f"{path}: there is a book but no keys.json; put back the house's keys",
    )
    assert refused(Folder.open, path) == (
        LedgerError,
        f"{path}: this is no data folder, it has no keys.json",
    )
    assert not (path / "keys.json").exists()


def test_a_folder_that_is_not_there(path: Path) -> None:
    assert refused(Folder.open, path) == (
        LedgerError,
        f"{path}: there is no such data folder; --data names another",
    )
    assert not path.exists()


@pytest.mark.long
def test_open_needs_what_make_made(path: Path) -> None:
    Folder.make(path).close()
    with Folder.open(path) as opened:
        assert opened.ledger.streams() == []


def test_signing_and_verifying(path: Path) -> None:
    with Folder.make(path) as made:
        epoch = fill(made.ledger)
        first = made.sign()
        made.ledger.append("table-1", epoch, [NOTED])
        second = made.sign()
        assert first.at == "2026-01-01T00:00:00.000000+00:00"
        assert first.previous == GENESIS
        assert made.checkpoints == (first, second) == read_checkpoints(path / "checkpoints.jsonl")
        heads = [{name: seq for name, seq, _ in one.heads} for one in made.checkpoints]
        assert heads == [{"table-1": 4}, {"checkpoints": 1, "table-1": 5}]
        verdict = made.verify()
        assert (verdict.findings, verdict.checkpoints) == ((), 2)


def test_verifying_by_another_file(path: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "auditor.jsonl"
    with Folder.make(path) as made:
        fill(made.ledger)
        add_checkpoint(elsewhere, made.ledger.streams(), fresh_keys(), at="1")
        made.sign()
        made.sign()
        assert made.verify().checkpoints == 2
        verdict = made.verify(elsewhere)
        assert verdict.checkpoints == 1
        assert [one.what for one in verdict.findings] == [
            f"it is signed by {read_checkpoints(elsewhere)[0].key}, not by the house's key"
        ]


def test_a_cut_tail_is_found_by_the_folder_s_own_checkpoints(path: Path) -> None:
    with Folder.make(path) as made:
        made.ledger.claim("table-1")
        made.sign()
        tamper(made.ledger, "DELETE FROM entry", "DELETE FROM stream")
        assert [str(one) for one in made.verify().findings] == [
            "the checkpoint of 2026-01-01T00:00:00.000000+00:00: "
            'entry 1 of stream "table-1" is not there any more'
        ]


def test_its_own_checkpoints_are_by_its_own_key(path: Path) -> None:
    with Folder.make(path) as made:
        fill(made.ledger)
        other = fresh_keys()
        add_checkpoint(path / "checkpoints.jsonl", made.ledger.streams(), other, at="1")
        assert [str(one) for one in made.verify().findings] == [
            f"the checkpoint of 1: it is signed by {other.public}, not by the house's key"
        ]


def test_damaged_checkpoints_are_a_finding_beside_the_book_s_own(path: Path) -> None:
    with Folder.make(path) as made:
        fill(made.ledger)
        made.sign()
        (path / "checkpoints.jsonl").write_text("{}\n")
        tamper(made.ledger, "UPDATE entry SET actor = 'eve' WHERE seq = 3")
        verdict = made.verify()
        assert [str(one) for one in verdict.findings] == [
            f"the checkpoints: {path / 'checkpoints.jsonl'}:1: this is no checkpoint",
            "table-1 3: it was changed: its hash is another",
        ]
        assert (verdict.entries, verdict.checkpoints) == (5, 0)  # One is the book's own note.
        assert refused(made.verify, path / "checkpoints.jsonl")[1].endswith("is no checkpoint")
        strange = made.verify(following=lambda _: None).findings[1:]
        assert {one.where for one in strange} == {"checkpoints", "table-1", "table-1 3"}


class TestBackup:
    @pytest.mark.long
    def test_keys_stay_behind_unless_asked_for(self, path: Path, tmp_path: Path) -> None:
        with Folder.make(path) as made:
            fill(made.ledger)
            said = made.back_up(tmp_path / "without")
            heads = {one.name: [one.seq, one.head] for one in made.ledger.streams()}
            made.back_up(tmp_path / "with", with_keys=True)
            secrets = {made.keys.signing.hex().encode(), made.keys.sealing.hex().encode()}
            assert said.at == "2026-01-01T00:00:00.000000+00:00"
            assert said.heads == heads
        for file, has in (("without", False), ("with", True)):
            with zipfile.ZipFile(tmp_path / file) as archive:
                held = b"".join(archive.read(name) for name in archive.namelist())
                assert ("keys.json" in archive.namelist()) is has
                assert {secret in held for secret in secrets} == {has}
                assert "checkpoints.jsonl" in archive.namelist()

    @pytest.mark.long
    def test_restored_whole(self, path: Path, tmp_path: Path) -> None:
        new = tmp_path / "new"
        with Folder.make(path) as made:
            fill(made.ledger)
            made.sign()
            said = made.back_up(tmp_path / "backup", with_keys=True)
            assert restored(tmp_path / "backup", new) == said
            with Folder.open(new) as again:
                assert again.keys == made.keys
                assert again.checkpoints == made.checkpoints
                assert len(again.checkpoints) == 2
                assert again.ledger.streams() == made.ledger.streams()
                assert again.verify() == made.verify()
                assert again.verify().findings == ()
        assert {(one.name, one.stat().st_mode & 0o777) for one in new.glob("*.json*")} == {
            ("keys.json", 0o600),
            ("checkpoints.jsonl", 0o600),
        }

    @pytest.mark.long
    def test_restored_to_postgresql(self, path: Path, tmp_path: Path, postgres: str) -> None:
        with Folder.make(path) as made:
            fill(made.ledger)
            made.back_up(tmp_path / "backup", with_keys=True)
            restored(tmp_path / "backup", tmp_path / "new", postgres)
            with Folder.open(tmp_path / "new", postgres) as again:
                assert again.verify() == made.verify()
        assert not (tmp_path / "new" / "pitbook.db").exists()

    @pytest.mark.long
    def test_restored_with_the_house_s_own_copy_of_the_keys(
        self, path: Path, tmp_path: Path
    ) -> None:
        new = tmp_path / "deep" / "down" / "new"
        with Folder.make(path) as made:
            made.back_up(tmp_path / "backup")
            restored(tmp_path / "backup", new, keys=path / "keys.json")
        with Folder.open(new) as again:
            assert again.keys == made.keys

    def test_no_keys_no_house(self, path: Path, tmp_path: Path) -> None:
        new = tmp_path / "new"
        with Folder.make(path) as made:
            made.back_up(tmp_path / "backup")
        assert refused(restored, tmp_path / "backup", new) == (
            LedgerError,
            f"{tmp_path / 'backup'}: the backup holds no keys; --keys names the house's keys.json",
        )
        assert not new.exists()

    def test_not_into_a_folder_with_something_in_it(self, path: Path, tmp_path: Path) -> None:
        with Folder.make(path) as made:
            made.back_up(tmp_path / "backup", with_keys=True)
        before = names(path)
        assert refused(restored, tmp_path / "backup", path) == (
            LedgerError,
            f"{path}: the folder is not empty; restore into a new one",
        )
        assert names(path) == before

    def test_an_empty_folder_will_do(self, path: Path, tmp_path: Path) -> None:
        with Folder.make(path) as made:
            made.back_up(tmp_path / "backup", with_keys=True)
        (tmp_path / "new").mkdir()
        restored(tmp_path / "backup", tmp_path / "new")
        assert names(tmp_path / "new") == {"pitbook.db", "keys.json", "checkpoints.jsonl"}

    @pytest.mark.long
    def test_not_into_a_book_that_is_not_empty(
        self, path: Path, tmp_path: Path, sqlite_url: str
    ) -> None:
        with Folder.make(path) as made:
            made.back_up(tmp_path / "backup", with_keys=True)
        with Ledger.open(sqlite_url) as other:
            other.append("table-1", other.claim("table-1"), [NOTED], [buy_in(ANN, 5)])
        new = tmp_path / "new"
        assert refused(restored, tmp_path / "backup", new, sqlite_url) == (
            LedgerError,
            "the book is not empty; restore into a new one",
        )
        assert list(new.iterdir()) == []
        with Ledger.open(sqlite_url) as other:
            assert other.balance(ANN) == 5

    @pytest.mark.long
    def test_keys_that_are_none(self, path: Path, tmp_path: Path) -> None:
        with Folder.make(path) as made:
            made.back_up(tmp_path / "backup")
        wrong, new = tmp_path / "wrong.json", tmp_path / "new"
        wrong.write_text("{}")
        assert refused(restored, tmp_path / "backup", new, keys=wrong) == (
            LedgerError,
            f"{new / 'keys.json'}: this is no key file of format 1",
        )
        assert list(new.iterdir()) == []

    def test_what_is_no_backup(self, tmp_path: Path) -> None:
        file, new = tmp_path / "letter", tmp_path / "new"
        file.write_text("dear aunt")
        kind, message = refused(restored, file, new)
        assert kind is LedgerError
        assert message.startswith(f"{file}: this is no backup, or a damaged one")
        assert not new.exists()

    def test_a_backup_is_never_written_over(self, path: Path, tmp_path: Path) -> None:
        with Folder.make(path) as made:
            made.back_up(tmp_path / "backup")
            before = (tmp_path / "backup").read_bytes()
            said = f"{tmp_path / 'backup'}: there is a file of that name already; name another"
            assert refused(made.back_up, tmp_path / "backup") == (LedgerError, said)
        assert (tmp_path / "backup").read_bytes() == before


def test_where_a_book_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert book_url(Path("here"), None) == f"sqlite:///{tmp_path / 'here' / 'pitbook.db'}"
    assert book_url(Path("here"), "postgresql://host/name") == "postgresql://host/name"


def test_wide_permissions_are_refused(path: Path) -> None:
    path.mkdir(parents=True)
    write_keys(path / "keys.json", fresh_keys())
    (path / "keys.json").chmod(0o644)
    assert "others may read the house's keys" in refused(Folder.make, path)[1]
    assert names(path) == {"keys.json"}


def test_a_checkpoint_of_a_clock_that_was_ahead_is_old(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Folder.make(path) as made, monkeypatch.context() as ahead:
        ahead.setattr(folder, "utc_now", lambda: datetime(2036, 1, 1, tzinfo=UTC))
        epoch = fill(made.ledger)
        made.sign()
    with Folder.open(path) as again:
        assert not again.is_due()  # There is nothing new.
        again.ledger.append("table-1", epoch, [NOTED])
    with Folder.open(path) as killed:
        assert killed.was_left
        killed.sign()
        killed.ledger.append("table-1", epoch, [NOTED])
        assert not killed.is_due()  # The last is of now.


@pytest.mark.parametrize(("seconds", "due"), [(59.9, False), (60, True), (60.1, True)])
def test_a_checkpoint_is_due_once_the_last_is_a_minute_old(
    path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, due: bool
) -> None:
    with Folder.make(path) as made:
        made.sign()
        made.ledger.claim("table-1")
        later = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
        monkeypatch.setattr(folder, "utc_now", lambda: later)
        assert made.is_due() is due


@pytest.mark.parametrize(
    ("at", "seconds"),
    [
        ("2025-12-31T23:59:59+00:00", 1.0),
        ("2026-01-01T00:00:00+00:00", 0.0),
        ("2026-01-01T00:00:00.000001+00:00", float("inf")),
        ("no time", float("inf")),
    ],
)
def test_how_old_a_time_on_record_is(at: str, seconds: float) -> None:
    assert folder.age_of(at) == seconds
