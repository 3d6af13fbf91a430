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
from pitbook.sheets.load import parse
from pitbook.sheets.model import Sheet
from pitbook.text import Sentence, say, sentence_of

PART_MIN, OFFERED = 3, 12
VARIANT = "+"  # Between a sheet and the name of one of its variants.
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
            remedy = _meant(short, self._ids())
            raise SheetUnknown(say("sheets.none", sheet=short, remedy=remedy))
        return _in_force(versions, day).path

    def load(self, argument: str, on: datetime.date) -> Sheet:
        """The sheet for a path, an id, an id@date or either with +variant, fit for play."""
        from pitbook.sheets.edit import apply_variant  # noqa: PLC0415
        from pitbook.sheets.load import load  # noqa: PLC0415  A list of names needs no checks.

        name, plus, variant = argument.rpartition(VARIANT)
        if not plus or argument.endswith(".toml") or _is_file(argument):
            return load(self.find(argument, on))
        return apply_variant(load(self.find(name, on)), variant)

    def _ids(self) -> list[str]:
        return list(dict.fromkeys(one.sheet.id for one in self.entries() if one.sheet))

    def _versions(self, name: str) -> list[SheetFile]:
        """The versions of an id, oldest first."""
        found = [one for one in self.entries() if one.sheet and one.sheet.id == name]
        ordered = sorted(found, key=_since)
        for one, other in pairwise(ordered):
            if _since(one) == _since(other):
                both = {"first": str(one.path), "second": str(other.path), "sheet": name}
                raise SheetUnknown(say("sheets.same-day", **both))
        return ordered


def _meant(given: str, ids: list[str]) -> Sentence:
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
    return say("findings.meant", words=tuple(f'"{one}"' for one in found[:OFFERED]))


def _in_force(versions: list[SheetFile], day: datetime.date) -> SheetFile:
    begun = [one for one in versions if _since(one) <= day]
    if begun:
        return begun[-1]
    first = versions[0].sheet
    assert first is not None
    known = {"sheet": first.id, "since": str(first.effective), "day": str(day)}
    if first.history and first.history.earlier == "unknown":
        clause = first.history.clause
        raise SheetUnknown(say("sheets.other-rules-before", clause=clause, **known))
    raise SheetUnknown(say("sheets.nothing-before", **known))


def _since(entry: SheetFile) -> datetime.date:
    assert entry.sheet is not None
    return entry.sheet.effective or datetime.date.min


def _entry(path: Path) -> SheetFile:
    try:
        return SheetFile(path, parse(path))
    except SheetInvalid as invalid:
        return SheetFile(path, None, invalid.findings)
    except SheetUnknown as unknown:
        told = Finding("error", "file", sentence_of(unknown), file=str(path))
        return SheetFile(path, None, (told,))


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise SheetUnknown(say("sheets.no-folder", folder=str(folder)))
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
        raise SheetUnknown(say("sheets.write-the-day", sheet=argument)) from None
