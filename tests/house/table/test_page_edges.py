"""Page links at both ends of the history never lead to an empty page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.house.table.recorded_table import OnRecord, sheet_of
from tests.sheets.samples import CMS

from pitbook.house.ledger.ledger import Ledger
from pitbook.house.table.round_history import rounds_page

ROUNDS = 5


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(f"sqlite:///{tmp_path / 'book.db'}") as book:
        yield book


@pytest.mark.long
def test_every_linked_page_has_rounds(ledger: Ledger, tmp_path: Path) -> None:
    live = OnRecord(ledger, sheet_of(tmp_path, CMS))
    for _ in range(ROUNDS):
        live.seat(1, "ann", ante=5)
        live.one_round((1, "fold"))
    for count in range(1, ROUNDS + 2):
        page, pages = rounds_page(ledger, "ann", count=count), 1
        while page.older is not None:
            page, pages = rounds_page(ledger, "ann", count=count, before=page.older), pages + 1
            assert page.rounds, f"an older page without rounds, {count} each"
        assert pages == -(-ROUNDS // count)
        while page.newer is not None:
            page, pages = rounds_page(ledger, "ann", count=count, after=page.newer), pages - 1
            assert page.rounds, f"a newer page without rounds, {count} each"
        assert pages == 1
