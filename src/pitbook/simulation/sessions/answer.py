"""A session as a value: `pitbook.session`, rendered by `pitbook session`."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from math import ceil, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitbook.answer_tables import Answer
from pitbook.exact.plot_files import PlotFile, save_plot
from pitbook.sheets.arguments import (
    Sides,
    SomeSheet,
    ante_of,
    dollars_of,
    hours_of,
    integer_of,
    rounds_of,
    sheet_of,
)
from pitbook.sheets.field_types import Entries
from pitbook.sheets.hashes import digest
from pitbook.simulation.answer import parse_plan
from pitbook.simulation.sessions.markov_chain import compute_outlook, lattice, work
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
    unknown_reason,
)
from pitbook.simulation.sessions.session import session as player_session
from pitbook.simulation.sessions.simulated_sessions import play_sessions
from pitbook.text import say
from pitbook.text.catalog import ENGLISH

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROWS = 16  # Approximate number of rows in the table of final bankrolls.


@dataclass(frozen=True, slots=True)
class SessionEnd:
    """One way for a session to end: its probability, and when it ends on average."""

    probability: Number
    standard_error: float | None  # If sessions were simulated.
    rounds: Number | None
    hours: float | None

    def document(self) -> dict[str, Any]:
        """The end as JSON."""
        return {
            "probability": float(self.probability),
            "standard_error": self.standard_error,
            "rounds": None if self.rounds is None else float(self.rounds),
            "hours": self.hours,
        }


@dataclass(frozen=True, slots=True)
class BankrollRange:
    """The probability of a final bankroll from `low` to below `below`; the last has no end."""

    low: Decimal
    below: Decimal | None
    probability: Number


@dataclass(frozen=True, slots=True)
class SessionHour:
    """The bankroll after some hours: the share still playing, and quantiles in dollars."""

    hours: Fraction
    rounds: int
    playing: Number
    quantiles: Entries[Fraction, Decimal]


@dataclass(frozen=True, repr=False)
class SessionOutlook(Answer):
    """A bankroll's odds: how the session ends, and the final bankroll in dollars."""

    sheet: str
    hash: str
    method: str  # exact, computed or simulated.
    error: float | None  # Maximum error of any probability, if computed.
    ends: Entries[str, SessionEnd]
    rounds: Number
    final: Decimal  # Expected bankroll at the end.
    net: Decimal
    standard_error: Decimal | None
    standard_deviation: Decimal
    ahead: Number
    even: Number
    behind: Number
    quantiles: Entries[Fraction, Decimal]  # Of the final bankroll.
    ranges: tuple[BankrollRange, ...]
    hours: tuple[SessionHour, ...]
    outlook: Outlook = field(compare=False)

    @property
    def ruin(self) -> Number:
        """The probability of being left with less than the next hand needs."""
        return self.ends[RUIN].probability

    @property
    def session(self) -> Session:
        """The bankroll, the stops and the plan."""
        return self.outlook.session

    def document(self) -> dict[str, Any]:
        """The result of `pitbook session --json`."""
        outlook = self.outlook
        seed = {"seed": self.session.plan.seed} if outlook.sessions else {}
        return {
            "sheet": self.sheet,
            "hash": self.hash,
            "assumptions": self.session.document() | seed,
            "method": self.method,
            "error": self.error,
            "sessions": outlook.sessions,
            "why": outlook.simulated_reason,
            "ends": {
                reason: self.ends[reason].document() if reason in self.ends else None
                for reason in outlook.ends
            },
            "rounds": float(self.rounds),
            "net": {
                "expected": str(self.net),
                "standard_error": None if self.standard_error is None else str(self.standard_error),
                "standard_deviation": str(self.standard_deviation),
                "ahead": float(self.ahead),
                "even": float(self.even),
                "behind": float(self.behind),
            },
            "final": {
                "expected": str(self.final),
                "quantiles": _quantiles_json(self.quantiles),
                "table": [
                    {
                        "from": str(row.low),
                        "below": None if row.below is None else str(row.below),
                        "probability": float(row.probability),
                    }
                    for row in self.ranges
                ],
            },
            "hours": [
                {
                    "hours": float(hour.hours),
                    "rounds": hour.rounds,
                    "playing": float(hour.playing),
                    "quantiles": _quantiles_json(hour.quantiles),
                }
                for hour in self.hours
            ],
        }

    def plot(self, file: PlotFile = None, *, language: str = ENGLISH) -> Figure | Path:
        """The bankroll's fan chart by hour, as a Matplotlib figure or in the file given."""

        def draw() -> Figure:
            from pitbook.simulation.sessions.plot import fan_plot  # noqa: PLC0415  Slow to import.

            return fan_plot(self.outlook)

        return save_plot(self.session.plan.sheet, draw, file, language=language)

    def _rows(self) -> Iterator[dict[str, Any]]:
        """The bankroll hour by hour."""
        for hour in self.hours:
            yield {
                "hours": hour.hours,
                "rounds": hour.rounds,
                "playing": hour.playing,
                **{
                    f"bankroll_{int(share * 100)}%": amount
                    for share, amount in hour.quantiles.items()
                },
            }

    def _lines(self) -> tuple[str, ...]:
        ends = ", ".join(
            f"{reason} {float(end.probability):.2%}" for reason, end in self.ends.items()
        )
        return (f"session of {self.sheet}, {self.method}: {ends}; net {self.net:+} dollars",)


