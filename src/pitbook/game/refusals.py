"""A refused play is a value: what was wrong, in one sentence, with the clause that says so."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Code(StrEnum):
    """Why an action was refused."""

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
    NOT_COVERED = "not-covered"
    REQUEST_REUSED = "request-reused"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A no that changes nothing."""

    code: Code
    message: str
    clause: str | None = None

    def __str__(self) -> str:
        return self.message + (f" ({self.clause})" if self.clause else "")
