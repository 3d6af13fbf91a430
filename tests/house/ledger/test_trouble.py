"""A database that fails is told of, and so is the moment from which it can be written again."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy.exc import OperationalError
from tests.house.ledger.kit import Hands, answer, append, failing

from pitbook.house.ledger import writer
from pitbook.house.ledger.journal import ROOM, Ledger
from pitbook.house.ledger.writer import Trouble

FULL = "database or disk is full"


def full() -> OperationalError:
    return OperationalError("", {}, Exception(FULL))


@pytest.mark.parametrize(
    ("error", "told"), [(full, FULL), (lambda: RuntimeError("oops"), "RuntimeError('oops')")]
)
def test_trouble_is_counted_and_its_reason_lasts_until_a_commit_succeeds(
    book: Ledger, monkeypatch: pytest.MonkeyPatch, error: Any, told: str
) -> None:
    assert book.trouble == Trouble(times=0, last="", reason=None)
    monkeypatch.setattr(writer, "write_batch", failing(2, error)[1])
    answer(book.submit(append("table-1", None)))
    assert book.trouble == Trouble(times=1, last=told, reason=told)
    answer(book.submit(append("table-1", None)))
    assert book.trouble == Trouble(times=2, last=told, reason=told)
    assert book.claim("table-1") == 1
    assert book.trouble == Trouble(times=2, last=told, reason=None)


def test_a_book_that_can_be_written_again_notes_what_was_wrong(
    book: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "write_batch", failing(2, full)[1])
    for _ in range(2):
        answer(book.submit(append("table-1", None)))
    assert book.write_again().result().epoch == 1
    (entry,) = book.entries("book")
    assert entry.actor == "house"
    _, told = entry.facts  # The first takes the stream over.
    assert told == {"fact": "written-again", "reason": FULL, "times": 2, "room": "." * ROOM}


def test_a_commit_that_is_under_way_is_timed(
    book: Ledger, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "time", hands)
    seen: list[float] = []

    def slow() -> Exception:
        hands.wait(7.5)
        seen.append(book.stuck_seconds)
        return full()

    monkeypatch.setattr(writer, "write_batch", failing(1, slow)[1])
    assert book.stuck_seconds == 0
    answer(book.submit(append("table-1", None)))
    assert seen == [7.5]
    assert book.stuck_seconds == 0
