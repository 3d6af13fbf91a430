"""No silent waits: long commands show their progress, and Ctrl-C ends any of them at once."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest
from tests.command_line import Ask
from tests.exact.test_large import RESTORE_SIGINT, seven_against_nine

from pitbook.cli import interrupts, progress
from pitbook.exact.long_computations import WorkPhase, advance_work, report_progress, watch_work
from pitbook.text import say

CMS = "catfish-bend/mississippi-stud"
STOPPED = "pitbook: Stopped by Ctrl-C.\n"
# Machine code that holds the main thread for minutes, as a compiled count may.
IN_MACHINE_CODE = """
import hashlib, sys
from pitbook.cli import main
from pitbook.cli import sheets_show
sheets_show.load_sheet = lambda *_: hashlib.pbkdf2_hmac("sha256", b"", b"", 10**9)
main(["sheets", "show", "x"])
"""
# Reports twice a second, so that the test sees several lines of a computation of some seconds.
OFTEN = """
import sys
from pitbook.cli import main
from pitbook.cli import progress
progress.SILENT_SECONDS = progress.EVERY_SECONDS = 0.5
main(["math", {sheet!r}, "--json"])
"""


def start_command(*command: str) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-c", RESTORE_SIGINT, *command]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def interrupt(run: subprocess.Popen[str]) -> tuple[float, str, str]:
    """Seconds that a command keeps running after Ctrl-C, and its output."""
    began = monotonic()
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    return monotonic() - began, out, err


@pytest.mark.long
def test_a_long_command_prints_lines_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    sheet = tmp_path / "large.toml"
    sheet.write_text(seven_against_nine(), encoding="utf-8")
    run = start_command("-c", OFTEN.format(sheet=str(sheet)))
    assert run.stderr is not None
    lines = [run.stderr.readline() for _ in range(8)]
    assert all("Press Ctrl-C to stop." in line for line in lines), lines
    assert any("of 19,448 hands of 7 cards against 9 of the dealer" in line for line in lines)
    seconds, out, err = interrupt(run)
    assert (run.returncode, out) == (130, "")
    assert err.endswith(STOPPED)
    assert seconds < 15  # At once, on a machine that may be busy.


@pytest.mark.long
def test_ctrl_c_ends_machine_code_that_blocks_the_signal_handler() -> None:
    run = start_command("-c", IN_MACHINE_CODE)
    assert run.stderr is not None
    assert "Still calculating after 2 seconds" in run.stderr.readline()
    seconds, out, err = interrupt(run)
    assert (run.returncode, out) == (130, "")
    assert err.endswith(STOPPED)
    assert seconds < 15


@pytest.mark.long
def test_lines_on_standard_error_leave_json_one_document(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = progress.progress_reports
    monkeypatch.setattr("pitbook.cli.app.progress_reports", lambda: slowly(real()))
    monkeypatch.setattr(progress, "SILENT_SECONDS", 0.05)
    monkeypatch.setattr(progress, "EVERY_SECONDS", 0.05)
    answer = ask("math", CMS, "--json")
    assert answer.document["sheet"] == CMS
    lines = answer.err.splitlines()
    assert len(lines) >= 2
    assert all(line.startswith("Still calculating after") for line in lines)
    spanish = ask("--language", "es", "math", CMS)
    assert "Pulse Ctrl-C para detener." in spanish.err


class slowly:  # noqa: N801  It stands for the context manager that it slows down.
    """A context manager that takes longer to leave."""

    def __init__(self, inner: object) -> None:
        self.inner = inner

    def __enter__(self) -> None:
        self.inner.__enter__()  # type: ignore[attr-defined]

    def __exit__(self, *how: object) -> None:
        sleep(0.3)
        self.inner.__exit__(*how)  # type: ignore[attr-defined]


@pytest.mark.long
def test_progress_line_shows_work_done_and_time_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "SILENT_SECONDS", 1.2)
    with progress.progress_reports(), progress.progress(1_000) as show:
        show(500)
        sleep(1.5)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("500 of 1,000 rounds after 1 second, about 1 second left")


def test_slow_phase_is_announced_before_its_first_part_is_done(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "SILENT_SECONDS", 0.05)
    deals = say("exact.working.plain")
    with progress.progress_reports(), report_progress(10_000, deals, seconds_each=1.0):
        advance_work(2_000)
        sleep(0.2)
    assert "0 of 10,000 deals after 1 second. Press Ctrl-C to stop." in capsys.readouterr().err


def test_nested_work_is_reported_once_part_by_part() -> None:
    reports: list[tuple[WorkPhase, int]] = []
    with (
        watch_work(lambda phase, done: reports.append((phase, done))),
        report_progress(10, "deals", seconds_each=0.5),
        report_progress(99, "other deals", seconds_each=0.5),
    ):
        advance_work(4)
        advance_work(40)
    assert {phase for phase, _ in reports} == {WorkPhase("deals", 10, 5.0)}
    assert [done for _, done in reports] == [0, 4, 9, 10]


def test_existing_ctrl_c_handler_is_left_in_place() -> None:
    def existing_handler(*_: object) -> None:
        """A handler that the application installed earlier."""

    before = signal.signal(signal.SIGINT, existing_handler)
    try:
        with interrupts.end_on_ctrl_c():
            assert signal.getsignal(signal.SIGINT) is existing_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_ctrl_c_is_handled_as_before_when_a_command_has_ended(ask: Ask) -> None:
    before = signal.getsignal(signal.SIGINT)
    assert ask("sheets", "list").code == 0
    assert signal.getsignal(signal.SIGINT) is before
    assert signal.set_wakeup_fd(-1) == -1


@pytest.mark.long
def test_an_interrupted_simulation_still_prints_one_document(tmp_path: Path) -> None:
    saved = tmp_path / "kept.json"
    arguments = ("simulate", CMS, "--rounds", "1e13", "--resume", str(saved), "--json")
    run = start_command("-m", "pitbook", *arguments)
    assert run.stderr is not None
    while not re.match("[1-9].* rounds after", run.stderr.readline()):
        assert run.poll() is None
    _, out, err = interrupt(run)
    document = json.loads(out)
    assert run.returncode == 130
    assert document["partial"]
    assert err.endswith(STOPPED)
    assert json.loads(saved.read_text())["totals"]["done"]
    assert os.listdir(tmp_path) == ["kept.json"]  # noqa: PTH208
