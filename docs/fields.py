"""fields.md: every field of a rule sheet, from the models themselves."""

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
from pitbook.sheets.families import models
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import hand_scope, match_scope
from pitbook.sheets.values import SLUG, Choice, Entries, Rule, Stated, TomlTable

DOCS = Path(__file__).parent

Schema = dict[str, Any]


@dataclass(frozen=True)
class Part:
    """A table of the sheet: where it stands, its model, and the family it belongs to, if to one."""

    path: str
    model: type[TomlTable]
    family: str | None

    @property
    def heading(self) -> str:
        """The title of its section."""
        if not self.path:
            return f"{self.family or 'Every sheet'}: top of the file"
        return f"`{self.path}`" + (f" ({self.family})" if self.family else "")


def fields() -> str:
    """The whole of fields.md."""
    sections = []
    for title, parts in _chapters().items():
        sections += [f"## {title}", *(_table(part) for part in parts)]
    return "\n\n".join([_FIELDS_HEAD, *sections, _outcomes()]) + "\n"


def tables() -> set[type[TomlTable]]:
    """Every model that a part of a sheet follows, those it inherits from included."""
    models = [part.model for parts in _chapters().values() for part in parts]
    return {one for model in models for one in model.__mro__ if issubclass(one, TomlTable)}


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
        found = _inner(model.model_fields[name].annotation)
        if found is not None:
            path, inner = f"{above}.{name}{found[0]}".removeprefix("."), found[1]
            yield Part(f"[[{path}]]" if _many(model, name) else f"[{path}]", inner, family)
            yield from _parts(inner, path, family)


def own_fields(model: type[TomlTable], family: str | None = None) -> list[str]:
    """The fields to list: all but those of every rule, and for a family those beyond the shared."""
    left_out = set(_RULE) if issubclass(model, Rule) else set()
    if family and issubclass(model, Sheet):
        left_out |= set(Sheet.model_fields)
    return [name for name in model.model_fields if name not in left_out]


def _inner(annotation: Any) -> tuple[str, type[TomlTable]] | None:
    """The table that a field holds, and how its path goes on; choices are values, not tables."""
    if isinstance(annotation, type) and issubclass(annotation, TomlTable):
        return None if issubclass(annotation, Choice | Stated) else ("", annotation)
    if hasattr(annotation, "__metadata__"):
        return _inner(annotation.__origin__)
    inside = [_inner(one) for one in get_args(annotation)]
    found = next((one for one in inside if one), None)
    return (".<id>", found[1]) if found and get_origin(annotation) is Entries else found


def _many(model: type[TomlTable], name: str) -> bool:
    return "tuple[" in str(model.model_fields[name].annotation)


def _table(part: Part) -> str:
    schema = part.model.model_json_schema()
    about = (part.model.__doc__ or "").strip()
    if part.model is Rule:  # Nothing but clause and note.
        about = f"{meaning(Sheet, part.path.strip('[]'))}"
    if issubclass(part.model, Rule):
        about += " Takes `clause`, `note` and `ours`."
    rows = [_field_row(part, name, schema) for name in own_fields(part.model, part.family)]
    table = (
        "\n".join(["| field | takes | needed | meaning |", markdown.rule(4), *rows]) if rows else ""
    )
    return "\n\n".join(one for one in (f"### {part.heading}", about, table) if one)


def _field_row(part: Part, name: str, schema: Schema) -> str:
    field = part.model.model_fields[name]
    alias = field.alias or name
    takes = _words(schema["properties"][alias], schema.get("$defs", {}))
    if found := _inner(field.annotation):
        above = part.path.strip("[]")
        path = f"{above}.{name}{found[0]}".removeprefix(".")
        target = Part(f"[{path}]", found[1], part.family).heading
        takes = f"[{takes}](#{markdown.anchor(target)})"
    needed = "yes" if field.is_required() else _default(schema["properties"][alias])
    about = meaning(part.model, name)
    if schema["properties"][alias].get("descriptive"):
        about += " *Descriptive.*"
    return markdown.row(f"`{alias}`", takes, needed, about)


