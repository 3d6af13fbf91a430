"""Which pack comes to the table next and how it is shuffled, with the clause of the sheet."""

from __future__ import annotations

from typing import NamedTuple

from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.check_structure import cards_needed
from pitbook.sheets.model import Sheet
from pitbook.shoe.stored_shoe import Shuffle

PACKS = 2  # If packs alternate and no equipment is listed.


class Pack(NamedTuple):
    """The pack in play, counted from 1."""

    pack: int
    clause: str


class ShuffleRule(NamedTuple):
    """How the pack is shuffled, and how often."""

    shuffle: Shuffle
    times: int
    clause: str


class FreshShoeRule(NamedTuple):
    """Whether the next round needs a fresh shoe."""

    due: bool
    clause: str


def next_pack(sheet: Sheet, last: int | None) -> Pack:
    """The pack for the next fresh shoe after `last`; the first pack if `last` is None."""
    alternation = sheet.deck.alternate
    # OMS-2 alternates packs; most casinos use one.
    if alternation is None or not alternation.value:
        return Pack(1, alternation.clause if alternation else sheet.deck.clause)
    packs = sheet.equipment.packs if sheet.equipment else PACKS
    return Pack(1 if last is None else last % packs + 1, alternation.clause)


def next_shuffle(sheet: Sheet, *, machine_works: bool = True) -> ShuffleRule | Refusal:
    """The sheet's shuffle, or its fallback if the machine fails; a refusal if it has none."""
    deck = sheet.deck
    if deck.shuffle == "hand" or machine_works:
        return ShuffleRule(deck.shuffle, 1, deck.clause)
    fallback = deck.fallback
    if fallback.value == "no-game":
        return refuse(Code.NOT_NOW, "shoe.packs.no-game", fallback.clause)
    return ShuffleRule(fallback.value, deck.fallback_times, fallback.clause)


def fresh_due(sheet: Sheet, remaining: int | None) -> FreshShoeRule:
    """Whether a shoe with this many cards left has ended; None means no shoe."""
    fresh, cut_card = sheet.deck.fresh, sheet.deck.cut_card
    if remaining is None or cut_card is None:
        return FreshShoeRule(True, fresh.clause)
    # A cut card that is placed too deep must not leave a full table without cards.
    return FreshShoeRule(remaining <= cut_card or remaining < cards_needed(sheet), fresh.clause)
