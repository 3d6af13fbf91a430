"""Checks of pay tables: overlaps, order, and hands that cannot be dealt."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from pitbook.money import Odds
from pitbook.sheets.family_registry import family_of
from pitbook.sheets.field_types import Push
from pitbook.sheets.findings import FieldPath, Finding
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import (
    PayTable,
    Scope,
    lines_paid,
    pay_value,
    pays_by_prose,
    scope_of,
)
from pitbook.text import Sentence, say
from pitbook.text.user_input import did_you_mean

# The number of decks decides whether suited threes or mini-royals are rarer.
UNORDERED_KINDS = ("mini-royal",)


def check_pay_tables(sheet: Sheet) -> Iterator[Finding]:
    """The findings about all pay tables of a sheet."""
    several_lines = sheet.payouts.several_lines.value
    for wager in ("main", *sheet.side):
        scope = scope_of(sheet, wager)
        assert scope is not None  # check_structure ensures it.
        rule = sheet.main if wager == "main" else sheet.side[wager]
        path: FieldPath = ("main", "pays") if wager == "main" else ("side", wager, "pays")
        yield from _table_findings(rule.pays, scope, several_lines, path, rule.clause)
    yield from _check_prose(sheet)


def _table_findings(
    pays: PayTable, scope: Scope, several_lines: str, path: FieldPath, clause: str
) -> Iterator[Finding]:
    unknown = [line for line in pays if scope.atoms(line) is None]
    for line in unknown:
        remedy = did_you_mean(line, scope.names)
        values = {"line": line, "about": scope.subject(), "remedy": remedy}
        message = say("findings.pays.unknown", **values)
        yield Finding("error", "pay-unknown", message, (*path, line), clause)
    if unknown:
        return
    overlaps = list(_check_overlaps(pays, scope, path, clause))
    yield from overlaps
    if not overlaps:
        yield from _hidden_lines(pays, scope, several_lines, path, clause)
        if scope.ordered:
            yield from _order_findings(pays, scope, several_lines, path, clause)


def _check_overlaps(
    pays: PayTable, scope: Scope, path: FieldPath, clause: str
) -> Iterator[Finding]:
    for first, second in combinations(pays, 2):
        a, b = scope.atoms(first) or frozenset(), scope.atoms(second) or frozenset()
        if a & b and (a == b or not (a < b or b < a)):
            values = {"first": first, "second": second, "names": tuple(sorted(a & b))}
            message = say("findings.pays.twice", **values)
            yield Finding("error", "pay-twice", message, (*path, second), clause)


def _hidden_lines(
    pays: PayTable, scope: Scope, several_lines: str, path: FieldPath, clause: str
) -> Iterator[Finding]:
    paid = lines_paid(pays, scope, several_lines)
    for line in pays:
        if line not in paid:
            other = next((paid[kind] for kind in sorted(scope.covers(line)) if paid[kind]), None)
            message = (
                say("findings.pays.hidden", line=line, other=other)
                if other
                else say("findings.pays.fits-no-hand", line=line)
            )
            yield Finding("error", "pay-hidden", message, (*path, line), clause)


def _order_findings(
    pays: PayTable, scope: Scope, several_lines: str, path: FieldPath, clause: str
) -> Iterator[Finding]:
    paid = lines_paid(pays, scope, several_lines)
    best_line = paid[0]
    reported: set[tuple[str, str]] = set()
    for kind, line in zip(scope.kinds, paid, strict=True):
        if kind.name.startswith("suited-") and not (line or "").startswith("suited-"):
            continue  # Without a line of its own a suited pair is just a pair.
        if pay_value(_pay(pays, line)) < pay_value(_pay(pays, best_line)):
            # A straight flush without a line may be paid as a flush: name the hand.
            name = line if line and kind.name not in scope.names else kind.name
            assert best_line is not None
            if (name, best_line) not in reported:
                reported.add((name, best_line))
                values = {"best": best_line, "pay": str(pays[best_line]), "name": name}
                paid_as = _paid_as(pays, line, name)
                message = say("findings.pays.lower-more", paid=paid_as, **values)
                place = (*path, line) if line else path
                yield Finding("error", "pay-order", message, place, clause)
        elif kind.name not in UNORDERED_KINDS:
            best_line = line


def _paid_as(pays: PayTable, line: str | None, name: str) -> str:
    if line is None:
        return say("findings.pays.not-listed")
    pay = str(pays[line])
    return pay if line == name else say("findings.pays.paid-as", line=line, pay=pay)


def _check_prose(sheet: Sheet) -> Iterator[Finding]:
    prose, scope = sheet.main.prose, scope_of(sheet, "main")
    if prose is None or scope is None:
        return
    path = ("main", "prose")
    unknown = [line for line in prose.pays if scope.atoms(line) is None]
    for line in unknown:
        values = {"line": line, "about": scope.subject(), "remedy": did_you_mean(line, scope.names)}
        message = say("findings.pays.unknown", **values)
        yield Finding("error", "pay-unknown", message, (*path, "pays", line), prose.clause)
    if unknown:
        return
    if prose.decides == "prose":
        several_lines = sheet.payouts.several_lines.value
        yield from _table_findings(
            pays_by_prose(sheet), scope, several_lines, (*path, "pays"), prose.clause
        )
    different = disagreements(sheet, scope)
    if not different:
        return
    differing = {"differences": tuple(different)}
    if prose.decides is None:
        message = say("findings.prose.undecided", **differing)
        yield Finding("error", "prose", message, path, prose.clause)
    else:
        message = say("findings.prose.decided", decides=prose.decides, **differing)
        yield Finding("notice", "prose", message, path, prose.clause)


def disagreements(sheet: Sheet, scope: Scope) -> list[Sentence]:
    """Every kind of hand that the table and the prose pay differently, in words."""
    printed, prose_pays = sheet.main.pays, pays_by_prose(sheet)
    several_lines = sheet.payouts.several_lines.value
    by_table, by_prose = (
        lines_paid(printed, scope, several_lines),
        lines_paid(prose_pays, scope, several_lines),
    )
    differences = []
    for kind, a, b in zip(scope.kinds, by_table, by_prose, strict=True):
        pay_a, pay_b = _pay(printed, a), _pay(prose_pays, b)
        if pay_value(pay_a) != pay_value(pay_b):
            values = {"kind": kind.name, "table": _pay_verb(pay_a), "prose": _pay_verb(pay_b)}
            differences.append(say("findings.prose.differs", **values))
    return differences


def _pay_verb(pay: Odds | Push | None) -> Sentence:
    if pay is None:
        return say("words.loses")
    return say("words.pushes") if pay == "push" else say("words.pays", odds=str(pay))


def _pay(pays: PayTable, line: str | None) -> Odds | Push | None:
    return pays[line] if line else None


def check_reachable(sheet: Sheet) -> Iterator[Finding]:
    """Lines that no hand reaches, and tables that never pay."""
    why_never = family_of(sheet).checks().why_never
    for wager in ("main", *sheet.side):
        rule = sheet.main if wager == "main" else sheet.side[wager]
        path: FieldPath = ("main", "pays") if wager == "main" else ("side", wager, "pays")
        for line in rule.pays:
            if why := why_never(sheet, wager, line):
                message = say("findings.reach.never", line=line, why=why)
                yield Finding("error", "pay-impossible", message, (*path, line), rule.clause)
        if not any(isinstance(pay, Odds) for pay in rule.pays.values()):
            message = say("findings.reach.all-push")
            yield Finding("error", "pay-nothing", message, path, rule.clause)
    yield from _redundant_prose(sheet)


def _redundant_prose(sheet: Sheet) -> Iterator[Finding]:
    """Prose belongs in a sheet only if it contradicts the table (OMS-7)."""
    prose, scope = sheet.main.prose, scope_of(sheet, "main")
    if prose is None or scope is None or any(scope.atoms(line) is None for line in prose.pays):
        return
    if not disagreements(sheet, scope):
        message = say("findings.reach.echo")
        yield Finding("error", "prose-echo", message, ("main", "prose"), prose.clause)
