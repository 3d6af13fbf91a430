"""`pitbook sheets`: list, show, check and compare rule sheets, and look up clauses."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitbook.cli.language import localize, print_lines, set_currency
from pitbook.cli.lazy_commands import ListedCommand, group
from pitbook.cli.options import Folders, Json, SheetName, label, library, today
from pitbook.cli.plain_output import column_width, emit, examples, style_text, terminal_width
from pitbook.money import money
from pitbook.sheets.assumptions import (
    MARK,
    describe_assumption,
    legend,
    mark_assumption,
)
from pitbook.sheets.clauses import clause_texts
from pitbook.sheets.diff import Difference
from pitbook.sheets.diff import diff as compare_rules
from pitbook.sheets.display_documents import clause_document
from pitbook.sheets.family_registry import known_families
from pitbook.sheets.family_registry import schema as sheet_schema
from pitbook.sheets.findings import Finding, errors, findings_json
from pitbook.sheets.hashes import digest
from pitbook.sheets.library import BUNDLED, SheetFile
from pitbook.sheets.model import Sheet, Stake
from pitbook.sheets.phrases import game_and_venue, stake_bounds
from pitbook.sheets.provenance import share
from pitbook.text import say
from pitbook.text.user_input import did_you_mean, printable

if TYPE_CHECKING:
    from rich.console import RenderableType

COMMANDS = {
    "show": ListedCommand("pitbook.cli.sheets_show", "Show a sheet as a rack card."),
    "check": ListedCommand(
        "pitbook.cli.sheets_check", "Check sheets for errors and print each wager's house edge."
    ),
}

app = group(
    "List, show, check and compare rule sheets.",
    epilog=examples("pitbook sheets show catfish-bend/mississippi-stud"),
    commands=COMMANDS,
)


COLUMNS = ("sheet", "title", "venue", "family", "from", "main", "sides", "hash")
HASH_SHOWN = 12
GAP = "  "


@app.command(
    "list",
    short_help="List all sheets, with a short description of each.",
    epilog=examples("pitbook sheets list", "pitbook sheets list --folder my-sheets"),
)
def list_sheets(*, folder: Folders = None, json: Json = False) -> None:
    """List all sheets, with a short description of each.

    An invalid file in one of the folders is listed as broken, and the exit code is 1.
    """
    entries = [_check_entry(entry) for entry in library(folder).entries()]
    if json:
        emit(_document(entries))
    else:
        _print(entries)
    broken = sum(entry.sheet is None for entry in entries)
    if broken:
        print(f"pitbook: {localize(say('cli.list.broken', files=broken))}", file=sys.stderr)
        raise typer.Exit(1)


def _check_entry(entry: SheetFile) -> SheetFile:
    """The entry, marked broken if its sheet is invalid; bundled sheets are known to be valid."""
    if entry.sheet is None or entry.path.is_relative_to(BUNDLED):
        return entry
    from pitbook.sheets.load import examine_file  # noqa: PLC0415  Only for the user's own files.

    reading = examine_file(entry.path, thorough=False)
    return SheetFile(entry.path, reading.sheet, () if reading.sheet else errors(reading.findings))


def _document(entries: list[SheetFile]) -> dict[str, Any]:
    return {
        "sheets": [_sheet(entry.path, entry.sheet) for entry in entries if entry.sheet],
        "broken": [
            {"file": label(entry.path), **findings_json(entry.findings)}
            for entry in entries
            if entry.sheet is None
        ],
    }


def _sheet(path: Path, sheet: Sheet) -> dict[str, Any]:
    sides = {wager: side.stake for wager, side in sheet.side.items()}
    return {
        "id": sheet.id,
        "title": sheet.title,
        "venue": sheet.house.venue,
        "family": sheet.family,
        "effective": sheet.effective.isoformat() if sheet.effective else None,
        "wagers": {
            sheet.main_id: _stake(sheet.main_wager, required=True),
            **{wager: _stake(stake, required=stake.required) for wager, stake in sides.items()},
        },
        "hash": digest(sheet),
        "file": label(path),
    }


def _stake(stake: Stake, *, required: bool) -> dict[str, Any]:
    bounds = {"min": money(stake.min), "max": money(stake.max), "required": required}
    return {**bounds, "ours": describe_assumption(share(stake, "min", "max"))}


def _print(entries: list[SheetFile]) -> None:
    rows = [_row(entry.sheet) for entry in entries if entry.sheet]
    table = [tuple(localize(say("cli.list.column", column=column)) for column in COLUMNS), *rows]
    widths = [max(map(column_width, column)) for column in zip(*table, strict=True)]
    if sum(widths) + len(GAP) * (len(widths) - 1) <= terminal_width():
        _print_table(table, widths)
    else:
        _print_blocks(rows, [entry.sheet for entry in entries if entry.sheet])
    if any(MARK in cell for row in rows for cell in row):
        print()
        print(style_text(textwrap.fill(localize(legend()), terminal_width()), dim=True))
    for entry in entries:
        if entry.sheet is None:
            print()
            _print_broken(label(entry.path), entry.findings[0])


def _row(sheet: Sheet) -> tuple[str, ...]:
    main = sheet.main_wager
    sides = ", ".join(side.title for side in sheet.side.values())
    values = (
        sheet.id,
        sheet.title,
        "" if sheet.title.startswith(sheet.house.venue) else sheet.house.venue,
        sheet.family,
        str(sheet.effective or localize(say("cli.list.undated"))),
        mark_assumption(f"{main.title} {stake_bounds(main)}", share(main, "min", "max")),
        sides or localize(say("cli.list.no-sides")),
        digest(sheet)[:HASH_SHOWN],
    )
    return tuple(printable(cell) for cell in values)


def _print_table(rows: list[tuple[str, ...]], widths: list[int]) -> None:
    for number, row in enumerate(rows):
        padded = [_pad(cell, width) for cell, width in zip(row, widths, strict=True)]
        padded[0] = style_text(padded[0], bold=True)
        line = GAP.join(padded).rstrip()
        print(style_text(line, bold=True) if number == 0 else line)


def _print_blocks(rows: list[tuple[str, ...]], sheets: list[Sheet]) -> None:
    for number, (row, of_sheet) in enumerate(zip(rows, sheets, strict=True)):
        sheet, title, venue, family, since, main, sides, short_hash = row
        if number:
            print()
        gap = max(2, terminal_width() - column_width(sheet) - len(short_hash))
        print(style_text(sheet, bold=True) + " " * gap + style_text(short_hash, dim=True))
        dated = say("cli.list.from", day=since) if of_sheet.effective else since
        _print_inside(f"{localize(game_and_venue(title, venue))}, {localize(dated)}")
        wagers = {"family": family, "main": main, "sides": sides}
        _print_inside(localize(say("cli.list.wagers", **wagers)))


def _print_inside(text: str) -> None:
    width = max(20, terminal_width())
    print(textwrap.fill(text, width, initial_indent="  ", subsequent_indent="    "))


def _pad(cell: str, width: int) -> str:
    return cell + " " * (width - column_width(cell))


def _print_broken(file: str, finding: Finding) -> None:
    print(
        style_text(file, bold=True)
        + "  "
        + style_text(localize(say("cli.list.is-broken")), fg="red", bold=True)
    )
    print(f"  {finding.line}:{finding.column}: {printable(localize(finding.message))}")


@app.command(
    "diff",
    short_help="How two sheets differ, in words.",
    epilog=examples(
        "pitbook sheets diff louisiana-stud/standard louisiana-stud/stax-required",
        "pitbook sheets diff oceanfront/mississippi-stud my-sheets/stud.toml",
    ),
)
def diff(a: SheetName, b: SheetName, *, folder: Folders = None, json: Json = False) -> None:
    """List the rule differences between two sheets.

    Ids, clauses and notes are not compared. The exit code is 0 even if the sheets differ.
    """
    sheet_library, day = library(folder), today()
    first, second = sheet_library.load(a, day), sheet_library.load(b, day)
    set_currency(first.house.currency)
    sheet_diff = compare_rules(first, second)
    if json:
        emit(sheet_diff.document())
    elif sheet_diff.differences:
        from pitbook.cli.rich_output import console, show  # noqa: PLC0415  Imports Rich.

        show(console(), _difference_parts(sheet_diff.differences))
    else:
        print_lines(say("cli.diff.none"))


def _difference_parts(sheet_differences: Sequence[Difference]) -> Iterator[RenderableType]:
    from rich.padding import Padding  # noqa: PLC0415

    from pitbook.cli.rich_output import plain  # noqa: PLC0415

    by_heading = groupby(sheet_differences, key=lambda difference: difference.heading)
    for number, (heading, changes) in enumerate(by_heading):
        if number:
            yield plain("")
        yield plain(heading, "bold cyan")
        for difference in changes:
            yield Padding(plain(difference.words), (0, 0, 0, 2))


ClauseId = Annotated[
    str,
    typer.Argument(
        metavar="CLAUSE",
        show_default=False,
        autocompletion=lambda: list(clause_texts()),
        help="Clause id as shown beside a rule, such as CMS-12.",
    ),
]
OfSheet = Annotated[
    str | None,
    typer.Option(
        "--sheet", metavar="SHEET", help="Only this sheet's rules; all sheets by default."
    ),
]


@app.command(
    "clause",
    short_help="Show a clause's wording and its place in the document.",
    epilog=examples(
        "pitbook sheets clause CMS-12",
        "pitbook sheets clause LAS-8 --sheet louisiana-stud/standard",
    ),
)
def clause(
    clause: ClauseId, *, sheet: OfSheet = None, folder: Folders = None, json: Json = False
) -> None:
    """Show a clause's wording and its place in the document.

    Its wording in our own words, its place in the document, and every rule of a sheet that cites
    it, with our note. A dagger marks what the source does not say.
    """
    sheet_library = library(folder)
    if sheet is not None:
        sheets = [sheet_library.load(sheet, today())]
    else:
        sheets = [entry.sheet for entry in sheet_library.entries() if entry.sheet is not None]
    document = clause_document(clause, sheets)
    if json:
        emit(document)
    else:
        from pitbook.cli.rich_output import console, show  # noqa: PLC0415  Imports Rich.

        show(console(), _parts(document))


def _parts(document: dict[str, Any]) -> Iterator[RenderableType]:
    from rich.padding import Padding  # noqa: PLC0415

    from pitbook.cli.rich_output import plain  # noqa: PLC0415

    title = f": {document['title']}" if document["title"] else ""
    yield plain(f"{document['clause']}{title}", "bold")
    yield plain(document["text"])
    yield plain(f"{document['place']}.", "dim")
    if document["left_to_us"]:
        yield plain(document["left_to_us"])
    for entry in document["sheets"]:
        yield plain("")
        yield plain(f"{entry['sheet']}", "bold cyan")
        for rule in entry["rules"]:
            mark = MARK if rule["ours"] else ""
            yield Padding(plain(f"{localize(rule['words'])}{mark}"), (0, 0, 0, 2))
            for note in rule["notes"]:
                yield Padding(plain(say("cli.show.note", note=note), "italic dim"), (0, 0, 0, 4))
    if any(rule["ours"] for entry in document["sheets"] for rule in entry["rules"]):
        yield plain("")
        yield plain(legend(), "dim")


Family = Annotated[
    str | None,
    typer.Argument(
        metavar="FAMILY",
        show_default=False,
        autocompletion=lambda: list(known_families()),
        help=f"Only the sheets of this family: {' or '.join(known_families())}.",
    ),
]


@app.command(
    "schema",
    short_help="The JSON Schema that editors check sheets by.",
    epilog=examples(
        "pitbook sheets schema > sheet.schema.json",
        f"pitbook sheets schema {next(iter(known_families()))}",
    ),
)
def schema(family: Family = None, *, json: Json = False) -> None:
    """Print the JSON Schema of rule sheets, for your editor's TOML extension.

    The output is JSON with or without --json.
    """
    if family is not None and family not in known_families():
        remedy = did_you_mean(family, known_families())
        raise typer.BadParameter(
            localize(say("cli.no-family", family=family, remedy=remedy)), param_hint="FAMILY"
        )
    emit(sheet_schema(family))
