"""A certificate on paper: complete hashes, and names that no font can set."""

from __future__ import annotations

from datetime import date

import pytest
from tests.printing.pdf_reader import BUILT, sheet_of, structure, text

from pitbook.errors import PitbookError
from pitbook.house.papers.certificate import certificate
from pitbook.house.school.facts import ExamResult, ResultItem
from pitbook.printing import typeset
from pitbook.printing.content import Paper
from pitbook.printing.typeset import pdf

DAY = date(2026, 11, 17)
STUD = "catfish-bend/mississippi-stud"


def paper(person: str, *, passed: bool = True) -> Paper:
    items = tuple(ResultItem(kind, "s", "q", "a", "a", True, 5) for kind in ("odds", "bounds"))
    result = ExamResult(
        *("1f" * 32, "t1", "Stud, first table", person, STUD, "2e" * 32, 2, 2, 85, passed, 30),
        *("2026-11-17T10:00:00+00:00", "2026-11-17T10:09:00+00:00", items),
    )
    fields = {"holds": f"{person} passed.", "address": "http://pit.test:8710/certificate/1f"}
    return certificate(result, sheet_of(STUD), **fields, changed=["Flush pays 6:1, then."], day=DAY)


def test_a_certificate_has_its_hashes_and_where_to_verify_it() -> None:
    content = pdf(paper("Ольга"), built=BUILT)
    words = text(content)
    expected = ("1f" * 32, "2e" * 32, "http://pit.test:8710/certificate/1f", "Ольга", "2 of 2")
    assert [phrase for phrase in expected if phrase not in words] == []
    assert "Flush pays 6 to 1" in words
    assert structure(content)["marked"]


def test_record_of_a_failed_test_is_not_called_a_certificate() -> None:
    words = text(pdf(paper("Ann", passed=False), built=BUILT))
    assert "Table test record" in words
    assert "certificate" not in words.replace("/certificate/", "").casefold()


def test_name_that_no_font_can_set_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ours = typeset._compiler()  # As on a machine without fonts of its own.
    monkeypatch.setattr(typeset, "_compiler", lambda **_: ours)
    with pytest.raises(PitbookError, match='No installed font has "王'):
        pdf(paper("王小明"), built=BUILT)
