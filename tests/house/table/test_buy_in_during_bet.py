"""Simultaneous transfers: a page and a round show the same balance."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.house.table.recorded_table import OnRecord, sheet_of
from tests.sheets.samples import CMS

from pitbook.house.ledger.ledger import Ledger
from pitbook.house.table.round_history import WalletHistory
from pitbook.house.table.round_records import table_rounds, wallet_balances

MOMENT = datetime(2026, 11, 16, 20, 30, tzinfo=UTC)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """A ledger whose clock stands still."""
    with Ledger.open(f"sqlite:///{tmp_path / 'book.db'}", clock=lambda: MOMENT) as book:
        yield book


@pytest.mark.long
def test_chips_bought_during_a_bet_are_in_the_balance(ledger: Ledger, tmp_path: Path) -> None:
    live = OnRecord(ledger, sheet_of(tmp_path, CMS))
    live.seat(1, "ann", ante=10)
    live.one_round((1, "fold"))
    (record,) = table_rounds(ledger, "table/t1")
    assert {step.at for step in record.steps} == {record.steps[0].at}
    assert WalletHistory(ledger, [record], "ann").of(record) == (100_000, 99_000)
    assert wallet_balances(ledger, record, "ann") == (100_000, 99_000)
