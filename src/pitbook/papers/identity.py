"""The sheet, version and approval that every page of a paper carries."""

from __future__ import annotations

from pitbook.papers.content import Identity
from pitbook.sheets.approval import approval_status, current_approval
from pitbook.sheets.digest import digest, packet_digest
from pitbook.sheets.model import Sheet
from pitbook.text import Sentence, say


def identity(sheet: Sheet, paper: str) -> Identity:
    """The identity that every page of a paper shows."""
    status = approval_status(sheet, paper)
    return Identity(
        sheet=sheet.id,
        hash=digest(sheet),
        packet=packet_digest(sheet),
        venue=sheet.house.venue,
        title=sheet.title,
        effective=say("papers.identity.draft") if status == "draft" else _effective(sheet),
        approved=_approval_text(sheet, paper),
        version=version_of(sheet),
    )


def _effective(sheet: Sheet) -> Sentence:
    if sheet.effective is None:
        return say("papers.identity.undated")
    return say("papers.identity.in-force", day=sheet.effective)


def _approval_text(sheet: Sheet, paper: str) -> str:
    """The approval line; empty for a draft, which is marked in place of its effective date."""
    approval = current_approval(sheet, paper)
    if approval is None:
        draft = approval_status(sheet, paper) == "draft"
        return "" if draft else say("papers.identity.not-approved")
    status = approval_status(sheet, paper)
    return say("papers.identity.approved", status=status, day=approval.on)


def version_of(sheet: Sheet) -> str:
    """The version that the house names, or the effective date; a draft has neither date."""
    if sheet.filing and sheet.filing.version:
        return sheet.filing.version
    if approval_status(sheet) == "draft":
        return say("papers.identity.draft-version", hash=digest(sheet)[:8])
    return sheet.effective.isoformat() if sheet.effective else say("papers.identity.unversioned")
