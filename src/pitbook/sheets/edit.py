"""Sheets derived from others: changed fields, variants, and edited TOML text."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pitbook.errors import SheetError, SheetUnknown
from pitbook.money import Odds, money
from pitbook.sheets.arguments import SomeSheet, sheet_of
from pitbook.sheets.check import check
from pitbook.sheets.findings import FieldPath, Finding, SheetInvalid, blocking_errors
from pitbook.sheets.load import examine, validate_sheet
from pitbook.sheets.model import Sheet, Variant
from pitbook.sheets.pay_tables import PayTable, pays_of
from pitbook.sheets.toml_positions import Places
from pitbook.text import say, sentence_of
from pitbook.text.user_input import did_you_mean, printable, show_value

_NAME = re.compile(r"[^.\[\]]+(\[[0-9]{1,9}\])*(\.[^.\[\]]+(\[[0-9]{1,9}\])*)*", re.ASCII)
_STEP = re.compile(r"\[([0-9]+)\]|([^.\[\]]+)", re.ASCII)


def change_sheet(sheet: Sheet, changes: Mapping[str, Any]) -> Sheet:
    """The sheet with changed fields, given as in a TOML file; None removes a field.

    Raises SheetInvalid with every error, each with the name of its field.
    """
    if not isinstance(changes, Mapping):
        raise SheetError(say("sheets.changed.a-dict", example='{"main.pays.flush": "10:1"}'))
    document = _plain(sheet.model_dump(by_alias=True, exclude_none=True))
    for name, value in changes.items():
        _set_field(document, name, _plain(value))
    return _validate_document(document, sheet.id)


def take_fields(sheet: Sheet, other: Sheet, paths: Iterable[FieldPath]) -> Sheet:
    """The sheet with some fields of another sheet; raises SheetInvalid if they do not fit."""
    document, source = (
        _plain(each.model_dump(by_alias=True, exclude_none=True)) for each in (sheet, other)
    )
    for path in paths:
        _take_field(document, source, path)
    return _validate_document(document, sheet.id)


def _take_field(target: Any, source: Any, path: FieldPath) -> None:
    """Copy or remove one field; a table that only one of the two has is copied as a whole.

    A name that follows a list means that field of every item: the titles of the streets.
    """
    step, rest = path[0], path[1:]
    if isinstance(target, list) and isinstance(step, str):
        for element, other in zip(target, source, strict=True):
            _take_field(element, other, path)
        return
    if isinstance(target, list):
        assert isinstance(step, int)
        target[step : step + 1] = source[step : step + 1]
        return
    before, after = target.get(step), source.get(step)
    if after is None:
        target.pop(step, None)
    elif not rest or not _has_field(before, after, rest[0]):
        target[step] = after
    else:
        _take_field(before, after, rest)


def _has_field(before: Any, after: Any, step: str | int) -> bool:
    """Whether both parts can have this field: two tables, or lists with items to pair."""
    if isinstance(before, list) and isinstance(after, list):
        return isinstance(step, int) or len(before) == len(after)
    return isinstance(before, dict) and isinstance(after, dict)


def _validate_document(document: dict[str, Any], name: str) -> Sheet:
    changed_sheet, type_errors = validate_sheet(document)
    blocking = (
        [finding for finding, _ in type_errors]
        if changed_sheet is None
        else blocking_errors(check(changed_sheet, thorough=False))
    )
    if changed_sheet is None or blocking:
        raise SheetInvalid(_at_field(finding, name) for finding in blocking)
    return changed_sheet


def _at_field(finding: Finding, name: str) -> Finding:
    message = printable(finding.message)
    return dataclasses.replace(finding, message=message, file=name, line=0, column=0)


def _plain(value: Any) -> Any:
    """A value in the form of parsed TOML."""
    if isinstance(value, Mapping):
        return {str(name): _plain(element) for name, element in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_plain(element) for element in value]
    return str(value) if isinstance(value, Odds) else value


def _set_field(document: dict[str, Any], name: str, value: Any) -> None:
    """Write or remove one field; missing tables on its path are created."""
    *parents, last = _path_steps(name)
    table: Any = document
    for step in parents:
        _require_step(table, step, name)
        table = table[step] if isinstance(table, list) else table.setdefault(step, {})
    _require_step(table, last, name, new=value is not None)
    if value is None:
        if isinstance(table, dict) and last not in table:
            remedy = did_you_mean(last, table)
            raise SheetError(say("sheets.changed.not-there", name=name, remedy=remedy))
        del table[last]
    elif isinstance(table, list):
        table[last : last + 1] = [value]
    elif _is_choice(table.get(last)) and not isinstance(value, dict):
        table[last]["is"] = value
    else:
        table[last] = value


def _is_choice(part: Any) -> bool:
    return isinstance(part, dict) and "is" in part


def _require_step(table: Any, step: str | int, name: str, *, new: bool = False) -> None:
    """Raise if a table has no such name or a list no such index; a list may grow by one."""
    if isinstance(table, list):
        if not isinstance(step, int) or step >= len(table) + new:
            last = len(table) - 1
            raise SheetError(
                say("sheets.changed.by-number", name=name, items=len(table), last=last)
            )
    elif not isinstance(table, dict) or not isinstance(step, str):
        raise SheetError(say("sheets.changed.no-parts", name=name, given=show_value(table)))


def _path_steps(name: Any) -> list[Any]:
    """The steps of a field's name.

    >>> _path_steps("streets[0].bets")
    ['streets', 0, 'bets']
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise SheetError(say("sheets.changed.no-field", given=show_value(name)))
    return [int(number) if number else word for number, word in _STEP.findall(name)]


