"""Read a rule sheet from TOML: a valid sheet, or every error with its position."""

from __future__ import annotations

import codecs
import dataclasses
import re
import tomllib
import types
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Union, get_args, get_origin

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from pitbook.errors import SheetUnknown
from pitbook.sheets.family_registry import added_families, find_family, known_families
from pitbook.sheets.field_types import SLUG, Entries, TomlTable
from pitbook.sheets.findings import (
    FOUND_MAX,
    FieldPath,
    Finding,
    SheetInvalid,
    blocking_errors,
    format_path,
)
from pitbook.sheets.model import Sheet
from pitbook.sheets.toml_positions import CHARACTERS_MAX, DEPTH_MAX, Places, quote, why_too_large
from pitbook.text import Sentence, say
from pitbook.text.user_input import did_you_mean, printable, show_value

_VALUE_KINDS = {
    "string_type": "text",
    "int_type": "number",
    "bool_type": "truth",
    "date_type": "date",
    "text": "text",
    "mark": "mark",
    "list_type": "list",
    "tuple_type": "list",
    "dict_type": "table",
    "model_type": "table",
    "model_attributes_type": "table",
}

_PATTERN_NAMES = {
    f"^{SLUG}$": "slug",
    f"^{SLUG}/{SLUG}$": "sheet-id",
    r"\S": "not-blank",
    r"^\S(.*\S)?$": "no-spaces-around",
}

_BOUNDS = ("ge", "gt", "le", "lt", "min_length", "max_length")


def finding_of(
    detail: ErrorDetails, model: type[TomlTable], document: dict[str, Any]
) -> tuple[Finding, bool]:
    """The finding, and whether it points at the key rather than at the value."""
    path = _document_path(tuple(detail["loc"]), document, missing=detail["type"] == "missing")
    kind = detail["type"]
    if kind == "missing":
        parent = format_path(path[:-1])
        message = (
            say("findings.value.missing-in", field=path[-1], where=parent)
            if parent
            else say("findings.value.missing", field=path[-1])
        )
        return Finding("error", "missing", message, path[:-1]), True
    if kind == "extra_forbidden":
        remedy = did_you_mean(str(path[-1]), fields_at(model, path[:-1]))
        message = say("findings.value.unknown-field", field=path[-1], remedy=remedy)
        return Finding("error", "unknown-field", message, path), True
    is_key = detail["loc"][-1:] == ("[key]",)
    name = say("findings.value.the-name") if is_key else _name(path)
    return Finding("error", "value", _message(detail, name), path), is_key


def _message(detail: ErrorDetails, name: str) -> Sentence:
    given_value, kind, context = detail["input"], detail["type"], detail.get("ctx", {})
    if kind in _VALUE_KINDS:
        values = {"name": name, "kind": _VALUE_KINDS[kind], "given": show_value(given_value)}
        if "example" in context:
            return say("findings.value.must-be-as-in", example=context["example"], **values)
        return say("findings.value.must-be", **values)
    if kind == "literal_error":
        choices = [
            choice.strip("'")
            for choice in str(context["expected"]).replace(" or ", ", ").split(", ")
        ]
        if isinstance(given_value, str):
            remedy = did_you_mean(given_value, choices)
            return say(
                "findings.value.not-known", name=name, given=show_value(given_value), remedy=remedy
            )
        return say(
            "findings.value.must-be-one-of",
            name=name,
            known=_quote_names(choices),
            given=show_value(given_value),
        )
    if kind == "money":
        return say("findings.value.money", name=name, why=context["reason"])
    if kind == "string_pattern_mismatch":
        pattern = str(context["pattern"])
        fields = {
            "name": name,
            "given": show_value(given_value),
            "form": _PATTERN_NAMES.get(pattern, "other"),
        }
        return say("findings.value.form", pattern=pattern, **fields)
    reason = re.sub(r"^\w+ should | after validation", "", detail["msg"])
    bound = next((context[bound_name] for bound_name in _BOUNDS if bound_name in context), "")
    details = {"kind": kind, "bound": bound, "actual": context.get("actual_length", "")}
    return say(
        "findings.value.should", name=name, given=show_value(given_value), reason=reason, **details
    )


def _name(path: FieldPath) -> str:
    words = [step for step in path if isinstance(step, str) and step not in ("is", "[key]")]
    return f'"{words[-1]}"' if words else say("findings.value.the-sheet")


def _quote_names(choices: list[str]) -> tuple[str, ...]:
    return tuple(f'"{choice}"' if not choice.isdigit() else choice for choice in choices)


def _document_path(loc: FieldPath, document: Any, *, missing: bool) -> FieldPath:
    """The steps of a location that exist in the document: unions and generics add others."""
    path: list[str | int] = []
    node = document
    for number, step in enumerate(loc):
        is_last = number == len(loc) - 1
        if _has_step(node, step):
            node = node[step]
        elif not (missing and is_last):
            continue
        path.append(step)
    return tuple(path)


