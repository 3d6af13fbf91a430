"""`pitbook sheets check`: findings with their positions, and the house edge of every wager."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import typer

from pitbook.cli.language import localize
from pitbook.cli.lazy_commands import command
from pitbook.cli.options import Folders, Json, SheetNames, label, library, today
from pitbook.cli.plain_output import (
    column_width,
    emit,
    error_sentence,
    examples,
    style_text,
    terminal_width,
)
from pitbook.errors import PitbookError
from pitbook.exact.edge_findings import SheetCheck
from pitbook.exact.long_computations import duration_text
from pitbook.exact.time_estimates import QUICK_SECONDS
from pitbook.sheets.field_types import Entries
from pitbook.sheets.findings import Finding, count_left_out, errors, limit_findings
from pitbook.sheets.library import Library
from pitbook.text import capital, say
from pitbook.text.user_input import printable

app = command()

INDENT = "    "
COLORS = {"error": "red", "notice": "yellow"}


@dataclass(frozen=True)
class CheckReport:
    """The check of one argument, or the reason why it could not be read."""

    name: str
    check: SheetCheck
    refusal: str | None = None

    @property
    def is_valid(self) -> bool:
        """Whether the sheet can be used."""
        return self.refusal is None and self.check.valid

    def document(self) -> dict[str, Any]:
        """The report as JSON."""
        if self.refusal:
            return {**self.check.document(), "valid": False, "error": self.refusal}
        return {"commands": {}, **self.check.document()}


@app.command(
    epilog=examples(
        "pitbook sheets check catfish-bend/mississippi-stud",
        "pitbook sheets check my-sheets/*.toml --json",
    )
)
def check(sheets: SheetNames, *, folder: Folders = None, json: Json = False) -> None:
    """Check sheets for errors and notices, and print the house edge of every wager.

    A sheet with errors cannot be used, and the exit code is 1; notices are only advice. A wager
    with a player advantage is an error too, unless the sheet declares it, but the sheet loads.
    """
    sheet_library = library(folder)
    reports = [_report(sheet_library, argument) for argument in sheets]
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
    from pitbook.sheet_check import check_file  # noqa: PLC0415  Imports NumPy.

    try:
        path = shelf.find(argument, today())
        return CheckReport(label(path), check_file(path, label(path)))
    except (PitbookError, OSError) as error:
        unread = SheetCheck(None, (), Entries())
        return CheckReport(argument, unread, error_sentence(error))


def _print(report: CheckReport) -> None:
    shown_findings, left_out = limit_findings(report.check.findings)
    for finding in shown_findings:
        clause = f" ({finding.clause})" if finding.clause else ""
        level_name = localize(say("findings.level", level=finding.level))
        level = style_text(level_name, fg=COLORS[finding.level], bold=True)
        location = style_text(printable(finding.where), bold=True)
        print(f"{location}: {level}: {printable(localize(finding.message))}{printable(clause)}")
        _print_line(report, finding)
    if left_out_text := count_left_out(left_out):
        print(f"{printable(report.name)}: {localize(left_out_text)}")
    _print_edges(report)
    _print_commands(report)


def _print_commands(report: CheckReport) -> None:
    """Print which commands answer for this sheet and how long the slow ones take."""
    sheet, commands = printable(report.name), report.check.commands or Entries()
    quick = tuple(
        name
        for name, estimate in commands.items()
        if not estimate.refusal and not estimate.slowest_part and estimate.seconds <= QUICK_SECONDS
    )
    if quick:
        print(localize(say("cli.check.quick", sheet=sheet, commands=quick, many=len(quick))))
    for name, estimate in commands.items():
        names = {"sheet": sheet, "command": name}
        if estimate.refusal:
            print(localize(say("cli.check.refused", why=estimate.refusal, **names)))
        elif name not in quick:
            long = duration_text(estimate.seconds)
            line = say("cli.check.slow-at", long=long, where=estimate.slowest_part, **names)
            print(
                localize(
                    line if estimate.slowest_part else say("cli.check.slow", long=long, **names)
                )
            )


def _print_edges(report: CheckReport) -> None:
    """Print the house edge of every wager."""
    wagers = report.check.wagers.values()
    if edges := [str(wager) for wager in wagers if wager.house is not None]:
        capped = report.check.sheet is not None and report.check.sheet.limits
        details = {"sheet": printable(report.name), "capped": bool(capped), "edges": tuple(edges)}
        print(localize(say("cli.check.edges", **details)))
    for wager in wagers:
        if wager.house is None:
            details = {"sheet": printable(report.name), "wager": wager.wager, "why": wager.reason}
            print(localize(say("cli.check.no-edge", **details)))


def _print_line(report: CheckReport, finding: Finding) -> None:
    """Print the line of a finding, shortened to the terminal, with a caret under its column."""
    if not finding.quoted:
        return
    line = report.check.lines[finding.line - 1] if finding.line <= len(report.check.lines) else ""
    # The finding quotes text that could not be parsed.
    if not line.strip().startswith(finding.quoted):
        print(INDENT + _shorten_around_caret("", printable(finding.quoted), _line_width())[1])
        return
    before = printable(line[: finding.column - 1].lstrip())
    after = printable(line[finding.column - 1 :].strip() if before else line.strip())
    before, after = _shorten_around_caret(before, after, _line_width())
    print(INDENT + before + after)
    caret = style_text("^", fg=COLORS[finding.level], bold=True)
    print(INDENT + " " * column_width(before) + caret)


def _line_width() -> int:
    return max(20, terminal_width() - len(INDENT))


def _shorten_around_caret(before: str, after: str, space: int) -> tuple[str, str]:
    """Shorten both sides of the caret so that it stays visible."""
    if len(before) + len(after) <= space:
        return before, after
    before_max = space // 2
    if len(before) > before_max:
        before = "..." + before[-(before_max - 3) :]
    after_max = space - len(before)
    return before, after if len(after) <= after_max else after[: after_max - 3] + "..."


def _print_summary(reports: list[CheckReport]) -> None:
    findings = [finding for report in reports for finding in report.check.findings]
    error_count = len(errors(findings))
    counts = {"errors": error_count, "notices": len(findings) - error_count}
    unread_count = sum(report.refusal is not None for report in reports)
    if len(reports) > 1:
        totals = {"sheets": len(reports), "counts": say("cli.check.counts", **counts)}
        print(localize(say("cli.check.summary", unread=unread_count, **totals)))
    elif not unread_count:
        print(localize(capital(say("form.full", text=say("cli.check.counts", **counts)))))
