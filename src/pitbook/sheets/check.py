"""All checks of a sheet beyond its types: `check` runs them in stages.

This module also has the notices about choices and marks without effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from pitbook.sheets.check_pays import check_pay_tables, check_reachable
from pitbook.sheets.check_stakes import check_cap_minimums, check_limits, check_stakes, largest_bets
from pitbook.sheets.check_structure import check_fit, check_names, check_structure
from pitbook.sheets.family_registry import Idle, family_of
from pitbook.sheets.field_types import Rule
from pitbook.sheets.findings import FieldPath, Finding, blocking_errors
from pitbook.sheets.hashes import check_approval
from pitbook.sheets.jurisdictions import check_law, check_law_on_record
from pitbook.sheets.largest_payout import report_largest_payout
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import lines_paid, pays_of, scope_of
from pitbook.sheets.provenance import fields_of, rules_of
from pitbook.text import say
from pitbook.text.sentences import fix_foreign_currency
from pitbook.text.user_input import did_you_mean


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


def check_provenance(sheet: Sheet) -> Iterator[Finding]:
    """Marks that name no field, and marks without an explaining note."""
    for path, rule in rules_of(sheet, ()):
        if isinstance(rule.ours, tuple):
            yield from _mark_errors(sheet, path, rule, rule.ours)
        if rule.ours not in (None, False) and rule.note is None:
            message = say("findings.marks.no-note")
            yield Finding("notice", "ours", message, (*path, "ours"), rule.clause)


def _mark_errors(
    sheet: Sheet, path: FieldPath, rule: Rule, mark: tuple[str, ...]
) -> Iterator[Finding]:
    fields = fields_of(rule)
    for name in mark:
        field, dot, part = name.partition(".")
        if field in fields and (not dot or _has_part(sheet, path, rule, field, part)):
            continue
        message = say("findings.marks.no-field", name=name, remedy=did_you_mean(name, fields))
        yield Finding("error", "ours", message, (*path, "ours"), rule.clause)


def _has_part(sheet: Sheet, path: FieldPath, rule: Rule, field: str, part: str) -> bool:
    """Whether a field has such a part: a line of a pay table, or a word of a list."""
    if field == "pays":
        scope = scope_of(sheet, str(path[1]) if path[0] == "side" else "main")
        return scope is not None and bool(scope.atoms(part))
    return part in _as_words(getattr(rule, "value" if field == "is" else field, None))


def _as_words(value: Any) -> list[str]:
    if isinstance(value, tuple):
        return [word for element in value for word in _as_words(element)]
    return [str(value)]


Check = Callable[[Sheet], Iterator[Finding]]


class CheckStage(NamedTuple):
    """Checks that run together: `always`, and those for new sheets only."""

    always: tuple[Check, ...]
    unless_on_record: tuple[Check, ...]


# A stage relies on earlier ones, so it runs only if they found no errors.
STAGES = (
    CheckStage((check_structure,), (check_names, check_fit)),
    CheckStage((check_pay_tables,), (check_reachable,)),
    CheckStage((check_stakes, check_cap_minimums), (check_law, check_limits)),
    CheckStage((), (check_idle, check_provenance, check_approval)),
)


def check(sheet: Sheet, *, thorough: bool = True, on_record: bool = False) -> tuple[Finding, ...]:
    """All findings about a sheet, in its own currency, without positions in a file.

    A sheet `on_record` has been played: newer checks do not apply to it.
    """
    findings = _run_stages(sheet, thorough=thorough, on_record=on_record)
    currency = sheet.house.currency
    if currency is None:
        return findings
    return tuple(
        replace(finding, message=fix_foreign_currency(finding.message, currency))
        for finding in findings
    )


def _run_stages(sheet: Sheet, *, thorough: bool, on_record: bool) -> tuple[Finding, ...]:
    findings: list[Finding] = []
    for stage in STAGES:
        for stage_check in (*stage.always, *(() if on_record else stage.unless_on_record)):
            findings.extend(stage_check(sheet))
        if blocking_errors(findings):
            return tuple(findings)
    if on_record:
        findings.extend(check_law_on_record(sheet))
    if thorough:
        from pitbook.sheets.edit import check_variants  # noqa: PLC0415  It imports this module.

        findings.extend(check_variants(sheet))
        findings.extend(report_largest_payout(sheet))
    return tuple(findings)
