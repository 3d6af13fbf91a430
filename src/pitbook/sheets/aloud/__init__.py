"""A sheet read aloud: every rule as a clause of English, for rack cards and comparisons alike."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.sheets.aloud import common, mishaps, money
from pitbook.sheets.aloud.paperwork import paperwork
from pitbook.sheets.aloud.saying import HEADINGS, Saying
from pitbook.sheets.families import family_of
from pitbook.sheets.model import Sheet
from pitbook.text import capital

__all__ = ["HEADINGS", "Saying", "capital", "sayings"]


def sayings(sheet: Sheet) -> list[Saying]:
    """Everything a sheet says but its pay tables, in the order of the headings."""
    found = [*_common(sheet), *family_of(sheet).sayings(sheet)]
    return sorted(found, key=lambda one: HEADINGS.index(one.heading))


def _common(sheet: Sheet) -> Iterator[Saying]:
    yield from common.house(sheet)
    yield from common.seats(sheet)
    yield from common.cards(sheet)
    yield from common.wagers(sheet)
    yield from money.pay_table(sheet)
    yield from money.variants(sheet)
    yield from money.limits(sheet)
    yield from money.settlement(sheet)
    yield from money.payouts(sheet)
    yield from money.advantages(sheet)
    yield from mishaps.irregularities(sheet)
    yield from money.best_play(sheet)
    yield from paperwork(sheet)
