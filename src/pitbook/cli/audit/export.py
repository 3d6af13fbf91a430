"""`pitbook audit export`: the journal as rows for other programs, with its totals."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from pitbook import file_modes
from pitbook.cli.audit.interval import From, To, interval
from pitbook.cli.commands import command
from pitbook.cli.language import localize, print_lines
from pitbook.cli.options import Json
from pitbook.cli.output import emit, examples
from pitbook.errors import LedgerError
from pitbook.house.cli.data_folder import Data, Database, announce_long_read, open_folder
from pitbook.house.ledger.queries import format_time
from pitbook.spreadsheet import write_rows
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.cli.audit.journal import JournalRow
    from pitbook.cli.audit.statement import IntervalReport

app = command()

FINDING = 1


class ExportFormat(StrEnum):
    """The format of the rows."""

    CSV = "csv"
    JSON = "json"


@app.command(
    epilog=examples(
        "pitbook audit export --from 2026-11-01 --to 2026-11-30 -o november.csv",
        "pitbook audit export --from 2026-11-15T18:00 --format json",
    )
)
def export(
    *,
    start: From = None,
    end: To = None,
    form: Annotated[
        ExportFormat | None, typer.Option("--format", show_default=False, help="Default: csv.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="A new file to write.")
    ] = None,
    summary: Annotated[
        Path | None,
        typer.Option("--summary", metavar="FILE", help="Write the sums as JSON to a new file."),
    ] = None,
    operator: Annotated[
        str | None,
        typer.Option(
            "--operator",
            metavar="NAME",
            envvar="PITBOOK_OPERATOR",
            show_default=False,
            help="The house's name, for the head of the report.",
        ),
    ] = None,
    data: Data = Path("pitbook-data"),
    database: Database = None,
    json: Json = False,
) -> None:
    """Hand out the journal of some days: one row for each fact and each transfer.

    Times are UTC; a plain date is the whole day. The sums (opening, movements and closing of every
    account, and how much belongs to each owner at the end) stand in the JSON document; with CSV
    they are told beside it, so that the rows stay rows. The exit code is 1 where they do not
    reconcile.
    """
    from pitbook.cli.audit.journal import journal  # noqa: PLC0415  Imports the database.
    from pitbook.cli.audit.statement import statement  # noqa: PLC0415
    from pitbook.house.ledger.writer import utc_now  # noqa: PLC0415
    from pitbook.papers.titles import title_error  # noqa: PLC0415

    if operator and (problem := title_error("--operator", operator)):
        raise LedgerError(problem)
    within, form = interval(start, end), _form(form, output, json=json)
    _require_new_files(output, summary)
    with (
        open_folder(data, database) as folder,
        journal(folder.ledger, within) as book,
        _open_output(output) as out,
    ):
        announce_long_read(folder.ledger.streams())
        rows = book.rows() if form is ExportFormat.CSV else list(book.rows())
        if form is ExportFormat.CSV:
            _write_csv(out, rows)
        report = statement(book, folder.ledger, within, operator, now=format_time(utc_now()))
        if form is ExportFormat.JSON:
            _write_json(out, report.document() | {"rows": [row._asdict() for row in rows]})
    if summary:
        with _open_output(summary) as file:
            _write_json(file, report.document())
    _print_report(report, form, output, json=json)
    if report.unreconciled:
        raise typer.Exit(FINDING)


def _form(form: ExportFormat | None, output: Path | None, *, json: bool) -> ExportFormat:
    if json and output is None and form is ExportFormat.CSV:
        raise typer.BadParameter(
            localize(say("cli.audit.csv-to-file")),
            param_hint="--format",
        )
    return form or (ExportFormat.JSON if json and output is None else ExportFormat.CSV)


def _require_new_files(output: Path | None, summary: Path | None) -> None:
    if summary is not None and summary == output:
        raise typer.BadParameter(localize(say("cli.audit.file-each")), param_hint="--summary")
    for file in (output, summary):
        if file is not None and file.exists():
            raise LedgerError(say("cli.file.there-already", path=str(file)))


def _print_report(
    report: IntervalReport, form: ExportFormat, output: Path | None, *, json: bool
) -> None:
    """Print the totals; on standard output only if the rows are not there."""
    if output is None:
        if form is ExportFormat.CSV:
            print(*map(localize, report.lines()), sep="\n", file=sys.stderr)
    elif json:
        emit({"file": str(output), "as": form.value} | report.document())
    else:
        print_lines(say("cli.audit.wrote", path=output), *report.lines())


@contextmanager
def _open_output(path: Path | None) -> Iterator[TextIO]:
    """Standard output, or a file that is written atomically."""
    if path is None:
        yield sys.stdout
        return
    partial = path.with_name(f".{path.name}.part")
    try:
        if partial.is_file():  # Left by an interrupted run.
            partial.unlink()
        with file_modes.create(partial, encoding="utf-8", newline="") as file:
            yield file
        partial.rename(path)
    except OSError as error:
        details = {"path": str(path), "why": error.strerror}
        raise LedgerError(say("cli.file.unwritable", **details)) from None
    finally:
        if partial.is_file():
            partial.unlink()


def _write_csv(out: TextIO, rows: Iterable[JournalRow]) -> None:
    from pitbook.cli.audit.journal import COLUMNS  # noqa: PLC0415

    write_rows(out, [COLUMNS], newline="\n")
    write_rows(out, (map(_cell, row) for row in rows), newline="\n")


def _cell(value: Any) -> Any:
    """A value as a CSV cell; dictionaries become JSON."""
    if isinstance(value, dict):
        return json_module.dumps(value, ensure_ascii=False, sort_keys=True)
    return value


def _write_json(out: TextIO, document: dict[str, Any]) -> None:
    if out is sys.stdout:
        emit(document)
    else:
        json_module.dump(document, out, ensure_ascii=False, indent=2)
        out.write("\n")
