"""A round as it is stored: the sheet's body and hash, the engine's version, and every action."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from pitbook.errors import RoundError
from pitbook.rules.game.refusals import Refusal
from pitbook.rules.rounds import actions
from pitbook.rules.rounds.actions import Action
from pitbook.rules.rounds.round import Round
from pitbook.rules.rounds.step import step
from pitbook.rules.rounds.written import Written
from pitbook.sheets.findings import printable
from pitbook.text import say

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
_WRITTEN: Written[Action] = Written("action", KINDS)


def encode(action: Action) -> dict[str, Any]:
    """An action as JSON: {"do": "turn", "place": "board", "card": "Qs"}."""
    return _encoded(action).copy()


@lru_cache(maxsize=4_000, typed=True)  # The same few, at every table; and none is one of a kind.
def _encoded(action: Action) -> dict[str, Any]:
    return _WRITTEN.encode(action)


def decode(document: Any) -> Action:
    """The action that a JSON object stands for; raises RoundError with a sentence."""
    return _WRITTEN.decode(document)


def replay(round: Round, stored: Iterable[Action]) -> Round:
    """The round after all these actions; raises RoundError where one is refused."""
    for number, action in enumerate(stored, start=1):
        after = step(round, action)
        if isinstance(after, Refusal):
            why = printable(str(after))
            raise RoundError(
                say(
                    "engine.journal.refused",
                    number=number,
                    action=_WRITTEN.names[type(action)],
                    why=why,
                )
            )
        round = after
    return round


__all__ = ["ENGINE", "KINDS", "decode", "encode", "replay"]