FILE = "changed.toml"
_LINE = re.compile(r"""\s*(?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)\s*=""")
_VALUE = re.compile(r'"[^"]*"')
_ID = re.compile(r'^id\s*=\s*"[^"]*"', re.MULTILINE)


def edit_text(text: str, target: Sheet, name: str) -> str:
    """The sheet's TOML text changed to the target under a new id; raises SheetError if impossible.

    The result is read again and compared with the target.
    """
    lines = text.split("\n")
    for wager in ("main", *target.side):
        lines = _with_table(lines, _table_header(wager), pays_of(target, wager))
    changed_text = _with_caps("\n".join(lines), target)
    changed_text = _ID.sub(f'id = "{name}"', changed_text, count=1)
    edited = examine(changed_text, FILE).sheet
    if edited is None or not _matches_target(edited, target, name):
        raise SheetError(say("sheets.edited.not-written", sheet=target.id))
    return changed_text


def _table_header(wager: str) -> str:
    return "[main.pays]" if wager == "main" else f"[side.{wager}.pays]"


def _with_table(lines: Sequence[str], header: str, pays: PayTable) -> list[str]:
    """The lines with the pay table below a header replaced."""
    if header not in lines:
        return list(lines)
    first = lines.index(header) + 1
    last = first
    while last < len(lines) and _LINE.match(lines[last]):
        last += 1
    table = [f'{_quote_key(line)} = "{pay}"' for line, pay in pays.items()]
    return [*lines[:first], *table, *lines[last:]]


def _quote_key(line: str) -> str:
    return line if re.fullmatch(r"[A-Za-z0-9_-]+", line) else f'"{line}"'


def _with_caps(text: str, target: Sheet) -> str:
    lines, places = text.split("\n"), Places(text)
    for number, limit in enumerate(target.limits):
        line, column = places.value(("limits", number, "pays_max"))
        before, after = lines[line - 1][: column - 1], lines[line - 1][column - 1 :]
        lines[line - 1] = before + _VALUE.sub(f'"{money(limit.pays_max)}"', after, count=1)
    return "\n".join(lines)


def _matches_target(edited: Sheet, target: Sheet, name: str) -> bool:
    tables: Mapping[str, PayTable] = {
        wager: pays_of(edited, wager) for wager in ("main", *target.side)
    }
    caps = [limit.pays_max for limit in edited.limits]
    return (
        edited.id == name
        and all(
            list(table.items()) == list(pays_of(target, wager).items())
            for wager, table in tables.items()
        )
        and caps == [limit.pays_max for limit in target.limits]
    )


def apply_variant(sheet: Sheet, name: str) -> Sheet:
    """The sheet with a variant applied; raises SheetUnknown if it has no such variant."""
    variants: Mapping[str, Variant] = sheet.variants or {}
    variant = variants.get(name)
    if variant is None:
        remedy = did_you_mean(name, variants) if variants else say("sheets.no-variants")
        raise SheetUnknown(say("sheets.no-variant", sheet=sheet.id, name=name, remedy=remedy))
    changes: dict[str, Any] = dict.fromkeys(variant.without)
    changes |= dict(variant.changes)
    base = sheet.model_copy(update={"variants": None})
    return change_sheet(base, {"title": f"{sheet.title} ({variant.title})", **changes})


def check_variants(sheet: Sheet) -> Iterator[Finding]:
    """Every variant must be a valid sheet."""
    for name, variant in (sheet.variants or {}).items():
        try:
            apply_variant(sheet, name)
        except SheetError as error:
            message = say("findings.variant", why=sentence_of(error))
            yield Finding("error", "variant", message, ("variants", name), variant.clause)


def changed(sheet: SomeSheet, changes: Mapping[str, Any]) -> Sheet:
    """A copy of a sheet with some fields changed, checked like a file. It has its own hash.

    Use the field names of findings and the values of a sheet file; None removes a field.

    >>> sheet = changed("catfish-bend/mississippi-stud", {"main.pays.flush": "10:1"})
    >>> str(sheet.main.pays["flush"])
    '10:1'
    """
    from pitbook.sheets.edit import change_sheet  # noqa: PLC0415  Imports every check.

    return change_sheet(sheet_of(sheet), changes)
