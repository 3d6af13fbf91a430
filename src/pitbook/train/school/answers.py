"""A table test for a spreadsheet: every question, what was answered, and in what time."""

from __future__ import annotations

import csv
import io

from pitbook.train.log import harmless
from pitbook.train.school.facts import Result, ResultItem

__all__ = ["answers_csv"]

COLUMNS = ("number", "kind", "question", "answer", "given", "right", "seconds", "seed")


def answers_csv(result: Result) -> str:
    """All questions of a test as comma-separated values, a header first."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    writer.writerows(harmless(_row(at, one)) for at, one in enumerate(result.items, start=1))
    return out.getvalue()


def _row(number: int, one: ResultItem) -> list[str]:
    right, seconds = "yes" if one.right else "no", f"{one.ms / 1000:.1f}"
    return [str(number), one.kind, one.question, one.wanted, one.given, right, seconds, one.seed]
