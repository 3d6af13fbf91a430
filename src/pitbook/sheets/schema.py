"""The JSON Schema of rule sheets, generated from the models, for editors."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from pitbook.sheets.families import known_families

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_REF = "#/$defs/"
_MAPS = ("properties", "patternProperties", "$defs")
_LISTS = ("oneOf", "anyOf", "allOf", "prefixItems")
_NODES = ("items", "additionalProperties", "propertyNames")
_NULL = {"type": "null"}


def schema(family: str | None = None) -> dict[str, Any]:
    """The schema of one family's sheets, or of all."""
    union: Any = reduce(or_, (family_entry.sheet for family_entry in known_families().values()))
    sheet_type = Annotated[union, Field(discriminator="family")]
    kind: Any = known_families()[family].sheet if family else sheet_type
    raw_schema = TypeAdapter(kind).json_schema(by_alias=True)
    document = _plain(raw_schema, raw_schema["$defs"])
    parts = {
        _short(name): part for name, part in document.pop("$defs").items() if not _inline_name(name)
    }
    title = f"Pitbook rule sheet, {family}" if family else "Pitbook rule sheet"
    return {"$schema": DIALECT, "title": title, **document, "$defs": dict(sorted(parts.items()))}


def _plain(node: Any, defs: dict[str, Any]) -> Any:
    """A part of the schema without titles, null, and Pydantic's generic definitions."""
    if not isinstance(node, dict):
        return node
    if name := _inline_name(node.get("$ref", "").removeprefix(_REF)):
        others = {field: value for field, value in node.items() if field != "$ref"}
        return _plain({**defs[name], **others}, defs)
    return _without_null(
        {field: _field(field, value, defs) for field, value in node.items() if field != "title"}
    )


def _field(field: str, value: Any, defs: dict[str, Any]) -> Any:
    if field in _MAPS:
        return {name: _plain(part, defs) for name, part in value.items()}
    if field in _LISTS:
        return [_plain(part, defs) for part in value]
    if field in _NODES:
        return _plain(value, defs)
    if field == "$ref":
        return _short_ref(value)
    if field == "discriminator":
        mapping = {name: _short_ref(ref) for name, ref in value["mapping"].items()}
        return {**value, "mapping": mapping}
    return _without_nulls(value) if field == "default" else value


def _without_null(node: dict[str, Any]) -> dict[str, Any]:
    """TOML has no null: a nullable field is one that may be left out."""
    fields = {field: value for field, value in node.items() if (field, value) != ("default", None)}
    choices = [part for part in fields.get("anyOf", ()) if part != _NULL]
    if "anyOf" in fields and len(choices) == 1:
        del fields["anyOf"]
        return {**choices[0], **fields}
    return fields


def _without_nulls(default: Any) -> Any:
    if isinstance(default, dict):
        return {name: _without_nulls(value) for name, value in default.items() if value is not None}
    return default


def _inline_name(name: str) -> str:
    """The name, if it is one of Pydantic's generic names for a choice or a rule; else empty."""
    return name if name.startswith(("Choice_", "Stated_")) else ""


def _short_ref(ref: str) -> str:
    return _REF + _short(ref.removeprefix(_REF))


def _short(name: str) -> str:
    """A definition's name by family: pitbook__families__hi_lo__sheet__Deal is HiLoDeal."""
    *module, last = name.split("__")
    return "".join(word.capitalize() for word in module[-2].split("_")) + last if module else last
