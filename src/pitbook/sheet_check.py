"""The check of a rule sheet as a value: `pitbook.check`, rendered by `pitbook sheets check`."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path

from pitbook.exact.edge_findings import SheetCheck, check_reading, check_value
from pitbook.exact.time_estimates import advise_estimate, math_estimate
from pitbook.sheets.arguments import SomeSheet, path_text
from pitbook.sheets.field_types import Entries
from pitbook.sheets.findings import errors
from pitbook.sheets.library import Library
from pitbook.sheets.load import examine_file
from pitbook.sheets.model import Sheet
from pitbook.simulation.prepare import simulate_estimate


def check(sheet: SomeSheet) -> SheetCheck:
    """Check a sheet: its findings with their positions, and the house edge of every wager.

    A sheet with errors does not raise an exception; `valid` is False.

    >>> report = check("catfish-bend/mississippi-stud")
    >>> report.valid, report.wagers["main"].house
    (True, Fraction(53223, 1082900))
    """
    if isinstance(sheet, Sheet):
        return _with_commands(check_value(sheet))
    return check_file(Library().find(path_text(sheet), datetime.date.max))


def check_file(path: Path, name: str | None = None) -> SheetCheck:
    """The check of a file; findings name it as `name`. Raises an error if it cannot be read."""
    reading = examine_file(path)
    sheet_check = check_reading(reading)
    findings = tuple(replace(finding, file=name or str(path)) for finding in sheet_check.findings)
    named = replace(sheet_check, findings=findings, lines=tuple(reading.text.split("\n")))
    return named if errors(reading.findings) else _with_commands(named)


def _with_commands(sheet_check: SheetCheck) -> SheetCheck:
    """The check with estimates: which commands support the sheet, and how long each takes."""
    sheet = sheet_check.sheet
    if sheet is None:
        return sheet_check
    estimates = {
        "math": math_estimate(sheet),
        "advise": advise_estimate(sheet),
        "simulate": simulate_estimate(sheet),
    }
    return replace(sheet_check, commands=Entries(estimates))
