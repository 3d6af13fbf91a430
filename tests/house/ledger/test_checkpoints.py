"""Signed checkpoints reveal a rewritten ledger."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.house.ledger.kit import AT, NOTED, case_ids, fill, refusal_of, tamper
from tests.house.ledger.test_keys import KEYS, RFC

from pitbook.errors import LedgerError
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.audit_checkpoints import LedgerFinding
from pitbook.house.ledger.checkpoints import (
    Checkpoint,
    add_checkpoint,
    is_chained,
    read_checkpoints,
    sign_checkpoint,
)
from pitbook.house.ledger.hash_chain import GENESIS, sha256
from pitbook.house.ledger.keys import is_signed_by
from pitbook.house.ledger.ledger import Ledger, Stream

B = Stream("b", 2, 9, "b" * 64, True)
A = Stream("a", 1, 3, "a" * 64, False)


def test_signature_covers_time_heads_practice_and_previous() -> None:
    checkpoint = sign_checkpoint([B, A], KEYS, at=AT, previous=GENESIS)
    assert checkpoint.heads == (("a", 3, "a" * 64), ("b", 9, "b" * 64))
    assert checkpoint.practice == ("b",)
    assert (checkpoint.at, checkpoint.previous, checkpoint.key) == (AT, GENESIS, KEYS.public)
    assert checkpoint.message == (
        f'[1,"{AT}",[["a",3,"{"a" * 64}"],["b",9,"{"b" * 64}"]],["b"],"{GENESIS}"]'
    )
    assert is_signed_by(KEYS.public, checkpoint.message, checkpoint.signature)
    assert checkpoint.is_signed


def test_checkpoint_line_round_trips() -> None:
    checkpoint = sign_checkpoint([A], KEYS, at=AT, previous=GENESIS)
    assert "\n" not in checkpoint.line
    assert json.loads(checkpoint.line) == {
        "format": 1,
        "at": AT,
        "heads": {"a": [3, "a" * 64]},
        "practice": [],
        "previous": GENESIS,
        "key": KEYS.public,
        "signature": checkpoint.signature,
    }


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("at", "2026-01-02T00:00:00.000000+00:00"),
        ("heads", (("a", 2, "a" * 64),)),
        ("heads", ()),
        ("practice", ("a",)),
        ("previous", "1" * 64),
        ("key", RFC.public),
        ("signature", "00" * 64),
    ],
)
def test_forged_checkpoint_fails_verification(field: str, value: Any) -> None:
    checkpoint = sign_checkpoint([A], KEYS, at=AT, previous=GENESIS)
    assert checkpoint.is_signed
    assert not checkpoint._replace(**{field: value}).is_signed


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "checkpoints.jsonl"


def add_checkpoints(file: Path, count: int, start: int = 1) -> list[Checkpoint]:
    return [
        add_checkpoint(file, [A._replace(seq=number)], KEYS, at=f"time {number}")
        for number in range(start, start + count)
    ]


def test_checkpoints_are_chained_in_their_file(file: Path) -> None:
    checkpoints = add_checkpoints(file, 3)
    assert read_checkpoints(file) == tuple(checkpoints)
    assert checkpoints[0].previous == GENESIS
    assert [checkpoint.previous for checkpoint in checkpoints[1:]] == [
        sha256(checkpoint.line) for checkpoint in checkpoints[:2]
    ]
    assert is_chained(checkpoints)
    assert file.read_text() == "".join(f"{checkpoint.line}\n" for checkpoint in checkpoints)
    assert all(checkpoint.is_signed for checkpoint in read_checkpoints(file))


def test_empty_checkpoint_file_is_valid(file: Path) -> None:
    file.write_text("")
    assert read_checkpoints(file) == ()
    assert is_chained(())
    assert add_checkpoints(file, 1)[0].previous == GENESIS
    assert len(file.read_text().splitlines()) == 1


def test_missing_or_swapped_checkpoint_breaks_the_chain() -> None:
    checkpoint = sign_checkpoint([A], KEYS, at="1", previous=GENESIS)
    two = sign_checkpoint([A], KEYS, at="2", previous=sha256(checkpoint.line))
    three = sign_checkpoint([A], KEYS, at="3", previous=sha256(two.line))
    assert is_chained([checkpoint, two, three])
    assert is_chained([two, three])
    assert not is_chained([checkpoint, three])
    assert not is_chained([two, checkpoint, three])
    assert not is_chained([checkpoint, checkpoint])


@pytest.mark.long
def test_last_line_cut_short_by_a_crash_is_ignored(file: Path) -> None:
    """A cut at any byte loses only the last line."""
    first, second = add_checkpoints(file, 2)
    whole = file.read_bytes()
    begins = len(first.line) + 1
    for cut in [*range(begins, len(whole) - 3, 5), *range(len(whole) - 3, len(whole) + 1)]:
        file.write_bytes(whole[:cut])
        complete = cut >= len(whole) - 1
        before = (first, second) if complete else (first,)
        assert read_checkpoints(file) == before
        (third,) = add_checkpoints(file, 1, start=3)
        assert read_checkpoints(file) == (*before, third)
        assert is_chained(read_checkpoints(file))


def test_last_line_cut_within_a_character_is_ignored(file: Path) -> None:
    add_checkpoint(file, [A._replace(name="é")], KEYS, at=AT)
    whole = file.read_bytes()
    file.write_bytes(whole + whole[: whole.index("é".encode()) + 1])
    assert len(read_checkpoints(file)) == 1
    add_checkpoint(file, [A], KEYS, at=AT)
    assert len(read_checkpoints(file)) == 2
    assert read_checkpoints(file)[0].heads[0][0] == "é"


LINE = json.loads(sign_checkpoint([A], KEYS, at=AT, previous=GENESIS).line)


@pytest.mark.parametrize(
    "line",
    [
        *("", "{", "[]", "5", "null", '"text"', "{}", "\ufffd"),
        *(json.dumps({k: v for k, v in LINE.items() if k != left}) for left in LINE),
        json.dumps({**LINE, "more": 1}, sort_keys=True, separators=(",", ":")),
        json.dumps({**LINE, "format": 2}, sort_keys=True, separators=(",", ":")),
        json.dumps(LINE),
        json.dumps({**LINE, "heads": []}),
        json.dumps({**LINE, "heads": {"a": [1]}}),
        json.dumps({**LINE, "heads": {"a": 5}}),
        json.dumps({**LINE, "heads": {"a": [float("inf"), ""]}}),
        json.dumps({**LINE, "heads": {"a": ["x", ""]}}),
        json.dumps({**LINE, "practice": 5}),
    ],
    ids=case_ids(),
)
def test_malformed_checkpoint_line_is_refused(file: Path, line: str) -> None:
    good = add_checkpoints(file, 1)[0].line
    file.write_text(f"{good}\n{line}\n{good}\n")
    assert refusal_of(read_checkpoints, file) == (LedgerError, f"{file}:2: not a checkpoint.")


def test_malformed_last_line_is_ignored(file: Path) -> None:
    add_checkpoints(file, 1)
    with file.open("a") as appended:
        appended.write("{}")
    assert refusal_of(read_checkpoints, file) == (LedgerError, f"{file}:2: not a checkpoint.")


def test_checkpoints_keep_non_ascii_characters(file: Path) -> None:
    checkpoint = add_checkpoint(file, [A._replace(name="tisch-ä \u2028")], KEYS, at=AT)
    assert read_checkpoints(file) == (checkpoint,)
    assert checkpoint.is_signed


def test_checkpoint_is_synced_before_it_is_returned(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[bytes] = []
    monkeypatch.setattr("os.fsync", lambda descriptor: synced.append(file.read_bytes()))
    checkpoints = add_checkpoints(file, 2)
    assert synced == [
        f"{checkpoints[0].line}\n".encode(),
        f"{checkpoints[0].line}\n{checkpoints[1].line}\n".encode(),
    ]


class TestAgainstTheBook:
    @pytest.mark.long
    def test_checkpoints_verify_a_sound_ledger(self, ledger: Ledger) -> None:
        epoch = fill(ledger)
        first = sign_checkpoint(ledger.streams(), KEYS, at="1", previous=GENESIS)
        ledger.append("table-1", epoch, [NOTED])
        second = sign_checkpoint(ledger.streams(), KEYS, at="2", previous=sha256(first.line))
        ledger.append("table-1", epoch, [NOTED])
        verdict = verify(ledger, [first, second], key=KEYS.public)
        assert verdict.findings == ()
        assert verdict.checkpoints == 2

    def test_missing_middle_checkpoint_is_found(self, sqlite_ledger: Ledger) -> None:
        fill(sqlite_ledger)
        checkpoint = sign_checkpoint(sqlite_ledger.streams(), KEYS, at="1", previous=GENESIS)
        two = sign_checkpoint(
            sqlite_ledger.streams(), KEYS, at="2", previous=sha256(checkpoint.line)
        )
        three = sign_checkpoint(sqlite_ledger.streams(), KEYS, at="3", previous=sha256(two.line))
        assert verify(sqlite_ledger, [checkpoint, three]).findings == (
            LedgerFinding("the checkpoints", "a checkpoint is missing or out of order"),
        )

    def test_checkpoints_by_another_key_are_found(self, sqlite_ledger: Ledger) -> None:
        fill(sqlite_ledger)
        forged = sign_checkpoint(sqlite_ledger.streams(), KEYS, at="1", previous=GENESIS)._replace(
            signature="00"
        )
        others = sign_checkpoint(sqlite_ledger.streams(), RFC, at="2", previous=sha256(forged.line))
        assert verify(sqlite_ledger, [forged, others], key=KEYS.public).findings == (
            LedgerFinding("the checkpoint of 1", "the signature does not match the key"),
            LedgerFinding(
                "the checkpoint of 2",
                f"it is signed with key {RFC.public}, not with this casino's key",
            ),
        )
        assert verify(sqlite_ledger, [others]).findings == ()

    @pytest.mark.long
    def test_cut_tail_is_found(self, ledger: Ledger) -> None:
        epoch = fill(ledger)
        ledger.append("table-1", epoch, [NOTED])
        signed = sign_checkpoint(ledger.streams(), KEYS, at="1", previous=GENESIS)
        tamper(
            ledger,
            "DELETE FROM entry WHERE seq = 5",
            "UPDATE stream SET seq = 4, head = (SELECT hash FROM entry WHERE seq = 4)",
        )
        assert verify(ledger).findings == ()
        assert verify(ledger, [signed]).findings == (
            LedgerFinding("the checkpoint of 1", 'entry 5 of stream "table-1" is missing'),
        )

    def test_rewritten_head_is_found(self, sqlite_ledger: Ledger) -> None:
        fill(sqlite_ledger)
        signed = sign_checkpoint(
            [stream._replace(head="0" * 64) for stream in sqlite_ledger.streams()],
            KEYS,
            at="1",
            previous=GENESIS,
        )
        assert verify(sqlite_ledger, [signed]).findings == (
            LedgerFinding("the checkpoint of 1", 'entry 4 of stream "table-1" was rewritten'),
        )

    def test_stream_without_entries_is_sound(self, sqlite_ledger: Ledger) -> None:
        signed = sign_checkpoint([A._replace(seq=0, head=GENESIS)], KEYS, at="1", previous=GENESIS)
        assert verify(sqlite_ledger, [signed]).findings == ()
