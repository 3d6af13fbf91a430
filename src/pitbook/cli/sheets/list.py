"""`pitbook sheets list`: every known sheet in a few words, and every file that is none."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import Any

import typer

from pitbook.cli.common.arguments import Folders, Json, library
from pitbook.cli.common.language import worded
from pitbook.cli.common.lazy import command
from pitbook.cli.common.output import cells, emit, examples, styled, terminal_width
from pitbook.cli.sheets.files import label
from pitbook.money import money
from pitbook.sheets.aloud.words import bounds, called
from pitbook.sheets.digest import digest
from pitbook.sheets.findings import Finding, errors, listed, printable
from pitbook.sheets.library import BUNDLED, SheetFile
from pitbook.sheets.model import Sheet
from pitbook.sheets.ours import marked, share, word
from pitbook.sheets.parts import Stake
from pitbook.text import say

app = command()

COLUMNS = ("sheet", "title", "venue", "family", "from", "main", "sides", "hash")
HASH_SHOWN = 12
GAP = "  "


@app.command(epilog=examples("pitbook sheets list", "pitbook sheets list --folder my-sheets"))
def list_sheets(*, folder: Folders = None, json: Json = False) -> None:
    """Every sheet that is known, in a few words each.

    A file in one of the folders that is no sheet is listed as broken, and the exit code is 1.
    """
    entries = [_examined(entry) for entry in library(folder).entries()]
    if json:
        emit(_document(entries))
    else:
        _print(entries)
    broken = sum(entry.sheet is None for entry in entries)
    if broken:
        print(f"pitbook: {worded(say('cli.list.broken', files=broken))}", file=sys.stderr)
        raise typer.Exit(1)


def _examined(entry: SheetFile) -> SheetFile:
    """The entry, broken if its sheet makes no sense; the bundled sheets are known to make some."""
    if entry.sheet is None or entry.path.is_relative_to(BUNDLED):
        return entry
    from pitbook.sheets.examine import examine_file  # noqa: PLC0415  Only for a house's own files.

    reading = examine_file(entry.path, thorough=False)
    return SheetFile(entry.path, reading.sheet, () if reading.sheet else errors(reading.findings))


def _document(entries: list[SheetFile]) -> dict[str, Any]:
    return {
        "sheets": [_sheet(one.path, one.sheet) for one in entries if one.sheet],
        "broken": [
            {"file": label(one.path), **listed(one.findings)}
            for one in entries
            if one.sheet is None
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
    return {**bounds, "ours": word(share(stake, "min", "max"))}


def _print(entries: list[SheetFile]) -> None:
    rows = [_row(one.sheet) for one in entries if one.sheet]
    table = [tuple(worded(say("cli.list.column", column=one)) for one in COLUMNS), *rows]
    widths = [max(map(cells, column)) for column in zip(*table, strict=True)]
    if sum(widths) + len(GAP) * (len(widths) - 1) <= terminal_width():
        _print_table(table, widths)
    else:
        _print_blocks(rows, [one.sheet for one in entries if one.sheet])
    for one in entries:
        if one.sheet is None:
            print()
            _print_broken(label(one.path), one.findings[0])


def _row(sheet: Sheet) -> tuple[str, ...]:
    main = sheet.main_wager
    sides = ", ".join(side.title for side in sheet.side.values())
    cells_of = (
        sheet.id,
        sheet.title,
        "" if sheet.title.startswith(sheet.house.venue) else sheet.house.venue,
        sheet.family,
        str(sheet.effective or worded(say("cli.list.undated"))),
        marked(f"{main.title} {bounds(main)}", share(main, "min", "max")),
        sides or worded(say("cli.list.no-sides")),
        digest(sheet)[:HASH_SHOWN],
    )
    return tuple(printable(cell) for cell in cells_of)


def _print_table(rows: list[tuple[str, ...]], widths: list[int]) -> None:
    for number, row in enumerate(rows):
        padded = [_padded(cell, wide) for cell, wide in zip(row, widths, strict=True)]
        padded[0] = styled(padded[0], bold=True)
        line = GAP.join(padded).rstrip()
        print(styled(line, bold=True) if number == 0 else line)


def _print_blocks(rows: list[tuple[str, ...]], sheets: list[Sheet]) -> None:
    for number, (row, of) in enumerate(zip(rows, sheets, strict=True)):
        sheet, title, venue, family, since, main, sides, hashed = row
        if number:
            print()
        gap = max(2, terminal_width() - cells(sheet) - len(hashed))
        print(styled(sheet, bold=True) + " " * gap + styled(hashed, dim=True))
        dated = say("cli.list.from", day=since) if of.effective else since
        _print_inside(f"{worded(called(title, venue))}, {worded(dated)}")
        wagers = {"family": family, "main": main, "sides": sides}
        _print_inside(worded(say("cli.list.wagers", **wagers)))


def _print_inside(text: str) -> None:
    wide = max(20, terminal_width())
    print(textwrap.fill(text, wide, initial_indent="  ", subsequent_indent="    "))


def _padded(cell: str, wide: int) -> str:
    return cell + " " * (wide - cells(cell))


def _print_broken(file: str, finding: Finding) -> None:
    print(
        styled(file, bold=True)
        + "  "
        + styled(worded(say("cli.list.is-broken")), fg="red", bold=True)
    )
    print(f"  {finding.line}:{finding.column}: {printable(worded(finding.message))}")
