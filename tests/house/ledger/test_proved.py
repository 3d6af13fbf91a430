"""The book proves itself: guards, read-only copies, cut checkpoints, and anchors outside."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from tests.house.ledger.kit import NOTED, fill, refused, tamper

from pitbook.errors import LedgerError
from pitbook.house.ledger import folder as folder_module
from pitbook.house.ledger.anchors import anchor_at
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.checkpoints import CheckpointFile, read_checkpoints
from pitbook.house.ledger.folder import BOOK, CHECKPOINTS, KEYS, Folder, open_read_only
from pitbook.house.ledger.journal import Ledger


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A house with two checkpoints, of which the second covers everything."""
    path = tmp_path / "house"
    with Folder.make(path) as folder:
        epoch = fill(folder.ledger)
        folder.sign()
        folder.ledger.append("table-1", epoch, [NOTED])
        folder.sign()
    return path


def findings(path: Path, **how: Any) -> list[str]:
    with Folder.open(path) as folder:
        return [str(one) for one in folder.verify(**how).findings]


GUARDS = ["entry_unchanged", "entry_undeleted", "posting_unchanged", "posting_undeleted"]
STREAMS = ["stream_undeleted", "stream_named"]


def test_every_dropped_guard_is_a_finding(ledger: Ledger) -> None:
    assert verify(ledger).findings == ()
    dropped = [*GUARDS, *STREAMS]
    with ledger.engine.begin() as connection:
        for guard in dropped:
            table = guard.partition("_")[0]
            on = f" ON {table}" if ledger.engine.dialect.name == "postgresql" else ""
            connection.execute(text(f"DROP TRIGGER {guard}{on}"))
    told = "it is not there: entries could be changed or dropped"
    due = sorted(f"the guard {guard}: {told}" for guard in dropped)
    assert sorted(str(one) for one in verify(ledger).findings) == due


def test_a_guard_that_lets_all_pass_is_a_finding(book: Ledger) -> None:
    with book.engine.begin() as connection:
        connection.execute(text("DROP TRIGGER stream_named"))
        connection.execute(
            text("CREATE TRIGGER stream_named BEFORE UPDATE ON stream BEGIN SELECT 1; END")
        )
        connection.execute(text("CREATE TRIGGER x AFTER INSERT ON entry BEGIN SELECT 1; END"))
    assert [str(one) for one in verify(book).findings] == [
        "the guard stream_named: it was changed, and may not refuse any more",
        'the database: trigger "x" in it is not the book\'s',
    ]


@pytest.mark.long
def test_a_guard_that_is_off_or_empty_is_a_finding_on_a_server(postgres: str) -> None:
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
        assert [one.where for one in verify(ledger).findings] == [
            "the guard pitbook_keep",
            "the guard entry_unchanged",
            "the database",
        ]


def test_brackets_and_names_of_its_own_do_not_hide_a_guard_that_was_changed(book: Ledger) -> None:
    with book.engine.begin() as connection:
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
    assert [str(one) for one in verify(book).findings] == [
        "the guard stream_undeleted: it was changed, and may not refuse any more",
        'the database: trigger "sqlite_x" in it is not the book\'s',
    ]


def test_a_server_that_is_told_to_pass_over_guards_is_a_finding(postgres: str) -> None:
    with Ledger.open(postgres) as ledger:
        name = ledger.engine.url.database
        with ledger.engine.begin() as connection:
            asked = "CREATE RULE quiet AS ON DELETE TO entry DO INSTEAD NOTHING"
            connection.execute(text(asked))
            connection.execute(
                text(f'ALTER DATABASE "{name}" SET session_replication_role = replica')
            )
    with Ledger.open(postgres) as ledger:
        assert [str(one) for one in verify(ledger).findings] == [
            'the database: rule "quiet" in it is not the book\'s',
            "the database: its guards are off: session_replication_role is replica",
        ]


def test_another_layout_is_a_finding(ledger: Ledger) -> None:
    with ledger.engine.begin() as connection:
        connection.execute(text("DROP INDEX posting_account"))
        connection.execute(text("ALTER TABLE account ADD COLUMN note TEXT"))
    told = "it is not made as the book's is"
    assert [str(one) for one in verify(ledger).findings] == [
        f"the account table: {told}",
        f"the posting table: {told}",
    ]


def locked(path: Path, folder: int, files: int) -> Callable[[], None]:
    for file in path.iterdir():
        file.chmod(files)
    path.chmod(folder)
    return lambda: path.chmod(0o700)


