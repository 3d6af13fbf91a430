"""Two sheets side by side: what every difference of their pay tables is worth in edge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pitbook.exact.advice import solved
from pitbook.exact.hi_lo import solve as solve_hi_lo
from pitbook.exact.sides import side_figures
from pitbook.exact.stud import solve
from pitbook.money import Cents, Odds
from pitbook.sheets.families import Sheet
from pitbook.sheets.hi_lo import HiLo
from pitbook.sheets.pays import PayTable, pays_of


@dataclass(frozen=True)
class LineWorth:
    """A line that differs, and what the second sheet's would change in the first."""

    line: str
    a: str | None
    b: str | None
    edge: Fraction  # The change of the first sheet's house edge when only this line changes.


@dataclass(frozen=True)
class WagerCompared:
    """One wager of two sheets; None where a sheet does not have it."""

    wager: str
    a: Fraction | None
    b: Fraction | None
    lines: tuple[LineWorth, ...]

    @property
    def together(self) -> Fraction | None:
        """The second sheet's edge less the first's."""
        return None if self.a is None or self.b is None else self.b - self.a

    def document(self) -> dict[str, Any]:
        """The comparison as JSON carries it."""
        return {
            "wager": self.wager,
            "a": _edge(self.a),
            "b": _edge(self.b),
            "difference": _edge(self.together),
            "lines": [
                {"line": one.line, "a": one.a, "b": one.b, "edge": float(one.edge)}
                for one in self.lines
            ],
        }


def compare(a: Sheet, b: Sheet, ante: Cents | None = None) -> list[WagerCompared]:
    """The main game, then every side wager of either sheet."""
    wagers = dict.fromkeys(("main", *a.side, *b.side))
    return [_compared(a, b, wager, ante) for wager in wagers]


def edge_of(sheet: Sheet, wager: str, ante: Cents | None = None) -> Fraction:
    """The house edge of one wager; the main game's with the caps where an ante is given."""
    if wager != "main":
        return side_figures(sheet, wager).house_edge
    if isinstance(sheet, HiLo):
        return -solve_hi_lo(sheet, ante).expected
    return -solved(sheet, ante).expected


def with_line(sheet: Sheet, wager: str, pays: PayTable) -> Sheet:
    """The sheet with another pay table for one wager; its prose, if any, is set aside."""
    if wager == "main":
        main = sheet.main.model_copy(update={"pays": dict(pays), "prose": None})
        return sheet.model_copy(update={"main": main})
    side = sheet.side[wager].model_copy(update={"pays": dict(pays)})
    return sheet.model_copy(update={"side": {**sheet.side, wager: side}})


def _compared(a: Sheet, b: Sheet, wager: str, ante: Cents | None) -> WagerCompared:
    has_a, has_b = (wager == "main" or wager in one.side for one in (a, b))
    edge_a = edge_of(a, wager, ante) if has_a else None
    edge_b = edge_of(b, wager, ante) if has_b else None
    comparable = has_a and has_b and a.family == b.family
    lines = tuple(_lines(a, b, wager, ante, edge_a)) if comparable and edge_a is not None else ()
    return WagerCompared(wager, edge_a, edge_b, lines)


def _lines(
    a: Sheet, b: Sheet, wager: str, ante: Cents | None, before: Fraction
) -> Iterator[LineWorth]:
    first, second = pays_of(a, wager), pays_of(b, wager)
    for line in dict.fromkeys((*first, *second)):
        if first.get(line) == second.get(line):
            continue
        changed = _with_pay(first, second, line)
        edge = _fresh_edge(with_line(a, wager, changed), wager, ante) - before
        yield LineWorth(line, _said(first.get(line)), _said(second.get(line)), edge)


def _with_pay(first: PayTable, second: PayTable, line: str) -> PayTable:
    """The first table with one line of the second, in its place: the first that fits may pay."""
    if line not in second:
        return {name: pay for name, pay in first.items() if name != line}
    if line in first:
        return {**first, line: second[line]}
    later = list(second)[list(second).index(line) :]
    place = next((n for n, name in enumerate(first) if name in later), len(first))
    lines = list(first.items())
    return dict([*lines[:place], (line, second[line]), *lines[place:]])


def _fresh_edge(sheet: Sheet, wager: str, ante: Cents | None) -> Fraction:
    """Without keeping the solution: nobody will ask for this pay table again."""
    if wager == "main" and not isinstance(sheet, HiLo):
        return -solve(sheet, ante).expected
    return edge_of(sheet, wager, ante)


def _said(pay: Odds | str | None) -> str | None:
    return None if pay is None else str(pay)


def _edge(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
