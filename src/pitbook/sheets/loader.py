"""From TOML text to a sheet: either every field is understood or every mistake is listed."""

from __future__ import annotations

import codecs
import dataclasses
import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from pitbook.errors import SheetUnknown
from pitbook.sheets.families import known, named
from pitbook.sheets.findings import FOUND_MAX, Finding, SheetInvalid, did_you_mean, printable, shown
from pitbook.sheets.model import Sheet
from pitbook.sheets.places import Places, quote
from pitbook.sheets.toml_size import CHARACTERS_MAX, DEPTH_MAX, why_too_large
from pitbook.sheets.wording import finding_of
from pitbook.text import say

BYTES_MAX = CHARACTERS_MAX

_AT = re.compile(r"\(at line (\d+), column (\d+)\)")
_TUPLE = re.compile(r"\('(.*?)',?\)")
_TOO_MANY_DIGITS = re.compile(r"[0-9][0-9_]{4299,}")


@dataclass(frozen=True)
class Reading:
    """What came of reading a text: a sheet, or the findings that prevent one."""

    file: str
    text: str
    sheet: Sheet | None
    findings: tuple[Finding, ...]


def parse(path: Path) -> Sheet:
    """The sheet in a file, its types checked; raises SheetInvalid with every finding."""
    reading = _listed(read_text(path), str(path), tuple(known()))
    if reading.sheet is None:
        raise SheetInvalid(reading.findings)
    return reading.sheet


@lru_cache(maxsize=64)  # Every name is looked up among all sheets, and those change seldom.
def _listed(text: str, file: str, families: tuple[str, ...]) -> Reading:
    return read(text, file)


def read_text(path: Path) -> str:
    """A file's text; raises SheetUnknown or SheetInvalid with a sentence."""
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise SheetUnknown(say("sheets.file.not-plain", path=str(path)))
        with path.open("rb") as file:
            raw = file.read(BYTES_MAX + 1)
    except FileNotFoundError:
        raise SheetUnknown(say("sheets.file.none", path=str(path))) from None
    except IsADirectoryError:
        raise SheetUnknown(say("sheets.file.folder", path=str(path))) from None
    except OSError as error:
        told = {"path": str(path), "why": error.strerror}
        raise SheetUnknown(say("sheets.file.unreadable", **told)) from None
    except ValueError:  # A zero byte in the name.
        raise SheetUnknown(say("sheets.file.no-name", path=printable(str(path)))) from None
    if len(raw) > BYTES_MAX:
        raise SheetUnknown(say("sheets.file.too-large", path=str(path), most=BYTES_MAX))
    try:
        raw = raw.removeprefix(codecs.BOM_UTF8)
        return raw.decode().replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise SheetInvalid([_not_utf8(raw, error.start, str(path))]) from None


def read(text: str, file: str) -> Reading:
    """A text read as a sheet; never raises for what the text holds."""
    document = parse_toml(text, file)
    if isinstance(document, Finding):
        return Reading(file, text, None, (document,))
    return _validate(document, text, file)


def parse_toml(text: str, file: str) -> dict[str, Any] | Finding:
    """The document of an untrusted TOML text, or why it cannot be read, in bounded time."""
    if (problem := why_too_large(text)) is not None:
        return _oversized(text, file, problem)
    try:
        document = tomllib.loads(text)
    except RecursionError:
        return _too_deep(text, file)
    except ValueError as error:
        return _syntax(error, text, file)
    return _too_deep(text, file) if _is_deep(document) else document


def located(finding: Finding, places: Places, file: str, *, key: bool = False) -> Finding:
    """The finding with its line and column filled in."""
    place = places.key(finding.path) if key else places.value(finding.path)
    line, column = place
    return dataclasses.replace(
        finding,
        message=printable(finding.message),
        file=file,
        line=line,
        column=column,
        quoted=places.quoted(place),
    )


def _validate(document: dict[str, Any], text: str, file: str) -> Reading:
    sheet, found = validated(document)
    places = Places(text)
    placed = [located(one, places, file, key=key) for one, key in found]
    ordered = sorted(placed, key=lambda one: (one.line, one.column))
    return Reading(file, text, sheet, tuple(ordered))


def validated(document: dict[str, Any]) -> tuple[Sheet | None, list[tuple[Finding, bool]]]:
    """The sheet, or what is wrong with its types, each with whether it points at the key."""
    family = document.get("family")
    family_named = named(family) if isinstance(family, str) else None
    if family_named is None:
        return None, [(_no_family(family), False)]
    model = family_named.sheet
    try:
        return model.model_validate(document), []
    except ValidationError as error:
        details = [one for one in error.errors(include_url=False) if not _an_echo(one)]
        found = [finding_of(detail, model, document) for detail in details[:FOUND_MAX]]
        unique = {(one.path, one.message): (one, key) for one, key in found}
        return None, list(unique.values())


def _an_echo(detail: ErrorDetails) -> bool:
    """A list that counts as too short only because its items are wrong."""
    return detail["type"] == "too_short" and bool(detail["input"])


def _no_family(family: Any) -> Finding:
    if family is None:
        message = say("findings.family.missing", names=tuple(f'"{name}"' for name in known()))
    else:
        word = family if isinstance(family, str) else ""
        remedy = did_you_mean(word, known())
        message = say("findings.family.unknown", given=shown(family), remedy=remedy)
    return Finding("error", "family", message, ("family",))


def _syntax(error: ValueError, text: str, file: str) -> Finding:
    reason = re.sub(r" ?\(at .*\)$", "", str(error))
    if name := _TUPLE.search(reason):
        reason = reason.replace(name[0], "[" + name[1].replace("', '", ".") + "]")
    message = say("findings.syntax.no-toml", reason=f"{reason[:1].lower()}{reason[1:]}")
    if found := _AT.search(str(error)):
        return _at(text, int(found[1]), int(found[2]), message, file)
    if digits := _TOO_MANY_DIGITS.search(text):
        before = text[: digits.start()].split("\n")
        message = say("findings.syntax.long-number")
        return _at(text, len(before), len(before[-1]) + 1, message, file)
    lines = text.split("\n")
    return _at(text, len(lines), len(lines[-1]) + 1, message, file)


def _at(text: str, line: int, column: int, message: str, file: str) -> Finding:
    quoted = quote(text.split("\n")[line - 1])
    message = printable(message)
    return Finding("error", "syntax", message, (), None, file, line, column, quoted)


def _is_deep(document: dict[str, Any]) -> bool:
    level: list[Any] = [document]
    for _ in range(DEPTH_MAX):
        inner = (one.values() if isinstance(one, dict) else one for one in level)
        level = [value for values in inner for value in values if isinstance(value, dict | list)]
    return bool(level)


def _too_deep(text: str, file: str) -> Finding:
    return _oversized(text, file, say("findings.syntax.too-deep"))


def _oversized(text: str, file: str, problem: str) -> Finding:
    """A finding at the line with the most brackets, dots and commas, the likely culprit."""
    lines = text.split("\n")
    worst = max(range(len(lines)), key=lambda number: sum(map(lines[number].count, "[{.,")))
    return _at(text, worst + 1, 1, problem, file)


def _not_utf8(raw: bytes, start: int, file: str) -> Finding:
    before = raw[:start].decode().split("\n")
    quoted = quote(raw.split(b"\n")[len(before) - 1].decode(errors="replace"))
    message = say("findings.syntax.no-utf8")
    place = len(before), len(before[-1]) + 1
    return Finding("error", "encoding", message, (), None, file, *place, quoted)
