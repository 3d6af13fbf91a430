"""A sheet with other rules: made from another one by naming fields, and checked like a file."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pitbook.errors import SheetError
from pitbook.money import Odds
from pitbook.sheets.checks import check
from pitbook.sheets.findings import (
    Finding,
    SheetInvalid,
    did_you_mean,
    forbidding,
    printable,
    shown,
)
from pitbook.sheets.loader import validated
from pitbook.sheets.model import Sheet
from pitbook.text import say

_NAME = re.compile(r"[^.\[\]]+(\[[0-9]{1,9}\])*(\.[^.\[\]]+(\[[0-9]{1,9}\])*)*", re.ASCII)
_STEP = re.compile(r"\[([0-9]+)\]|([^.\[\]]+)", re.ASCII)


def changed(sheet: Sheet, changes: Mapping[str, Any]) -> Sheet:
    """The sheet with other values by field, as a TOML file would write them; None takes one out.

    Raises SheetInvalid with every error, each at the name of its field.
    """
    if not isinstance(changes, Mapping):
        raise SheetError(say("sheets.changed.a-dict", example='{"main.pays.flush": "10:1"}'))
    document = _plain(sheet.model_dump(by_alias=True, exclude_none=True))
    for name, value in changes.items():
        _put(document, name, _plain(value))
    made, found = validated(document)
    wrong = [one for one, _ in found] if made is None else forbidding(check(made, thorough=False))
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
        raise SheetError(say("sheets.changed.no-parts", name=name, given=shown(here)))


def _steps(name: Any) -> list[Any]:
    """The steps of a field's name.

    >>> _steps("streets[0].bets")
    ['streets', 0, 'bets']
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise SheetError(say("sheets.changed.no-field", given=shown(name)))
    return [int(number) if number else word for number, word in _STEP.findall(name)]
