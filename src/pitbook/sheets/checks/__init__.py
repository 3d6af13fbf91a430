"""Sense beyond types: what a careful reader would object to before a card is dealt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from pitbook.sheets.checks import (
    approval,
    caps,
    counted,
    fits,
    idle,
    law,
    marks,
    names,
    pay_tables,
    reach,
    stakes,
    structure,
)
from pitbook.sheets.findings import Finding, forbidding
from pitbook.sheets.model import Sheet
from pitbook.text.documents import in_own_currency

Check = Callable[[Sheet], Iterator[Finding]]


class CheckStage(NamedTuple):
    """Checks that run together: those that hold for every sheet, and those for new ones alone."""

    always: tuple[Check, ...]
    unless_on_record: tuple[Check, ...]


# A stage relies on what earlier ones have found sound, so it runs only when they found no error.
STAGES = (
    CheckStage((structure.check,), (names.check, fits.check)),
    CheckStage((pay_tables.check,), (reach.check,)),
    CheckStage((stakes.check, caps.check), (law.check, counted.check)),
    CheckStage((), (idle.check, marks.check, approval.check)),
)


def check(sheet: Sheet, *, thorough: bool = True, on_record: bool = False) -> tuple[Finding, ...]:
    """Every finding about a sheet, in its house's money and without its place in a file.

    A sheet that is `on_record` was played by already: what was never minded is not minded now.
    """
    found, money = _found(sheet, thorough=thorough, on_record=on_record), sheet.house.currency
    if money is None:
        return found
    return tuple(replace(one, message=in_own_currency(one.message, money)) for one in found)


def _found(sheet: Sheet, *, thorough: bool, on_record: bool) -> tuple[Finding, ...]:
    found: list[Finding] = []
    for stage in STAGES:
        for one in (*stage.always, *(() if on_record else stage.unless_on_record)):
            found.extend(one(sheet))
        if forbidding(found):
            return tuple(found)
    if on_record:
        found.extend(law.check_on_record(sheet))
    if thorough:
        from pitbook.sheets import variants  # noqa: PLC0415  Each is checked as a sheet is.
        from pitbook.sheets.checks import largest_payout  # noqa: PLC0415  It brings NumPy.

        found.extend(variants.check(sheet))
        found.extend(largest_payout.check(sheet))
    return tuple(found)
