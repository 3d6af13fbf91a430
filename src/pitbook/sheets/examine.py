"""Reading a sheet for good: types first, then sense, every finding with its place in the text."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from pitbook.sheets.checks import check
from pitbook.sheets.families import Sheet
from pitbook.sheets.findings import SheetInvalid, errors
from pitbook.sheets.loader import Reading, located, read, read_text
from pitbook.sheets.places import Places


def examine(text: str, file: str, *, thorough: bool = True) -> Reading:
    """A text read and checked; `thorough` adds the notices that take time to work out."""
    reading = read(text, file)
    if reading.sheet is None:
        return reading
    found = check(reading.sheet, thorough=thorough)
    places = Places(text)
    # A finding about a line of a pay table points at the line's name.
    placed = sorted(
        (located(one, places, file, key=one.code.startswith("pay-")) for one in found),
        key=lambda one: (one.line, one.column),
    )
    sheet = None if errors(placed) else reading.sheet
    return dataclasses.replace(reading, sheet=sheet, findings=tuple(placed))


def examine_file(path: Path, *, thorough: bool = True) -> Reading:
    """A file read and checked; only what cannot be read at all is raised."""
    try:
        return examine(read_text(path), str(path), thorough=thorough)
    except SheetInvalid as invalid:
        return Reading(str(path), "", None, invalid.findings)


def load(path: Path) -> Sheet:
    """The sheet in a file, fit for play; raises SheetInvalid with every error."""
    reading = examine_file(path, thorough=False)
    if reading.sheet is None:
        raise SheetInvalid(errors(reading.findings))
    return reading.sheet
