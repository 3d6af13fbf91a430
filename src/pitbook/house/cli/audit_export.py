"""`pitbook audit export`: the journal of an interval as rows, with its opening and closing sums."""

from __future__ import annotations

import json as json_module
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TextIO

import typer

from pitbook import private_files
from pitbook.cli.language import localize, print_lines
from pitbook.cli.lazy_commands import command
from pitbook.cli.options import Json
from pitbook.cli.plain_output import emit, examples
from pitbook.csv_files import write_rows
from pitbook.errors import LedgerError
from pitbook.house.cli.ledger_options import (
    Data,
    Database,
    From,
    To,
    announce_long_read,
    interval,
    open_folder,
)
from pitbook.house.inspect.house_statement import HouseStatement, statement_of
from pitbook.house.ledger.accounts import Account, balance_changes
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.queries import Interval, Snapshot, format_time
from pitbook.house.nights.night_cache import charity_names
from pitbook.money import money
from pitbook.text import say, sentence_of
from pitbook.text.user_input import printable


class JournalRow(NamedTuple):
    """One fact or one transfer of a ledger entry."""

    stream: str
    seq: int
    at: str
    epoch: int
    actor: str
    request: str | None
    row: str
    fact: str | None
    why: str | None
    unit: str | None
    debit: str | None
    credit: str | None
    amount: str | None
    detail: dict[str, Any] | None
    hash: str


COLUMNS = JournalRow._fields


class Subtotal(NamedTuple):
    """An account's opening balance, debits, credits and closing balance, in cents."""

    opening: int = 0
    debits: int = 0
    credits: int = 0
    closing: int = 0


class Journal:
    """One pass over a snapshot of the ledger; the subtotals are valid after the rows are read."""

    def __init__(self, snapshot: Snapshot, interval: Interval) -> None:
        self._snapshot, self._interval = snapshot, interval
        self._opening: dict[Account, int] = defaultdict(int)
        self._debits: dict[Account, int] = defaultdict(int)
        self._credits: dict[Account, int] = defaultdict(int)
        self._later: dict[Account, int] = defaultdict(int)
        self.entries = self.transfers = 0

    def rows(self) -> Iterator[JournalRow]:
        """The rows of the interval, stream by stream, in order of sequence number."""
        for entry in self._snapshot.journal():
            place = self._interval.place(entry.at)
            try:
                if place == 0:
                    yield from self._rows_of(entry)
                else:
                    self._add_changes(entry, self._opening if place < 0 else self._later)
            except (LedgerError, KeyError, TypeError, AttributeError) as error:
                details = {"seq": entry.seq, "stream": entry.stream, "why": sentence_of(error)}
                raise LedgerError(say("cli.audit.entry-unread", **details)) from error

    def subtotals(self) -> dict[Account, Subtotal]:
        """The accounts that held or moved money."""
        balances = self._snapshot.balances()
        accounts = sorted({*balances, *self._opening, *self._debits, *self._credits})
        sums = {account: self._subtotal(account, balances.get(account, 0)) for account in accounts}
        return {account: subtotal for account, subtotal in sums.items() if any(subtotal)}

    def _subtotal(self, account: Account, balance: int) -> Subtotal:
        """The subtotal of an account. The closing balance is the stored one, so the totals check
        it.
        """
        totals = self._debits[account], self._credits[account]
        return Subtotal(self._opening[account], *totals, balance - self._later[account])

    def _rows_of(self, entry: Entry) -> Iterator[JournalRow]:
        self.entries += 1
        entry_columns = (*entry[:4], entry.actor, entry.request)
        for fact in entry.facts:
            detail = {key: value for key, value in fact.items() if key != "fact"}
            yield JournalRow(*entry_columns, "fact", fact["fact"], *(None,) * 5, detail, entry.hash)
        for transfer in entry.transfers:
            self.transfers += 1
            self._debits[transfer.debit] += transfer.amount
            self._credits[transfer.credit] += transfer.amount
            transfer_columns = (
                transfer.debit.unit,
                str(transfer.debit),
                str(transfer.credit),
                money(transfer.amount),
            )
            yield JournalRow(
                *entry_columns, "transfer", None, transfer.why, *transfer_columns, None, entry.hash
            )

    def _add_changes(self, entry: Entry, changes_by_account: dict[Account, int]) -> None:
        for transfer in entry.transfers:
            for account, change in balance_changes(transfer):
                changes_by_account[account] += change


