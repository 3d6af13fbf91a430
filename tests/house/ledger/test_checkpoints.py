"""Signed heads outside the book: whoever rewrites it must forge these, and cannot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.house.ledger.kit import AT, NOTED, fill, numbered, refused, tamper
from tests.house.ledger.test_keys import KEYS, RFC

from pitbook.errors import LedgerError
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.audit_checkpoints import BookFinding
from pitbook.house.ledger.chain import GENESIS, digest
from pitbook.house.ledger.checkpoints import (
    Checkpoint,
    add_checkpoint,
    is_chained,
    read_checkpoints,
    sign_checkpoint,
)
from pitbook.house.ledger.journal import Ledger, Stream
from pitbook.house.ledger.keys import signed_by

B = Stream("b", 2, 9, "b" * 64, True)
A = Stream("a", 1, 3, "a" * 64, False)


def test_what_a_checkpoint_signs() -> None:
    made = sign_checkpoint([B, A], KEYS, at=AT, previous=GENESIS)
    assert made.heads == (("a", 3, "a" * 64), ("b", 9, "b" * 64))
    assert made.practice == ("b",)
    assert (made.at, made.previous, made.key) == (AT, GENESIS, KEYS.public)
    assert made.message == (
        f'[1,"{AT}",[["a",3,"{"a" * 64}"],["b",9,"{"b" * 64}"]],["b"],"{GENESIS}"]'
    )
    assert signed_by(KEYS.public, made.message, made.signature)
    assert made.is_signed


def test_a_checkpoint_as_a_line() -> None:
    made = sign_checkpoint([A], KEYS, at=AT, previous=GENESIS)
    assert "\n" not in made.line
    assert json.loads(made.line) == {
        "format": 1,
        "at": AT,
        "heads": {"a": [3, "a" * 64]},
        "practice": [],
        "previous": GENESIS,
        "key": KEYS.public,
        "signature": made.signature,
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
def test_a_forged_one_is_not_signed(field: str, value: Any) -> None:
    made = sign_checkpoint([A], KEYS, at=AT, previous=GENESIS)
    assert made.is_signed
    assert not made._replace(**{field: value}).is_signed


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "checkpoints.jsonl"


def added(file: Path, count: int, start: int = 1) -> list[Checkpoint]:
    return [
        add_checkpoint(file, [A._replace(seq=number)], KEYS, at=f"time {number}")
        for number in range(start, start + count)
    ]


def test_checkpoints_are_chained_in_their_file(file: Path) -> None:
    made = added(file, 3)
    assert read_checkpoints(file) == tuple(made)
    assert made[0].previous == GENESIS
    assert [one.previous for one in made[1:]] == [digest(one.line) for one in made[:2]]
    assert is_chained(made)
    assert file.read_text() == "".join(f"{one.line}\n" for one in made)
    assert all(one.is_signed for one in read_checkpoints(file))


def test_an_empty_file_is_the_beginning(file: Path) -> None:
    file.write_text("")
    assert read_checkpoints(file) == ()
    assert is_chained(())
    assert added(file, 1)[0].previous == GENESIS
    assert len(file.read_text().splitlines()) == 1


def test_a_missing_or_swapped_one_breaks_the_chain() -> None:
    one = sign_checkpoint([A], KEYS, at="1", previous=GENESIS)
    two = sign_checkpoint([A], KEYS, at="2", previous=digest(one.line))
    three = sign_checkpoint([A], KEYS, at="3", previous=digest(two.line))
    assert is_chained([one, two, three])
    assert is_chained([two, three])
    assert not is_chained([one, three])
    assert not is_chained([two, one, three])
    assert not is_chained([one, one])


@pytest.mark.long
def test_a_last_line_cut_short_by_a_crash(file: Path) -> None:
    """At whatever byte it was cut, nothing is lost but that line, and the next one stands."""
    first, second = added(file, 2)
    whole = file.read_bytes()
    begins = len(first.line) + 1
    for cut in [*range(begins, len(whole) - 3, 5), *range(len(whole) - 3, len(whole) + 1)]:
        file.write_bytes(whole[:cut])
        complete = cut >= len(whole) - 1
        before = (first, second) if complete else (first,)
        assert read_checkpoints(file) == before
        (third,) = added(file, 1, start=3)
        assert read_checkpoints(file) == (*before, third)
        assert is_chained(read_checkpoints(file))


def test_a_cut_within_a_letter(file: Path) -> None:
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
    ids=numbered(),
)
def test_a_line_that_is_none(file: Path, line: str) -> None:
    good = added(file, 1)[0].line
    file.write_text(f"{good}\n{line}\n{good}\n")
    assert refused(read_checkpoints, file) == (LedgerError, f"{file}:2: this is no checkpoint")


def test_a_last_line_without_an_end_that_is_none(file: Path) -> None:
    added(file, 1)
    with file.open("a") as appended:
        appended.write("{}")
    assert refused(read_checkpoints, file) == (LedgerError, f"{file}:2: this is no checkpoint")


def test_letters_as_they_are(file: Path) -> None:
    made = add_checkpoint(file, [A._replace(name="tisch-ä \u2028")], KEYS, at=AT)
    assert read_checkpoints(file) == (made,)
    assert made.is_signed


def test_durable_before_it_is_told(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[bytes] = []
    monkeypatch.setattr("os.fsync", lambda descriptor: synced.append(file.read_bytes()))
    made = added(file, 2)
    assert synced == [
        f"{made[0].line}\n".encode(),
        f"{made[0].line}\n{made[1].line}\n".encode(),
    ]


class TestAgainstTheBook:
    @pytest.mark.long
    def test_sound(self, ledger: Ledger) -> None:
        epoch = fill(ledger)
        first = sign_checkpoint(ledger.streams(), KEYS, at="1", previous=GENESIS)
        ledger.append("table-1", epoch, [NOTED])
        second = sign_checkpoint(ledger.streams(), KEYS, at="2", previous=digest(first.line))
        ledger.append("table-1", epoch, [NOTED])
        verdict = verify(ledger, [first, second], key=KEYS.public)
        assert verdict.findings == ()
        assert verdict.checkpoints == 2

    def test_a_missing_middle_one(self, book: Ledger) -> None:
        fill(book)
        one = sign_checkpoint(book.streams(), KEYS, at="1", previous=GENESIS)
        two = sign_checkpoint(book.streams(), KEYS, at="2", previous=digest(one.line))
        three = sign_checkpoint(book.streams(), KEYS, at="3", previous=digest(two.line))
        assert verify(book, [one, three]).findings == (
            BookFinding("the checkpoints", "one is missing or out of its place"),
        )

    def test_forged_and_by_another_key(self, book: Ledger) -> None:
        fill(book)
        forged = sign_checkpoint(book.streams(), KEYS, at="1", previous=GENESIS)._replace(
            signature="00"
        )
        others = sign_checkpoint(book.streams(), RFC, at="2", previous=digest(forged.line))
        assert verify(book, [forged, others], key=KEYS.public).findings == (
            BookFinding("the checkpoint of 1", "its signature is not that of its key"),
            BookFinding(
                "the checkpoint of 2", f"it is signed by {RFC.public}, not by the house's key"
            ),
        )
        assert verify(book, [others]).findings == ()

    @pytest.mark.long
    def test_a_tail_that_was_cut(self, ledger: Ledger) -> None:
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
            BookFinding("the checkpoint of 1", 'entry 5 of stream "table-1" is not there any more'),
        )

    def test_a_head_that_was_rewritten(self, book: Ledger) -> None:
        fill(book)
        signed = sign_checkpoint(
            [one._replace(head="0" * 64) for one in book.streams()],
            KEYS,
            at="1",
            previous=GENESIS,
        )
        assert verify(book, [signed]).findings == (
            BookFinding("the checkpoint of 1", 'entry 4 of stream "table-1" was rewritten'),
        )

    def test_a_stream_without_entries_has_nothing_to_miss(self, book: Ledger) -> None:
        signed = sign_checkpoint([A._replace(seq=0, head=GENESIS)], KEYS, at="1", previous=GENESIS)
        assert verify(book, [signed]).findings == ()
