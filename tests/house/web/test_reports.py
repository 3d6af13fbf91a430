"""Another process computes a report's figures, and ends with the process that started it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pitbook import load
from pitbook.house.web import report_process as reports
from pitbook.printing import report_figures as stored_figures
from pitbook.printing.record_json import dump_record
from pitbook.printing.report_figures import STEPS, has_stored_figures, report_figures
from pitbook.printing.report_simulation import SECONDS_SETTING
from pitbook.rules.stored_rounds import sheet_document
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet

STUD = "catfish-bend/mississippi-stud"


@pytest.fixture
def nothing_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(stored_figures, "_folder", lambda: tmp_path)
    monkeypatch.setattr(stored_figures, "read_precomputed", lambda *_: None)
    return tmp_path


def fake(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Make the other process run this code instead of the computation."""
    begin = subprocess.Popen
    monkeypatch.setattr(
        subprocess, "Popen", lambda _, **how: begin([sys.executable, "-c", code], **how)
    )


def test_steps_of_the_other_process_are_reported(
    nothing_kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet, heard = load(STUD), list[str]()
    path = nothing_kept / f"{digest(sheet)}.figures"
    written = f"open({str(path)!r}, 'w').write({stored_figures._checksum('{}') + chr(10) + '{}'!r})"
    fake(monkeypatch, f"input(); print('mathematics'); print('strategy'); {written}")
    monkeypatch.setattr(reports, "report_figures", lambda *_: pytest.fail("it was computed here"))
    reports.compute_report(sheet, heard.append)
    assert heard == ["mathematics", "strategy"]
    reports.compute_report(sheet, lambda _: pytest.fail("it was computed again"))


@pytest.mark.parametrize("damage", [("0.0491", "0.0191"), ("}", ""), ('"math"', '"meth"')])
def test_damaged_figures_are_never_printed(
    nothing_kept: Path, monkeypatch: pytest.MonkeyPatch, damage: tuple[str, str]
) -> None:
    sheet, computed = load(STUD), list[str]()
    figures: Any = {"math": {"house_edge": 0.0491}}

    def compute(*_: object) -> Any:
        computed.append(sheet.id)
        return figures

    monkeypatch.setattr(stored_figures, "compute_report_figures", compute)
    assert [report_figures(sheet), report_figures(sheet)] == [figures, figures]
    [path] = nothing_kept.iterdir()
    path.write_text(path.read_text(encoding="utf-8").replace(*damage, 1), encoding="utf-8")
    assert not has_stored_figures(sheet)
    assert [report_figures(sheet), report_figures(sheet)] == [figures, figures]
    assert computed == [STUD, STUD]


@pytest.mark.usefixtures("nothing_kept")
@pytest.mark.parametrize("code", ["raise SystemExit(1)", "input(); raise SystemExit(3)"])
def test_server_computes_figures_itself_if_the_other_process_fails(
    monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    computed_here = list[str]()
    fake(monkeypatch, code)
    monkeypatch.setattr(
        reports, "report_figures", lambda sheet, hear: computed_here.append(sheet.id)
    )
    reports.compute_report(load(STUD), lambda _: None)
    assert computed_here == [STUD]


@pytest.mark.long
def test_the_process_ends_when_its_input_is_closed() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "pitbook.house.web.report_process"],
        stdin=subprocess.PIPE,
        env={"XDG_CACHE_HOME": "/nonexistent", "PATH": ""},
    ) as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps(sheet_document(load(STUD))).encode() + b"\n")
        process.stdin.close()
        assert process.wait(60) == 1


@pytest.mark.slow
def test_the_other_process_finds_the_same_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet: Sheet = change_sheet(load("pennsylvania/let-it-ride"), {"seats.count": 5})
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv(SECONDS_SETTING, "0")
    stored_figures._folder.cache_clear()
    try:
        assert not has_stored_figures(sheet)
        heard = list[str]()
        reports.compute_report(sheet, heard.append)
        steps = [STEPS.index(step) for step in heard]
        assert steps == sorted(steps)
        assert heard[-1] == STEPS[-1]
        assert has_stored_figures(sheet)
        own_figures = stored_figures.compute_report_figures(sheet)
        assert report_figures(sheet) == stored_figures._load(dump_record(own_figures))
    finally:
        stored_figures._folder.cache_clear()
