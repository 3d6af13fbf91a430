"""What a book answers to those who only ask."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.house.ledger.kit import (
    ANN,
    BOB,
    CASH,
    GUEST,
    ISSUED,
    NOTED,
    Hands,
    buy_in,
    noted,
    refused,
)

from pitbook.house.ledger import journal
from pitbook.house.ledger.accounts import move
from pitbook.house.ledger.journal import Ledger


def test_balances_stand_by_unit_then_kind_then_name_however_they_came(ledger: Ledger) -> None:
    epoch = ledger.claim("table-1")
    for transfer in (buy_in(BOB, 1), buy_in(ANN, 2), move(ISSUED, GUEST, 3, "chips")):
        ledger.append("table-1", epoch, [NOTED], [transfer])
    assert list(ledger.balances()) == [ISSUED, GUEST, CASH, ANN, BOB]
    assert list(ledger.balances("usd")) == [CASH, ANN, BOB]


@pytest.mark.parametrize("entries", [3, 4, 5])
def test_entries_are_read_page_by_page(
    book: Ledger, monkeypatch: pytest.MonkeyPatch, entries: int
) -> None:
    epoch = book.claim("table-1")
    for number in range(2, entries + 1):
        book.append("table-1", epoch, [noted(number)])
    monkeypatch.setattr(journal, "_PAGE", journal._PAGE.limit(2))
    monkeypatch.setattr(journal, "PAGE", 2)
    assert [one.seq for one in book.entries("table-1")] == list(range(1, entries + 1))
    assert [one.seq for one in book.entries("table-1", after=1)] == list(range(2, entries + 1))


def test_who_names_nobody_is_nobody(book: Ledger) -> None:
    epoch = book.claim("table-1")
    book.append("table-1", epoch, [NOTED])
    assert [one.actor for one in book.entries("table-1")] == ["", ""]


def test_what_this_process_wrote_is_counted_once(book: Ledger) -> None:
    epoch = book.claim("table-1")
    for _ in range(2):
        book.append("table-1", epoch, [NOTED], request="ann/1")
    refused(book.append, "table-1", epoch + 1, [NOTED])
    assert book.entries_written == 2
    book.append("table-1", epoch, [NOTED])
    assert book.entries_written == 3


def test_a_book_that_is_opened_knows_the_latest_time_on_record(sqlite_url: str) -> None:
    hands = Hands()
    with Ledger.open(sqlite_url, clock=hands) as book:
        epoch = book.claim("table-1")
        book.claim("table-2")
        hands.now += timedelta(seconds=1.5)
        book.append("table-1", epoch, [NOTED])
    hands.now -= timedelta(seconds=1)
    with Ledger.open(sqlite_url, clock=hands) as again:
        again.claim("table-3")
        ((_, changed),) = (one.facts for one in again.entries("clock"))
    assert (changed["fact"], changed["milliseconds"]) == ("clock-changed", -1000)
