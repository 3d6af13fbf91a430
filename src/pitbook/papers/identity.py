"""Which sheet a paper is of, as every page of it says."""

from __future__ import annotations

from pitbook.papers.content import Identity
from pitbook.sheets.digest import digest, packet_digest
from pitbook.sheets.model import Sheet
from pitbook.wording import say

__all__ = ["identity", "version_of"]


def identity(sheet: Sheet) -> Identity:
    """What every page of a sheet's papers carries."""
    approval, since = sheet.house.approval, sheet.effective
    return Identity(
        sheet=sheet.id,
        hash=digest(sheet),
        packet=packet_digest(sheet),
        venue=sheet.house.venue,
        title=sheet.title,
        effective=say("papers.identity.in-force", day=since)
        if since
        else say("papers.identity.undated"),
        approved=say("papers.identity.approved", day=approval.on)
        if approval
        else say("papers.identity.not-approved"),
        version=version_of(sheet),
    )


def version_of(sheet: Sheet) -> str:
    """The version that the house names, or the day from which the sheet holds."""
    if sheet.filing and sheet.filing.version:
        return sheet.filing.version
    return sheet.effective.isoformat() if sheet.effective else say("papers.identity.unversioned")
