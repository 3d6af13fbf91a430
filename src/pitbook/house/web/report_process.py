"""Computes a report in a separate process: `python -m pitbook.house.web.report_process`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

from pitbook.printing.report_figures import has_stored_figures, report_figures
from pitbook.rules.stored_rounds import sheet_document, stored_sheet
from pitbook.sheets.model import Sheet

NICE = 10


def compute_report(sheet: Sheet, on_step: Callable[[str], None]) -> None:
    """Compute a report's figures in another process and store them; calls `on_step` as each step
    begins.

    If the other process fails, this one computes them.
    """
    if not has_stored_figures(sheet):
        with suppress(OSError):  # It did not start, or failed at once.
            _compute_in_subprocess(sheet, on_step)
    if not has_stored_figures(sheet):
        report_figures(sheet, on_step)


def _compute_in_subprocess(sheet: Sheet, on_step: Callable[[str], None]) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "pitbook.house.web.report_process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(f"{json.dumps(sheet_document(sheet))}\n")
            process.stdin.flush()
            for line in process.stdout:
                on_step(line.strip())
        finally:
            process.kill()


def _main() -> None:
    from pitbook.house.web.jobs import within_limits  # noqa: PLC0415  The server has loaded it.

    if hasattr(os, "nice"):
        os.nice(NICE)
    sheet = stored_sheet(json.loads(sys.stdin.readline()))
    threading.Thread(target=_end_with_input, daemon=True).start()
    within_limits(lambda: report_figures(sheet, _report_step), None)


def _report_step(step: str) -> None:
    sys.stdout.write(f"{step}\n")
    sys.stdout.flush()


def _end_with_input() -> None:
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    _main()
