"""The comparison of two sheets as a value: `pitbook.compare`, rendered by `pitbook compare`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pitbook.answers import Answer
from pitbook.errors import PitbookError
from pitbook.exact.compare import WagerComparison, assumptions
from pitbook.exact.compare import compare_wagers
from pitbook.exact.spots import Spot, SpotError, check_stakes
from pitbook.money import Cents
from pitbook.sheets.arguments import SomeSheet, ante_of, one_of, sheet_of
from pitbook.sheets.assumptions import describe_pays_of_both
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet
from pitbook.text import say, sentence_of


@dataclass(frozen=True, repr=False)
class Comparison(Answer):
    """Every wager of two sheets with both edges, and the effect of each difference."""

    a: str
    b: str
    hashes: tuple[str, str]
    ante: Cents | None  # In cents; None without payout limits.
    wagers: tuple[WagerComparison, ...]
    _a: Sheet
    _b: Sheet

    def __getitem__(self, wager: str) -> WagerComparison:
        by_wager = {comparison.wager: comparison for comparison in self.wagers}
        return by_wager[one_of(by_wager, wager, "wager")]

    def document(self) -> dict[str, Any]:
        """The result of `pitbook compare --json`."""
        return {
            "a": self.a,
            "b": self.b,
            "assumptions": assumptions(self._a, self._b, self.ante),
            "wagers": [
                {
                    **comparison.document(),
                    "ours": describe_pays_of_both(self._a, self._b, comparison.wager),
                }
                for comparison in self.wagers
            ],
        }

    def _rows(self) -> Iterator[dict[str, Any]]:
        """The whole difference of every wager, then the effect of each line."""
        for comparison in self.wagers:
            yield {
                "wager": comparison.wager,
                "line": None,
                "pays_a": None,
                "pays_b": None,
                "probability": None,
                "edge_a": comparison.a,
                "edge_b": comparison.b,
                "difference": comparison.difference,
            }
            for line in comparison.lines:
                yield {
                    "wager": comparison.wager,
                    "line": line.line,
                    "pays_a": line.a,
                    "pays_b": line.b,
                    "probability": line.probability,
                    "edge_a": None,
                    "edge_b": None,
                    "difference": line.edge,
                }

    def _lines(self) -> tuple[str, ...]:
        changes = (
            f"{comparison.wager} {float(comparison.difference) * 100:+.4f} points"
            for comparison in self.wagers
            if comparison.difference is not None
        )
        a, b = (full_hash[:8] for full_hash in self.hashes)
        return (f"{self.b} {b} against {self.a} {a}: {', '.join(changes)}",)


def compare(a: SomeSheet, b: SomeSheet, *, ante: str | None = None) -> Comparison:
    """The effect of each difference between two sheets on the house edge.

    Every line that they pay differently is put into the first sheet alone, with best play solved
    again. `all_lines` changes all of them together.

    >>> compared = compare("catfish-bend/mississippi-stud", "oceanfront/mississippi-stud")
    >>> f"{float(compared['main'].difference):.4%}"
    '4.3267%'
    """
    return compare_sheets(sheet_of(a), sheet_of(b), ante_of(ante))


def compare_sheets(a: Sheet, b: Sheet, ante: Cents | None = None) -> Comparison:
    """The comparison at an ante in cents; raises PitbookError if a sheet does not accept it."""
    for sheet in (a, b):
        try:
            check_stakes(sheet, Spot((), ante=ante))
        except SpotError as error:
            raise PitbookError(say("api.of", name=sheet.id, why=sentence_of(error))) from None
    return Comparison(
        a=a.id,
        b=b.id,
        hashes=(digest(a), digest(b)),
        ante=ante,
        wagers=tuple(compare_wagers(a, b, ante)),
        _a=a,
        _b=b,
    )
