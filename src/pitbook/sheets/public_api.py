"""Load, change, list and compare rule sheets: functions of `import pitbook`."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from pitbook.answers import Answer
from pitbook.errors import SheetUnknown
from pitbook.sheets.arguments import SomeSheet, load_sheet, sheet_of
from pitbook.sheets.diff import Difference
from pitbook.sheets.diff import find_differences
from pitbook.sheets.findings import format_path
from pitbook.sheets.hashes import digest
from pitbook.sheets.library import Library
from pitbook.sheets.model import Sheet
from pitbook.text import say
from pitbook.text.user_input import show_value


class ListedSheet(NamedTuple):
    """A short description of a sheet; `load` takes its id."""

    id: str
    title: str
    venue: str
    family: str
    effective: datetime.date | None
    wagers: tuple[str, ...]
    hash: str
    file: Path


class SheetList(Answer, tuple[ListedSheet, ...]):
    """Every known sheet, by file; `records()` has the columns of `pitbook sheets list`."""

    __slots__ = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids, each once."""
        return tuple(dict.fromkeys(listed_sheet.id for listed_sheet in self))

    def _rows(self) -> Iterator[dict[str, Any]]:
        for listed_sheet in self:
            file = str(listed_sheet.file)
            yield {**listed_sheet._asdict(), "wagers": " ".join(listed_sheet.wagers), "file": file}

    def _lines(self) -> tuple[str, ...]:
        return (f"{len(self)} sheets: {', '.join(self.ids)}",)


def load(sheet: str | PathLike[str], on: datetime.date | str | None = None) -> Sheet:
    """A rule sheet by id, id@date or path; the newest version, or the one in force on a day.

    >>> load("catfish-bend/mississippi-stud").title
    'Mississippi Stud'
    """
    if not isinstance(sheet, str | PathLike):
        raise SheetUnknown(say("api.no-sheet-id", sheet=show_value(sheet)))
    return load_sheet(str(sheet), _day(on))


def _day(day: Any) -> datetime.date | None:
    if day is None or isinstance(day, datetime.date):
        return day
    try:
        return datetime.date.fromisoformat(day)
    except (TypeError, ValueError):
        raise SheetUnknown(say("api.no-day", given=show_value(day))) from None


def changed(sheet: SomeSheet, changes: Mapping[str, Any]) -> Sheet:
    """A copy of a sheet with some fields changed, checked like a file. It has its own hash.

    Use the field names of findings and the values of a sheet file; None removes a field.

    >>> sheet = changed("catfish-bend/mississippi-stud", {"main.pays.flush": "10:1"})
    >>> str(sheet.main.pays["flush"])
    '10:1'
    """
    from pitbook.sheets.edit import change_sheet  # noqa: PLC0415  Imports every check.

    return change_sheet(sheet_of(sheet), changes)


def list_sheets(*folders: str | PathLike[str]) -> SheetList:
    """Every bundled sheet, and those in the given folders.

    >>> list_sheets().ids[:2]
    ('catfish-bend/matchem-hi-lo', 'catfish-bend/mississippi-stud')
    """
    entries = Library([Path(folder) for folder in folders]).entries()
    return SheetList(_list_entry(entry.sheet, entry.path) for entry in entries if entry.sheet)


def _list_entry(sheet: Sheet, file: Path) -> ListedSheet:
    return ListedSheet(
        sheet.id,
        sheet.title,
        sheet.house.venue,
        sheet.family,
        sheet.effective,
        (sheet.main_id, *sheet.side),
        digest(sheet),
        file,
    )


@dataclass(frozen=True, repr=False)
class SheetDiff(Answer):
    """Every rule that differs between two sheets, in words."""

    a: str
    b: str
    differences: tuple[Difference, ...]

    def document(self) -> dict[str, Any]:
        """The result of `pitbook sheets diff --json`."""
        documents = [difference.document() for difference in self.differences]
        return {"a": self.a, "b": self.b, "differences": documents}

    def _rows(self) -> Iterator[dict[str, Any]]:
        for difference in self.differences:
            a, b = (_flat(value) for value in (difference.a, difference.b))
            field_name = format_path(difference.path)
            heading, words = str(difference.heading), str(difference.words)
            yield {"heading": heading, "field": field_name, "a": a, "b": b, "words": words}

    def _lines(self) -> tuple[str, ...]:
        return (f"{self.a} and {self.b}: {len(self.differences)} differences",)


def _flat(value: Any) -> str | int | None:
    """A field's value for a data frame: lists and tables as JSON."""
    return value if isinstance(value, str | int | None) else json.dumps(value)


def diff(a: SomeSheet, b: SomeSheet) -> SheetDiff:
    """How two sheets differ, rule by rule. Ids, clauses and notes are not compared.

    >>> changes = diff("louisiana-stud/standard", "louisiana-stud/stax-required").differences
    >>> changes[0].words
    'The two sheets are "Louisiana Stud" and "Louisiana Stud, STAX required".'
    """
    first, second = sheet_of(a), sheet_of(b)
    return SheetDiff(first.id, second.id, tuple(find_differences(first, second)))
