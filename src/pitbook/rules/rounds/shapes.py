"""A finished round in JSON, as types: what commands, stores and pages are told of it."""

from __future__ import annotations

from typing import Annotated, NotRequired

from pydantic import WithJsonSchema
from typing_extensions import TypedDict

from pitbook.rules.game.settlement import Result

__all__ = [
    "Capped",
    "LineReport",
    "LineTold",
    "LineWords",
    "NoteTold",
    "Pile",
    "RoundReport",
    "RoundResult",
    "SeatReport",
    "SeatResult",
    "SentenceTold",
    "Staked",
]


def _pair(first: str, second: str) -> WithJsonSchema:
    items = [{"type": first}, {"type": second}]
    return WithJsonSchema({"type": "array", "prefixItems": items, "minItems": 2, "maxItems": 2})


Pile = Annotated[list[str | int], _pair("string", "integer")]  # A chip's value, and how many.
Staked = Annotated[list[str], _pair("string", "string")]  # A wager, and what lies on it.


class SentenceTold(TypedDict):
    """Something that is told, and the clause that it rests on, to be shown when somebody asks."""

    text: str
    clause: str | None


class LineReport(TypedDict):
    """What became of a wager."""

    wager: str
    stake: str
    outcome: str | None
    result: Result
    odds: str | None
    wins: str
    clause: str | None
    back: NotRequired[str]


class LineWords(TypedDict):
    """The words for what became of a wager, and what it wins in chips."""

    title: str
    outcome_title: str | None
    words: str
    chips: list[Pile]


class LineTold(LineReport, LineWords):
    """What became of a wager, in words too."""


class SeatReport(TypedDict):
    """What became of a seat's wagers, and what they come to."""

    seat: int
    player: str
    lines: list[LineReport]
    wins: str
    loses: str
    net: str


class SeatResult(TypedDict):
    """What became of a seat's wagers, and what they come to, in words too."""

    seat: int
    player: str
    lines: list[LineTold]
    wins: str
    loses: str
    net: str
    told: list[SentenceTold]


class Capped(TypedDict):
    """A limit on payouts that bit; with a seat where it is a seat's own."""

    clause: str
    due: str
    paid: str
    seat: NotRequired[int]


class NoteTold(TypedDict):
    """Something noted for the record of a round."""

    note: str
    clause: str | None


class RoundReport(TypedDict):
    """What a round came to."""

    sheet: str
    hash: str
    result: str | None
    seats: list[SeatReport]
    limits: list[Capped]
    notes: list[NoteTold]
    house_net: str


class RoundResult(TypedDict):
    """What a round came to, with the words for it."""

    sheet: str
    hash: str
    result: str | None
    seats: list[SeatResult]
    limits: list[Capped]
    notes: list[NoteTold]
    house_net: str
    told: list[SentenceTold]
