"""Backup and restore: consistent, complete, and portable between databases."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from tests.house.ledger.kit import (
    ANN,
    AT,
    BOB,
    GUEST,
    ISSUED,
    NOTED,
    buy_in,
    case_ids,
    fill,
    refusal_of,
    rows,
    tamper,
)

from pitbook.errors import LedgerError
from pitbook.house.ledger import backup
from pitbook.house.ledger.accounts import move
from pitbook.house.ledger.append_batch import prune
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.backup import Manifest, read_manifest, read_member, restore, write_backup
from pitbook.house.ledger.ledger import Ledger


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "book.backup"


@pytest.fixture
def other(empty_book: Path, tmp_path: Path) -> Any:
    """Another, empty ledger."""
    copy = tmp_path / "other.db"
    copy.write_bytes(empty_book.read_bytes())
    with Ledger.open(f"sqlite:///{copy}") as opened:
        yield opened


def evening(ledger: Ledger) -> None:
    """Streams with gaps in their ids, a pruned practice stream, and snapshots."""
    gone = ledger.claim("gone", prunable=True)
    ledger.append("gone", gone, [NOTED])
    fill(ledger)
    prune(ledger, "gone", at=AT)
    practice = ledger.claim("practice", prunable=True)
    ledger.append("practice", practice, [NOTED], [move(ISSUED, GUEST, 700, "chips")], keep={"é": 1})


def same(first: Ledger, two: Ledger) -> None:
    assert first.streams() == two.streams()
    assert first.balances() == two.balances()
    for stream in first.streams():
        assert list(first.entries(stream.name)) == list(two.entries(stream.name))
        assert first.latest_snapshot(stream.name) == two.latest_snapshot(stream.name)
    assert verify(first) == verify(two)
    assert verify(two).findings == ()


@pytest.mark.long
def test_manifest_describes_the_backup(ledger: Ledger, file: Path) -> None:
    evening(ledger)
    manifest = write_backup(ledger, file, {}, at=AT)
    heads = {stream.name: [stream.seq, stream.head] for stream in ledger.streams()}
    assert manifest == Manifest(1, version("pitbook"), AT, heads, 7)
    assert read_manifest(file) == manifest
    assert list(manifest.heads) == ["table-1", "pruned", "practice"]
    with zipfile.ZipFile(file) as archive:
        assert archive.namelist() == [
            *("manifest.json", "streams.jsonl", "entries.jsonl", "snapshots.jsonl")
        ]
        assert archive.read("manifest.json").endswith(b"}\n")
        assert len(archive.read("entries.jsonl").splitlines()) == 7
        assert all(member.compress_type == zipfile.ZIP_DEFLATED for member in archive.infolist())
    assert file.stat().st_mode & 0o777 == 0o600
    assert not list(file.parent.glob(".*"))


@pytest.mark.long
def test_backup_moves_to_postgresql_and_back(
    sqlite_ledger: Ledger, postgres_url: str, other: Ledger, file: Path
) -> None:
    evening(sqlite_ledger)
    manifest = write_backup(sqlite_ledger, file, {}, at=AT)
    with Ledger.open(postgres_url) as server:
        assert restore(server, file) == manifest
        same(sqlite_ledger, server)
        assert server.claim("new") == 1  # Its ids are its own, and the next one is free.
        server.append("new", 1, [NOTED], [buy_in(BOB, 5)])
        tamper(
            server,
            "DELETE FROM posting WHERE stream = (SELECT id FROM stream WHERE name = 'new')",
            "DELETE FROM entry WHERE stream = (SELECT id FROM stream WHERE name = 'new')",
            "DELETE FROM stream WHERE name = 'new'",
        )
        assert write_backup(server, file.with_name("second"), {}, at=AT) == manifest
    restore(other, file.with_name("second"))
    same(sqlite_ledger, other)


@pytest.mark.long
def test_restored_ledger_accepts_entries(ledger: Ledger, other: Ledger, file: Path) -> None:
    evening(ledger)
    manifest = write_backup(ledger, file, {}, at=AT)
    assert restore(other, file) == manifest
    assert {stream.name: [stream.seq, stream.head] for stream in other.streams()} == manifest.heads
    same(ledger, other)
    ids = "SELECT id FROM stream ORDER BY id"
    assert rows(other, ids) == [(1,), (2,), (3,)] != rows(ledger, ids)  # Its own, without gaps.
    epoch = other.claim("table-1")
    other.append("table-1", epoch, [NOTED], [buy_in(ANN, 5)], request="new")
    assert other.append("table-1", epoch, [NOTED], request="ann/1", body="wager 10").again
    assert other.balance(ANN) == 53_005
    assert verify(other).findings == ()


@pytest.mark.long
def test_backup_is_written_in_pages(
    sqlite_ledger: Ledger, other: Ledger, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening(sqlite_ledger)
    monkeypatch.setattr(backup, "PAGE", 2)
    write_backup(sqlite_ledger, file, {}, at=AT)
    restore(other, file)
    same(sqlite_ledger, other)


def test_backup_supports_zip64_tables(
    sqlite_ledger: Ledger, other: Ledger, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening(sqlite_ledger)
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 100)  # Instead of two gigabytes.
    write_backup(sqlite_ledger, file, {}, at=AT)
    restore(other, file)
    same(sqlite_ledger, other)


def test_empty_ledger_is_backed_up(sqlite_ledger: Ledger, other: Ledger, file: Path) -> None:
    manifest = write_backup(sqlite_ledger, file, {}, at=AT)
    assert (manifest.heads, manifest.entries) == ({}, 0)
    assert restore(other, file) == manifest
    same(sqlite_ledger, other)


def test_backup_contains_other_files(sqlite_ledger: Ledger, file: Path, tmp_path: Path) -> None:
    beside = tmp_path / "checkpoints"
    beside.write_bytes(b"\x00signed\xff")
    write_backup(sqlite_ledger, file, {"checkpoints.jsonl": beside}, at=AT)
    assert read_member(file, "checkpoints.jsonl") == b"\x00signed\xff"
    assert read_member(file, "keys.json") is None


class TestNeverOverAnything:
    def test_existing_file_is_not_overwritten(self, sqlite_ledger: Ledger, file: Path) -> None:
        file.write_text("precious")
        assert refusal_of(write_backup, sqlite_ledger, file, {}, at=AT) == (
            LedgerError,
            f"{file} already exists. Choose another name.",
        )
        assert file.read_text() == "precious"
        assert [path.name for path in file.parent.glob("*backup*")] == ["book.backup"]

    def test_leftover_of_a_crashed_backup_is_replaced(
        self, sqlite_ledger: Ledger, file: Path
    ) -> None:
        part = file.with_name(".book.backup.part")
        part.write_text("half a backup " * 1000)
        part.chmod(0o666)
        write_backup(sqlite_ledger, file, {}, at=AT)
        assert file.stat().st_mode & 0o777 == 0o600
        assert read_manifest(file).entries == 0
        assert not part.exists()

    def test_unreadable_ledger_leaves_no_backup(self, ledger: Ledger, file: Path) -> None:
        tamper(ledger, "ALTER TABLE snapshot RENAME TO elsewhere")
        kind, message = refusal_of(write_backup, ledger, file, {}, at=AT)
        assert kind is LedgerError
        assert message.startswith("The ledger cannot be read")
        assert "snapshot" in message
        assert not file.exists()
        assert not list(file.parent.glob(".*"))

    def test_missing_extra_file_is_refused(self, sqlite_ledger: Ledger, file: Path) -> None:
        with pytest.raises(FileNotFoundError):
            write_backup(sqlite_ledger, file, {"keys.json": file.with_name("none")}, at=AT)
        assert not file.exists()
        assert not list(file.parent.glob(".*"))

    def test_backup_is_synced_before_it_is_renamed(
        self, sqlite_ledger: Ledger, file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        renamed: list[bool] = []
        monkeypatch.setattr("os.fsync", lambda _: renamed.append(file.exists()))
        write_backup(sqlite_ledger, file, {}, at=AT)
        assert renamed == [False]

    @pytest.mark.long
    def test_restore_into_a_nonempty_ledger_is_refused(
        self, ledger: Ledger, other: Ledger, file: Path
    ) -> None:
        fill(other)
        write_backup(other, file, {}, at=AT)
        ledger.claim("table-9")
        assert refusal_of(restore, ledger, file) == (
            LedgerError,
            "The ledger is not empty. Restore into a new one.",
        )
        assert [stream.name for stream in ledger.streams()] == ["table-9"]


def empty(ledger: Ledger) -> bool:
    tables = ("stream", "entry", "account", "posting", "snapshot")
    return all(rows(ledger, f"SELECT count(*) FROM {table}") == [(0,)] for table in tables)


class TestDamage:
    @pytest.mark.long
    def test_any_changed_byte_is_found(
        self, sqlite_ledger: Ledger, other: Ledger, file: Path
    ) -> None:
        """A damaged backup restores nothing, or exactly its contents."""
        epoch = sqlite_ledger.claim("table-1")
        sqlite_ledger.append("table-1", epoch, [NOTED], [buy_in(ANN, 500)], keep={"a": 1})
        write_backup(sqlite_ledger, file, {}, at=AT)
        whole, held = file.read_bytes(), 0
        for place in range(0, len(whole), 7):
            damaged = bytearray(whole)
            damaged[place] ^= 0x41
            file.write_bytes(damaged)
            try:
                restore(other, file)
            except LedgerError:
                assert empty(other)
            else:
                held += 1
                same(sqlite_ledger, other)
                wipe(other)
        assert held < len(whole) / 7 / 2  # Dates and the like in the zip's own headers.

    @pytest.mark.long
    def test_any_truncation_is_found(
        self, sqlite_ledger: Ledger, other: Ledger, file: Path
    ) -> None:
        fill(sqlite_ledger)
        write_backup(sqlite_ledger, file, {}, at=AT)
        whole = file.read_bytes()
        for length in range(0, len(whole), 29):
            file.write_bytes(whole[:length])
            assert refusal_of(restore, other, file)[0] is LedgerError
            assert empty(other)

    def test_file_that_is_not_a_backup_is_refused(self, sqlite_ledger: Ledger, file: Path) -> None:
        file.write_text("a letter")
        message = f"{file}: not a backup, or a damaged one (File is not a zip file)."
        assert refusal_of(read_manifest, file) == (LedgerError, message)
        assert refusal_of(restore, sqlite_ledger, file) == (LedgerError, message)
        assert refusal_of(read_member, file, "keys.json") == (
            LedgerError,
            f"{file}: its keys.json is damaged (File is not a zip file).",
        )

    @pytest.mark.parametrize(
        ("manifest", "message"),
        [
            ("{}", "the backup has format None, not 1."),
            ('{"format": 2}', "the backup has format 2, not 1."),
            ("[]", "not a backup, or a damaged one ('list' object has no attribute 'get')."),
        ],
        ids=case_ids(),
    )
    def test_changed_manifest_is_refused(self, file: Path, manifest: str, message: str) -> None:
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("manifest.json", manifest)
        assert refusal_of(read_manifest, file) == (LedgerError, f"{file}: {message}")

    @pytest.mark.parametrize(
        "manifest", ['{"format": 1}', "{", '{"format": 1, "more": 2}'], ids=case_ids()
    )
    def test_malformed_manifest_is_refused(self, file: Path, manifest: str) -> None:
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("manifest.json", manifest)
        kind, message = refusal_of(read_manifest, file)
        assert kind is LedgerError
        assert message.startswith(f"{file}: not a backup, or a damaged one (")

    def test_zip_without_a_manifest_is_refused(self, file: Path) -> None:
        zipfile.ZipFile(file, "w").close()
        assert refusal_of(read_manifest, file)[1].startswith(
            f"{file}: not a backup, or a damaged one"
        )


Lines = list[list[Any]]
MANIFEST = "its contents do not match its manifest"


def drop(index: int) -> Callable[[Lines], Any]:
    return lambda lines: lines.pop(index)


def put(index: int, column: int, value: Any) -> Callable[[Lines], Any]:
    return lambda lines: lines[index].__setitem__(column, value)


# Which file of the backup, what is done to its lines, and what the refusal says.
EDITS: list[tuple[str, str, Callable[[Lines], Any], str]] = [
    ("an entry gone", "entries.jsonl", drop(-1), f"damaged ({MANIFEST}). Nothing was restored"),
    ("a stream gone", "streams.jsonl", drop(0), "the backup is damaged (1)"),
    ("a head", "streams.jsonl", put(0, 4, "f" * 64), f"damaged ({MANIFEST}). Nothing was restored"),
    ("a seq", "streams.jsonl", put(0, 3, 3), f"damaged ({MANIFEST}). Nothing was restored"),
    ("a column more", "entries.jsonl", lambda lines: lines[0].append(1), "is longer than"),
    ("a column less", "snapshots.jsonl", lambda lines: lines[0].pop(), "is shorter than"),
    ("a number as text", "entries.jsonl", put(0, 1, None), "nothing was restored"),
    ("a number too large", "entries.jsonl", put(0, 1, 2**70), "damaged ("),
    ("content that is none", "entries.jsonl", put(1, 7, "x"), "A ledger entry is damaged"),
    ("content of another kind", "entries.jsonl", put(1, 7, 5), "damaged ("),
    (
        "an entry twice",
        "entries.jsonl",
        lambda lines: lines.append(lines[0]),
        "nothing was restored",
    ),
    (
        "an overdraft",
        "entries.jsonl",
        drop(2),
        "nothing was restored: CHECK constraint failed: account_not_overdrawn",
    ),
    ("a line that is no row", "entries.jsonl", lambda lines: lines.append(5), "damaged ("),  # type: ignore[arg-type]
]


@pytest.mark.long
@pytest.mark.parametrize(
    ("member", "edit", "message"), [edit[1:] for edit in EDITS], ids=[edit[0] for edit in EDITS]
)
def test_edited_archive_is_refused(
    sqlite_ledger: Ledger, other: Ledger, *, member: str, edit: Callable[[Lines], Any], message: str
) -> None:
    file = Path(str(sqlite_ledger.engine.url.database)).with_name("edited")
    fill(sqlite_ledger)
    write_backup(sqlite_ledger, file, {}, at=AT)
    rewrite(file, member, edit)
    kind, refusal = refusal_of(restore, other, file)
    assert kind is LedgerError
    assert refusal.startswith(f"{file}: ") or "ledger entry" in refusal
    assert message in refusal
    assert empty(other)


def test_missing_backup_is_refused(sqlite_ledger: Ledger, file: Path) -> None:
    for call in (lambda: restore(sqlite_ledger, file), lambda: read_member(file, "keys.json")):
        with pytest.raises(FileNotFoundError):
            call()


def rewrite(file: Path, member: str, edit: Callable[[Lines], Any]) -> None:
    with zipfile.ZipFile(file) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    lines = [json.loads(line) for line in held[member].splitlines()]
    edit(lines)
    held[member] = "".join(json.dumps(line) + "\n" for line in lines).encode()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in held.items():
            archive.writestr(name, content)


def wipe(ledger: Ledger) -> None:
    with ledger.engine.begin() as connection:
        connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
        query = "SELECT name, sql FROM sqlite_master WHERE name LIKE '%_undeleted'"
        guards = connection.exec_driver_sql(query).all()
        for trigger, _ in guards:
            connection.exec_driver_sql(f"DROP TRIGGER {trigger}")
        for table in ("posting", "snapshot", "entry", "account", "stream"):
            connection.exec_driver_sql(f"DELETE FROM {table}")
        for _, guard in guards:
            connection.exec_driver_sql(guard)
