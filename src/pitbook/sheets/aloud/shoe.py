"""What figures assume of a shoe that is dealt down to a cut card; a fresh shoe needs no word."""

from __future__ import annotations

from pitbook.sheets.model import Sheet

__all__ = ["advised_shoe", "figured_shoe", "played_shoe"]


def figured_shoe(sheet: Sheet) -> str | None:
    """Of the value of one round, which is the same on average in every place of the shoe.

    How many rounds a shoe gives does not depend on its cards, so before any is seen no round
    differs from the first.
    """
    return _where_cut(
        sheet,
        "As if each round came from a full shoe: that is the average of all rounds before the cut "
        "card for a player who does not count cards.",
    )


def played_shoe(sheet: Sheet) -> str | None:
    """Of many rounds, which in truth leave each other fewer cards."""
    return _where_cut(
        sheet,
        "As if each round came from a full shoe: the mean is that of a shoe dealt to the cut card, "
        "but what one round leaves the next is not followed.",
    )


def advised_shoe(sheet: Sheet) -> str | None:
    """Of one decision: only cards that are named are known to be gone."""
    return _where_cut(
        sheet,
        "As if from a full shoe: cards that earlier rounds took before the cut card count only "
        "where they are named as dead.",
    )


def _where_cut(sheet: Sheet, sentence: str) -> str | None:
    return sentence if sheet.deck.fresh.value == "cut-card" else None
