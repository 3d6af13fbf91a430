"""The JSON Schema of a rule sheet, for editors: made from the models, so it cannot drift."""

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
    of_any: Any = reduce(or_, (one.sheet for one in known_families().values()))
    every = Annotated[of_any, Field(discriminator="family")]
    kind: Any = known_families()[family].sheet if family else every
    made = TypeAdapter(kind).json_schema(by_alias=True)
    whole = _plain(made, made["$defs"])
    parts = {_short(name): part for name, part in whole.pop("$defs").items() if not _inlined(name)}
    title = f"Pitbook rule sheet, {family}" if family else "Pitbook rule sheet"
    return {"$schema": DIALECT, "title": title, **whole, "$defs": dict(sorted(parts.items()))}


def _plain(node: Any, defs: dict[str, Any]) -> Any:
    """A part of the schema without what only Pydantic or only JSON knows: titles and null."""
    if not isinstance(node, dict):
        return node
    if name := _inlined(node.get("$ref", "").removeprefix(_REF)):
        rest = {field: value for field, value in node.items() if field != "$ref"}
        return _plain({**defs[name], **rest}, defs)
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
        return _renamed(value)
    if field == "discriminator":
        named = {name: _renamed(ref) for name, ref in value["mapping"].items()}
        return {**value, "mapping": named}
    return _said(value) if field == "default" else value


def _without_null(node: dict[str, Any]) -> dict[str, Any]:
    """TOML has no null: a field that may be null is a field that may be left out."""
    kept = {field: value for field, value in node.items() if (field, value) != ("default", None)}
    choices = [part for part in kept.get("anyOf", ()) if part != _NULL]
    if "anyOf" in kept and len(choices) == 1:
        del kept["anyOf"]
        return {**choices[0], **kept}
    return kept


def _said(default: Any) -> Any:
    if isinstance(default, dict):
        return {name: _said(value) for name, value in default.items() if value is not None}
    return default


def _inlined(name: str) -> str:
    """The name, if it is one of Pydantic's long names for a choice or a rule; else nothing."""
    return name if name.startswith(("Choice_", "Stated_")) else ""


def _renamed(ref: str) -> str:
    return _REF + _short(ref.removeprefix(_REF))


def _short(name: str) -> str:
    """A definition's name by its family: pitbook__families__hi_lo__sheet__Deal is HiLoDeal."""
    *module, last = name.split("__")
    return "".join(word.capitalize() for word in module[-2].split("_")) + last if module else last
