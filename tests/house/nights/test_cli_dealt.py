"""`pitbook night tournament` with live tables: opened, begun, counted, interrupted."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.command_line import ask  # noqa: F401  A fixture.
from tests.house.nights.test_cli import (  # noqa: F401  Two of them are fixtures.
    DATA,
    SCHEDULE,
    Night,
    expect_error,
    gala,
    night,
)

from pitbook.house.ledger.locks import FolderLock


def start_tournament(gala: Night, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "s.toml").write_text(SCHEDULE)
    for step in (
        ("set-up", "gala.t1", "s.toml"),
        ("announce", "gala.t1"),
        ("enter", "gala.t1", "ann"),
        ("enter", "gala.t1", "bob"),
        ("draw-seats", "gala.t1"),
        ("start", "gala.t1"),
    ):
        answer = gala("tournament", *step)
        assert answer.code == 0, answer.err


@pytest.mark.long
def test_live_tables_deal_and_the_ledger_counts(gala: Night, tmp_path: Path) -> None:  # noqa: F811
    start_tournament(gala, tmp_path)
    expect_error(gala("tournament", "lay-out", "gala.t2"), "There is no tournament")
    opened = gala("tournament", "lay-out", "gala.t1", "--json").document
    assert opened == {"tournament": "gala.t1", "tables": ["gala.t1-1"], "rehearsal": False}
    assert "opened tables gala.t1-1" in gala("tournament", "lay-out", "gala.t1").out
    assert "round begun" in gala("tournament", "begin-round", "gala.t1", "1").out
    by_hand = gala("tournament", "count-chips", "gala.t1", "1", "ann=5")
    expect_error(by_hand, "Live tables count chips automatically")
    assert "ann 1000.00" in gala("tournament", "count-chips", "gala.t1", "1").out
    with FolderLock(tmp_path / DATA):  # A server runs on the house.
        for step in (("begin-round", "gala.t1", "1"), ("lay-out", "gala.t1")):
            expect_error(
                gala("tournament", *step), "Stop it first, or keep the ledger on PostgreSQL to run"
            )
        expect_error(
            gala("interrupted", "gala", "--why", "storm"),
            "Stop it first, or keep the ledger on PostgreSQL to run",
        )
        assert gala("tournament", "show", "gala.t1").code == 0
    cut = gala("tournament", "interrupt", "gala.t1", "--why", "storm", "--json").document
    assert cut["status"] == "finished"
    for player in ("ann", "bob"):
        assert gala("tournament", "pay-out", "gala.t1", player).code == 0
    assert gala("close", "gala").code == 0
    assert gala("statement", "gala").code == 0


def test_closing_with_a_used_id_retires_no_table(gala: Night) -> None:  # noqa: F811
    gala("open-table", "gala", "stud-1", "oceanfront/mississippi-stud")
    gala("sell", "gala", "ann", "4", "--request", "used", "--by", "kim")
    before = gala("show", "gala", "--json").document
    expect_error(gala("close", "gala", "--request", "used", "--by", "kim"), "already used")
    assert gala("show", "gala", "--json").document == before
    assert gala("interrupted", "gala", "--why", "storm").out.endswith("No hand is in play.\n")
