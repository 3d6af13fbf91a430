"""A round as it is stored: the sheet's body and hash, the engine's version, and every action."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, get_args, get_type_hints

from pitbook.cards import card, name
from pitbook.engine import actions
from pitbook.engine.actions import BOARD, Action
from pitbook.engine.refusals import Refusal
from pitbook.engine.round import Round
from pitbook.engine.step import step
from pitbook.errors import PitbookError, RoundError
from pitbook.money import dollars, money
from pitbook.sheets.findings import printable, shown

ENGINE = 1  # Raised when a stored round would settle otherwise than before.

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
_NAMES = {kind: do for do, kind in KINDS.items()}


def encode(action: Action) -> dict[str, Any]:
    """An action as JSON: {"do": "turn", "place": "board", "card": "Qs"}."""
    fields = action._asdict()
    return {"do": _NAMES[type(action)], **{key: _out(key, value) for key, value in fields.items()}}


def decode(document: Any) -> Action:
    """The action that a JSON object stands for; raises RoundError with a sentence."""
    do = document.get("do") if isinstance(document, dict) else None
    if not isinstance(do, str) or do not in KINDS:
        raise RoundError(f'{shown(document)} is no action; "do" must be one of {", ".join(KINDS)}')
    kind = KINDS[do]
    hints = _hints(kind)
    given = {key: value for key, value in document.items() if key != "do"}
    needed = [key for key in hints if key not in kind._field_defaults]  # type: ignore[attr-defined]
    if not set(needed) <= set(given) <= set(hints):
        raise RoundError(f'action "{do}" has the fields {", ".join(hints) or "none"}')
    action: Action = kind(**{key: _in(key, value, hints[key]) for key, value in given.items()})
    return action


def replay(round: Round, stored: Iterable[Action]) -> Round:
    """The round after all these actions; raises RoundError where one is refused."""
    for number, action in enumerate(stored, start=1):
        after = step(round, action)
        if isinstance(after, Refusal):
            why = printable(str(after))
            raise RoundError(f"action {number} ({_NAMES[type(action)]}) is refused: {why}")
        round = after
    return round


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _out(key: str, value: Any) -> Any:
    if key == "amount":
        return money(value)
    if key == "card":
        return name(value)
    return "board" if key == "place" and value == BOARD else value


def _in(key: str, value: Any, hint: Any) -> Any:
    try:
        return _READERS.get(key, _plain)(value, hint)
    except PitbookError as error:
        raise RoundError(f"{key}: {printable(str(error))}") from None


def _text(read: Callable[[str], Any]) -> Callable[[Any, Any], Any]:
    def parse(value: Any, hint: Any) -> Any:
        if not isinstance(value, str):
            raise RoundError(f"{shown(value)} must be text")
        return read(value)

    return parse


def _place(value: Any, hint: Any) -> int:
    return BOARD if value == "board" else int(_plain(value, int))


def _plain(value: Any, hint: Any) -> Any:
    wanted = hint if isinstance(hint, type) else str
    if type(value) is not wanted:
        words = {int: "a whole number", bool: "true or false", str: "text"}
        raise RoundError(f"{shown(value)} must be {words[wanted]}")
    if (known := get_args(hint)) and value not in known:
        raise RoundError(f"{shown(value)} must be {' or '.join(known)}")
    return value


_READERS: dict[str, Callable[[Any, Any], Any]] = {
    "amount": _text(dollars),
    "card": _text(card),
    "place": _place,
}

__all__ = ["ENGINE", "KINDS", "decode", "encode", "replay"]