def _has_step(node: Any, step: str | int) -> bool:
    if isinstance(node, list):
        return isinstance(step, int) and step < len(node)
    return isinstance(node, dict) and step in node


def fields_at(model: Any, path: FieldPath) -> list[str]:
    """The field names of the table at a path."""
    for step in path:
        model = _annotation_at(model, step)
    tables = [
        part for part in _parts(model) if isinstance(part, type) and issubclass(part, TomlTable)
    ]
    return [field.alias or name for table in tables for name, field in table.model_fields.items()]


def _annotation_at(annotation: Any, step: str | int) -> Any:
    for part in _parts(annotation):
        if isinstance(part, type) and issubclass(part, TomlTable):
            for name, field in part.model_fields.items():
                if step in (field.alias, name):
                    return field.annotation
        elif get_origin(part) in (Entries, tuple):
            return get_args(part)[1 if get_origin(part) is Entries else 0]
    return None


def _parts(annotation: Any) -> list[Any]:
    """The members of a union, without Annotated."""
    if hasattr(annotation, "__metadata__"):
        return _parts(annotation.__origin__)
    if get_origin(annotation) in (Union, types.UnionType):
        return [part for member in get_args(annotation) for part in _parts(member)]
    return [annotation]


BYTES_MAX = CHARACTERS_MAX

_AT = re.compile(r"\(at line (\d+), column (\d+)\)")
_TUPLE = re.compile(r"\('(.*?)',?\)")
_TOO_MANY_DIGITS = re.compile(r"[0-9][0-9_]{4299,}")


@dataclass(frozen=True)
class Reading:
    """The result of reading a text: a sheet, or the findings that prevent one."""

    file: str
    text: str
    sheet: Sheet | None
    findings: tuple[Finding, ...]


def parse(path: Path) -> Sheet:
    """The sheet in a file, with its types checked; raises SheetInvalid with every finding."""
    return _read_cached(read_text(path), str(path), added_families())


@lru_cache(maxsize=64)  # A sheet is parsed when it is found and used when it is loaded.
def _read_cached(text: str, file: str, families: tuple[str, ...]) -> Sheet:
    reading = read_sheet(text, file)
    if reading.sheet is None:
        raise SheetInvalid(reading.findings)
    return reading.sheet


def read_text(path: Path) -> str:
    """A file's text; raises SheetUnknown or SheetInvalid."""
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
        values = {"path": str(path), "why": error.strerror}
        raise SheetUnknown(say("sheets.file.unreadable", **values)) from None
    except ValueError:  # A zero byte in the name.
        raise SheetUnknown(say("sheets.file.no-name", path=printable(str(path)))) from None
    if len(raw) > BYTES_MAX:
        raise SheetUnknown(say("sheets.file.too-large", path=str(path), most=BYTES_MAX))
    try:
        raw = raw.removeprefix(codecs.BOM_UTF8)
        return raw.decode().replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise SheetInvalid([_not_utf8(raw, error.start, str(path))]) from None


def read_sheet(text: str, file: str) -> Reading:
    """A text read as a sheet; invalid text gives findings, never an exception."""
    document = parse_toml(text, file)
    if isinstance(document, Finding):
        return Reading(file, text, None, (document,))
    return _validate(document, text, file)


def parse_toml(text: str, file: str) -> dict[str, Any] | Finding:
    """The document of an untrusted TOML text, or a finding if it cannot be read; bounded time."""
    if (problem := why_too_large(text)) is not None:
        return _too_large_finding(text, file, problem)
    try:
        document = tomllib.loads(text)
    except RecursionError:
        return _too_deep(text, file)
    except ValueError as error:
        return _syntax_error(error, text, file)
    return _too_deep(text, file) if _is_deep(document) else document


def add_position(finding: Finding, places: Places, file: str, *, key: bool = False) -> Finding:
    """The finding with its line and column."""
    place = places.key(finding.path) if key else places.value(finding.path)
    line, column = place
    return dataclasses.replace(
        finding,
        message=printable(finding.message),
        file=file,
        line=line,
        column=column,
        quoted=places.quote_line(place),
    )


def _validate(document: dict[str, Any], text: str, file: str) -> Reading:
    sheet, found_errors = validate_sheet(document)
    places = Places(text)
    placed = [add_position(finding, places, file, key=key) for finding, key in found_errors]
    ordered = sorted(placed, key=lambda finding: (finding.line, finding.column))
    return Reading(file, text, sheet, tuple(ordered))


