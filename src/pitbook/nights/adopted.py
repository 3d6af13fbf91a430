"""A sheet that a house brings under its own rules is dealt there: its venue, its law, its chips."""

from __future__ import annotations

from pitbook.nights.rules import HouseRules
from pitbook.sheets.families import Sheet
from pitbook.sheets.model import Chips

__all__ = ["adopted"]

WORDS_MAX = 2_000


def adopted(sheet: Sheet, rules: HouseRules, chips: Chips) -> Sheet:
    """The sheet as the house's own; an approval was another regulator's, of the base sheet."""
    here = {"venue": rules.house.name, "jurisdiction": rules.house.jurisdiction}
    house = sheet.house.model_copy(update={**here, "chips": chips, "approval": None})
    note = f"Derived from {sheet.id}, as it is dealt by {rules.house.name}"[:WORDS_MAX]
    source = sheet.source.model_copy(update={"note": note})
    made: Sheet = sheet.model_copy(update={"house": house, "source": source})
    return made
