"""The outlook of a session by the best method for it, and its JSON document."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil, sqrt
from typing import Any

from pitbook.money import money
from pitbook.sheets.digest import digest
from pitbook.simulate.sessions.chain import chained, lattice, work
from pitbook.simulate.sessions.played import played
from pitbook.simulate.sessions.session import (
    GOAL,
    QUANTILES,
    RUIN,
    STOP_LOSS,
    TIME,
    BankrollMark,
    HearProgress,
    Number,
    Outlook,
    Session,
    SessionEnd,
    why_not,
)
from pitbook.text import say

ROWS = 16  # Of the table of final bankrolls, about.


def document(outlook: Outlook) -> dict[str, Any]:
    """The answer as JSON carries it; amounts in dollars, as text."""
    session = outlook.session
    seed = {"seed": session.plan.seed} if outlook.sessions else {}
    hourly = set(session.hourly)
    asked = {RUIN: True, STOP_LOSS: session.stop_loss is not None, GOAL: session.goal is not None}
    return {
        "sheet": session.plan.sheet.id,
        "hash": digest(session.plan.sheet),
        "assumptions": session.document() | seed,
        "method": outlook.method,
        "error": outlook.error,
        "sessions": outlook.sessions,
        "why": outlook.why,
        "ends": {
            how: _end(outlook, end) if asked.get(how, how == TIME) else None
            for how, end in outlook.ends.items()
        },
        "rounds": float(outlook.played),
        "net": _net(outlook),
        "final": {
            "expected": _rounded(session.bankroll + outlook.mean),
            "quantiles": _quantiles(outlook.marks[-1]),
            "table": _table(outlook),
        },
        "hours": [_hour(outlook, mark) for mark in outlook.marks if mark.rounds in hourly],
    }


def _end(outlook: Outlook, end: SessionEnd) -> dict[str, Any]:
    pace = outlook.session.hands_per_hour
    return {
        "probability": float(end.chance),
        "standard_error": _error(outlook, end.chance),
        "rounds": None if end.rounds is None else float(end.rounds),
        "hours": None if end.rounds is None else float(end.rounds) / pace,
    }


def _error(outlook: Outlook, chance: Number) -> float | None:
    """How far a share of simulated sessions strays by luck."""
    if outlook.sessions is None:
        return None
    share = float(chance)
    return sqrt(share * (1 - share) / outlook.sessions)


def _net(outlook: Outlook) -> dict[str, Any]:
    start, final = outlook.session.bankroll, outlook.final
    behind, upto = final.upto(start - 1), final.upto(start)
    played = outlook.sessions
    return {
        "expected": _rounded(outlook.mean),
        "standard_error": _rounded(outlook.deviation / sqrt(played)) if played else None,
        "standard_deviation": _rounded(outlook.deviation),
        "ahead": float(1 - upto),
        "even": float(upto - behind),
        "behind": float(behind),
    }


def _table(outlook: Outlook) -> list[dict[str, Any]]:
    """How likely it is to come home with so much, in round sums; the last row has no end."""
    final, top = outlook.final, outlook.marks[-1].quantiles[-2]
    lowest = int(final.amounts[0])
    width = _width(top - lowest)
    edges = list(range(lowest // width * width, top + 1, width))
    reached: list[Number] = [final.upto(edge - 1) for edge in edges]
    rows = zip(edges, [*edges[1:], None], reached, [*reached[1:], 1], strict=True)
    return [
        {
            "from": money(edge),
            "below": None if after is None else money(after),
            "probability": float(done - before),
        }
        for edge, after, before, done in rows
    ]


def _width(span: int) -> int:
    """A round sum that divides a span into about as many rows as fit."""
    least = max(100, ceil(span / ROWS))
    power = 100
    while True:
        for times in (1, 2, 5):
            if power * times >= least:
                return power * times
        power *= 10


def _hour(outlook: Outlook, mark: BankrollMark) -> dict[str, Any]:
    return {
        "hours": float(Fraction(mark.rounds, outlook.session.hands_per_hour)),
        "rounds": mark.rounds,
        "playing": float(mark.playing),
        "quantiles": _quantiles(mark),
    }


def _quantiles(mark: BankrollMark) -> dict[str, str]:
    return {
        str(float(share)): money(amount)
        for share, amount in zip(QUANTILES, mark.quantiles, strict=True)
    }


def _rounded(cents: Number) -> str:
    return money(round(cents))


SESSIONS = 100_000  # Played where nobody says how many.
EXACT_MAX = 6 * 10**7  # Products of long numbers, times their length in rounds: about a second's.
WORK_MAX = 4 * 10**10  # Products in floating point: about a minute's.


def answer(
    session: Session,
    *,
    simulate: int | None = None,
    workers: int | None = None,
    told: HearProgress | None = None,
) -> Outlook:
    """The outlook of a session; with `simulate`, of so many that are played."""
    if simulate is not None:
        return played(session, simulate, workers=workers, told=told)
    why = why_not(session.plan)
    if why is None:
        on = lattice(session, exact=False)
        if session.rounds * work(session, on, certain=True) <= EXACT_MAX:
            return chained(session, lattice(session, exact=True), told)
        if work(session, on, certain=False) <= WORK_MAX:
            return chained(session, on, told)
        why = say("simulate.not-exact.too-long", rounds=session.rounds)
    return replace(played(session, SESSIONS, workers=workers, told=told), why=why)
