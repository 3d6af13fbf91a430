"""Reading a sheet for good: types first, then sense, every finding with its place in the text."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from pathlib import Path

from pitbook.sheets.checks import check
from pitbook.sheets.findings import Finding, SheetInvalid, forbidding
from pitbook.sheets.loader import Reading, located, read, read_text
from pitbook.sheets.model import Sheet
from pitbook.sheets.places import Places


def examine(text: str, file: str, *, thorough: bool = True) -> Reading:
    """A text read and checked; `thorough` adds the notices that take time to work out."""
    reading = read(text, file)
    if reading.sheet is None:
        return reading
    placed = placed_in(reading, check(reading.sheet, thorough=thorough))
    sheet = None if forbidding(placed) else reading.sheet
    return dataclasses.replace(reading, sheet=sheet, findings=placed)


def placed_in(reading: Reading, found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings with their places in the text, in its order."""
    places = Places(reading.text)
    # A finding about a line of a pay table points at the line's name.
    placed = (located(one, places, reading.file, key=one.code.startswith("pay-")) for one in found)
    return in_order(placed)


def in_order(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings as a reader of the text meets them."""
    return tuple(sorted(found, key=lambda one: (one.line, one.column)))


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
        raise SheetInvalid(forbidding(reading.findings))
    return reading.sheet
