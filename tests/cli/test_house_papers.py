"""Papers of a house at work: a dispute, a table's result, a statement, a receipt; read back."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pypdf
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


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
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


def widths(content: bytes) -> set[tuple[float, float]]:
    found = pypdf.PdfReader(io.BytesIO(content)).pages
    return {(round(float(one.mediabox.width)), round(float(one.mediabox.height))) for one in found}


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize(
    "asked",
    [
        ("audit", "explain", CAPPED, "1", "--pdf"),
        ("papers", "result", "--out"),
        ("night", "statement", "gala", "--pdf"),
        ("night", "receipt", "gala", "1", "--pdf"),
    ],
    ids=["dispute", "result", "statement", "receipt"],
)
def test_every_paper_of_a_house_can_be_had_on_letter_and_a4(
    ask: Ask, tmp_path: Path, asked: tuple[str, ...]
) -> None:
    file = tmp_path / "paper.pdf"
    for size, sides in (("letter", {612, 792}), ("a4", {595, 842})):
        assert ask(*asked, str(file), "--size", size).code == 0
        (found,) = widths(file.read_bytes())
        assert set(found) == sides


@pytest.mark.usefixtures("house")
def test_a_receipt_is_a_slip_unless_a_page_is_asked_for(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "receipt.pdf"
    ask("night", "receipt", "gala", "1", "--pdf", str(file))
    assert widths(file.read_bytes()) == {(298, 420)}


@pytest.mark.usefixtures("house")
def test_the_papers_of_a_house_say_under_their_name_what_they_are(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "paper.pdf"
    ask("audit", "explain", CAPPED, "1", "--pdf", str(file))
    assert text(file.read_bytes()).count(f"Report on round {CAPPED}") == 1 + len(
        pages(file.read_bytes())
    )
    ask("papers", "result", "-o", str(file))
    assert text(file.read_bytes()).count("Table result") > len(pages(file.read_bytes()))
    ask("night", "statement", "gala", "--pdf", str(file))
    assert text(file.read_bytes()).count("Closing statement: gala") > len(pages(file.read_bytes()))


def test_a_rehearsal_says_so_on_its_statement(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone(tmp_path, monkeypatch)
    monkeypatch.setenv("PITBOOK_DATA", str(tmp_path / "house"))
    file = tmp_path / "statement.pdf"
    told = ("--charity", "Shelter", "--licence", "NH-1", "--date", "2099-11-21", "--rehearsal")
    assert ask("night", "new", "t1", *told).code == 0
    ask("night", "statement", "t1", "--pdf", str(file))
    assert "REHEARSAL: play money" in text(file.read_bytes())


@pytest.mark.usefixtures("house")
def test_lines_to_sign_on_never_stand_on_a_page_of_their_own(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "paper.pdf"
    for one in ("gala.main-1-000001", CAPPED):
        for size in ("letter", "a4"):
            ask("audit", "explain", one, "1", "--pdf", str(file), "--size", size)
            (signed,) = [one for one in pages(file.read_bytes()) if "Signatures" in one]
            assert "Played again from the book" in signed
