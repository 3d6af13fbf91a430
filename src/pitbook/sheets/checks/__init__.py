"""Sense beyond types: what a careful reader of a rule sheet would object to, before a card is dealt."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pitbook.sheets.checks import caps, pay_tables, stakes, structure
from pitbook.sheets.families import Sheet
from pitbook.sheets.findings import Finding, errors

Check = Callable[[Sheet], Iterator[Finding]]

# Later checks rely on what earlier ones have found sound: they run only when those found no error.
STAGES: tuple[tuple[Check, ...], ...] = (
    (structure.check,),
    (pay_tables.check, stakes.check),
    (caps.check,),
)


def check(sheet: Sheet) -> tuple[Finding, ...]:
    """Every finding about a sheet, without its place in a file."""
    found: list[Finding] = []
    for stage in STAGES:
        for one in stage:
            found.extend(one(sheet))
        if errors(found):
            break
    return tuple(found)