def _quantiles_json(quantiles: Entries[Fraction, Decimal]) -> dict[str, str]:
    return {str(float(share)): str(amount) for share, amount in quantiles.items()}


def session(
    sheet: SomeSheet,
    bankroll: str,
    hours: float | str | Fraction,
    *,
    ante: str | None = None,
    side: Sides = None,
    hands_per_hour: int = 40,
    stop_loss: str | None = None,
    goal: str | None = None,
    strategy: str = "best",
    seats: int = 1,
    simulate: int | None = None,
    seed: int | None = None,
    workers: int | None = None,
) -> SessionOutlook:
    """A bankroll's odds of ruin or of a goal over some hours, and the bankroll hour by hour.

    Short sessions are exact and long ones computed to a stated bound. `simulate` plays that many
    sessions instead.

    >>> outlook = session("catfish-bend/matchem-hi-lo", "90", 0.5, goal="60")
    >>> outlook.method, f"{float(outlook.ruin):.2%}"
    ('exact', '0.27%')
    """
    seed_used = secrets.randbits(32) if seed is None else integer_of(seed, "seed")
    requested = player_session(
        parse_plan(sheet_of(sheet), ante, side, seats, strategy, seed_used),
        bankroll=dollars_of(bankroll, "bankroll"),
        hours=hours_of(hours),
        hands_per_hour=integer_of(hands_per_hour, "hands_per_hour"),
        stop_loss=ante_of(stop_loss, "stop_loss"),
        goal=ante_of(goal, "goal"),
    )
    sessions = None if simulate is None else rounds_of(simulate)
    cores = None if workers is None else integer_of(workers, "workers")
    return session_outlook(find_outlook(requested, simulate=sessions, workers=cores))


def session_outlook(outlook: Outlook) -> SessionOutlook:
    """The record of an outlook."""
    session, final = outlook.session, outlook.final
    below_start, up_to_start = (
        final.share_up_to(session.bankroll - 1),
        final.share_up_to(session.bankroll),
    )
    sessions, hourly = outlook.sessions, set(session.hourly)
    return SessionOutlook(
        sheet=session.plan.sheet.id,
        hash=digest(session.plan.sheet),
        method=outlook.method,
        error=outlook.error,
        ends=Entries(_possible_ends(outlook)),
        rounds=outlook.rounds_mean,
        final=_dollars(session.bankroll + outlook.mean),
        net=_dollars(outlook.mean),
        standard_error=_dollars(outlook.deviation / sqrt(sessions)) if sessions else None,
        standard_deviation=_dollars(outlook.deviation),
        ahead=1 - up_to_start,
        even=up_to_start - below_start,
        behind=below_start,
        quantiles=_quantiles(outlook.marks[-1]),
        ranges=tuple(_ranges(outlook)),
        hours=tuple(_hour(outlook, mark) for mark in outlook.marks if mark.rounds in hourly),
        outlook=outlook,
    )


def _possible_ends(outlook: Outlook) -> Iterator[tuple[str, SessionEnd]]:
    """The ends that the session's stops allow."""
    session = outlook.session
    possible = {RUIN, TIME}
    possible |= {STOP_LOSS} if session.stop_loss is not None else set()
    possible |= {GOAL} if session.goal is not None else set()
    for reason, end in outlook.ends.items():
        if reason in possible:
            hours = None if end.rounds is None else float(end.rounds) / session.hands_per_hour
            yield reason, SessionEnd(end.chance, _error(outlook, end.chance), end.rounds, hours)


def _error(outlook: Outlook, chance: Number) -> float | None:
    """Standard error of a share of simulated sessions."""
    if outlook.sessions is None:
        return None
    share = float(chance)
    return sqrt(share * (1 - share) / outlook.sessions)


def _ranges(outlook: Outlook) -> Iterator[BankrollRange]:
    """Ranges of final bankrolls with their probabilities; the bounds are round amounts."""
    final, top = outlook.final, outlook.marks[-1].quantiles[-2]
    lowest = int(final.amounts[0])
    width = _width(top - lowest)
    edges = list(range(lowest // width * width, top + 1, width))
    reached: list[Number] = [final.share_up_to(edge - 1) for edge in edges]
    rows = zip(edges, [*edges[1:], None], reached, [*reached[1:], 1], strict=True)
    for edge, upper, cumulative, cumulative_next in rows:
        below = None if upper is None else _dollars(upper)
        yield BankrollRange(_dollars(edge), below, cumulative_next - cumulative)


def _width(span: int) -> int:
    """A round amount that splits a span into about ROWS rows."""
    width_min = max(100, ceil(span / ROWS))
    power = 100
    while True:
        for factor in (1, 2, 5):
            if power * factor >= width_min:
                return power * factor
        power *= 10


def _hour(outlook: Outlook, mark: BankrollMark) -> SessionHour:
    hours = Fraction(mark.rounds, outlook.session.hands_per_hour)
    return SessionHour(hours, mark.rounds, mark.playing, _quantiles(mark))


def _quantiles(mark: BankrollMark) -> Entries[Fraction, Decimal]:
    shares = zip(QUANTILES, mark.quantiles, strict=True)
    return Entries({share: _dollars(amount) for share, amount in shares})


def _dollars(cents: Number) -> Decimal:
    """Dollars, rounded to cents."""
    return Decimal(round(cents)).scaleb(-2)


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
