"""All figures of a report as one document, kept on disk by the sheet's hash: made once, read often.

Nothing here is worded for a reader. What is exact comes from `exact`, what is simulated says its
seed, its count and its error.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Any

from pitbook.errors import PitbookError
from pitbook.exact.compare import edge_of
from pitbook.exact.followed import simpler
from pitbook.exact.machine_code import folder_for
from pitbook.exact.service import mathematics, wager_figures
from pitbook.money import Cents, money
from pitbook.papers.report.strategies import strategy_document
from pitbook.sheets.changed import changed
from pitbook.sheets.digest import digest
from pitbook.sheets.model import Sheet, Stake
from pitbook.simulate.extras import ExtraMissing, needs

__all__ = ["Told", "forgotten", "is_kept", "measured"]

PACKAGE = Path(__file__).parents[2]
MADE_BY = ("exact", "families", "game", "hands", "simulate")
HERE = ("measured.py", "strategies.py")
ROUNDS, ROUNDS_SHARED = 1_000_000, 200_000  # Of the confirmation, and of each number of seats.
STRAYS_MAX = 3.29  # Standard errors; luck alone strays further once in a thousand runs.
DECKS = (1, 2, 4, 6, 8)
ANTES = (1, 2, 5, 10, 20, 50, 100)  # Times the smallest.

Told = Callable[[str], None]  # Hears what is being worked out.


def measured(sheet: Sheet, told: Told = lambda _: None) -> dict[str, Any]:
    """Every figure of a sheet's report; from disk where they were worked out before."""
    path = _path(sheet)
    if path is not None:
        with suppress(OSError, ValueError):
            found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return found
    found = json.loads(json.dumps(_document(sheet, told)))
    if path is not None:
        with suppress(OSError):  # A full disk costs time, not figures.
            _write(path, json.dumps(found))
    return found


def is_kept(sheet: Sheet) -> bool:
    """Whether a sheet's figures are on disk already."""
    path = _path(sheet)
    return path is not None and path.exists()


def forgotten(sheet: Sheet) -> None:
    """Take a sheet's figures off the disk."""
    if (path := _path(sheet)) is not None:
        path.unlink(missing_ok=True)


def _document(sheet: Sheet, told: Told) -> dict[str, Any]:
    told("mathematics")
    document: dict[str, Any] = {"math": mathematics(sheet), "skewness": _skewness(sheet)}
    told("strategy")
    document["strategy"] = strategy_document(sheet)
    document["simpler"] = {name: str(cost) for name, cost in simpler(sheet)}
    told("limits")
    document["by_ante"] = _by_ante(sheet)
    document["by_decks"] = _by_decks(sheet)
    told("simulation")
    document["by_seats"] = _by_seats(sheet)
    document["confirmed"] = _confirmed(sheet)
    return document


def _skewness(sheet: Sheet) -> dict[str, float]:
    return {name: wager_figures(sheet, name).skewness for name in ("main", *sheet.side)}


def _by_ante(sheet: Sheet) -> list[dict[str, Any]]:
    """The main game's edge at some antes with every cap, one seat in play; nothing without caps."""
    if not sheet.limits:
        return []
    found = []
    for ante in _stakes(sheet.main_wager):
        with suppress(PitbookError):  # Too large to work out anew for every ante.
            found.append({"ante": money(ante), "edge": str(edge_of(sheet, "main", ante))})
    return found


def _stakes(stake: Stake) -> list[Cents]:
    some = [Cents(stake.min * times) for times in ANTES if stake.min * times < stake.max]
    return [one for one in some if not one % stake.step] + [stake.max]


def _by_decks(sheet: Sheet) -> list[dict[str, Any]]:
    """Every wager's edge with other numbers of decks, where the game has several."""
    if sheet.deck.decks == 1:
        return []
    found = []
    for decks in sorted({*DECKS, sheet.deck.decks}):
        with suppress(PitbookError):  # Fewer decks may not hold what the table pays for.
            other = changed(sheet, {"deck.decks": decks})
            edges = {name: str(edge_of(other, name)) for name in ("main", *sheet.side)}
            found.append({"decks": decks, "edges": edges})
    return found


def _by_seats(sheet: Sheet) -> list[dict[str, Any]]:
    """What a shared cap does with more seats in play at the largest stake: simulated."""
    if not any(limit.per == "round" for limit in sheet.limits):
        return []
    ante, side = sheet.main_wager.max, {name: one.stake.max for name, one in sheet.side.items()}
    seats = dict.fromkeys((1, (1 + sheet.seats.count) // 2, sheet.seats.count))
    found = [_played(sheet, ROUNDS_SHARED, ante=ante, side=side, seats=one) for one in seats]
    return [one for one in found if one is not None]


def _confirmed(sheet: Sheet) -> dict[str, Any] | None:
    """A million rounds of what must be wagered, at the smallest stakes, judged by the figures."""
    ante, sides = sheet.main_wager.min, sheet.side.items()
    must = {name: one.stake.min for name, one in sides if one.stake.required}
    found = _played(sheet, ROUNDS, ante=ante, side=must, judged=True)
    if found is not None and not must:
        found["exact"] = float(edge_of(sheet, "main", ante))
        strays = abs(found["edge"] - found["exact"]) / found["error"] if found["error"] else 0.0
        found["agrees"] = found.get("agrees", True) and strays < STRAYS_MAX
        found["judgements"] = 1 + found.get("judgements", 0)
    return found


def _played(
    sheet: Sheet,
    rounds: int,
    *,
    ante: Cents,
    side: dict[str, Cents],
    seats: int = 1,
    judged: bool = False,
) -> dict[str, Any] | None:
    try:
        needs("numba")
    except ExtraMissing:
        return None
    from pitbook.simulate.plans.plan import plan  # noqa: PLC0415  It brings Numba.
    from pitbook.simulate.runners.run import run  # noqa: PLC0415
    from pitbook.simulate.theory.check import check  # noqa: PLC0415

    seed = int(digest(sheet)[:8], 16)  # The same sheet is dealt the same rounds.
    asked = plan(sheet, ante=ante, side=side, seats=seats, strategy="best", seed=seed)
    totals = run(asked, rounds)
    nets, units = totals.nets(), ante * seats
    document = {
        "rounds": rounds,
        "seed": seed,
        "seats": seats,
        "ante": money(ante),
        "side": {name: money(stake) for name, stake in side.items()},
        "edge": float(Fraction(-nets.mean) / units),
        "error": nets.deviation / sqrt(rounds) / units,
    }
    verdict = check(totals) if judged else None
    if verdict is not None and not verdict.unknown:  # What is not known cannot be judged.
        document["exact"] = -verdict.means[0].expected / units
        document["agrees"] = verdict.agrees
        document["judgements"] = verdict.judgements
    return document


def _path(sheet: Sheet) -> Path | None:
    place = _folder()
    return place and place / f"{digest(sheet)}.json"


@cache
def _folder() -> Path | None:
    files = [path for room in MADE_BY for path in sorted((PACKAGE / room).rglob("*.py"))]
    return folder_for(
        "reports", PACKAGE, [*files, *(Path(__file__).with_name(one) for one in HERE)]
    )


def _write(path: Path, text: str) -> None:
    """Whole or not at all."""
    part = path.with_name(f".{path.stem}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
