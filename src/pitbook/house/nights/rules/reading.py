"""A table of rules from TOML text: either every field is understood or every mistake is listed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from pitbook.sheets.findings import FOUND_MAX, Finding, SheetInvalid
from pitbook.sheets.loader import located, parse_toml
from pitbook.sheets.places import Places
from pitbook.sheets.values import TomlTable
from pitbook.sheets.wording import finding_of
from pitbook.text import sentence_of

Read = TypeVar("Read", bound=TomlTable)
FoundInRules = tuple[Finding, bool]


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
    document = parse_toml(text, file)
    if isinstance(document, Finding):
        return Examined(file, None, (document,))
    try:
        table = model.model_validate(document)
    except ValidationError as error:
        found = [_worded(detail, model, document) for detail in _mistakes(error)]
        return Examined(file, None, _placed(found, text, file))
    odd = _placed([(one, False) for one in check(table)], text, file)
    return Examined(file, None if odd else table, odd)


def examine_fields(
    model: type[Read],
    fields: dict[str, Any],
    check: Callable[[Read], Iterable[Finding]] = _sensible,
) -> Examined[Read]:
    """Fields of a form, read as the same table would be; findings name the field, not a line."""
    try:
        table = model.model_validate(fields)
        odd = tuple(check(table))
        return Examined("", None if odd else table, odd)
    except ValidationError as error:
        found = [_at_field(detail, model, fields) for detail in _mistakes(error)]
        unique = {(one.path, one.message): one for one in found}
        return Examined("", None, tuple(unique.values()))


def understood(examined: Examined[Read]) -> Read:
    """The table; raises SheetInvalid with every finding where there is none."""
    if examined.table is None:
        raise SheetInvalid(examined.findings)
    return examined.table


def _mistakes(error: ValidationError) -> list[ErrorDetails]:
    """What is wrong, each once: a list is not too short because what stands in it is wrong."""
    found = error.errors(include_url=False)
    inner = {mistake["loc"][:depth] for mistake in found for depth in range(1, len(mistake["loc"]))}
    mistakes = [
        mistake
        for mistake in found
        if mistake["type"] != "too_short" or mistake["loc"] not in inner
    ]
    return mistakes[:FOUND_MAX]


def _at_field(detail: ErrorDetails, model: type[TomlTable], fields: dict[str, Any]) -> Finding:
    """A field that is missing has a place in a form, though none in a file."""
    finding, _ = _worded(detail, model, fields)
    if detail["type"] != "missing":
        return finding
    return dataclasses.replace(finding, path=tuple(detail["loc"]))


def _worded(detail: ErrorDetails, model: type[TomlTable], document: dict[str, Any]) -> FoundInRules:
    finding, key = finding_of(detail, model, document)
    if detail["type"] == "value_error":  # Of a check in the model, which has words of its own.
        said = sentence_of(detail["ctx"]["error"])
        return dataclasses.replace(finding, message=said), key
    return finding, key


def _placed(found: Iterable[FoundInRules], text: str, file: str) -> tuple[Finding, ...]:
    places = Places(text)
    unique = {(one.path, one.message): (one, key) for one, key in found}
    placed = [located(one, places, file, key=key) for one, key in unique.values()]
    return tuple(sorted(placed, key=lambda one: (one.line, one.column)))
