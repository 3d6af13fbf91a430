"""Sheets used by several tests of exact figures."""

from __future__ import annotations

from tests.sheets.samples import UNUSUAL, sheet_of

from pitbook.rules.families.hi_lo.sheet import HiLo
from pitbook.rules.families.street_stud.sheet import StreetStud

# Low caps are allowed in any jurisdiction.
ANYWHERE = 'jurisdiction = "Iowa"', 'jurisdiction = "any"'


def unusual_stud(name: str) -> StreetStud:
    sheet = sheet_of((UNUSUAL / f"{name}.toml").read_text(encoding="utf-8"))
    assert isinstance(sheet, StreetStud)
    return sheet


def four_card_hi_lo() -> HiLo:
    sheet = sheet_of((UNUSUAL / "four-card-hi-lo.toml").read_text(encoding="utf-8"))
    assert isinstance(sheet, HiLo)
    return sheet
