"""A finished round as JSON, and the types of that JSON."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any, Literal, NotRequired

from pydantic import WithJsonSchema
from typing_extensions import TypedDict

from pitbook.errors import RoundError
from pitbook.money import money
from pitbook.rules.round import Ending, Round
from pitbook.rules.settlement_lines import Line, Result, Settlement
from pitbook.text import say

HandResult = Literal["settled", "forfeit", "void", "misdeal", "dead"]


def report(round: Round) -> dict[str, Any]:
    """All lines of all seats, the applied caps, and the house's net result."""
    if round.phase != "over":
        raise RoundError(say("engine.report.not-over"))
    players = {seat.number: seat.player for seat in round.seats}
    return {
        "sheet": round.game.sheet.id,
        "hash": round.game.digest,
        "result": round.ending,
        "seats": [
            seat_report(settlement, players[settlement.seat]) for settlement in round.settlements
        ],
        "limits": [
            {"clause": cap.clause, "due": money(cap.due), "paid": money(cap.paid)}
            | ({"seat": cap.seat} if cap.seat is not None else {})
            for cap in round.applied_caps
        ],
        "notes": [{"note": note.what, "clause": note.clause} for note in round.notes],
        "house_net": money(-sum(settlement.net for settlement in round.settlements)),
    }


def hand_result(ending: Ending, lines: Collection[Result]) -> HandResult:
    """One hand's result from its lines. Lines settled before the round was void still stand."""
    outcomes = set(lines)
    if not outcomes <= {"void"}:
        return "forfeit" if outcomes <= {"forfeit", "void"} else "settled"
    return "void" if ending == "settled" else ending


def seat_report(settlement: Settlement, player: str) -> dict[str, Any]:
    """All lines of one seat, with totals."""
    return {
        "seat": settlement.seat,
        "player": player,
        "lines": [_line(line) for line in settlement.lines],
        "wins": money(settlement.wins),
        "loses": money(settlement.loses),
        "net": money(settlement.net),
    }


def _line(line: Line) -> dict[str, Any]:
    return {
        "wager": line.wager,
        "stake": money(line.stake),
        "outcome": line.outcome,
        "result": line.result,
        "odds": str(line.odds) if line.odds else None,
        "wins": money(line.wins),
        "clause": line.clause,
        **({"back": money(line.back)} if line.back else {}),
    }


def _pair(first: str, second: str) -> WithJsonSchema:
    items = [{"type": first}, {"type": second}]
    return WithJsonSchema({"type": "array", "prefixItems": items, "minItems": 2, "maxItems": 2})


Pile = Annotated[list[str | int], _pair("string", "integer")]  # A chip's value and count.
StakedWager = Annotated[list[str], _pair("string", "string")]  # A wager and its stake.


class SentenceJson(TypedDict):
    """A sentence and its clause, for display on request."""

    text: str
    clause: str | None


class LineReport(TypedDict):
    """The result of a wager."""

    wager: str
    stake: str
    outcome: str | None
    result: Result
    odds: str | None
    wins: str
    clause: str | None
    back: NotRequired[str]


class LineWords(TypedDict):
    """The texts of a line, and its win in chips."""

    title: str
    outcome_title: str | None
    words: str
    chips: list[Pile]


class LineReportWithWords(LineReport, LineWords):
    """The result of a wager, with words."""


class SeatReport(TypedDict):
    """The results of a seat's wagers, with totals."""

    seat: int
    player: str
    lines: list[LineReport]
    wins: str
    loses: str
    net: str


class SeatResult(TypedDict):
    """The results of a seat's wagers, with totals and words."""

    seat: int
    player: str
    lines: list[LineReportWithWords]
    wins: str
    loses: str
    net: str
    told: list[SentenceJson]


class CapReport(TypedDict):
    """A payout cap that was applied; with a seat if it is a seat's own."""

    clause: str
    due: str
    paid: str
    seat: NotRequired[int]


class NoteJson(TypedDict):
    """A note on the record of a round."""

    note: str
    clause: str | None


class RoundReport(TypedDict):
    """The result of a round."""

    sheet: str
    hash: str
    result: str | None
    seats: list[SeatReport]
    limits: list[CapReport]
    notes: list[NoteJson]
    house_net: str


class RoundResult(TypedDict):
    """The result of a round, with words."""

    sheet: str
    hash: str
    result: str | None
    seats: list[SeatResult]
    limits: list[CapReport]
    notes: list[NoteJson]
    house_net: str
    told: list[SentenceJson]
