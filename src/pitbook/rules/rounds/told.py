"""A finished round's report with the words for it, so that whoever shows it need find none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, cast

from pitbook.rules.game.description import Seat
from pitbook.rules.game.settlement import Line, Settlement
from pitbook.rules.rounds.chips import in_chips
from pitbook.rules.rounds.report import seat_report
from pitbook.rules.rounds.round import Round
from pitbook.rules.rounds.shapes import LineTold, LineWords, RoundResult, SeatResult, SentenceTold
from pitbook.rules.rounds.words import cap_told, lines_told, wager_title
from pitbook.sheets.aloud.words import outcome
from pitbook.text import capital, say

__all__ = ["lines_of", "report_told", "result_so_far"]


def report_told(report: Mapping[str, Any], final: Round) -> RoundResult:
    """The report of a round that is over; lines, seats and the round have their sentences."""
    settled = {one.seat: one for one in final.settlements}
    seats = [_seat(one, settled[one["seat"]], final) for one in report["seats"]]
    told = {**report, "seats": seats, "told": list(_of_the_round(final))}
    return cast(RoundResult, told)


def result_so_far(round: Round, seat: Seat) -> SeatResult | None:
    """What a seat has been settled for while others are open, as its part of the report."""
    lines = tuple(line for number, line in round.paid if number == seat.number)
    if not lines or round.phase == "over":
        return None
    settled = Settlement(seat.number, lines)
    return _seat(seat_report(settled, seat.player), settled, round)


def lines_of(round: Round, lines: tuple[Line, ...]) -> list[LineTold]:
    """Lines of a round as its report would have them, in words and in chips."""
    settled = Settlement(0, lines)
    return _seat(seat_report(settled, ""), settled, round)["lines"]


def _seat(report: Mapping[str, Any], settlement: Settlement, final: Round) -> SeatResult:
    pairs = zip(report["lines"], settlement.lines, strict=True)
    lines = [{**written, **_words(line, final)} for written, line in pairs]
    told = {**report, "lines": lines, "told": list(_of_the_seat(settlement, final))}
    return cast(SeatResult, told)


def _words(line: Line, final: Round) -> LineWords:
    (words,) = lines_told(final, [line], clauses=False)
    return {
        "title": wager_title(final, line.wager),
        "outcome_title": None if line.outcome is None else outcome(line.outcome),
        "words": capital(words),
        "chips": in_chips(final.game.sheet, line.wins) if line.wins else [],
    }


def _of_the_seat(settlement: Settlement, final: Round) -> Iterator[SentenceTold]:
    """What became of wagers; the clause stands apart, to be shown when somebody asks."""
    for clause, lines in groupby(settlement.lines, key=lambda line: line.clause):
        for words in lines_told(final, lines, clauses=False):
            yield {"text": capital(words), "clause": clause}


def _of_the_round(final: Round) -> Iterator[SentenceTold]:
    """Void rounds, caps that bit, and whatever was noted."""
    if final.ending == "misdeal":
        yield {"text": say("engine.told.misdeal", keeps=final.keeps_wagers), "clause": None}
    elif final.ending == "dead":
        key = "engine.told.dead-open" if final.paid else "engine.told.dead"
        yield {"text": say(key, keeps=final.keeps_wagers), "clause": None}
    for bite in final.bites:
        yield {"text": cap_told(bite), "clause": bite.clause}
    for note in final.notes:
        yield {"text": say("form.full", text=capital(note.what)), "clause": note.clause}
