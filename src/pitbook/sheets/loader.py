"""From TOML text to a sheet: either every field is understood or every mistake is listed."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from pitbook.errors import SheetUnknown
from pitbook.sheets.families import FAMILIES, Sheet
from pitbook.sheets.findings import Finding, SheetInvalid, did_you_mean
from pitbook.sheets.places import Places
from pitbook.sheets.wording import finding_of

BYTES_MAX = 1_000_000
_AT = re.compile(r"\(at line (\d+), column (\d+)\)")


@dataclass(frozen=True)
class Reading:
    """What came of reading a text: a sheet, or the findings that prevent one."""

    file: str
    text: str
    sheet: Sheet | None
    findings: tuple[Finding, ...]


def parse(path: Path) -> Sheet:
    """The sheet in a file, its types checked; raises SheetInvalid with every finding."""
    reading = read(read_text(path), str(path))
    if reading.sheet is None:
        raise SheetInvalid(reading.findings)
    return reading.sheet


def read_text(path: Path) -> str:
    """A file's text; raises SheetUnknown or SheetInvalid with a sentence."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise SheetUnknown(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise SheetUnknown(f"{path} is a folder; name a TOML file in it") from None
    except OSError as error:
        raise SheetUnknown(f"{path} cannot be read: {error.strerror}") from None
    if len(raw) > BYTES_MAX:
        raise SheetUnknown(f"{path} is larger than {BYTES_MAX:,} bytes; no rule sheet is")
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise SheetInvalid([_not_utf8(raw, error.start, str(path))]) from None


def read(text: str, file: str) -> Reading:
    """A text read as a sheet; never raises for what the text holds."""
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        return Reading(file, text, None, (_syntax(error, text, file),))
    return _validate(document, text, file)


def located(finding: Finding, places: Places, file: str, *, key: bool = False) -> Finding:
    """The finding with its line and column filled in."""
    place = places.key(finding.path) if key else places.value(finding.path)
    line, column = place
    return dataclasses.replace(
        finding, file=file, line=line, column=column, quoted=places.quoted(place)
    )


def _validate(document: dict[str, Any], text: str, file: str) -> Reading:
    family = document.get("family")
    model = FAMILIES.get(family) if isinstance(family, str) else None
    if model is None:
        return Reading(file, text, None, (_no_family(family, text, file),))
    try:
        return Reading(file, text, model.model_validate(document), ())
    except ValidationError as error:
        places = Places(text)
        details = [one for one in error.errors(include_url=False) if not _an_echo(one)]
        found = [finding_of(detail, model, document) for detail in details]
        unique = {(one.path, one.message): (one, key) for one, key in found}
        placed = [located(one, places, file, key=key) for one, key in unique.values()]
        ordered = sorted(placed, key=lambda one: (one.line, one.column))
        return Reading(file, text, None, tuple(ordered))


def _an_echo(detail: ErrorDetails) -> bool:
    """A list that counts as too short only because its items are wrong."""
    return detail["type"] == "too_short" and bool(detail["input"])


def _no_family(family: Any, text: str, file: str) -> Finding:
    known = " or ".join(f'"{name}"' for name in FAMILIES)
    if family is None:
        message = f'"family" is missing; it must be {known}'
    else:
        message = f"family {_shown(family)} is not known; {did_you_mean(str(family), FAMILIES)}"
    return located(Finding("error", "family", message, ("family",)), Places(text), file)


def _shown(given: Any) -> str:
    return f'"{given}"' if isinstance(given, str) else repr(given)


def _syntax(error: Exception, text: str, file: str) -> Finding:
    if isinstance(error, RecursionError):
        return Finding("error", "syntax", "the text is nested too deeply", file=file)
    found = _AT.search(str(error))
    lines = text.split("\n")
    line, column = (int(found[1]), int(found[2])) if found else (len(lines), len(lines[-1]) + 1)
    reason = re.sub(r" ?\(at .*\)$", "", str(error))
    return Finding(
        "error",
        "syntax",
        f"this is no TOML: {reason[:1].lower()}{reason[1:]}",
        file=file,
        line=line,
        column=column,
        quoted=lines[line - 1].strip() if line <= len(lines) else "",
    )


def _not_utf8(raw: bytes, start: int, file: str) -> Finding:
    line = raw.count(b"\n", 0, start) + 1
    column = start - (raw.rfind(b"\n", 0, start) + 1) + 1
    message = "this byte is no UTF-8; save the file as UTF-8 text"
    return Finding("error", "encoding", message, file=file, line=line, column=column)
