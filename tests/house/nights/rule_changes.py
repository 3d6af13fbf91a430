"""Every value of a house rules file with its schema mark and alternative values.

No field is named here, so new fields are covered automatically.
"""

from __future__ import annotations

import copy
import json
import re
import tomllib
import types
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from pitbook.house.nights import house_rules
from pitbook.house.nights.house_rules import HouseRules, ParseResult

Where = tuple[str | int, ...]
HOUR = re.compile("[0-9]{2}:[0-9]{2}")
MARKS = ("descriptive", "stated")
DOCUMENT: dict[str, Any] = tomllib.loads(
    house_rules.house_path("oceanfront").read_text(encoding="utf-8")
)


class Leaf(NamedTuple):
    """One value of the file."""

    path: Where
    value: Any
    mark: str  # "descriptive", "stated" or "acts".
    kinds: tuple[Any, ...]  # The types that the schema gives it.

    def __str__(self) -> str:
        return ".".join(map(str, self.path))


def leaves(document: Any = DOCUMENT, model: Any = HouseRules) -> list[Leaf]:
    """Every value of a document that the model describes."""
    return list(_walk(document, (model,), (), "acts"))


def _walk(part: Any, kinds: tuple[Any, ...], path: Where, mark: str) -> Iterator[Leaf]:
    if isinstance(part, dict):
        model = next(
            kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)
        )
        fields = {field.alias or name: (name, field) for name, field in model.model_fields.items()}
        for key, value in part.items():
            if key == "ours":  # A mark, and neither a rule nor its description.
                continue
            name, field = fields[key]
            below = _mark(name, field, mark)
            yield from _walk(value, _kinds(field.annotation), (*path, key), below)
    elif isinstance(part, list):
        items = tuple(
            kind
            for outer_kind in kinds
            if get_args(outer_kind)
            for kind in _kinds(get_args(outer_kind)[0])
        )
        for place, value in enumerate(part):
            yield from _walk(value, items, (*path, place), mark)
    else:
        yield Leaf(path, part, mark, kinds)


def _mark(name: str, field: FieldInfo, above: str) -> str:
    """A clause always acts, a note never does; other fields are as the schema marks them."""
    if name in ("clause", "note"):
        return "acts" if name == "clause" else "descriptive"
    extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    return next((mark for mark in MARKS if extra.get(mark)), above)


def _kinds(annotation: Any) -> tuple[Any, ...]:
    """The types behind Annotated and unions, without None."""
    if hasattr(annotation, "__metadata__"):
        return _kinds(annotation.__origin__)
    if get_origin(annotation) in (Union, types.UnionType):
        return tuple(kind for argument in get_args(annotation) for kind in _kinds(argument))
    return () if annotation is type(None) else (annotation,)


def with_value(leaf: Leaf, value: Any, document: dict[str, Any] = DOCUMENT) -> dict[str, Any]:
    """The document with one value replaced."""
    changed = copy.deepcopy(document)
    part: Any = changed
    for key in leaf.path[:-1]:
        part = part[key]
    part[leaf.path[-1]] = value
    return changed


def other_values(leaf: Leaf) -> list[Any]:
    """Other values of the same kind, valid or not: just below, just above, or another choice."""
    allowed = [
        choice for kind in leaf.kinds if get_origin(kind) is Literal for choice in get_args(kind)
    ]
    if allowed:
        return [choice for choice in allowed if choice != leaf.value] or [f"not {leaf.value}"]
    if isinstance(leaf.value, bool):
        return [not leaf.value]
    if isinstance(leaf.value, int):
        return [leaf.value - 1, leaf.value + 1]
    if HOUR.fullmatch(leaf.value):
        hour, minutes = int(leaf.value[:2]), leaf.value[2:]
        return [f"{(hour + off) % 24:02}{minutes}" for off in (-1, 1)]
    if leaf.value.replace(".", "").isdecimal():
        cents = round(float(leaf.value) * 100)
        return [f"{amount // 100}.{amount % 100:02}" for amount in (cents - 1, cents + 1)]
    if leaf.path[-1] == "jurisdiction":  # States are data; another one that is known.
        return ["Iowa"]
    return [f"{leaf.value}x"]


def toml(part: dict[str, Any], path: tuple[str, ...] = ()) -> str:
    """The document as TOML, with inline choices."""
    inner = {
        key: value for key, value in part.items() if isinstance(value, dict) and "is" not in value
    }
    head = [f"[{'.'.join(path)}]"] if path else []
    lines = [f"{key} = {_inline(value)}" for key, value in part.items() if key not in inner]
    below = [toml(table, (*path, key)) for key, table in inner.items()]
    return "\n".join([*(head if lines else []), *lines, "", *below])


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"{key} = {_inline(value)}" for key, value in value.items())
        return f"{{ {inner} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    return json.dumps(value)


def parse_document(document: dict[str, Any]) -> ParseResult[HouseRules]:
    """A document read as a file of house rules."""
    return house_rules.parse_rules(toml(document), "house.toml")


def valid_variants(leaf: Leaf) -> list[HouseRules]:
    """The valid rules that other values of a leaf give."""
    variants = (_rules_with_value(leaf, value) for value in other_values(leaf))
    return [variant for variant in variants if variant is not None]


def _rules_with_value(leaf: Leaf, value: Any) -> HouseRules | None:
    """The rules with that value. If two fields conflict, the other one is dropped."""
    document = with_value(leaf, value)
    parents = dict.fromkeys(other_leaf.path[:-1] for other_leaf in leaves())
    other_parents = [path for path in parents if path and leaf.path[: len(path)] != path]
    candidates = (document, *(_without(document, path) for path in other_parents))
    return next(
        (
            rules
            for rules in (parse_document(candidate).table for candidate in candidates)
            if rules is not None
        ),
        None,
    )


def _without(document: dict[str, Any], path: Where) -> dict[str, Any]:
    changed = copy.deepcopy(document)
    part: Any = changed
    for key in path[:-1]:
        part = part[key]
    del part[path[-1]]
    return changed


def missing_fields(document: Any = DOCUMENT, model: Any = HouseRules) -> list[str]:
    """The schema's fields that the document leaves out, notes aside."""
    return list(_missing_fields(document, (model,), ()))


def _missing_fields(part: Any, kinds: tuple[Any, ...], path: Where) -> Iterator[str]:
    model = next(
        (kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)), None
    )
    for name, field in model.model_fields.items() if model else ():
        key = field.alias or name
        if key not in part:
            yield from [] if name == "note" else [".".join(map(str, (*path, key)))]
        elif isinstance(part[key], dict):
            yield from _missing_fields(part[key], _kinds(field.annotation), (*path, key))
