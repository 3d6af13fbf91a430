"""The JSON Schemas of a round file and of a stored round."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

from pitbook.rules.actions import InformationPart, VoidReason, without_defaults
from pitbook.rules.round_file import RoundFile
from pitbook.rules.stored import ENGINE, FORMAT, KINDS
from pitbook.sheets.families import models
from pitbook.sheets.model import BoardWord

DIALECT = "https://json-schema.org/draft/2020-12/schema"

CARD = {"type": "string", "pattern": "^(10|[2-9TJQKAtjqka])[cdhsCDHS♣♦♥♠♧♢♡♤]$", "examples": ["Qs"]}
MONEY = {"type": "string", "pattern": r"^[0-9]+(\.[0-9]{2})?$", "examples": ["10", "10.00"]}
PLACE = {"anyOf": [{"const": "board"}, {"type": "integer", "minimum": 1}]}
_BY_NAME: dict[str, dict[str, Any]] = {
    "card": CARD,
    "amount": MONEY,
    "place": PLACE,
    "reason": {"type": "string"},
    "part": {"enum": list(get_args(InformationPart))},
}
_BY_TYPE: dict[Any, dict[str, Any]] = {
    int: {"type": "integer"},
    str: {"type": "string"},
    bool: {"type": "boolean"},
}


def round_file_schema() -> dict[str, Any]:
    """The schema of a round file, as `pitbook settle` reads it."""
    schema = RoundFile.model_json_schema()
    seat = schema["$defs"]["SeatPlayed"]["properties"]
    seat["wagers"]["additionalProperties"] = MONEY
    seat["cards"]["anyOf"][0]["items"] = CARD
    for board_word in get_args(BoardWord):
        cards = schema["properties"][board_word]
        cards["anyOf"][0]["items"] = CARD
        families = [name for name, sheet in models().items() if sheet.board_word == board_word]
        schema["properties"][board_word] = dict(
            sorted({**cards, "description": ", ".join(families)}.items())
        )
    return {"$schema": DIALECT} | schema | {"title": "Pitbook round file, format 1"}


def stored_schema() -> dict[str, Any]:
    """The schema of a stored round, as `pitbook rounds replay` reads it."""
    return {
        "$schema": DIALECT,
        "title": "Pitbook stored round, format 1",
        "type": "object",
        "additionalProperties": False,
        "required": ["sheet", "actions"],
        "properties": {
            "format": {"const": FORMAT},
            "engine": {"const": ENGINE},
            "sheet": _SHEET,
            "actions": {"type": "array", "items": {"oneOf": [_action(do) for do in KINDS]}},
            "settlement": {"type": ["object", "null"]},
        },
    }


_SHEET = {
    "type": "object",
    "additionalProperties": False,
    "required": ["hash", "body"],
    "properties": {
        "hash": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        "body": {"type": "object"},
    },
}


def _action(kind_name: str) -> dict[str, Any]:
    action_type = KINDS[kind_name]
    hints = get_type_hints(action_type)
    defaults = action_type._field_defaults  # type: ignore[attr-defined]
    fields = {name: _field(kind_name, name, hint) for name, hint in hints.items()}
    return {
        "type": "object",
        "description": action_type.__doc__,
        "additionalProperties": False,
        "required": ["do", *(name for name in fields if name not in defaults)],
        "properties": {"do": {"const": kind_name}, **fields},
    }


def _field(kind_name: str, name: str, hint: Any) -> dict[str, Any]:
    if kind_name == "void-hand" and name == "reason":
        return {"enum": list(get_args(VoidReason))}
    return _BY_NAME.get(name) or _BY_TYPE[without_defaults(hint)]
