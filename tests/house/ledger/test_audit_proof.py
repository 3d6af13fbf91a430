"""Evidence of tampering: triggers, read-only copies, cut checkpoints and anchors."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from tests.house.ledger.kit import NOTED, fill, refusal_of, tamper

from pitbook.errors import LedgerError
from pitbook.house.ledger import data_folder as folder_module
from pitbook.house.ledger.anchors import anchor_at
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.checkpoints import CheckpointFile, read_checkpoints
from pitbook.house.ledger.data_folder import (
    CHECKPOINTS_FILE,
    KEYS_FILE,
    LEDGER_FILE,
    Folder,
    open_read_only,
)
from pitbook.house.ledger.ledger import Ledger


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A folder with two checkpoints; the second covers everything."""
    path = tmp_path / "house"
    with Folder.make(path) as folder:
        epoch = fill(folder.ledger)
        folder.sign()
        folder.ledger.append("table-1", epoch, [NOTED])
        folder.sign()
    return path


def findings(path: Path, **how: Any) -> list[str]:
    with Folder.open(path) as folder:
        return [str(finding) for finding in folder.verify(**how).findings]


GUARDS = ["entry_unchanged", "entry_undeleted", "posting_unchanged", "posting_undeleted"]
STREAMS = ["stream_undeleted", "stream_named"]


def test_every_dropped_trigger_is_a_finding(ledger: Ledger) -> None:
    assert verify(ledger).findings == ()
    dropped = [*GUARDS, *STREAMS]
    with ledger.engine.begin() as connection:
        for guard in dropped:
            table = guard.partition("_")[0]
            on = f" ON {table}" if ledger.engine.dialect.name == "postgresql" else ""
            connection.execute(text(f"DROP TRIGGER {guard}{on}"))
    message = "missing, so entries could be changed or deleted"
    due = sorted(f"the trigger {guard}: {message}" for guard in dropped)
    assert sorted(str(finding) for finding in verify(ledger).findings) == due


def test_trigger_without_effect_is_a_finding(sqlite_ledger: Ledger) -> None:
    with sqlite_ledger.engine.begin() as connection:
        connection.execute(text("DROP TRIGGER stream_named"))
        connection.execute(
            text("CREATE TRIGGER stream_named BEFORE UPDATE ON stream BEGIN SELECT 1; END")
        )
        connection.execute(text("CREATE TRIGGER x AFTER INSERT ON entry BEGIN SELECT 1; END"))
    assert [str(finding) for finding in verify(sqlite_ledger).findings] == [
        "the trigger stream_named: changed, so it may no longer protect entries",
        'the database: trigger "x" does not belong to the ledger',
    ]


@pytest.mark.long
def test_disabled_trigger_is_a_finding_on_a_server(postgres: str) -> None:
    with Ledger.open(postgres) as ledger:
        with ledger.engine.begin() as connection:
            connection.execute(text("ALTER TABLE entry DISABLE TRIGGER entry_unchanged"))
            connection.execute(
                text(
                    "CREATE OR REPLACE FUNCTION pitbook_keep() RETURNS trigger "
                    "LANGUAGE plpgsql AS $$ BEGIN RETURN OLD; END $$"
                )
            )
            connection.execute(
                text(
                    "CREATE TRIGGER more BEFORE INSERT ON account "
                    "FOR EACH ROW EXECUTE FUNCTION pitbook_keep()"
                )
            )
        assert [finding.where for finding in verify(ledger).findings] == [
            "the trigger pitbook_keep",
            "the trigger entry_unchanged",
            "the database",
        ]


def test_quoting_does_not_hide_a_changed_trigger(sqlite_ledger: Ledger) -> None:
    with sqlite_ledger.engine.begin() as connection:
        connection.execute(text("PRAGMA writable_schema = ON"))
        connection.execute(
            text(
                "UPDATE sqlite_master SET sql = replace(sql, 'WHEN NOT OLD.prunable', "
                "'WHEN NOT (OLD.prunable)') WHERE name = 'stream_undeleted'"
            )
        )
        connection.execute(text("CREATE TRIGGER x AFTER INSERT ON entry BEGIN SELECT 1; END"))
        connection.execute(
            text("UPDATE sqlite_master SET name = 'sqlite_x' WHERE name = 'x'"),
        )
    assert [str(finding) for finding in verify(sqlite_ledger).findings] == [
        "the trigger stream_undeleted: changed, so it may no longer protect entries",
        'the database: trigger "sqlite_x" does not belong to the ledger',
    ]


def test_disabled_triggers_on_a_server_are_a_finding(postgres: str) -> None:
    with Ledger.open(postgres) as ledger:
        name = ledger.engine.url.database
        with ledger.engine.begin() as connection:
            query = "CREATE RULE quiet AS ON DELETE TO entry DO INSTEAD NOTHING"
            connection.execute(text(query))
            connection.execute(
                text(f'ALTER DATABASE "{name}" SET session_replication_role = replica')
            )
    with Ledger.open(postgres) as ledger:
        assert [str(finding) for finding in verify(ledger).findings] == [
            'the database: rule "quiet" does not belong to the ledger',
            "the database: triggers are disabled: session_replication_role is replica",
        ]


