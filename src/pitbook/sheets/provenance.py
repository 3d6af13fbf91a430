"""The origin of a rule, the casino's document or our own assumption, and checks of its marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from pitbook.sheets.clauses import is_general
from pitbook.sheets.field_types import IN_PART, Rule, TomlTable
from pitbook.sheets.findings import FieldPath, Finding
from pitbook.sheets.model import GENERAL_PROCEDURES, Main, Sheet, SideWager
from pitbook.sheets.pay_tables import scope_of
from pitbook.text import say
from pitbook.text.user_input import did_you_mean

PROSE = ("clause", "note", "ours")

OursShare = Literal["none", "part", "all"]


def share(rule: Rule, *fields: str) -> OursShare:
    """How much of a rule, or of some of its fields, is our assumption."""
    mark = is_general(rule.clause) if rule.ours is None else rule.ours
    if isinstance(mark, bool):
        return "all" if mark else "none"
    if mark == IN_PART:
        return "part"
    rule_fields = fields_of(rule)
    rule_names = [name for name in fields if name.partition(".")[0] in rule_fields]
    return combine(_field_share(rule, name, mark) for name in rule_names or rule_fields)


def combine(shares: Iterable[OursShare]) -> OursShare:
    """The share of several parts together."""
    distinct = set(shares) or {"none"}
    return distinct.pop() if len(distinct) == 1 else "part"


def pays_share(rule: Main | SideWager, line: str | None = None) -> OursShare:
    """How much of a pay table, or of one of its lines, is our assumption."""
    return share(rule, "pays") if line is None else share(rule, f"pays.{line}")


def remaining_mark(rule: Rule, fields: Iterable[str]) -> bool | str | tuple[str, ...] | None:
    """The rule's mark without those fields."""
    if share(rule) == "none":
        return rule.ours
    excluded = set(fields)
    remaining = tuple(
        name for name in fields_of(rule) if name not in excluded and share(rule, name) != "none"
    )
    return remaining or False


def fields_of(rule: Rule) -> list[str]:
    """The fields of a rule itself, by their names in a file."""
    return [
        field.alias or name
        for name, field in type(rule).model_fields.items()
        if name not in PROSE and not isinstance(getattr(rule, name), Rule)
    ]


def _field_share(rule: Rule, name: str, mark: tuple[str, ...]) -> OursShare:
    """How much of a field, or of one part of it ("pays.flush"), a list of marks names."""
    field, _, part = name.partition(".")
    if name in mark or field in mark:
        return "all"
    parts = {marked.partition(".")[2] for marked in mark if marked.startswith(f"{field}.")}
    if part or not parts:
        return "none"
    value = getattr(rule, field, None)
    return "all" if isinstance(value, Mapping) and parts >= set(value) else "part"


def has_assumptions(sheet: Sheet) -> bool:
    """Whether any rule or general procedure is our assumption; the approval is not a rule."""
    procedures = sheet.procedures
    return any(getattr(procedures, name, None) is None for name in GENERAL_PROCEDURES) or any(
        share(rule) != "none" for path, rule in rules_of(sheet, ()) if path != ("house", "approval")
    )


def rules_of(part: Any, path: FieldPath) -> Iterator[tuple[FieldPath, Rule]]:
    """Every rule of a sheet with its path."""
    if isinstance(part, Rule):
        yield path, part
    for step, value in _child_fields(part):
        yield from rules_of(value, (*path, step))


def _child_fields(part: Any) -> list[tuple[str | int, Any]]:
    if isinstance(part, TomlTable):
        fields = type(part).model_fields.items()
        return [(field.alias or name, getattr(part, name)) for name, field in fields]
    if isinstance(part, Mapping):
        return list(part.items())
    return list(enumerate(part)) if isinstance(part, tuple) else []


def check_provenance(sheet: Sheet) -> Iterator[Finding]:
    """Marks that name no field, and marks without an explaining note."""
    for path, rule in rules_of(sheet, ()):
        if isinstance(rule.ours, tuple):
            yield from _mark_errors(sheet, path, rule, rule.ours)
        if rule.ours not in (None, False) and rule.note is None:
            message = say("findings.marks.no-note")
            yield Finding("notice", "ours", message, (*path, "ours"), rule.clause)


def _mark_errors(
    sheet: Sheet, path: FieldPath, rule: Rule, mark: tuple[str, ...]
) -> Iterator[Finding]:
    fields = fields_of(rule)
    for name in mark:
        field, dot, part = name.partition(".")
        if field in fields and (not dot or _has_part(sheet, path, rule, field, part)):
            continue
        message = say("findings.marks.no-field", name=name, remedy=did_you_mean(name, fields))
        yield Finding("error", "ours", message, (*path, "ours"), rule.clause)


def _has_part(sheet: Sheet, path: FieldPath, rule: Rule, field: str, part: str) -> bool:
    """Whether a field has such a part: a line of a pay table, or a word of a list."""
    if field == "pays":
        scope = scope_of(sheet, str(path[1]) if path[0] == "side" else "main")
        return scope is not None and bool(scope.atoms(part))
    return part in _as_words(getattr(rule, "value" if field == "is" else field, None))


def _as_words(value: Any) -> list[str]:
    if isinstance(value, tuple):
        return [word for element in value for word in _as_words(element)]
    return [str(value)]
