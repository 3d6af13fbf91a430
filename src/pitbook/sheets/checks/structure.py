"""The parts of a sheet fit each other: names exist, cards suffice, orders are whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pitbook.english import counted
from pitbook.sheets.families import family_of
from pitbook.sheets.findings import Finding, Path, did_you_mean
from pitbook.sheets.model import Sheet
from pitbook.sheets.pays import pays_of, scope_of


def check(sheet: Sheet) -> Iterator[Finding]:
    """The findings about how a sheet's parts fit together."""
    yield from _common(sheet)
    yield from family_of(sheet).checks().structure(sheet)


def error(message: str, path: Path, clause: str | None) -> Finding:
    """A finding about parts that do not fit."""
    return Finding("error", "structure", message, path, clause)


def _common(sheet: Sheet) -> Iterator[Finding]:
    yield from _passes(sheet)
    yield from _limits(sheet)
    seats = sheet.seats
    if seats.per_player.value > seats.count:
        message = f"a player cannot have {seats.per_player.value} of {seats.count} positions"
        yield error(message, ("seats", "per_player"), seats.per_player.clause)
    for wager, side in sheet.side.items():
        if wager == "main" or sheet.wager_order.count(wager) > 1:
            yield error(f'"{wager}" is named twice', ("side", wager), side.clause)
        elif scope_of(sheet, wager) is None:
            message = f'no pay table can look at "{side.looks_at}" in this game'
            yield error(message, ("side", wager, "looks_at"), side.clause)
    yield from _deck(sheet)


def _deck(sheet: Sheet) -> Iterator[Finding]:
    deck = sheet.deck
    cut = deck.fresh.value == "cut-card"
    if cut != (deck.cut_card is not None):
        message = 'fresh = "cut-card" and a number in "cut_card" go together'
        yield error(message, ("deck",), deck.fresh.clause)
    elif deck.cut_card is not None and deck.decks * 52 - deck.cut_card < cards_needed(sheet):
        message = f"{deck.cut_card} cards behind the cut card leave too few for one round"
        yield error(message, ("deck", "cut_card"), deck.fresh.clause)
    if cards_needed(sheet) > deck.decks * 52:
        message = f"a full table needs {cards_needed(sheet)} cards, the shoe has {deck.decks * 52}"
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
                message = f'"{wager}" is no wager of this sheet; {did_you_mean(wager, known)}'
                yield error(message, (*path, number, place), rule.clause)
    for wager in known:
        if named[wager] != 1:
            times = f"settled {named[wager]} times" if named[wager] else "never settled"
            yield error(f'"{wager}" is {times}; it must be once', path, rule.clause)


def _limits(sheet: Sheet) -> Iterator[Finding]:
    if sheet.uncapped and sheet.limits:
        message = "the sheet says that it is uncapped and names limits"
        yield error(message, ("uncapped",), sheet.uncapped.clause)
    for number, limit in enumerate(sheet.limits):
        path: Path = ("limits", number, "counts")
        if limit.counts is None:
            continue
        if (limit.counts.odds_at_least is None) == (limit.counts.lines is None):
            yield error('give "odds_at_least" or "lines", one of the two', path, limit.clause)
        for wager, lines in (limit.counts.lines or {}).items():
            yield from _limit_lines(sheet, wager, lines, (*path, "lines", wager), limit.clause)


def _limit_lines(
    sheet: Sheet, wager: str, lines: tuple[str, ...], path: Path, clause: str
) -> Iterator[Finding]:
    if wager not in ("main", *sheet.side):
        remedy = did_you_mean(wager, ("main", *sheet.side))
        yield error(f'"{wager}" is no wager of this sheet; {remedy}', path, clause)
        return
    pays = pays_of(sheet, wager)
    for number, line in enumerate(lines):
        if line not in pays:
            message = f'"{line}" is no line of that pay table; {did_you_mean(line, pays)}'
            yield error(message, (*path, number), clause)


def dealt_once(sheet: Sheet, expected: tuple[str, ...]) -> Iterator[Finding]:
    """The deal names everybody who gets cards, and no more at a time than a hand has."""
    cards = sheet.hand_cards
    if sorted(sheet.deal.order) != sorted(expected):
        message = f"the deal names {' and '.join(expected)}, each once"
        yield error(message, ("deal", "order"), sheet.deal.clause)
    if (sheet.deal.at_a_time or 0) > cards:
        message = (
            f"{sheet.deal.at_a_time} at a time is more than a player's {counted(cards, 'card')}"
        )
        yield error(message, ("deal", "at_a_time"), sheet.deal.clause)


def no_fold(sheet: Sheet) -> Iterator[Finding]:
    """What a sheet must not say where nobody can fold."""
    for wager, side in sheet.side.items():
        if side.after_fold is not None:
            message = 'this game has no fold; leave "after_fold" out'
            yield error(message, ("side", wager, "after_fold"), side.after_fold.clause)