@pytest.mark.long
@pytest.mark.parametrize(
    ("folder", "files", "keys"),
    [(0o500, 0o400, True), (0o555, 0o444, True), (0o700, 0o400, True), (0o500, 0o400, False)],
)
def test_a_read_only_copy_stays_as_it_is(house: Path, folder: int, files: int, keys: bool) -> None:
    if not keys:
        (house / KEYS).unlink()
    opened = locked(house, folder, files)
    before = {one.name: one.read_bytes() for one in house.iterdir()}
    try:
        with open_read_only(house) as seen:
            verdict = seen.verify()
            assert (verdict.findings, verdict.checkpoints, verdict.proved.since) == ((), 2, 0)
            assert (seen.key is not None) is keys
            assert bool(seen.loose) is bool(files & 0o077)
            assert refused(seen.ledger.claim, "table-1")[0] is not None
        assert {one.name: one.read_bytes() for one in house.iterdir()} == before
    finally:
        opened()


def test_an_auditor_needs_no_right_to_the_keys(
    house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(folder_module, "read_keys", denied)
    opened = locked(house, 0o500, 0o400)
    try:
        with open_read_only(house) as seen:
            assert (seen.key, seen.verify().findings) == (None, ())
    finally:
        opened()


@pytest.mark.long
def test_a_read_only_copy_of_a_live_book_is_read_with_what_lies_beside_it(house: Path) -> None:
    copy = house.parent / "copy"
    with Folder.open(house) as folder:
        epoch = folder.ledger.claim("table-2")
        folder.ledger.append("table-2", epoch, [NOTED])
        assert (house / f"{BOOK}-wal").stat().st_size
        shutil.copytree(house, copy)
    opened = locked(copy, 0o500, 0o400)
    before = sorted(one.name for one in copy.iterdir())
    try:
        with open_read_only(copy) as seen:
            verdict = seen.verify()
        assert (verdict.findings, verdict.proved.since) == ((), 2)
        assert sorted(one.name for one in copy.iterdir()) == before
    finally:
        opened()


@pytest.mark.long
def test_a_cut_file_of_checkpoints_is_told_from_a_young_one(house: Path) -> None:
    file = house / CHECKPOINTS
    lines = file.read_text().splitlines(keepends=True)
    at = read_checkpoints(file)[1].at
    for kept in (1, 0):
        file.write_text("".join(lines[:kept]))
        (cut,) = findings(house)
        was = f"the book knows 2, the last of {at}, and here are {kept}"
        assert cut == f"the checkpoints: the file was cut: {was}; put back the one that is whole"
    file.unlink()
    assert len(findings(house)) == 1
    young = house.parent / "young"
    with Folder.make(young) as folder:
        fill(folder.ledger)
        assert folder.verify().findings == ()
        assert folder.verify().proved.at is None


def test_a_copy_of_the_checkpoints_may_be_older_than_the_book(house: Path, tmp_path: Path) -> None:
    copy = tmp_path / "mine.jsonl"
    copy.write_text((house / CHECKPOINTS).read_text().splitlines(keepends=True)[0])
    assert findings(house, checkpoint=copy) == []


def test_a_file_that_was_lost_is_told_for_good(house: Path) -> None:
    (house / CHECKPOINTS).unlink()
    with Folder.open(house) as folder:
        folder.sign()
        folder.sign()
    told = "a new file of checkpoints took the place of one that was lost or cut"
    assert findings(house) == [f"checkpoints 3: {told}"]


def test_a_house_that_signs_on_after_a_cut_is_found_out(house: Path) -> None:
    file = house / CHECKPOINTS
    file.write_text(file.read_text().splitlines(keepends=True)[0])
    with Folder.open(house) as folder:
        folder.sign()
        folder.sign()
    assert findings(house)[0] == "checkpoints 2: checkpoint 2 is not the one that the book knows"


def test_a_crash_between_signing_and_noting_is_no_finding(house: Path) -> None:
    with Folder.open(house) as folder:
        CheckpointFile(house / CHECKPOINTS).add(folder.ledger.streams(), folder.keys, at="2026")
        assert folder.verify().findings == ()
        folder.sign()
    assert findings(house) == []


def test_a_house_that_signs_while_it_is_verified_is_sound(house: Path) -> None:
    signed = read_checkpoints(house / CHECKPOINTS)
    with Folder.open(house) as folder:
        assert verify(folder.ledger, signed[:1], whole=lambda: signed).findings == ()
        cut = verify(folder.ledger, signed[:1], whole=lambda: signed[:1]).findings
        other = verify(folder.ledger, signed[:1], whole=lambda: signed[1:]).findings
    assert len(cut) == len(other) == 1


@pytest.mark.long
def test_from_which_entry_and_minute_on_nothing_is_proved(house: Path) -> None:
    with Folder.open(house) as folder:
        epoch = folder.ledger.claim("table-2")
        receipt = folder.ledger.append("table-2", epoch, [NOTED])
        proved = folder.verify().proved
    assert proved.first is not None
    assert (proved.first[:2], proved.since) == (("table-2", 1), 2)
    assert proved.first.at <= receipt.at
    assert proved.at == read_checkpoints(house / CHECKPOINTS)[-1].at


@pytest.mark.long
@pytest.mark.parametrize("kind", ["file", "sqlite", "postgresql"])
def test_an_anchor_knows_what_was_put_back_cut_or_added(
    house: Path, tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    place = tmp_path / "notary"
    where = str(place) if kind == "file" else f"sqlite:///{place}"
    if kind == "postgresql":
        where = request.getfixturevalue("postgres")
    earlier = tmp_path / "earlier"
    shutil.copytree(house, earlier)
    with Folder.open(house) as folder:
        folder.anchored_at(where).sign(closed=True)
    known = anchor_at(where, house).read()
    assert [(one.number, one.closed) for one in known] == [(3, True)]
    assert kind == "postgresql" or stat.S_IMODE(place.stat().st_mode) == 0o600
    assert findings(house, anchored=known) == []
    at = known[0].at
    assert findings(earlier) == []
    assert findings(earlier, anchored=known) == [
        f"the checkpoints: the anchor knows 3, the last of {at}, and here are 2",
        "the checkpoints: the anchor knows another note of checkpoint 3 in the book",
    ]
    with Folder.open(house) as folder:
        folder.ledger.claim("table-1")
    (added,) = findings(house, anchored=known)
    assert added == f"table-1: 1 entry was added after the house was closed at {at}"


def test_other_keys_are_known_by_the_anchor(house: Path, tmp_path: Path) -> None:
    where = str(tmp_path / "notary")
    with Folder.open(house) as folder:
        folder.anchored_at(where).sign()
    known = [one._replace(key="0" * 64) for one in anchor_at(where, house).read()]
    told = "the anchor knows nothing of this house and its key"
    assert findings(house, anchored=known) == [f"the checkpoints: {told}"]


def test_an_anchor_in_the_house_is_refused_and_one_that_cannot_be_had_is_told(
    house: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    inside = house / "anchor.jsonl"
    for where in (str(inside), f"sqlite:///{inside}"):
        assert refused(anchor_at, where, house)[1].endswith("name one elsewhere")
    with Folder.open(house) as folder:
        own = f"sqlite:///{(house / BOOK).resolve()}"
        assert "own database" in refused(folder.anchored_at, own)[1]
        assert "is no database" in refused(folder.anchored_at, "http://notary/x")[1]
    none = anchor_at(str(tmp_path / "none"), house)
    assert refused(none.read)[1] == f"{tmp_path / 'none'}: there is no such anchor"
    with Folder.open(house) as folder:
        folder.anchored_at(str(tmp_path / "no" / "where")).sign()  # Tables do not wait for it.
    why = f"the anchor {tmp_path / 'no' / 'where'} cannot be written: No such file or directory"
    assert caplog.messages == [f"checkpoint_anchor_failed: {why}"]


def test_a_book_of_notes_alone_is_refused_to_others(book: Ledger) -> None:
    with pytest.raises(LedgerError, match="only the book itself writes to"):
        book.claim("checkpoints")
    epoch = book.claim("table-1")
    with pytest.raises(LedgerError, match="only the book itself writes"):
        book.append("table-1", epoch, [{"fact": "checkpointed"}])


def test_a_note_that_says_more_is_a_finding(house: Path) -> None:
    with Folder.open(house) as folder:
        tamper(folder.ledger, "UPDATE entry SET actor = 'eve' WHERE seq = 2 AND stream = 2")
        told = [str(one) for one in folder.verify().findings]
    assert "checkpoints 2: checkpoint 2 is not the one that the book knows" in told
