"""What the inspector's desk answers, as types."""

from __future__ import annotations

from typing_extensions import TypedDict

__all__ = ["BookVerified", "Finding", "HandFound", "RoundsFound"]


class HandFound(TypedDict):
    """A seat's hand in a round that was found."""

    round: str
    table: str
    at: str
    seat: int
    player: str
    staked: str
    wins: str
    net: str
    result: str


class RoundsFound(TypedDict):
    """Hands that fit what was asked; `more` where the next page is not empty."""

    hands: list[HandFound]
    outcomes: list[str]
    more: bool


class Finding(TypedDict):
    """Something in the book that is not as it was written."""

    where: str
    what: str


class BookVerified(TypedDict):
    """The whole book read again and held against what was signed."""

    sound: bool
    streams: int
    entries: int
    checkpoints: int
    checkpoint: str | None
    entries_since: int
    key: str
    findings: list[Finding]
