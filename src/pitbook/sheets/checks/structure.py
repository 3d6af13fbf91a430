"""The parts of a sheet fit each other: names exist, cards suffice, orders are whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pitbook.sheets.families import family_of
from pitbook.sheets.findings import FieldPath, Finding, did_you_mean
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import SideStake
from pitbook.sheets.pays import pays_of, scope_of
from pitbook.text import say


def check(sheet: Sheet) -> Iterator[Finding]:
    """The findings about how a sheet's parts fit together."""
    yield from _common(sheet)
    yield from family_of(sheet).checks().structure(sheet)


def error(message: str, path: FieldPath, clause: str | None) -> Finding:
    """A finding about parts that do not fit."""
    return Finding("error", "structure", message, path, clause)


def _common(sheet: Sheet) -> Iterator[Finding]:
    yield from _passes(sheet)
    yield from _limits(sheet)
    seats = sheet.seats
    if seats.per_player.value > seats.count:
        few = {"wanted": seats.per_player.value, "count": seats.count}
        message = say("findings.structure.positions", **few)
        yield error(message, ("seats", "per_player"), seats.per_player.clause)
    for wager, side in sheet.side.items():
        if wager == "main" or sheet.wager_order.count(wager) > 1:
            yield error(say("findings.named-twice", name=wager), ("side", wager), side.clause)
        elif scope_of(sheet, wager) is None:
            message = say("findings.structure.looks-at", cards=side.looks_at)
            yield error(message, ("side", wager, "looks_at"), side.clause)
        yield from _alone(sheet, wager, side.stake)
    yield from _deck(sheet)


def _alone(sheet: Sheet, wager: str, stake: SideStake) -> Iterator[Finding]:
    if not sheet.may_stand_alone(wager):
        return
    path: FieldPath = ("side", wager, "stake", "alone")
    if not sheet.sides_alone:
        message = say("findings.structure.never-alone")
        yield error(message, path, stake.clause)
    elif stake.required:
        yield error(say("findings.structure.required-alone"), path, stake.clause)


def _deck(sheet: Sheet) -> Iterator[Finding]:
    deck = sheet.deck
    cut = deck.fresh.value == "cut-card"
    if cut != (deck.cut_card is not None):
        message = say("findings.structure.cut-card")
        yield error(message, ("deck",), deck.fresh.clause)
    elif deck.cut_card is not None and deck.decks * 52 - deck.cut_card < cards_needed(sheet):
        message = say("findings.structure.behind-cut-card", cards=deck.cut_card)
        yield error(message, ("deck", "cut_card"), deck.fresh.clause)
    if cards_needed(sheet) > deck.decks * 52:
        few = {"needed": cards_needed(sheet), "has": deck.decks * 52}
        message = say("findings.structure.full-table", **few)
        yield error(message, ("seats", "count"), sheet.seats.clause)


def cards_needed(sheet: Sheet) -> int:
    """The cards that a round with every seat taken uses up."""
    return sheet.seats.count * sheet.hand_cards + sheet.board_cards


def _passes(sheet: Sheet) -> Iterator[Finding]:
    rule = sheet.settlement
    path = ("settlement", "passes")
    known = ("main", *sheet.side)
    named = Counter(wager for one in rule.passes for wager in one)
    for number, one in enumerate(rule.passes):
        for place, wager in enumerate(one):
            if wager not in known:
                remedy = did_you_mean(wager, known)
                message = say("findings.no-wager", wager=wager, remedy=remedy)
                yield error(message, (*path, number, place), rule.clause)
    for wager in known:
        if named[wager] != 1:
            message = say("findings.structure.settled", wager=wager, times=named[wager])
            yield error(message, path, rule.clause)


def _limits(sheet: Sheet) -> Iterator[Finding]:
    if sheet.uncapped and sheet.limits:
        message = say("findings.structure.uncapped-and-limits")
        yield error(message, ("uncapped",), sheet.uncapped.clause)
    for number, limit in enumerate(sheet.limits):
        path: FieldPath = ("limits", number, "counts")
        if limit.counts is None:
            continue
        if (limit.counts.odds_at_least is None) == (limit.counts.lines is None):
            yield error(say("findings.structure.one-of-two"), path, limit.clause)
        for wager, lines in (limit.counts.lines or {}).items():
            yield from _limit_lines(sheet, wager, lines, (*path, "lines", wager), limit.clause)


def _limit_lines(
    sheet: Sheet, wager: str, lines: tuple[str, ...], path: FieldPath, clause: str
) -> Iterator[Finding]:
    if wager not in ("main", *sheet.side):
        remedy = did_you_mean(wager, ("main", *sheet.side))
        yield error(say("findings.no-wager", wager=wager, remedy=remedy), path, clause)
        return
    pays, scope = pays_of(sheet, wager), scope_of(sheet, wager)
    if scope is not None and any(scope.atoms(line) is None for line in pays):
        return  # The pay table has a misspelled line; `pay_tables` points at it.
    for number, line in enumerate(lines):
        if line not in pays:
            message = say("findings.structure.no-line", line=line, remedy=did_you_mean(line, pays))
            yield error(message, (*path, number), clause)


def dealt_once(sheet: Sheet, expected: tuple[str, ...]) -> Iterator[Finding]:
    """The deal names everybody who gets cards, and no more at a time than a hand has."""
    cards = sheet.hand_cards
    if sorted(sheet.deal.order) != sorted(expected):
        message = say("findings.structure.deal-names", hands=expected)
        yield error(message, ("deal", "order"), sheet.deal.clause)
    if (sheet.deal.at_a_time or 0) > cards:
        message = say("findings.structure.at-a-time", many=sheet.deal.at_a_time, cards=cards)
        yield error(message, ("deal", "at_a_time"), sheet.deal.clause)


def no_fold(sheet: Sheet) -> Iterator[Finding]:
    """What a sheet must not say where nobody can fold."""
    for wager, side in sheet.side.items():
        if side.after_fold is not None:
            message = say("findings.structure.no-after-fold")
            yield error(message, ("side", wager, "after_fold"), side.after_fold.clause)
