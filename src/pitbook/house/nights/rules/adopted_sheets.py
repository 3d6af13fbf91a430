"""A sheet that a house brings under its own rules is dealt there: its venue, its law, its chips."""

from __future__ import annotations

from pitbook.house.nights.rules.house_rules import HouseRules
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Chips

WORDS_MAX = 2_000


def adopted(sheet: Sheet, rules: HouseRules, chips: Chips) -> Sheet:
    """The sheet as the house's own; an approval and its day were another's, of the base sheet."""
    approval = sheet.house.approval
    here = {"venue": rules.house.name, "jurisdiction": rules.house.jurisdiction}
    house = sheet.house.model_copy(update={**here, "chips": chips, "approval": None})
    note = f"Derived from {sheet.id}, as it is dealt by {rules.house.name}"[:WORDS_MAX]
    source = sheet.source.model_copy(update={"note": note})
    since = None if approval and approval.on == sheet.effective else sheet.effective
    ours = {"house": house, "source": source, "effective": since}
    made: Sheet = sheet.model_copy(update=ours)
    return made