@contextmanager
def journal(ledger: Ledger, interval: Interval) -> Iterator[Journal]:
    """The journal of an interval, as a context."""
    with ledger.snapshot() as snapshot:
        yield Journal(snapshot, interval)


# The report: operator, interval, totals and reconciliation ----------------------------------------


FORMAT = 1
TITLES = ("opening", "debits", "credits", "closing")


class IntervalReport(NamedTuple):
    """A report on an interval, without its rows."""

    operator: str | None
    interval: Interval
    generated: str
    version: str
    entries: int
    transfers: int
    subtotals: dict[Account, Subtotal]
    closing: HouseStatement

    @property
    def unreconciled(self) -> list[Account]:
        """Accounts whose opening balance and movements do not match the closing balance."""
        return [
            account
            for account, subtotal in self.subtotals.items()
            if _discrepancy(account, subtotal)
        ]

    def document(self) -> dict[str, Any]:
        """The statement as JSON; amounts are in dollars or chips, with two decimals."""
        accounts = [
            {"unit": account.unit, "account": str(account), "normal": account.normal}
            | {title: money(getattr(subtotal, title)) for title in TITLES}
            for account, subtotal in self.subtotals.items()
        ]
        return {
            "format": FORMAT,
            "operator": self.operator,
            "from": self.interval.start,
            "to": self.interval.end,
            "generated": self.generated,
            "version": self.version,
            "entries": self.entries,
            "transfers": self.transfers,
            "note": None if self.entries else "no activity",
            "accounts": accounts,
            "units": [
                {"unit": unit, "debits": money(debited), "credits": money(credited)}
                for unit, debited, credited in self._units()
            ],
            "owners": self.closing.owners(),
            "reconciles": not self.unreconciled,
        }

    def lines(self) -> Iterator[str]:
        """The statement as text, in lines of 80 columns if names allow."""
        yield from _header_lines(dict(self._heads()))
        yield from self._table()
        yield from self._owners()
        yield ""
        names = [printable(f"{account} in {account.unit}") for account in self.unreconciled]
        yield say("cli.statement.off", accounts=names) if names else say("cli.statement.reconciled")

    def _heads(self) -> Iterator[tuple[str, str]]:
        operator_name = (
            printable(self.operator) if self.operator else say("cli.statement.not-named")
        )
        yield "operator", operator_name
        yield "from", self.interval.start or say("cli.statement.beginning")
        yield "to", self.interval.end or say("cli.statement.end")
        yield "generated", say("cli.statement.made", at=self.generated, version=self.version)
        counts = {"entries": self.entries, "transfers": self.transfers}
        yield "activity", say("cli.statement.done", **counts)

    def _units(self) -> Iterator[tuple[str, int, int]]:
        for unit, group in groupby(self.subtotals.items(), key=lambda item: item[0].unit):
            sums = [subtotal for _, subtotal in group]
            yield (
                unit,
                sum(subtotal.debits for subtotal in sums),
                sum(subtotal.credits for subtotal in sums),
            )

    def _table(self) -> Iterator[str]:
        for unit, debited, credited in self._units():
            unit_rows = (
                (account, sums) for account, sums in self.subtotals.items() if account.unit == unit
            )
            rows = [(printable(str(account)), *map(money, sums)) for account, sums in unit_rows]
            total = (_column_title("total"), "", money(debited), money(credited), "")
            yield ""
            yield from _align_columns([(unit, *map(_column_title, TITLES)), *rows, total])

    def _owners(self) -> Iterator[str]:
        """Lines that split the closing money by owner."""
        if not self.closing.money.owed:
            return
        yield ""
        yield say("cli.statement.owners")
        lines = self.closing.owner_lines()
        yield from _align_columns([(localize(line.title), money(line.amount)) for line in lines])


