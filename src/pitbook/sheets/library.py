"""Sheets by name and day: bundled ones, those in further folders, and the list of them."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from pitbook.answer_tables import Answer
from pitbook.errors import SheetUnknown
from pitbook.sheets.findings import Finding, SheetInvalid
from pitbook.sheets.hashes import digest
from pitbook.sheets.load import load, parse, read_text
from pitbook.sheets.model import Sheet
from pitbook.text import Sentence, say, sentence_of
from pitbook.text.user_input import did_you_mean

PART_LENGTH_MIN, SUGGESTIONS_MAX = 3, 12
VARIANT = "+"  # Between a sheet and the name of its variant.
NAME_SHOWN_MAX = 120  # The maximum length of an id.
BUNDLED = Path(__file__).parent / "bundled"
CHECKED_FILE = Path(__file__).with_name("checked.json")


@dataclass(frozen=True)
class SheetFile:
    """A file of the library: its sheet, or the findings that prevent one."""

    path: Path
    sheet: Sheet | None
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Library:
    """Folders of rule sheets; several files may hold versions of one id."""

    folders: Sequence[Path] = ()

    def entries(self) -> list[SheetFile]:
        """Every file, bundled ones first, by path."""
        return [_entry(path) for path in self._paths()]

    def find(self, argument: str, on: datetime.date) -> Path:
        """The file for a path, an id in force on a day, or an id@date; raises SheetUnknown."""
        if argument.endswith(".toml"):
            return Path(argument)
        name, at, date = argument.partition("@")
        day = _parse_day(argument, date) if at else on
        versions = self._versions(name)
        if not versions:
            if _is_file(argument):
                return Path(argument)
            short = name if len(name) <= NAME_SHOWN_MAX else f"{name[:NAME_SHOWN_MAX]}..."
            remedy = _suggestions(short, self._ids())
            raise SheetUnknown(say("sheets.none", sheet=short, remedy=remedy))
        return _in_force(versions, day).path

    def load(self, argument: str, on: datetime.date) -> Sheet:
        """The playable sheet for a path, an id, an id@date or either with +variant."""
        name, plus, variant = argument.rpartition(VARIANT)
        if not plus or argument.endswith(".toml") or _is_file(argument):
            return _load_file(self.find(argument, on))
        from pitbook.sheets.edit import apply_variant  # noqa: PLC0415  Few sheets are variants.

        return apply_variant(_load_file(self.find(name, on)), variant)

    def _paths(self) -> list[Path]:
        files = [path for folder in (BUNDLED, *self.folders) for path in _files(folder)]
        return list({path.absolute(): path for path in files}.values())  # Folders may be nested.

    def _ids(self) -> list[str]:
        return list(dict.fromkeys(entry.sheet.id for entry in self.entries() if entry.sheet))

    def _versions(self, name: str) -> list[SheetFile]:
        """The versions of an id, oldest first; parses only files that contain the id."""
        files = [path for path in self._paths() if _may_contain(path, name)]
        entries = [_entry(path) for path in files]
        versions = [entry for entry in entries if entry.sheet and entry.sheet.id == name]
        ordered = sorted(versions, key=_effective_day)
        for first, second in pairwise(ordered):
            if _effective_day(first) == _effective_day(second):
                values = {"first": str(first.path), "second": str(second.path), "sheet": name}
                raise SheetUnknown(say("sheets.same-day", **values))
        return ordered


def _load_file(path: Path) -> Sheet:
    """The playable sheet in a file; a bundled file that passed every check is not checked again."""
    if path.is_relative_to(BUNDLED):
        name = path.relative_to(BUNDLED).as_posix()
        if _checked_hashes().get(name) == file_hash(path):
            return parse(path)
    return load(path)


def file_hash(path: Path) -> str:
    """The SHA-256 of a file's text."""
    return sha256(read_text(path).encode()).hexdigest()


@cache
def _checked_hashes() -> dict[str, str]:
    hashes: dict[str, str] = json.loads(CHECKED_FILE.read_bytes())
    return hashes


def _suggestions(text: str, ids: list[str]) -> Sentence:
    """Suggestions for an unknown id: every sheet of that game or venue, or the nearest ids."""
    word = "-".join(text.casefold().replace("'", "").split())
    parts = sorted({part for sheet_id in ids for part in sheet_id.split("/")})
    from difflib import get_close_matches  # noqa: PLC0415  Only for an unknown id.

    near = get_close_matches(word, parts, n=1) if "/" not in word else []
    matches = [sheet_id for sheet_id in ids if word in sheet_id.split("/")]
    if not matches and len(word) >= PART_LENGTH_MIN:
        matches = [sheet_id for sheet_id in ids if word in sheet_id]
    matches = matches or [sheet_id for sheet_id in ids if near and near[0] in sheet_id.split("/")]
    if not matches:
        return did_you_mean(text, ids)
    return say(
        "findings.meant", words=tuple(f'"{sheet_id}"' for sheet_id in matches[:SUGGESTIONS_MAX])
    )


def _in_force(versions: list[SheetFile], day: datetime.date) -> SheetFile:
    in_force = [version for version in versions if _effective_day(version) <= day]
    if in_force:
        return in_force[-1]
    first = versions[0].sheet
    assert first is not None
    values = {"sheet": first.id, "since": str(first.effective), "day": str(day)}
    if first.history and first.history.earlier == "unknown":
        clause = first.history.clause
        raise SheetUnknown(say("sheets.other-rules-before", clause=clause, **values))
    raise SheetUnknown(say("sheets.nothing-before", **values))


def _effective_day(entry: SheetFile) -> datetime.date:
    assert entry.sheet is not None
    return entry.sheet.effective or datetime.date.min


def _entry(path: Path) -> SheetFile:
    try:
        return SheetFile(path, parse(path))
    except SheetInvalid as invalid:
        return SheetFile(path, None, invalid.findings)
    except SheetUnknown as unknown:
        finding = Finding("error", "file", sentence_of(unknown), file=str(path))
        return SheetFile(path, None, (finding,))


def _may_contain(path: Path, sheet_id: str) -> bool:
    """Whether a file contains an id, perhaps written with escapes."""
    try:
        text = path.read_bytes()
    except OSError:
        return False
    return sheet_id.encode(errors="replace") in text or b"\\u" in text.lower()


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise SheetUnknown(say("sheets.no-folder", folder=str(folder)))
    return sorted(folder.rglob("*.toml"))


def _is_file(argument: str) -> bool:
    try:
        return Path(argument).is_file()
    except (OSError, ValueError):  # Not a valid file name.
        return False


def _parse_day(argument: str, date: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(date)
    except ValueError:
        raise SheetUnknown(say("sheets.write-the-day", sheet=argument)) from None


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