def validate_sheet(document: dict[str, Any]) -> tuple[Sheet | None, list[tuple[Finding, bool]]]:
    """The sheet, or its type errors, each with whether it points at the key."""
    family = document.get("family")
    family_named = find_family(family) if isinstance(family, str) else None
    if family_named is None:
        return None, [(_no_family(family), False)]
    model = family_named.sheet
    try:
        return model.model_validate(document), []
    except ValidationError as error:
        details = [
            detail for detail in error.errors(include_url=False) if not _is_consequence(detail)
        ]
        type_errors = [finding_of(detail, model, document) for detail in details[:FOUND_MAX]]
        unique = {(finding.path, finding.message): (finding, key) for finding, key in type_errors}
        return None, list(unique.values())


def _is_consequence(detail: ErrorDetails) -> bool:
    """A list reported as too short only because its items are wrong."""
    return detail["type"] == "too_short" and bool(detail["input"])


def _no_family(family: Any) -> Finding:
    if family is None:
        message = say(
            "findings.family.missing", names=tuple(f'"{name}"' for name in known_families())
        )
    else:
        name = family if isinstance(family, str) else ""
        remedy = did_you_mean(name, known_families())
        message = say("findings.family.unknown", given=show_value(family), remedy=remedy)
    return Finding("error", "family", message, ("family",))


def _syntax_error(error: ValueError, text: str, file: str) -> Finding:
    reason = re.sub(r" ?\(at .*\)$", "", str(error))
    if name := _TUPLE.search(reason):
        reason = reason.replace(name[0], "[" + name[1].replace("', '", ".") + "]")
    message = say("findings.syntax.no-toml", reason=f"{reason[:1].lower()}{reason[1:]}")
    if position := _AT.search(str(error)):
        return _finding_at(text, int(position[1]), int(position[2]), message, file)
    if digits := _TOO_MANY_DIGITS.search(text):
        before = text[: digits.start()].split("\n")
        message = say("findings.syntax.long-number")
        return _finding_at(text, len(before), len(before[-1]) + 1, message, file)
    lines = text.split("\n")
    return _finding_at(text, len(lines), len(lines[-1]) + 1, message, file)


def _finding_at(text: str, line: int, column: int, message: str, file: str) -> Finding:
    quoted = quote(text.split("\n")[line - 1])
    message = printable(message)
    return Finding("error", "syntax", message, (), None, file, line, column, quoted)


def _is_deep(document: dict[str, Any]) -> bool:
    level: list[Any] = [document]
    for _ in range(DEPTH_MAX):
        inner = (
            container.values() if isinstance(container, dict) else container for container in level
        )
        level = [value for values in inner for value in values if isinstance(value, dict | list)]
    return bool(level)


def _too_deep(text: str, file: str) -> Finding:
    return _too_large_finding(text, file, say("findings.syntax.too-deep"))


def _too_large_finding(text: str, file: str, problem: str) -> Finding:
    """A finding at the line with the most brackets, dots and commas, the likely culprit."""
    lines = text.split("\n")
    worst = max(range(len(lines)), key=lambda number: sum(map(lines[number].count, "[{.,")))
    return _finding_at(text, worst + 1, 1, problem, file)


def _not_utf8(raw: bytes, start: int, file: str) -> Finding:
    before = raw[:start].decode().split("\n")
    quoted = quote(raw.split(b"\n")[len(before) - 1].decode(errors="replace"))
    message = say("findings.syntax.no-utf8")
    place = len(before), len(before[-1]) + 1
    return Finding("error", "encoding", message, (), None, file, *place, quoted)


def examine(text: str, file: str, *, thorough: bool = True) -> Reading:
    """A text read and checked; `thorough` adds the slower notices."""
    reading = read_sheet(text, file)
    if reading.sheet is None:
        return reading
    from pitbook.sheets.check import check  # noqa: PLC0415  Listing sheets needs no checks.

    placed = place_findings(reading, check(reading.sheet, thorough=thorough))
    sheet = None if blocking_errors(placed) else reading.sheet
    return dataclasses.replace(reading, sheet=sheet, findings=placed)


def place_findings(reading: Reading, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings with their positions in the text, in its order."""
    places = Places(reading.text)
    # A finding about a line of a pay table points at the line's name.
    placed = (
        add_position(finding, places, reading.file, key=finding.code.startswith("pay-"))
        for finding in findings
    )
    return sort_findings(placed)


def sort_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings in the order of the text."""
    return tuple(sorted(findings, key=lambda finding: (finding.line, finding.column)))


def examine_file(path: Path, *, thorough: bool = True) -> Reading:
    """A file read and checked; raises only if it cannot be read."""
    try:
        return examine(read_text(path), str(path), thorough=thorough)
    except SheetInvalid as invalid:
        return Reading(str(path), "", None, invalid.findings)


def load(path: Path) -> Sheet:
    """The playable sheet in a file; raises SheetInvalid with every error."""
    sheet = parse(path)
    from pitbook.sheets.check import check  # noqa: PLC0415  Listing sheets needs no checks.

    if blocking_errors(check(sheet, thorough=False)):
        findings = examine_file(path, thorough=False).findings  # With their positions.
        raise SheetInvalid(blocking_errors(findings))
    return sheet
