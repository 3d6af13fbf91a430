"""Papers of a house at work: a dispute, a table's result, a statement, a receipt; read back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.cli.books import alone
from tests.cli.conftest import Demo
from tests.command_line import Ask
from tests.papers.read_back import pages, structure, text

CAPPED = "catfish-bend-mississippi-stud-000007"


@pytest.fixture
def house(demo: Demo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    alone(tmp_path, monkeypatch)
    monkeypatch.setenv("PITBOOK_DATA", str(demo.path))
    return demo.path


@pytest.mark.usefixtures("house")
def test_a_round_is_reported_for_a_dispute(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "dispute.pdf"
    told = ask("audit", "explain", CAPPED, "1", "--pdf", str(file), "--json").document
    read = text(file.read_bytes())
    assert CAPPED in read
    assert told["player"] in read
    assert told["sheet"]["hash"] in read
    for line in told["lines"]:
        assert line["clause"] in read
    assert "the round comes out as it was written down" in read
    assert all("page " in one for one in pages(file.read_bytes()))
    assert structure(file.read_bytes())["marked"]


@pytest.mark.usefixtures("house")
def test_chips_of_a_tournament_are_no_dollars(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "round.pdf"
    ask("audit", "explain", "gala.main-1-000001", "1", "--pdf", str(file))
    assert "$" not in text(file.read_bytes())
    told = ask("papers", "result", "-o", str(file), "--json").document
    (chips,) = [one for one in told["tables"] if one["table"] == "gala.main-1"]
    row = text(file.read_bytes()).partition("gala.main-1")[2].partition("gala.main-2")[0]
    assert f"{float(chips['handle']):,.0f}" in row
    assert "$" not in row


@pytest.mark.usefixtures("house")
def test_tables_are_told_by_interval(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "result.pdf"
    told = ask("papers", "result", "-o", str(file), "--operator", "River House", "--json").document
    read = text(file.read_bytes())
    assert "River House" in read
    assert told["tables"]
    for one in told["tables"]:
        assert one["table"] in read
        whole, cents = f"{float(one['drop']):,.2f}".split(".")
        assert whole + (f".{cents}" if cents != "00" else "") in read
    assert "come to the closing of every table" in read
    nothing = ask("papers", "result", "--from", "1999-01-01", "--to", "1999-01-02", "-o", str(file))
    assert nothing.code == 0
    assert "o activity" in text(file.read_bytes())


@pytest.mark.usefixtures("house")
def test_a_night_is_stated_and_its_receipts_are_given(ask: Ask, tmp_path: Path) -> None:
    (night, *_) = ask("night", "list", "--json").document["nights"]
    event = night["event"]
    statement, receipt = tmp_path / "statement.pdf", tmp_path / "receipt.pdf"
    ask("night", "statement", event, "--pdf", str(statement))
    told = ask("night", "receipt", event, "1", "--pdf", str(receipt), "--json").document
    shown = ask("night", "receipt", event, "1").out
    read = text(statement.read_bytes())
    assert night["charity"] in read
    assert "page 1 of" in read
    assert re.search(r"Generated \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC", read)
    slip = text(receipt.read_bytes())
    assert told["receipt"] in slip
    assert told["by"] in slip
    assert [line for line in shown.splitlines() if line not in slip] == []
