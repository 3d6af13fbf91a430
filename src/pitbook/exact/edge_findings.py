"""Check a sheet: its house edges, player advantages, and prose that contradicts the pay tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from pitbook.answer_tables import Answer
from pitbook.errors import ExtraMissing
from pitbook.exact.long_computations import TooLarge
from pitbook.exact.methods.choose import choose_method
from pitbook.exact.sheet_figures import prose_edge_change
from pitbook.exact.side_wagers import side_figures
from pitbook.exact.time_estimates import Estimate
from pitbook.sheets.check import check as check_fields
from pitbook.sheets.field_types import Entries
from pitbook.sheets.findings import FieldPath, Finding, errors, findings_json, format_path
from pitbook.sheets.hashes import digest
from pitbook.sheets.load import Reading, place_findings, sort_findings
from pitbook.sheets.model import Advantage, Sheet
from pitbook.text import Sentence, say, sentence_of


@dataclass(frozen=True, repr=False)
class SheetCheck(Answer):
    """A sheet, its findings, and the edge of each of its wagers; `sheet` is None if unusable."""

    sheet: Sheet | None
    findings: tuple[Finding, ...]
    wagers: Entries[str, WagerEdge]
    commands: Entries[str, Estimate] | None = None  # How long each command takes.
    lines: tuple[str, ...] = field(default=(), repr=False)  # Of the file.

    @property
    def valid(self) -> bool:
        """Whether the sheet has no errors."""
        return not errors(self.findings)

    def document(self) -> dict[str, Any]:
        """The check as JSON. Findings past the first hundred of a level are only counted."""
        commands = {name: estimate.document() for name, estimate in (self.commands or {}).items()}
        return {
            "sheet": self.sheet.id if self.sheet else None,
            "hash": digest(self.sheet) if self.sheet else None,
            "valid": self.valid,
            "wagers": {name: edge.document() for name, edge in self.wagers.items()},
            "left_out": {"error": 0, "notice": 0},
            **findings_json(self.findings),
            **({} if self.commands is None else {"commands": commands}),
        }

    def _rows(self) -> Iterator[dict[str, Any]]:
        """Every finding."""
        for finding in self.findings:
            yield {
                "level": finding.level,
                "where": finding.where,
                "field": format_path(finding.path),
                "message": str(finding.message),
                "clause": finding.clause,
            }

    def _lines(self) -> tuple[str, ...]:
        name = self.sheet.id if self.sheet else "a sheet"
        error_count = len(errors(self.findings))
        notice_count = len(self.findings) - error_count
        edges = ", ".join(str(edge) for edge in self.wagers.values())
        head = f"check of {name}: {error_count} errors, {notice_count} notices"
        return (f"{head}; house edge {edges}" if edges else head,)


def check_reading(reading: Reading) -> SheetCheck:
    """Check a sheet that was read, with its edges. A sheet with errors has no figures.

    A player advantage is an error only here: the sheet can still be loaded.
    """
    if reading.sheet is None:
        return SheetCheck(None, reading.findings, Entries())
    wagers = wager_edges(reading.sheet)
    findings = [_add_prose_effect(finding, reading.sheet) for finding in reading.findings]
    findings += place_findings(reading, advantage_findings(reading.sheet, wagers))
    return SheetCheck(reading.sheet, sort_findings(findings), Entries(wagers))


def check_value(sheet: Sheet) -> SheetCheck:
    """Check a sheet that was not read from a file; findings name fields instead of lines."""
    wagers = wager_edges(sheet)
    findings = [_add_prose_effect(finding, sheet) for finding in check_fields(sheet)]
    findings += advantage_findings(sheet, wagers)
    named = (replace(finding, file=sheet.id, line=0, column=0) for finding in findings)
    return SheetCheck(sheet, tuple(named), Entries(wagers))


def _add_prose_effect(finding: Finding, sheet: Sheet) -> Finding:
    """Add the change in edge to a finding that prose and pay table disagree (OMS-7)."""
    if (
        finding.code != "prose"
        or why_too_large(sheet)
        or (value := prose_edge_change(sheet)) is None
    ):
        return finding
    points = {"points": f"{abs(float(value)) * 100:.2f}", "higher": value >= 0}
    message = say("findings.prose.worth", message=finding.message, **points)
    return replace(finding, message=message)


@dataclass(frozen=True)
class WagerEdge:
    """The house edge of a wager under best play, or the reason why it is not calculated."""

    wager: str
    house: Fraction | None
    reason: str = ""

    def document(self) -> dict[str, Any]:
        """The edge as JSON."""
        if self.house is None:
            return {"expected": None, "house_edge": None, "reason": self.reason}
        return {"expected": str(-self.house), "house_edge": float(self.house)}

    def __str__(self) -> str:
        text = self.reason if self.house is None else format_edge(self.house)
        return f"{self.wager} {text}"


def format_edge(share: Fraction) -> str:
    """A share with four decimals of a percent, or more if it would otherwise read 0.

    >>> format_edge(Fraction(1, 8)), format_edge(Fraction(1, 10**9))
    ('12.5000%', '0.0000001%')
    """
    decimals = 4
    while share and decimals < 12 and abs(share) * 10 ** (decimals + 2) < 1:
        decimals += 1
    return f"{float(share):.{decimals}%}"


def wager_edges(sheet: Sheet) -> dict[str, WagerEdge]:
    """The edge of every wager, in the sheet's order, without payout caps."""
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
    """Why the main game takes too long to calculate within seconds, or None."""
    game, method = choose_method(sheet)
    work = method.slow_work(game)
    return say("exact.large.not-here", work=work) if work else None


def advantage_findings(sheet: Sheet, edges: Mapping[str, WagerEdge]) -> Iterator[Finding]:
    """Findings for player advantages, and for declared advantages that do not exist."""
    declared = {advantage.wager: advantage for advantage in sheet.player_advantage}
    for wager, edge in edges.items():
        if edge.house is None:
            continue
        if edge.house < 0:
            yield _advantage_finding(sheet, wager, -edge.house, declared.get(wager))
        elif wager in declared:
            yield _no_advantage_finding(sheet, declared[wager], edge.house)


def _advantage_finding(
    sheet: Sheet, wager: str, share: Fraction, declared: Advantage | None
) -> Finding:
    place: FieldPath = ("main", "pays") if wager == "main" else ("side", wager, "pays")
    clause = (sheet.main if wager == "main" else sheet.side[wager]).clause
    fields = {"wager": wager, "share": format_edge(share)}
    if declared:
        message = say("findings.edges.better-declared", note=declared.note, **fields)
        return Finding("notice", "player-advantage", message, place, clause)
    message = say("findings.edges.better", **fields)
    return Finding("error", "player-advantage", message, place, clause)


def _no_advantage_finding(sheet: Sheet, advantage: Advantage, house: Fraction) -> Finding:
    place: FieldPath = ("player_advantage", sheet.player_advantage.index(advantage), "wager")
    message = say("findings.edges.untrue", wager=advantage.wager, share=format_edge(house))
    return Finding("error", "player-advantage", message, place, advantage.clause)
