"""Stores records as JSON and reads them back: dataclasses, fractions and sentences.

Sentences are stored by key, so that any language can render them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

from pitbook.sheets.field_types import Entries
from pitbook.text import Sentence, say

FRACTION, RECORD, SENTENCE = {"fraction"}, {"record", "fields"}, {"say", "with"}


def dump_record(value: Any) -> str:
    """The JSON text of a record."""
    return json.dumps(_plain(value))


def load_record(text: str, records: tuple[type, ...]) -> Any:
    """The record in a JSON text; `records` are the classes that may occur in it."""
    classes = {record.__name__: record for record in records}

    def parse(part: dict[str, Any]) -> Any:
        if part.keys() == FRACTION:
            return Fraction(part["fraction"])
        if part.keys() == SENTENCE:
            field_values = {name: _frozen(field) for name, field in part["with"].items()}
            return say(part["say"], **field_values)
        if part.keys() == RECORD:
            field_values = {name: _frozen(field) for name, field in part["fields"].items()}
            return classes[part["record"]](**field_values)
        return part

    return json.loads(text, object_hook=parse)


def _plain(value: Any) -> Any:
    if isinstance(value, Sentence) and value.key:
        return {"say": value.key, "with": _plain(value.fields)}
    if isinstance(value, Fraction):
        return {"fraction": str(value)}
    if is_dataclass(value) and not isinstance(value, type):
        field_values = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        return {"record": type(value).__name__, "fields": field_values}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {"record": type(value).__name__, "fields": _plain(value._asdict())}
    if isinstance(value, Mapping):
        return {str(name): _plain(field) for name, field in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value


def _frozen(value: Any) -> Any:
    """Lists of a record or a sentence become tuples, and tables become entries."""
    if isinstance(value, list):
        return tuple(value)
    return Entries(value) if isinstance(value, dict) else value
