"""fields.md: every field of a rule sheet, from the models."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from inspect import get_annotations
from pathlib import Path
from typing import Any, get_args, get_origin

from docs import markdown

from pitbook.rules.families.hi_lo.sheet import declared_scope
from pitbook.rules.families.versus.sheet import duel_scope
from pitbook.sheets.family_registry import models
from pitbook.sheets.field_types import SLUG, Choice, Entries, Rule, Stated, TomlTable
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import hand_scope, match_scope

DOCS = Path(__file__).parent

Schema = dict[str, Any]


@dataclass(frozen=True)
class Part:
    """A table of the sheet: its path, its model, and its family, if it belongs to one."""

    path: str
    model: type[TomlTable]
    family: str | None

    @property
    def heading(self) -> str:
        """The title of its section."""
        if not self.path:
            return f"{self.family or 'Every sheet'}: top of the file"
        return f"`{self.path}`" + (f" ({self.family})" if self.family else "")


def fields_page() -> str:
    """The text of fields.md."""
    sections = []
    for title, parts in _chapters().items():
        sections += [f"## {title}", *(_table(part) for part in parts)]
    return "\n\n".join([_FIELDS_HEAD, *sections, _outcomes()]) + "\n"


def sheet_models() -> set[type[TomlTable]]:
    """Every model of a part of a sheet, including base classes."""
    models = [part.model for parts in _chapters().values() for part in parts]
    return {base for model in models for base in model.__mro__ if issubclass(base, TomlTable)}


def _chapters() -> dict[str, list[Part]]:
    chapters = {"Every family": [Part("", Sheet, None), *_parts(Sheet, "", None)]}
    for family, model in models().items():
        chapters[family] = [Part("", model, family), *_parts(model, "", family)]
    return chapters


_FIELDS_HEAD = """\
# Fields of a rule sheet

<!-- Made by `make docs` from the models in pitbook.sheets and from fields.toml. -->

The reference for every table and field. [rule-sheets.md](rule-sheets.md) teaches how to use them.

| notation | written as |
| --- | --- |
| text | `"..."`, not blank |
| name | lower-case words, digits and hyphens: `"3rd-street"` |
| dollars | text: `"10"` or `"10.00"`, more than nothing |
| odds | text: `"500:1"` |
| pay table | a table of outcomes, each with odds or `"push"`; what is not listed loses |
| date | `2018-03-12`, without quotes |
| choice | `{ is = ..., clause = "...", note = "..." }`; after the colon stands what `is` takes |
| stated | written as a choice is; every house keeps the rule, so `is` takes one value |

