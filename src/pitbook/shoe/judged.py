"""Checks common to all proof formats: the sheet's shoe, the cards and the settlement."""

from __future__ import annotations

from typing import Any

from pitbook.cards import Card, name
from pitbook.errors import RoundError
from pitbook.rules.stored import replay_stored
from pitbook.sheets.model import Sheet
from pitbook.shoe.packs import fresh_due
from pitbook.shoe.verdict import DealDifference
from pitbook.text import say, sentence_of


def shoe_differences(decks: int, drawn: int, sheet: Sheet) -> list[DealDifference]:
    """Check the number of decks, and that the shoe is fresh if the sheet requires it."""
    differences = []
    if decks != sheet.deck.decks:
        message = say("shoe.judged.decks", decks=decks, due=sheet.deck.decks)
        differences.append(DealDifference("decks", message, sheet.deck.clause))
    due, clause = fresh_due(sheet, 52 * decks - drawn)
    if drawn and due:
        message = say("shoe.judged.not-fresh", drawn=drawn)
        differences.append(DealDifference("fresh", message, clause))
    return differences


def card_difference(place: str, number: int, recorded: Card, dealt: Card) -> DealDifference:
    """The difference for a card other than the one the shoe deals there."""
    message = say(
        "shoe.judged.other-card",
        number=number,
        place=place,
        recorded=name(recorded),
        dealt=name(dealt),
    )
    return DealDifference("card", message, None, place, number, name(recorded), name(dealt))


def settlement_differences(round: Any) -> list[DealDifference]:
    """Settle the stored round again; a finished round must have a settlement."""
    try:
        final = replay_stored(round)
    except RoundError as error:
        return [DealDifference("settlement", sentence_of(error))]
    if final.phase == "over" and round.get("settlement") is None:
        return [DealDifference("settlement", say("shoe.judged.no-settlement"))]
    return []