def interval_report(
    journal: Journal, ledger: Ledger, interval: Interval, operator: str | None, *, now: str
) -> IntervalReport:
    """The statement of a journal whose rows have been read."""
    from importlib.metadata import version  # noqa: PLC0415  Slow, and only needed here.

    software, subtotals = f"pitbook {version('pitbook')}", journal.subtotals()
    closing = {account: subtotal.closing for account, subtotal in subtotals.items()}
    owners = statement_of(closing, charity_of=charity_names(ledger), at=now)
    counts = (journal.entries, journal.transfers, subtotals)
    return IntervalReport(operator or None, interval, now, software, *counts, owners)


def _header_lines(heads: dict[str, str]) -> Iterator[str]:
    titles = [localize(say("cli.statement.head", head=name)) for name in heads]
    width = max(map(len, titles))
    for title, text in zip(titles, heads.values(), strict=True):
        yield f"{title:<{width}}  {localize(text)}"


def _align_columns(rows: list[tuple[str, ...]]) -> Iterator[str]:
    """Names left-aligned, figures right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *figures in rows:
        cells = [f"{figure:>{width}}" for figure, width in zip(figures, widths[1:], strict=True)]
        yield "  ".join((f"{name:<{widths[0]}}", *cells)).rstrip()


def _column_title(column: str) -> str:
    return localize(say("cli.statement.column", column=column))


def _discrepancy(account: Account, subtotal: Subtotal) -> int:
    change = subtotal.debits - subtotal.credits
    return subtotal.opening + (change if account.normal == "debit" else -change) - subtotal.closing


# The command --------------------------------------------------------------------------------------


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
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="File to create.")
    ] = None,
    summary: Annotated[
        Path | None,
        typer.Option(
            "--summary", metavar="FILE", help="Also write the totals as JSON to a new file."
        ),
    ] = None,
    operator: Annotated[
        str | None,
        typer.Option(
            "--operator",
            metavar="NAME",
            envvar="PITBOOK_OPERATOR",
            show_default=False,
            help="House name for the report header.",
        ),
    ] = None,
    data: Data = Path("pitbook-data"),
    database: Database = None,
    json: Json = False,
) -> None:
    """Export the ledger of a period: one row for each event and each transfer.

    Times are UTC; a plain date is the whole day. The sums (opening, movements and closing of every
    account, and how much belongs to each owner at the end) are in the JSON document; with CSV they
    are printed separately. The exit code is 1 if they do not reconcile.
    """
    from pitbook.house.ledger.writer import utc_now  # noqa: PLC0415
    from pitbook.text.user_input import title_error  # noqa: PLC0415

    if operator and (problem := title_error("--operator", operator)):
        raise LedgerError(problem)
    within, form = interval(start, end), _export_format(form, output, json=json)
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
        report = interval_report(book, folder.ledger, within, operator, now=format_time(utc_now()))
        if form is ExportFormat.JSON:
            _write_json(out, report.document() | {"rows": [row._asdict() for row in rows]})
    if summary:
        with _open_output(summary) as file:
            _write_json(file, report.document())
    _print_report(report, form, output, json=json)
    if report.unreconciled:
        raise typer.Exit(FINDING)


def _export_format(form: ExportFormat | None, output: Path | None, *, json: bool) -> ExportFormat:
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
        with private_files.create(partial, encoding="utf-8", newline="") as file:
            yield file
        partial.rename(path)
    except OSError as error:
        details = {"path": str(path), "why": error.strerror}
        raise LedgerError(say("cli.file.unwritable", **details)) from None
    finally:
        if partial.is_file():
            partial.unlink()


def _write_csv(out: TextIO, rows: Iterable[JournalRow]) -> None:

    write_rows(out, [COLUMNS], newline="\n")
    write_rows(out, (map(_csv_cell, row) for row in rows), newline="\n")


def _csv_cell(value: Any) -> Any:
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
