"""Checks that the parts of a sheet fit together: names, card counts, orders and rules."""

from __future__ import annotations

import datetime
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pitbook.sheets.family_registry import family_of
from pitbook.sheets.field_types import TomlTable
from pitbook.sheets.findings import FieldPath, Finding
from pitbook.sheets.model import Sheet, SideStake
from pitbook.sheets.pay_tables import pays_of, scope_of
from pitbook.text import say
from pitbook.text.user_input import did_you_mean, show_value


def check_structure(sheet: Sheet) -> Iterator[Finding]:
    """The findings about how a sheet's parts fit together."""
    yield from _check_common(sheet)
    yield from family_of(sheet).checks().structure(sheet)


def structure_error(message: str, path: FieldPath, clause: str | None) -> Finding:
    """A finding about parts that do not fit together."""
    return Finding("error", "structure", message, path, clause)


def _check_common(sheet: Sheet) -> Iterator[Finding]:
    yield from _check_passes(sheet)
    yield from _check_limits(sheet)
    seats = sheet.seats
    if seats.per_player.value > seats.count:
        values = {"wanted": seats.per_player.value, "count": seats.count}
        message = say("findings.structure.positions", **values)
        yield structure_error(message, ("seats", "per_player"), seats.per_player.clause)
    for wager, side in sheet.side.items():
        if wager == "main" or sheet.wager_order.count(wager) > 1:
            yield structure_error(
                say("findings.named-twice", name=wager), ("side", wager), side.clause
            )
        elif scope_of(sheet, wager) is None:
            message = say("findings.structure.looks-at", cards=side.looks_at)
            yield structure_error(message, ("side", wager, "looks_at"), side.clause)
        yield from _check_alone(sheet, wager, side.stake)
    yield from _check_deck(sheet)


def _check_alone(sheet: Sheet, wager: str, stake: SideStake) -> Iterator[Finding]:
    if not sheet.may_stand_alone(wager):
        return
    path: FieldPath = ("side", wager, "stake", "alone")
    if not sheet.sides_alone:
        message = say("findings.structure.never-alone")
        yield structure_error(message, path, stake.clause)
    elif stake.required:
        yield structure_error(say("findings.structure.required-alone"), path, stake.clause)


def _check_deck(sheet: Sheet) -> Iterator[Finding]:
    deck = sheet.deck
    uses_cut_card = deck.fresh.value == "cut-card"
    if uses_cut_card != (deck.cut_card is not None):
        message = say("findings.structure.cut-card")
        yield structure_error(message, ("deck",), deck.fresh.clause)
    elif deck.cut_card is not None and deck.decks * 52 - deck.cut_card < cards_needed(sheet):
        message = say("findings.structure.behind-cut-card", cards=deck.cut_card)
        yield structure_error(message, ("deck", "cut_card"), deck.fresh.clause)
    if cards_needed(sheet) > deck.decks * 52:
        values = {"needed": cards_needed(sheet), "has": deck.decks * 52}
        message = say("findings.structure.full-table", **values)
        yield structure_error(message, ("seats", "count"), sheet.seats.clause)


def cards_needed(sheet: Sheet) -> int:
    """The cards of a round with every seat taken."""
    return sheet.seats.count * sheet.hand_cards + sheet.board_cards


def _check_passes(sheet: Sheet) -> Iterator[Finding]:
    rule = sheet.settlement
    path = ("settlement", "passes")
    wagers = ("main", *sheet.side)
    counts = Counter(wager for settlement_pass in rule.passes for wager in settlement_pass)
    for number, settlement_pass in enumerate(rule.passes):
        for index, wager in enumerate(settlement_pass):
            if wager not in wagers:
                remedy = did_you_mean(wager, wagers)
                message = say("findings.no-wager", wager=wager, remedy=remedy)
                yield structure_error(message, (*path, number, index), rule.clause)
    for wager in wagers:
        if counts[wager] != 1:
            message = say("findings.structure.settled", wager=wager, times=counts[wager])
            yield structure_error(message, path, rule.clause)


def _check_limits(sheet: Sheet) -> Iterator[Finding]:
    if sheet.uncapped and sheet.limits:
        message = say("findings.structure.uncapped-and-limits")
        yield structure_error(message, ("uncapped",), sheet.uncapped.clause)
    for number, limit in enumerate(sheet.limits):
        path: FieldPath = ("limits", number, "counts")
        if limit.counts is None:
            continue
        if (limit.counts.odds_at_least is None) == (limit.counts.lines is None):
            yield structure_error(say("findings.structure.one-of-two"), path, limit.clause)
        for wager, lines in (limit.counts.lines or {}).items():
            yield from _limit_lines(sheet, wager, lines, (*path, "lines", wager), limit.clause)


