"""Whether a recorded approval covers a sheet's rules and a paper made from them."""

from __future__ import annotations

from typing import Literal

from pitbook.sheets.digest import approval_digest
from pitbook.sheets.model import Sheet
from pitbook.sheets.ours import has_assumptions
from pitbook.sheets.parts import Approval

# "restated": the commission approved a document, and the sheet adds assumptions to it.
ApprovalStatus = Literal["none", "draft", "approved", "restated"]


def current_approval(sheet: Sheet, paper: str = "rules") -> Approval | None:
    """The recorded approval, if it covers these very rules and this paper."""
    approval = sheet.house.approval
    if approval is None or approval.rules_hash != approval_digest(sheet):
        return None
    return approval if paper in approval.papers else None


def approval_status(sheet: Sheet, paper: str = "rules") -> ApprovalStatus:
    """What a paper may claim about its approval."""
    if current_approval(sheet, paper):
        return "restated" if has_assumptions(sheet) else "approved"
    return "none" if sheet.house.approval is None or current_approval(sheet) else "draft"
