"""Notices about an approval that does not cover the sheet's rules."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.sheets.digest import approval_digest
from pitbook.sheets.findings import Finding
from pitbook.sheets.model import Sheet
from pitbook.text import say


def check(sheet: Sheet) -> Iterator[Finding]:
    """Notices if the rules took effect before their approval or differ from the approved ones."""
    approval, place = sheet.house.approval, ("house", "approval")
    if approval is None:
        return
    if sheet.effective and sheet.effective < approval.on:
        message = say("findings.fits.before-approval", day=sheet.effective.isoformat())
        yield Finding("notice", "approval", message, (*place, "on"), approval.clause)
    rules_hash = approval_digest(sheet)
    if approval.rules_hash is None:
        message = say("findings.fits.approval-without-hash", hash=rules_hash)
        yield Finding("notice", "approval", message, place, approval.clause)
    elif approval.rules_hash != rules_hash:
        message = say("findings.fits.approval-of-other-rules", day=approval.on, hash=rules_hash)
        yield Finding("notice", "approval", message, (*place, "rules_hash"), approval.clause)
