"""Caps on payouts: a cap that bites at the smallest bet already."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.sheets.findings import FieldPath, Finding
from pitbook.sheets.limits import counted
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Limit
from pitbook.text import Sentence, say


def check(sheet: Sheet) -> Iterator[Finding]:
    """The findings about limits."""
    for number, limit in enumerate(sheet.limits):
        path: FieldPath = ("limits", number)
        yield from _below_minimum(sheet, limit, path)


def top_award(sheet: Sheet, limit: Limit, units: int) -> tuple[int, Sentence]:
    """The most that one counted wager wins on so many of its smallest stake, and on what."""
    best = (0, Sentence(""))
    for wager, line, pay in counted(sheet, limit):
        stake = sheet.main_wager.min if wager == "main" else sheet.side[wager].stake.min
        bets = units if wager == "main" and limit.per != "bet" else 1
        best = max(
            best,
            (
                stake * bets * pay.to // pay.one,
                say("findings.caps.line-on", line=line, wager=wager),
            ),
        )
    return best


def _below_minimum(sheet: Sheet, limit: Limit, path: FieldPath) -> Iterator[Finding]:
    award, on = top_award(sheet, limit, sheet.units_min)
    if limit.pays_max < award:
        below = {"cap": limit.pays_max, "award": award, "on": on}
        message = say("findings.caps.below-minimum", **below)
        yield Finding("notice", "cap-below-minimum", message, (*path, "pays_max"), limit.clause)