def test_different_schema_is_a_finding(ledger: Ledger) -> None:
    with ledger.engine.begin() as connection:
        connection.execute(text("DROP INDEX posting_account"))
        connection.execute(text("ALTER TABLE account ADD COLUMN note TEXT"))
    message = "its definition was changed"
    assert [str(finding) for finding in verify(ledger).findings] == [
        f"the account table: {message}",
        f"the posting table: {message}",
    ]


def lock_files(path: Path, folder: int, files: int) -> Callable[[], None]:
    for file in path.iterdir():
        file.chmod(files)
    path.chmod(folder)
    return lambda: path.chmod(0o700)


@pytest.mark.long
@pytest.mark.parametrize(
    ("folder", "files", "keys"),
    [(0o500, 0o400, True), (0o555, 0o444, True), (0o700, 0o400, True), (0o500, 0o400, False)],
)
def test_read_only_copy_is_not_changed(house: Path, folder: int, files: int, keys: bool) -> None:
    if not keys:
        (house / KEYS_FILE).unlink()
    opened = lock_files(house, folder, files)
    before = {path.name: path.read_bytes() for path in house.iterdir()}
    try:
        with open_read_only(house) as read_only:
            verdict = read_only.verify()
            assert (verdict.findings, verdict.checkpoints, verdict.proved.unsigned_entries) == (
                (),
                2,
                0,
            )
            assert (read_only.key is not None) is keys
            assert bool(read_only.loose_files) is bool(files & 0o077)
            assert refusal_of(read_only.ledger.claim, "table-1")[0] is not None
        assert {path.name: path.read_bytes() for path in house.iterdir()} == before
    finally:
        opened()


