"""A sheet read aloud: every rule as a clause of English, for rack cards and comparisons alike."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.sheets.aloud import common, hi_lo, mishaps, money, street_stud
from pitbook.sheets.aloud.saying import HEADINGS, Saying, capital
from pitbook.sheets.families import Sheet
from pitbook.sheets.street_stud import StreetStud

__all__ = ["HEADINGS", "Saying", "capital", "sayings"]


def sayings(sheet: Sheet) -> list[Saying]:
    """Everything a sheet says but its pay tables, in the order of the headings."""
    found = [*_common(sheet), *_of_family(sheet)]
    return sorted(found, key=lambda one: HEADINGS.index(one.heading))


def _common(sheet: Sheet) -> Iterator[Saying]:
    yield from common.house(sheet)
    yield from common.seats(sheet)
    yield from common.cards(sheet)
    yield from common.wagers(sheet)
    yield from money.pay_table(sheet)
    yield from money.limits(sheet)
    yield from money.settlement(sheet)
    yield from money.payouts(sheet)
    yield from money.advantages(sheet)
    yield from mishaps.irregularities(sheet)
    yield from money.best_play(sheet)


def _of_family(sheet: Sheet) -> Iterator[Saying]:
    if isinstance(sheet, StreetStud):
        yield from street_stud.deal(sheet)
        yield from street_stud.streets(sheet)
        yield from street_stud.folds(sheet)
    else:
        yield from hi_lo.deal(sheet)
        yield from hi_lo.play(sheet)
        yield from hi_lo.pay_table(sheet)
        yield from hi_lo.settlement(sheet)
