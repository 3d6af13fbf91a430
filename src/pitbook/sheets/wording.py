"""Pydantic's findings in our words: the thing, the place and the remedy."""

from __future__ import annotations

import re
import types
from typing import Any, Union, get_args, get_origin

from pydantic_core import ErrorDetails

from pitbook.sheets.entries import Entries
from pitbook.sheets.findings import FieldPath, Finding, did_you_mean, dotted, shown
from pitbook.sheets.values import SLUG, TomlTable
from pitbook.text import Sentence, say

_KINDS = {
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

_FORMS = {
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
    path = _inside(tuple(detail["loc"]), document, missing=detail["type"] == "missing")
    kind = detail["type"]
    if kind == "missing":
        where = dotted(path[:-1])
        message = (
            say("findings.value.missing-in", field=path[-1], where=where)
            if where
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
    given, kind, context = detail["input"], detail["type"], detail.get("ctx", {})
    if kind in _KINDS:
        wanted = {"name": name, "kind": _KINDS[kind], "given": shown(given)}
        if "example" in context:
            return say("findings.value.must-be-as-in", example=context["example"], **wanted)
        return say("findings.value.must-be", **wanted)
    if kind == "literal_error":
        known = [
            one.strip("'") for one in str(context["expected"]).replace(" or ", ", ").split(", ")
        ]
        if isinstance(given, str):
            remedy = did_you_mean(given, known)
            return say("findings.value.not-known", name=name, given=shown(given), remedy=remedy)
        return say(
            "findings.value.must-be-one-of", name=name, known=_listed(known), given=shown(given)
        )
    if kind == "money":
        return say("findings.value.money", name=name, why=context["reason"])
    if kind == "string_pattern_mismatch":
        pattern = str(context["pattern"])
        fields = {"name": name, "given": shown(given), "form": _FORMS.get(pattern, "other")}
        return say("findings.value.form", pattern=pattern, **fields)
    reason = re.sub(r"^\w+ should | after validation", "", detail["msg"])
    bound = next((context[one] for one in _BOUNDS if one in context), "")
    said = {"kind": kind, "bound": bound, "actual": context.get("actual_length", "")}
    return say("findings.value.should", name=name, given=shown(given), reason=reason, **said)


def _name(path: FieldPath) -> str:
    words = [step for step in path if isinstance(step, str) and step not in ("is", "[key]")]
    return f'"{words[-1]}"' if words else say("findings.value.the-sheet")


def _listed(known: list[str]) -> tuple[str, ...]:
    return tuple(f'"{one}"' if not one.isdigit() else one for one in known)


def _inside(loc: FieldPath, document: Any, *, missing: bool) -> FieldPath:
    """The steps of a location that the document has: unions and generics add steps of their own."""
    path: list[str | int] = []
    here = document
    for number, step in enumerate(loc):
        final = number == len(loc) - 1
        if _has(here, step):
            here = here[step]
        elif not (missing and final):
            continue
        path.append(step)
    return tuple(path)


def _has(here: Any, step: str | int) -> bool:
    if isinstance(here, list):
        return isinstance(step, int) and step < len(here)
    return isinstance(here, dict) and step in here


def fields_at(model: Any, path: FieldPath) -> list[str]:
    """The field names that the table at a path knows."""
    for step in path:
        model = _step(model, step)
    tables = [one for one in _parts(model) if isinstance(one, type) and issubclass(one, TomlTable)]
    return [field.alias or name for table in tables for name, field in table.model_fields.items()]


def _step(annotation: Any, step: str | int) -> Any:
    for part in _parts(annotation):
        if isinstance(part, type) and issubclass(part, TomlTable):
            for name, field in part.model_fields.items():
                if step in (field.alias, name):
                    return field.annotation
        elif get_origin(part) in (Entries, tuple):
            return get_args(part)[1 if get_origin(part) is Entries else 0]
    return None


def _parts(annotation: Any) -> list[Any]:
    """The alternatives of a union, with Annotated taken off."""
    if hasattr(annotation, "__metadata__"):
        return _parts(annotation.__origin__)
    if get_origin(annotation) in (Union, types.UnionType):
        return [part for one in get_args(annotation) for part in _parts(one)]
    return [annotation]
