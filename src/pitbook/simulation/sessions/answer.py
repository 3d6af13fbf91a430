"""Computes the outlook of a session by the best method, and its JSON document."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil, sqrt
from typing import Any

from pitbook.money import money
from pitbook.sheets.digest import digest
from pitbook.simulation.sessions.chain import compute_outlook, lattice, work
from pitbook.simulation.sessions.played import play_sessions
from pitbook.simulation.sessions.session import (
    GOAL,
    QUANTILES,
    RUIN,
    STOP_LOSS,
    TIME,
    BankrollMark,
    Number,
    Outlook,
    ProgressCallback,
    Session,
    SessionEnd,
    unknown_reason,
)
from pitbook.text import say

ROWS = 16  # Approximate number of rows in the table of final bankrolls.


def document(outlook: Outlook) -> dict[str, Any]:
    """The outlook as JSON; amounts are dollars, as text."""
    session = outlook.session
    seed = {"seed": session.plan.seed} if outlook.sessions else {}
    hourly = set(session.hourly)
    applies = {RUIN: True, STOP_LOSS: session.stop_loss is not None, GOAL: session.goal is not None}
    return {
        "sheet": session.plan.sheet.id,
        "hash": digest(session.plan.sheet),
        "assumptions": session.document() | seed,
        "method": outlook.method,
        "error": outlook.error,
        "sessions": outlook.sessions,
        "why": outlook.simulated_reason,
        "ends": {
            how: _end(outlook, end) if applies.get(how, how == TIME) else None
            for how, end in outlook.ends.items()
        },
        "rounds": float(outlook.rounds_mean),
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
    """Standard error of a share of simulated sessions."""
    if outlook.sessions is None:
        return None
    share = float(chance)
    return sqrt(share * (1 - share) / outlook.sessions)


def _net(outlook: Outlook) -> dict[str, Any]:
    start, final = outlook.session.bankroll, outlook.final
    below_start, up_to_start = final.share_up_to(start - 1), final.share_up_to(start)
    sessions = outlook.sessions
    return {
        "expected": _rounded(outlook.mean),
        "standard_error": _rounded(outlook.deviation / sqrt(sessions)) if sessions else None,
        "standard_deviation": _rounded(outlook.deviation),
        "ahead": float(1 - up_to_start),
        "even": float(up_to_start - below_start),
        "behind": float(below_start),
    }


def _table(outlook: Outlook) -> list[dict[str, Any]]:
    """Probability of each range of final bankrolls, in round amounts; the last row is unbounded."""
    final, top = outlook.final, outlook.marks[-1].quantiles[-2]
    lowest = int(final.amounts[0])
    width = _width(top - lowest)
    edges = list(range(lowest // width * width, top + 1, width))
    reached: list[Number] = [final.share_up_to(edge - 1) for edge in edges]
    rows = zip(edges, [*edges[1:], None], reached, [*reached[1:], 1], strict=True)
    return [
        {
            "from": money(edge),
            "below": None if upper is None else money(upper),
            "probability": float(cumulative_next - cumulative),
        }
        for edge, upper, cumulative, cumulative_next in rows
    ]


def _width(span: int) -> int:
    """A round amount that splits a span into about ROWS rows."""
    width_min = max(100, ceil(span / ROWS))
    power = 100
    while True:
        for factor in (1, 2, 5):
            if power * factor >= width_min:
                return power * factor
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


SESSIONS = 100_000  # Number of sessions played by default.
EXACT_MAX = 6 * 10**7  # Products of big integers times their length in rounds: about one second.
WORK_MAX = 4 * 10**10  # Floating-point products: about one minute.


def find_outlook(
    session: Session,
    *,
    simulate: int | None = None,
    workers: int | None = None,
    on_progress: ProgressCallback | None = None,
) -> Outlook:
    """The outlook of a session; `simulate` plays that many sessions instead of computing it."""
    if simulate is not None:
        return play_sessions(session, simulate, workers=workers, on_progress=on_progress)
    reason = unknown_reason(session.plan)
    if reason is None:
        grid = lattice(session, exact=False)
        if session.rounds * work(session, grid, certain=True) <= EXACT_MAX:
            return compute_outlook(session, lattice(session, exact=True), on_progress)
        if work(session, grid, certain=False) <= WORK_MAX:
            return compute_outlook(session, grid, on_progress)
        reason = say("simulate.not-exact.too-long", rounds=session.rounds)
    return replace(
        play_sessions(session, SESSIONS, workers=workers, on_progress=on_progress),
        simulated_reason=reason,
    )
