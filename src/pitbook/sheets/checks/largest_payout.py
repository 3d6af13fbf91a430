"""LAS-11: a house should know the largest payout that a round can owe, capped or not."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.sheets.exposure import exposure
from pitbook.sheets.findings import FieldPath, Finding
from pitbook.sheets.model import Sheet
from pitbook.text import say


def check(sheet: Sheet) -> Iterator[Finding]:
    """A notice with the figure for a full table and for one hand."""
    found = exposure(sheet)
    most = {"exact": found.exact, "round": found.round, "hand": found.hand}
    message = say("findings.largest.payout", seats=sheet.seats.count, **most)
    path: FieldPath = (
        ("limits",) if sheet.limits else ("uncapped",) if sheet.uncapped else ("seats",)
    )
    clause = sheet.uncapped.clause if sheet.uncapped else None
    yield Finding("notice", "largest-payout", message, path, clause)
    yield from _never_bites(sheet)


def _never_bites(sheet: Sheet) -> Iterator[Finding]:
    """Caps above everything that could be owed without them."""
    if not sheet.limits:
        return
    free = exposure(sheet.model_copy(update={"limits": ()}))
    for number, limit in enumerate(sheet.limits):
        most = free.round if limit.per == "round" else free.hand
        if limit.pays_max >= most:
            message = say("findings.largest.never-bites", per=limit.per, most=most)
            path: FieldPath = ("limits", number, "pays_max")
            yield Finding("notice", "cap-never-bites", message, path, limit.clause)
