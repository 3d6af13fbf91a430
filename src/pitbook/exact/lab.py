"""Try other pay tables and limits on a copy of a sheet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from pitbook.errors import MoneyError
from pitbook.exact.compare import with_pays
from pitbook.exact.methods.choose import choose_method
from pitbook.exact.outcome_figures import Figures
from pitbook.exact.sheet_figures import MathError, wager_figures
from pitbook.money import Cents, Odds, dollars, odds
from pitbook.sheets.check import check
from pitbook.sheets.field_types import Push
from pitbook.sheets.findings import FieldPath, Finding, errors
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import PayTable, all_pay_tables, pay_value, pays_of
from pitbook.text import say, sentence_of
from pitbook.text.user_input import did_you_mean

LOSES = ("", "lose", "loses")  # A line that pays nothing is a line left out.
_ODDS = re.compile(r"([0-9]{1,9})(?: *(?::|to) *([0-9]{1,9}))?", re.ASCII)
# Common printed pays: every whole number, then round ones.
PAY_STEPS = (
    *(*range(1, 20), *range(20, 50, 5), *range(50, 100, 10), *range(100, 500, 50)),
    *(*range(500, 1_000, 100), *range(1_000, 10_001, 1_000)),
)


@dataclass(frozen=True)
class PayTableEdits:
    """Other pays by wager and line, and other caps by position; the rest is unchanged."""

    pays: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    caps: Sequence[str | None] = ()


@dataclass(frozen=True)
class LabTrial:
    """The edited sheet, or None if it has errors; with its findings."""

    sheet: Sheet | None
    findings: tuple[Finding, ...]


def apply_edits(sheet: Sheet, edits: PayTableEdits) -> LabTrial:
    """The sheet with other pays and caps, checked like a sheet from a file."""
    _check_names(sheet, edits)
    findings: list[Finding] = []
    edited = effective_sheet(sheet)
    for wager, lines in edits.pays.items():
        edited = _with_pays(edited, wager, lines, findings)
    edited = _with_caps(edited, edits.caps, findings)
    if not findings:
        findings.extend(_check_edits(edited, effective_sheet(sheet)))
    return LabTrial(None if errors(findings) else edited, tuple(findings))


def _check_edits(edited: Sheet, original: Sheet) -> Iterator[Finding]:
    """The findings of an edit. Earlier problems and unused caps become notices."""
    known_findings = {
        (finding.path, finding.message) for finding in check(original, thorough=False)
    }
    for finding in check(edited, thorough=False):
        is_new_error = (
            finding.code != "limit" and (finding.path, finding.message) not in known_findings
        )
        yield finding if is_new_error else replace(finding, level="notice")


def effective_sheet(sheet: Sheet) -> Sheet:
    """The sheet with the pay table that governs, and without prose for it (OMS-7)."""
    return with_pays(sheet, "main", pays_of(sheet, "main"))


def measure_wagers(sheet: Sheet, ante: Cents | None = None) -> dict[str, Figures]:
    """The figures of every wager, not cached."""
    return {wager: _wager_figures(sheet, wager, ante) for wager in all_pay_tables(sheet)}


def line_rates(figures: Figures, lines: Iterable[str]) -> dict[str, Fraction]:
    """How often each line of a pay table wins or pushes."""
    counts = dict.fromkeys(lines, 0)
    for row in figures.rows:
        results = row.wagers or (row,)
        for line in {
            result.outcome for result in results if result.result in ("win", "push")
        } & counts.keys():
            counts[line] += row.count
    return {line: Fraction(count, figures.rounds) for line, count in counts.items()}


def pay_steps(sheets: Iterable[Sheet]) -> list[str]:
    """Pays in ascending order, including every pay of these sheets."""
    tables = [table for sheet in sheets for table in all_pay_tables(sheet).values()]
    used = [pay for table in tables for pay in table.values() if isinstance(pay, Odds)]
    pays = {pay_value(pay): pay for pay in (*map(Odds, PAY_STEPS), *used)}
    return ["", "push", *(str(pays[pay]) for pay in sorted(pays))]


def parse_pay(text: str) -> Odds | Push | None:
    """Parse a pay: "7:1", "7 to 1", "7", "push"; None for a line that loses.

    >>> str(parse_pay("7 to 1")), parse_pay("push"), parse_pay("")
    ('7:1', 'push', None)
    """
    plain = text.strip().lower()
    if plain in LOSES:
        return None
    if plain in ("push", "pushes"):
        return "push"
    match = _ODDS.fullmatch(plain)
    if not match:
        raise MoneyError(say("money.no-pay-here", text=text.strip()))
    return odds(f"{match[1]}:{match[2] or 1}")


def line_path(wager: str, line: str) -> FieldPath:
    """The path of a pay table line in a sheet."""
    return (*_table_path(wager), line)


def cap_path(index: int) -> FieldPath:
    """The path of a cap's amount in a sheet."""
    return ("limits", index, "pays_max")


def _table_path(wager: str) -> FieldPath:
    return ("main", "pays") if wager == "main" else ("side", wager, "pays")


def _check_names(sheet: Sheet, edits: PayTableEdits) -> None:
    """Raise MathError if the edits name a wager or cap that the sheet does not have."""
    for wager in edits.pays:
        if wager != "main" and wager not in sheet.side:
            remedy = did_you_mean(wager, ("main", *sheet.side))
            raise MathError(say("exact.no-wager", wager=wager, remedy=remedy))
    if len(edits.caps) > len(sheet.limits):
        caps = {"sheet": sheet.id, "has": len(sheet.limits), "given": len(edits.caps)}
        raise MathError(say("exact.too-many-caps", **caps))


def _with_pays(
    sheet: Sheet, wager: str, lines: Mapping[str, str], findings: list[Finding]
) -> Sheet:
    clause = sheet.main.clause if wager == "main" else sheet.side[wager].clause
    table = dict(pays_of(sheet, wager))
    for line, text in lines.items():
        try:
            pay = parse_pay(text)
        except MoneyError as error:
            findings.append(
                Finding("error", "value", sentence_of(error), line_path(wager, line), clause)
            )
            continue
        table = _with_pay(table, line, pay)
    if not table:
        message = say("findings.lab.all-lose")
        findings.append(Finding("error", "value", message, _table_path(wager), clause))
        return sheet
    return with_pays(sheet, wager, table)


def _with_pay(table: PayTable, line: str, pay: Odds | Push | None) -> dict[str, Odds | Push]:
    if pay is None:
        return {name: line_pay for name, line_pay in table.items() if name != line}
    return {**table, line: pay}


def _with_caps(sheet: Sheet, caps: Sequence[str | None], findings: list[Finding]) -> Sheet:
    limits = list(sheet.limits)
    for index, text in _edited_caps(caps):
        try:
            limits[index] = limits[index].model_copy(update={"pays_max": _parse_cap(text)})
        except MoneyError as error:
            clause = limits[index].clause
            findings.append(Finding("error", "value", sentence_of(error), cap_path(index), clause))
    return sheet.model_copy(update={"limits": tuple(limits)})


def _edited_caps(caps: Sequence[str | None]) -> Iterator[tuple[int, str]]:
    yield from ((index, text) for index, text in enumerate(caps) if text is not None)


def _parse_cap(text: str) -> Cents:
    amount = dollars(text.strip())
    if not amount:
        raise MoneyError(say("findings.lab.cap-of-nothing"))
    return amount


def _wager_figures(sheet: Sheet, wager: str, ante: Cents | None) -> Figures:
    if wager != "main":
        return wager_figures(sheet, wager, ante)
    game, method = choose_method(sheet)
    return method.figures(game, ante)
