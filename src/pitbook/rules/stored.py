"""Stored rounds: the sheet's body, the engine's version and every action, as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from pitbook.errors import RoundError
from pitbook.rules import actions
from pitbook.rules.actions import Action, ActionJson
from pitbook.rules.refusals import Refusal
from pitbook.rules.report import report
from pitbook.rules.round import Round, open_round
from pitbook.rules.step import step
from pitbook.sheets.check import check
from pitbook.sheets.digest import digest
from pitbook.sheets.families import find_family
from pitbook.sheets.findings import errors, printable, show_value
from pitbook.sheets.model import Sheet
from pitbook.text import say

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
    for number, action in enumerate(actions, start=1):
        after = step(round, action)
        if isinstance(after, Refusal):
            reason = printable(str(after))
            raise RoundError(
                say(
                    "engine.journal.refused",
                    number=number,
                    action=_ENCODERS.kind_names[type(action)],
                    why=reason,
                )
            )
        round = after
    return round


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
        if (
            type(stored_value) is not int or stored_value != current
        ):  # Python equates true and 1.0 with 1.
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
