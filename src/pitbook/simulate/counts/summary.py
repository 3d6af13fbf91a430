"""Totals as figures: what a round, an hour and a seat come to, which caps bit, what came how often.

Everything but the roots of variances is worked out in whole numbers and fractions first.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

from pitbook.money import money
from pitbook.simulate.counts.distribution import Distribution
from pitbook.simulate.counts.totals import Totals
from pitbook.simulate.theory.check import outcome_counts

QUANTILES = tuple(
    Fraction(share)
    for share in ("0.001", "0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99", "0.999")
)


def summary(totals: Totals, *, hands_per_hour: int) -> dict[str, Any]:
    """The figures of some rounds as JSON carries them; amounts in dollars."""
    plan, nets = totals.ready.plan, totals.nets()
    staked = sum(times * totals.ready.cells.every[cell].staked for cell, times in totals.met())
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
    """A distribution of nets, for the player."""
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
                "times": one.times,
                "due": money(one.due),
                "paid": money(one.paid),
                "withheld": money(one.due - one.paid),
            }
            for clause, one in sorted(totals.caps().items())
        ],
    }


def _wagers(totals: Totals) -> dict[str, Any]:
    """Every outcome of every wager, at all seats together."""
    hands = totals.rounds * totals.ready.plan.seats
    found: dict[str, Any] = {}
    for outcome, count in sorted(outcome_counts(totals).items(), key=lambda one: _order(one[0])):
        row = {
            "outcome": outcome.outcome,
            "units": outcome.units,
            "result": outcome.result,
            "odds": outcome.odds,
            "count": count,
            "share": count / hands,
        }
        found.setdefault(outcome.wager, []).append(row)
    return found


def _order(outcome: Any) -> tuple[Any, ...]:
    worth = Fraction(outcome.odds.replace(":", "/")) if outcome.odds else Fraction(0)
    place = ("win", "push", "lose").index(outcome.result)
    return (outcome.wager != "main", outcome.wager, place, -worth, outcome.outcome, outcome.units)


def _dollars(cents: Fraction) -> float:
    return float(cents / 100)
