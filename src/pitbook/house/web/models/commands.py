"""Commands as programs may send them, described by the very types that they are read into."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, get_args, get_type_hints

from pydantic import WithJsonSchema

from pitbook.house.nights.tournament import spoken
from pitbook.house.table import commands
from pitbook.rules.actions import without_defaults

__all__ = ["TableCommand", "TournamentCommand"]

Schema = dict[str, Any]
PLAIN: dict[type, Schema] = {
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    str: {"type": "string"},
}
TEXT, WHOLE = PLAIN[str], PLAIN[int]
NAMES: Schema = {"type": "array", "items": TEXT}
# Written otherwise than they are kept; money and cards are text.
WRITTEN: dict[str, Schema] = {
    "amount": TEXT,
    "card": TEXT,
    "place": {"anyOf": [WHOLE, TEXT]},
    "sheet": {"type": "object", "additionalProperties": TEXT},
    "players": NAMES,
    "agreed": NAMES,
    "moves": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"player": TEXT, "table": WHOLE, "seat": WHOLE},
            "required": ["player", "table", "seat"],
        },
    },
    "counts": {"type": "object", "additionalProperties": TEXT},
}


def _described(kinds: Mapping[str, type], known: frozenset[str] = frozenset()) -> Schema:
    """One of the kinds; what is `known` otherwise is not asked for."""
    return {"oneOf": [_one(do, kind, known) for do, kind in kinds.items()]}


def _one(do: str, kind: Any, known: frozenset[str]) -> Schema:
    hints = {key: hint for key, hint in get_type_hints(kind).items() if key not in known}
    fields = {key: _field(key, hint) for key, hint in hints.items()}
    needed = [key for key in hints if key not in kind._field_defaults]
    return {
        "type": "object",
        "description": kind.__doc__.partition("\n")[0],
        "properties": {"do": {"type": "string", "const": do}, **fields},
        "required": ["do", *needed],
        "additionalProperties": False,
    }


def _field(key: str, hint: Any) -> Schema:
    plain = without_defaults(hint)
    known = [one for one in get_args(plain) if isinstance(one, str)]
    schema = WRITTEN.get(key) or ({**TEXT, "enum": known} if known else PLAIN[plain])
    return {"anyOf": [schema, {"type": "null"}]} if type(None) in get_args(hint) else schema


TableCommand = Annotated[dict[str, Any], WithJsonSchema(_described(commands.KINDS))]
TournamentCommand = Annotated[
    dict[str, Any],
    # Its address names the tournament, and of live tables they tell themselves.
    WithJsonSchema(_described(spoken.KINDS, frozenset({"tournament", "in_book"}))),
]
