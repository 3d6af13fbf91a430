"""Papers of a running casino: dispute, table result, statement, receipt; read back from the PDF."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pypdf
import pytest
from tests.cli.conftest import Demo
from tests.cli.ledger_folders import use_folder
from tests.command_line import Ask
from tests.printing.pdf_reader import pages, structure, text

CAPPED = "catfish-bend-mississippi-stud-000007"


@pytest.fixture
def house(demo: Demo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    use_folder(tmp_path, monkeypatch)
    monkeypatch.setenv("PITBOOK_DATA", str(demo.path))
    return demo.path


@pytest.mark.long
@pytest.mark.usefixtures("house")
def test_dispute_report_of_a_round(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "dispute.pdf"
    account = ask("audit", "explain", CAPPED, "1", "--pdf", str(file), "--json").document
    paper_text = text(file.read_bytes())
    assert CAPPED in paper_text
    assert account["player"] in paper_text
    assert account["sheet"]["hash"] in paper_text
    for line in account["lines"]:
        assert line["clause"] in paper_text
    assert "the round gives the recorded result" in paper_text
    assert all("page " in page for page in pages(file.read_bytes()))
    assert structure(file.read_bytes())["marked"]


@pytest.mark.long
@pytest.mark.usefixtures("house")
def test_tournament_chips_are_not_dollars(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "round.pdf"
    ask("audit", "explain", "gala.main-1-000001", "1", "--pdf", str(file))
    assert "$" not in text(file.read_bytes())
    result_document = ask("papers", "result", "-o", str(file), "--json").document
    (chips,) = [table for table in result_document["tables"] if table["table"] == "gala.main-1"]
    row = text(file.read_bytes()).partition("gala.main-1")[2].partition("gala.main-2")[0]
    assert f"{float(chips['handle']):,.0f}" in row
    assert "$" not in row


@pytest.mark.long
@pytest.mark.usefixtures("house")
def test_table_result_covers_an_interval(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "result.pdf"
    result_document = ask(
        "papers", "result", "-o", str(file), "--operator", "River House", "--json"
    ).document
    paper_text = text(file.read_bytes())
    assert "River House" in paper_text
    assert result_document["tables"]
    for table in result_document["tables"]:
        assert table["table"] in paper_text
        dollars_text, cents = f"{float(table['drop']):,.2f}".split(".")
        assert dollars_text + (f".{cents}" if cents != "00" else "") in paper_text
    assert "reconcile with the closing of every table" in paper_text
    empty_result = ask(
        "papers", "result", "--from", "1999-01-01", "--to", "1999-01-02", "-o", str(file)
    )
    assert empty_result.code == 0
    assert "o activity" in text(file.read_bytes())


@pytest.mark.long
@pytest.mark.usefixtures("house")
def test_event_statement_and_receipts(ask: Ask, tmp_path: Path) -> None:
    (night, *_) = ask("night", "list", "--json").document["nights"]
    event = night["event"]
    statement, receipt = tmp_path / "statement.pdf", tmp_path / "receipt.pdf"
    ask("night", "statement", event, "--pdf", str(statement))
    receipt_document = ask("night", "receipt", event, "1", "--pdf", str(receipt), "--json").document
    printed = ask("night", "receipt", event, "1").out
    paper_text = text(statement.read_bytes())
    assert night["charity"] in paper_text
    assert "page 1 of" in paper_text
    assert re.search(r"Generated \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC", paper_text)
    slip_text = text(receipt.read_bytes())
    assert receipt_document["receipt"] in slip_text
    assert receipt_document["by"] in slip_text
    assert [line for line in printed.splitlines() if line not in slip_text] == []


def page_sizes(content: bytes) -> set[tuple[float, float]]:
    pdf_pages = pypdf.PdfReader(io.BytesIO(content)).pages
    return {
        (round(float(page.mediabox.width)), round(float(page.mediabox.height)))
        for page in pdf_pages
    }


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize(
    "command",
    [
        ("audit", "explain", CAPPED, "1", "--pdf"),
        ("papers", "result", "--out"),
        ("night", "statement", "gala", "--pdf"),
        ("night", "receipt", "gala", "1", "--pdf"),
    ],
    ids=["dispute", "result", "statement", "receipt"],
)
def test_every_house_paper_is_available_in_letter_and_a4(
    ask: Ask, tmp_path: Path, command: tuple[str, ...]
) -> None:
    file = tmp_path / "paper.pdf"
    for size, sides in (("letter", {612, 792}), ("a4", {595, 842})):
        assert ask(*command, str(file), "--size", size).code == 0
        (page_size,) = page_sizes(file.read_bytes())
        assert set(page_size) == sides


@pytest.mark.usefixtures("house")
def test_receipt_is_a_slip_unless_a_page_is_requested(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "receipt.pdf"
    ask("night", "receipt", "gala", "1", "--pdf", str(file))
    assert page_sizes(file.read_bytes()) == {(298, 420)}


@pytest.mark.usefixtures("house")
def test_house_papers_have_a_subtitle(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "paper.pdf"
    ask("audit", "explain", CAPPED, "1", "--pdf", str(file))
    assert text(file.read_bytes()).count(f"Report on round {CAPPED}") == 1 + len(
        pages(file.read_bytes())
    )
    ask("papers", "result", "-o", str(file))
    assert text(file.read_bytes()).count("Table result") > len(pages(file.read_bytes()))
    ask("night", "statement", "gala", "--pdf", str(file))
    assert text(file.read_bytes()).count("Closing statement: gala") > len(pages(file.read_bytes()))


def test_rehearsal_statement_is_marked(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_folder(tmp_path, monkeypatch)
    monkeypatch.setenv("PITBOOK_DATA", str(tmp_path / "house"))
    file = tmp_path / "statement.pdf"
    options = ("--charity", "Shelter", "--license", "NH-1", "--date", "2099-11-21", "--rehearsal")
    assert ask("night", "new", "t1", *options).code == 0
    ask("night", "statement", "t1", "--pdf", str(file))
    assert "REHEARSAL: no cash value" in text(file.read_bytes())


@pytest.mark.usefixtures("house")
def test_signature_lines_are_never_alone_on_a_page(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "paper.pdf"
    for round_id in ("gala.main-1-000001", CAPPED):
        for size in ("letter", "a4"):
            ask("audit", "explain", round_id, "1", "--pdf", str(file), "--size", size)
            (signed,) = [page for page in pages(file.read_bytes()) if "Signatures" in page]
            assert "Replayed from the ledger" in signed
