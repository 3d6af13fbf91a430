"""The house edge of every wager, exact, or a sentence why it is too much work for a check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pitbook.errors import ExtraMissing
from pitbook.exact.methods.chosen import chosen
from pitbook.exact.sides import side_figures
from pitbook.exact.working import TooLarge
from pitbook.sheets.findings import FieldPath, Finding
from pitbook.sheets.model import Advantage, Sheet
from pitbook.text import Sentence, say, sentence_of

__all__ = ["Edge", "advantages", "edges", "too_large"]


@dataclass(frozen=True)
class Edge:
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
        told = self.reason if self.house is None else percent(self.house)
        return f"{self.wager} {told}"


def percent(share: Fraction) -> str:
    """A share with four decimals of a per cent, and never 0 for what is not nothing.

    >>> percent(Fraction(1, 8)), percent(Fraction(1, 10**9))
    ('12.5000%', '0.0000001%')
    """
    decimals = 4
    while share and decimals < 12 and abs(share) * 10 ** (decimals + 2) < 1:
        decimals += 1
    return f"{float(share):.{decimals}%}"


def edges(sheet: Sheet) -> dict[str, Edge]:
    """The edge of every wager, in the sheet's order, without caps as `math` has it."""
    main = Edge("main", None, reason) if (reason := too_large(sheet)) else _main(sheet)
    return {"main": main, **{wager: _side(sheet, wager) for wager in sheet.side}}


def _side(sheet: Sheet, wager: str) -> Edge:
    try:
        return Edge(wager, side_figures(sheet, wager).house_edge)
    except TooLarge as error:
        return Edge(wager, None, say("exact.large.not-worked-out", why=sentence_of(error)))


def _main(sheet: Sheet) -> Edge:
    game, method = chosen(sheet)
    try:
        return Edge("main", -method.expected(game, None))
    except ExtraMissing as missing:
        return Edge("main", None, sentence_of(missing))


def too_large(sheet: Sheet) -> Sentence | None:
    """Why the main game is too much work for an answer within seconds; None where it is not."""
    game, method = chosen(sheet)
    work = method.work(game)
    return say("exact.large.not-here", work=work) if work else None


def advantages(sheet: Sheet, found: Mapping[str, Edge]) -> Iterator[Finding]:
    """Wagers that the player has the better of, and those that are said to be and are not."""
    declared = {one.wager: one for one in sheet.player_advantage}
    for wager, edge in found.items():
        if edge.house is None:
            continue
        if edge.house < 0:
            yield _better(sheet, wager, -edge.house, declared.get(wager))
        elif wager in declared:
            yield _untrue(sheet, declared[wager], edge.house)


def _better(sheet: Sheet, wager: str, share: Fraction, told: Advantage | None) -> Finding:
    place: FieldPath = ("main", "pays") if wager == "main" else ("side", wager, "pays")
    clause = (sheet.main if wager == "main" else sheet.side[wager]).clause
    said = {"wager": wager, "share": percent(share)}
    if told:
        message = say("findings.edges.better-declared", note=told.note, **said)
        return Finding("notice", "player-advantage", message, place, clause)
    message = say("findings.edges.better", **said)
    return Finding("error", "player-advantage", message, place, clause)


def _untrue(sheet: Sheet, told: Advantage, house: Fraction) -> Finding:
    place: FieldPath = ("player_advantage", sheet.player_advantage.index(told), "wager")
    message = say("findings.edges.untrue", wager=told.wager, share=percent(house))
    return Finding("error", "player-advantage", message, place, told.clause)
