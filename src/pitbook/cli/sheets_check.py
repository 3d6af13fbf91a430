"""`pitbook sheets check`: findings with their places, and the house edge of every wager."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import typer

from pitbook.cli.commands import command
from pitbook.cli.language import worded
from pitbook.cli.options import Folders, Json, SheetNames, label, library, today
from pitbook.cli.output import cells, emit, examples, sentence, styled, terminal_width
from pitbook.errors import PitbookError
from pitbook.exact.check import SheetCheck, check_reading
from pitbook.exact.sheet_figures import QUICK_SECONDS, Estimate, advise_estimate, math_estimate
from pitbook.exact.work import duration_text
from pitbook.sheets.findings import Finding, count_left_out, errors, limit_findings, printable
from pitbook.sheets.library import Library
from pitbook.sheets.load import examine_file
from pitbook.sheets.model import Sheet
from pitbook.text import capital, say

app = command()

INDENT = "    "
COLOURS = {"error": "red", "notice": "yellow"}


@dataclass(frozen=True)
class CheckReport:
    """What came of one argument: what the check found, or why it could not be read at all."""

    name: str
    found: SheetCheck
    lines: list[str]
    refusal: str | None = None
    commands: Mapping[str, Estimate] = field(default_factory=dict)

    @property
    def is_valid(self) -> bool:
        """Whether the sheet can be used as it is."""
        return self.refusal is None and not errors(self.found.findings)

    def document(self) -> dict[str, Any]:
        """The report as JSON carries it."""
        if self.refusal:
            return {**self.found.document(), "valid": False, "error": self.refusal}
        answers = {name: estimate.document() for name, estimate in self.commands.items()}
        return {**self.found.document(), "commands": answers}


@app.command(
    epilog=examples(
        "pitbook sheets check catfish-bend/mississippi-stud",
        "pitbook sheets check my-sheets/*.toml --json",
    )
)
def check(sheets: SheetNames, *, folder: Folders = None, json: Json = False) -> None:
    """What is wrong or worth knowing about sheets, and the house edge of every wager.

    An error forbids a sheet's use and makes the exit code 1; a notice does neither. A wager that
    the player has the better of is an error here, unless the sheet declares it; the sheet loads.
    """
    shelf = library(folder)
    reports = [_report(shelf, argument) for argument in sheets]
    if json:
        documents = [report.document() for report in reports]
        emit(documents[0] if len(documents) == 1 else {"sheets": documents})
    for report in reports:
        if report.refusal:
            print(f"pitbook: {report.refusal}", file=sys.stderr)
        elif not json:
            _print(report)
    if not json:
        _print_summary(reports)
    if not all(report.is_valid for report in reports):
        raise typer.Exit(1)


def _report(shelf: Library, argument: str) -> CheckReport:
    try:
        path = shelf.find(argument, today())
        reading = examine_file(path)
    except (PitbookError, OSError) as error:
        return CheckReport(argument, SheetCheck(None, (), {}), [], sentence(error))
    found = check_reading(reading)
    findings = tuple(replace(finding, file=label(path)) for finding in found.findings)
    lines = reading.text.split("\n")
    report = CheckReport(label(path), replace(found, findings=findings), lines)
    if found.sheet is None or errors(reading.findings):
        return report
    return replace(report, commands=_commands(found.sheet))


def _commands(sheet: Sheet) -> dict[str, Estimate]:
    """Whether `math`, `advise` and `simulate` answer for a sheet, and how long each takes."""
    from pitbook.simulate.estimate import simulate_estimate  # noqa: PLC0415  It brings NumPy.

    return {
        "math": math_estimate(sheet),
        "advise": advise_estimate(sheet),
        "simulate": simulate_estimate(sheet),
    }


def _print(report: CheckReport) -> None:
    kept, left_out = limit_findings(report.found.findings)
    for finding in kept:
        clause = f" ({finding.clause})" if finding.clause else ""
        told = worded(say("findings.level", level=finding.level))
        level = styled(told, fg=COLOURS[finding.level], bold=True)
        where = styled(printable(finding.where), bold=True)
        print(f"{where}: {level}: {printable(worded(finding.message))}{printable(clause)}")
        _print_line(report, finding)
    if rest := count_left_out(left_out):
        print(f"{printable(report.name)}: {worded(rest)}")
    _print_edges(report)
    _print_commands(report)


def _print_commands(report: CheckReport) -> None:
    """Print which commands answer for this sheet and how long the slow ones take."""
    sheet, commands = printable(report.name), report.commands
    quick = tuple(
        name
        for name, estimate in commands.items()
        if not estimate.refusal and not estimate.where and estimate.seconds <= QUICK_SECONDS
    )
    if quick:
        print(worded(say("cli.check.quick", sheet=sheet, commands=quick, many=len(quick))))
    for name, estimate in commands.items():
        names = {"sheet": sheet, "command": name}
        if estimate.refusal:
            print(worded(say("cli.check.refused", why=estimate.refusal, **names)))
        elif name not in quick:
            long = duration_text(estimate.seconds)
            line = say("cli.check.slow-at", long=long, where=estimate.where, **names)
            print(worded(line if estimate.where else say("cli.check.slow", long=long, **names)))


def _print_edges(report: CheckReport) -> None:
    """The house edge of every wager, in one sentence or two."""
    wagers = report.found.wagers.values()
    if known := [str(one) for one in wagers if one.house is not None]:
        capped = report.found.sheet is not None and report.found.sheet.limits
        told = {"sheet": printable(report.name), "capped": bool(capped), "edges": tuple(known)}
        print(worded(say("cli.check.edges", **told)))
    for one in wagers:
        if one.house is None:
            told = {"sheet": printable(report.name), "wager": one.wager, "why": one.reason}
            print(worded(say("cli.check.no-edge", **told)))


def _print_line(report: CheckReport, finding: Finding) -> None:
    """The line of the finding, cut to what the terminal shows, and a caret under its column."""
    if not finding.quoted:
        return
    line = report.lines[finding.line - 1] if finding.line <= len(report.lines) else ""
    if not line.strip().startswith(
        finding.quoted
    ):  # The finding quotes text that could not be parsed.
        print(INDENT + _cut("", printable(finding.quoted), _space())[1])
        return
    before = printable(line[: finding.column - 1].lstrip())
    after = printable(line[finding.column - 1 :].strip() if before else line.strip())
    before, after = _cut(before, after, _space())
    print(INDENT + before + after)
    caret = styled("^", fg=COLOURS[finding.level], bold=True)
    print(INDENT + " " * cells(before) + caret)


def _space() -> int:
    return max(20, terminal_width() - len(INDENT))


def _cut(before: str, after: str, space: int) -> tuple[str, str]:
    """Both sides of the caret, shortened with dots so that the caret stays in view."""
    if len(before) + len(after) <= space:
        return before, after
    left = space // 2
    if len(before) > left:
        before = "..." + before[-(left - 3) :]
    room = space - len(before)
    return before, after if len(after) <= room else after[: room - 3] + "..."


def _print_summary(reports: list[CheckReport]) -> None:
    findings = [finding for report in reports for finding in report.found.findings]
    wrong = len(errors(findings))
    counts = {"errors": wrong, "notices": len(findings) - wrong}
    unread = sum(report.refusal is not None for report in reports)
    if len(reports) > 1:
        every = {"sheets": len(reports), "counts": say("cli.check.counts", **counts)}
        print(worded(say("cli.check.summary", unread=unread, **every)))
    elif not unread:
        print(worded(capital(say("form.full", text=say("cli.check.counts", **counts)))))
