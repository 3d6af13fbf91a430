"""What figures assume of a shoe that is dealt down to a cut card; a fresh shoe needs no word."""

from __future__ import annotations

from pitbook.sheets.model import Sheet
from pitbook.text import say


def figured_shoe(sheet: Sheet) -> str | None:
    """Of the value of one round, which is the same on average in every place of the shoe.

    How many rounds a shoe gives does not depend on its cards, so before any is seen no round
    differs from the first.
    """
    return say("aloud.shoe.figured") if _cut(sheet) else None


def played_shoe(sheet: Sheet) -> str | None:
    """Of many rounds, which in truth leave each other fewer cards."""
    return say("aloud.shoe.played") if _cut(sheet) else None


def advised_shoe(sheet: Sheet) -> str | None:
    """Of one decision: only cards that are named are known to be gone."""
    return say("aloud.shoe.advised") if _cut(sheet) else None


def _cut(sheet: Sheet) -> bool:
    return sheet.deck.fresh.value == "cut-card"
