"""All checks of a sheet beyond its types, run in stages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from pitbook.sheets.check_pays import check_pay_tables, check_reachable
from pitbook.sheets.check_stakes import check_cap_minimums, check_limits, check_stakes
from pitbook.sheets.check_structure import check_fit, check_names, check_structure
from pitbook.sheets.check_unused_choices import check_idle
from pitbook.sheets.findings import Finding, blocking_errors
from pitbook.sheets.hashes import check_approval
from pitbook.sheets.jurisdictions import check_law, check_law_on_record
from pitbook.sheets.largest_payout import report_largest_payout
from pitbook.sheets.model import Sheet
from pitbook.sheets.provenance import check_provenance
from pitbook.text.sentences import fix_foreign_currency

Check = Callable[[Sheet], Iterator[Finding]]


class CheckStage(NamedTuple):
    """Checks that run together: `always`, and those for new sheets only."""

    always: tuple[Check, ...]
    unless_on_record: tuple[Check, ...]


# A stage relies on earlier ones, so it runs only if they found no errors.
STAGES = (
    CheckStage((check_structure,), (check_names, check_fit)),
    CheckStage((check_pay_tables,), (check_reachable,)),
    CheckStage((check_stakes, check_cap_minimums), (check_law, check_limits)),
    CheckStage((), (check_idle, check_provenance, check_approval)),
)


def check(sheet: Sheet, *, thorough: bool = True, on_record: bool = False) -> tuple[Finding, ...]:
    """All findings about a sheet, in its own currency, without positions in a file.

    A sheet `on_record` has been played: newer checks do not apply to it.
    """
    findings = _run_stages(sheet, thorough=thorough, on_record=on_record)
    currency = sheet.house.currency
    if currency is None:
        return findings
    return tuple(
        replace(finding, message=fix_foreign_currency(finding.message, currency))
        for finding in findings
    )


def _run_stages(sheet: Sheet, *, thorough: bool, on_record: bool) -> tuple[Finding, ...]:
    findings: list[Finding] = []
    for stage in STAGES:
        for stage_check in (*stage.always, *(() if on_record else stage.unless_on_record)):
            findings.extend(stage_check(sheet))
        if blocking_errors(findings):
            return tuple(findings)
    if on_record:
        findings.extend(check_law_on_record(sheet))
    if thorough:
        from pitbook.sheets.edit import check_variants  # noqa: PLC0415  It imports this module.

        findings.extend(check_variants(sheet))
        findings.extend(report_largest_payout(sheet))
    return tuple(findings)
