"""Rules that are well written and yet ask for what this game does not have."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from pitbook.sheets.checks.structure import error
from pitbook.sheets.families import family_of
from pitbook.sheets.findings import FieldPath, Finding, did_you_mean
from pitbook.sheets.model import Sheet
from pitbook.text import say

YEARS = range(1800, 2200)


def check(sheet: Sheet) -> Iterator[Finding]:
    """The findings about rules that have nothing to rule."""
    yield from _counted_hands(sheet)
    yield from _days(sheet)
    yield from _packs(sheet)
    yield from _advantages(sheet)
    yield from family_of(sheet).checks().fits(sheet)


def _counted_hands(sheet: Sheet) -> Iterator[Finding]:
    rule = sheet.irregularities.wrong_card_count
    path: FieldPath = ("irregularities", "wrong_card_count", "hands")
    dealt = (one for one in sheet.deal.order if one != "players")
    known = tuple(dict.fromkeys(("player", sheet.board_word, *dealt)))
    if not rule.hands:
        message = say("findings.fits.nobody-counted", known=known)
        yield error(message, path, rule.clause)
    for number, hand in enumerate(rule.hands):
        if hand not in known:
            message = say("findings.fits.no-hand", hand=hand, known=known)
            yield error(message, (*path, number), rule.clause)
        elif hand in rule.hands[:number]:
            yield error(say("findings.named-twice", name=hand), (*path, number), rule.clause)


def _days(sheet: Sheet) -> Iterator[Finding]:
    approved = sheet.house.approval.on if sheet.house.approval else None
    days: tuple[tuple[datetime.date | None, FieldPath], ...] = (
        (sheet.effective, ("effective",)),
        (sheet.source.dated, ("source", "dated")),
        (approved, ("house", "approval", "on")),
    )
    for day, path in days:
        if day is not None and day.year not in YEARS:
            message = say("findings.fits.no-day", day=day.isoformat())
            yield error(message, path, None)
    if sheet.history and sheet.effective is None:
        message = say("findings.fits.no-first-day")
        yield error(message, ("history",), sheet.history.clause)


def _packs(sheet: Sheet) -> Iterator[Finding]:
    equipment, deck = sheet.equipment, sheet.deck
    if equipment is None:
        return
    if deck.alternate and deck.alternate.value and equipment.packs < 2:
        message = say("findings.fits.two-packs")
        yield error(message, ("equipment", "packs"), deck.alternate.clause)
    if deck.cut_card is not None and not equipment.cut_cards:
        message = say("findings.fits.no-cut-card")
        yield error(message, ("equipment", "cut_cards"), equipment.clause)


def _advantages(sheet: Sheet) -> Iterator[Finding]:
    """A declared advantage names a wager, once."""
    known, seen = ("main", *sheet.side), set()
    for number, one in enumerate(sheet.player_advantage):
        path: FieldPath = ("player_advantage", number, "wager")
        if one.wager not in known:
            remedy = did_you_mean(one.wager, known)
            message = say("findings.no-wager", wager=one.wager, remedy=remedy)
            yield error(message, path, one.clause)
        elif one.wager in seen:
            yield error(say("findings.fits.declared-twice", wager=one.wager), path, one.clause)
        seen.add(one.wager)
