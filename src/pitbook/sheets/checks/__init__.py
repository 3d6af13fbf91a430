"""Sense beyond types: what a careful reader would object to before a card is dealt."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pitbook.sheets.checks import caps, idle, marks, pay_tables, stakes, structure
from pitbook.sheets.families import Sheet
from pitbook.sheets.findings import Finding, errors

Check = Callable[[Sheet], Iterator[Finding]]

# A stage relies on what earlier ones have found sound, so it runs only when they found no error.
STAGES: tuple[tuple[Check, ...], ...] = (
    (structure.check,),
    (pay_tables.check,),
    (stakes.check, caps.check),
)


def check(sheet: Sheet, *, thorough: bool = True, on_record: bool = False) -> tuple[Finding, ...]:
    """Every finding about a sheet, without its place in a file.

    A sheet that is `on_record` was played by already: what was never minded is not minded now.
    """
    found: list[Finding] = []
    for stage in STAGES:
        for one in stage:
            found.extend(one(sheet))
        if errors(found):
            return tuple(found)
    if not on_record:
        found.extend(idle.check(sheet))
        found.extend(marks.check(sheet))
    if thorough:
        from pitbook.sheets.checks import largest  # noqa: PLC0415  It brings NumPy.

        found.extend(largest.check(sheet))
    return tuple(found)
