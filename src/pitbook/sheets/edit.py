"""Sheets derived from another one: changed fields, variants, and the edited TOML text."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pitbook.errors import SheetError, SheetUnknown
from pitbook.money import Odds, money
from pitbook.sheets.check import check
from pitbook.sheets.findings import (
    Finding,
    SheetInvalid,
    blocking_errors,
    did_you_mean,
    printable,
    show_value,
)
from pitbook.sheets.load import examine, validate_sheet
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Variant
from pitbook.sheets.pay_tables import PayTable, pays_of
from pitbook.sheets.toml_text import Places
from pitbook.text import say, sentence_of

_NAME = re.compile(r"[^.\[\]]+(\[[0-9]{1,9}\])*(\.[^.\[\]]+(\[[0-9]{1,9}\])*)*", re.ASCII)
_STEP = re.compile(r"\[([0-9]+)\]|([^.\[\]]+)", re.ASCII)


def change_sheet(sheet: Sheet, changes: Mapping[str, Any]) -> Sheet:
    """The sheet with other values by field, as a TOML file would write them; None takes one out.

    Raises SheetInvalid with every error, each at the name of its field.
    """
    if not isinstance(changes, Mapping):
        raise SheetError(say("sheets.changed.a-dict", example='{"main.pays.flush": "10:1"}'))
    document = _plain(sheet.model_dump(by_alias=True, exclude_none=True))
    for name, value in changes.items():
        _put(document, name, _plain(value))
    made, found = validate_sheet(document)
    wrong = (
        [one for one, _ in found] if made is None else blocking_errors(check(made, thorough=False))
    )
    if made is None or wrong:
        raise SheetInvalid(_placed(one, sheet.id) for one in wrong)
    return made


def _placed(finding: Finding, name: str) -> Finding:
    message = printable(finding.message)
    return dataclasses.replace(finding, message=message, file=name, line=0, column=0)


def _plain(value: Any) -> Any:
    """A value as a TOML text would have given it."""
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_plain(one) for one in value]
    return str(value) if isinstance(value, Odds) else value


def _put(document: dict[str, Any], name: str, value: Any) -> None:
    """Write one field, or take it out; tables on the way to it are made where they are missing."""
    *way, last = _steps(name)
    here: Any = document
    for step in way:
        _fits(here, step, name)
        here = here[step] if isinstance(here, list) else here.setdefault(step, {})
    _fits(here, last, name, new=value is not None)
    if value is None:
        if isinstance(here, dict) and last not in here:
            remedy = did_you_mean(last, here)
            raise SheetError(say("sheets.changed.not-there", name=name, remedy=remedy))
        del here[last]
    elif isinstance(here, list):
        here[last : last + 1] = [value]
    elif _is_choice(here.get(last)) and not isinstance(value, dict):
        here[last]["is"] = value
    else:
        here[last] = value


def _is_choice(part: Any) -> bool:
    return isinstance(part, dict) and "is" in part


def _fits(here: Any, step: str | int, name: str, *, new: bool = False) -> None:
    """Raise where a table has no such name or a list no such number; a list may grow by one."""
    if isinstance(here, list):
        if not isinstance(step, int) or step >= len(here) + new:
            last = len(here) - 1
            raise SheetError(say("sheets.changed.by-number", name=name, items=len(here), last=last))
    elif not isinstance(here, dict) or not isinstance(step, str):
        raise SheetError(say("sheets.changed.no-parts", name=name, given=show_value(here)))


def _steps(name: Any) -> list[Any]:
    """The steps of a field's name.

    >>> _steps("streets[0].bets")
    ['streets', 0, 'bets']
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise SheetError(say("sheets.changed.no-field", given=show_value(name)))
    return [int(number) if number else word for number, word in _STEP.findall(name)]


FILE = "changed.toml"
_LINE = re.compile(r"""\s*(?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)\s*=""")
_VALUE = re.compile(r'"[^"]*"')
_ID = re.compile(r'^id\s*=\s*"[^"]*"', re.MULTILINE)


def edit_text(text: str, wished: Sheet, name: str) -> str:
    """The text of a sheet as it is wished, under another id; raises SheetError where it cannot be.

    What is written is read again: only a file that says what was wished is given out.
    """
    lines = text.split("\n")
    for wager in ("main", *wished.side):
        lines = _with_table(lines, _header(wager), pays_of(wished, wager))
    changed = _with_caps("\n".join(lines), wished)
    changed = _ID.sub(f'id = "{name}"', changed, count=1)
    read = examine(changed, FILE).sheet
    if read is None or not _says(read, wished, name):
        raise SheetError(say("sheets.edited.not-written", sheet=wished.id))
    return changed


def _header(wager: str) -> str:
    return "[main.pays]" if wager == "main" else f"[side.{wager}.pays]"


def _with_table(lines: Sequence[str], header: str, pays: PayTable) -> list[str]:
    """The lines below a header are those of a pay table, up to the first that is none."""
    if header not in lines:
        return list(lines)
    first = lines.index(header) + 1
    last = first
    while last < len(lines) and _LINE.match(lines[last]):
        last += 1
    table = [f'{_key(line)} = "{pay}"' for line, pay in pays.items()]
    return [*lines[:first], *table, *lines[last:]]


def _key(line: str) -> str:
    return line if re.fullmatch(r"[A-Za-z0-9_-]+", line) else f'"{line}"'


def _with_caps(text: str, wished: Sheet) -> str:
    lines, places = text.split("\n"), Places(text)
    for number, limit in enumerate(wished.limits):
        line, column = places.value(("limits", number, "pays_max"))
        before, after = lines[line - 1][: column - 1], lines[line - 1][column - 1 :]
        lines[line - 1] = before + _VALUE.sub(f'"{money(limit.pays_max)}"', after, count=1)
    return "\n".join(lines)


def _says(read: Sheet, wished: Sheet, name: str) -> bool:
    tables: Mapping[str, PayTable] = {one: pays_of(read, one) for one in ("main", *wished.side)}
    caps = [limit.pays_max for limit in read.limits]
    return (
        read.id == name
        and all(
            list(table.items()) == list(pays_of(wished, one).items())
            for one, table in tables.items()
        )
        and caps == [limit.pays_max for limit in wished.limits]
    )


def apply_variant(sheet: Sheet, name: str) -> Sheet:
    """The sheet as a variant of it has it; raises SheetUnknown where it has no such variant."""
    variants: Mapping[str, Variant] = sheet.variants or {}
    variant = variants.get(name)
    if variant is None:
        remedy = did_you_mean(name, variants) if variants else say("sheets.no-variants")
        raise SheetUnknown(say("sheets.no-variant", sheet=sheet.id, name=name, remedy=remedy))
    changes: dict[str, Any] = dict.fromkeys(variant.without)
    changes |= dict(variant.changes)
    plain = sheet.model_copy(update={"variants": None})
    return change_sheet(plain, {"title": f"{sheet.title} ({variant.title})", **changes})


def check_variants(sheet: Sheet) -> Iterator[Finding]:
    """Every variant is a sound sheet."""
    for name, variant in (sheet.variants or {}).items():
        try:
            apply_variant(sheet, name)
        except SheetError as error:
            message = say("findings.variant", why=sentence_of(error))
            yield Finding("error", "variant", message, ("variants", name), variant.clause)
