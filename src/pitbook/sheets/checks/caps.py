"""Caps on payouts: a cap that bites at the smallest bet, and what the state allows."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.money import Odds, dollars, spoken
from pitbook.sheets.families import Sheet
from pitbook.sheets.findings import Finding, Level, Path
from pitbook.sheets.limits import counted
from pitbook.sheets.model import Limit

IOWA_ODDS_ABOVE = Odds(50, 1)
IOWA_PAYS_MIN = dollars("25000")
IOWA_RULE = "Iowa 491-11.7"


def check(sheet: Sheet) -> Iterator[Finding]:
    """The findings about limits."""
    for number, limit in enumerate(sheet.limits):
        path: Path = ("limits", number)
        yield from _below_minimum(sheet, limit, path)
        if sheet.house.jurisdiction.strip().casefold() == "iowa" and limit.per == "round":
            yield from _iowa(sheet, limit, path)


def _top_award(sheet: Sheet, limit: Limit, units: int) -> tuple[int, str]:
    """The most that one counted wager wins on so many of its smallest stake, and on what."""
    best = (0, "")
    for wager, line, pay in counted(sheet, limit):
        stake = sheet.main_wager.min if wager == "main" else sheet.side[wager].stake.min
        bets = units if wager == "main" and limit.per != "bet" else 1
        best = max(best, (stake * bets * pay.to // pay.one, f'"{line}" on {wager}'))
    return best


def _below_minimum(sheet: Sheet, limit: Limit, path: Path) -> Iterator[Finding]:
    award, on = _top_award(sheet, limit, sheet.units_min)
    if limit.pays_max < award:
        message = (
            f"the cap of {spoken(limit.pays_max)} is below the {spoken(award)} that "
            f"{on} wins at the minimum bets"
        )
        yield Finding("notice", "cap-below-minimum", message, (*path, "pays_max"), limit.clause)


def _iowa(sheet: Sheet, limit: Limit, path: Path) -> Iterator[Finding]:
    """Iowa 491-11.7 on aggregate limits: an error unless the sheet says why it departs."""
    level: Level = "notice" if limit.departs else "error"
    reason = f" (declared: {limit.departs})" if limit.departs else ""
    for field, breach in _iowa_breaches(sheet, limit):
        message = f"{IOWA_RULE}: {breach}{reason}"
        yield Finding(level, "iowa", message, (*path, field), limit.clause)


def _iowa_breaches(sheet: Sheet, limit: Limit) -> Iterator[tuple[str, str]]:
    low = [f'"{line}" at {pay}' for _, line, pay in counted(sheet, limit) if pay <= IOWA_ODDS_ABOVE]
    if low:
        yield "counts", f"only odds above 50:1 may be capped, not {', '.join(low)}"
    needed = max(IOWA_PAYS_MIN, _top_award(sheet, limit, sheet.units_max)[0])
    if limit.pays_max < needed:
        yield "pays_max", f"the cap must be at least {spoken(needed)}"
    if not limit.posted:
        yield "posted", "the limit must be posted"
