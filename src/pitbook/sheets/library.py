"""Sheets by name and day: the bundled ones, and those in a house's own folders."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path

from pitbook.errors import SheetUnknown
from pitbook.sheets.findings import Finding, SheetInvalid, did_you_mean
from pitbook.sheets.loader import parse
from pitbook.sheets.model import Sheet

PART_MIN, OFFERED = 3, 12
NAME_SHOWN = 120  # As long as an id can be.
BUNDLED = Path(__file__).parent / "bundled"


@dataclass(frozen=True)
class SheetFile:
    """A file of the library: its sheet, or why it is none."""

    path: Path
    sheet: Sheet | None
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Library:
    """Folders of rule sheets; several files may hold versions of one id."""

    folders: Sequence[Path] = ()

    def entries(self) -> list[SheetFile]:
        """Every file, the bundled ones first, by path."""
        files = [one for folder in (BUNDLED, *self.folders) for one in _files(folder)]
        once = {path.absolute(): path for path in files}  # Folders may lie within each other.
        return [_entry(path) for path in once.values()]

    def find(self, argument: str, on: datetime.date) -> Path:
        """The file for a path, an id in force on a day, or an id@date; raises SheetUnknown."""
        if argument.endswith(".toml"):
            return Path(argument)
        name, at, date = argument.partition("@")
        day = _day(argument, date) if at else on
        versions = self._versions(name)
        if not versions:
            if _is_file(argument):
                return Path(argument)
            short = name if len(name) <= NAME_SHOWN else f"{name[:NAME_SHOWN]}..."
            raise SheetUnknown(f'there is no sheet "{short}"; {_meant(short, self._ids())}')
        return _in_force(versions, day).path

    def load(self, argument: str, on: datetime.date) -> Sheet:
        """The sheet for a path, an id or an id@date, fit for play."""
        from pitbook.sheets.examine import load  # noqa: PLC0415  A list of names needs no checks.

        return load(self.find(argument, on))

    def _ids(self) -> list[str]:
        return list(dict.fromkeys(one.sheet.id for one in self.entries() if one.sheet))

    def _versions(self, name: str) -> list[SheetFile]:
        """The versions of an id, oldest first."""
        found = [one for one in self.entries() if one.sheet and one.sheet.id == name]
        ordered = sorted(found, key=_since)
        for one, other in pairwise(ordered):
            if _since(one) == _since(other):
                raise SheetUnknown(
                    f"{one.path} and {other.path} are both {name} from the same day; "
                    "give one of them another id or effective date"
                )
        return ordered


def _meant(given: str, ids: list[str]) -> str:
    """A remedy for what is no id: every sheet of that game or venue, or the nearest ids."""
    word = "-".join(given.casefold().replace("'", "").split())
    parts = sorted({part for one in ids for part in one.split("/")})
    near = get_close_matches(word, parts, n=1) if "/" not in word else []
    found = [one for one in ids if word in one.split("/")]
    if not found and len(word) >= PART_MIN:
        found = [one for one in ids if word in one]
    found = found or [one for one in ids if near and near[0] in one.split("/")]
    if not found:
        return did_you_mean(given, ids)
    *first, last = (f'"{one}"' for one in found[:OFFERED])
    return f"did you mean {', '.join(first)}{' or ' if first else ''}{last}?"


def _in_force(versions: list[SheetFile], day: datetime.date) -> SheetFile:
    begun = [one for one in versions if _since(one) <= day]
    if begun:
        return begun[-1]
    first = versions[0].sheet
    assert first is not None
    message = f"{first.id} is in force from {first.effective}; nothing is known for {day}"
    if first.history and first.history.earlier == "unknown":
        message += f": other rules held before and are not known ({first.history.clause})"
    raise SheetUnknown(message)


def _since(entry: SheetFile) -> datetime.date:
    assert entry.sheet is not None
    return entry.sheet.effective or datetime.date.min


def _entry(path: Path) -> SheetFile:
    try:
        return SheetFile(path, parse(path))
    except SheetInvalid as invalid:
        return SheetFile(path, None, invalid.findings)
    except SheetUnknown as unknown:
        return SheetFile(path, None, (Finding("error", "file", str(unknown), file=str(path)),))


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise SheetUnknown(f"{folder} is no folder of rule sheets")
    return sorted(folder.rglob("*.toml"))


def _is_file(argument: str) -> bool:
    try:
        return Path(argument).is_file()
    except (OSError, ValueError):  # No name that a file could have.
        return False


def _day(argument: str, date: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(date)
    except ValueError:
        raise SheetUnknown(f'"{argument}": write the day as in @2018-03-12') from None