def test_audit_works_without_access_to_the_keys(
    house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deny(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(folder_module, "read_keys", deny)
    opened = lock_files(house, 0o500, 0o400)
    try:
        with open_read_only(house) as read_only:
            assert (read_only.key, read_only.verify().findings) == (None, ())
    finally:
        opened()


@pytest.mark.long
def test_read_only_copy_of_a_live_ledger_includes_its_log(house: Path) -> None:
    copy = house.parent / "copy"
    with Folder.open(house) as folder:
        epoch = folder.ledger.claim("table-2")
        folder.ledger.append("table-2", epoch, [NOTED])
        assert (house / f"{LEDGER_FILE}-wal").stat().st_size
        shutil.copytree(house, copy)
    opened = lock_files(copy, 0o500, 0o400)
    before = sorted(path.name for path in copy.iterdir())
    try:
        with open_read_only(copy) as read_only:
            verdict = read_only.verify()
        assert (verdict.findings, verdict.proved.unsigned_entries) == ((), 2)
        assert sorted(path.name for path in copy.iterdir()) == before
    finally:
        opened()


@pytest.mark.long
def test_cut_checkpoint_file_differs_from_a_new_one(house: Path) -> None:
    file = house / CHECKPOINTS_FILE
    lines = file.read_text().splitlines(keepends=True)
    at = read_checkpoints(file)[1].at
    for line_count in (1, 0):
        file.write_text("".join(lines[:line_count]))
        (cut,) = findings(house)
        difference = (
            f"the ledger has 2 checkpoints, the last at {at}, and the file has {line_count}"
        )
        assert (
            cut
            == f"the checkpoints: the file was shortened: {difference}. Put the complete file back"
        )
    file.unlink()
    assert len(findings(house)) == 1
    young = house.parent / "young"
    with Folder.make(young) as folder:
        fill(folder.ledger)
        assert folder.verify().findings == ()
        assert folder.verify().proved.at is None


def test_checkpoint_copy_may_be_older_than_the_ledger(house: Path, tmp_path: Path) -> None:
    copy = tmp_path / "mine.jsonl"
    copy.write_text((house / CHECKPOINTS_FILE).read_text().splitlines(keepends=True)[0])
    assert findings(house, checkpoint=copy) == []


def test_lost_checkpoint_file_stays_a_finding(house: Path) -> None:
    (house / CHECKPOINTS_FILE).unlink()
    with Folder.open(house) as folder:
        folder.sign()
        folder.sign()
    message = "a lost or shortened checkpoint file was replaced by a new one"
    assert findings(house) == [f"checkpoints 3: {message}"]


def test_signing_after_a_cut_is_found(house: Path) -> None:
    file = house / CHECKPOINTS_FILE
    file.write_text(file.read_text().splitlines(keepends=True)[0])
    with Folder.open(house) as folder:
        folder.sign()
        folder.sign()
    assert findings(house)[0] == "checkpoints 2: checkpoint 2 differs from the one in the ledger"


def test_crash_between_signing_and_noting_is_not_a_finding(house: Path) -> None:
    with Folder.open(house) as folder:
        CheckpointFile(house / CHECKPOINTS_FILE).add(
            folder.ledger.streams(), folder.keys, at="2026"
        )
        assert folder.verify().findings == ()
        folder.sign()
    assert findings(house) == []


def test_signing_during_an_audit_is_not_a_finding(house: Path) -> None:
    signed = read_checkpoints(house / CHECKPOINTS_FILE)
    with Folder.open(house) as folder:
        assert verify(folder.ledger, signed[:1], read_again=lambda: signed).findings == ()
        cut = verify(folder.ledger, signed[:1], read_again=lambda: signed[:1]).findings
        other = verify(folder.ledger, signed[:1], read_again=lambda: signed[1:]).findings
    assert len(cut) == len(other) == 1


@pytest.mark.long
def test_audit_says_from_when_nothing_is_proved(house: Path) -> None:
    with Folder.open(house) as folder:
        epoch = folder.ledger.claim("table-2")
        receipt = folder.ledger.append("table-2", epoch, [NOTED])
        proved = folder.verify().proved
    assert proved.first_unsigned is not None
    assert (proved.first_unsigned[:2], proved.unsigned_entries) == (("table-2", 1), 2)
    assert proved.first_unsigned.at <= receipt.at
    assert proved.at == read_checkpoints(house / CHECKPOINTS_FILE)[-1].at


@pytest.mark.long
@pytest.mark.parametrize("kind", ["file", "sqlite", "postgresql"])
def test_anchor_reveals_reverted_cut_and_added_entries(
    house: Path, tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    place = tmp_path / "notary"
    where = str(place) if kind == "file" else f"sqlite:///{place}"
    if kind == "postgresql":
        where = request.getfixturevalue("postgres")
    earlier = tmp_path / "earlier"
    shutil.copytree(house, earlier)
    with Folder.open(house) as folder:
        folder.use_anchor(where).sign(closed=True)
    anchored = anchor_at(where, house).read()
    assert [(checkpoint.number, checkpoint.closed) for checkpoint in anchored] == [(3, True)]
    assert kind == "postgresql" or stat.S_IMODE(place.stat().st_mode) == 0o600
    assert findings(house, anchored=anchored) == []
    at = anchored[0].at
    assert findings(earlier) == []
    assert findings(earlier, anchored=anchored) == [
        f"the checkpoints: the anchor has 3 checkpoints, the last at {at}, and the file has 2",
        "the checkpoints: the ledger's note of checkpoint 3 differs from the one in the anchor",
    ]
    with Folder.open(house) as folder:
        folder.ledger.claim("table-1")
    (added,) = findings(house, anchored=anchored)
    assert added == f"table-1: 1 entry was added after the server stopped at {at}"


def test_anchor_finds_replaced_keys(house: Path, tmp_path: Path) -> None:
    where = str(tmp_path / "notary")
    with Folder.open(house) as folder:
        folder.use_anchor(where).sign()
    anchored = [checkpoint._replace(key="0" * 64) for checkpoint in anchor_at(where, house).read()]
    message = "the anchor has no entry for this casino's key"
    assert findings(house, anchored=anchored) == [f"the checkpoints: {message}"]


def test_anchor_in_the_folder_is_refused_and_a_missing_one_reported(
    house: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    inside = house / "anchor.jsonl"
    for where in (str(inside), f"sqlite:///{inside}"):
        assert refusal_of(anchor_at, where, house)[1].endswith(
            "an anchor inside the data folder proves nothing. Choose another place."
        )
    with Folder.open(house) as folder:
        ledger_database = f"sqlite:///{(house / LEDGER_FILE).resolve()}"
        assert "own database" in refusal_of(folder.use_anchor, ledger_database)[1]
        assert "is not supported" in refusal_of(folder.use_anchor, "http://notary/x")[1]
    none = anchor_at(str(tmp_path / "none"), house)
    assert refusal_of(none.read)[1] == f"{tmp_path / 'none'}: the anchor does not exist."
    with Folder.open(house) as folder:
        folder.use_anchor(str(tmp_path / "no" / "where")).sign()  # Tables do not wait for it.
    why = f"The anchor {tmp_path / 'no' / 'where'} cannot be written: No such file or directory"
    assert caplog.messages == [f"checkpoint_anchor_failed: {why}"]


def test_only_the_ledger_writes_the_checkpoint_stream(sqlite_ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match="is reserved for the ledger"):
        sqlite_ledger.claim("checkpoints")
    epoch = sqlite_ledger.claim("table-1")
    with pytest.raises(LedgerError, match='"checkpointed" is an event that only the ledger writes'):
        sqlite_ledger.append("table-1", epoch, [{"fact": "checkpointed"}])


def test_changed_checkpoint_note_is_a_finding(house: Path) -> None:
    with Folder.open(house) as folder:
        tamper(folder.ledger, "UPDATE entry SET actor = 'eve' WHERE seq = 2 AND stream = 2")
        findings = [str(finding) for finding in folder.verify().findings]
    assert "checkpoints 2: checkpoint 2 differs from the one in the ledger" in findings
