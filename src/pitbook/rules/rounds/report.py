"""A finished round as the JSON that commands, stores and pages share."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Literal

from pitbook.errors import RoundError
from pitbook.money import money
from pitbook.rules.game.settlement import Line, Result, Settlement
from pitbook.rules.rounds.round import Ending, Round
from pitbook.text import say

HandResult = Literal["settled", "forfeit", "void", "misdeal", "dead"]


def report(round: Round) -> dict[str, Any]:
    """Every line of every seat, the caps that bit, and what the house made."""
    if round.phase != "over":
        raise RoundError(say("engine.report.not-over"))
    players = {seat.number: seat.player for seat in round.seats}
    return {
        "sheet": round.game.sheet.id,
        "hash": round.game.digest,
        "result": round.ending,
        "seats": [seat_report(one, players[one.seat]) for one in round.settlements],
        "limits": [
            {"clause": bite.clause, "due": money(bite.due), "paid": money(bite.paid)}
            | ({"seat": bite.seat} if bite.seat is not None else {})
            for bite in round.bites
        ],
        "notes": [{"note": note.what, "clause": note.clause} for note in round.notes],
        "house_net": money(-sum(one.net for one in round.settlements)),
    }


def hand_result(ending: Ending, lines: Collection[Result]) -> HandResult:
    """One hand's result, from its lines. Lines settled before the round was void still stand."""
    outcomes = set(lines)
    if not outcomes <= {"void"}:
        return "forfeit" if outcomes <= {"forfeit", "void"} else "settled"
    return "void" if ending == "settled" else ending


def seat_report(settlement: Settlement, player: str) -> dict[str, Any]:
    """Every line of one seat, and what they come to."""
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
