"""A PDF's metadata: when it was built, with what, by whom, from which rules."""

from __future__ import annotations

import io
import re
from datetime import UTC, date, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from tests.command_line import Ask
from tests.printing.pdf_reader import BUILT, build_pdf, pages, sheet_of

from pitbook.printing.packet import PAPERS
from pitbook.printing.rules import rules
from pitbook.printing.typeset import pdf
from pitbook.sheets.hashes import digest

NAME = "catfish-bend/mississippi-stud"
PROGRAM = f"Pitbook {version('pitbook')}"
XMP = ("xmp:CreateDate", "xmp:ModifyDate", "pdf:Producer", "dc:creator")
QUICK = ("rules", "sign", "dealer-card", "layout")


def information(content: bytes) -> dict[str, str]:
    """Entries of the information dictionary, and XMP entries under their prefixed names."""
    with pikepdf.open(io.BytesIO(content)) as document, document.open_metadata() as xmp:
        entries = {str(key): str(value) for key, value in document.docinfo.items()}
        return entries | {name: str(xmp[name]) for name in XMP if name in xmp}


def test_file_dates_are_the_build_date_and_the_producer_is_pitbook() -> None:
    entries = information(pdf(rules(sheet_of(NAME)), built=date(2026, 11, 19)))
    assert entries["/CreationDate"] == entries["/ModDate"] == "D:20261119000000Z"
    assert entries["xmp:CreateDate"] == entries["xmp:ModifyDate"] == "2026-11-19T00:00:00+00:00"
    assert entries["/Producer"] == entries["pdf:Producer"] == PROGRAM


def test_build_time_of_day_is_recorded_in_utc() -> None:
    built = datetime.fromisoformat("2026-11-19T20:30:15-06:00")
    entries = information(pdf(rules(sheet_of(NAME)), built=built))
    assert entries["/CreationDate"] == "D:20261120023015Z"


def test_author_is_the_preparer_and_never_the_casino() -> None:
    anonymous = information(pdf(rules(sheet_of(NAME)), built=BUILT))
    prepared = information(pdf(rules(sheet_of(NAME)), built=BUILT, author="Ann Ruiz, Gaming"))
    assert "/Author" not in anonymous
    assert "dc:creator" not in anonymous
    assert prepared["/Author"] == "Ann Ruiz, Gaming"
    assert "Ann Ruiz, Gaming" in prepared["dc:creator"]


@pytest.mark.parametrize("paper", QUICK)
def test_every_paper_names_program_version_and_sheet_hash(paper: str) -> None:
    sheet = sheet_of(NAME)
    content = build_pdf(NAME, paper)
    subject = information(content)["/Subject"]
    assert subject.startswith(PROGRAM)
    assert f"sheet {sheet.id}, rules {digest(sheet)}" in subject
    for page in pages(content):
        assert PROGRAM in page
        assert digest(sheet)[:12] in page


@pytest.mark.parametrize("paper", QUICK)
def test_pdf_has_nothing_that_poppler_reports(paper: str) -> None:
    """Poppler rejects a false Suspects entry and a color array in a border's attributes."""
    content = build_pdf(NAME, paper)
    with pikepdf.open(io.BytesIO(content)) as document:
        assert document.check_pdf_syntax() == []
        assert "/Suspects" not in document.Root.MarkInfo
        attributes = [
            attribute
            for pdf_object in document.objects
            if isinstance(pdf_object, pikepdf.Dictionary)
            and pdf_object.get("/Type") == "/StructElem"
            for attribute in pdf_object.get("/A", ())
        ]
    assert [attribute for attribute in attributes if "/BorderColor" in attribute] == []
    assert [*_misplaced_objects(content)] == []


def _misplaced_objects(content: bytes) -> list[int]:
    """Objects that are not where the cross-reference table says."""
    start = int(content[content.rindex(b"startxref") :].split()[1])
    table = content[start : content.index(b"trailer", start)]
    entries = re.findall(rb"(\d{10}) \d{5} ([nf])\r\n", table)
    assert int(table.split()[2]) == len(entries)
    return [
        number
        for number, (offset, kind) in enumerate(entries)
        if kind == b"n" and not content[int(offset) :].startswith(b"%d 0 obj" % number)
    ]


@pytest.mark.long
def test_builds_with_the_same_date_are_byte_identical(ask: Ask, tmp_path: Path) -> None:
    packets: list[dict[str, Any]] = [
        ask("papers", "build", NAME, "-o", str(tmp_path / place), *options, "--json").document
        for place, options in (
            ("a", ("--date", "2026-11-19")),
            ("b", ("--date", "2026-11-19")),
            ("c", ("--date", "2026-11-20")),
        )
    ]
    first, second, other = (packet["current"]["files"] for packet in packets)
    assert set(first) == {f"{name}.pdf" for name in (*PAPERS, "checklist")}
    assert first == second
    assert all(first[name] != other[name] for name in first)


def build_sign(ask: Ask, folder: Path, *options: str) -> dict[str, str]:
    answer = ask("papers", "build", NAME, "-o", str(folder), "--only", "sign", *options)
    assert answer.code == 0, answer.err
    return information((folder / "sign.pdf").read_bytes())


def test_build_date_comes_from_the_option_then_the_environment_then_today(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    before = datetime.now(UTC).date()
    today = build_sign(ask, tmp_path)["/CreationDate"]
    days = {before, datetime.now(UTC).date()}
    assert today in {f"D:{day:%Y%m%d}000000Z" for day in days}
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert build_sign(ask, tmp_path)["/CreationDate"] == "D:20231114221320Z"
    dated = build_sign(ask, tmp_path, "--date", "2025-02-03", "--prepared-by", "Ann Ruiz")
    assert (dated["/CreationDate"], dated["/Author"]) == ("D:20250203000000Z", "Ann Ruiz")


def test_redline_records_its_date_and_preparer(ask: Ask, tmp_path: Path) -> None:
    """Compares a sheet with itself, so no figures need computing."""
    file = tmp_path / "red.pdf"
    options = ("--date", "2026-11-19", "--prepared-by", "Ann Ruiz")
    answer = ask("papers", "redline", NAME, NAME, "-o", str(file), *options)
    assert answer.code == 0, answer.err
    entries = information(file.read_bytes())
    assert (entries["/CreationDate"], entries["/Author"]) == ("D:20261119000000Z", "Ann Ruiz")


@pytest.mark.parametrize(
    ("options", "epoch", "reason"),
    [
        (("--date", "19/11/2026"), "", "19/11/2026 is not a date. Write it as 2026-11-19."),
        ((), "yesterday", "SOURCE_DATE_EPOCH is yesterday, which is not a number of seconds"),
        ((), "9" * 20, "which is not a number of seconds"),
        (("--prepared-by", "Ann\nRuiz"), "", "--prepared-by"),
    ],
)
def test_bad_dates_and_names_are_refused(
    ask: Ask,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    options: tuple[str, ...],
    epoch: str,
    reason: str,
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    answer = ask("papers", "build", NAME, "-o", str(tmp_path / "packet"), *options)
    assert answer.code != 0
    assert reason in " ".join(answer.err.split())
    assert not (tmp_path / "packet").exists()
