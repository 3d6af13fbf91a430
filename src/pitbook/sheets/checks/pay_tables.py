"""A pay table names each outcome once, hides none, and never pays a lower hand more."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from pitbook.money import Odds
from pitbook.sheets.findings import Finding, Path, did_you_mean
from pitbook.sheets.model import Sheet
from pitbook.sheets.pays import PayTable, Scope, lines_paid, scope_of, told_by_prose, worth
from pitbook.sheets.values import Push

# Decks decide whether suited threes or mini-royals are rarer, so houses pay either one more.
NO_MEASURE = ("mini-royal",)


def check(sheet: Sheet) -> Iterator[Finding]:
    """The findings about every pay table of a sheet."""
    several = sheet.payouts.several_lines.value
    for wager in ("main", *sheet.side):
        scope = scope_of(sheet, wager)
        assert scope is not None  # structure.check has seen to it
        rule = sheet.main if wager == "main" else sheet.side[wager]
        path: Path = ("main", "pays") if wager == "main" else ("side", wager, "pays")
        yield from _table(rule.pays, scope, several, path, rule.clause)
    yield from _prose(sheet)


def _table(
    pays: PayTable, scope: Scope, several: str, path: Path, clause: str
) -> Iterator[Finding]:
    unknown = [line for line in pays if scope.atoms(line) is None]
    for line in unknown:
        remedy = did_you_mean(line, scope.names)
        message = f'pays "{line}" is no {scope.about}; {remedy}'
        yield Finding("error", "pay-unknown", message, (*path, line), clause)
    if unknown:
        return
    twice = list(_named_twice(pays, scope, path, clause))
    yield from twice
    if not twice:
        yield from _hidden(pays, scope, several, path, clause)
        if scope.ordered:
            yield from _lower_paid_more(pays, scope, several, path, clause)


def _named_twice(pays: PayTable, scope: Scope, path: Path, clause: str) -> Iterator[Finding]:
    for first, second in combinations(pays, 2):
        a, b = scope.atoms(first) or frozenset(), scope.atoms(second) or frozenset()
        if a & b and (a == b or not (a < b or b < a)):
            both = ", ".join(sorted(a & b))
            message = f'"{first}" and "{second}" both name {both}; name each outcome once'
            yield Finding("error", "pay-twice", message, (*path, second), clause)


def _hidden(
    pays: PayTable, scope: Scope, several: str, path: Path, clause: str
) -> Iterator[Finding]:
    paid = lines_paid(pays, scope, several)
    for line in pays:
        if line not in paid:
            other = next((paid[kind] for kind in sorted(scope.covers(line)) if paid[kind]), None)
            reason = f'"{other}" pays its hands' if other else "no hand fits it"
            message = f'"{line}" never pays: {reason}; raise it or leave it out'
            yield Finding("error", "pay-hidden", message, (*path, line), clause)


def _lower_paid_more(
    pays: PayTable, scope: Scope, several: str, path: Path, clause: str
) -> Iterator[Finding]:
    paid = lines_paid(pays, scope, several)
    best = paid[0]
    seen: set[tuple[str, str]] = set()
    for kind, line in zip(scope.kinds, paid, strict=True):
        if kind.name.startswith("suited-") and not (line or "").startswith("suited-"):
            continue  # Without a line of its own a suited pair is just a pair.
        if worth(_pay(pays, line)) < worth(_pay(pays, best)):
            # A straight flush without a line of its own may be paid as a flush: say which hand.
            name = line if line and kind.name not in scope.names else kind.name
            assert best is not None
            if (name, best) not in seen:
                seen.add((name, best))
                message = (
                    f'"{best}" ({pays[best]}) pays more than the higher '
                    f'"{name}" ({_paid_as(pays, line, name)})'
                )
                place = (*path, line) if line else path
                yield Finding("error", "pay-order", message, place, clause)
        elif kind.name not in NO_MEASURE:
            best = line


def _paid_as(pays: PayTable, line: str | None, name: str) -> str:
    if line is None:
        return "not listed, loses"
    return str(pays[line]) if line == name else f'paid as "{line}", {pays[line]}'


def _prose(sheet: Sheet) -> Iterator[Finding]:
    prose, scope = sheet.main.prose, scope_of(sheet, "main")
    if prose is None or scope is None:
        return
    path = ("main", "prose")
    unknown = [line for line in prose.pays if scope.atoms(line) is None]
    for line in unknown:
        message = f'pays "{line}" is no {scope.about}; {did_you_mean(line, scope.names)}'
        yield Finding("error", "pay-unknown", message, (*path, "pays", line), prose.clause)
    if unknown:
        return
    if prose.decides == "prose":
        several = sheet.payouts.several_lines.value
        yield from _table(told_by_prose(sheet), scope, several, (*path, "pays"), prose.clause)
    different = disagreements(sheet, scope)
    if not different:
        return
    message = "prose and pay table disagree: " + "; ".join(different)
    if prose.decides is None:
        message += '; add decides = "pays" or decides = "prose"'
        yield Finding("error", "prose", message, path, prose.clause)
    else:
        holds = {"pays": "the pay table", "prose": "the prose"}[prose.decides]
        yield Finding("notice", "prose", f"{message}; {holds} decides", path, prose.clause)


def disagreements(sheet: Sheet, scope: Scope) -> list[str]:
    """Every kind of hand that the table and the prose pay differently, in words."""
    printed, told = sheet.main.pays, told_by_prose(sheet)
    several = sheet.payouts.several_lines.value
    by_table, by_prose = lines_paid(printed, scope, several), lines_paid(told, scope, several)
    found = []
    for kind, a, b in zip(scope.kinds, by_table, by_prose, strict=True):
        pay_a, pay_b = _pay(printed, a), _pay(told, b)
        if worth(pay_a) != worth(pay_b):
            found.append(
                f"{kind.name} {_verb(pay_a)} by the pay table and {_verb(pay_b)} by the prose"
            )
    return found


def _verb(pay: Odds | Push | None) -> str:
    if pay is None:
        return "loses"
    return "pushes" if pay == "push" else f"pays {pay}"


def _pay(pays: PayTable, line: str | None) -> Odds | Push | None:
    return pays[line] if line else None
