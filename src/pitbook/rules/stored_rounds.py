"""Stored rounds as JSON, and the JSON Schemas of stored rounds and round files."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, get_args, get_type_hints

from pydantic import ValidationError

from pitbook.errors import RoundError
from pitbook.rules import actions
from pitbook.rules.actions import Action, ActionJson, InformationPart, VoidReason, without_defaults
from pitbook.rules.result_json import report
from pitbook.rules.round import Round, open_round
from pitbook.rules.round_file import RoundFile
from pitbook.rules.step import RefusedAction, play_actions
from pitbook.sheets.check import check
from pitbook.sheets.family_registry import find_family, models
from pitbook.sheets.findings import errors
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import BoardWord, Sheet
from pitbook.text import say
from pitbook.text.user_input import printable, show_value

ENGINE = 1  # Increase when a stored round would settle differently.

KINDS: dict[str, type] = {
    "wager": actions.Wager,
    "withdraw": actions.Withdraw,
    "close": actions.Close,
    "deal": actions.Deal,
    "turn": actions.Turn,
    "decide": actions.Decide,
    "absent": actions.Absent,
    "settle": actions.Settle,
    "misdeal": actions.Misdeal,
    "void-hand": actions.VoidHand,
    "expose": actions.Expose,
    "fouled": actions.Fouled,
    "warn": actions.Warn,
    "interrupted": actions.Interrupted,
}
_ENCODERS: ActionJson[Action] = ActionJson("action", KINDS)


def encode(action: Action) -> dict[str, Any]:
    """An action as JSON: {"do": "turn", "place": "board", "card": "Qs"}."""
    return _encode_action(action).copy()


@lru_cache(maxsize=4_000, typed=True)  # The same few occur at every table.
def _encode_action(action: Action) -> dict[str, Any]:
    return _ENCODERS.encode(action)


def decode(document: Any) -> Action:
    """The action for a JSON object; raises RoundError."""
    return _ENCODERS.decode(document)


def replay(round: Round, actions: Iterable[Action]) -> Round:
    """The round after all actions; raises RoundError if one is refused."""
    after = play_actions(round, actions)
    if isinstance(after, RefusedAction):
        number, action, refusal = after
        action_name, reason = _ENCODERS.kind_names[type(action)], printable(str(refusal))
        raise RoundError(
            say("engine.journal.refused", number=number, action=action_name, why=reason)
        )
    return after


FORMAT = 1
FIELDS = ("format", "engine", "sheet", "actions", "settlement")


def store(round: Round, actions: Iterable[Action]) -> dict[str, Any]:
    """The round as JSON: sheet, engine, actions, and the settlement once it is over."""
    return {
        "format": FORMAT,
        "engine": ENGINE,
        "sheet": sheet_document(round.game.sheet),
        "actions": [encode(action) for action in actions],
        "settlement": report(round) if round.phase == "over" else None,
    }


def sheet_document(sheet: Sheet) -> dict[str, Any]:
    """A sheet in stored form: its hash and its whole body."""
    body = sheet.model_dump(mode="json", by_alias=True, exclude_none=True)
    return {"hash": digest(sheet), "body": body}


def restore(document: Any) -> tuple[Round, list[Action]]:
    """The round before its first action, and its actions; raises RoundError."""
    if not isinstance(document, dict) or not set(FIELDS) >= set(document) >= {"sheet", "actions"}:
        raise RoundError(say("rounds.stored.fields", fields=tuple(FIELDS)))
    for field, current in (("format", FORMAT), ("engine", ENGINE)):
        stored_value = document.get(field, current)
        # Python equates true and 1.0 with 1.
        if type(stored_value) is not int or stored_value != current:
            values = {"field": field, "theirs": show_value(stored_value), "ours": current}
            raise RoundError(say("rounds.stored.not-known", **values))
    if not isinstance(document["actions"], list):
        raise RoundError(say("rounds.stored.actions"))
    round = open_round(stored_sheet(document["sheet"]))
    return round, [decode(action_document) for action_document in document["actions"]]


def replay_stored(document: Any) -> Round:
    """The stored round replayed; raises RoundError if its result differs."""
    round, actions = restore(document)
    after = replay(round, actions)
    before = document.get("settlement")
    if before is not None and (after.phase != "over" or report(after) != before):
        raise RoundError(say("rounds.stored.otherwise"))
    return after


def stored_sheet(document: Any) -> Sheet:
    """The sheet stored with a round, with its hash verified."""
    body = document.get("body") if isinstance(document, dict) else None
    family = find_family(str(body.get("family"))) if isinstance(body, dict) else None
    if family is None:
        raise RoundError(say("rounds.stored.no-body"))
    try:
        sheet = family.sheet.model_validate_json(json.dumps(body))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(step_name) for step_name in first["loc"])
        damage = printable(f"{place}: {first['msg']}")
        raise RoundError(say("rounds.stored.damaged", damage=damage)) from None
    except (TypeError, ValueError, RecursionError):
        raise RoundError(say("rounds.stored.no-json")) from None
    if document.get("hash") != digest(sheet):
        raise RoundError(say("rounds.stored.other-hash"))
    if blocking := errors(check(sheet, thorough=False, on_record=True)):
        raise RoundError(say("rounds.stored.not-sound", why=printable(blocking[0].message)))
    return sheet


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
            "actions": {
                "type": "array",
                "items": {"oneOf": [_action(action_name) for action_name in KINDS]},
            },
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
