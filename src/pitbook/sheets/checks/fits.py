"""Rules that are well written and yet ask for what this game does not have."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from pitbook.money import spoken
from pitbook.sheets.families import Sheet
from pitbook.sheets.findings import Finding, Path, did_you_mean
from pitbook.sheets.hi_lo import HiLo
from pitbook.sheets.street_stud import StreetStud

YEARS = range(1800, 2200)


def check(sheet: Sheet) -> Iterator[Finding]:
    """The findings about rules that have nothing to rule."""
    yield from _counted_hands(sheet)
    yield from _days(sheet)
    yield from _packs(sheet)
    yield from _advantages(sheet)
    if isinstance(sheet, StreetStud):
        yield from _streets(sheet)
        yield from _tucked(sheet)
    else:
        yield from _double(sheet)


def _error(message: str, path: Path, clause: str | None) -> Finding:
    return Finding("error", "structure", message, path, clause)


def _counted_hands(sheet: Sheet) -> Iterator[Finding]:
    rule = sheet.irregularities.wrong_card_count
    path: Path = ("irregularities", "wrong_card_count", "hands")
    known = ("player", "dealer") if isinstance(sheet, HiLo) else ("player", "community")
    if not rule.hands:
        message = f"nobody's cards are counted; name {' or '.join(known)}, or both"
        yield _error(message, path, rule.clause)
    for number, hand in enumerate(rule.hands):
        if hand not in known:
            message = f'this game has no "{hand}" hand; name {" or ".join(known)}'
            yield _error(message, (*path, number), rule.clause)
        elif hand in rule.hands[:number]:
            yield _error(f'"{hand}" is named twice', (*path, number), rule.clause)


def _days(sheet: Sheet) -> Iterator[Finding]:
    approved = sheet.house.approval.on if sheet.house.approval else None
    days: tuple[tuple[datetime.date | None, Path], ...] = (
        (sheet.effective, ("effective",)),
        (sheet.source.dated, ("source", "dated")),
        (approved, ("house", "approval", "on")),
    )
    for day, path in days:
        if day is not None and day.year not in YEARS:
            message = f"{day.isoformat()} is no day of any house; look at the year"
            yield _error(message, path, None)
    if sheet.history and sheet.effective is None:
        message = 'there is no time before a sheet without a first day; add "effective"'
        yield _error(message, ("history",), sheet.history.clause)
    approval = sheet.house.approval
    if approval and sheet.effective and sheet.effective < approval.on:
        message = f"the sheet is in force from {sheet.effective}, before its approval"
        yield Finding("notice", "approval", message, ("house", "approval", "on"), approval.clause)


def _packs(sheet: Sheet) -> Iterator[Finding]:
    equipment, deck = sheet.equipment, sheet.deck
    if equipment is None:
        return
    if deck.alternate and deck.alternate.value and equipment.packs < 2:
        message = "one pack cannot be dealt while another is shuffled; name two packs"
        yield _error(message, ("equipment", "packs"), deck.alternate.clause)
    if deck.cut_card is not None and not equipment.cut_cards:
        message = "the shoe has a cut card, and none is at hand"
        yield _error(message, ("equipment", "cut_cards"), equipment.clause)


def _advantages(sheet: Sheet) -> Iterator[Finding]:
    """A declared advantage names a wager, once."""
    known, seen = ("main", *sheet.side), set()
    for number, one in enumerate(sheet.player_advantage):
        path: Path = ("player_advantage", number, "wager")
        if one.wager not in known:
            message = f'"{one.wager}" is no wager of this sheet; {did_you_mean(one.wager, known)}'
            yield _error(message, path, one.clause)
        elif one.wager in seen:
            yield _error(f'"{one.wager}" is declared twice', path, one.clause)
        seen.add(one.wager)


def _streets(sheet: StreetStud) -> Iterator[Finding]:
    for number, street in enumerate(sheet.streets):
        if not street.fold and street.bets == (0,) and not street.reveals.value:
            message = "nothing is decided and no card is turned here; leave the street out"
            yield _error(message, ("streets", number), street.clause)
    ties = sheet.best_play.ties
    if ties.value == "fold" and not any(street.fold for street in sheet.streets):
        message = 'nobody folds in this game; say "smallest-bet" or "largest-bet"'
        yield _error(message, ("best_play", "ties"), ties.clause)


def _tucked(sheet: StreetStud) -> Iterator[Finding]:
    tucks = sheet.fold.tucks_under if sheet.fold else None
    if tucks is None:
        return
    path: Path = ("fold", "tucks_under", "is")
    for number, wager in enumerate(tucks.value):
        after = sheet.side[wager].after_fold if wager in sheet.side else None
        if wager in tucks.value[:number]:
            yield _error(f'"{wager}" is named twice', (*path, number), tucks.clause)
        elif after is not None and not after.plays:
            message = f'"{wager}" is taken with the fold, so no cards are tucked under it'
            yield Finding("notice", "idle", message, (*path, number), tucks.clause)


def _double(sheet: HiLo) -> Iterator[Finding]:
    double = sheet.double
    if double is None or not double.within_max.value:
        return
    least = sheet.bet.min * (1 + double.times)
    if least > sheet.bet.max:
        message = (
            f"nobody can double: the smallest Bet and its double are {spoken(least)}, "
            f"above {spoken(sheet.bet.max)}"
        )
        yield _error(message, ("double", "within_max"), double.within_max.clause)
