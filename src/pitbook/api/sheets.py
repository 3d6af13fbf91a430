"""Load, change and list rule sheets."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pitbook.api.answers import Answer
from pitbook.errors import SheetUnknown
from pitbook.sheets.arguments import SomeSheet, load_sheet, sheet_of
from pitbook.sheets.digest import digest
from pitbook.sheets.edit import change_sheet as changed_sheet
from pitbook.sheets.findings import show_value
from pitbook.sheets.library import Library
from pitbook.sheets.model import Sheet
from pitbook.text import say

if TYPE_CHECKING:
    from rich.console import RenderableType


# The known sheets: the result of `pitbook sheets list`.


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
    """Every known sheet, by file."""

    __slots__ = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids, each once."""
        return tuple(dict.fromkeys(listed_sheet.id for listed_sheet in self))

    def records(self) -> list[dict[str, Any]]:
        """The list as plain dicts, for a data frame."""
        return [
            {**listed_sheet._asdict(), "wagers": " ".join(listed_sheet.wagers)}
            for listed_sheet in self
        ]

    def _parts(self) -> Iterable[RenderableType]:
        from pitbook.cli.render import plain, plain_table  # noqa: PLC0415  Imports Rich.

        table = plain_table("Sheet", "From", "Game", "Wagers")
        table.columns[0].no_wrap, table.columns[2].no_wrap = True, False
        table.columns[3].no_wrap = False
        for listed_sheet in self:
            place = (
                ""
                if listed_sheet.title.startswith(listed_sheet.venue)
                else f", {listed_sheet.venue}"
            )
            cells = (listed_sheet.title + place, " ".join(listed_sheet.wagers))
            since = str(listed_sheet.effective or "undated")
            table.add_row(plain(f"  {listed_sheet.id}"), since, *map(plain, cells))
        yield table

    def __repr__(self) -> str:
        return f"<{len(self)} sheets: {', '.join(self.ids)}>"


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
    return changed_sheet(sheet_of(sheet), changes)


def list_sheets(*folders: str | PathLike[str]) -> SheetList:
    """Every bundled sheet, and those in a house's own folders, as `pitbook sheets list` has them.

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
