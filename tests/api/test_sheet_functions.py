"""pitbook.check, diff, drill and papers return what their commands print."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Ask, ask
from tests.sheets.samples import CMS, LAS, OMS

import pitbook

STAX = "louisiana-stud/stax-required"
__all__ = ["ask"]


def test_check_matches_the_command(ask: Ask) -> None:
    for sheet in (CMS, OMS):
        document = ask("sheets", "check", sheet, "--json").document
        report = pitbook.check(sheet)
        for finding, printed in zip(
            report.document()["findings"], document["findings"], strict=True
        ):
            assert {**finding, "file": ""} == {**json.loads(json.dumps(printed)), "file": ""}
        assert report.document()["wagers"] == document["wagers"]
        assert report.document()["commands"] == document["commands"]
        assert report.valid
        assert [row["level"] for row in report.records()] == ["notice"] * len(report.findings)


def _without_files(findings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The command shortens the path of a bundled sheet."""
    return [{**finding, "file": ""} for finding in findings]


def test_check_of_a_changed_sheet_names_fields() -> None:
    """A player advantage is an error of the check, though the sheet loads."""
    report = pitbook.check(pitbook.changed(OMS, {"main.pays.royal-flush": "200000:1"}))
    assert not report.valid
    (error,) = [finding for finding in report.findings if finding.level == "error"]
    assert error.where == f"{OMS}, main.pays"
    assert report.wagers["main"].house is not None
    assert report.wagers["main"].house < 0


def test_check_of_a_broken_file_lists_its_errors(tmp_path: Path) -> None:
    file = tmp_path / "broken.toml"
    file.write_text("format = 1\n", encoding="utf-8")
    report = pitbook.check(file)
    assert (report.valid, report.sheet, report.commands) == (False, None, None)
    assert report.records()[0]["level"] == "error"
    assert str(report).startswith("check of a sheet: ")


def test_diff_matches_the_command(ask: Ask) -> None:
    differences = pitbook.diff(LAS, STAX)
    assert differences.document() == ask("sheets", "diff", LAS, STAX, "--json").document
    assert [row["field"] for row in differences.records()] == [
        change["field"] for change in differences.document()["differences"]
    ]
    assert pitbook.diff(LAS, LAS).records() == []


def test_a_drill_repeats_its_questions_for_a_seed() -> None:
    drill = pitbook.drill(CMS, count=6, seed="morning")
    assert drill == pitbook.drill(CMS, count=6, seed="morning")
    assert drill != pitbook.drill(CMS, count=6, seed="evening")
    for question in drill.questions:
        assert question.is_right(question.answer)
        assert question.text
        assert question.clauses == tuple(
            dict.fromkeys(reason.clause for reason in question.reasons if reason.clause)
        )
    assert [row["kind"] for row in drill.records()] == [
        question.kind for question in drill.questions
    ]


def test_a_drill_asks_only_the_kinds_named() -> None:
    kinds = {
        question.kind for question in pitbook.drill(CMS, ["pay-hand", "odds"], count=12).questions
    }
    assert kinds == {"pay-hand", "odds"}
    with pytest.raises(pitbook.PitbookError, match="count: 0 is outside 1 to 10,000"):
        pitbook.drill(CMS, count=0)


def test_papers_are_pages_that_can_be_saved(tmp_path: Path) -> None:
    packet = pitbook.papers(CMS, ["rules", "sign"])
    assert [row["paper"] for row in packet.records()] == ["rules", "sign"]
    rules, sign = packet.save(tmp_path / "packet")
    assert (rules.name, sign.name) == ("rules.html", "sign.html")
    assert rules.read_text(encoding="utf-8") == packet["rules"].html()
    assert "Mississippi Stud" in packet["sign"].html()
    assert packet["sign"]._repr_html_() in packet["sign"].html()
    with pytest.raises(pitbook.PitbookError, match='There is no paper "rule"'):
        pitbook.papers(CMS, "rule")
    with pytest.raises(pitbook.PitbookError, match='There is no paper "layout"'):
        packet["layout"]


@pytest.mark.long
def test_papers_are_saved_as_pdf(tmp_path: Path) -> None:
    (file,) = pitbook.papers(CMS, "sign").save(tmp_path, as_pdf=True)
    assert file.read_bytes().startswith(b"%PDF")


def test_a_checklist_needs_a_state_that_has_one() -> None:
    assert [*pitbook.papers(CMS, "checklist").papers] == ["checklist"]
    with pytest.raises(pitbook.PitbookError, match="Atlantis"):
        pitbook.papers(CMS, jurisdiction="Atlantis")
