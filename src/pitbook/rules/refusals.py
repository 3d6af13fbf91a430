"""Refused plays as values: a message with its code and clause."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pitbook.text import say


class Code(StrEnum):
    """The reason for a refusal."""

    NOT_NOW = "not-now"
    UNKNOWN_SEAT = "unknown-seat"
    UNKNOWN_WAGER = "unknown-wager"
    UNKNOWN_PLAY = "unknown-play"
    UNKNOWN_PLACE = "unknown-place"
    SEAT_TAKEN = "seat-taken"
    TOO_MANY_SPOTS = "too-many-spots"
    SPOTS_APART = "spots-apart"
    NO_MAIN_WAGER = "no-main-wager"
    BELOW_MINIMUM = "below-minimum"
    ABOVE_MAXIMUM = "above-maximum"
    NOT_A_STEP = "not-a-step"
    NO_SEATS = "no-seats"
    WAGER_MISSING = "wager-missing"
    DEAL_ORDER = "deal-order"
    NO_CARD_THERE = "no-card-there"
    NO_SUCH_CARD = "no-such-card"
    ALREADY_FOLDED = "already-folded"
    ALREADY_DECIDED = "already-decided"
    ALREADY_VOID = "already-void"
    CARDS_UNKNOWN = "cards-unknown"
    HAND_TOO_LOW = "hand-too-low"
    NO_RULE = "no-rule"
    UNKNOWN_REASON = "unknown-reason"
    OVER = "over"
    FORBIDDEN = "forbidden"
    EXCLUDED = "excluded"
    LIMIT_OF_OWN = "own-limit"
    NOT_COVERED = "not-covered"
    REQUEST_REUSED = "request-reused"


class _RefusalText:
    """The key and fields of a message that is rendered lazily."""

    __slots__ = ("_said",)


_set_field = object.__setattr__


@dataclass(frozen=True, slots=True)
class Refusal(_RefusalText):
    """A refused action, which changed nothing."""

    code: Code
    message: str
    clause: str | None = None

    def __str__(self) -> str:
        if not self.clause:
            return self.message
        return f"{self.message.removesuffix('.')} ({self.clause})"

    if not TYPE_CHECKING:  # Type checkers should still report unknown attributes.

        def __getattr__(self, name: str) -> Any:
            """Render the message when it is first read; most refusals are never shown."""
            if name != "message":
                raise AttributeError(name)
            key, fields = self._said
            _set_field(self, "message", say(key, **fields))
            return self.message


def refuse(code: Code, key: str, clause: str | None = None, /, **fields: Any) -> Refusal:
    """A refusal whose message is rendered from a key and fields.

    >>> refuse(Code.UNKNOWN_SEAT, "engine.wagers.nobody-there", seat=3).message
    'Seat 3 is empty.'
    """
    return _make_refusal(code, key, clause, fields) if fields else _fixed_refusal(code, key, clause)


@lru_cache(maxsize=1_000)  # Trying candidate actions repeats the same refusals.
def _fixed_refusal(code: Code, key: str, clause: str | None) -> Refusal:
    return _make_refusal(code, key, clause, {})


def _make_refusal(code: Code, key: str, clause: str | None, fields: dict[str, Any]) -> Refusal:
    refusal = Refusal.__new__(Refusal)
    _set_field(refusal, "code", code)
    _set_field(refusal, "clause", clause)
    _set_field(refusal, "_said", (key, fields))
    return refusal


# Cached, for refusals that are repeated with the same fields.
refuse_cached = lru_cache(maxsize=2_000, typed=True)(refuse)


def with_clause(refusal: Refusal) -> str:
    """The message with its clause, as a translatable `Sentence`; `str` gives plain text.

    >>> with_clause(refuse(Code.UNKNOWN_SEAT, "engine.wagers.nobody-there", "CMS-1", seat=3))
    'Seat 3 is empty (CMS-1)'
    """
    if refusal.clause is None:
        return refusal.message
    return say("form.clause", text=refusal.message, clause=refusal.clause)