def meaning(model: type[TomlTable], name: str) -> str:
    """What a field means, from the model or else from fields.toml."""
    declared = model.model_fields[name].description
    if declared:
        return declared
    owner = next(one for one in model.__mro__ if name in get_annotations(one))
    text: str = _meanings()[owner.__name__][name]
    return text


@cache
def _meanings() -> dict[str, Any]:
    return tomllib.loads((DOCS / "fields.toml").read_text(encoding="utf-8"))


_RESULT = r"^(lose|push|half|[0-9]+:[0-9]+|pays( or (lose|push|[0-9]+:[0-9]+))?)$"
_FORMS = {
    f"^{SLUG}$": "name",
    f"^{SLUG}/{SLUG}$": 'venue and game, as in `"catfish-bend/mississippi-stud"`',
    r"\S": "text",
    "^[0-9a-f]{64}$": "hash, 64 hexadecimal digits",
    r"^[0-9]+(\.[0-9]{2})?$": "dollars",
    r"^[0-9]+:[0-9]+$": "odds",
    r"^([0-9]+:[0-9]+|push)$": 'odds or `"push"`',
    _RESULT: 'odds, `"push"`, `"lose"`, `"half"`, `"pays"`, or as in `"pays or push"`',
}


def _words(schema: Schema, defs: dict[str, Schema]) -> str:
    """What a field takes, in plain words."""
    if "$ref" in schema:
        inner = defs[schema["$ref"].rpartition("/")[2]]
        kind = inner["title"].partition("[")[0].lower()
        written = kind in ("choice", "stated")
        return f"{kind}: {_words(inner['properties']['is'], defs)}" if written else "table"
    if "anyOf" in schema:
        (some,) = (one for one in schema["anyOf"] if one.get("type") != "null")
        return _words(some, defs)
    if "const" in schema or "enum" in schema:
        known = schema.get("enum", [schema.get("const")])
        return markdown.listed([f"`{json.dumps(one)}`" for one in known])
    return _WORDS[schema["type"]](schema, defs)


def _text(schema: Schema, _: dict[str, Schema]) -> str:
    if schema.get("format") == "date":
        return "date"
    return _FORMS[schema["pattern"]] if "pattern" in schema else "text"


def _number(schema: Schema, _: dict[str, Schema]) -> str:
    return f"whole number, {schema['minimum']} to {schema['maximum']}"


def _list(schema: Schema, defs: dict[str, Schema]) -> str:
    items = schema["items"]
    if "$ref" in items:
        return "tables"
    least = ", one or more" if schema.get("minItems") else ""
    return f"list{least}: {_words(items, defs)}"


def _map(schema: Schema, defs: dict[str, Schema]) -> str:
    if "patternProperties" in schema:
        return "tables, each under its name"
    inner = _words(schema["additionalProperties"], defs)
    if "push" in inner:
        return "pay table"
    keys = "ranks `2` to `10`, `J`, `Q`, `K`, `A`" if "propertyNames" in schema else "names"
    return f"table: {keys}, each with {inner}"


_WORDS: dict[str, Callable[[Schema, dict[str, Schema]], str]] = {
    "string": _text,
    "integer": _number,
    "boolean": lambda *_: "`true` or `false`",
    "array": _list,
    "object": _map,
}


def _default(schema: Schema) -> str:
    """What holds when a field is left out."""
    default = schema.get("default")
    if isinstance(default, dict) and "is" in default:
        return f"no: `{json.dumps(default['is'])}` ({default['clause']})"
    if isinstance(default, dict):
        said = ", ".join(f"`{value}`" for name, value in default.items() if name not in _RULE)
        return f"no: {said} ({default['clause']})"
    return f"no: `{json.dumps(default)}`" if isinstance(default, bool | int | str) else "no"


_RULE = ("clause", "note", "ours")


def _outcomes() -> str:
    """What pay tables may name, from the scopes that settle them."""
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
