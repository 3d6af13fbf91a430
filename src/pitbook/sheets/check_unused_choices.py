"""Check for choices that have no effect in this game."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.sheets.check_stakes import largest_bets
from pitbook.sheets.family_registry import Idle, family_of
from pitbook.sheets.findings import Finding
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import lines_paid, pays_of, scope_of
from pitbook.text import say


def check_idle(sheet: Sheet) -> Iterator[Finding]:
    """The findings about choices without effect, or without meaning in this game."""
    ties = sheet.best_play.ties
    if ties.value == "fold" and not sheet.has_fold:
        message = say("findings.nobody-folds")
        yield Finding("error", "structure", message, ("best_play", "ties"), ties.clause)
    family_idle = family_of(sheet).checks().idle
    checks = (_check_seats, _check_money, _check_irregularities, _check_bounds, family_idle)
    for path, why, clause in (finding for idle in checks for finding in idle(sheet)):
        message = say("findings.idle.nothing", why=why)
        steps = tuple(
            int(step_name) if step_name.isdigit() else step_name for step_name in path.split(".")
        )
        yield Finding("notice", "idle", message, steps, clause)


def _check_seats(sheet: Sheet) -> Iterator[Idle]:
    seats, single_position = sheet.seats, sheet.seats.per_player.value == 1
    adjacent, ends_meet = seats.adjacent, seats.ends_meet
    if single_position and adjacent is not None and adjacent.value:
        yield "seats.adjacent", say("findings.idle.one-position"), adjacent.clause
    if (
        ends_meet is not None
        and ends_meet.value
        and (single_position or adjacent is None or not adjacent.value)
    ):
        yield "seats.ends_meet", say("findings.idle.need-not-meet"), ends_meet.clause


def _check_money(sheet: Sheet) -> Iterator[Idle]:
    ties, several_lines = sheet.payouts.share_ties, sheet.payouts.several_lines
    if ties.value == "higher-seat" and not any(limit.per == "round" for limit in sheet.limits):
        why = say("findings.idle.none-shared")
        yield "payouts.share_ties", why, ties.clause
    if several_lines.value == "first-listed" and not any(
        _order_matters(sheet, wager) for wager in ("main", *sheet.side)
    ):
        why = say("findings.idle.higher-first")
        yield "payouts.several_lines", why, several_lines.clause


def _order_matters(sheet: Sheet, wager: str) -> bool:
    scope, pays = scope_of(sheet, wager), pays_of(sheet, wager)
    assert scope is not None  # check_structure ensures it.
    return lines_paid(pays, scope, "first-listed") != lines_paid(pays, scope, "highest")


def _check_irregularities(sheet: Sheet) -> Iterator[Idle]:
    rules, deck = sheet.irregularities, sheet.deck
    misdeal_first, information = rules.misdeal_over_offence, rules.information
    if not misdeal_first.value and (information is None or information.result != "forfeit"):
        why = say("findings.idle.no-offense")
        yield "irregularities.misdeal_over_offence", why, misdeal_first.clause
    if deck.shuffle == "hand" and deck.fallback.value != "hand":
        yield "deck.fallback", say("findings.idle.by-hand"), deck.fallback.clause


def _check_bounds(sheet: Sheet) -> Iterator[Idle]:
    """Bounds that no bet reaches."""
    flat = sheet.single_bet_max
    if flat and all(amount < flat.value for _, _, amount in largest_bets(sheet)):
        yield "single_bet_max", say("findings.idle.so-large"), flat.clause
    if sheet.deck.fallback_times > 1 and sheet.deck.fallback.value == "no-game":
        clause = sheet.deck.fallback.clause
        yield "deck.fallback_times", say("findings.idle.no-game"), clause