def _limit_lines(
    sheet: Sheet, wager: str, lines: tuple[str, ...], path: FieldPath, clause: str
) -> Iterator[Finding]:
    if wager not in ("main", *sheet.side):
        remedy = did_you_mean(wager, ("main", *sheet.side))
        yield structure_error(say("findings.no-wager", wager=wager, remedy=remedy), path, clause)
        return
    pays, scope = pays_of(sheet, wager), scope_of(sheet, wager)
    if scope is not None and any(scope.atoms(line) is None for line in pays):
        return  # The pay table has a misspelled line; `check_pays` points at it.
    for number, line in enumerate(lines):
        if line not in pays:
            message = say("findings.structure.no-line", line=line, remedy=did_you_mean(line, pays))
            yield structure_error(message, (*path, number), clause)


def dealt_once(sheet: Sheet, place_order: tuple[str, ...]) -> Iterator[Finding]:
    """The deal must name each receiver once, and deal at most a whole hand at a time."""
    cards = sheet.hand_cards
    if sorted(sheet.deal.order) != sorted(place_order):
        message = say("findings.structure.deal-names", hands=place_order)
        yield structure_error(message, ("deal", "order"), sheet.deal.clause)
    if (sheet.deal.at_a_time or 0) > cards:
        message = say("findings.structure.at-a-time", many=sheet.deal.at_a_time, cards=cards)
        yield structure_error(message, ("deal", "at_a_time"), sheet.deal.clause)


def fold_rule_errors(sheet: Sheet) -> Iterator[Finding]:
    """Rules about folds that must not be stated without a fold."""
    for wager, side in sheet.side.items():
        if side.after_fold is not None:
            message = say("findings.structure.no-after-fold")
            yield structure_error(message, ("side", wager, "after_fold"), side.after_fold.clause)


NAME_MAX = 120  # What fits on a layout, a rack card or a terminal line.
LONG_TEXTS = ("note", "departs", "document", "layout")
NAME_FIELDS = ("title", "venue", "jurisdiction", "low", "high", "shared", "area", "pieces", "by")
_INVISIBLE = ("Cc", "Cf", "Cs", "Zl", "Zp")
_BLANK = "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"  # Characters without ink.
_JOINS = "\u200c\u200d\u00ad"  # Valid within words of many languages, and within one emoji.

NamedPath = tuple[str, FieldPath]


def check_names(sheet: Sheet) -> Iterator[Finding]:
    """The findings about names and texts."""
    yield from _play_names(sheet)
    yield from _check_titles(sheet)
    yield from family_of(sheet).checks().names(sheet)
    yield from _check_texts(sheet, ())


def _folded_name(name: str) -> str:
    """A name as it looks or sounds, without case, extra spaces and invisible characters."""
    visible = (
        character for character in unicodedata.normalize("NFKC", name) if _is_visible(character)
    )
    return " ".join("".join(visible).casefold().split())


def _is_visible(character: str) -> bool:
    return unicodedata.category(character) not in _INVISIBLE and character not in _BLANK


def name_error(message: str, path: FieldPath, clause: str | None) -> Finding:
    """A finding about a name."""
    return Finding("error", "name", message, path, clause)


def _play_names(sheet: Sheet) -> Iterator[Finding]:
    """A round file and a command must not confuse a wager with a play."""
    is_play = family_of(sheet).checks().is_play
    for name, path, clause in _ids(sheet):
        if is_play(name):
            message = say("findings.names.a-play", name=name)
            yield name_error(message, path, clause)


def _ids(sheet: Sheet) -> Iterator[tuple[str, FieldPath, str]]:
    for bet in sheet.named_bets():
        yield bet.id, (*bet.path, "id"), bet.clause
    for wager, side in sheet.side.items():
        yield wager, ("side", wager), side.clause


def _check_titles(sheet: Sheet) -> Iterator[Finding]:
    titles: list[NamedPath] = [(sheet.main_wager.title, (sheet.main_id, "title"))]
    titles += [(bet.title, (*bet.path, "title")) for bet in sheet.named_bets()]
    titles += [(side.title, ("side", wager, "title")) for wager, side in sheet.side.items()]
    for name, path in duplicate_names(titles):
        message = say("findings.names.two-wagers", name=show_value(name))
        yield name_error(message, path, None)


def duplicate_names(names: Iterable[tuple[str, FieldPath]]) -> Iterator[NamedPath]:
    """Every name that repeats an earlier one, in any spelling."""
    used_names: set[str] = set()
    for name, path in names:
        if _folded_name(name) in used_names:
            yield name, path
        used_names.add(_folded_name(name))


