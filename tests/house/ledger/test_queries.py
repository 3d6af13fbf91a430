"""Reading a ledger."""

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
    ManualClock,
    buy_in,
    noted_fact,
    refusal_of,
)

from pitbook.house.ledger import ledger as ledger_module
from pitbook.house.ledger.accounts import move
from pitbook.house.ledger.ledger import Ledger


def test_balances_are_sorted_by_unit_kind_and_name(ledger: Ledger) -> None:
    epoch = ledger.claim("table-1")
    for transfer in (buy_in(BOB, 1), buy_in(ANN, 2), move(ISSUED, GUEST, 3, "chips")):
        ledger.append("table-1", epoch, [NOTED], [transfer])
    assert list(ledger.balances()) == [ISSUED, GUEST, CASH, ANN, BOB]
    assert list(ledger.balances("usd")) == [CASH, ANN, BOB]


@pytest.mark.parametrize("entries", [3, 4, 5])
def test_entries_are_read_page_by_page(
    sqlite_ledger: Ledger, monkeypatch: pytest.MonkeyPatch, entries: int
) -> None:
    epoch = sqlite_ledger.claim("table-1")
    for number in range(2, entries + 1):
        sqlite_ledger.append("table-1", epoch, [noted_fact(number)])
    monkeypatch.setattr(ledger_module, "_PAGE", ledger_module._PAGE.limit(2))
    monkeypatch.setattr(ledger_module, "PAGE", 2)
    assert [entry.seq for entry in sqlite_ledger.entries("table-1")] == list(range(1, entries + 1))
    assert [entry.seq for entry in sqlite_ledger.entries("table-1", after=1)] == list(
        range(2, entries + 1)
    )


def test_default_actor_is_empty(sqlite_ledger: Ledger) -> None:
    epoch = sqlite_ledger.claim("table-1")
    sqlite_ledger.append("table-1", epoch, [NOTED])
    assert [entry.actor for entry in sqlite_ledger.entries("table-1")] == ["", ""]


def test_entries_written_counts_each_entry_once(sqlite_ledger: Ledger) -> None:
    epoch = sqlite_ledger.claim("table-1")
    for _ in range(2):
        sqlite_ledger.append("table-1", epoch, [NOTED], request="ann/1")
    refusal_of(sqlite_ledger.append, "table-1", epoch + 1, [NOTED])
    assert sqlite_ledger.entries_written == 2
    sqlite_ledger.append("table-1", epoch, [NOTED])
    assert sqlite_ledger.entries_written == 3


def test_opened_ledger_knows_its_latest_time(sqlite_url: str) -> None:
    manual_clock = ManualClock()
    with Ledger.open(sqlite_url, clock=manual_clock) as book:
        epoch = book.claim("table-1")
        book.claim("table-2")
        manual_clock.now += timedelta(seconds=1.5)
        book.append("table-1", epoch, [NOTED])
    manual_clock.now -= timedelta(seconds=1)
    with Ledger.open(sqlite_url, clock=manual_clock) as again:
        again.claim("table-3")
        ((_, changed),) = (entry.facts for entry in again.entries("clock"))
    assert (changed["fact"], changed["milliseconds"]) == ("clock-changed", -1000)
