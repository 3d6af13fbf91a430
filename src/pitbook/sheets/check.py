"""Sense beyond types: what a careful reader would object to before a card is dealt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from pitbook.sheets.check_law import check_law, check_law_on_record
from pitbook.sheets.check_pays import check_pay_tables, check_reachable
from pitbook.sheets.check_stakes import check_cap_minimums, check_limits, check_stakes
from pitbook.sheets.check_structure import check_fit, check_names, check_structure
from pitbook.sheets.check_unused import check_idle, check_provenance
from pitbook.sheets.digest import check_approval
from pitbook.sheets.exposure import report_largest_payout
from pitbook.sheets.findings import Finding, blocking_errors
from pitbook.sheets.model import Sheet
from pitbook.text.documents import in_own_currency

Check = Callable[[Sheet], Iterator[Finding]]


class CheckStage(NamedTuple):
    """Checks that run together: those that hold for every sheet, and those for new ones alone."""

    always: tuple[Check, ...]
    unless_on_record: tuple[Check, ...]


# A stage relies on what earlier ones have found sound, so it runs only when they found no error.
STAGES = (
    CheckStage((check_structure,), (check_names, check_fit)),
    CheckStage((check_pay_tables,), (check_reachable,)),
    CheckStage((check_stakes, check_cap_minimums), (check_law, check_limits)),
    CheckStage((), (check_idle, check_provenance, check_approval)),
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
        if blocking_errors(found):
            return tuple(found)
    if on_record:
        found.extend(check_law_on_record(sheet))
    if thorough:
        from pitbook.sheets.edit import check_variants  # noqa: PLC0415  It imports this module.

        found.extend(check_variants(sheet))
        found.extend(report_largest_payout(sheet))
    return tuple(found)
