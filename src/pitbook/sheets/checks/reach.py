"""A pay table pays hands that can be dealt: what no cards of these decks make is no line of it."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.money import Odds
from pitbook.sheets.checks.pay_tables import disagreements
from pitbook.sheets.families import family_of
from pitbook.sheets.findings import FieldPath, Finding
from pitbook.sheets.model import Sheet
from pitbook.sheets.pays import scope_of
from pitbook.text import say


def check(sheet: Sheet) -> Iterator[Finding]:
    """The findings about lines that cannot be met, and tables that pay nobody."""
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
    yield from _echo(sheet)


def _echo(sheet: Sheet) -> Iterator[Finding]:
    """Prose stands in a sheet where it contradicts the table, and nowhere else (OMS-7)."""
    prose, scope = sheet.main.prose, scope_of(sheet, "main")
    if prose is None or scope is None or any(scope.atoms(line) is None for line in prose.pays):
        return
    if not disagreements(sheet, scope):
        message = say("findings.reach.echo")
        yield Finding("error", "prose-echo", message, ("main", "prose"), prose.clause)
