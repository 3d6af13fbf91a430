"""Proofs made to waste the verifier's time are rejected quickly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.clauses.one_line_rounds import with_field
from tests.house.table.kit import DEALER
from tests.house.table.proof_table import Proved
from tests.house.web.conftest import fast_ledger

from pitbook import load
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.table import commands as c
from pitbook.rules.game import Seat
from pitbook.rules.round import Round
from pitbook.shoe import redacted_rounds as redaction

SEATS = range(1, 7)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with fast_ledger(tmp_path / "book.db") as book:
        yield book


def test_verifying_many_closed_hands_is_bounded(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five hands of five cards, a side wager on each, and odds that no cards have."""
    crazy = load("pennsylvania/crazy-4-poker")
    live = Proved(ledger, with_field(crazy, "side.queens-up.after_fold.plays", True))
    for seat in SEATS:
        live.seat(seat, f"p{seat}", ante=5, queens_up=5)
    live.do(DEALER, c.CloseBetting())
    for seat in SEATS:
        live.do(f"p{seat}", c.Decide(seat, "1x" if seat == 1 else "fold"))
    stored = live.proof(None)["round"]
    for action in stored["actions"]:
        if action["do"] in redaction.NAMING and action["place"] not in ("board", 1):
            action["card"] = None
    for seat in stored["settlement"]["seats"]:
        seat["lines"][-1]["odds"] = "7:1"
    reads, read = [0], redaction._settled_lines

    def count_lines(final: Round, seat: Seat) -> list[Any]:
        reads[0] += 1
        return read(final, seat)

    monkeypatch.setattr(redaction, "_settled_lines", count_lines)
    monkeypatch.setattr(redaction, "HANDS_MAX", 2_000)
    monkeypatch.setattr(redaction, "READS_MAX", 3_000)
    redacted = redaction.parse_partial_round(stored)
    assert len(
        redaction.partial_settlement_differences(redacted, redaction.replay_partial(redacted))
    ) == len(SEATS)
    assert 0 < reads[0] <= 3_000
