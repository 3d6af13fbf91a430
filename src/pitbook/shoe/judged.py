"""What every proof is held against, whatever its format: the sheet's shoe, its cards, its cents."""

from __future__ import annotations

from typing import Any

from pitbook.cards import Card, name
from pitbook.errors import RoundError
from pitbook.rules.stored import replay_stored
from pitbook.sheets.model import Sheet
from pitbook.shoe.packs import fresh_due
from pitbook.shoe.verdict import DealDifference
from pitbook.text import say, sentence_of


def of_the_shoe(decks: int, drawn: int, sheet: Sheet) -> list[DealDifference]:
    """As many decks as the sheet asks for, and a fresh shoe where it asks for one."""
    found = []
    if decks != sheet.deck.decks:
        message = say("shoe.judged.decks", decks=decks, due=sheet.deck.decks)
        found.append(DealDifference("decks", message, sheet.deck.clause))
    due, clause = fresh_due(sheet, 52 * decks - drawn)
    if drawn and due:
        message = say("shoe.judged.not-fresh", drawn=drawn)
        found.append(DealDifference("fresh", message, clause))
    return found


def other_card(place: str, number: int, recorded: Card, dealt: Card) -> DealDifference:
    """A card that is not the one that the shoe deals there."""
    message = say(
        "shoe.judged.other-card",
        number=number,
        place=place,
        recorded=name(recorded),
        dealt=name(dealt),
    )
    return DealDifference("card", message, None, place, number, name(recorded), name(dealt))


def of_the_settlement(round: Any) -> list[DealDifference]:
    """The stored round settled again; one that is over has its settlement."""
    try:
        final = replay_stored(round)
    except RoundError as error:
        return [DealDifference("settlement", sentence_of(error))]
    if final.phase == "over" and round.get("settlement") is None:
        return [DealDifference("settlement", say("shoe.judged.no-settlement"))]
    return []
