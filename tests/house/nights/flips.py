"""Every value of a file of house rules, what the schema says of it, and its other values.

Nothing here knows a field by name: what is added to the file or to the schema is covered.
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
from pitbook.house.nights.house_rules import Examined, HouseRules

Where = tuple[str | int, ...]
HOUR = re.compile("[0-9]{2}:[0-9]{2}")
MARKS = ("descriptive", "stated")
DOCUMENT: dict[str, Any] = tomllib.loads(house_rules.find("oceanfront").read_text(encoding="utf-8"))


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
        model = next(one for one in kinds if isinstance(one, type) and issubclass(one, BaseModel))
        fields = {field.alias or name: (name, field) for name, field in model.model_fields.items()}
        for key, value in part.items():
            if key == "ours":  # A mark, and neither a rule nor its description.
                continue
            name, field = fields[key]
            below = _mark(name, field, mark)
            yield from _walk(value, _kinds(field.annotation), (*path, key), below)
    elif isinstance(part, list):
        items = tuple(kind for one in kinds if get_args(one) for kind in _kinds(get_args(one)[0]))
        for place, value in enumerate(part):
            yield from _walk(value, items, (*path, place), mark)
    else:
        yield Leaf(path, part, mark, kinds)


def _mark(name: str, field: FieldInfo, above: str) -> str:
    """A clause acts wherever it stands; a note never does; the rest is as the schema has it."""
    if name in ("clause", "note"):
        return "acts" if name == "clause" else "descriptive"
    extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    return next((mark for mark in MARKS if extra.get(mark)), above)


def _kinds(annotation: Any) -> tuple[Any, ...]:
    """The types behind Annotated and unions; None left out."""
    if hasattr(annotation, "__metadata__"):
        return _kinds(annotation.__origin__)
    if get_origin(annotation) in (Union, types.UnionType):
        return tuple(kind for one in get_args(annotation) for kind in _kinds(one))
    return () if annotation is type(None) else (annotation,)


def with_value(leaf: Leaf, value: Any, document: dict[str, Any] = DOCUMENT) -> dict[str, Any]:
    """The document with another value in that place."""
    made = copy.deepcopy(document)
    part: Any = made
    for key in leaf.path[:-1]:
        part = part[key]
    part[leaf.path[-1]] = value
    return made


def others(leaf: Leaf) -> list[Any]:
    """Other values of the same kind, fit for the file or not: just below, just above, the rest."""
    allowed = [one for kind in leaf.kinds if get_origin(kind) is Literal for one in get_args(kind)]
    if allowed:
        return [one for one in allowed if one != leaf.value] or [f"not {leaf.value}"]
    if isinstance(leaf.value, bool):
        return [not leaf.value]
    if isinstance(leaf.value, int):
        return [leaf.value - 1, leaf.value + 1]
    if HOUR.fullmatch(leaf.value):
        hour, minutes = int(leaf.value[:2]), leaf.value[2:]
        return [f"{(hour + off) % 24:02}{minutes}" for off in (-1, 1)]
    if leaf.value.replace(".", "").isdecimal():
        cents = round(float(leaf.value) * 100)
        return [f"{one // 100}.{one % 100:02}" for one in (cents - 1, cents + 1)]
    if leaf.path[-1] == "jurisdiction":  # States are data; another one that is known.
        return ["Iowa"]
    return [f"{leaf.value}x"]


def toml(part: dict[str, Any], path: tuple[str, ...] = ()) -> str:
    """A document written as TOML, its choices inline as a house writes them."""
    inner = {key: one for key, one in part.items() if isinstance(one, dict) and "is" not in one}
    head = [f"[{'.'.join(path)}]"] if path else []
    lines = [f"{key} = {_inline(one)}" for key, one in part.items() if key not in inner]
    below = [toml(one, (*path, key)) for key, one in inner.items()]
    return "\n".join([*(head if lines else []), *lines, "", *below])


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"{key} = {_inline(one)}" for key, one in value.items())
        return f"{{ {inner} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    return json.dumps(value)


def read(document: dict[str, Any]) -> Examined[HouseRules]:
    """A document read as a file of house rules."""
    return house_rules.examined(toml(document), "house.toml")


def sound(leaf: Leaf) -> list[HouseRules]:
    """The rules that other values in that place make, where they make any."""
    found = (_made(leaf, value) for value in others(leaf))
    return [one for one in found if one is not None]


def _made(leaf: Leaf, value: Any) -> HouseRules | None:
    """The rules with that value; two fields may go together, and one of them then has to go."""
    document = with_value(leaf, value)
    beside = dict.fromkeys(one.path[:-1] for one in leaves())
    rest = [path for path in beside if path and leaf.path[: len(path)] != path]
    tried = (document, *(_without(document, path) for path in rest))
    return next((one for one in (read(made).table for made in tried) if one is not None), None)


def _without(document: dict[str, Any], path: Where) -> dict[str, Any]:
    made = copy.deepcopy(document)
    part: Any = made
    for key in path[:-1]:
        part = part[key]
    del part[path[-1]]
    return made


def unwritten(document: Any = DOCUMENT, model: Any = HouseRules) -> list[str]:
    """The fields of the schema that the document leaves out, notes aside."""
    return list(_unwritten(document, (model,), ()))


def _unwritten(part: Any, kinds: tuple[Any, ...], path: Where) -> Iterator[str]:
    model = next(
        (one for one in kinds if isinstance(one, type) and issubclass(one, BaseModel)), None
    )
    for name, field in model.model_fields.items() if model else ():
        key = field.alias or name
        if key not in part:
            yield from [] if name == "note" else [".".join(map(str, (*path, key)))]
        elif isinstance(part[key], dict):
            yield from _unwritten(part[key], _kinds(field.annotation), (*path, key))
