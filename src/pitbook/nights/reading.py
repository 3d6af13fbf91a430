"""A table of rules from TOML text: either every field is understood or every mistake is listed."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Callable, Iterable
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from pitbook.sheets.findings import Finding, SheetInvalid
from pitbook.sheets.loader import located, read
from pitbook.sheets.places import Places
from pitbook.sheets.values import Table
from pitbook.sheets.wording import finding_of

__all__ = ["Examined", "examine", "understood"]

Read = TypeVar("Read", bound=Table)
Found = tuple[Finding, bool]


class Examined(NamedTuple, Generic[Read]):
    """What a text holds, or the findings that prevent it."""

    file: str
    table: Read | None
    findings: tuple[Finding, ...]


def _sensible(_: Any) -> Iterable[Finding]:
    return ()


def examine(
    model: type[Read],
    text: str,
    file: str,
    check: Callable[[Read], Iterable[Finding]] = _sensible,
) -> Examined[Read]:
    """A text read as a table of that kind; never raises for what the text holds."""
    # Whatever keeps TOML from being read at all keeps a sheet from it too, and is said there.
    broken = tuple(one for one in read(text, file).findings if one.code == "syntax")
    if broken:
        return Examined(file, None, broken)
    document = tomllib.loads(text)
    try:
        table = model.model_validate(document)
    except ValidationError as error:
        details = error.errors(include_url=False)
        found = [_worded(detail, model, document) for detail in details]
        return Examined(file, None, _placed(found, text, file))
    odd = _placed([(one, False) for one in check(table)], text, file)
    return Examined(file, None if odd else table, odd)


def understood(examined: Examined[Read]) -> Read:
    """The table; raises SheetInvalid with every finding where there is none."""
    if examined.table is None:
        raise SheetInvalid(examined.findings)
    return examined.table


def _worded(detail: ErrorDetails, model: type[Table], document: dict[str, Any]) -> Found:
    finding, key = finding_of(detail, model, document)
    if detail["type"] == "value_error":  # Of a check in the model, which has words of its own.
        said = str(detail["ctx"]["error"])
        return dataclasses.replace(finding, message=said), key
    return finding, key


def _placed(found: Iterable[Found], text: str, file: str) -> tuple[Finding, ...]:
    places = Places(text)
    unique = {(one.path, one.message): (one, key) for one, key in found}
    placed = [located(one, places, file, key=key) for one, key in unique.values()]
    return tuple(sorted(placed, key=lambda one: (one.line, one.column)))
