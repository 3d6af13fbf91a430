"""A sheet's check with what the mathematics adds: edges, advantages, and what prose is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pitbook.exact.edges import Edge, advantages, edges, too_large
from pitbook.exact.service import prose_worth
from pitbook.sheets.digest import digest
from pitbook.sheets.examine import in_order, placed_in
from pitbook.sheets.findings import Finding, errors, listed
from pitbook.sheets.loader import Reading
from pitbook.sheets.model import Sheet
from pitbook.text import say

__all__ = ["Checked", "checked"]


@dataclass(frozen=True)
class Checked:
    """A sheet, everything found about it, and the edge of each of its wagers."""

    sheet: Sheet | None
    findings: tuple[Finding, ...]
    wagers: Mapping[str, Edge]

    def document(self) -> dict[str, Any]:
        """The check as JSON carries it; findings past the first hundred of a level are counted."""
        return {
            "sheet": self.sheet.id if self.sheet else None,
            "hash": digest(self.sheet) if self.sheet else None,
            "valid": not errors(self.findings),
            "wagers": {name: edge.document() for name, edge in self.wagers.items()},
            "left_out": {"error": 0, "notice": 0},
            **listed(self.findings),
        }


def checked(reading: Reading) -> Checked:
    """A reading measured; a sheet with errors has no figures.

    A wager that the player has the better of is an error here alone: the sheet can be loaded.
    """
    if reading.sheet is None:
        return Checked(None, reading.findings, {})
    wagers = edges(reading.sheet)
    found = [_priced(one, reading.sheet) for one in reading.findings]
    found += placed_in(reading, advantages(reading.sheet, wagers))
    return Checked(reading.sheet, in_order(found), wagers)


def _priced(finding: Finding, sheet: Sheet) -> Finding:
    """A disagreement of prose and pay table with what it is worth (OMS-7)."""
    if finding.code != "prose" or too_large(sheet) or (worth := prose_worth(sheet)) is None:
        return finding
    points = {"points": f"{abs(float(worth)) * 100:.2f}", "higher": worth >= 0}
    message = say("findings.prose.worth", message=finding.message, **points)
    return replace(finding, message=message)