Every table that says so takes `clause` (needed: where the rule comes from, as in `"CMS-9"`) and
`note` (our reason, where the document is silent or contradicts itself), and `ours` (whose choice it
is: `true` where the document is silent and we chose, `"in part"` where it says half of it, or the
fields that are ours, as in `["min", "max"]` or `["pays.flush"]`; left out, the rule is the
document's, or ours where its clause is a GEN clause). So does every choice. A field that is not
listed here is refused.

A choice acts: another value settles, offers, shows or reckons otherwise, or is refused. What is
marked *Descriptive* says how something is called, lies or is done, and decides nothing."""


def _parts(model: type[TomlTable], above: str, family: str | None) -> Iterator[Part]:
    """Every table below a model, in the order of its fields."""
    for name in own_fields(model, family):
        nested = _nested_table(model.model_fields[name].annotation)
        if nested is not None:
            path, nested_model = f"{above}.{name}{nested[0]}".removeprefix("."), nested[1]
            yield Part(
                f"[[{path}]]" if _is_list(model, name) else f"[{path}]", nested_model, family
            )
            yield from _parts(nested_model, path, family)


def own_fields(model: type[TomlTable], family: str | None = None) -> list[str]:
    """The fields to list, without those of every rule, and for a family only its own."""
    excluded = set(_RULE) if issubclass(model, Rule) else set()
    if family and issubclass(model, Sheet):
        excluded |= set(Sheet.model_fields)
    return [name for name in model.model_fields if name not in excluded]


def _nested_table(annotation: Any) -> tuple[str, type[TomlTable]] | None:
    """The table that a field holds, and the suffix of its path; choices are values, not tables."""
    if isinstance(annotation, type) and issubclass(annotation, TomlTable):
        return None if issubclass(annotation, Choice | Stated) else ("", annotation)
    if hasattr(annotation, "__metadata__"):
        return _nested_table(annotation.__origin__)
    nested = [_nested_table(argument) for argument in get_args(annotation)]
    first_nested = next((table for table in nested if table), None)
    return (
        (".<id>", first_nested[1])
        if first_nested and get_origin(annotation) is Entries
        else first_nested
    )


def _is_list(model: type[TomlTable], name: str) -> bool:
    return "tuple[" in str(model.model_fields[name].annotation)


def _table(part: Part) -> str:
    schema = part.model.model_json_schema()
    description = (part.model.__doc__ or "").strip()
    if part.model is Rule:  # It has only clause and note.
        description = f"{meaning(Sheet, part.path.strip('[]'))}"
    if issubclass(part.model, Rule):
        description += " Takes `clause`, `note` and `ours`."
    rows = [_field_row(part, name, schema) for name in own_fields(part.model, part.family)]
    table = (
        "\n".join(["| field | takes | needed | meaning |", markdown.rule(4), *rows]) if rows else ""
    )
    return "\n\n".join(
        part_text for part_text in (f"### {part.heading}", description, table) if part_text
    )


def _field_row(part: Part, name: str, schema: Schema) -> str:
    field = part.model.model_fields[name]
    alias = field.alias or name
    takes = _describe_type(schema["properties"][alias], schema.get("$defs", {}))
    if nested := _nested_table(field.annotation):
        above = part.path.strip("[]")
        path = f"{above}.{name}{nested[0]}".removeprefix(".")
        target = Part(f"[{path}]", nested[1], part.family).heading
        takes = f"[{takes}](#{markdown.anchor(target)})"
    requirement = "yes" if field.is_required() else _describe_default(schema["properties"][alias])
    description = meaning(part.model, name)
    if schema["properties"][alias].get("descriptive"):
        description += " *Descriptive.*"
    return markdown.row(f"`{alias}`", takes, requirement, description)


def meaning(model: type[TomlTable], name: str) -> str:
    """The meaning of a field, from the model or from fields.toml."""
    description = model.model_fields[name].description
    if description:
        return description
    owner = next(base for base in model.__mro__ if name in get_annotations(base))
    text: str = _load_meanings()[owner.__name__][name]
    return text


@cache
def _load_meanings() -> dict[str, Any]:
    return tomllib.loads((DOCS / "fields.toml").read_text(encoding="utf-8"))


_RESULT = r"^(lose|push|half|[0-9]+:[0-9]+|pays( or (lose|push|[0-9]+:[0-9]+))?)$"
_PATTERN_NAMES = {
    f"^{SLUG}$": "name",
    f"^{SLUG}/{SLUG}$": 'venue and game, as in `"catfish-bend/mississippi-stud"`',
    r"\S": "text",
    "^[0-9a-f]{64}$": "hash, 64 hexadecimal digits",
    r"^[0-9]+(\.[0-9]{2})?$": "dollars",
    r"^[0-9]+:[0-9]+$": "odds",
    r"^([0-9]+:[0-9]+|push)$": 'odds or `"push"`',
    _RESULT: 'odds, `"push"`, `"lose"`, `"half"`, `"pays"`, or as in `"pays or push"`',
}


def _describe_type(schema: Schema, defs: dict[str, Schema]) -> str:
    """The values that a field takes, in words."""
    if "$ref" in schema:
        inner = defs[schema["$ref"].rpartition("/")[2]]
        kind = inner["title"].partition("[")[0].lower()
        is_choice = kind in ("choice", "stated")
        return (
            f"{kind}: {_describe_type(inner['properties']['is'], defs)}" if is_choice else "table"
        )
    if "anyOf" in schema:
        (only_schema,) = (option for option in schema["anyOf"] if option.get("type") != "null")
        return _describe_type(only_schema, defs)
    if "const" in schema or "enum" in schema:
        constants = schema.get("enum", [schema.get("const")])
        return markdown.join_alternatives([f"`{json.dumps(constant)}`" for constant in constants])
    return _DESCRIBERS[schema["type"]](schema, defs)


def _describe_text(schema: Schema, _: dict[str, Schema]) -> str:
    if schema.get("format") == "date":
        return "date"
    return _PATTERN_NAMES[schema["pattern"]] if "pattern" in schema else "text"


def _describe_number(schema: Schema, _: dict[str, Schema]) -> str:
    return f"whole number, {schema['minimum']} to {schema['maximum']}"


def _describe_list(schema: Schema, defs: dict[str, Schema]) -> str:
    items = schema["items"]
    if "$ref" in items:
        return "tables"
    minimum = ", one or more" if schema.get("minItems") else ""
    return f"list{minimum}: {_describe_type(items, defs)}"


def _describe_map(schema: Schema, defs: dict[str, Schema]) -> str:
    if "patternProperties" in schema:
        return "tables, each under its name"
    inner = _describe_type(schema["additionalProperties"], defs)
    if "push" in inner:
        return "pay table"
    keys = "ranks `2` to `10`, `J`, `Q`, `K`, `A`" if "propertyNames" in schema else "names"
    return f"table: {keys}, each with {inner}"


_DESCRIBERS: dict[str, Callable[[Schema, dict[str, Schema]], str]] = {
    "string": _describe_text,
    "integer": _describe_number,
    "boolean": lambda *_: "`true` or `false`",
    "array": _describe_list,
    "object": _describe_map,
}


def _describe_default(schema: Schema) -> str:
    """The value that applies if a field is left out."""
    default = schema.get("default")
    if isinstance(default, dict) and "is" in default:
        return f"no: `{json.dumps(default['is'])}` ({default['clause']})"
    if isinstance(default, dict):
        values_text = ", ".join(
            f"`{field}`" for name, field in default.items() if name not in _RULE
        )
        return f"no: {values_text} ({default['clause']})"
    return f"no: `{json.dumps(default)}`" if isinstance(default, bool | int | str) else "no"


_RULE = ("clause", "note", "ours")


def _outcomes() -> str:
    """The names allowed in pay tables, from the scopes that settle them."""
    scopes = [hand_scope(cards, many_decks=False) for cards in (5, 4, 3, 2, 1)]
    scopes += [hand_scope(3, many_decks=True), match_scope(5), declared_scope(), duel_scope()]
    rows = [
        markdown.row(scope.subject(), ", ".join(f"`{name}`" for name in scope.names))
        for scope in scopes
        if scope
    ]
    lines = ["| a pay table about a | may name, highest first |", markdown.rule(2), *rows]
    return "\n\n".join(["## Outcomes", _OUTCOMES_HEAD, "\n".join(lines)])


_OUTCOMES_HEAD = """\
Of pairs and high cards a line may also name one rank, as in `pair-A` and `high-card-A`, or a range
of ranks, as in `pair-6-10` and `high-card-K-A`. `match-N` runs from 0 to the number of the dealer's
cards, here five."""
