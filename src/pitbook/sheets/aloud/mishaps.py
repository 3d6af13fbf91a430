"""What a sheet says for when something goes wrong."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.sheets.aloud.saying import Saying, said
from pitbook.sheets.aloud.words import listed
from pitbook.sheets.model import Information, Misdeal, Sheet

_HANDS = {"player": "a player's hand", "dealer": "the dealer's hand", "community": "the board"}
_RESULT = {"plays": "plays", "void-hand": "voids the hand", "void-round": "voids the round"}
_INTERRUPTION = {
    "resume": "is resumed where it stopped",
    "agree-or-dead": "is completed if it can be read and every player agrees, "
    "else it is dead and its wagers go back",
}
_WHOSE = {"giver-and-taker": "giver and taker", "giver": "the giver", "taker": "the taker"}


def irregularities(sheet: Sheet) -> Iterator[Saying]:
    """Everything that can go wrong, and what follows."""
    yield from _misdeals(sheet)
    yield from _cards(sheet)
    yield from _offences(sheet)
    at, stop = "Irregularities", sheet.irregularities.interruption
    says, fields = _INTERRUPTION[stop.value], "irregularities.interruption"
    yield said(at, "Interruption", "an interrupted round", says, fields, stop)


def _misdeals(sheet: Sheet) -> Iterator[Saying]:
    at, rule = "Irregularities", sheet.irregularities
    count, fields = rule.wrong_card_count, "irregularities.wrong_card_count"
    hands = listed([_HANDS[one] for one in count.hands], "or") if count.hands else "any hand"
    subject = f"a wrong number of cards in {hands}"
    whose = listed(count.hands, "or") if count.hands else "any hand"
    short = f"wrong for {whose.replace('community', 'board')}: a {count.result}"
    yield said(at, "Card count", subject, f"is a {count.result}", fields, count, short=short)
    says, fields = _misdeal(rule.misdeal), "irregularities.misdeal"
    yield said(at, "Misdeal", "a misdeal", says, fields, rule.misdeal, short=says)
    first, fields = rule.misdeal_over_offence, "irregularities.misdeal_over_offence"
    says = "prevails over" if first.value else "does not undo"
    short = f"{says} an offence in the same round"
    yield said(at, "", "a misdeal", short, fields, first, short=short)


def _misdeal(rule: Misdeal) -> str:
    wagers = "every wager" if rule.returns == "every-wager" else "every wager still live"
    which = rule.until.removesuffix("-seat-settled")
    return f"returns {wagers} until the {which} seat is settled"


def _cards(sheet: Sheet) -> Iterator[Saying]:
    at, rule = "Irregularities", sheet.irregularities
    early, fields = rule.early_card, "irregularities.early_card"
    subject = f"{sheet.board_card} turned too early"
    yield said(at, "Early card", subject, _RESULT[early.value], fields, early)
    shown, fields = rule.exposed_card, "irregularities.exposed_card"
    subject = "a player's card that the dealer exposes"
    yield said(at, "Exposed card", subject, _RESULT[shown.value], fields, shown)
    fouled, fields = rule.fouled_deck, "irregularities.fouled_deck"
    says = _RESULT[fouled.value]
    yield said(at, "Fouled deck", "a fouled deck", says, fields, fouled, short=says)


def _offences(sheet: Sheet) -> Iterator[Saying]:
    at, rule = "Irregularities", sheet.irregularities
    if off := rule.cards_off_table:
        says = "bring a warning" if off.value == "warn" else "void the hand"
        subject, fields = "cards taken off the table", "irregularities.cards_off_table"
        yield said(at, "Off the table", subject, says, fields, off)
    if told := rule.information:
        says, fields = _offence(told), "irregularities.information"
        subject, rules = "giving or taking hand information", (told, told.whose)
        yield said(at, "Information", subject, says, fields, *rules, short=says)


def _offence(told: Information) -> str:
    whose = _WHOSE[told.whose.value]
    return {
        "forfeit": f"forfeits every wager of {whose}",
        "void": f"voids the hand of {whose}",
        "warn": f"brings {whose} a warning",
    }[told.result]
