"""A mark that says which fields are our choice names fields that are there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pitbook.sheets.findings import FieldPath, Finding, did_you_mean
from pitbook.sheets.model import Sheet
from pitbook.sheets.ours import fields_of, rules_of
from pitbook.sheets.pays import scope_of
from pitbook.sheets.values import Rule
from pitbook.text import say


def check(sheet: Sheet) -> Iterator[Finding]:
    """Marks that name nothing, and those without a note that says what was chosen."""
    for path, rule in rules_of(sheet, ()):
        if isinstance(rule.ours, tuple):
            yield from _names(sheet, path, rule, rule.ours)
        if rule.ours not in (None, False) and rule.note is None:
            message = say("findings.marks.no-note")
            yield Finding("notice", "ours", message, (*path, "ours"), rule.clause)


def _names(sheet: Sheet, path: FieldPath, rule: Rule, mark: tuple[str, ...]) -> Iterator[Finding]:
    own = fields_of(rule)
    for name in mark:
        field, dot, part = name.partition(".")
        if field in own and (not dot or _has(sheet, path, rule, field, part)):
            continue
        message = say("findings.marks.no-field", name=name, remedy=did_you_mean(name, own))
        yield Finding("error", "ours", message, (*path, "ours"), rule.clause)


def _has(sheet: Sheet, path: FieldPath, rule: Rule, field: str, part: str) -> bool:
    """Whether a field has such a part: a line that a pay table may have, or a word of a list."""
    if field == "pays":
        scope = scope_of(sheet, str(path[1]) if path[0] == "side" else "main")
        return scope is not None and bool(scope.atoms(part))
    return part in _words(getattr(rule, "value" if field == "is" else field, None))


def _words(value: Any) -> list[str]:
    if isinstance(value, tuple):
        return [word for one in value for word in _words(one)]
    return [str(value)]