def _check_texts(part: Any, path: FieldPath) -> Iterator[Finding]:
    """Every text of the sheet must be readable, and names must be short."""
    if isinstance(part, TomlTable):
        for name, field in type(part).model_fields.items():
            yield from _check_texts(getattr(part, name), (*path, field.alias or name))
    elif isinstance(part, Mapping):
        for name, child in part.items():
            yield from _check_texts(child, (*path, name))
    elif isinstance(part, tuple) and not hasattr(part, "_fields"):
        for number, child in enumerate(part):
            yield from _check_texts(child, (*path, number))
    elif isinstance(part, str):
        yield from _check_text(part, path)


def _check_text(text: str, path: FieldPath) -> Iterator[Finding]:
    names = [step for step in path if isinstance(step, str)]
    field = names[-1]
    is_plain_ascii = text.isascii() and text.isprintable()  # Then all of it is visible.
    invisible = (
        set()
        if is_plain_ascii
        else {character for character in text if not _is_visible(character)} - {*_JOINS}
    )
    if field in LONG_TEXTS:
        invisible -= {"\n", "\t"}
    if not (text.strip() if is_plain_ascii else _folded_name(text)):
        yield name_error(say("findings.names.nothing-seen", field=field), path, None)
    elif invisible:
        code_point = f"U+{ord(min(invisible)):04X}"
        yield name_error(say("findings.names.unseen", field=field, point=code_point), path, None)
    elif field in NAME_FIELDS and len(text) > NAME_MAX:
        values = {"field": field, "count": len(text), "most": NAME_MAX}
        message = say("findings.names.too-long", **values)
        yield name_error(message, path, None)


YEARS = range(1800, 2200)


def check_fit(sheet: Sheet) -> Iterator[Finding]:
    """The findings about rules that do not apply."""
    yield from _counted_hands(sheet)
    yield from _check_days(sheet)
    yield from _check_packs(sheet)
    yield from _check_advantages(sheet)
    yield from family_of(sheet).checks().fits(sheet)


def _counted_hands(sheet: Sheet) -> Iterator[Finding]:
    rule = sheet.irregularities.wrong_card_count
    path: FieldPath = ("irregularities", "wrong_card_count", "hands")
    receivers = (receiver for receiver in sheet.deal.order if receiver != "players")
    countable = tuple(dict.fromkeys(("player", sheet.board_word, *receivers)))
    if not rule.hands:
        message = say("findings.fits.nobody-counted", known=countable)
        yield structure_error(message, path, rule.clause)
    for number, hand in enumerate(rule.hands):
        if hand not in countable:
            message = say("findings.fits.no-hand", hand=hand, known=countable)
            yield structure_error(message, (*path, number), rule.clause)
        elif hand in rule.hands[:number]:
            yield structure_error(
                say("findings.named-twice", name=hand), (*path, number), rule.clause
            )


def _check_days(sheet: Sheet) -> Iterator[Finding]:
    approved = sheet.house.approval.on if sheet.house.approval else None
    days: tuple[tuple[datetime.date | None, FieldPath], ...] = (
        (sheet.effective, ("effective",)),
        (sheet.source.dated, ("source", "dated")),
        (approved, ("house", "approval", "on")),
    )
    for date_value, path in days:
        if date_value is not None and date_value.year not in YEARS:
            message = say("findings.fits.no-day", day=date_value.isoformat())
            yield structure_error(message, path, None)
    if sheet.history and sheet.effective is None:
        message = say("findings.fits.no-first-day")
        yield structure_error(message, ("history",), sheet.history.clause)


def _check_packs(sheet: Sheet) -> Iterator[Finding]:
    equipment, deck = sheet.equipment, sheet.deck
    if equipment is None:
        return
    if deck.alternate and deck.alternate.value and equipment.packs < 2:
        message = say("findings.fits.two-packs")
        yield structure_error(message, ("equipment", "packs"), deck.alternate.clause)
    if deck.cut_card is not None and not equipment.cut_cards:
        message = say("findings.fits.no-cut-card")
        yield structure_error(message, ("equipment", "cut_cards"), equipment.clause)


def _check_advantages(sheet: Sheet) -> Iterator[Finding]:
    """A declared advantage names a wager, once."""
    wagers, declared = ("main", *sheet.side), set()
    for number, advantage in enumerate(sheet.player_advantage):
        path: FieldPath = ("player_advantage", number, "wager")
        if advantage.wager not in wagers:
            remedy = did_you_mean(advantage.wager, wagers)
            message = say("findings.no-wager", wager=advantage.wager, remedy=remedy)
            yield structure_error(message, path, advantage.clause)
        elif advantage.wager in declared:
            yield structure_error(
                say("findings.fits.declared-twice", wager=advantage.wager), path, advantage.clause
            )
        declared.add(advantage.wager)
