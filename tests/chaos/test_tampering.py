"""Changes made to the database behind the ledger's back are detected."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.chaos.tampering import tampered_books


def test_edits_are_detected(tmp_path: Path, seed: str) -> None:
    row = tampered_books(tmp_path, edits=120, seed=seed)
    assert row["wrong"] == 0, row["first"]


@pytest.mark.slow
def test_ten_thousand_edits_are_detected(tmp_path: Path, seed: str) -> None:
    row = tampered_books(tmp_path, edits=10_000, seed=seed)
    assert row["wrong"] == 0, row["first"]
