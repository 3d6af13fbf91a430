"""Which pack comes to the table next and how it is shuffled: the sheet says, with its clause."""

from __future__ import annotations

from typing import NamedTuple

from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.check_structure import cards_needed
from pitbook.sheets.model import Sheet
from pitbook.shoe.record import Shuffle

PACKS = 2  # Where packs alternate and no equipment is listed.


class Pack(NamedTuple):
    """The pack that is dealt from, counted from 1."""

    pack: int
    clause: str


class Shuffled(NamedTuple):
    """How the pack is shuffled, and how often."""

    shuffle: Shuffle
    times: int
    clause: str


class Due(NamedTuple):
    """Whether the next round needs a fresh shoe."""

    due: bool
    clause: str


def next_pack(sheet: Sheet, last: int | None) -> Pack:
    """The pack for the next fresh shoe, after that one; the first where there was none."""
    turns = sheet.deck.alternate
    if turns is None or not turns.value:  # OMS-2 alternates; most houses have one pack.
        return Pack(1, turns.clause if turns else sheet.deck.clause)
    packs = sheet.equipment.packs if sheet.equipment else PACKS
    return Pack(1 if last is None else last % packs + 1, turns.clause)


def next_shuffle(sheet: Sheet, *, machine_works: bool = True) -> Shuffled | Refusal:
    """The sheet's shuffle, or its fallback when the machine fails; a refusal where it has none."""
    deck = sheet.deck
    if deck.shuffle == "hand" or machine_works:
        return Shuffled(deck.shuffle, 1, deck.clause)
    fallback = deck.fallback
    if fallback.value == "no-game":
        return refuse(Code.NOT_NOW, "shoe.packs.no-game", fallback.clause)
    return Shuffled(fallback.value, deck.fallback_times, fallback.clause)


def fresh_due(sheet: Sheet, left: int | None) -> Due:
    """Whether a shoe with so many cards left has ended; None is no shoe at all."""
    fresh, behind = sheet.deck.fresh, sheet.deck.cut_card
    if left is None or behind is None:
        return Due(True, fresh.clause)
    # A cut card that is placed too deep must not leave a full table without cards.
    return Due(left <= behind or left < cards_needed(sheet), fresh.clause)
