"""A cap counts some win, and no other cap counts the same; without caps a sheet says so."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.sheets.findings import FieldPath, Finding
from pitbook.sheets.limits import counted
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Limit
from pitbook.sheets.pays import pays_of
from pitbook.text import Sentence, say

LIMITS_MAX = 20  # More than any house posts.
Counted = frozenset[tuple[str, str]]


def check(sheet: Sheet) -> Iterator[Finding]:
    """The findings about limits that have nothing to limit."""
    if not sheet.limits and sheet.uncapped is None:
        message = say("findings.counted.uncapped")
        yield Finding("error", "uncapped", message)
    if len(sheet.limits) > LIMITS_MAX:
        message = say("findings.counted.too-many", count=len(sheet.limits), most=LIMITS_MAX)
        yield _error(message, ("limits", LIMITS_MAX), sheet.limits[LIMITS_MAX])
        return
    before: list[tuple[Limit, Counted]] = []
    for number, limit in enumerate(sheet.limits):
        path: FieldPath = ("limits", number)
        wins = frozenset((wager, line) for wager, line, _ in counted(sheet, limit))
        yield from _lines(sheet, limit, path)
        if not wins:
            yield _error(say("findings.counted.no-win"), (*path, "counts"), limit)
        elif other := _same(limit, wins, before):
            yield _error(other, path, limit)
        before.append((limit, wins))


def _error(message: str, path: FieldPath, limit: Limit) -> Finding:
    return Finding("error", "limit", message, path, limit.clause)


def _same(limit: Limit, wins: Counted, before: list[tuple[Limit, Counted]]) -> Sentence | None:
    """What one limit before says already, so that this one never bites or makes that one idle."""
    for number, (other, theirs) in enumerate(before):
        if other.per != limit.per:
            continue
        if theirs == wins:
            alike = {"limit": other.pays_max == limit.pays_max, "per": limit.per, "number": number}
            return say("findings.counted.same", **alike)
        if theirs > wins and other.pays_max <= limit.pays_max:
            return say("findings.counted.within", number=number)
        if theirs < wins and other.pays_max >= limit.pays_max:
            return say("findings.counted.around", number=number)
    return None


def _lines(sheet: Sheet, limit: Limit, path: FieldPath) -> Iterator[Finding]:
    """Lines by name: each once, and each one that wins."""
    named = limit.counts.lines if limit.counts else None
    for wager, lines in named.items() if named else ():
        pays = pays_of(sheet, wager)
        for number, line in enumerate(lines):
            place: FieldPath = (*path, "counts", "lines", wager, number)
            if line in lines[:number]:
                yield _error(say("findings.named-twice", name=line), place, limit)
            elif pays[line] == "push":
                yield _error(say("findings.counted.pushes", line=line), place, limit)
