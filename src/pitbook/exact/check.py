"""The check of a sheet with its house edges, player advantages and contradictions in prose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from pitbook.errors import ExtraMissing
from pitbook.exact.methods.choose import choose_method
from pitbook.exact.sheet_figures import prose_edge_change
from pitbook.exact.side_wagers import side_figures
from pitbook.exact.work import TooLarge
from pitbook.sheets.digest import digest
from pitbook.sheets.findings import FieldPath, Finding, errors, findings_json
from pitbook.sheets.load import Reading, place_findings, sort_findings
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Advantage
from pitbook.text import Sentence, say, sentence_of


@dataclass(frozen=True)
class SheetCheck:
    """A sheet, everything found about it, and the edge of each of its wagers."""

    sheet: Sheet | None
    findings: tuple[Finding, ...]
    wagers: Mapping[str, WagerEdge]

    def document(self) -> dict[str, Any]:
        """The check as JSON carries it; findings past the first hundred of a level are counted."""
        return {
            "sheet": self.sheet.id if self.sheet else None,
            "hash": digest(self.sheet) if self.sheet else None,
            "valid": not errors(self.findings),
            "wagers": {name: edge.document() for name, edge in self.wagers.items()},
            "left_out": {"error": 0, "notice": 0},
            **findings_json(self.findings),
        }


def check_reading(reading: Reading) -> SheetCheck:
    """A reading measured; a sheet with errors has no figures.

    A wager that the player has the better of is an error here alone: the sheet can be loaded.
    """
    if reading.sheet is None:
        return SheetCheck(None, reading.findings, {})
    wagers = wager_edges(reading.sheet)
    found = [_add_prose_effect(one, reading.sheet) for one in reading.findings]
    found += place_findings(reading, advantage_findings(reading.sheet, wagers))
    return SheetCheck(reading.sheet, sort_findings(found), wagers)


def _add_prose_effect(finding: Finding, sheet: Sheet) -> Finding:
    """A disagreement of prose and pay table with what it is worth (OMS-7)."""
    if (
        finding.code != "prose"
        or why_too_large(sheet)
        or (worth := prose_edge_change(sheet)) is None
    ):
        return finding
    points = {"points": f"{abs(float(worth)) * 100:.2f}", "higher": worth >= 0}
    message = say("findings.prose.worth", message=finding.message, **points)
    return replace(finding, message=message)


@dataclass(frozen=True)
class WagerEdge:
    """What the house keeps of a unit wagered under best play, or why that is not worked out."""

    wager: str
    house: Fraction | None
    reason: str = ""

    def document(self) -> dict[str, Any]:
        """The edge as JSON carries it."""
        if self.house is None:
            return {"expected": None, "house_edge": None, "reason": self.reason}
        return {"expected": str(-self.house), "house_edge": float(self.house)}

    def __str__(self) -> str:
        told = self.reason if self.house is None else format_edge(self.house)
        return f"{self.wager} {told}"


def format_edge(share: Fraction) -> str:
    """A share with four decimals of a per cent, and never 0 for what is not nothing.

    >>> format_edge(Fraction(1, 8)), format_edge(Fraction(1, 10**9))
    ('12.5000%', '0.0000001%')
    """
    decimals = 4
    while share and decimals < 12 and abs(share) * 10 ** (decimals + 2) < 1:
        decimals += 1
    return f"{float(share):.{decimals}%}"


def wager_edges(sheet: Sheet) -> dict[str, WagerEdge]:
    """The edge of every wager, in the sheet's order, without caps as `math` has it."""
    main = (
        WagerEdge("main", None, reason) if (reason := why_too_large(sheet)) else _main_edge(sheet)
    )
    return {"main": main, **{wager: _side_edge(sheet, wager) for wager in sheet.side}}


def _side_edge(sheet: Sheet, wager: str) -> WagerEdge:
    try:
        return WagerEdge(wager, side_figures(sheet, wager).house_edge)
    except TooLarge as error:
        return WagerEdge(wager, None, say("exact.large.not-worked-out", why=sentence_of(error)))


def _main_edge(sheet: Sheet) -> WagerEdge:
    game, method = choose_method(sheet)
    try:
        return WagerEdge("main", -method.expected(game, None))
    except ExtraMissing as missing:
        return WagerEdge("main", None, sentence_of(missing))


def why_too_large(sheet: Sheet) -> Sentence | None:
    """Why the main game is too much work for an answer within seconds; None where it is not."""
    game, method = choose_method(sheet)
    work = method.slow_work(game)
    return say("exact.large.not-here", work=work) if work else None


def advantage_findings(sheet: Sheet, found: Mapping[str, WagerEdge]) -> Iterator[Finding]:
    """Wagers that the player has the better of, and those that are said to be and are not."""
    declared = {one.wager: one for one in sheet.player_advantage}
    for wager, edge in found.items():
        if edge.house is None:
            continue
        if edge.house < 0:
            yield _advantage_finding(sheet, wager, -edge.house, declared.get(wager))
        elif wager in declared:
            yield _no_advantage_finding(sheet, declared[wager], edge.house)


def _advantage_finding(
    sheet: Sheet, wager: str, share: Fraction, told: Advantage | None
) -> Finding:
    place: FieldPath = ("main", "pays") if wager == "main" else ("side", wager, "pays")
    clause = (sheet.main if wager == "main" else sheet.side[wager]).clause
    said = {"wager": wager, "share": format_edge(share)}
    if told:
        message = say("findings.edges.better-declared", note=told.note, **said)
        return Finding("notice", "player-advantage", message, place, clause)
    message = say("findings.edges.better", **said)
    return Finding("error", "player-advantage", message, place, clause)


def _no_advantage_finding(sheet: Sheet, told: Advantage, house: Fraction) -> Finding:
    place: FieldPath = ("player_advantage", sheet.player_advantage.index(told), "wager")
    message = say("findings.edges.untrue", wager=told.wager, share=format_edge(house))
    return Finding("error", "player-advantage", message, place, told.clause)
