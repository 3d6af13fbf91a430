"""The outcomes of each wager, and the figures of a simulation."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

from pitbook.money import Cents, money
from pitbook.rules.settlement import Line
from pitbook.simulate.totals import Distribution, Totals

MAIN = "main"


class Outcome(NamedTuple):
    """One line of an outcome table, before caps; `units` counts the wager's own stakes."""

    wager: str
    outcome: str
    units: int
    result: str
    odds: str | None


def outcomes(
    lines: Sequence[Line], side: Collection[str], ante: Cents, *, by_wager: bool = False
) -> Iterator[Outcome]:
    """The outcomes of a seat: the main game combined, its wagers on request, and each side
    wager.
    """
    main = _main(lines, side)
    yield _sum(main, ante)
    for line in main if by_wager else ():
        yield _outcome(line.wager, line, line.stake // ante)
    for line in lines:
        if line.wager in side:
            yield _outcome(line.wager, line, 1)


def ends_apart(lines: Sequence[Line], side: Collection[str]) -> bool:
    """Whether the main game's wagers end in different ways."""
    return len({_end(line) for line in _main(lines, side)}) > 1


def _main(lines: Sequence[Line], side: Collection[str]) -> list[Line]:
    return [line for line in lines if line.wager not in side]


def _end(line: Line) -> tuple[object, ...]:
    return line.outcome, line.result, line.odds


def _sum(main: Sequence[Line], ante: Cents) -> Outcome:
    """The main wagers combined: their common outcome, or all outcomes with the net result."""
    units = sum(line.stake for line in main) // ante
    if not ends_apart(main, ()):
        return _outcome(MAIN, main[0], units)
    net = sum(line.net for line in main)
    result = "win" if net > 0 else "lose" if net < 0 else "push"
    outcome = " + ".join(dict.fromkeys(str(line.outcome) for line in main))
    return Outcome(MAIN, outcome, units, result, None)


def _outcome(wager: str, line: Line, units: int) -> Outcome:
    odds = str(line.odds) if line.odds else None
    return Outcome(wager, str(line.outcome), units, line.result, odds)


QUANTILES = tuple(
    Fraction(share)
    for share in ("0.001", "0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99", "0.999")
)


def summary(totals: Totals, *, hands_per_hour: int) -> dict[str, Any]:
    """The figures of a simulation as JSON; amounts in dollars."""
    plan, nets = totals.ready.plan, totals.nets()
    staked = sum(
        times * totals.ready.cells.cells[cell].total_bet for cell, times in totals.cell_counts()
    )
    return {
        **{name: plan.document()[name] for name in ("sheet", "hash")},
        "assumptions": {
            name: value for name, value in plan.document().items() if name not in ("sheet", "hash")
        },
        "rounds": totals.rounds,
        "net": _figures(nets),
        "staked": money(staked),
        "hold": float(Fraction(-nets.total, staked)),
        "hour": {
            "hands": hands_per_hour,
            "house_wins": _dollars(-nets.mean * hands_per_hour),
            "standard_deviation": nets.deviation * sqrt(hands_per_hour) / 100,
        },
        "seats": [_seat(totals, seat) for seat in range(1, plan.seats + 1)],
        "caps": _caps(totals),
        "wagers": _wagers(totals),
    }


def _figures(nets: Distribution) -> dict[str, Any]:
    """A distribution of nets from the player's side."""
    error = nets.deviation / sqrt(nets.rounds)
    return {
        "total": money(nets.total),
        "mean": _dollars(nets.mean),
        "mean_exact": str(nets.mean / 100),
        "standard_deviation": nets.deviation / 100,
        "standard_error": error / 100,
        "least": money(nets.amounts[0]),
        "most": money(nets.amounts[-1]),
        "win": float(nets.share(above=0)),
        "push": float(1 - nets.share(above=0) - nets.share(below=0)),
        "lose": float(nets.share(below=0)),
        "quantiles": {str(float(share)): money(nets.quantile(share)) for share in QUANTILES},
    }


def _seat(totals: Totals, seat: int) -> dict[str, Any]:
    nets = totals.seat_nets(seat)
    withheld = int(totals.withheld[seat - 1])
    return {
        "seat": seat,
        "mean": _dollars(nets.mean - Fraction(withheld, totals.rounds)),
        "standard_deviation": nets.deviation / 100,
        "withheld": money(withheld),
    }


def _caps(totals: Totals) -> dict[str, Any]:
    return {
        "rounds": totals.shared_rounds,
        "bites": [
            {
                "clause": clause,
                "times": cap.times,
                "due": money(cap.due),
                "paid": money(cap.paid),
                "withheld": money(cap.due - cap.paid),
            }
            for clause, cap in sorted(totals.caps().items())
        ],
    }


def _wagers(totals: Totals) -> dict[str, Any]:
    """Every outcome of every wager, for all seats together."""
    hands = totals.rounds * totals.ready.plan.seats
    rows_by_wager: dict[str, Any] = {}
    for outcome, count in sorted(
        outcome_counts(totals).items(), key=lambda outcome_count: _order(outcome_count[0])
    ):
        row = {
            "outcome": outcome.outcome,
            "units": outcome.units,
            "result": outcome.result,
            "odds": outcome.odds,
            "count": count,
            "share": count / hands,
        }
        rows_by_wager.setdefault(outcome.wager, []).append(row)
    return rows_by_wager


def outcome_counts(
    totals: Totals, seat: int | None = None, *, by_wager: bool | None = None
) -> dict[Outcome, int]:
    """How often each outcome of each wager occurred, at one seat or at all.

    The main game's wagers are listed one by one if they ever ended differently.
    """
    plan, cells = totals.ready.plan, totals.ready.cells.cells
    side = [wager for wager, _ in plan.side]
    apart = by_wager or any(ends_apart(cells[cell].lines, side) for cell, _ in totals.cell_counts())
    counts: dict[Outcome, int] = {}
    for cell, times in totals.cell_counts(seat):
        for outcome in outcomes(cells[cell].lines, side, plan.ante, by_wager=apart):
            counts[outcome] = counts.get(outcome, 0) + times
    return counts


def _order(outcome: Any) -> tuple[Any, ...]:
    worth = Fraction(outcome.odds.replace(":", "/")) if outcome.odds else Fraction(0)
    place = ("win", "push", "lose").index(outcome.result)
    return (outcome.wager != "main", outcome.wager, place, -worth, outcome.outcome, outcome.units)


def _dollars(cents: Fraction) -> float:
    return float(cents / 100)
