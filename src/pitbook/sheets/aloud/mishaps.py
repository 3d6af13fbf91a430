"""What a sheet says for when something goes wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pitbook.sheets.aloud.saying import Saying, aloud
from pitbook.sheets.model import Sheet
from pitbook.text import Sentence, say

AT = "Irregularities"


def irregularities(sheet: Sheet) -> Iterator[Saying]:
    """Everything that can go wrong, and what follows."""
    yield from _misdeals(sheet)
    yield from _cards(sheet)
    yield from _offences(sheet)
    stop, fields = sheet.irregularities.interruption, "irregularities.interruption"
    yield aloud(AT, "aloud.mishaps.interruption", fields, stop, rule=stop.value)


def _misdeals(sheet: Sheet) -> Iterator[Saying]:
    rule = sheet.irregularities
    count, fields = rule.wrong_card_count, "irregularities.wrong_card_count"
    any_hand = (say("aloud.mishaps.any-hand"),)
    hands = tuple(say("aloud.mishaps.hand", hand=one) for one in count.hands) or any_hand
    whose = tuple(say("aloud.mishaps.whose", hand=one) for one in count.hands) or any_hand
    told: dict[str, Any] = {"hands": hands, "whose": whose, "result": count.result}
    yield aloud(AT, "aloud.mishaps.card-count", fields, count, **told)
    whole, fields = rule.misdeal, "irregularities.misdeal"
    told = {"returns": whole.returns, "until": whole.until}
    yield aloud(AT, "aloud.mishaps.misdeal", fields, whole, **told)
    first, fields = rule.misdeal_over_offence, "irregularities.misdeal_over_offence"
    yield aloud(AT, "aloud.mishaps.misdeal-first", fields, first, first=first.value)


def _cards(sheet: Sheet) -> Iterator[Saying]:
    rule = sheet.irregularities
    early, fields = rule.early_card, "irregularities.early_card"
    both = {"community", "dealer"} <= set(sheet.deal.order)
    told = {"board": "both" if both else sheet.board_word, "plain": sheet.board_card}
    card = say("aloud.mishaps.board-card", **told)
    result = _result(early.value)
    yield aloud(AT, "aloud.mishaps.early-card", fields, early, card=card, result=result)
    shown, fields = rule.exposed_card, "irregularities.exposed_card"
    yield aloud(AT, "aloud.mishaps.exposed-card", fields, shown, result=_result(shown.value))
    fouled, fields = rule.fouled_deck, "irregularities.fouled_deck"
    yield aloud(AT, "aloud.mishaps.fouled-deck", fields, fouled, result=_result(fouled.value))


def _result(result: str) -> Sentence:
    """What becomes of the round, or of the hand."""
    return say("aloud.mishaps.result", result=result)


def _offences(sheet: Sheet) -> Iterator[Saying]:
    rule = sheet.irregularities
    if off := rule.cards_off_table:
        fields = "irregularities.cards_off_table"
        yield aloud(AT, "aloud.mishaps.off-table", fields, off, result=off.value)
    if told := rule.information:
        fields, whose = "irregularities.information", told.whose
        who = say("aloud.mishaps.offender", whose=whose.value)
        words = {"result": told.result, "who": who}
        yield aloud(AT, "aloud.mishaps.information", fields, told, whose, **words)
