"""Figures of a report that are confirmed or found by simulation."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

from pitbook.exact.compare import edge_of
from pitbook.exact.sheet_figures import whole_round
from pitbook.exact.work import TooLarge
from pitbook.money import Cents, money
from pitbook.sheets.digest import digest
from pitbook.sheets.model import Sheet

if TYPE_CHECKING:
    from pitbook.simulate.totals import Distribution, Totals


ROUNDS = 1_000_000
STRAYS_MAX = 3.29  # Standard errors; luck alone strays further once in a thousand runs.

Json = dict[str, Any]


def by_seats(sheet: Sheet) -> list[Json]:
    """What a shared cap does with more seats in play at the largest stakes; exact for one seat."""
    if not any(limit.per == "round" for limit in sheet.limits):
        return []
    ante, side = sheet.main_wager.max, {name: count.stake.max for name, count in sheet.side.items()}
    seats = dict.fromkeys((1, (1 + sheet.seats.count) // 2, sheet.seats.count))
    return [_seats(sheet, ante, side, count) for count in seats]


def _seats(sheet: Sheet, ante: Cents, side: dict[str, Cents], seats: int) -> Json:
    if seats == 1:
        try:
            edge = -whole_round(sheet, ante, side).expected
            return {"seats": 1, "ante": money(ante), "edge": float(edge), "exact": str(edge)}
        except TooLarge:  # Side wagers that look at other cards: played like the others.
            pass
    totals = _played(sheet, ante=ante, side=side, seats=seats)
    return {"seats": seats, "ante": money(ante), **_told(totals, totals.nets(), ante * seats)}


def confirmed(sheet: Sheet) -> Json:
    """Rounds with every wager at its smallest and no cap, judged by the exact figures."""
    ante, side = sheet.main_wager.min, {name: one.stake.min for name, one in sheet.side.items()}
    free = sheet.model_copy(update={"limits": ()})
    totals = _played(free, ante=ante, side=side, seed=_seed(sheet))
    from pitbook.simulate.check import check  # noqa: PLC0415  It brings Numba.

    verdict, wagers = check(totals), dict(_wagers(free, totals, {"main": ante, **side}))
    agrees = verdict.agrees and all(one["strays"] < STRAYS_MAX for one in wagers.values())
    return {
        **_run(totals),
        "ante": money(ante),
        "side": {name: money(stake) for name, stake in side.items()},
        "wagers": wagers,
        "agrees": agrees,
        "judgements": verdict.judgements + len(wagers),
    }


def _wagers(sheet: Sheet, totals: Totals, stakes: dict[str, Cents]) -> Iterator[tuple[str, Json]]:
    """Each wager's edge as it was played, beside the exact one."""
    for wager, stake in stakes.items():
        told = _told(totals, _nets(totals, wager, stakes), stake)
        exact = float(edge_of(sheet, wager))
        off = abs(told["edge"] - exact)
        strays = off / told["error"] if told["error"] else 0.0 if off < 1e-12 else STRAYS_MAX
        yield wager, {**told, "exact": exact, "strays": strays}


def _nets(totals: Totals, wager: str, stakes: dict[str, Cents]) -> Distribution:
    """What one wager nets in a round; the main game is all that is no side wager."""
    from pitbook.simulate.totals import Distribution  # noqa: PLC0415

    counts: dict[int, int] = {}
    for cell, times in totals.met(1):
        lines = totals.ready.cells.every[cell].lines
        own = (one for one in lines if (one.wager if one.wager in stakes else "main") == wager)
        net = sum(one.net for one in own)
        counts[net] = counts.get(net, 0) + times
    return Distribution.of(counts)


def _told(totals: Totals, nets: Distribution, units: int) -> Json:
    error = nets.deviation / sqrt(totals.rounds) / units
    return {**_run(totals), "edge": float(Fraction(-nets.mean) / units), "error": error}


def _run(totals: Totals) -> Json:
    return {"rounds": totals.rounds, "seed": totals.ready.plan.seed}


def _seed(sheet: Sheet) -> int:
    """The same sheet is dealt the same rounds."""
    return int(digest(sheet)[:8], 16)


def _played(
    sheet: Sheet,
    *,
    ante: Cents,
    side: dict[str, Cents],
    seats: int = 1,
    seed: int | None = None,
) -> Totals:
    from pitbook.simulate.plan import plan  # noqa: PLC0415  It brings Numba.
    from pitbook.simulate.run import run  # noqa: PLC0415

    luck = _seed(sheet) if seed is None else seed
    asked = plan(sheet, ante=ante, side=side, seats=seats, strategy="best", seed=luck)
    return run(asked, ROUNDS)
