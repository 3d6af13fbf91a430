"""The registry of game families, and the JSON Schema of their sheets.

No module here or below names a family. `pitbook.rules.families` lists the bundled ones.
Another package adds its own as an entry point of the group `pitbook.families`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, reduce
from importlib import import_module
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, get_args

from pydantic import Field, TypeAdapter

from pitbook.errors import SheetError
from pitbook.sheets.model import Sheet
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.sheets.findings import Finding
    from pitbook.sheets.largest_payout import Exposure
    from pitbook.sheets.pay_tables import Scope
    from pitbook.sheets.prose import RuleText


GROUP = "pitbook.families"
Idle = tuple[str, str, str]  # A field's dotted path, why it has no effect, its clause.


@dataclass(frozen=True)
class Checks:
    """The checks of one family's sheets."""

    structure: Callable[[Any], Iterator[Finding]]
    names: Callable[[Any], Iterator[Finding]]
    fits: Callable[[Any], Iterator[Finding]]
    idle: Callable[[Any], Iterator[Idle]]
    why_never: Callable[[Any, str, str], str | None]  # Why no cards make a line of a wager.
    is_play: Callable[[str], bool]  # Whether a word is a play at a decision.


@dataclass(frozen=True)
class Family:
    """A family of games: its sheet model and its functions."""

    name: str
    sheet: type[Sheet]
    scope: Callable[[Any, str], Scope | None]  # The outcomes that a wager's pay table may list.
    checks: Callable[[], Checks]  # Loaded on the first check.
    rule_texts: Callable[[Any], Iterator[RuleText]]
    main_table: Callable[[Any], tuple[str, str]]  # The main pay table's title and subject.
    exposure: Callable[[Any], Exposure]
    compile: Callable[[Any], Any]  # The sheet as a game: pitbook.rules.game.Game.


_FAMILIES: dict[str, Family] = {}


def register(family: Family) -> None:
    """Register a family, after checking that its sheets provide every required attribute."""
    missing = [
        attribute
        for attribute in sorted(Sheet.__class_vars__)
        if not hasattr(family.sheet, attribute)
    ]
    if missing := [*missing, *sorted(family.sheet.__abstractmethods__)]:
        raise ValueError(f'sheets of the family "{family.name}" do not say {", ".join(missing)}')
    if (literals := get_args(family.sheet.model_fields["family"].annotation)) != (family.name,):
        names_text = " or ".join(map(repr, literals)) or "any text"
        raise ValueError(f'the family "{family.name}" has sheets whose family is {names_text}')
    if _FAMILIES.setdefault(family.name, family) is not family:
        raise ValueError(f'there is a family "{family.name}" already')


def known_families() -> dict[str, Family]:
    """Every family by name, bundled ones first."""
    _load_families()
    return _FAMILIES


def models() -> dict[str, type[Sheet]]:
    """The sheet model of every family, by the family's name."""
    return {name: family.sheet for name, family in known_families().items()}


def find_family(name: str) -> Family | None:
    """The family with that name, if any; does not import the other bundled ones."""
    if name not in _FAMILIES and name in (bundled := _bundled_families()).FOLDERS:
        register(bundled.load_family(name))
    return _FAMILIES.get(name) or known_families().get(name)


def family_of(sheet: Sheet) -> Family:
    family = find_family(sheet.family)
    assert family is not None
    return family


def added_families() -> tuple[str, ...]:
    """The registered families that are not bundled."""
    return tuple(name for name in _FAMILIES if name not in _bundled_families().FOLDERS)


def _bundled_families() -> Any:
    return import_module("pitbook.rules.families")


@cache
def _load_families() -> None:
    bundled = _bundled_families()
    others = {name: _FAMILIES[name] for name in added_families()}
    _FAMILIES.clear()
    for name in bundled.FOLDERS:
        register(bundled.load_family(name))
    _FAMILIES.update(others)
    from importlib.metadata import entry_points  # noqa: PLC0415  Slow, and rarely needed.

    for point in entry_points(group=GROUP):
        try:
            register(point.load())
        except Exception as error:  # Third-party packages may raise anything.
            values = {"family": point.name, "of": point.value, "why": str(error)}
            raise SheetError(say("sheets.family-broken", **values)) from error


# The JSON Schema of rule sheets is generated from the models, for editors.

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
    document = _plain_schema(raw_schema, raw_schema["$defs"])
    parts = {
        _short_name(name): part
        for name, part in document.pop("$defs").items()
        if not _inline_name(name)
    }
    title = f"Pitbook rule sheet, {family}" if family else "Pitbook rule sheet"
    return {"$schema": DIALECT, "title": title, **document, "$defs": dict(sorted(parts.items()))}


def _plain_schema(node: Any, defs: dict[str, Any]) -> Any:
    """A part of the schema without titles, null, and Pydantic's generic definitions."""
    if not isinstance(node, dict):
        return node
    if name := _inline_name(node.get("$ref", "").removeprefix(_REF)):
        others = {field: value for field, value in node.items() if field != "$ref"}
        return _plain_schema({**defs[name], **others}, defs)
    return _without_null(
        {
            field: _plain_field(field, value, defs)
            for field, value in node.items()
            if field != "title"
        }
    )


def _plain_field(field: str, value: Any, defs: dict[str, Any]) -> Any:
    if field in _MAPS:
        return {name: _plain_schema(part, defs) for name, part in value.items()}
    if field in _LISTS:
        return [_plain_schema(part, defs) for part in value]
    if field in _NODES:
        return _plain_schema(value, defs)
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
    return _REF + _short_name(ref.removeprefix(_REF))


def _short_name(name: str) -> str:
    """A definition's name, with its family: families__red_dog__sheet__Deal becomes RedDogDeal."""
    *module, last = name.split("__")
    return "".join(word.capitalize() for word in module[-2].split("_")) + last if module else last
